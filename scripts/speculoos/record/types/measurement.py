"""`<machine>/<date>-<slug>.yaml`: a head, the things measured, and the runs or claims."""

import datetime as dt
from typing import Annotated, Literal

from pydantic import Field

from speculoos.record.types.observation import Observation
from speculoos.record.types.part import (
    Bilingual,
    Bytes,
    Count,
    FileName,
    Part,
    Positive,
    Quantity,
    Seed,
    Sha256,
    Share,
    Slug,
    Text,
)
from speculoos.record.types.settings import Settings
from speculoos.record.types.surroundings import MachineState, Watched


class Source(Part):
    """Where the figures of a `reported` record stand."""

    title: Text
    link: Annotated[str, Field(pattern=r"^https?://\S+$", max_length=500)] | None = None
    """Absent where the figures were told and stand nowhere else; the notes say so."""
    author: Text | None = None
    published: dt.date | None = None
    consulted: dt.date


class Build(Part):
    """The `llama-server` that was started."""

    version: Text
    """What `--version` says; local builds call themselves build 0 or 1."""
    number: Count | None = None
    commit: Text | None = None
    backend: Text | None = None
    """Where the model's weights lay, from the log: `CPU`, `CUDA`, `Vulkan`, `Metal`."""
    sha256: Sha256 | None = None
    """Of the binary; absent where a server was only observed."""
    source: Text | None = None
    """Where the binary came from, if it can be said: a package and its version."""


class Model(Part):
    """A GGUF file, read from its header."""

    file: FileName
    sha256: Sha256 | None = None
    """This and what follows may be absent where a server was only observed."""
    size_bytes: Bytes | None = None
    architecture: Text | None = None
    quantization: Text | None = None
    nextn_layers: Count | None = None
    """MTP layers that the file holds; 0 means that it has no head."""
    source: Text | None = None


class Request(Part):
    """How every prompt was asked."""

    endpoint: Literal["/completion"]
    stream: bool
    """True where the build has no counters of speculation: the steps are read off the stream."""
    temperature: Annotated[float, Field(ge=0, le=5)]
    seed: Seed
    max_tokens: Positive
    reasoning: bool
    depth: Positive | None = None
    """Tokens of neutral text in front of every prompt, about; absent where there is none."""
    parallel: Annotated[int, Field(ge=2)] | None = None
    """Slots that were asked at once; absent with one. Such figures stand in `runs[].batches`."""
    cache_prompt: bool
    prompt_set: Slug
    prompt_set_sha256: Sha256


class Server(Part):
    """The argument list that all runs share: paths reduced to names, no key, no port."""

    args: tuple[str, ...]


class Design(Part):
    """How the runs were laid out."""

    blocks: Positive
    """Blocks at most, the exploring one included."""
    order: tuple[tuple[str, ...], ...]
    """The realised order: the settings of each block, as they were started.

    A setting that was interrupted and started again in its block stands there twice.
    """
    order_seed: Seed
    warm_up: Count
    """Requests after each start that are not counted."""
    cooldown_s: Quantity
    stop_rule: Text
    stopped: Literal["blocks", "narrow", "budget", "interrupted"] | None = None
    """Which limit ended it; `interrupted` until one has."""
    repeated: Positive | None = None
    """Blocks beyond `blocks`, in place of those in which other programs used the machine."""
    method: Literal["grid", "search"] | None = None
    """`grid`: every setting in every block; `search`: explore first, then confirm the best."""
    settings: tuple[Settings, ...] = ()
    """What was to be tried, the baseline included."""
    prompts: tuple[Slug, ...] = ()
    """The prompts of the set that were asked, where not all were."""
    tool_version: Text
    command: Text
    """The command that made the file, paths reduced to names."""


class Memory(Part):
    """What the server's log and the system say that it holds, in MiB."""

    model_mib: Quantity | None = None
    context_mib: Quantity | None = None
    compute_mib: Quantity | None = None
    resident_mib: Quantity | None = None
    """Resident memory of the process after the last request."""
    on_cards_mib: Quantity | None = None
    """Of the buffers in the log, those that do not lie in the processor's memory."""
    device_mib: Quantity | None = None
    """What the process holds of the cards' memory after the last request, as the driver says."""


