"""The summary that llama.cpp's examples `speculative` and `speculative-simple` end with.

Another program than the server, one text a run: its request has the source `timings` and the
label `speculative-simple`. `n_draft` is what n_max is called there.
"""

import re
from collections.abc import Iterable, Iterator

from speculoos.read.request import RateDivisor, Request

SPEED = re.compile(
    r"\b(?P<what>encoded|decoded) +(?P<n>\d{1,9}) tokens in +(?P<s>\d{1,9}\.\d{3}) seconds, "
    r"speed: +(?P<rate>\d{1,9}\.\d{3}) t/s"
)
COUNT = re.compile(r"\b(n_draft|n_predict|n_drafted|n_accept) += (\d{1,9})(?=\s*$)")
ROUNDING = 0.000501

Facts = dict[str, str]


def read(lines: Iterable[tuple[int, str]]) -> Iterator[Request]:
    """One request for each summary."""
    facts: Facts = {}
    for _, line in lines:
        if match := SPEED.search(line):
            if match["what"] == "encoded" or "decoded.n" in facts:
                yield from _request(facts)
                facts = {}
            facts |= {f"{match['what']}.{k}": v for k, v in match.groupdict().items()}
        elif match := COUNT.search(line):
            facts[match[1]] = match[2]
    yield from _request(facts)


def _request(facts: Facts) -> Iterator[Request]:
    if "decoded.n" not in facts:
        return
    n, seconds, rate = int(facts["decoded.n"]), float(facts["decoded.s"]), facts["decoded.rate"]
    drafted, accepted = facts.get("n_drafted"), facts.get("n_accept")
    complete = drafted is not None and accepted is not None
    some = complete and drafted != "0"
    yield Request(
        source="timings",
        label="speculative-simple",
        prompt_n=int(facts["encoded.n"]) if "encoded.n" in facts else None,
        prompt_ms=_ms(facts.get("encoded.s")),
        predicted_n=n,
        predicted_ms=_ms(facts["decoded.s"]),
        printed_tokens_per_second=float(rate),
        rate_divisor=_divisor(n, seconds, float(rate)),
        draft_n=int(drafted) if some and drafted else None,
        draft_n_accepted=int(accepted) if some and accepted else None,
        speculation="drafted" if some else "none" if complete else "unknown",
        n_max=int(facts["n_draft"]) if "n_draft" in facts else None,
    )


def _ms(seconds: str | None) -> float | None:
    return round(1000 * float(seconds), 3) if seconds is not None else None


def _divisor(n: int, seconds: float, rate: float) -> RateDivisor | None:
    fits = [
        count > 0 and abs(count / seconds - rate) <= ROUNDING + rate * ROUNDING / seconds
        for count in (n, n - 1)
        if seconds
    ]
    if len(fits) != 2 or fits[0] == fits[1]:  # noqa: PLR2004
        return None
    return "n" if fits[0] else "n-1"
