"""What a machine says of itself, and what it keeps to itself."""

import platform
import shutil
from pathlib import Path
from types import SimpleNamespace

import psutil
import pynvml
import pytest

from measure.fake_system import MIB, NvmlError, amd_card, at, i915_card, nvml, xe_card
from speculoos.measure import cpu, machine
from speculoos.measure.cards import DrmCards
from speculoos.measure.nvidia import Nvidia
from speculoos.record.store import save


def test_this_machine_describes_itself():
    """Processor, memory and system are those that the system names."""
    found = machine.describe()
    assert found.cpu.threads == psutil.cpu_count()
    assert found.memory_mib == psutil.virtual_memory().total // 2**20
    assert found.os
    assert found.id == machine.slug(found.id)


def test_the_state_of_this_machine_is_read_before_a_measurement():
    """Load, kernel and free memory; energy, or the reason why there is none."""
    state = machine.state(machine.describe("rig"), over_s=0.2)
    assert state.id == "rig"
    assert 0 <= (state.busy_before or 0) <= 1
    assert (state.memory_available_mib or 0) > 0
    assert bool(state.idle) != bool(state.energy_absent)


def test_a_card_of_amd_is_read_from_the_files_of_its_driver(tmp_path):
    """Name, memory, power limit, screen, clock and heat; built-in graphics are no card."""
    amd_card(tmp_path)
    cards = DrmCards(tmp_path)
    (card,) = cards.describe()
    assert (card.name, card.vram_mib, card.power_limit_w) == ("Radeon Test", 16384, 250)
    assert cards.display() is True
    assert (cards.state().mhz, cards.state().celsius) == (2400, 61)
    assert cards.energy_j() is None


def test_a_card_of_intel_is_read_from_the_files_of_xe(tmp_path):
    """Memory of all tiles, the sustained limit of what limits at all, the hottest sensor."""
    xe_card(tmp_path)
    cards = DrmCards(tmp_path)
    (card,) = cards.describe()
    assert (card.vram_mib, card.power_limit_w, cards.energy_j()) == (16384, 190, 7)
    state = cards.state()
    assert (state.mhz, state.celsius, state.limits) == (2000, 71, {"power-cap"})


def test_a_card_of_intel_is_read_from_the_files_of_i915(tmp_path):
    """How much memory it has is unknown, not 0; its parts have sensors that are not the card's."""
    i915_card(tmp_path)
    cards = DrmCards(tmp_path)
    (card,) = cards.describe()
    assert (card.vram_mib, card.power_limit_w, cards.energy_j()) == (None, 225, 3)
    assert (cards.state().mhz, cards.state().limits) == (2400, {"thermal"})


def test_a_power_limit_that_is_switched_off_is_none(tmp_path):
    """The driver says 0 for it."""
    i915_card(tmp_path)
    at(tmp_path, "sys/class/drm/card0/device/hwmon/hwmon4/power1_max", 0)
    assert DrmCards(tmp_path).describe()[0].power_limit_w is None


def test_the_driver_of_a_card_is_named_where_it_has_no_version(tmp_path):
    """Drivers that come with Linux have none of their own; its release stands beside them."""
    xe_card(tmp_path)
    drivers = tmp_path / "sys/bus/pci/drivers"
    (drivers / "xe").mkdir(parents=True)
    (tmp_path / "sys/class/drm/card0/device/driver").symlink_to(drivers / "xe")
    assert DrmCards(tmp_path).describe()[0].driver == "xe"
    at(tmp_path, "sys/module/xe/version", "1.2")
    assert DrmCards(tmp_path).describe()[0].driver == "1.2"


def test_memory_on_a_card_is_counted_once_for_each_client(tmp_path):
    """A process that opens a card twice shows the same client in two files."""
    told = "drm-driver:\tamdgpu\ndrm-pdev:\t0000:03:00.0\ndrm-client-id:\t{}\n"
    held = told + "drm-resident-vram:\t{} KiB\ndrm-resident-gtt:\t9999 KiB"
    at(tmp_path, "proc/7/fdinfo/5", held.format(3, 2048))
    at(tmp_path, "proc/7/fdinfo/6", held.format(3, 2048))
    at(tmp_path, "proc/7/fdinfo/9", held.format(4, 1024))
    at(tmp_path, "proc/8/fdinfo/5", held.format(5, 4096))
    assert DrmCards(tmp_path).used_mib({7}) == 3.0
    assert DrmCards(tmp_path).used_mib({9}) is None


def test_a_card_of_nvidia_is_asked_through_its_driver():
    """The same, in the units of the record; memory and programs by process."""
    cards = Nvidia(nvml())
    (card,) = cards.describe()
    assert (card.name, card.vram_mib, card.power_limit_w) == ("NVIDIA Test 24G", 24576, 350)
    assert card.driver == "575.1"
    assert (cards.energy_j(), cards.display(), cards.processes()) == (5, True, 2)
    assert (cards.used_mib({7}), cards.used_mib({1})) == (900, None)
    assert cards.state().limits == {"thermal"}


