"""Writing YAML: canonical, one sample a line, read back to the same record and the same bytes."""

import string
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import factories
from speculoos.record.store import dump, load_measurement, save, writer
from speculoos.record.store.reader import parse, visible
from speculoos.record.types import Bilingual, Incident

TEXTS = st.one_of(
    st.text(st.characters(codec="utf-8"), min_size=1).map(visible).filter(str.strip),
    st.sampled_from(["no", "12:30", "1e3", "007", "1_0", "~", "null", "2026-11-29", "- a", "a: b"]),
    st.text(string.digits + "_:.-+eE", min_size=1, max_size=8),
)


@settings(deadline=None)
@given(text=TEXTS, milliseconds=st.floats(0, 1e9), counts=st.lists(st.integers(0, 10**9)))
def test_a_record_reads_back_equal_and_writes_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, text: str, milliseconds: float, counts: list[int]
):
    """Whatever the texts look like: quoted where a reader would take them for something else."""
    sample = factories.drafted(predicted_ms=milliseconds, accepted_per_position=tuple(counts))
    record = factories.measurement(
        factories.run(factories.mtp(2), sample, args=(text,)),
        contributor=text[:2000],
        notes=Bilingual(fr=text[:2000], en=text[:2000]),
    )
    path = tmp_path_factory.mktemp("round") / "a.yaml"
    save(record, path)
    read = load_measurement(path).record
    assert read == record
    assert dump(read) == path.read_text(encoding="utf-8")


def test_a_sample_is_one_line():
    """So that a diff shows which sample changed."""
    lines = dump(factories.measurement()).splitlines()
    assert sum(line.startswith("  - {prompt: ") for line in lines) == 2
    assert all("wall_ms" in line for line in lines if line.startswith("  - {prompt: "))


def test_an_empty_list_of_counts_is_not_an_unknown_one():
    """A baseline that drafted nothing has no positions, which is known."""
    text = dump(factories.measurement())
    assert "accepted_per_position: []" in text


def test_an_incident_is_kept(tmp_path: Path):
    """A crash is a result: kind, signal and line come back."""
    incident = Incident(kind="crash", signal="SIGABRT", line="GGML_ASSERT(x)", after_samples=0)
    record = factories.measurement(factories.run(factories.mtp(3), incident=incident))
    save(record, tmp_path / "a.yaml")
    assert load_measurement(tmp_path / "a.yaml").record.runs[0].incident == incident


def test_a_line_with_colours_is_written_so_that_it_reads_back(tmp_path: Path):
    """A mark stands in place of each sign that the reader refuses."""
    seen = Incident(kind="crash", line="\x1b[31mE\x1b[0m \u202efailed", after_samples=0)
    path = tmp_path / "a.yaml"
    save(factories.measurement(factories.run(factories.mtp(2), incident=seen)), path)
    (run,) = load_measurement(path).record.runs
    assert run.incident.line == "\ufffd[31mE\ufffd[0m \ufffdfailed"


def test_saving_leaves_no_other_file_behind(tmp_path: Path):
    """The temporary file is renamed, never left."""
    save(factories.measurement(), tmp_path / "a.yaml")
    assert [path.name for path in tmp_path.iterdir()] == ["a.yaml"]


def test_a_failed_save_keeps_the_file_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """When the disk is full, the last whole record stays."""
    path = tmp_path / "a.yaml"
    save(factories.measurement(), path)
    before = path.read_bytes()

    def full(_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space") as caught:
        save(factories.measurement(contributor="another"), path)
    assert caught.value.filename == str(path)
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["a.yaml"]


def test_dates_are_written_plain():
    """`date: 2026-11-29` needs no quotes, and is read as text that names a day."""
    assert "\ndate: 2026-11-29\n" in dump(factories.measurement())
    assert parse(b"date: 2026-11-29").data == {"date": "2026-11-29"}


@pytest.mark.parametrize("text", ["plain", "a 😀", "C:\\Users", "no", "a: b # c", "é…\u3000"])
def test_the_fast_writer_writes_what_the_plain_one_does(text: str):
    """Byte for byte, in a mapping, a list and on one line: which one a system has shows nowhere."""
    data = {"k": text, "l": writer._Row([text]), "m": writer._Line({"a": text}), "n": [{"x": text}]}
    assert writer._yaml(data) == writer._dumped(data, writer._DUMPER)
    assert "\\U" not in writer._yaml(data) or "\\U" in text
