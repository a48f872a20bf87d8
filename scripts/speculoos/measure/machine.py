"""The machine: processor, memory, cards, system; no host, user or serial number."""

import contextlib
import csv
import platform
import re
import shutil
import subprocess
from pathlib import Path

import psutil

from speculoos.record.types import Bilingual, Cpu, Gpu, Machine, MachineState

_NVIDIA = "name,memory.total,power.limit,driver_version"


def describe(machine_id: str | None = None) -> Machine:
    """What this machine is, for `machine.yaml`; the id is made from its parts if none is given."""
    cpu, gpus = _cpu(), _gpus()
    memory_mib = psutil.virtual_memory().total // 2**20
    gib = round(memory_mib / 1024)
    name = gpus[0].name if gpus else cpu.name
    return Machine(
        format=1,
        id=machine_id or slug(f"{name} {cpu.threads}t {gib}g"),
        label=_label(name, cpu.threads, gib, on_gpu=bool(gpus)),
        cpu=cpu,
        memory_mib=memory_mib,
        gpus=gpus,
        os=_os(),
    )


def state(machine: Machine) -> MachineState:
    """What may differ from one day to the next."""
    load = None
    with contextlib.suppress(OSError):
        load = round(psutil.getloadavg()[0], 2)
    now = _gpus()
    return MachineState(
        id=machine.id,
        load_before=load,
        busy_before=round(psutil.cpu_percent(interval=1) / 100, 3),
        power_limit_w=now[0].power_limit_w if now else None,
        driver=now[0].driver if now else None,
    )


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


def _cpu() -> Cpu:
    threads = psutil.cpu_count() or 1
    return Cpu(name=_cpu_name(), cores=psutil.cpu_count(logical=False) or threads, threads=threads)


def _cpu_name() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        found = re.search(r"^model name\s*:\s*(.+)$", info.read_text(), re.MULTILINE)
        if found:
            return found[1].strip()
    return platform.processor() or platform.machine()


def _os() -> str:
    with contextlib.suppress(OSError):
        return platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    return f"{platform.system()} {platform.release()}"


def _gpus() -> tuple[Gpu, ...]:
    """NVIDIA cards as the driver's own tool names them, else AMD cards from sysfs."""
    return _nvidia() or _amd()


def _nvidia() -> tuple[Gpu, ...]:
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return ()
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(
            [tool, f"--query-gpu={_NVIDIA}", "--format=csv,noheader,nounits"],
            capture_output=True,
            text=True,
            timeout=20,
            check=True,
        )
        return tuple(_nvidia_card(row) for row in csv.reader(done.stdout.splitlines()) if row)
    return ()


def _nvidia_card(row: list[str]) -> Gpu:
    name, memory, power, driver = (cell.strip() for cell in row)
    return Gpu(name=name, vram_mib=_number(memory), power_limit_w=_number(power), driver=driver)


def _amd() -> tuple[Gpu, ...]:
    found = []
    for total in sorted(Path("/sys/class/drm").glob("card*/device/mem_info_vram_total")):
        name = total.with_name("product_name")
        text = name.read_text().strip() if name.exists() else ""
        found.append(Gpu(name=text or "AMD GPU", vram_mib=int(total.read_text()) / 2**20))
    return tuple(found)


def _number(text: str) -> float | None:
    with contextlib.suppress(ValueError):
        return float(text)
    return None
