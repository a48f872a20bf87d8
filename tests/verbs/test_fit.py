"""`speculoos fit` as a person uses it."""

import json

from record import small_models


def fit(speculoos, model, *args):
    done = speculoos("fit", "--model", model, *args)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_context_that_ends_with_the_model_and_not_with_the_card_is_called_so(speculoos, tmp_path):
    """Otherwise a larger card would seem to be the remedy."""
    model = small_models.write("llama", tmp_path / "small.gguf")
    assert "tokens (the model's own)." in fit(speculoos, model, "--vram", "24GiB")
    said = fit(speculoos, model, "--vram", "64MiB", "--keep-free", "1MiB")
    assert "Largest context that fits: " in said
    assert "(the model's own)" not in said


def test_the_verdict_and_the_largest_context_go_with_the_card(speculoos, tmp_path):
    """The largest context that fits does fit, and one step more does not."""
    model = small_models.write("llama", tmp_path / "model.gguf")
    args = ("--vram", "120MiB", "--keep-free", "20MiB", "--parallel", 1)
    found = json.loads(fit(speculoos, model, *args, "--json"))
    assert found["verdict"] == "tight" or found["verdict"] == "too_large"
    largest = found["largest_context"]
    for context, verdict in ((largest, "fits"), (largest + 256, "tight")):
        said = json.loads(fit(speculoos, model, *args, "-c", context, "--json"))
        assert said["verdict"] == verdict


def test_the_share_of_speculation_is_told(speculoos, tiny):
    """In words and as data; it grows with n_max where a model keeps recurrent states."""
    args = ("--vram", "24GiB", "--context", "4k", "--spec-type", "draft-mtp")
    assert "Speculation takes" in fit(speculoos, tiny, *args)
    shares = [
        json.loads(fit(speculoos, tiny, *args, "--n-max", n, "--json"))["speculation_mib"]
        for n in (1, 6)
    ]
    assert 0 < shares[0] < shares[1]


def test_layers_and_experts_may_stay_in_main_memory(speculoos, tmp_path):
    """What leaves the card lies in main memory."""
    model = small_models.write("qwen3moe", tmp_path / "model.gguf")
    sizes = [
        json.loads(fit(speculoos, model, "--vram", "1GiB", *args, "--json"))["card_mib"]
        for args in ((), ("--n-cpu-moe", 2), ("--gpu-layers", 1), ("--gpu-layers", 0))
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 0


def test_a_build_without_a_graph_for_the_head_is_named(speculoos, tmp_path):
    """The figures are too low there, and the answer says so."""
    model = small_models.write("glm4moe", tmp_path / "model.gguf")
    said = fit(speculoos, model, "--vram", "1GiB", "--build", 10434)
    assert "Build 10434 has no MTP graph for glm4moe" in said
    assert "no MTP graph" not in fit(speculoos, model, "--vram", "1GiB")


def test_a_card_that_nobody_knows_is_asked_for(speculoos, tmp_path):
    """Without --vram and without a card the needs are told all the same."""
    model = small_models.write("llama", tmp_path / "model.gguf")
    said = fit(speculoos, model)
    assert "KV cache" in said
    assert "--vram" in said or "GiB:" in said


def test_a_file_without_a_head_cannot_draft_with_it(speculoos, tmp_path):
    """One line, exit 1."""
    model = small_models.write("llama", tmp_path / "model.gguf")
    done = speculoos("fit", "--model", model, "--spec-type", "draft-mtp")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"{model}: no MTP head in it; leave --spec-type draft-mtp out, or name another file"
    ]


def test_what_is_no_model_or_no_size_is_told_in_a_line(speculoos, tmp_path):
    """A foreign file exits with 1, a wrong option with 2; never a traceback."""
    foreign = tmp_path / "x.gguf"
    foreign.write_text("nothing")
    done = speculoos("fit", "--model", foreign)
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    wrong = speculoos("fit", "--model", foreign, "--vram", "many")
    assert wrong.returncode == 2
    assert "24GiB" in wrong.stderr
