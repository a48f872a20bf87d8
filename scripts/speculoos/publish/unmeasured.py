"""Tables of what was not measured here: observed in use, or stated by a source."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from speculoos.publish.results import Result
from speculoos.publish.tables import Table, labelled, or_absent, shares
from speculoos.publish.text import (
    ABSENT,
    Language,
    between,
    colon,
    number,
    percent,
    rate,
    times,
    typeset,
    with_unit,
)
from speculoos.publish.words import label
from speculoos.record.types import NO_SPECULATION, Claim
from speculoos.record.usage import Usage


def observed(result: Result, language: Language) -> Table:
    """What was observed, in a table of its own: never beside what was measured."""
    heads = (
        "setting", "observed_rate", "observed_intervals", "acceptance_rate", "observed_intervals",
        "tokens_per_step", "observed_tokens", "observed_window", "restarts",
    )  # fmt: skip
    rows = [_usage_row(result.usage, language)] if result.usage else []
    return labelled("observed_title", heads, rows, language)


def _usage_row(found: Usage, language: Language) -> list[str]:
    settings, seconds = found.observation.settings, found.observation.watched_s
    low, high = found.acceptance_rates or (None, None)
    return [
        settings.label if settings else ABSENT,
        or_absent(found.tokens_per_second, lambda value: number(value, language, 1)),
        ABSENT if found.rates is None else between(*found.rates, language, 1),
        or_absent(found.acceptance_rate, lambda value: percent(value, language, 1)),
        shares(low, high, language),
        or_absent(found.mean_acceptance_length, lambda value: number(value, language)),
        number(found.predicted_n, language, 0),
        or_absent(seconds, lambda value: with_unit(value, "s", language, 0)),
        str(found.restarts),
    ]


def claims(result: Result, language: Language) -> Table:
    """What a source states, without the columns of which it says nothing; never beside measured.

    Conditions that all its figures share stand once under the table.
    """
    heads = (
        "setting", "claim_rate", "claim_speedup", "acceptance_rate", "claim_memory", "conditions",
    )  # fmt: skip
    rows = [_claim_row(claim, language) for claim in result.measurement.claims]
    shared = _shared([row[-1] for row in rows])
    columns = [*zip(*rows, strict=True)][: -1 if shared else None]
    stated = [at for at, cells in enumerate(columns) if set(cells) != {ABSENT}]
    shown = [[row[at] for at in stated] for row in rows]
    note = (
        f"{label('conditions', language).capitalize()}{colon(language)}{shared}" if shared else ""
    )
    table = labelled("claims_title", [heads[at] for at in stated], shown, language)
    return replace(table, note=note)


def _shared(conditions: Sequence[str]) -> str:
    return conditions[0] if len(conditions) > 1 and len(set(conditions)) == 1 else ""


def _memory(claim: Claim, language: Language) -> str:
    return _stated(
        claim, "memory", or_absent(claim.memory_mib, lambda v: _mib(v, language)), language
    )


def _mib(value: float, language: Language) -> str:
    return with_unit(value, "Mio" if language == "fr" else "MiB", language, 0)


def _stated(claim: Claim, name: str, figure: str, language: Language) -> str:
    """The figure of a source, else its words: "almost three times" is no 3.00."""
    words = getattr(claim.words, name) if claim.words else None
    return typeset(str(getattr(words, language)), language) if words else figure


def _claim_row(claim: Claim, language: Language) -> list[str]:
    plain = claim.settings.spec_type == NO_SPECULATION
    return [
        label("baseline", language) if plain else claim.settings.label,
        or_absent(claim.tokens_per_second, lambda value: rate(value, language))
        + _up_to(claim.tokens_per_second_high, lambda value: rate(value, language)),
        _stated(claim, "speedup", _claimed_speedup(claim, language), language),
        _stated(
            claim,
            "acceptance_rate",
            or_absent(claim.acceptance_rate, lambda value: percent(value, language)),
            language,
        ),
        _memory(claim, language),
        typeset(str(getattr(claim.conditions, language)), language),
    ]


def _claimed_speedup(claim: Claim, language: Language) -> str:
    return or_absent(claim.speedup, lambda value: times(value, language)) + _up_to(
        claim.speedup_high, lambda value: times(value, language)
    )


def _up_to(value: float | None, shown: Callable[[float], str]) -> str:
    return "" if value is None else f" {ABSENT} {shown(value)}"
