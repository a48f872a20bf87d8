"""The record while it grows: every change is saved at once, and the file is whole at any moment."""

from pathlib import Path

from speculoos.record.store import save
from speculoos.record.types import (
    NO_SPECULATION,
    Incident,
    Measurement,
    Memory,
    Proof,
    Run,
    Sample,
    Settings,
)

Tokens = tuple[int, ...]


def first_difference(tokens: Tokens, reference: Tokens) -> int | None:
    """Index of the first token that differs; None where both texts are the same."""
    for index, (own, other) in enumerate(zip(tokens, reference, strict=False)):
        if own != other:
            return index
    return None if len(tokens) == len(reference) else min(len(tokens), len(reference))


class Draft:
    """A measurement in the making."""

    def __init__(self, head: Measurement, out: Path) -> None:
        self.head, self.out = head, out
        self.runs: list[Run] = []
        self.order: list[list[str]] = []
        self.tokens: list[list[Tokens]] = []
        self.reference: dict[str, Tokens] = {}
        self.last_sentence = ""

    def start_block(self) -> None:
        """A new block: an order of its own."""
        self.order.append([])

    def start_run(self, settings: Settings, args: tuple[str, ...]) -> None:
        """A new start of the server."""
        self.order[-1].append(settings.label)
        self.runs.append(Run(settings=settings, args=args))
        self.tokens.append([])

    def add(self, sample: Sample, tokens: Tokens) -> None:
        """One more sample of the current run; `describe_run` saves it."""
        run = self.runs[-1]
        if run.settings.spec_type == NO_SPECULATION:
            self.reference.setdefault(sample.prompt, tokens)
        self.tokens[-1].append(tokens)
        self.runs[-1] = run.model_copy(update={"samples": (*run.samples, sample)})

    def describe_run(self, ready_ms: float, memory: Memory, proof: Proof) -> None:
        """What is known of the current run so far."""
        run = self.runs[-1]
        drafted = sum(sample.draft_n or 0 for sample in run.samples)
        update = {
            "ready_ms": round(ready_ms, 1),
            "memory": memory,
            "proof": proof.model_copy(update={"draft_n": drafted}),
        }
        self.runs[-1] = run.model_copy(update=update)
        self.save()

    def fail(self, incident: Incident, sentence: str) -> None:
        """The current run ends in an incident."""
        self.runs[-1] = self.runs[-1].model_copy(update={"incident": incident})
        self.last_sentence = sentence
        self.save()

    def learn(self, *, stream: bool, backend: str | None) -> None:
        """What is known once the first server has answered: how it is read, and where it runs."""
        request, build = self.head.request, self.head.build
        assert request is not None
        assert build is not None
        known = {
            "request": request.model_copy(update={"stream": stream}),
            "build": build.model_copy(update={"backend": backend or build.backend}),
        }
        self.head = self.head.model_copy(update=known)

    @property
    def last_incident(self) -> Incident | None:
        """The incident of the current run."""
        return self.runs[-1].incident

    @property
    def last_sample(self) -> Sample:
        """The sample that was added last, compared with the baseline where that is known."""
        return self._compared(len(self.runs) - 1).samples[-1]

    @property
    def samples_of_run(self) -> int:
        """How many samples the current run has."""
        return len(self.runs[-1].samples)

    def record(self) -> Measurement:
        """The measurement so far."""
        runs = tuple(self._compared(index) for index in range(len(self.runs)))
        design = self.head.design
        assert design is not None
        order = tuple(tuple(block) for block in self.order)
        changed = design.model_copy(update={"order": order})
        return self.head.model_copy(update={"runs": runs, "design": changed})

    def save(self) -> None:
        """Write the record so far."""
        save(self.record(), self.out)

    def _compared(self, index: int) -> Run:
        """The run with every text compared with the baseline's, as far as that has been asked."""
        run = self.runs[index]
        samples = tuple(
            self._compared_sample(sample, tokens)
            for sample, tokens in zip(run.samples, self.tokens[index], strict=True)
        )
        return run.model_copy(update={"samples": samples})

    def _compared_sample(self, sample: Sample, tokens: Tokens) -> Sample:
        reference = self.reference.get(sample.prompt)
        if reference is None:
            return sample
        return sample.model_copy(update={"first_difference": first_difference(tokens, reference)})
