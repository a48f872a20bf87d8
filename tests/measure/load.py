"""Real load on this machine: of our own children, and of processes that are nobody's children."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil

_BURN = "while True: pass"
_ORPHANS = """
import subprocess, sys
for _ in range(int(sys.argv[1])):
    print(subprocess.Popen([sys.executable, "-c", sys.argv[2]], start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).pid)
"""


@contextmanager
def our_load(count: int) -> Iterator[list[psutil.Process]]:
    """Busy children of this process."""
    busy = [subprocess.Popen([sys.executable, "-c", _BURN]) for _ in range(count)]
    try:
        yield [psutil.Process(each.pid) for each in busy]
    finally:
        for each in busy:
            each.kill()
            each.wait()


@contextmanager
def load_of_others(count: int) -> Iterator[None]:
    """Busy processes whose parent is gone: nobody's children."""
    command = [sys.executable, "-c", _ORPHANS, str(count), _BURN]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    busy = [psutil.Process(int(line)) for line in done.stdout.split()]
    try:
        yield
    finally:
        for each in busy:
            each.kill()


def cpu_s_of_others() -> float:
    """Processor time of every other process that lives, with that of its ended children."""
    us = psutil.Process()
    ours = {us.pid, *(each.pid for each in us.children(recursive=True))}
    spent = 0.0
    for each in psutil.process_iter():
        with suppress(psutil.Error):
            spent += 0.0 if each.pid in ours else sum(each.cpu_times()[:4])
    return spent
