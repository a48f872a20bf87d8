"""YAML files to records and back, every key with its line."""

from speculoos.record.store.collection import (
    FOLDER,
    Collection,
    Source,
    find_root,
    load_collection,
    sha256_from,
    sha256_of,
)
from speculoos.record.store.document import (
    Document,
    load,
    load_machine,
    load_measurement,
    load_prompt_set,
)
from speculoos.record.store.merged import Merged, differences
from speculoos.record.store.reader import Key
from speculoos.record.store.schema import SCHEMA_FILE, schema_text
from speculoos.record.store.template import lacking, template
from speculoos.record.store.wording import dotted, explain
from speculoos.record.store.writer import dump, save, write_whole

__all__ = [
    "FOLDER",
    "SCHEMA_FILE",
    "Collection",
    "Document",
    "Key",
    "Merged",
    "Source",
    "differences",
    "dotted",
    "dump",
    "explain",
    "find_root",
    "lacking",
    "load",
    "load_collection",
    "load_machine",
    "load_measurement",
    "load_prompt_set",
    "save",
    "schema_text",
    "sha256_from",
    "sha256_of",
    "template",
    "write_whole",
]
