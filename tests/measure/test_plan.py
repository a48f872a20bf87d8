"""What a plan gives to which start."""

import pytest

from speculoos.measure.plan import split


@pytest.mark.parametrize(
    "flag",
    [
        "--spec-draft-p-min", "--no-spec-draft-backend-sampling", "-md", "--model-draft", "-hfd",
        "--hf-repo-draft", "-ctkd", "--cache-type-v-draft", "--threads-draft", "-cmoed", "-otd",
    ],
)  # fmt: skip
def test_a_flag_of_speculation_never_reaches_the_baseline(flag: str):
    """Neither the flag nor its value, long or short."""
    assert split(["-c", "512", flag, "x", "-ngl", "-1"]) == (
        ("-c", "512", "-ngl", "-1"),
        (flag, "x"),
    )


@pytest.mark.parametrize("flag", ["-c", "-t", "-ctk", "-ot", "--cache-type-k", "-dev", "--threads"])
def test_other_flags_reach_every_start(flag: str):
    """Their names resemble those of the draft model."""
    assert split([flag, "x"]) == ((flag, "x"), ())
