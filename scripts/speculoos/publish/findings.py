"""What a figure shows, as its title: one sentence, computed from the very dots that are drawn."""

from collections.abc import Callable, Sequence
from math import ceil
from statistics import median

from speculoos.publish.beside import SHARE
from speculoos.publish.field import Sweep
from speculoos.publish.series import Dot, Line
from speculoos.publish.text import Language, number, percent, times
from speculoos.publish.words import label

Finding = Callable[[Sequence[Line], Language], str]
_MOST, _NEAR = 0.9, 0.05


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


def beside_finding(lines: Sequence[Line], language: Language) -> str:
    """The acceptance of the bench, and that of the server in use."""
    shares = [dot.value for line in lines for dot in line.dots if dot.x == SHARE]
    if len(shares) < len(lines):
        return label("beside_title", language)
    bench, life = (percent(share, language) for share in shares)
    return label("finding_beside", language).format(bench=bench, life=life)


def field_speedup_finding(sweeps: Sequence[Sweep], language: Language) -> str:
    """The sweep in the middle, of dense models and of mixtures of experts."""
    kinds = [[s.speedup for s in sweeps if s.experts is kind] for kind in (False, True)]
    if not all(kinds):
        return label("field_speedup_title", language)
    dense, experts = (times(median(kind), language) for kind in kinds)
    return label("finding_field_speedup", language).format(dense=dense, experts=experts)


def field_n_max_finding(sweeps: Sequence[Sweep], language: Language) -> str:
    """The narrowest range that holds nine tenths of the best n_max, and how many it holds."""
    bests = sorted(s.best_n_max for s in sweeps)
    if not bests:
        return label("field_n_max_title", language)
    last = ceil(_MOST * len(bests)) - 1
    low, high = min(zip(bests, bests[last:], strict=False), key=lambda ends: ends[1] - ends[0])
    count = sum(low <= best <= high for best in bests)
    said = label("finding_field_n_max", language)
    return said.format(low=low, high=high, count=count, all=len(bests))


def memory_finding(dots: Sequence[tuple[float, float]], language: Language) -> str:
    """How many of the logged sizes were expected so closely as the formula claims."""
    near = sum(abs(expected / logged - 1) <= _NEAR for logged, expected in dots)
    said = label("finding_memory", language)
    return said.format(near=near, all=len(dots), share=percent(_NEAR, language))


def _said(name: str, language: Language, what: str = "", **ratios: float) -> str:
    shown = {key: number(value, language) for key, value in ratios.items()}
    return label(name, language).format(what=what, **shown)
