"""A child and all that it has started: none of it outlives us, however it was started."""

import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from math import inf
from pathlib import Path

import psutil
import pytest

from measure.harm import command, script, the_server
from speculoos.measure.server import Server, ServerError
from speculoos.parts.servers import ServerPart

pytestmark = pytest.mark.usefixtures("nothing_left")

KERNEL, GUARD = "", "sys.platform = 'another'"
"""What ends the server: Linux itself, or the shell beside it, as on every other Unix."""
STARTS = {
    "alone": 'exec "{}" "$@"',
    "wrapped": '"{}" "$@"',
    "in another session": 'setsid --wait "{}" "$@"',
    "in another session, behind a shell": 'setsid sh -c \'"$@"; exit $?\' sh "{}" "$@" & wait',
}
"""How a script starts the server."""
WRAPPED = [start for start in STARTS if start != "alone"]


def _wrapper(folder: Path, start: str, server: Path) -> Path:
    return script(folder / "wrapper.sh", STARTS[start].format(server), "exit $?")


def _assert_ended(processes: list[psutil.Process]) -> None:
    """Soon; one that nobody has asked for its exit code is a zombie."""
    _, alive = psutil.wait_procs(processes, timeout=10)
    assert [each for each in alive if each.status() != psutil.STATUS_ZOMBIE] == []


def test_a_stopped_child_is_ended_in_good_time(build, tiny: Path, tmp_path: Path):
    """A stopped process takes no TERM until it goes on."""
    with Server(command(build, tiny, tmp_path)) as running:
        the_server().suspend()
    assert running.child.exit_code is not None


@pytest.mark.parametrize("start", WRAPPED)
@pytest.mark.parametrize("budget_s", [inf, 2.0])
def test_what_a_wrapper_started_is_ended_with_it(
    server, tiny: Path, tmp_path: Path, start: str, budget_s: float
):
    """Whether its time is over or it is stopped, a script must not leave the server behind."""
    part = ServerPart(_wrapper(tmp_path, start, server.path), *["x"] * 4)
    wrapped = command(part, tiny, tmp_path)
    with Server(replace(wrapped, until=time.monotonic() + budget_s)) as running:
        assert running.owns_port()
        answers = the_server()
        assert answers.pid != running.child.process.pid
        if budget_s < inf:
            _assert_ended([answers])
    _assert_ended([answers])


def test_a_server_that_leaves_its_script_is_ended_all_the_same(server, tiny, tmp_path: Path):
    """A script that ends before its server gives nothing to measure, and leaves nothing."""
    lines = (f'setsid --fork "{server.path}" "$@"', "sleep 0.5", "exit 7")
    part = ServerPart(script(tmp_path / "wrapper.sh", *lines), *["x"] * 4)
    with pytest.raises(ServerError):
        Server(command(part, tiny, tmp_path)).__enter__()
    _assert_ended([each for each in psutil.process_iter() if str(tiny) in _words(each)])


def _words(process: psutil.Process) -> list[str]:
    with suppress(psutil.Error):
        return process.cmdline()
    return []


@pytest.mark.skipif(sys.platform == "win32", reason="nothing ends a child with its parent")
@pytest.mark.parametrize(
    ("system", "start"),
    [(system, start) for system in (KERNEL, GUARD) for start in STARTS],
)
def test_no_server_survives_a_killed_tool(
    build, tiny: Path, tmp_path: Path, system: str, start: str
):
    """Kill -9 of the tool leaves nobody to stop the child, or what a script before it started."""
    binary = _wrapper(tmp_path, start, build.path)
    code = (
        "import sys, time; from pathlib import Path\n"
        "from speculoos.measure.server import Command, Server\n"
        "binary, model, log = map(Path, sys.argv[1:])\n"
        f"{system}\n"
        "with Server(Command(binary, model, ('-c', '512'), log, 60)) as server:\n"
        "    print('ready', flush=True); time.sleep(60)\n"
    )
    args = [sys.executable, "-c", code, binary, tiny, tmp_path / "s.log"]
    with subprocess.Popen(args, stdout=subprocess.PIPE, text=True) as tool:
        assert tool.stdout.readline() == "ready\n"
        below = psutil.Process(tool.pid).children(recursive=True)
        assert any("llama-server" in each.name() for each in below)
        tool.kill()
    _assert_ended(below)


def test_a_server_that_cannot_be_started_leaves_nothing(tiny: Path, tmp_path: Path):
    """Neither a process nor the guard that would have watched it."""
    binary = tmp_path / "not-executable"
    binary.write_text("", encoding="utf-8")
    with pytest.raises(PermissionError, match="not-executable"):
        Server(command(ServerPart(binary, *["x"] * 4), tiny, tmp_path)).__enter__()
