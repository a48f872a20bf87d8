"""What a reader must know before the figures, and what to do: one slug, one sentence a language."""

from speculoos.publish.text import Language

WARNINGS: dict[str, dict[Language, str]] = {
    "busy": {
        "fr": "Machine occupée : d’autres programmes prenaient {share} des processeurs "
        "avant le premier démarrage. À mesurer de nouveau, au calme.",
        "en": "Busy machine: other programs used {share} of the processors before the first "
        "start. Measure again when it is quiet.",
    },
    "busy-during": {
        "fr": "Machine occupée pendant la mesure : d’autres programmes ont pris jusqu’à {share} "
        "des processeurs (blocs {blocks} sur {of}). Ces blocs sont faussés : fermer ces "
        "programmes et mesurer de nouveau.",
        "en": "Busy machine during the measurement: other programs used up to {share} of the "
        "processors (blocks {blocks} of {of}). These blocks are distorted: close the programs and "
        "measure again.",
    },
    "card-shared": {
        "fr": "Carte partagée : d’autres programmes l’utilisaient avant le premier démarrage, au "
        "nombre de {programs}. Les fermer, ou mesurer sans session graphique.",
        "en": "Shared card: other programs held it before the first start, {programs} in number. "
        "Close them, or measure without a graphical session.",
    },
    "quota": {
        "fr": "Processeurs rationnés : une limite du groupe de processus a arrêté la mesure "
        "pendant {share} du temps. Lever la limite du conteneur, ou donner moins de fils "
        "au serveur (-t).",
        "en": "Rationed processors: a limit on the group of processes held the measurement back "
        "for {share} of the time. Lift the container’s limit, or give the server fewer threads "
        "(-t).",
    },
    "throttled": {
        "fr": "Surchauffe : la fréquence a été réduite pendant {runs} passages sur {of}. "
        "Refroidir, ou laisser des pauses entre les passages, puis mesurer de nouveau.",
        "en": "Overheating: the clock was lowered in {runs} of {of} runs. Cool the machine, or "
        "leave pauses between the runs, and measure again.",
    },
    "clock": {
        "fr": "Fréquence changeante ({what}) : de {low_mhz} à {high_mhz} MHz d’un passage à "
        "l’autre. Fixer le mode d’alimentation ou la fréquence, puis mesurer de nouveau.",
        "en": "Changing clock ({what}): {low_mhz} to {high_mhz} MHz between runs. Fix the power "
        "mode or the clock, and measure again.",
    },
    "drift": {
        "fr": "La référence dérive : de {first} à {last} jetons/s du premier au dernier bloc. "
        "Température, fréquence ou charge ? Laisser la machine se stabiliser, puis mesurer "
        "de nouveau.",
        "en": "The baseline drifts: from {first} to {last} tokens/s between the first and the last "
        "block. Heat, clock or load? Let the machine settle and measure again.",
    },
    "noisy": {
        "fr": "Machine agitée : la référence varie de {spread} d’un bloc à l’autre, sans tendance. "
        "Il faut plus de blocs, ou une machine plus calme.",
        "en": "Restless machine: the baseline varies by {spread} between blocks, without a trend. "
        "More blocks are needed, or a quieter machine.",
    },
    "invalid-samples": {
        "fr": "Des échantillons contredisent les compteurs du serveur ; "
        "leurs passages ne comptent pas. Mesurer avec un autre build, et signaler celui-ci.",
        "en": "Some samples contradict the server’s counters; their runs do not count. Measure "
        "with another build, and report this one.",
    },
    "interrupted": {
        "fr": "Mesure interrompue : la même commande avec --resume la reprend où elle en était.",
        "en": "Interrupted: the same command with --resume goes on where it stopped.",
    },
    "withdrawn": {
        "fr": "Mesure retirée : ses chiffres ne comptent plus.",
        "en": "Withdrawn: its figures no longer count.",
    },
    "incident": {
        "fr": "{setting} : un passage s’est mal terminé ({kind}). La ligne du serveur est dans le "
        "fichier, et le remède dans les pièges, sous ce nom.",
        "en": "{setting}: a run ended badly ({kind}). The server’s line stands in the file, and "
        "the remedy among the pitfalls, under that name.",
    },
    "nothing-drafted": {
        "fr": "{setting} : le serveur n’a rien proposé ; la spéculation était inactive. Vérifier "
        "--spec-type et le modèle ; pour des n-grammes, prendre des textes qui se répètent.",
        "en": "{setting}: the server drafted nothing; speculation was silently off. Check "
        "--spec-type and the model; for n-grams, take texts that repeat themselves.",
    },
    "early-end": {
        "fr": "Textes courts : {count} sur {of} s’arrêtent avant {least} jetons, trop tôt pour "
        "donner une vitesse. Prendre des invites qui demandent plus.",
        "en": "Short texts: {count} of {of} end before {least} tokens, too soon to tell a speed. "
        "Take prompts that ask for more.",
    },
    "other-end": {
        "fr": "{setting} : au moins un texte ne finit pas comme celui de la référence ; ce n’est "
        "plus le même travail. Lire son accélération avec prudence.",
        "en": "{setting}: at least one text does not end as the baseline’s does; it is no longer "
        "the same work. Read its speed-up with care.",
    },
    "unequal-prompts": {
        "fr": "Invites manquantes dans {runs} passages sur {of} : leurs blocs ne comptent pas. "
        "Reprendre avec --resume, ou mesurer de nouveau.",
        "en": "Prompts are missing in {runs} of {of} runs: their blocks do not count. Go on with "
        "--resume, or measure again.",
    },
    "waiting": {
        "fr": "Attente : les requêtes prenaient plus du double de leur calcul, {count} fois. "
        "Chercher ce qui attendait, ou un temps noté dans une autre unité.",
        "en": "Waiting: requests took more than twice their computing time, {count} times. Look "
        "for what waited, or for a time in another unit.",
    },
    "beyond-machine": {
        "fr": "Vitesse surprenante : {times} fois ce que cette machine lirait d’un modèle dense "
        "de cette taille. Un mélange d’experts l’explique ; sinon, vérifier le fichier.",
        "en": "Surprising speed: {times} times what this machine could read of a dense model of "
        "that size. A mixture of experts explains it; if it is none, check the file.",
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
