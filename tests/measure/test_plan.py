"""What a plan gives to which start."""

from collections import Counter
from pathlib import Path

import pytest

from speculoos.measure.plan import Plan, split
from speculoos.measure.prompts import find_prompt_set


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


def test_every_block_has_each_setting_once_in_an_order_of_its_own():
    """Randomised complete blocks: drift must not favour one setting."""
    prompts = find_prompt_set("mixed-1", [])
    plan = Plan(Path("llama-server"), Path("model.gguf"), "draft-mtp", (1, 2, 3), prompts)
    orders = [plan.order(block) for block in range(1, 401)]
    assert all(set(order) == set(plan.settings) and len(order) == 4 for order in orders)
    assert len({tuple(s.label for s in order) for order in orders}) == 24
    assert min(Counter(order[0].label for order in orders).values()) > 60
