"""Reading a long log against `grep -c "eval time"`: python tests/read/bench_long_log.py [MB]."""

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
from speculoos.read import Request, Summary, stream

PROGRESS_LINES = 20
"""A request of a minute prints one every three seconds."""


def write(path: Path, megabytes: int) -> None:
    """Write a log of whole requests, each behind its progress lines."""
    random.seed(1)
    with path.open("w", encoding="ascii") as file:
        task = 0
        while file.tell() < megabytes * 1_000_000:
            task += 7
            steps = ((3, 2),) * random.randrange(1, 300)
            request = Truth(task % 4, task, 400, 512.5, random.randrange(9, 900), 9000.5, steps)
            first, *rest = keyed(request, "B")
            lines = [first] * PROGRESS_LINES + rest
            file.writelines(f"57.42.052.753 I {line}\n" for line in lines)


def main() -> None:
    """Print both times, their ratio and the memory that reading took."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "long.log")
        write(path, int(sys.argv[1]) if len(sys.argv) > 1 else 200)
        start = time.perf_counter()
        grep = shutil.which("grep") or "grep"
        # not to /dev/null: GNU grep would stop at the first hit
        subprocess.run([grep, "-c", "eval time", str(path)], check=True, capture_output=True)
        searched = time.perf_counter() - start
        start = time.perf_counter()
        with path.open("rb") as file:
            summary = Summary.of(e for e in stream(file)[1] if isinstance(e, Request))
        took = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(  # noqa: T201
        f"{summary.requests} requests, read {took:.2f} s, grep {searched:.2f} s, "
        f"speed ratio {searched / took:.3f}, {memory:.0f} MB"
    )


if __name__ == "__main__":
    main()
