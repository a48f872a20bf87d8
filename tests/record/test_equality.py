"""Equality of texts, with the baseline against itself as the control."""

import factories
from factories import BASELINE, OTHER_SHA, SHA, drafted, mtp, run, sample
from speculoos.record.equality import same_as_itself, same_text
from speculoos.record.summary import summarise


def texts(*hashes: str, prompt: str = "one"):
    """A baseline's samples of one prompt with these texts."""
    return [
        sample(prompt=prompt, block=block, output_sha256=each)
        for block, each in enumerate(hashes, start=1)
    ]


def test_texts_are_compared_with_the_first_of_the_baseline():
    """The same reference as for the first token that differs."""
    own = [drafted(output_sha256=SHA), drafted(output_sha256=OTHER_SHA), drafted(prompt="two")]
    assert same_text(own, texts(SHA, OTHER_SHA)) == (1, 2)
    assert same_text(own, []) is None


def test_a_baseline_is_compared_with_itself():
    """Its repeats with its first text, prompt by prompt."""
    baseline = [*texts(SHA, OTHER_SHA, SHA), *texts(SHA, SHA, prompt="two")]
    assert same_as_itself(baseline) == (2, 3)


def test_one_block_is_no_control():
    """Nothing was repeated."""
    assert same_as_itself(texts(SHA)) is None


def test_a_difference_under_speculation_is_told_beside_the_control():
    """Two texts of two differ, and one repeat of the baseline in one."""
    runs = [
        run(settings, make(block=block, output_sha256=text))
        for block in (1, 2)
        for settings, make, text in (
            (BASELINE, sample, SHA if block == 1 else OTHER_SHA),
            (mtp(2), drafted, OTHER_SHA),
        )
    ]
    found = summarise(factories.measurement(*runs))
    (told,) = [warn for warn in found.warnings if warn.kind.startswith("text-differs")]
    assert told.kind == "text-differs-controlled"
    assert [told.figures[name] for name in ("differ", "compared", "itself", "repeats")] == [
        2, 2, 1, 1,
    ]  # fmt: skip
