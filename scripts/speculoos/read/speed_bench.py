"""speed-bench (llama.cpp PR 23869, tools/server/bench/speed-bench): the JSON of `--output`.

A result is one conversation: its counts and times are sums over its turns. The tool writes 0
where an answer had no `draft_n`; with timings present that means that nothing was drafted.
"""

from collections.abc import Iterator
from typing import Any

from speculoos.read.rates import rate_divisor
from speculoos.read.request import Event, Hint, Request, Speculation

RESULT = {"completion_tokens", "draft_n", "predicted_ms"}


def is_run(document: Any) -> bool:
    """Whether a JSON document is a saved run."""
    if not isinstance(document, dict) or not isinstance(document.get("results"), list):
        return False
    return all(isinstance(r, dict) and r.keys() >= RESULT for r in document["results"])


def read(document: dict[str, Any]) -> Iterator[Event]:
    """One request for each conversation that succeeded, a hint for each that failed."""
    for result in document["results"]:
        if result.get("ok", True):
            yield _request(result)
        else:
            figures = (("label", _label(result)), ("what", str(result.get("error"))[:200]))
            yield Hint("request-failed", 0, figures)
    yield from _means(document)


def _label(result: dict[str, Any]) -> str:
    return f"{result.get('category', '?')}/{result.get('id', '?')}"


def _request(result: dict[str, Any]) -> Request:
    n, ms, rate = result["completion_tokens"], result["predicted_ms"], _rate(result)
    printed = ((rate, 1.0),) if rate is not None else ()
    speculation: Speculation = "none" if ms is not None else "unknown"
    drafted = result["draft_n"] or None
    return Request(
        source="speed_bench",
        label=_label(result),
        prompt_n=result.get("prompt_tokens"),
        prompt_ms=result.get("prompt_ms"),
        predicted_n=n,
        predicted_ms=ms,
        printed_tokens_per_second=rate,
        rate_divisor=rate_divisor(n, ms, *printed, exact=True),
        draft_n=drafted,
        draft_n_accepted=result.get("draft_n_accepted") if drafted else None,
        speculation="drafted" if drafted else speculation,
    )


def _rate(result: dict[str, Any]) -> float | None:
    rate = result.get("predicted_per_second")
    return float(rate) if isinstance(rate, int | float) else None


def _means(document: dict[str, Any]) -> Iterator[Hint]:
    """The overall row averages rates; say so where the totals give another figure."""
    good = [r for r in document["results"] if r.get("ok", True) and r["predicted_ms"]]
    printed = next(
        (row.get("avg_pred_t_s") for row in document.get("summary", ())
         if row.get("category") == "overall"), None,
    )  # fmt: skip
    if not good or not isinstance(printed, int | float):
        return
    milliseconds = sum(r["predicted_ms"] for r in good)
    computed = 1000 * sum(r["completion_tokens"] for r in good) / milliseconds
    yield Hint("mean-of-rates", 0, (("printed", float(printed)), ("computed", computed)))
