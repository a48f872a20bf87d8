"""YAML files to records and back, every key with its line."""

from speculoos.record.store.collection import (
    Collection,
    Document,
    find_root,
    load_collection,
    load_machine,
    load_measurement,
    load_prompt_set,
    load_sources,
    sha256_of,
)
from speculoos.record.store.schema import SCHEMA_FILE, schema_text
from speculoos.record.store.writer import dump, save

__all__ = [
    "SCHEMA_FILE",
    "Collection",
    "Document",
    "dump",
    "find_root",
    "load_collection",
    "load_machine",
    "load_measurement",
    "load_prompt_set",
    "load_sources",
    "save",
    "schema_text",
    "sha256_of",
]
