from collections.abc import Iterator

from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document, Key
from speculoos.record.types import NO_SPECULATION, Measurement, Observation, Settings, Window
from speculoos.record.types.settings import UNKNOWN


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    observed = document.record.observed
    if observed is not None:
        for key, text in _wrong(observed):
            yield document.problem(("observed", *key), text)
    for at, claim in enumerate(document.record.claims):
        if claim.settings.spec_type == UNKNOWN:
            yield document.problem(("claims", at, "settings", "spec_type"), _TYPE)


_TYPE = "unknown; write the type that the server was started with: draft-mtp, ngram-mod, none …"


def _wrong(observed: Observation) -> Iterator[tuple[Key, str]]:
    if observed.settings is None:
        text = "missing; write what the server was started with: {spec_type: draft-mtp, n_max: 3}"
        yield ("settings",), text
    elif observed.settings.spec_type == UNKNOWN:
        yield ("settings", "spec_type"), _TYPE
    if not observed.windows:
        yield ("windows",), "none; no request ended while the server was watched, watch longer"
    for at, window in enumerate(observed.windows):
        yield from ((("windows", at, name), text) for name, text in _counts(window, observed))
    for at, silence in enumerate(observed.silences):
        if silence.to_s is not None and silence.to_s < silence.from_s:
            yield ("silences", at, "to_s"), f"{silence.to_s:g} is before from_s {silence.from_s:g}"


def _counts(window: Window, observed: Observation) -> Iterator[tuple[str, str]]:
    if window.from_s is not None and window.to_s is not None and window.to_s < window.from_s:
        yield "to_s", f"{window.to_s:g} is before from_s {window.from_s:g}"
    if observed.rounding is not None:
        return  # rounded counters need not add up
    drafted, accepted = window.draft_n, window.draft_n_accepted
    if drafted is not None and accepted is not None and accepted > drafted:
        text = f"{accepted} accepted but draft_n is {drafted}; a token is drafted before"
        yield "draft_n_accepted", text
    positions = window.accepted_per_position
    if positions is not None and accepted is not None and sum(positions) != accepted:
        text = f"adds up to {sum(positions)}, but draft_n_accepted is {accepted}"
        yield "accepted_per_position", text
    if observed.settings is not None:
        yield from _beyond(window, observed.settings)


def _beyond(window: Window, settings: Settings) -> Iterator[tuple[str, str]]:
    """What the settings that a person wrote do not allow."""
    if settings.spec_type == NO_SPECULATION and window.draft_n:
        yield "draft_n", f"{window.draft_n}, but observed.settings says that nothing is drafted"
    if settings.n_max and window.draft_n and window.verify_steps:
        most = settings.n_max * window.verify_steps
        if window.draft_n > most:
            text = f"{window.draft_n} in {window.verify_steps} steps, at most {most} with n_max"
            yield "draft_n", f"{text} {settings.n_max}; correct observed.settings.n_max"


RULE = Rule(
    "observed", "What was observed is possible, and says what the server was started with.", _check
)
