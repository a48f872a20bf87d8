"""The committed schema is the one of the types, and accepts what the writer writes."""

import json
from pathlib import Path

import jsonschema

import factories
from speculoos.record.store import schema_text

COMMITTED = Path(__file__).parents[2] / "measurements" / "schema.json"


def test_the_committed_schema_is_that_of_the_types():
    """`speculoos schema` writes it again after a change."""
    assert COMMITTED.read_text(encoding="utf-8") == schema_text()


def test_the_schema_accepts_a_written_record_and_refuses_an_unknown_key():
    """What an editor checks is what `speculoos check` checks."""
    validator = jsonschema.Draft202012Validator(json.loads(schema_text()))
    data = factories.measurement().model_dump(mode="json", exclude_none=True)
    assert list(validator.iter_errors(data)) == []
    assert list(validator.iter_errors(data | {"speed": 3}))
