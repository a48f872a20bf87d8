"""What this machine's processor and system can run."""

import platform
import sys
from pathlib import Path

GLIBC = (2, 35)
"""The oldest that the pinned servers are linked against (manylinux_2_35)."""


def cpu_flags(cpuinfo: Path = Path("/proc/cpuinfo")) -> frozenset[str]:
    """Instruction sets of the processor as Linux names them; empty where it does not say."""
    try:
        lines = cpuinfo.read_text(errors="replace").splitlines()
    except OSError:
        return frozenset()
    flags = (line.partition(":")[2] for line in lines if line.startswith("flags"))
    return frozenset(next(flags, "").split())


def unsupported() -> str | None:
    """Say why no pinned server can start on this system; None where one may."""
    if sys.platform != "linux" or platform.machine() not in {"x86_64", "AMD64"}:
        return f"{platform.system()} on {platform.machine()}, expected Linux on x86_64"
    library, version = platform.libc_ver()
    if library != "glibc" or tuple(map(int, version.split(".")[:2])) < GLIBC:
        needed = ".".join(map(str, GLIBC))
        return f"C library {library or 'unknown'} {version}, expected glibc {needed} or later"
    return None
