"""What a reader must know before the figures: one slug, one sentence a language."""

from speculoos.publish.text import Language

WARNINGS: dict[str, dict[Language, str]] = {
    "busy": {
        "fr": "Machine occupée : d’autres programmes prenaient {share} des processeurs "
        "avant le premier démarrage.",
        "en": "Busy machine: other programs used {share} of the processors before the first start.",
    },
    "busy-during": {
        "fr": "Machine occupée pendant la mesure : d’autres programmes ont pris jusqu’à {share} "
        "des processeurs (blocs {loaded} sur {of}). Ces blocs sont faussés, et il n’en reste pas "
        "assez d’autres pour s’en passer.",
        "en": "Busy machine during the measurement: other programs used up to {share} of the "
        "processors (blocks {loaded} of {of}). These blocks are distorted, and too few others are "
        "left to do without them.",
    },
    "busy-set-aside": {
        "fr": "Machine occupée pendant une partie de la mesure : d’autres programmes ont pris "
        "jusqu’à {share} des processeurs (blocs {loaded} sur {of}). Ces blocs ne comptent pas.",
        "en": "Busy machine during a part of the measurement: other programs used up to {share} "
        "of the processors (blocks {loaded} of {of}). These blocks do not count.",
    },
    "busy-exploring": {
        "fr": "Machine occupée pendant l’exploration : d’autres programmes ont pris {share} des "
        "processeurs. Les réglages confirmés ne sont peut-être pas les meilleurs.",
        "en": "Busy machine while exploring: other programs used {share} of the processors. The "
        "settings that were confirmed are perhaps not the best ones.",
    },
    "card-shared": {
        "fr": "Carte partagée : d’autres programmes l’utilisaient avant le premier démarrage, au "
        "nombre de {programs}.",
        "en": "Shared card: other programs held it before the first start (number: {programs}).",
    },
    "quota": {
        "fr": "Processeurs rationnés : une limite du groupe de processus a arrêté la mesure "
        "pendant {share} du temps.",
        "en": "Rationed processors: a limit on the group of processes held the measurement back "
        "for {share} of the time.",
    },
    "throttled": {
        "fr": "Surchauffe : la fréquence a été réduite pendant {runs} passages sur {of}.",
        "en": "Overheating: the clock was lowered in {runs} of {of} runs.",
    },
    "clock": {
        "fr": "Fréquence changeante ({what}) : de {low_mhz} à {high_mhz} MHz d’un passage à "
        "l’autre.",
        "en": "Changing clock ({what}): {low_mhz} to {high_mhz} MHz between runs.",
    },
    "drift": {
        "fr": "La référence dérive : de {first} à {last} jetons/s du premier au dernier bloc. "
        "Température, fréquence ou charge ?",
        "en": "The baseline drifts: from {first} to {last} tokens/s between the first and the last "
        "block. Heat, clock or load?",
    },
    "noisy": {
        "fr": "Machine agitée : la référence varie de {spread} d’un bloc à l’autre, sans tendance.",
        "en": "Restless machine: the baseline varies by {spread} between blocks, without a trend.",
    },
    "invalid-samples": {
        "fr": "Des échantillons contredisent les compteurs du serveur ; leurs passages ne comptent "
        "pas.",
        "en": "Some samples contradict the server’s counters; their runs do not count.",
    },
    "other-prompt": {
        "fr": "{setting} : une invite n’a pas la longueur qu’elle a dans la référence ; ces "
        "passages ({runs}) ne comptent pas.",
        "en": "{setting}: a prompt has another length than in the baseline; these runs "
        "({runs}) do not count.",
    },
    "wide": {
        "fr": "Intervalle très large : il repose sur trop peu de blocs "
        "(degrés de liberté : {freedom}).",
        "en": "Very wide interval: it rests on too few blocks (degrees of freedom: {freedom}).",
    },
    "synthetic": {
        "fr": "Acceptation inventée par le serveur (--spec-synth-…) : les textes n’ont pas de "
        "sens, et l’accélération ne vaut pour aucun texte.",
        "en": "Acceptance made up by the server (--spec-synth-…): the texts make no sense, and "
        "the speed-up holds for no text.",
    },
    "interrupted": {
        "fr": "Mesure interrompue.",
        "en": "Interrupted.",
    },
    "withdrawn": {
        "fr": "Mesure retirée : ses chiffres ne comptent plus.",
        "en": "Withdrawn: its figures no longer count.",
    },
    "incident": {
        "fr": "{setting} : un passage s’est mal terminé ({kind}) ; la ligne du serveur est dans le "
        "fichier.",
        "en": "{setting}: a run ended badly ({kind}); the server’s line stands in the file.",
    },
    "nothing-drafted": {
        "fr": "{setting} : le serveur n’a rien proposé ; la spéculation était inactive.",
        "en": "{setting}: the server drafted nothing; speculation was silently off.",
    },
    "early-end": {
        "fr": "Textes courts : {count} sur {of} s’arrêtent avant {least} jetons, trop tôt pour "
        "donner une vitesse.",
        "en": "Short texts: {count} of {of} end before {least} tokens, too soon to tell a speed.",
    },
    "other-end": {
        "fr": "{setting} : un texte ne finit pas comme celui de la référence dans {runs} passages, "
        "qui ne comptent pas : ce n’est plus le même travail.",
        "en": "{setting}: a text does not end as the baseline’s does in {runs} runs, which do not "
        "count: it is no longer the same work.",
    },
    "unequal-prompts": {
        "fr": "Invites manquantes dans {runs} passages sur {of} : leurs blocs ne comptent pas.",
        "en": "Prompts are missing in {runs} of {of} runs: their blocks do not count.",
    },
    "waiting": {
        "fr": "Attente : les requêtes prenaient plus du double de leur calcul, {count} fois.",
        "en": "Waiting: requests took more than twice their computing time, {count} times.",
    },
    "beyond-machine": {
        "fr": "Vitesse surprenante : {times} fois ce que cette machine lirait d’un modèle dense "
        "de cette taille.",
        "en": "Surprising speed: {times} times what this machine could read of a dense model of "
        "that size.",
    },
    "text-differs": {
        "fr": "{setting} : textes différents de ceux de la référence, {differ} sur {compared}.",
        "en": "{setting}: texts that differ from the baseline’s, {differ} of {compared}.",
    },
    "text-differs-controlled": {
        "fr": "{setting} : textes différents de ceux de la référence, {differ} sur {compared} ; "
        "la référence contre elle-même : {itself} sur {repeats}.",
        "en": "{setting}: texts that differ from the baseline’s, {differ} of {compared}; "
        "the baseline against itself: {itself} of {repeats}.",
    },
}

