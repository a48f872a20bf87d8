"""What is known of one server of a log while its lines pass by."""

from dataclasses import dataclass, field

from speculoos.read.blocks import Block

MOST_TRIES = 100
"""Requests by which n_max is proven, or given up."""


@dataclass(slots=True)
class Server:
    """One server of the stream, from one start to the next."""

    open: dict[int | None, Block] = field(default_factory=dict)
    current: Block | None = None
    """The block that a bare line belongs to."""
    span: str = ""
    """The bare lines since the last header, as letters: p, e, t, d."""
    mixed: bool = False
    """Bare blocks of several requests interleave: nothing bare can be attributed."""
    loose: bool = False
    """A block was left before its total: a bare draft line needs a total above it."""
    build: str | None = None
    command_n_max: int | None = None
    shown_n_max: set[int] = field(default_factory=set)
    proven_n_max: int | None = None
    """By the steps of a request; said only of requests that drafted."""
    tries: int = 0
    """Requests that were to prove it."""
    may_draft: bool = False
    """Some line shows that drafting was set up."""
    types: set[str] = field(default_factory=set)
    unused: tuple[int, str] | None = None
    """The line that loads something to draft with, and what it is."""
    drafted: int = 0
    undrafted: int = 0

    def n_max(self, *, drafted: bool) -> int | None:
        """The n_max of this start: shown by the server, asked by its command, or proven."""
        if self.shown_n_max:
            return next(iter(self.shown_n_max)) if len(self.shown_n_max) == 1 else None
        if self.command_n_max is not None:
            return self.command_n_max
        return self.proven_n_max if drafted and self.even else None

    @property
    def proving(self) -> bool:
        """Whether a request may still prove n_max."""
        return self.proven_n_max is None and self.tries < MOST_TRIES

    @property
    def even(self) -> bool:
        """Whether drafts are as long as n_max lets them: not so for n-grams or several types."""
        return len(self.types) < 2 and not any(t.startswith("ngram") for t in self.types)  # noqa: PLR2004

    @property
    def picked_out(self) -> bool:
        """Whether bare draft lines stand here alone, as grep leaves them."""
        return not self.open or (
            self.open.keys() == {None} and self.current is not None and self.current.only_drafts
        )

    def mix(self) -> None:
        """Bare lines of several requests came: none of the open ones is sure of its figures."""
        self.mixed = True
        for block in self.open.values():
            block.doubtful = True

    def leave(self, block: Block) -> None:
        """A header takes over from a block of bare lines; one that was not done is in doubt."""
        if block.generation is None and block.draft is None:
            self.mix()
        elif not block.total and block.draft is None:
            self.loose = True
