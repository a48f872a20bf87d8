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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from read.log_writer import Truth, keyed
from speculoos.read import Batch, Request, Summary, batches

LINES = ((20, 40), (8, 12), (100, 200))
"""Lines from one request's figures to the next: a usual log, short answers, long ones."""
TURNS = 3
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


def write(path: Path, megabytes: int, every: tuple[int, int]) -> None:
    """Write a log of whole requests behind the lines that a server prints around them."""
    chance = random.Random(1)
    with path.open("w", encoding="ascii") as file:
        task = 0
        while file.tell() < megabytes * 1_000_000:
            task += chance.randrange(2, 90)
            request = _request(chance, task)
            figures = keyed(request, "D")[1:6] + keyed(request, "D")[-1:]
            around = chance.randrange(*every) - len(figures)
            lines = [AROUND[n % len(AROUND)] for n in range(max(0, around))]
            lines = [line.format(slot=request.slot, task=task) for line in lines] + figures
            file.writelines(f"57.42.{task % 1000:03}.753 I {line}\n" for line in lines)


def _request(chance: random.Random, task: int) -> Truth:
    steps = tuple((3, chance.randrange(4)) for _ in range(chance.randrange(1, 40)))
    tokens = 1 + len(steps) + sum(accepted for _, accepted in steps)
    prompt = chance.randrange(20, 30_000)
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


def was_read(path: Path) -> tuple[float, Summary]:
    """Seconds that reading every request takes, and what they sum up to."""
    summary = Summary()
    start = time.perf_counter()
    with path.open("rb") as file:
        for event in batches(file)[1]:
            if isinstance(event, Batch):
                summary.add_all(event)
            elif isinstance(event, Request):
                summary.add(event)
    return time.perf_counter() - start, summary


def main() -> None:
    """Print the times, their ratio and the memory that reading took."""
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "long.log")
        for every in LINES:
            write(path, megabytes, every)
            _compare(path, megabytes, every)


def _compare(path: Path, megabytes: int, every: tuple[int, int]) -> None:
    turns = [(searched(path), searched(path, LC_ALL="C"), *was_read(path)) for _ in range(TURNS)]
    usual, plain, took = (min(turn[which] for turn in turns) for which in range(3))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(  # noqa: T201
        f"{megabytes} MB, a request every {every[0]} to {every[1]} lines "
        f"({turns[0][3].requests} requests): read {took:.2f} s, grep {usual:.2f} s "
        f"(LC_ALL=C {plain:.2f} s), speed ratio {usual / took:.2f} ({plain / took:.2f}), "
        f"at most {memory:.0f} MB of memory"
    )


if __name__ == "__main__":
    main()
