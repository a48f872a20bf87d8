"""What is seen of the machine while a run is made."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from measure.fake_system import amd_card, at, rapl
from speculoos.measure import cpu
from speculoos.measure.watch import Watch

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


def _share(seconds: float = 1.5) -> float:
    watch = Watch()
    time.sleep(seconds)
    seen = watch.seen()
    return seen.others_cpu_ms / seen.cpu_ms


def test_the_load_of_others_is_seen():
    """As many busy processes as processors take at least half of the time, whatever else runs."""
    with load_of_others(psutil.cpu_count() or 1):
        assert _share() > 0.5


def test_our_own_load_is_not_that_of_others():
    """What our busy children spend is taken from what is left for others, to a few ticks."""
    with our_load(psutil.cpu_count() or 1) as children:
        before = sum(sum(each.cpu_times()[:2]) for each in children)
        watch = Watch()
        time.sleep(1.5)
        seen = watch.seen()
        spent_ms = 1000 * (sum(sum(each.cpu_times()[:2]) for each in children) - before)
    assert spent_ms > 100
    assert seen.others_cpu_ms <= seen.cpu_ms - spent_ms + 150


def test_a_child_that_ends_stays_in_our_account():
    """Its time goes to the parent that waits for it."""
    own = cpu.ours()
    before = cpu.cpu_time(own)
    burn = "import time; end = time.process_time() + 0.5\nwhile time.process_time() < end: pass"
    subprocess.run([sys.executable, "-c", burn], check=True)
    assert cpu.cpu_time(own).own_s - before.own_s >= 0.5


def _system(root: Path, count: int) -> None:
    """Counters that stand at `count`, clocks and heat that follow it."""
    at(root, "proc/pressure/cpu", f"some avg10=0.00 avg60=0.00 avg300=0.00 total={count}000")
    at(root, "proc/self/cgroup", "0::/user/session")
    at(root, "sys/fs/cgroup/user/session/cpu.stat", f"usage_usec 9\nthrottled_usec {count}000")
    at(root, "sys/fs/cgroup/user/cpu.stat", "usage_usec 9\nthrottled_usec 0")
    folder = "sys/devices/system/cpu/cpu0"
    at(root, f"{folder}/thermal_throttle/core_throttle_count", count)
    at(root, f"{folder}/thermal_throttle/package_throttle_count", 5)
    at(root, f"{folder}/cpufreq/scaling_cur_freq", 4_000_000 - 1000 * count)
    rapl(root, "intel-rapl:0", "package-0", count * 1_000_000)


def test_counters_clocks_and_heat_are_followed(tmp_path):
    """Differences of counters since the start; the range of what is read at each look."""
    _system(tmp_path, 100)
    amd_card(tmp_path)
    watch = Watch(tmp_path)
    for count in (150, 140):
        _system(tmp_path, count)
        seen = watch.seen()
    assert (seen.pressure_ms, seen.quota_ms, seen.throttled) == (40, 40, 40)
    assert seen.cpu_mhz == (3850, 3860)
    assert (seen.gpu_mhz, seen.gpu_c) == ((2400, 2400), 61)


def test_what_a_system_does_not_show_is_absent(tmp_path):
    """No file, no value: never 0."""
    seen = Watch(tmp_path).seen()
    assert (seen.pressure_ms, seen.quota_ms, seen.throttled, seen.cpu_mhz) == (None,) * 4
    assert (seen.gpu_c, seen.gpu_limits, seen.energy) == (None, (), ())
