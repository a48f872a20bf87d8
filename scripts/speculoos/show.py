"""A summary as data: what `speculoos show --json` prints."""

from typing import Any

from speculoos.publish import sentences
from speculoos.record.summary import Point, Summary


def as_json(summary: Summary) -> dict[str, Any]:
    """`baseline`, `points[]`, `recommendation` and `warnings[]`; unknown is null."""
    advice = summary.recommendation
    return {
        "baseline": _point(summary.baseline) if summary.baseline else None,
        "points": [_point(point) for point in summary.points],
        "recommendation": {
            "verdict": advice.verdict,
            "n_max": advice.n_max,
            "why": sentences.verdict(advice, "en"),
        },
        "warnings": [
            {"kind": warn.kind, "text": sentences.warning(warn, "en")} for warn in summary.warnings
        ],
    }


def _point(point: Point) -> dict[str, Any]:
    ratio = point.speedup
    return {
        "n_max": point.n_max,
        "tokens_per_second": point.tokens_per_second,
        "speedup": ratio.value if ratio else None,
        "speedup_low": ratio.low if ratio else None,
        "speedup_high": ratio.high if ratio else None,
        "acceptance_rate": point.acceptance_rate,
        "mean_acceptance_length": point.mean_acceptance_length,
        "step_cost": point.step_cost,
        "samples": len(point.samples),
        "incident": point.incident.model_dump(exclude_none=True) if point.incident else None,
    }
