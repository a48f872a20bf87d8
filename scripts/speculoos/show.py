"""A summary as data: what `speculoos show --json` prints."""

from dataclasses import asdict
from typing import Any

from speculoos.publish import sentences
from speculoos.record.costs import costs, energy_absent
from speculoos.record.point import Point
from speculoos.record.summary import Summary


def as_json(summary: Summary) -> dict[str, Any]:
    """`baseline`, `points[]`, `recommendation` and `warnings[]`; unknown is null."""
    advice, design = summary.recommendation, summary.measurement.design
    request = summary.measurement.request
    return {
        "reasoning": request.reasoning if request else None,
        "depth": (request.depth or 0) if request else None,
        "parallel": summary.parallel,
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
            {
                "kind": warn.kind,
                "text": sentences.warning(warn, "en"),
                "pitfall": sentences.pitfall_of(warn),
            }
            for warn in summary.warnings
        ],
        "costs": [asdict(cost) for cost in costs(summary.measurement)],
        "energy_absent": energy_absent(summary.measurement),
    }


def _point(point: Point) -> dict[str, Any]:
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
        "explored_only": point.explored,
        "acceptance_rate": point.acceptance_rate,
        "mean_acceptance_length": point.mean_acceptance_length,
        "step_cost": point.step_cost,
        "samples": point.texts,
        "texts_equal": point.same_text[0] if point.same_text else None,
        "texts_compared": point.same_text[1] if point.same_text else None,
        "incident": point.incident.model_dump(exclude_none=True) if point.incident else None,
    }
