"""A summary as data: what `speculoos show --json` prints."""

from typing import Any

from speculoos.publish import sentences
from speculoos.record.summary import Point, Summary


def as_json(summary: Summary) -> dict[str, Any]:
    """`baseline`, `points[]`, `recommendation` and `warnings[]`; unknown is null."""
    advice, design = summary.recommendation, summary.measurement.design
    return {
        "baseline": _point(summary.baseline) if summary.baseline else None,
        "blocks": summary.blocks,
        "stopped": design.stopped if design else None,
        "points": [_point(point) for point in summary.points],
        "recommendation": {
            "verdict": advice.verdict,
            "n_max": advice.n_max,
            "why": sentences.verdict(advice, "en"),
            "equals": list(advice.equals),
        },
        "warnings": [
            {"kind": warn.kind, "text": sentences.warning(warn, "en")} for warn in summary.warnings
        ],
    }


def _point(point: Point) -> dict[str, Any]:
    ratio, wide = point.speedup, point.speedup_of_such_prompts
    return {
        "n_max": point.n_max,
        "tokens_per_second": point.tokens_per_second,
        "speedup": ratio.value if ratio else None,
        "speedup_low": ratio.low if ratio else None,
        "speedup_high": ratio.high if ratio else None,
        "speedup_low_such_prompts": wide.low if wide else None,
        "speedup_high_such_prompts": wide.high if wide else None,
        "explored_only": point.explored,
        "acceptance_rate": point.acceptance_rate,
        "mean_acceptance_length": point.mean_acceptance_length,
        "step_cost": point.step_cost,
        "samples": len(point.samples),
        "incident": point.incident.model_dump(exclude_none=True) if point.incident else None,
    }
