"""What a budget of some seconds takes: python tests/measure/bench_budget.py [SECONDS].

Each case is a command in a process of its own, from the start of the interpreter to its end.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from speculoos.parts.servers import llama_server
from speculoos.parts.tiny_model import Acceptance, TinyModel

CACHE = Path.home() / ".cache" / "speculoos"
SECONDS = 8
SLOW_START, DEAF = "sleep 3", "sleep 60"
HANGS_ON_TERM = "trap '' TERM; sleep 60 & wait; wait; wait"
CASES = {
    "many blocks": ("", ["--blocks", "50"]),
    "an endless text": ("", ["--max-tokens", "100000", "--", "-c", "110000"]),
    "each start takes 3 s": (SLOW_START, ["--blocks", "50"]),
    "a server that never gets ready": (DEAF, []),
    "the same that heeds no TERM": (HANGS_ON_TERM, []),
    "two depths that share it": ("", ["--blocks", "50", "--depth", "0,1k", "--", "-c", "2048"]),
    "a quick one": ("", ["--quick"]),
}


def server(folder: Path, before: str) -> Path:
    """A script that does something before it becomes the server; `--version` answers at once."""
    script, binary = folder / "llama-server", llama_server(CACHE, quantised=False).path
    asked = f'[ "$1" = --version ] || {{ {before or ":"}; }}'
    script.write_text(f'#!/bin/sh\n{asked}\nexec "{binary}" "$@"\n')
    script.chmod(0o755)
    return script


def main(seconds: float) -> None:
    """Print what every case has taken."""
    for name, (before, options) in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            model = TinyModel(Acceptance.by_step([0.8, 0.6, 0.4])).write(Path(folder, "tiny.gguf"))
            base = ["measure", "--server", server(Path(folder), before), "--model", model]
            base += ["--n-max", "1-2", "--prompts", "cycle-1", "--budget", f"{seconds:g}s"]
            start = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-m", "speculoos", *map(str, base), *options],
                cwd=folder,
                capture_output=True,
                text=True,
                check=False,
            )
            wall = time.perf_counter() - start
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        print(f"{name}: {wall:.1f} s of {seconds:g}, exit {done.returncode} {last}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS)
