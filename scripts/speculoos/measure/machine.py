"""The machine: processor, memory, cards, system; no host, user or serial number."""

import contextlib
import getpass
import platform
import re
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from speculoos.measure import cpu, sysfs
from speculoos.measure.energy import why_absent
from speculoos.measure.gpu import cards_of
from speculoos.measure.watch import Watch
from speculoos.record.types import Bilingual, Cpu, IdlePower, Machine, MachineState, Watched

_HERE = Path("/")


def describe(machine_id: str | None = None, root: Path = _HERE) -> Machine:
    """What this machine is, for `machine.yaml`; the id is made from its parts if none is given."""
    processor, gpus = _cpu(root), cards_of(root).describe()
    memory_mib = psutil.virtual_memory().total // 2**20
    gib = round(memory_mib / 1024)
    name = gpus[0].name if gpus else processor.name
    return Machine(
        format=1,
        id=machine_id or slug(f"{name} {processor.threads}t {gib}g"),
        label=_label(name, processor.threads, gib, on_gpu=bool(gpus)),
        cpu=processor,
        memory_mib=memory_mib,
        gpus=gpus,
        os=_os(),
    )


def state(
    machine: Machine, root: Path = _HERE, over_s: float = 0.5, since: Watch | None = None
) -> MachineState:
    """What may differ from one day to the next; watches the machine for `over_s` seconds.

    Those that have passed `since` count, unless energy is read, which work of our own changes.
    """
    cards = cards_of(root)
    gpus = cards.describe()
    load = None
    with contextlib.suppress(OSError):
        load = round(psutil.getloadavg()[0], 2)
    counted = why_absent(cards, root) is None
    idle = _watched(Watch(root) if counted or since is None else since, over_s)
    return MachineState(
        id=machine.id,
        load_before=load,
        busy_before=round(min(idle.others_cpu_ms / idle.cpu_ms, 1), 3) if idle.cpu_ms else None,
        power_limit_w=gpus[0].power_limit_w if gpus else None,
        driver=gpus[0].driver if gpus else None,
        kernel=_without_names(platform.release()),
        governor=cpu.governor(root),
        cpu_mhz_max=cpu.allowed_mhz(root),
        memory_available_mib=psutil.virtual_memory().available // 2**20,
        display=cards.display(),
        gpu_processes=cards.processes(),
        idle=tuple(_power(idle)),
        energy_absent=why_absent(cards, root),
    )


def _watched(watch: Watch, over_s: float) -> Watched:
    time.sleep(max(watch.start + over_s - time.monotonic(), 0))
    return watch.seen()


def _power(idle: Watched) -> Iterator[IdlePower]:
    for each in idle.energy:
        yield IdlePower(scope=each.scope, watts=round(1000 * each.joules / idle.window_ms, 2))


def _without_names(release: str) -> str | None:
    """A kernel's release; people who build their own put the name of the host into it."""
    private = {platform.node().lower(), Path.home().name.lower(), _user()}
    private |= {platform.node().lower().partition(".")[0]}
    words = re.split(r"(?<=[-+_])", release)
    kept = [word for word in words if word.strip("-+_").lower() not in private]
    return "".join(kept).strip("-+_") or None


def _user() -> str:
    with contextlib.suppress(OSError, KeyError):
        return getpass.getuser().lower()
    return ""


def slug(text: str) -> str:
    """Lower-case letters, digits and hyphens: `AMD EPYC 2t` gives `amd-epyc-2t`."""
    plain = re.sub(r"\((?:r|tm|c)\)|\bcpu\b|\bprocessor\b|@.*?ghz", " ", text.lower())
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60] or "machine"


def _label(name: str, threads: int, gib: int, *, on_gpu: bool) -> Bilingual:
    if on_gpu:
        return Bilingual(fr=name, en=name)
    return Bilingual(
        fr=f"{name}, {threads} fils, {gib} Gio (CPU)",
        en=f"{name}, {threads} threads, {gib} GiB (CPU)",
    )


def _cpu(root: Path) -> Cpu:
    threads = psutil.cpu_count() or 1
    cores = psutil.cpu_count(logical=False) or threads
    return Cpu(name=_cpu_name(root), cores=cores, threads=threads)


def _cpu_name(root: Path) -> str:
    said = sysfs.text(root / "proc/cpuinfo") or ""
    found = re.search(r"^model name\s*:\s*(.+)$", said, re.MULTILINE)
    return found[1].strip() if found else platform.processor() or platform.machine()


def _os() -> str:
    with contextlib.suppress(OSError):
        return platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    return f"{platform.system()} {platform.release()}"
