from collections.abc import Iterator

from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document, Key
from speculoos.record.types import NO_SPECULATION, Measurement, Run


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    for at, run in enumerate(document.record.runs):
        if run.incident is None:
            for key, text in _wrong(run):
                yield document.problem(("runs", at, "proof", *key), text)


def _wrong(run: Run) -> Iterator[tuple[Key, str]]:
    proof, speculates = run.proof, run.settings.spec_type != NO_SPECULATION
    if proof is None:
        return
    if proof.model_path != "match":
        yield ("model_path",), "another model answered; stop that server and measure again"
    if proof.speculative is not None and proof.speculative != speculates:
        said, wanted = str(proof.speculative).lower(), str(speculates).lower()
        text = f"{said}, expected {wanted} for {run.settings.label}; measure this run again"
        yield ("speculative",), text
    drafted = [sample.draft_n for sample in run.samples]
    known = [count for count in drafted if count is not None]
    if drafted and len(known) == len(drafted) and proof.draft_n != sum(known):
        text = f"{proof.draft_n}, but the samples hold {sum(known)}; take both from the same run"
        yield ("draft_n",), text


RULE = Rule("proof", "The server that was started answered, and speculated as it was told.", _check)
