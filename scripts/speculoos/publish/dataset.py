"""Every result as one JSON file of the site."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from speculoos.publish.results import Result
from speculoos.record.costs import Cost, costs
from speculoos.record.point import Point
from speculoos.record.summary import Summary
from speculoos.record.types import Measurement
from speculoos.record.usage import Usage

FILES = (
    "results.json", "results.csv", "observed.csv", "reported.csv", "feed.xml", "schema.json",
    "field-n-max.csv",
)  # fmt: skip
"""What a page may link to under `data/` of the site; the feed has a file for each language."""

_DIGITS = 6
"""Digits after the point: rates are known to four at best."""


def dataset(results: Iterable[Result]) -> str:
    """All results as JSON, sorted by id; the same results give the same bytes."""
    entries = [entry(result) for result in results]
    return json.dumps({"format": 1, "results": entries}, ensure_ascii=False, indent=1) + "\n"


def entry(result: Result) -> dict[str, Any]:
    """One result: where it comes from, what it says."""
    measurement = result.measurement
    head = {
        "id": result.id,
        "file": result.path,
        "kind": result.kind,
        "date": measurement.date.isoformat(),
        "title": {"fr": result.title("fr"), "en": result.title("en")},
        "machine": measurement.machine.id if measurement.machine else None,
        "build": measurement.build.version if measurement.build else None,
        "model": measurement.model.file if measurement.model else None,
        "withdrawn": measurement.withdrawn is not None,
    }
    if measurement.kind == "reported":
        return {**head, **_reported(measurement)}
    if result.usage is not None:
        return {**head, "observed": _in_use(result.usage)}
    others = [_cost(cost) for cost in costs(measurement)]
    return {**head, **reading(result.summary), "costs": others}


def reading(summary: Summary) -> dict[str, Any]:
    """Baseline, points, recommendation and warnings of a summary."""
    advice = summary.recommendation
    return {
        "baseline": _point(summary.baseline) if summary.baseline else None,
        "points": [_point(point) for point in summary.points],
        "blocks": summary.blocks,
        "parallel": summary.parallel,
        "recommendation": {"verdict": advice.verdict, "n_max": advice.n_max, "why": advice.why},
        "warnings": [{"kind": w.kind, "figures": dict(w.figures or {})} for w in summary.warnings],
    }


def _point(point: Point) -> dict[str, Any]:
    rounded = {name: _rounded(value) for name, value in values(point).items()}
    return {"setting": point.settings.label, **rounded}


def values(point: Point) -> dict[str, Any]:
    """All that is known of a setting, as it was computed; unknown is None."""
    ratio, wide = point.speedup, point.speedup_of_such_prompts
    return {
        "n_max": point.n_max,
        "tokens_per_second": point.tokens_per_second,
        "speedup": ratio.value if ratio else None,
        "speedup_low": ratio.low if ratio else None,
        "speedup_high": ratio.high if ratio else None,
        "degrees_of_freedom": ratio.freedom if ratio and ratio.low is not None else None,
        "speedup_low_such_prompts": wide.low if wide else None,
        "speedup_high_such_prompts": wide.high if wide else None,
        "acceptance_rate": point.acceptance_rate,
        "acceptance_by_position": point.acceptance_by_position,
        "mean_acceptance_length": point.mean_acceptance_length,
        "step_cost": point.step_cost,
        "samples": point.texts,
        "incident": point.incident.model_dump(exclude_none=True) if point.incident else None,
    }


def _cost(cost: Cost) -> dict[str, Any]:
    """What else changes with one setting: prompt, memory, energy."""
    rounded = {name: _rounded(value) for name, value in asdict(cost).items()}
    scopes = rounded.pop("scopes")
    return {**rounded, "energy_scopes": scopes}


def _in_use(found: Usage) -> dict[str, Any]:
    """What was observed; ranges are over its intervals, and no speed-up is known."""
    settings = found.observation.settings
    return {
        "setting": settings.label if settings else None,
        "watched_s": found.observation.watched_s,
        "predicted_n": found.predicted_n,
        "tokens_per_second": _rounded(found.tokens_per_second),
        "tokens_per_second_range": _rounded(found.rates),
        "acceptance_rate": _rounded(found.acceptance_rate),
        "acceptance_rate_range": _rounded(found.acceptance_rates),
        "acceptance_by_position": _rounded(found.acceptance_by_position),
        "mean_acceptance_length": _rounded(found.mean_acceptance_length),
        "restarts": found.restarts,
    }


def _rounded(value: Any) -> Any:
    """A number, or each of several; what is no decimal number stays."""
    if isinstance(value, tuple):
        return [_rounded(each) for each in value]
    return round(value, _DIGITS) if isinstance(value, float) else value


def _reported(measurement: Measurement) -> dict[str, Any]:
    source = measurement.source
    return {
        "source": source.model_dump(mode="json", exclude_none=True) if source else None,
        "claims": [c.model_dump(mode="json", exclude_none=True) for c in measurement.claims],
    }
