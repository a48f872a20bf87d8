"""speed-bench (llama.cpp PR 23869, tools/server/bench/speed-bench): the JSON of `--output`.

A result is one conversation: its counts and times are sums over its turns. The tool writes 0
where an answer had no `draft_n`; with timings present that means that nothing was drafted.
"""

from collections.abc import Iterator
from typing import Any

from speculoos.read.json_text import count, entries, number
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
    n, ms = count(result, "completion_tokens"), number(result, "predicted_ms")
    rate = number(result, "predicted_per_second")
    printed = ((rate, 1.0),) if rate is not None else ()
    speculation: Speculation = "none" if ms is not None else "unknown"
    drafted = count(result, "draft_n") or None
    return Request(
        source="speed_bench",
        label=_label(result),
        prompt_n=count(result, "prompt_tokens"),
        prompt_ms=number(result, "prompt_ms"),
        predicted_n=n,
        predicted_ms=ms,
        printed_tokens_per_second=rate,
        rate_divisor=rate_divisor(n, ms, *printed, exact=True),
        draft_n=drafted,
        draft_n_accepted=count(result, "draft_n_accepted") if drafted else None,
        speculation="drafted" if drafted else speculation,
    )


def _means(document: dict[str, Any]) -> Iterator[Hint]:
    """The overall row averages rates; say so where the totals give another figure."""
    overall = (r for r in entries(document, "summary") if r.get("category") == "overall")
    printed = number(next(overall, {}), "avg_pred_t_s")
    good = [r for r in document["results"] if r.get("ok", True) and number(r, "predicted_ms")]
    if not good or printed is None:
        return
    milliseconds = sum(number(r, "predicted_ms") or 0.0 for r in good)
    computed = 1000 * sum(count(r, "completion_tokens") or 0 for r in good) / milliseconds
    yield Hint("mean-of-rates", 0, (("printed", printed), ("computed", computed)))
