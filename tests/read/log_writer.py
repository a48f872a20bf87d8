"""Writes logs as llama-server does, in every wording and behind every prefix, from known truth."""

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Truth:
    """What really happened in one request."""

    slot: int
    task: int
    prompt_n: int
    prompt_ms: float
    predicted_n: int
    predicted_ms: float
    lengths: tuple[tuple[int, int], ...]
    """(drafted, accepted) of each verification step; empty without speculation."""

    @property
    def drafted(self) -> int:
        """Tokens drafted in all steps."""
        return sum(drafted for drafted, _ in self.lengths)

    @property
    def accepted(self) -> int:
        """Tokens accepted in all steps."""
        return sum(accepted for _, accepted in self.lengths)

    @property
    def positions(self) -> tuple[int, ...]:
        """How many steps accepted the guess at each position."""
        deepest = max((drafted for drafted, _ in self.lengths), default=0)
        return tuple(sum(a > i for _, a in self.lengths) for i in range(deepest))


def time_lines(t: Truth, less: int = 1) -> list[str]:
    """The three lines of times; `less` tokens are left out of the rate."""
    count = t.predicted_n - less
    return [
        f"prompt eval time = {t.prompt_ms:10.2f} ms / {t.prompt_n:5d} tokens "
        f"({t.prompt_ms / t.prompt_n:8.2f} ms per token, "
        f"{1e3 * t.prompt_n / t.prompt_ms:8.2f} tokens per second)",
        f"       eval time = {t.predicted_ms:10.2f} ms / {t.predicted_n:5d} tokens "
        f"({t.predicted_ms / count:8.2f} ms per token, "
        f"{1e3 * count / t.predicted_ms:8.2f} tokens per second)",
        f"      total time = {t.prompt_ms + t.predicted_ms:10.2f} ms / "
        f"{t.prompt_n + t.predicted_n:5d} tokens",
    ]


def _counts(t: Truth) -> str:
    return f"{t.accepted / t.drafted:0.5f} ({t.accepted:5d} accepted / {t.drafted:5d} generated)"


def _rates(t: Truth) -> str:
    return ", ".join(f"{count / len(t.lengths):.3f}" for count in t.positions)


def draft_lines(t: Truth, wording: str) -> list[str]:
    """The draft lines of wordings A to D; none where nothing was drafted."""
    if not t.lengths:
        return []
    length = 1 + t.accepted / len(t.lengths)
    return {
        "A": [f"draft acceptance rate = {_counts(t)}"],
        "B": [f"draft acceptance = {_counts(t)}"],
        "C": [f"draft acceptance = {_counts(t)}, mean acceptance length = {length:5.2f}, "
              f"acceptance rate per position = ({_rates(t)})"],
        "D": [f"draft acceptance = {_counts(t)}, mean len = {length:5.2f}",
              f"     acc per pos = ({_rates(t)})"],
    }[wording]  # fmt: skip


def header(t: Truth) -> str:
    return f"slot print_timing: id  {t.slot} | task {t.task} | "


def release(t: Truth) -> str:
    return (
        f"slot      release: id  {t.slot} | task {t.task} | stop processing: "
        f"n_tokens = {t.prompt_n + t.predicted_n}, truncated = 0"
    )


def keyed(t: Truth, wording: str) -> list[str]:
    """Every line names its slot and task."""
    lines = [*time_lines(t), "   graphs reused =         85", *draft_lines(t, wording)]
    progress = f"{header(t)}n_gen =    100, tg =  86.54 t/s, tg_3s = 117.03 t/s"
    return [progress, *(header(t) + line for line in lines), release(t)]


def bare(t: Truth, wording: str) -> list[str]:
    """A header names slot and task for the lines below it; wording A repeats it."""
    again = [header(t)] if wording == "A" and t.lengths else []
    return [header(t), *time_lines(t, 0), *again, *draft_lines(t, wording), release(t)]


def as_json(text: str) -> str:
    entry = {"type": "log", "time": 4025, "level": "info", "msg": text + "\n"}
    return json.dumps(entry, separators=(",", ":"))


PREFIXES = {
    "nothing": lambda text: text,
    "minutes": lambda text: f"317.06.410.187 I {text}",
    "cut minutes": lambda text: f".04.639.726 I {text}",
    "router": lambda text: f"[53409] 2.24.418.070 I {text}",
    "wrapper": lambda text: f"2026-05-06 20:28:49.707 [Info] (Process) {text}",
    "docker": lambda text: f"llama-1  | 0.06.895.980 I {text}",
    "journald": lambda text: f"May  6 20:28:49 rig llama-server[712]: {text}",
    "colours": lambda text: f"\x1b[34m0.06.895.980\x1b[0m \x1b[32mI \x1b[0m{text}\x1b[0m",
    "quote": lambda text: f"> {text}",
    "blanks": lambda text: f"{text}      ",
    "carriage return": lambda text: f"{text}\r",
    "json": as_json,
    "docker json": lambda text: f"llama-1  | {as_json(text)}",
    "router in docker": lambda text: f"llama-1  | [53409] {text}",
}
