"""The kinds of speculation, and the flag that sets the depth of each.

`--spec-draft-n-max` has no effect on the n-gram types: they have flags of their own, and
ngram-cache has a fixed depth. Read off `--help` and the source of b10068, b10434 and b11434.
"""

from dataclasses import dataclass

from speculoos.record.types import NO_SPECULATION, Settings

_NGRAM_MOD_N_MIN = 48
"""What `--spec-ngram-mod-n-min` is by default: a smaller n_max would never draft."""


@dataclass(frozen=True)
class SpecType:
    """One value of `--spec-type`: its depth flag, and whether it needs a second model."""

    name: str
    depth_flag: str | None
    default_depths: tuple[int, ...]
    needs_draft: bool = False


_DRAFT = "--spec-draft-n-max"
SPEC_TYPES = {
    kind.name: kind
    for kind in (
        SpecType("draft-mtp", _DRAFT, (1, 2, 3, 4, 5, 6)),
        SpecType("draft-simple", _DRAFT, (1, 2, 3, 4, 6, 8), needs_draft=True),
        SpecType("draft-eagle3", _DRAFT, (1, 2, 3, 4, 6, 8), needs_draft=True),
        SpecType("draft-dflash", _DRAFT, (1, 2, 3, 4, 6, 8), needs_draft=True),
        SpecType("draft-dspark", _DRAFT, (1, 2, 3, 4, 6, 8)),
        SpecType("ngram-simple", "--spec-ngram-simple-size-m", (12, 24, 48)),
        SpecType("ngram-map-k", "--spec-ngram-map-k-size-m", (12, 24, 48)),
        SpecType("ngram-map-k4v", "--spec-ngram-map-k4v-size-m", (12, 24, 48)),
        SpecType("ngram-mod", "--spec-ngram-mod-n-max", (48, 64)),
        SpecType("ngram-cache", None, ()),
    )
}


def settings_for(spec_type: str, depths: tuple[int, ...]) -> tuple[Settings, ...]:
    """The baseline and one setting per depth."""
    baseline = Settings(spec_type=NO_SPECULATION)
    kind = SPEC_TYPES[spec_type]
    if kind.depth_flag is None:
        return (baseline, Settings(spec_type=spec_type))
    return (baseline, *(_setting(spec_type, depth) for depth in depths))


def _setting(spec_type: str, depth: int) -> Settings:
    n_min = min(_NGRAM_MOD_N_MIN, depth) if spec_type == "ngram-mod" else None
    return Settings(spec_type=spec_type, n_max=depth, n_min=n_min)


def arguments(settings: Settings) -> tuple[str, ...]:
    """What a setting adds to the server's command line; nothing for the baseline.

    The baseline starts with no `--spec-*` flag at all: n_max 0 aborts on the first request.
    """
    if settings.spec_type == NO_SPECULATION:
        return ()
    found = ["--spec-type", settings.spec_type]
    flag = SPEC_TYPES[settings.spec_type].depth_flag
    if flag is not None and settings.n_max is not None:
        found += [flag, str(settings.n_max)]
    if settings.n_min is not None:
        found += ["--spec-ngram-mod-n-min", str(settings.n_min)]
    return tuple(found)
