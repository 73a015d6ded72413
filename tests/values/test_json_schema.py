"""The JSON Schema of the sources suggests keys and values with their help, and rejects nothing."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
from conftest import ROOT, Capture, run_in
from core_yaml import read_core_yaml

from tenure.record import Record
from tenure.sources.editing.json_schema import SCHEMA_FOLDER, build_schemas, schema_modeline
from tenure.sources.schema.spec import help_for_field, read_spec

SCHEMAS = build_schemas(ROOT)
SITES = [ROOT, *sorted(path.parent for path in ROOT.glob("examples/*/content"))]
FILES = [path for site in SITES for path in (site / "site.yaml", *sorted((site / "content").glob("*.yaml")))]


def test_each_file_is_a_valid_schema() -> None:
    for name, schema in SCHEMAS.items():
        jsonschema.Draft7Validator.check_schema(schema)
        refs = set(re.findall(r'"#/definitions/([\w-]+)"', json.dumps(schema)))
        assert refs <= set(schema.get("definitions", {})), name


def is_valid(path: Path) -> bool:
    site = path.parent.parent if path.parent.name == "content" else path.parent
    name = Path(schema_modeline(path.relative_to(site).as_posix()).partition("=")[2].strip()).stem
    validator = jsonschema.Draft7Validator(SCHEMAS[name])
    return bool(validator.is_valid(read_core_yaml(path.read_text("utf-8"))))


def test_sources_of_the_examples_are_valid() -> None:
    assert [path for path in FILES if not is_valid(path)] == []


def list_suggestions(schema: Any) -> Iterator[str]:
    """Yield the keys and the values that an editor suggests for a schema, without its definitions."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        yield from map(str, schema.get("enum", ()))
        for key, child in schema.items():
            yield from list_suggestions(child) if key != "definitions" else ()
    elif isinstance(schema, list):
        for child in schema:
            yield from list_suggestions(child)


SUGGESTED = """site theme accent folio citation_style ieee cvs
profile affiliation orcid kind group
talks entries language"""


def test_keys_values_and_options_are_suggested() -> None:
    for name, *words in map(str.split, SUGGESTED.splitlines()):
        schema = SCHEMAS[name]
        found = {*list_suggestions(schema), *list_suggestions(schema["definitions"].get("ThemeConfig", {}))}
        assert {*words} <= found, name
    talk = SCHEMAS["talks"]["definitions"]["Talk"]["properties"]
    assert {"title", "event", "start", "end", "links"} <= talk.keys()
    section = SCHEMAS["site"]["definitions"]["SectionConfig"]
    assert {"talks", "publications"} <= section["properties"].keys()


def list_record_types(base: type[Record]) -> Iterator[type[Record]]:
    for cls in base.__subclasses__():
        yield cls
        yield from list_record_types(cls)


def test_every_field_has_a_description() -> None:
    record_types = {cls.__name__: cls for cls in list_record_types(Record)}
    names = {name for schema in SCHEMAS.values() for name in schema.get("definitions", {})}
    fields_without_help = [
        f"{name}.{field}"
        for name in sorted({"Settings", "Profile"} | (names & record_types.keys()))
        for field in read_spec(record_types[name]).fields
        if not help_for_field(record_types[name], field)
    ]
    assert not fields_without_help, "write the help below the field"
    assert help_for_field(record_types["Talk"], "slides") == "the slides: a file in content/, or a URL"


def test_the_command_writes_the_schemas_and_prints_the_line_to_add(tmp_path: Path, capsys: Capture) -> None:
    assert run_in(tmp_path, "new", "site", "--name", "Ada Lovelace") == 0
    site = tmp_path / "site"
    assert sorted(path.stem for path in (site / SCHEMA_FOLDER).iterdir()) == sorted(SCHEMAS)
    (site / SCHEMA_FOLDER / "talks.json").unlink()
    (site / "content/talks.yaml").write_text("- A talk\n", "utf-8")
    capsys.readouterr()
    assert run_in(tmp_path, "schema", "--site", "site") == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0].startswith("wrote 17 schemas into ")
    assert [line.rpartition("/")[2] for line in out.splitlines()[1:]] == ["talks.json"]
    for path in (site / "site.yaml", site / "content/profile.yaml"):
        line = path.read_text("utf-8").splitlines()[0]
        assert (path.parent / line.partition("$schema=")[2]).resolve().is_file()


def test_no_help_of_a_form_shows_syntax() -> None:
    syntax = re.compile(r"[{}\[\]`]|content/|bib/|\.bib|\.yaml|\b(?:true|false)\b")
    tables = [(name, table) for schema in SCHEMAS.values() for name, table in schema["definitions"].items()]
    tables += [(name, SCHEMAS[name]) for name in ("site", "profile", "counts")]
    helps = {
        f"{name}.{field}": described.get("x-help", described["description"])
        for name, table in tables
        for field, described in table.get("properties", {}).items()
        if "title" in described
    }
    assert len(helps) > 200
    assert [name for name, text in helps.items() if syntax.search(text)] == []
    profile = SCHEMAS["profile"]["properties"]
    assert profile["photo_alt"]["title"] == "Photo description"
    assert " ".join(profile).startswith("name role affiliation photo email links tagline interests ")
    assert SCHEMAS["pages"]["definitions"]["Prose"]["properties"]["menu"]["default"] is True