class Proof(Part):
    """Why the figures of a run belong to the server that was started, with this setting."""

    port_owner: Literal["child", "unknown"]
    """The process that listens on the port is the one that was started, where the system tells."""
    model_path: Literal["match", "other"]
    """`/props.model_path` against the file that was asked for."""
    speculative: bool | None = None
    """`/slots[].speculative`; absent where the build does not say."""
    draft_n: Count
    """Draft tokens over all the requests of the run."""
    program_sha256: Sha256 | None = None
    """Of the program that answered, where a script that was named as the server started it."""


class Incident(Part):
    """What went wrong in a run: a result like any other."""

    kind: Slug
    exit_code: Annotated[int, Field(ge=-(2**31), lt=2**32)] | None = None
    signal: Text | None = None
    line: Text | None = None
    """The line of the server's log that says why."""
    after_samples: Count


class Sample(Part):
    """One request: differences of the server's counters around it, and its own timings."""

    prompt: Slug
    block: Positive
    prompt_n: Count
    prompt_ms: Quantity
    predicted_n: Count
    predicted_ms: Quantity
    draft_n: Count | None = None
    draft_n_accepted: Count | None = None
    verify_steps: Count | None = None
    accepted_per_position: tuple[Count, ...] | None = None
    timings_draft_n: Count | None = None
    """What the answer itself says, stored only where it is not what the counters say."""
    timings_draft_n_accepted: Count | None = None
    decodes: Count | None = None
    """Decodes of the model for the prompt and the text, drafts excluded (`n_decode_total`)."""
    finish: Slug
    """Why the text ended, as the server names it: `limit`, `eos`, `word`."""
    truncated: Literal[True] | None = None
    output_sha256: Sha256
    first_difference: Count | None = None
    """Index of the first token that differs from the baseline's; absent where none does."""
    wall_ms: Quantity


class Batch(Part):
    """Prompts that several slots answered at once: counts and time belong to all of them."""

    block: Positive
    prompts: Annotated[tuple[Slug, ...], Field(min_length=1)]
    prompt_n: Count
    predicted_n: Count
    draft_n: Count | None = None
    draft_n_accepted: Count | None = None
    verify_steps: Count | None = None
    accepted_per_position: tuple[Count, ...] | None = None
    timings_draft_n: Count | None = None
    """What the answers say together, stored only where it is not what the counters say."""
    timings_draft_n_accepted: Count | None = None
    finish: tuple[Slug, ...] = ()
    """Why each text ended, in the order of the prompts."""
    truncated: Literal[True] | None = None
    wall_ms: Quantity
    """From the first question to the end of the last answer, prompts included."""


class Run(Part):
    """One start of the server with one setting, and one pass over the prompts."""

    settings: Settings
    phase: Literal["explore"] | None = None
    """`explore`: it chose what to confirm; intervals and verdict do not rest on it."""
    args: tuple[str, ...] = ()
    """What this setting adds to `server.args`."""
    ready_ms: Quantity | None = None
    memory: Memory | None = None
    proof: Proof | None = None
    watched: Watched | None = None
    samples: tuple[Sample, ...] = ()
    batches: tuple[Batch, ...] = ()
    """In place of samples where several slots were asked at once."""
    incident: Incident | None = None


class Words(Part):
    """What a source says in words where it gives no number: "almost three times" is no 3.0."""

    speedup: Bilingual | None = None
    acceptance_rate: Bilingual | None = None
    memory: Bilingual | None = None


class Claim(Part):
    """What a source states for one setting; a single figure or a range."""

    settings: Settings
    tokens_per_second: Quantity | None = None
    tokens_per_second_high: Quantity | None = None
    speedup: Quantity | None = None
    speedup_high: Quantity | None = None
    acceptance_rate: Share | None = None
    memory_mib: Quantity | None = None
    words: Words | None = None
    conditions: Bilingual


class Measurement(Part):
    """One file: a head, the things measured, and the runs or claims."""

    format: Literal[1]
    kind: Literal["measured", "observed", "reported"]
    date: dt.date
    contributor: Text
    licence: Literal["CC-BY-4.0"]
    title: Bilingual | None = None
    notes: Bilingual | None = None
    purpose: Literal["instrument"] | None = None
    """`instrument`: a check of the tool on a model whose text and speed mean nothing."""
    withdrawn: Bilingual | None = None
    """Why the figures no longer count; the one edit that a merged file allows."""
    source: Source | None = None
    machine: MachineState | None = None
    build: Build | None = None
    model: Model | None = None
    draft_model: Model | None = None
    request: Request | None = None
    server: Server | None = None
    design: Design | None = None
    runs: tuple[Run, ...] = ()
    observed: Observation | None = None
    claims: tuple[Claim, ...] = ()
