"""The rules of `speculoos check` in words: English stands with each rule, French here."""

from speculoos.publish.tables import Table, labelled
from speculoos.publish.text import Language, typeset
from speculoos.record.checks import RULES, AnyRule

FRENCH = {
    "form": "Un fichier est du YAML simple, avec les champs de son type et rien d’autre.",
    "place": "Un fichier se trouve là où le disent sa date et sa machine.",
    "parts": "Une mesure contient ce que demande sa nature, et rien de ce qui relève d’une autre.",
    "dates": "Chaque date est passée, et postérieure aux débuts de la spéculation.",
    "asked": "Une mesure se fait à température 0, sans invite en cache.",
    "languages": "Un texte en deux langues n’est pas deux fois le même texte.",
    "private": "Aucun chemin, compte, ordinateur, adresse ni clé d’une personne n’est conservé.",
    "machine": "La machine d’une mesure est décrite.",
    "described": "Les grandeurs d’une machine sont possibles, et dans la bonne unité.",
    "prompts": "Le jeu d’invites existe, c’est celui qui a servi, et les limites sont tenues.",
    "order": "Les passages suivent l’ordre du plan, et chaque invite y est posée une fois.",
    "flags": "Ce qui a été demandé au serveur correspond aux réglages.",
    "baseline": "Une mesure a une référence, et la référence n’a pas de `n_max`.",
    "proof": "Le serveur lancé est celui qui a répondu, et il a spéculé comme demandé.",
    "drafted": "Un passage qui spécule a proposé quelque chose.",
    "incident": "Un passage qui finit mal dit comment, et après combien d’échantillons.",
    "counts": "Les comptes de chaque échantillon sont possibles.",
    "length": "Une étape accepte au plus n_max jetons : sa longueur est d’au plus n_max + 1.",
    "decodes": "Les passes de chaque échantillon s’additionnent exactement quand l’arrêt est "
    "`limit`.",
    "ends": "Un texte finit d’une façon connue, et pas tout de suite.",
    "times": "Les durées sont en millisecondes, et le tout n’est pas plus court que ses parties.",
    "rates": "Aucune vitesse ne dépasse ce que permettent mémoire et processeurs de la machine.",
    "memory": "La mémoire occupée correspond au modèle et tient dans la machine.",
    "arms": "Une invite a une seule longueur, et son texte une seule fin, dans tous les réglages.",
    "comparable": "Tous les réglages répondent aux mêmes invites, avec les mêmes poids.",
    "slots": "Les chiffres d’une place et de plusieurs ne sont jamais dans le même fichier.",
    "observed": "Ce qui a été observé en service est possible, et dit avec quels réglages.",
    "surroundings": "Ce qui a été observé de la machine est possible.",
    "quiet": "Rien d’autre n’occupait la machine, ni chaleur ni limite ne la ralentissait.",
    "spread": "D’un bloc à l’autre, la référence varie de 10 % au plus.",
    "interval": "Une accélération a un intervalle : il faut au moins deux blocs complets.",
    "duplicates": "Aucune ligne et aucune annonce ne figure deux fois, dans aucun fichier.",
    "changed": "Une mesure publiée ne change que par `withdrawn`, un jeu d’invites jamais.",
}


def rules(language: Language) -> Table:
    """Every rule with what it demands, in the order in which they are checked."""
    rows = [(rule.name, _description(rule, language)) for rule in RULES]
    return labelled("rules", ("rule", "demand"), rows, language)


def _description(rule: AnyRule, language: Language) -> str:
    text = rule.description if language == "en" else typeset(FRENCH[rule.name], language)
    return text.replace("`", "")