def test_a_program_that_computes_and_draws_is_counted_once():
    """The driver names it in both lists, with the same memory."""
    both = [SimpleNamespace(pid=7, usedGpuMemory=900 * MIB)]
    cards = Nvidia(
        nvml(DeviceGetComputeRunningProcesses=both, DeviceGetGraphicsRunningProcesses=both)
    )
    assert (cards.used_mib({7}), cards.processes()) == (900, 1)


def test_what_a_driver_does_not_tell_is_absent():
    """An old card counts no energy, and a container sees no other processes: None, never 0."""
    unknown = NvmlError("Not Supported")
    cards = Nvidia(
        nvml(
            DeviceGetTotalEnergyConsumption=unknown,
            DeviceGetDisplayMode=unknown,
            DeviceGetComputeRunningProcesses=unknown,
            DeviceGetEnforcedPowerLimit=unknown,
        )
    )
    assert (cards.energy_j(), cards.display(), cards.used_mib({7})) == (None, None, None)
    assert cards.describe()[0].power_limit_w is None


def test_the_names_that_are_asked_of_a_driver_exist():
    """The library that is installed has every call and constant that the tests stand in for."""
    assert [name for name in vars(nvml()) if not hasattr(pynvml, name)] == []


def test_without_a_driver_there_is_no_card():
    """As on a machine without one, where the library is not found."""
    cards = Nvidia(nvml(Init=NvmlError("Library Not Found")))
    assert cards.describe() == ()
    assert (cards.energy_j(), cards.processes(), cards.display()) == (None, None, None)
    assert cards.state().mhz is None


def test_governor_and_clock_limits_are_read_where_the_system_shows_them(tmp_path):
    """The highest limit counts; governors that differ are all named."""
    for number, (name, khz) in enumerate([("powersave", 3_000_000), ("performance", 4_200_000)]):
        folder = f"sys/devices/system/cpu/cpu{number}/cpufreq"
        at(tmp_path, f"{folder}/scaling_governor", name)
        at(tmp_path, f"{folder}/scaling_max_freq", khz)
    assert cpu.governor(tmp_path) == "performance, powersave"
    assert cpu.allowed_mhz(tmp_path) == 4200
    assert cpu.governor(tmp_path / "nothing") is None


@pytest.fixture
def secret_owner(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine whose host, user, home and serial numbers all say SECRET; its tree."""
    home = tmp_path / "home" / "SECRETUSER"
    for name in ("HOME", "PWD"):
        monkeypatch.setenv(name, str(home))
    for name in ("USER", "LOGNAME", "LNAME", "USERNAME"):
        monkeypatch.setenv(name, "SECRETUSER")
    monkeypatch.setattr(platform, "node", lambda: "secrethost.secretdomain")
    monkeypatch.setattr(platform, "release", lambda: "6.1.0-SECRETHOST-SECRETUSER-amd64")
    root = tmp_path / "root"
    amd_card(root)
    at(root, "proc/cpuinfo", "model name\t: Test CPU\nserial\t\t: SECRET-SERIAL")
    at(root, "sys/class/dmi/id/product_serial", "SECRET-SERIAL")
    at(root, "etc/machine-id", "SECRET-ID")
    return root


def test_nothing_private_reaches_the_file_of_a_machine(secret_owner, tmp_path):
    """No host or user name, no home, no serial number."""
    path = tmp_path / "machine.yaml"
    save(machine.describe(root=secret_owner), path)
    assert "Test" in path.read_text()
    assert "secret" not in path.read_text().lower()


def test_nothing_private_reaches_the_state_of_a_machine(secret_owner):
    """A kernel that carries the names of its host and its maker loses them."""
    state = machine.state(machine.describe(root=secret_owner), secret_owner, over_s=0.05)
    assert state.kernel == "6.1.0-amd64"
    assert "secret" not in repr(state).lower()


def test_nothing_private_reaches_the_files_of_a_measurement(
    secret_owner, measured, server, tiny, tmp_path
):
    """A model in the home of its owner: only its name stands in the record."""
    model = tmp_path / "home" / "SECRETUSER" / "models" / tiny.name
    model.parent.mkdir(parents=True)
    shutil.copyfile(tiny, model)
    record, _ = measured(server.path, model, depths=(1,))
    assert record.model.file == tiny.name
    assert any(run.samples for run in record.runs)
    written = [path.read_text() for path in (tmp_path / "measurements").rglob("*.yaml")]
    assert written
    assert not [text for text in written if "secret" in text.lower()]


def test_nvidia_is_never_asked_for_a_serial_number():
    """The driver would tell it."""
    assert "SECRET" not in repr(Nvidia(nvml()).describe())
