"""Trees of /proc and /sys as Linux writes them, for hardware that this machine lacks."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

MIB = 2**20


def at(root: Path, path: str, content: object) -> None:
    """Write one file below `root`."""
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"{content}\n", encoding="utf-8")


def rapl(root: Path, zone: str, name: str, energy_uj: int, range_uj: int = 10**9) -> None:
    """One counter of energy."""
    for file, content in (("name", name), ("energy_uj", energy_uj)):
        at(root, f"sys/class/powercap/{zone}/{file}", content)
    at(root, f"sys/class/powercap/{zone}/max_energy_range_uj", range_uj)


def amd_card(root: Path) -> None:
    """A card of 16 GiB with a screen, as amdgpu shows it, its serial number included."""
    card = "sys/class/drm/card1"
    at(root, f"{card}/device/vendor", "0x1002")
    at(root, f"{card}/device/product_name", "Radeon Test")
    at(root, f"{card}/device/serial_number", "SECRET-SERIAL")
    at(root, f"{card}/device/unique_id", "SECRET-SERIAL")
    at(root, f"{card}/device/mem_info_vram_total", 16 * 2**30)
    at(root, f"{card}/device/hwmon/hwmon3/power1_cap", 250_000_000)
    for number, celsius in enumerate((48, 61, 56), start=1):  # edge, junction, memory
        at(root, f"{card}/device/hwmon/hwmon3/temp{number}_input", celsius * 1000)
    at(root, f"{card}/device/hwmon/hwmon3/freq1_input", 2_400_000_000)
    at(root, "sys/class/drm/card1-DP-1/status", "disconnected")
    at(root, "sys/class/drm/card1-HDMI-A-1/status", "connected")
    at(root, "sys/class/drm/card0/device/vendor", "0x8086")  # built-in graphics: no memory


def xe_card(root: Path) -> None:
    """A card of two tiles of 8 GiB as xe shows it: its burst limit is not the sustained one."""
    device = "sys/class/drm/card0/device"
    at(root, f"{device}/vendor", "0x8086")
    for tile in (0, 1):
        at(root, f"{device}/tile{tile}/physical_vram_size_bytes", 8 * 2**30)
        at(root, f"{device}/tile{tile}/gt{tile}/freq0/act_freq", 2000 + tile)
        at(root, f"{device}/tile{tile}/gt{tile}/freq0/throttle/reason_pl1", tile)
        at(root, f"{device}/tile{tile}/gt{tile}/freq0/throttle/reason_thermal", 0)
    sensors = {"power1_max": 0, "power2_max": 190_000_000, "power1_cap": 400_000_000}
    sensors |= {"energy2_input": 7_000_000, "temp2_input": 55_000, "temp3_input": 71_000}
    for name, value in sensors.items():
        at(root, f"{device}/hwmon/hwmon2/{name}", value)


def i915_card(root: Path) -> None:
    """A card as the i915 of Linux shows it: it does not say how much memory there is."""
    card = "sys/class/drm/card0"
    at(root, f"{card}/device/vendor", "0x8086")
    at(root, f"{card}/gt/gt0/rps_act_freq_mhz", 2400)
    at(root, f"{card}/gt/gt0/throttle_reason_status", 1)
    at(root, f"{card}/gt/gt0/throttle_reason_prochot", 1)
    at(root, f"{card}/gt/gt0/throttle_reason_pl1", 0)
    for sensor, name, energy in (("hwmon1", "i915_gt0", 1), ("hwmon4", "i915", 3_000_000)):
        at(root, f"{card}/device/hwmon/{sensor}/name", name)
        at(root, f"{card}/device/hwmon/{sensor}/energy1_input", energy)
    at(root, f"{card}/device/hwmon/hwmon4/power1_max", 225_000_000)


class NvmlError(Exception):
    """What the driver's library raises."""


def nvml(**answers: Any) -> SimpleNamespace:
    """The driver's library with one card; an answer that is an exception is raised.

    Only what is asked of a real library is here: the calls' names are those of `pynvml`.
    """
    said: dict[str, Any] = {
        "Init": None,
        "DeviceGetCount": 1,
        "DeviceGetHandleByIndex": "card",
        "DeviceGetName": "NVIDIA Test 24G",
        "DeviceGetMemoryInfo": SimpleNamespace(total=24 * 2**30),
        "DeviceGetEnforcedPowerLimit": 350_000,
        "SystemGetDriverVersion": "575.1",
        "DeviceGetTotalEnergyConsumption": 5_000,
        "DeviceGetComputeRunningProcesses": [
            SimpleNamespace(pid=7, usedGpuMemory=900 * MIB),
            SimpleNamespace(pid=8, usedGpuMemory=50 * MIB),
        ],
        "DeviceGetGraphicsRunningProcesses": [],
        "DeviceGetDisplayMode": 1,
        "DeviceGetClockInfo": 1800,
        "DeviceGetTemperature": 66,
        "DeviceGetCurrentClocksThrottleReasons": 0x1 | 0x20,
        "DeviceGetSerial": "SECRET-SERIAL",
        "DeviceGetUUID": "GPU-SECRET-SERIAL",
    } | answers
    reasons = {"SwPowerCap": 4, "SwThermalSlowdown": 0x20, "HwThermalSlowdown": 0x40}
    reasons |= {"HwPowerBrakeSlowdown": 0x80, "ApplicationsClocksSetting": 2}
    return SimpleNamespace(
        NVMLError=NvmlError,
        NVML_CLOCK_SM=1,
        NVML_TEMPERATURE_GPU=0,
        **{f"nvml{name}": _answer(value) for name, value in said.items()},
        **{f"nvmlClocksThrottleReason{name}": bit for name, bit in reasons.items()},
    )


def _answer(value: Any) -> Any:
    def answer(*_about: object) -> Any:
        if isinstance(value, Exception):
            raise value
        return value

    return answer
