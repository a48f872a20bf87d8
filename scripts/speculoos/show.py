"""A summary as data: what `speculoos show --json` prints."""

from dataclasses import asdict
from typing import Any

from speculoos.publish import sentences
from speculoos.publish.dataset import values
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
    same = point.same_text
    return {
        **values(point),
        "explored_only": point.explored,
        "texts_equal": same[0] if same else None,
        "texts_compared": same[1] if same else None,
    }
