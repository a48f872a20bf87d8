"""What a figure shows, as its title: one sentence, computed from the very dots that are drawn."""

from collections.abc import Callable, Sequence

from speculoos.publish.series import Dot, Line
from speculoos.publish.text import Language, number, percent
from speculoos.publish.words import label

Finding = Callable[[Sequence[Line], Language], str]


def speedup_finding(lines: Sequence[Line], language: Language) -> str:
    """The best setting against the baseline; of several measurements, how far they lie apart."""
    bests = [max(line.dots, key=_worth) for line in lines if line.dots]
    if not bests:
        return label("finding_all_broken", language)
    if len(lines) > 1:
        return _apart(bests, language)
    (best,) = bests
    return _said(f"finding_{_judged(best)}", language, what=best.name, by=best.value)


def _worth(dot: Dot) -> tuple[bool, float]:
    """What has an interval comes before what was only explored."""
    return dot.low is not None, dot.value


def _judged(dot: Dot) -> str:
    """Where its interval lies: above the baseline's 1, below, around it; or nowhere."""
    if dot.low is None or dot.high is None:
        return "no_interval"
    if dot.low > 1:
        return "faster"
    return "slower" if dot.high < 1 else "undecided"


def _apart(bests: Sequence[Dot], language: Language) -> str:
    low, high = (choose(dot.value for dot in bests) for choose in (min, max))
    if all(_judged(dot) == "slower" for dot in bests):
        return _said("finding_none_faster", language, by=high)
    if number(low, language) == number(high, language):
        return _said("finding_alike", language, by=high)
    return _said("finding_apart", language, low=low, by=high)


def acceptance_finding(lines: Sequence[Line], language: Language) -> str:
    """How often the first draft token is kept, and how often all of them are."""
    dots = lines[0].dots if len(lines) == 1 else ()
    if not dots:
        return label("acceptance_title", language)
    first, last = (percent(dot.value, language) for dot in (dots[0], dots[-1]))
    if len(dots) == 1:
        return label("finding_first", language).format(first=first)
    said = label("finding_first_and_all", language)
    return said.format(first=first, last=last, count=len(dots))


def step_cost_finding(lines: Sequence[Line], language: Language) -> str:
    """What checking costs at the greatest depth that all of the lines have."""
    depths = [{dot.x: dot.value for dot in line.dots if dot.x} for line in lines]
    shared = set.intersection(*map(set, depths)) if depths else set()
    if not shared:
        return label("step_cost_title", language)
    deepest = max(shared)
    costs = sorted(values[deepest] for values in depths)
    low, high = (number(cost, language, 1) for cost in (costs[0], costs[-1]))
    name = "finding_cost" if low == high else "finding_costs"
    return label(name, language).format(depth=deepest, low=low, high=high)


def titled(name: str) -> Finding:
    """A figure whose title is a label."""
    return lambda _lines, language: label(name, language)


def _said(name: str, language: Language, what: str = "", **ratios: float) -> str:
    shown = {key: number(value, language) for key, value in ratios.items()}
    return label(name, language).format(what=what, **shown)
