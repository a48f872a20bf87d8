"""The loader and the rules under a fuzzer that follows coverage; not part of the suite.

    pip install atheris
    python tests/record/fuzz_with_atheris.py -max_total_time=600

It starts from a good file and stops at the first traceback, or at an input that takes too long.
"""

import sys
import tempfile
from pathlib import Path

import atheris

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "scripts")]

with atheris.instrument_imports(include=["speculoos.record"]):
    from record import good_file
    from speculoos.record.checks import check_paths

FOLDER = tempfile.TemporaryDirectory()
GOOD = good_file.write(Path(FOLDER.name) / "measurements")
CORPUS = Path(FOLDER.name) / "corpus"


def once(content: bytes) -> None:
    """Check one input; each problem must be one plain line."""
    GOOD.write_bytes(content)
    for problem in check_paths([GOOD]):
        assert str(problem).isprintable()


if __name__ == "__main__":
    CORPUS.mkdir()
    (CORPUS / "good.yaml").write_bytes(GOOD.read_bytes())
    atheris.Setup([sys.argv[0], "-timeout=5", "-max_len=20000", *sys.argv[1:], str(CORPUS)], once)
    atheris.Fuzz()
