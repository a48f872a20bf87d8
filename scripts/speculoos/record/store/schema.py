"""`measurements/schema.json`: what editors complete and check from, made from the types."""

import json

from speculoos.record.types import Measurement

SCHEMA_FILE = "schema.json"


def schema_text() -> str:
    """The JSON Schema of a measurement's file, the same bytes every time."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "speculoos measurement",
        **Measurement.model_json_schema(),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