_QUIET: dict[Language, str] = {
    "fr": "Fermer ces programmes, puis mesurer de nouveau.",
    "en": "Close these programs and measure again.",
}
_EQUAL_TEXTS: dict[Language, str] = {
    "fr": "C’est courant avec des poids quantifiés, où deux jetons presque à égalité "
    "s’inversent : ne pas promettre de textes identiques, ou comparer les deux candidats au "
    "premier écart (n_probs) pour exclure un défaut.",
    "en": "That is usual with quantised weights, where near ties flip: promise no equal texts, or "
    "compare the two candidates at the first difference (n_probs) to rule a defect out.",
}
REMEDIES: dict[str, dict[Language, str]] = {
    "busy": _QUIET,
    "busy-during": _QUIET,
    "busy-set-aside": {
        "fr": "Fermer ces programmes avant la prochaine mesure.",
        "en": "Close these programs before the next measurement.",
    },
    "busy-exploring": {
        "fr": "Mesurer de nouveau, au calme, ou tous les réglages avec --grid.",
        "en": "Measure again when it is quiet, or every setting with --grid.",
    },
    "card-shared": {
        "fr": "Les fermer, ou mesurer sans session graphique.",
        "en": "Close them, or measure without a graphical session.",
    },
    "quota": {
        "fr": "Lever la limite du conteneur, ou donner moins de fils au serveur (-t).",
        "en": "Lift the container’s limit, or give the server fewer threads (-t).",
    },
    "throttled": {
        "fr": "Refroidir, ou laisser des pauses entre les passages, puis mesurer de nouveau.",
        "en": "Cool the machine, or leave pauses between the runs, and measure again.",
    },
    "clock": {
        "fr": "Fixer le mode d’alimentation ou la fréquence, puis mesurer de nouveau.",
        "en": "Fix the power mode or the clock, and measure again.",
    },
    "drift": {
        "fr": "Laisser la machine se stabiliser, puis mesurer de nouveau.",
        "en": "Let the machine settle and measure again.",
    },
    "noisy": {
        "fr": "Prévoir plus de blocs (--thorough), ou une machine plus calme.",
        "en": "Take more blocks (--thorough), or a quieter machine.",
    },
    "invalid-samples": {
        "fr": "Réserver le serveur à la mesure, agrandir le contexte (-c) ; sinon mesurer avec un "
        "autre build, et signaler celui-ci.",
        "en": "Keep the server for the measurement alone and enlarge the context (-c); else "
        "measure with another build, and report this one.",
    },
    "other-prompt": {
        "fr": "Retirer des arguments après -- ce qui change l’invite ou la garde en cache, puis "
        "mesurer de nouveau.",
        "en": "Remove from the arguments after -- what changes the prompt or caches it, and "
        "measure again.",
    },
    "other-end": {
        "fr": "Mesurer de nouveau avec un --max-tokens que tous les textes atteignent.",
        "en": "Measure again with a --max-tokens that every text reaches.",
    },
    "early-end": {
        "fr": "Prendre des invites qui demandent plus.",
        "en": "Take prompts that ask for more.",
    },
    "unequal-prompts": {
        "fr": "Reprendre avec --resume, ou mesurer de nouveau.",
        "en": "Go on with --resume, or measure again.",
    },
    "waiting": {
        "fr": "Chercher ce qui attendait, ou un temps noté dans une autre unité.",
        "en": "Look for what waited, or for a time in another unit.",
    },
    "beyond-machine": {
        "fr": "Un modèle à experts l’explique ; sinon, vérifier le fichier.",
        "en": "A mixture of experts explains it; if it is none, check the file.",
    },
    "wide": {
        "fr": "Mesurer au moins trois blocs, ou plus d’un réglage.",
        "en": "Measure three blocks at least, or more than one setting.",
    },
    "synthetic": {
        "fr": "Retirer cette option des arguments après --, puis mesurer de nouveau.",
        "en": "Remove that flag from the arguments after --, and measure again.",
    },
    "interrupted": {
        "fr": "La même commande avec --resume la reprend où elle en était.",
        "en": "The same command with --resume goes on where it stopped.",
    },
    "withdrawn": {
        "fr": "Ne pas les reprendre ; se servir d’une autre mesure, ou en faire une.",
        "en": "Do not quote them; use another measurement, or make one.",
    },
    "incident": {
        "fr": "Le remède est dans les pièges, sous ce nom.",
        "en": "The remedy stands among the pitfalls, under that name.",
    },
    "nothing-drafted": {
        "fr": "Vérifier --spec-type et le modèle ; pour des n-grammes, prendre des textes qui se "
        "répètent.",
        "en": "Check --spec-type and the model; for n-grams, take texts that repeat themselves.",
    },
    "text-differs": _EQUAL_TEXTS,
    "text-differs-controlled": _EQUAL_TEXTS,
}
"""What to do next; every warning has one."""

_SAID_IN_FULL = ("withdrawn",)


def pitfall(kind: str, incident: str | None = None) -> str | None:
    """The anchor on the page of pitfalls that explains a warning; None where nothing is left.

    It is the kind itself; that of an incident is its own kind.
    """
    if kind in _SAID_IN_FULL:
        return None
    return incident if kind == "incident" else kind
