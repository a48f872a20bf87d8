"""The record while it grows: every change is saved at once, and the file is whole at any moment."""

from pathlib import Path

from speculoos.measure.schedule import Done, History, Limit, Start, is_baseline
from speculoos.measure.texts import Texts, Tokens, first_difference
from speculoos.record.blocks import answers, asked
from speculoos.record.store import save
from speculoos.record.types import (
    Batch,
    Design,
    Incident,
    Measurement,
    Memory,
    Proof,
    Run,
    Sample,
    Watched,
)


class Draft:
    """A measurement in the making; `record` may have runs already, which are kept."""

    def __init__(self, record: Measurement, out: Path) -> None:
        self.head, self.out = record, out
        self.runs: list[Run] = list(record.runs)
        self.order: list[list[str]] = [list(row) for row in self._design.order]
        self.last_sentence = ""
        self.texts = Texts(out)
        if self.runs:
            self._go_on()

    def _go_on(self) -> None:
        """Take up what an interrupted measurement has left, and remove its half-written files."""
        self.texts.load()
        for part in self.out.parent.glob(".*.part"):
            if part.name.startswith((f".{self.out.name}.", f".{self.texts.path.name}.")):
                part.unlink()
        saved = {(at, n) for at, run in enumerate(self.runs) for n in range(len(run.samples))}
        self.texts.early = {k: own for k, own in self.texts.early.items() if k in saved}
        known = {s.prompt for run in self.runs if is_baseline(run.settings) for s in run.samples}
        kept = {prompt: own for prompt, own in self.texts.reference.items() if prompt in known}
        self.texts.reference = kept

    @property
    def _design(self) -> Design:
        assert self.head.design is not None
        return self.head.design

    @property
    def history(self) -> History:
        """Every run so far, with its block."""
        blocks = [block for block, row in enumerate(self.order, start=1) for _ in row]
        return History(tuple(map(Done, blocks, self.runs)))

    def start_run(self, start: Start, args: tuple[str, ...]) -> None:
        """A new start of the server."""
        self.order.extend([] for _ in range(start.block - len(self.order)))
        self.order[start.block - 1].append(start.settings.label)
        self.runs.append(Run(settings=start.settings, phase=start.phase, args=args))

    def add(self, sample: Sample, tokens: Tokens) -> None:
        """One more sample of the current run; `describe_run` saves it."""
        run, texts = self.runs[-1], self.texts
        if sample.prompt not in texts.reference:
            if is_baseline(run.settings):
                texts.reference[sample.prompt] = tokens
            else:
                texts.early[len(self.runs) - 1, len(run.samples)] = tokens
            texts.save()
        compared = self._compared(sample, tokens)
        self.runs[-1] = run.model_copy(update={"samples": (*run.samples, compared)})

    def add_batch(self, batch: Batch) -> None:
        """What several slots have answered at once; `describe_run` saves it."""
        run = self.runs[-1]
        self.runs[-1] = run.model_copy(update={"batches": (*run.batches, batch)})

    def describe_run(self, ready_ms: float, memory: Memory, proof: Proof, watched: Watched) -> None:
        """What is known of the current run so far."""
        run = self.runs[-1]
        drafted = sum(one.draft_n or 0 for one in answers(run))
        update = {
            "ready_ms": round(ready_ms, 1),
            "memory": memory,
            "proof": proof.model_copy(update={"draft_n": drafted}),
            "watched": watched,
        }
        self.runs[-1] = run.model_copy(update=update)
        self.save()

    def fail(self, incident: Incident, sentence: str) -> None:
        """The current run ends in an incident."""
        self.runs[-1] = self.runs[-1].model_copy(update={"incident": incident})
        self.last_sentence = sentence
        self.save()

    def finish(self, limit: Limit) -> None:
        """The measurement is complete: say which limit ended it.

        A start that was given up before its first sample is forgotten; without any sample there
        is nothing to save.
        """
        if self.runs and not answers(self.runs[-1]) and self.runs[-1].incident is None:
            self.runs.pop()
            self.order[-1].pop()
        if self.runs:
            design = self._design.model_copy(update={"stopped": limit})
            self.head = self.head.model_copy(update={"design": design})
            self.save()
        if limit != "budget":
            self.texts.remove()

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
    def last_answer(self) -> Sample | Batch:
        """What was added last, a sample compared with the baseline where that is known."""
        return answers(self.runs[-1])[-1]

    @property
    def samples_of_run(self) -> int:
        """How many prompts of the current run are answered."""
        return len(asked(self.runs[-1]))

    def record(self) -> Measurement:
        """The measurement so far."""
        self._compare_early()
        order = tuple(tuple(row) for row in self.order if row)
        beyond = len(order) - self._design.blocks
        update = {"order": order, "repeated": beyond if beyond > 0 else None}
        changed = self._design.model_copy(update=update)
        return self.head.model_copy(update={"runs": tuple(self.runs), "design": changed})

    def save(self) -> None:
        """Write the record so far."""
        save(self.record(), self.out)

    def _compare_early(self) -> None:
        """Compare the samples that came before their baseline, once that has been asked."""
        for (at, number), tokens in self.texts.early.items():
            run = self.runs[at]
            samples = list(run.samples)
            samples[number] = self._compared(samples[number], tokens)
            self.runs[at] = run.model_copy(update={"samples": tuple(samples)})

    def _compared(self, sample: Sample, tokens: Tokens) -> Sample:
        reference = self.texts.reference.get(sample.prompt)
        if reference is None:
            return sample
        return sample.model_copy(update={"first_difference": first_difference(tokens, reference)})
