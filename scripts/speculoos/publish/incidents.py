"""How a run can end badly, in words: one kind of incident, one sentence in each language."""

from speculoos.publish.text import Language

INCIDENTS: dict[str, dict[Language, str]] = {
    "crash": {
        "fr": "Le serveur s’est arrêté brutalement",
        "en": "The server crashed",
    },
    "no-answer": {
        "fr": "Le serveur n’a pas répondu à temps",
        "en": "The server did not answer in time",
    },
    "no-head": {
        "fr": "Le fichier ne contient pas de tête MTP",
        "en": "The file holds no MTP head",
    },
    "unknown-spec-type": {
        "fr": "Ce build ne connaît pas ce type de spéculation",
        "en": "This build does not know the type of speculation",
    },
    "removed-flag": {
        "fr": "Ce build a retiré une option demandée",
        "en": "This build has removed a flag that was asked for",
    },
    "invalid-argument": {
        "fr": "Le serveur a refusé un argument",
        "en": "The server refused an argument",
    },
    "extra-file": {
        "fr": "Un fichier à côté du modèle a été refusé",
        "en": "A file beside the model was refused",
    },
    "missing-library": {
        "fr": "Il manque une bibliothèque au serveur",
        "en": "A library of the server is missing",
    },
    "port-taken": {
        "fr": "Le port était déjà pris",
        "en": "The port was taken",
    },
    "n-max-too-large": {
        "fr": "La proposition dépasse la taille du lot",
        "en": "The draft does not fit the batch",
    },
    "out-of-memory": {
        "fr": "La mémoire n’a pas suffi",
        "en": "Memory ran out",
    },
    "broken-model": {
        "fr": "Le fichier du modèle ne se charge pas",
        "en": "The model file does not load",
    },
    "context-too-small": {
        "fr": "Une invite ne tenait pas dans le contexte",
        "en": "A prompt did not fit the context",
    },
    "draft-mismatch": {
        "fr": "Le modèle d’ébauche n’a pas la largeur du modèle",
        "en": "The draft model is not as wide as the model",
    },
    "broken-draft-model": {
        "fr": "Le fichier du modèle d’ébauche ne se charge pas",
        "en": "The draft model file does not load",
    },
    "killed": {
        "fr": "Le serveur a été tué, sans doute faute de mémoire",
        "en": "The server was killed, probably because memory ran out",
    },
    "stopped": {
        "fr": "Le serveur a été arrêté de l’extérieur",
        "en": "The server was stopped from outside",
    },
    "cut-answer": {
        "fr": "La réponse du serveur s’est interrompue",
        "en": "The server’s answer broke off",
    },
    "illegal-instruction": {
        "fr": "Ce serveur a été compilé pour un autre processeur",
        "en": "This server was built for another processor",
    },
}

INCIDENTS |= {
    "other-server": {
        "fr": "Un autre serveur répondait à la place de celui qui a été lancé",
        "en": "Another server answered in place of the one that was started",
    },
    "silently-off": {
        "fr": "Le serveur se dit sans spéculation, malgré l’option",
        "en": "The server says that it does not speculate, in spite of the flag",
    },
    "no-model": {
        "fr": "Le serveur tournait sans modèle, en routeur",
        "en": "The server ran without a model, as a router",
    },
    "file-changed": {
        "fr": "Le serveur ou un modèle a été remplacé pendant la mesure",
        "en": "The server or a model was replaced during the measurement",
    },
    "no-reasoning": {
        "fr": "Le gabarit de conversation de ce modèle ignore le raisonnement",
        "en": "The chat template of this model knows no reasoning",
    },
    "nothing-drafted": {
        "fr": "La spéculation était active, mais rien n’a été proposé",
        "en": "Speculation was on, but nothing was drafted",
    },
    "on-in-baseline": {
        "fr": "La référence spéculait",
        "en": "The baseline was speculating",
    },
}
"""Refusals of the tool itself: the run does not prove what it claims."""
