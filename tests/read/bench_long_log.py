"""Reading a long log against `grep -c "eval time"`: python tests/read/bench_long_log.py [MB].

A production log here is what a server of today prints at its default verbosity: prompts in
batches, checkpoints, progress every three seconds, HTTP lines, and a request's figures every
`LINES` lines or so. Both take turns on the same file, which is in memory by then; the best of
three counts, and the ratio is speed against speed.
"""

import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from read.log_writer import Truth, as_json, bare, keyed
from speculoos.read import Batch, Request, Summary, batches

LINES = ((20, 40), (8, 12), (100, 200), (0, 1))
"""Lines from one request's figures to the next: a usual log, short answers, long ones, none."""
TURNS = 3
PROCESSES = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
"""This one and the second one that reads, whose pages are counted twice where both share them."""
AROUND = (
    "srv  params_from_: Chat format: peg-native",
    "slot get_availabl: id  {slot} | task -1 | selected slot by LCP similarity, sim_best = 0.929",
    "slot launch_slot_: id  {slot} | task {task} | processing task, is_child = 0",
    "slot update_slots: id  {slot} | task {task} | new prompt, n_ctx_slot = 262144, n_keep = 0",
    "slot update_slots: id  {slot} | task {task} | n_tokens = 13310, memory_seq_rm [13310, end)",
    "slot update_slots: id  {slot} | task {task} | prompt processing progress, n_tokens = 14328, "
    "batch.n_tokens = 1018, progress = 0.999721",
    "slot create_check: id  {slot} | task {task} | created context checkpoint 3 of 8",
    "slot print_timing: id  {slot} | task {task} | n_gen =    100, tg =  86.54 t/s, tg_3s = 9.03",
    "srv  log_server_r: done request: POST /v1/chat/completions 127.0.0.1 200",
    "srv  update_slots: all slots are idle",
)


def timed(line: str, task: int) -> str:
    """With the minutes since the start in front."""
    return f"57.42.{task % 1000:03}.753 I {line}"


def headed(line: str, task: int) -> str:
    """With them on headers only, as where one message holds several lines."""
    return timed(line, task) if line.startswith(("slot", "srv")) else line


Put = Callable[[str, int], str]
FORMS: dict[str, Put] = {
    "every line named": timed,
    "bare lines": headed,
    "bare in docker": lambda line, task: f"llama-1  | {headed(line, task)}",
    "slots mixed": timed,
    "wide counts": timed,
    "JSON lines": lambda line, task: as_json(line).replace("4025", str(4_000_000 + task)),
    "colours": lambda line, task: (
        f"\x1b[34m0.06.{task % 1000:03}.980\x1b[0m \x1b[32mI \x1b[0m{line}\x1b[0m"
    ),
    "CRLF": lambda line, task: timed(line, task) + "\r",
    "docker": lambda line, task: f"llama-1  | {timed(line, task)}",
    "journald": lambda line, task: f"May  6 20:28:49 rig llama-server[712]: {timed(line, task)}",
    "router": lambda line, task: f"[{53409 + task % 3}] {timed(line, task)}",
}  # fmt: skip


def write(
    path: Path, megabytes: int, every: tuple[int, int], form: str = "every line named"
) -> None:
    """Write a log of whole requests behind the lines that a server prints around them."""
    chance, put, task = random.Random(1), FORMS[form], 0
    with path.open("w", encoding="ascii") as file:
        while file.tell() < megabytes * 1_000_000:
            blocks: list[list[str]] = []
            for slot in range(4 if form == "slots mixed" else 1):
                task += chance.randrange(2, 90)
                request = replace(_request(chance, task, form), slot=slot)
                figures = _figures(request, form)
                around = max(0, chance.randrange(*every) - len(figures))
                lines = (AROUND[n % len(AROUND)] for n in range(around))
                said = (put(line.format(slot=slot, task=task), task) for line in lines)
                file.writelines(f"{line}\n" for line in said)
                blocks.append([f"{put(line, task)}\n" for line in figures])
            while blocks := [block for block in blocks if block]:
                file.write(chance.choice(blocks).pop(0))


def _figures(request: Truth, form: str) -> list[str]:
    if form.startswith("bare"):
        return bare(request, "A")
    return keyed(request, "D")[1:6] + keyed(request, "D")[-1:]


def _request(chance: random.Random, task: int, form: str) -> Truth:
    steps = tuple((3, chance.randrange(4)) for _ in range(chance.randrange(1, 40)))
    tokens = 1 + len(steps) + sum(accepted for _, accepted in steps)
    prompt = chance.randrange(20, 30_000) + 100_000 * (form == "wide counts") * (task % 3)
    return Truth(task % 4, task, prompt, prompt / 1.3, tokens + 1, tokens * 21.7, steps)


def searched(path: Path, **environment: str) -> float:
    """Seconds that grep takes."""
    grep = shutil.which("grep") or "grep"
    start = time.perf_counter()
    # not to /dev/null: GNU grep would stop at the first hit
    subprocess.run(
        [grep, "-c", "eval time", str(path)],
        check=True, capture_output=True, env=os.environ | environment,
    )  # fmt: skip
    return time.perf_counter() - start


def was_read(path: Path) -> tuple[float, float, Summary]:
    """Seconds and processor seconds that reading takes, and what the requests sum up to."""
    summary = Summary()
    start, before = time.perf_counter(), _worked()
    with path.open("rb") as file:
        for event in batches(file)[1]:
            if isinstance(event, Batch):
                summary.add_all(event)
            elif isinstance(event, Request):
                summary.add(event)
    return time.perf_counter() - start, _worked() - before, summary


def _worked() -> float:
    """Processor seconds of this process and of those that it started and that ended."""
    return sum(os.times()[:4])


def main() -> None:
    """Print, for each form, both speeds, their ratio and the memory that reading took."""
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    cases = [("every line named", every) for every in LINES]
    cases += [(form, LINES[0]) for form in FORMS if form != "every line named"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "long.log")
        for form, every in cases:
            write(path, megabytes, every, form)
            print(f"{form}, a request every {every[0]} to {every[1]} lines: {_compared(path)}")  # noqa: T201


def _compared(path: Path) -> str:
    turns = [(searched(path), searched(path, LC_ALL="C"), *was_read(path)) for _ in range(TURNS)]
    usual, plain, took, work = (min(turn[which] for turn in turns) for which in range(4))
    memory = sum(resource.getrusage(who).ru_maxrss for who in PROCESSES) / 1024
    missed = "" if took <= 3 * usual else ", LESS THAN A THIRD"
    return (
        f"{path.stat().st_size / 1e6:.0f} MB, {turns[0][4].requests} requests, "
        f"read {took:.2f} s ({work:.2f} s of processors), grep {usual:.2f} s, speed ratio "
        f"{usual / took:.2f} ({plain / took:.2f} to LC_ALL=C), at most {memory:.0f} MB{missed}"
    )


if __name__ == "__main__":
    main()
