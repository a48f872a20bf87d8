import shlex
from collections.abc import Iterator
from pathlib import Path

from speculoos.options import MEASUREMENTS


def way_to_the_site(path: Path) -> Iterator[str]:
    """What to type next for a result to reach the site; nothing for one that lies elsewhere."""
    folder = path.parent
    if folder.parent.name != MEASUREMENTS.name:
        return
    if not any((above / ".git").exists() for above in path.absolute().parents):
        yield "To add it to the site, paste this file and machine.yaml into the issue form there:"
        yield "  A measurement, without git"
        return
    yield "To add it to the site:"
    yield f"  speculoos check {shlex.quote(str(folder))}"
    yield f"  git switch -c {path.stem}"
    yield f"  git add {shlex.quote(str(folder))}"
    yield f"  git commit -m 'Measure {path.stem[11:]} on {folder.name}'"
    yield "  git push -u origin HEAD      and open a pull request from that branch"
