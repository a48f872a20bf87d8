"""What will be started, in which order, with which arguments: decided before anything runs."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from speculoos.measure.prompts import PLAIN, Workload
from speculoos.measure.spec_types import arguments, settings_for
from speculoos.record.store import Document
from speculoos.record.types import NO_SPECULATION, Prompt, PromptSet, Settings

OURS = {
    "--model": "the option --model of speculoos",
    "-m": "the option --model of speculoos",
    "--host": "nothing: servers are started on the loopback interface",
    "--port": "nothing: a free port is taken",
    "--api-key": "nothing: every server gets a key of its own",
    "--api-key-file": "nothing: every server gets a key of its own",
    "--hf-token": "the environment (HF_TOKEN): arguments stand in the record",
    "-hft": "the environment (HF_TOKEN): arguments stand in the record",
    "--spec-type": "the option --spec-type of speculoos",
    "--spec-draft-n-max": "the option --n-max of speculoos",
    "--parallel": "the option --parallel of speculoos",
    "-np": "the option --parallel of speculoos",
}
"""Server arguments that the tool sets itself, and what to use in their place."""
_SPECULATIVE = re.compile(
    r"--(?:no-)?spec-.*|--.*draft.*"
    r"|-(?:md|hfd|hfrd|ngld|cd|td|tbd|devd|ctkd|ctvd|otd|cmoed|ncmoed|Cd|Crd|Cbd|Crbd)"
)
"""Flags of speculation and their short forms, as `--help` of b10068 to b11434 names them."""
_DEFAULT_ARGS = ("--metrics", "--slots", "--no-webui", "-lv", "4")


@dataclass(frozen=True)
class Plan:
    """One measurement before it is made."""

    binary: Path
    model: Path
    spec_type: str
    depths: tuple[int, ...]
    prompts: Document[PromptSet]
    draft_model: Path | None = None
    blocks: int = 3
    least_blocks: int = 3
    """Blocks that a narrow interval must rest on before one block more ends the measurement."""
    repeats: int = 0
    """Blocks at most that are measured again because others used the machine."""
    narrow: float | None = None
    """Half-width of the best setting's interval that is enough; None measures every block."""
    budget_s: float | None = None
    search: bool = False
    """Explore with one start a depth, then confirm the best two; else all depths in each block."""
    parallel: int = 1
    """Slots that are asked at once; with more than one, a measurement of another kind."""
    max_tokens: int = 128
    workload: Workload = PLAIN
    prompt_ids: tuple[str, ...] = ()
    """The prompts to ask; none named means all of the set."""
    extra: tuple[str, ...] = ()
    temperature: float = 0.0
    seed: int = 1
    warm_up: int = 1
    cooldown_s: float = 0.0
    order_seed: int = 1
    ready_timeout_s: float = 600.0
    request_timeout_s: float = 600.0
    logs: Path = field(default_factory=lambda: Path("speculoos-logs"))
    command: str = "speculoos measure"

    @property
    def settings(self) -> tuple[Settings, ...]:
        """The baseline first, then one setting per depth."""
        return settings_for(self.spec_type, self.depths)

    @property
    def common_args(self) -> tuple[str, ...]:
        """What every start gets: ours, then those of the person that do not speculate."""
        return ("--parallel", str(self.parallel), *_DEFAULT_ARGS, *split(self.extra)[0])

    def run_args(self, settings: Settings) -> tuple[str, ...]:
        """What one setting adds: nothing for the baseline."""
        if settings.spec_type == NO_SPECULATION:
            return ()
        draft = ("--model-draft", str(self.draft_model)) if self.draft_model else ()
        return (*arguments(settings), *draft, *split(self.extra)[1])

    def order(self, block: int) -> tuple[Settings, ...]:
        """A new random order of all settings for every block, from 1 (randomised blocks)."""
        shuffler = random.Random(self.order_seed)  # noqa: S311 - an order, not a secret
        for _ in range(block - 1):
            shuffler.sample(self.settings, len(self.settings))
        return tuple(shuffler.sample(self.settings, len(self.settings)))

    @property
    def first_block(self) -> int:
        """The first block that is compared: a search explores before it."""
        return 2 if self.search else 1

    @property
    def last_block(self) -> int:
        """The last block, if no other limit comes first and none is measured again."""
        return self.first_block + self.blocks - 1

    @property
    def asked(self) -> tuple[Prompt, ...]:
        """The prompts of every start."""
        prompts = self.prompts.record.prompts
        return tuple(p for p in prompts if not self.prompt_ids or p.id in self.prompt_ids)

    @property
    def stop_rule(self) -> str:
        """What ends the measurement, in words."""
        limits = [f"at most {self.blocks} blocks"]
        if self.narrow is not None:
            limits.insert(
                0,
                f"half-width of the best at most {100 * self.narrow:g} % after "
                f"{self.least_blocks} blocks, and one block more",
            )
        if self.repeats:
            limits.append(f"at most {self.repeats} more for those in which others used the machine")
        if self.budget_s is not None:
            limits.append(f"at most {self.budget_s:g} s")
        return f"{self.blocks} blocks" if len(limits) == 1 else ", ".join(limits)


def split(extra: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Arguments for every start, and those that only the speculating starts may get.

    A baseline is a start without any flag of speculation.
    """
    common: list[str] = []
    speculative: list[str] = []
    target = common
    for word in extra:
        if word.startswith("-") and not _is_number(word):
            target = speculative if _SPECULATIVE.fullmatch(word.partition("=")[0]) else common
        target.append(word)
    return tuple(common), tuple(speculative)


def refused(extra: Sequence[str]) -> Iterator[str]:
    """One sentence for every argument that the tool must set itself."""
    for word in extra:
        name = word.split("=", 1)[0]
        if name in OURS:
            yield f"{name} after --: speculoos sets it itself; use {OURS[name]}"


def _is_number(word: str) -> bool:
    return word.lstrip("-").replace(".", "", 1).isdigit()
