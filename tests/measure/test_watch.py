"""What is seen of the machine while a run is made."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil

from measure.fake_system import amd_card, at, rapl
from measure.load import cpu_s_of_others, load_of_others, our_load
from speculoos.measure import cpu
from speculoos.measure.run import Event, Started
from speculoos.measure.watch import Watch
from speculoos.record.summary import summarise
from speculoos.record.surroundings import BUSY_DURING, shares


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
    assert cpu.cpu_time(own).own_s - before.own_s > 0.45  # it ends within a tick


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


LONG = {"depths": (1,), "max_tokens": 400, "extra": ("-c", "1024", "-t", "1")}
"""A start lasts long enough for the system's ticks of 10 ms."""


def _blocks_named(record) -> list[int]:
    kinds = {warn.kind for warn in summarise(record).warnings}
    if not kinds & {"busy-during", "busy-set-aside"}:
        return []
    return [block for block, share in shares(record.runs).items() if share > BUSY_DURING]


@contextmanager
def _loaded_from(block: int, until: int) -> Iterator[Callable[[Event], None]]:
    """What to call with every event: two busy programs run from one block to another."""
    with ExitStack() as loaded:

        def load(event: Event) -> None:
            if isinstance(event, Started) and event.start.position == 1:
                if event.start.block == block:
                    loaded.enter_context(load_of_others(2))
                elif event.start.block == until:
                    loaded.close()

        yield load


def test_a_machine_loaded_half_way_is_noticed(measured, server, tiny):
    """Two busy programs begin in the third of four blocks: both are named, no advice is given."""
    with _loaded_from(3, until=5) as load:
        record, _ = measured(server.path, tiny, load, blocks=4, **LONG)
    found = summarise(record)
    loads = shares(record.runs)
    assert {3, 4} <= {block for block, share in loads.items() if share > BUSY_DURING}
    assert any(warn.kind.startswith("busy-") for warn in found.warnings)
    assert (found.recommendation.verdict, found.recommendation.why) == ("undecided", "loaded")
    assert found.recommendation.figures["of"] == 4


def test_a_loaded_block_is_measured_again(measured, server, tiny):
    """One more block than was planned; the file says why there are so many."""
    with _loaded_from(1, until=2) as load:
        record, _ = measured(server.path, tiny, load, blocks=2, repeats=1, **LONG)
    assert (record.design.blocks, record.design.repeated) == (2, 1)
    assert len(record.design.order) == 3
    assert "others used the machine" in record.design.stop_rule


def test_a_quiet_machine_is_not_accused(measured, server, tiny):
    """In the quietest of some tries, nothing is named; our server's own work is not load."""
    tries = []
    for _ in range(5):
        before = cpu_s_of_others()
        record, _ = measured(server.path, tiny, blocks=2, **LONG)
        total_s = sum(run.watched.cpu_ms for run in record.runs if run.watched) / 1000
        tries.append((cpu_s_of_others() - before) / total_s)
        if not _blocks_named(record):
            return
    assert min(tries) > BUSY_DURING, f"nobody worked beside us: {shares(record.runs)}"
