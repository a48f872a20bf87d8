"""Small records for the tests of the pages: built here, never published."""

import datetime as dt

from speculoos.record.types import (
    Bilingual,
    Build,
    Claim,
    Cpu,
    Design,
    Incident,
    Machine,
    MachineState,
    Measurement,
    Model,
    Request,
    Run,
    Sample,
    Server,
    Settings,
    Source,
)

SHA = "0" * 64
PROMPTS = ("list", "explain", "code")
HOSTILE = Bilingual(
    fr='<b>$\\alpha_1$</b> & "deux" [trois](x) {#y} | *quatre*',
    en='<b>$\\alpha_1$</b> & "two" [three](x) {#y} | *four*',
)
"""A title with signs of HTML, Markdown, formulas and attributes."""
BASELINE = Settings(spec_type="none")


def mtp(n_max):
    return Settings(spec_type="draft-mtp", n_max=n_max)


def machine(name="bench"):
    return Machine(
        format=1,
        id=name,
        label=Bilingual(fr="Banc d’essai", en="Test bench"),
        cpu=Cpu(name="A processor", cores=2, threads=2),
        memory_mib=8000,
        os="Linux",
    )


def plain(prompt, block, ms):
    return Sample(
        prompt=prompt, block=block, prompt_n=20, prompt_ms=100.0, predicted_n=61, predicted_ms=ms,
        finish="limit", output_sha256=SHA, wall_ms=ms + 110,
    )  # fmt: skip


def drafted(prompt, block, ms, positions, n_max):
    """60 tokens in steps that accept as `positions` says: how many steps accepted i guesses."""
    accepted = sum(positions)
    return Sample(
        prompt=prompt, block=block, prompt_n=20, prompt_ms=100.0, predicted_n=61, predicted_ms=ms,
        draft_n=(60 - accepted) * n_max, draft_n_accepted=accepted, verify_steps=60 - accepted,
        accepted_per_position=tuple(positions), finish="limit", output_sha256=SHA, wall_ms=ms + 110,
    )  # fmt: skip


def run_of(settings, block, samples=(), incident=None):
    return Run(settings=settings, samples=tuple(samples), incident=incident)


def sweep(speeds, blocks=3, positions=(20, 8, 3, 1)):
    """Runs of a baseline and n_max 1…; `speeds` are milliseconds for 60 tokens."""
    runs = []
    for block in range(1, blocks + 1):
        drift = 1 + 0.01 * block
        for n_max, ms in speeds.items():
            near = drift * (1 + 0.002 * ((block * 7 + n_max) % 3))
            samples = [
                plain(p, block, ms * near)
                if n_max == 0
                else drafted(p, block, ms * near, _spread(positions[:n_max], i), n_max)
                for i, p in enumerate(PROMPTS)
            ]
            runs.append(run_of(mtp(n_max) if n_max else BASELINE, block, samples))
    return runs


def _spread(positions, index):
    return [max(count + index - 1, 0) for count in positions]


def measurement(runs, **changes):
    fields = {
        "format": 1,
        "kind": "measured",
        "date": dt.date(2026, 11, 29),
        "contributor": "Test",
        "licence": "CC-BY-4.0",
        "title": Bilingual(fr="Un essai", en="A trial"),
        "machine": MachineState(id="bench"),
        "build": Build(version="version: 1 (abc)", sha256=SHA),
        "model": Model(
            file="tiny.gguf", sha256=SHA, size_bytes=1000, architecture="mimo2",
            quantization="F32", nextn_layers=1,
        ),
        "request": Request(
            endpoint="/completion", stream=False, temperature=0.0, seed=1, max_tokens=61,
            reasoning=False, cache_prompt=False, prompt_set="short-1", prompt_set_sha256=SHA,
        ),
        "server": Server(args=("--model", "tiny.gguf")),
        "design": Design(
            blocks=3, order=(("baseline", "n_max 1"),), order_seed=1, warm_up=1, cooldown_s=0.0,
            stop_rule="blocks", tool_version="0", command="speculoos measure --model tiny.gguf",
        ),
        "runs": tuple(runs),
    }  # fmt: skip
    return Measurement(**{**fields, **changes})


def ngram(blocks=2):
    """A baseline and two depths of n-grams, long titles and deep positions."""
    runs = []
    for block in range(1, blocks + 1):
        runs.append(run_of(BASELINE, block, [plain(p, block, 900.0) for p in PROMPTS]))
        for n_max, ms in ((8, 520.0), (16, 470.0)):
            steps = [drafted(p, block, ms + 9 * block, [3] * n_max, n_max) for p in PROMPTS[:2]]
            steps.append(drafted(PROMPTS[2], block, ms, [2] * n_max, n_max))
            runs.append(run_of(Settings(spec_type="ngram-simple", n_max=n_max), block, steps))
    title = Bilingual(
        fr="SmolLM2-135M Q4_1, n-grammes, recopie de code",
        en="SmolLM2-135M Q4_1, n-grams, code given back",
    )
    return measurement(runs, title=title)


GAIN = {0: 1000.0, 1: 850.0, 2: 830.0, 3: 870.0}
LOSS = {0: 500.0, 1: 700.0, 2: 760.0}


def crash(block=1):
    return run_of(
        mtp(4), block,
        incident=Incident(
            kind="crash", signal="SIGSEGV", line="ggml: <bad> shape", after_samples=2
        ),
    )  # fmt: skip


def reported():
    return Measurement(
        format=1,
        kind="reported",
        date=dt.date(2026, 11, 1),
        contributor="Test",
        licence="CC-BY-4.0",
        title=Bilingual(fr="Ce qu’un autre annonce", en="What another states"),
        source=Source(
            title="A page", link="https://example.org/page", consulted=dt.date(2026, 11, 1)
        ),
        claims=(
            Claim(
                settings=mtp(5), speedup=2.7,
                conditions=Bilingual(fr="une seule passe", en="one pass"),
            ),
        ),
    )  # fmt: skip
