"""Verdicts, warnings and incidents as sentences: one slug, one sentence in each language."""

from collections.abc import Callable, Mapping

from speculoos.publish.cautions import REMEDIES, WARNINGS, pitfall
from speculoos.publish.incidents import INCIDENTS
from speculoos.publish.observed_cautions import OBSERVED
from speculoos.publish.text import Language, number, percent, times, typeset
from speculoos.record.advice import Recommendation
from speculoos.record.types import Incident
from speculoos.record.warn import Warn

Sentence = dict[Language, str]

REASONS: dict[str, Sentence] = {
    "instrument": {
        "fr": "Pas de verdict : ce modèle prouve l’instrument, sa vitesse ne veut rien dire.",
        "en": "No verdict: this model proves the instrument, its speed means nothing.",
    },
    "synthetic": {
        "fr": "Pas de verdict : l’acceptation a été inventée par le serveur (--spec-synth-…). "
        "Mesurer de nouveau sans cette option.",
        "en": "No verdict: the server made the acceptance up (--spec-synth-…). "
        "Measure again without that flag.",
    },
    "gain": {
        "fr": "Activer avec {setting} : {speedup} ({low} à {high}).",
        "en": "Use it with {setting}: {speedup} ({low} to {high}).",
    },
    "gain-smallest-of-equals": {
        "fr": "Activer avec {setting} : {speedup} ({low} à {high}). "
        "C’est le plus petit réglage que l’on ne peut pas distinguer du meilleur "
        "(n_max {equals}).",
        "en": "Use it with {setting}: {speedup} ({low} to {high}). "
        "It is the smallest setting that cannot be told from the best (n_max {equals}).",
    },
    "slower": {
        "fr": "Laisser désactivée : même le meilleur réglage ralentit, {speedup} ({low} à {high}).",
        "en": "Leave it off: even the best setting is slower, {speedup} ({low} to {high}).",
    },
    "no-gain": {
        "fr": "Laisser désactivée : le meilleur réglage n’apporte rien de mesurable, "
        "{speedup} ({low} à {high}).",
        "en": "Leave it off: the best setting brings nothing that can be measured, "
        "{speedup} ({low} to {high}).",
    },
    "interval-holds-one": {
        "fr": "Indécidable : l’intervalle du meilleur réglage contient 1, {speedup} "
        "({low} à {high}). Il faut plus de blocs, ou une machine plus calme.",
        "en": "Undecided: the interval of the best setting holds 1, {speedup} "
        "({low} to {high}). More blocks are needed, or a quieter machine.",
    },
    "few-blocks": {
        "fr": "Indécidable : le meilleur réglage atteint {speedup}, mais l’intervalle repose sur "
        "trop peu de blocs pour dire s’il gagne. Mesurer au moins trois blocs.",
        "en": "Undecided: the best setting reaches {speedup}, but the interval rests on too few "
        "blocks to tell whether it gains. Measure three blocks at least.",
    },
    "one-block": {
        "fr": "Indécidable : un seul bloc complet ne donne pas d’intervalle ; "
        "le meilleur réglage y atteint {speedup}. Mesurer au moins trois blocs.",
        "en": "Undecided: one complete block gives no interval; "
        "the best setting reaches {speedup} in it. Measure three blocks at least.",
    },
    "no-baseline": {
        "fr": "Indécidable : il manque la référence, mesurée dans la même session. "
        "Mesurer de nouveau : speculoos la démarre dans chaque bloc.",
        "en": "Undecided: there is no baseline measured in the same session. "
        "Measure again: speculoos starts one in every block.",
    },
    "nothing-to-compare": {
        "fr": "Indécidable : aucun réglage n’est allé au bout d’un bloc. "
        "Les incidents et les remarques disent pourquoi.",
        "en": "Undecided: no setting completed a block. The incidents and warnings say why.",
    },
    "loaded": {
        "fr": "Indécidable : d’autres programmes ont pris jusqu’à {share} des processeurs (blocs "
        "{loaded} sur {of}) ; les {speedup} du meilleur réglage ne prouvent rien. Fermer ces "
        "programmes et mesurer de nouveau.",
        "en": "Undecided: other programs used up to {share} of the processors (blocks {loaded} of "
        "{of}); the {speedup} of the best setting prove nothing. Close these programs and "
        "measure again.",
    },
    "restless": {
        "fr": "Indécidable : la référence varie de {spread} d’un bloc à l’autre ; les {speedup} du "
        "meilleur réglage ne prouvent rien. Chercher ce qui occupe la machine ou change sa "
        "fréquence, puis mesurer de nouveau.",
        "en": "Undecided: the baseline varies by {spread} between blocks; the {speedup} of the "
        "best setting prove nothing. Find what uses the machine or changes its clock, and "
        "measure again.",
    },
}

_AFTER: Sentence = {
    "fr": "{what} ({ending}) ; échantillons obtenus avant : {after}.",
    "en": "{what} ({ending}); samples before it: {after}.",
}


def verdict(recommendation: Recommendation, language: Language) -> str:
    """What the measurement advises, with its interval."""
    figures = {"setting": _setting(recommendation, language)}
    figures["equals"] = ", ".join(map(str, recommendation.equals))
    figures |= _shown(recommendation.figures, language)
    return typeset(REASONS[recommendation.why][language], language).format(**figures)


def warning(warn: Warn, language: Language) -> str:
    """What a reader must know before using the figures, and what to do about it."""
    parts = [table[warn.kind] for table in (WARNINGS | OBSERVED, REMEDIES) if warn.kind in table]
    both = " ".join(part[language] for part in parts)
    return typeset(both, language).format(**_shown(warn.figures, language))


def pitfall_of(warn: Warn) -> str | None:
    """The anchor on the page of pitfalls that explains a warning, where one does."""
    kind = (warn.figures or {}).get("kind")
    return pitfall(warn.kind, str(kind) if kind else None)


def incident(seen: Incident, language: Language) -> str:
    """How a run ended, as far as it is known: kind, exit code or signal."""
    what = INCIDENTS[seen.kind][language] if seen.kind in INCIDENTS else seen.kind
    ending = [seen.kind]
    if seen.exit_code is not None:
        ending.append(f"exit {seen.exit_code}")
    if seen.signal:
        ending.append(seen.signal)
    told = typeset(_AFTER[language], language)
    return told.format(what=what, after=seen.after_samples, ending=", ".join(ending))


def _setting(recommendation: Recommendation, language: Language) -> str:
    if recommendation.n_max is not None:
        return f"n_max {recommendation.n_max}"
    return "ce réglage" if language == "fr" else "this setting"


_FORMATS: dict[str, Callable[[float, Language], str]] = {
    "speedup": times,
    "low": number,
    "high": number,
    "share": percent,
    "first": lambda value, language: number(value, language, 1),
    "last": lambda value, language: number(value, language, 1),
    "low_mhz": lambda value, language: number(value, language, 0),
    "high_mhz": lambda value, language: number(value, language, 0),
    "together": lambda value, language: number(value, language, 1),
    "busy_slots": lambda value, language: number(value, language, 1),
    "error": lambda value, language: number(value, language, 1),
    "spread": lambda value, language: percent(value, language, 1),
}


def _shown(
    figures: Mapping[str, float | str] | Mapping[str, float] | None, language: Language
) -> dict[str, str]:
    return {name: _one(name, value, language) for name, value in (figures or {}).items()}


def _one(name: str, value: float | str, language: Language) -> str:
    if isinstance(value, str):
        return value
    if name in _FORMATS:
        return _FORMATS[name](value, language)
    return number(value, language, 0 if float(value).is_integer() else 2)
