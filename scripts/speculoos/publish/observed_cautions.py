"""What a reader must know of a server that was only watched: one slug, one sentence a language."""

from speculoos.publish.text import Language

OBSERVED: dict[str, dict[Language, str]] = {
    "observed-no-baseline": {
        "fr": "Observé en service : ni référence, ni invites connues, donc ni accélération ni "
        "verdict. Ces chiffres décrivent cet usage, et rien d’autre.",
        "en": "Observed in use: no baseline and no known prompts, hence neither a speed-up nor a "
        "verdict. These figures describe this use, and nothing else.",
    },
    "observed-first-tokens": {
        "fr": "Les compteurs ne disent pas combien de réponses ont été écrites : le premier jeton "
        "de chacune, qui ne coûte pas de passe, est compté. La vitesse est un peu haute pour des "
        "réponses courtes, d’un centième pour cent jetons.",
        "en": "The counters do not say how many answers were written: the first token of each, "
        "which costs no pass, is counted. The rate reads a little high for short answers, by a "
        "hundredth for a hundred tokens.",
    },
    "observed-several": {
        "fr": "Plusieurs requêtes à la fois ({busy_slots} en moyenne) : la vitesse est celle d’une "
        "requête ; le serveur entier donnait environ {together} jetons/s.",
        "en": "Several requests at once ({busy_slots} on average): the rate is that of one "
        "request; the server as a whole gave about {together} tokens/s.",
    },
    "observed-not-counted": {
        "fr": "Ce build ne compte pas la spéculation dans /metrics : ni acceptation, ni étapes, ni "
        "positions ne peuvent être connues ainsi. Lire son journal avec speculoos read, ou prendre "
        "un build plus récent.",
        "en": "This build does not count speculation in /metrics: neither acceptance nor steps nor "
        "positions can be known this way. Read its log with speculoos read, or take a newer build.",
    },
    "observed-not-logged": {
        "fr": "Ce journal ne dit pas ce qui a été proposé : l’acceptation n’est pas connue.",
        "en": "This log does not say what was drafted: acceptance is not known.",
    },
    "observed-nothing-drafted": {
        "fr": "Rien n’a été proposé pendant ce temps : soit la spéculation est inactive, soit "
        "aucun texte ne s’y prêtait.",
        "en": "Nothing was drafted meanwhile: either speculation is off, or no text lent itself "
        "to it.",
    },
    "observed-rounded": {
        "fr": "Les compteurs sont arrondis à six chiffres : la vitesse est connue à {error} "
        "jetons/s près. Un serveur redémarré compte de nouveau exactement.",
        "en": "The counters are rounded to six digits: the rate is known within {error} tokens/s. "
        "A server that is restarted counts exactly again.",
    },
    "observed-restarted": {
        "fr": "Le serveur a redémarré pendant l’observation (redémarrages : {restarts}) ; ce qui "
        "était en cours n’est pas compté.",
        "en": "The server was restarted during the observation (restarts: {restarts}); what was "
        "running then is not counted.",
    },
    "observed-running": {
        "fr": "Requêtes encore en cours à la fin : {running}. Une requête ne compte qu’à sa fin.",
        "en": "Requests still running at the end: {running}. A request counts only when it ends.",
    },
}
