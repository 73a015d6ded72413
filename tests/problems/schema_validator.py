"""Whether the JSON Schema of the sources refuses what a build reports about one file alone."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jsonschema
from conftest import ROOT
from core_yaml import read_core_yaml

from tenure.problems import Problem
from tenure.sources.json_schema import build_schemas, schema_modeline

SCHEMAS = build_schemas(ROOT)

SCHEMA_CODES = frozenset(
    ["unknown-key", "missing-key", "wrong-shape", "key-twice", "bad-number", "bad-choice", "bad-language", "unknown-option", "schema-version"]
)  # fmt: skip
"""Codes of errors that one file alone shows."""

ACCEPTED_BY_SCHEMA = {
    "a colour's name misspelt": "a colour may be one's own",
    "a colour that is no colour": "the same",
    "an accent of any theme that is no colour": "the same",
    "a colour that YAML takes for a comment": "the same",
    "a colour of a theme of one's own that lacks its dark half": "the same",
    "a palette of a theme of one's own without a ground": "the same",
    "a default that is no choice": "a default may be any text but for a choice",
    "a look that there is not": "looks are files of themes",
    "an accent that is no colour": "a name or a colour code",
    "the URL of a language on a site that has none, and an invalid one": "that the site needs a URL too is known to the build",
    "entries without a word": "which one of several keys it is does not matter",
    "margins for three sides": "how many values a key takes is known to the build alone",
    "two names of one field with different values": "a schema does not compare the values of two keys",
    "numbers that count nothing": "the least that a number may be, likewise",
    "a year of citations that is none": "the years are keys of a mapping of texts",
    "a name that nobody can see": "a schema does not know which characters are invisible",
}
"""Cases with these codes that the schema accepts, with the reason."""


def create_validator(name: str) -> Any:
    return jsonschema.Draft7Validator(SCHEMAS[name])


def name_of(file: str) -> str:
    """Return the name of the schema in the first line of a file."""
    return Path(schema_modeline(file).partition("=")[2].strip()).stem


def list_schema_differences(title: str, sources: str, problems: Iterable[Problem]) -> list[str]:
    """Return the messages about wrong keys and types that the schema of their file does not share."""
    parts = re.split(r"^-- (\S+) --\n", sources, flags=re.MULTILINE)
    texts = dict(zip(parts[1::2], parts[2::2], strict=True))
    return [
        problem.message
        for problem in problems
        if problem.code in SCHEMA_CODES and schema_modeline(problem.place.file)
        if create_validator(name_of(problem.place.file)).is_valid(read_core_yaml(texts[problem.place.file]))
        != (title in ACCEPTED_BY_SCHEMA)
    ]
