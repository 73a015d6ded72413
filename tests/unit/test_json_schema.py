"""The JSON Schema of the sources accepts what builds, and refuses the keys and types that the build reports."""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NewType

import jsonschema
import pytest
from conftest import ROOT, run_in
from core_yaml import read_core_yaml

from tenure.model.dates import Date, Period
from tenure.model.entries import Point
from tenure.model.languages import Language
from tenure.model.links import Link, Url
from tenure.model.site import ThemeConfig
from tenure.problems import Problems
from tenure.record import Record
from tenure.sources.files import parse_markdown_file, parse_yaml
from tenure.sources.json_schema import SCHEMA_FOLDER, schema_modeline
from tenure.sources.schema.decode import decode_node, is_nested_type
from tenure.sources.schema.field_rules import help_for_field, read_field_rules
from tenure.sources.translations import LanguageSelection

sys.path.append(str(ROOT / "tests/problems"))
from schema_validator import SCHEMAS, create_validator, name_of

SITES = [ROOT, *sorted(path.parent for path in ROOT.glob("examples/*/content"))]
FILES = [path for site in SITES for path in (site / "site.yaml", *sorted((site / "content").glob("*.yaml")))]
TEXTS = [path for site in SITES for path in sorted((site / "content").glob("*/*.md"))]


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_file_is_a_valid_schema(name: str) -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMAS[name])
    refs = set(re.findall(r'"#/definitions/([\w-]+)"', json.dumps(SCHEMAS[name])))
    assert refs <= set(SCHEMAS[name].get("definitions", {}))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_sources_of_the_examples_are_valid(path: Path) -> None:
    site = path.parent.parent if path.parent.name == "content" else path.parent
    actual = create_validator(name_of(path.relative_to(site).as_posix())).iter_errors(
        read_core_yaml(path.read_text(encoding="utf-8"))
    )
    assert [error.message for error in actual] == []


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_front_matter_is_an_entry(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    front = parse_markdown_file(text, path.name, Problems())
    assert front is not None
    whole = SCHEMAS[name_of(f"content/{path.parent.name}.yaml")]
    entry = {"$ref": whole["items"]["$ref"], "definitions": whole["definitions"]}
    front_matter = read_core_yaml(text.split("---\n")[1]) if text.startswith("---\n") else {}
    assert [error.message for error in jsonschema.Draft7Validator(entry).iter_errors(front_matter)] == []


def test_every_field_has_a_description() -> None:
    record_types = {cls.__name__: cls for cls in list_record_types(Record)}
    names = {name.partition("-")[0] for schema in SCHEMAS.values() for name in schema.get("definitions", {})}
    fields_without_help = [
        f"{name}.{rule.field}"
        for name in sorted({"Settings", "Profile", "ThemeOption"} | (names & record_types.keys()))
        for rule in read_field_rules(record_types[name])
        if not rule.is_computed and not help_for_field(record_types[name], rule.field)
    ]
    assert not fields_without_help, "write the help below the field"
    assert help_for_field(record_types["Talk"], "slides") == "the slides: a file in content/, or a URL"
    assert help_for_field(record_types["Talk"], "tags").startswith("tags; sections can filter by them")


def find_example(value_type: Any) -> str:
    """Return a valid value of a type."""
    if value_type in (Date, Period):
        return "2024"
    return "text" if value_type not in (Link, Url) else "https://example.org/"


def list_translated_values(cls: type[Record]) -> Iterator[tuple[str, Any, Any]]:
    """Yield each field of a record that has texts, with a value, and the value with a text for each language."""
    for rule in read_field_rules(cls):
        value_type = rule.value_type
        is_text = value_type in (str, Link, Point) or isinstance(value_type, NewType)
        if is_nested_type(value_type) and value_type is not ThemeConfig:
            is_text = any(nested_rule.is_main for nested_rule in read_field_rules(value_type))
        if rule.is_computed or rule.takes_extra_fields or not is_text:
            continue
        text = find_example(value_type)
        texts = {"en": text, "de": text}
        yield rule.field, text, texts
        if rule.is_list:
            yield rule.field, [text, text], [texts, text]
            yield rule.field, [text, text], {"en": [text, text], "de": [text]}
        if value_type is Link:
            yield rule.field, {"code": text}, {"code": texts}


def find_errors(record: Mapping[str, Any], cls: type[Record], languages: Sequence[str]) -> list[str]:
    """Return the errors that a build reports for a record of a site in these languages."""
    problems = Problems()
    node = parse_yaml(json.dumps(record), "a.yaml", problems)
    assert node is not None
    selection = LanguageSelection(Language(languages[-1]), tuple(map(Language, languages)))
    decode_node(selection.select(node, problems), cls, problems, cls.__name__)
    return [p.message for p in problems.sorted_problems() if p.level == "error"]


def test_a_text_in_several_languages_is_accepted_in_every_field() -> None:
    """Editors and the build accept it in each field, list and link, and instead of a record that a text replaces."""
    record_types = {cls.__name__: cls for cls in list_record_types(Record)}
    definitions = {name: schema for schema in SCHEMAS.values() for name in schema["definitions"]}
    accepted_count = 0
    for name in definitions.keys() & record_types.keys() - {"Checks", "ThemeConfig"}:
        cls = record_types[name]
        required = {
            rule.field: find_example(rule.value_type)
            for rule in read_field_rules(cls)
            if rule.is_required and not rule.is_computed
        }
        schema = {"$ref": f"#/definitions/{name}", "definitions": definitions[name]["definitions"]}
        editor = jsonschema.Draft7Validator(schema)
        for key, value, translated in list_translated_values(cls):
            if editor.is_valid({**required, key: value}):
                record = {**required, key: translated}
                assert editor.is_valid(record), f"{name}.{key}: {translated}"
                errors = find_errors({**required, key: value}, cls, ["en"])
                assert find_errors(record, cls, ["en", "de"]) == errors, f"{name}.{key}: {translated}"
                accepted_count += 1
    assert accepted_count > 400
    assert not create_validator("talks").is_valid([{"title": {"en": "A", "event": "B"}}])
    assert not create_validator("profile").is_valid({"name": "Ada", "affiliation": {"nme": "A"}})


def list_record_types(base: type[Record]) -> Iterator[type[Record]]:
    for cls in base.__subclasses__():
        yield cls
        yield from list_record_types(cls)


def test_the_command_writes_the_schemas_and_prints_the_line_to_add(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_in(tmp_path, "new", "site", "--name", "Ada Lovelace") == 0
    site = tmp_path / "site"
    assert sorted(path.stem for path in (site / SCHEMA_FOLDER).iterdir()) == sorted(SCHEMAS)
    (site / SCHEMA_FOLDER / "talks.json").unlink()
    (site / "content/talks.yaml").write_text("- A talk\n", encoding="utf-8")
    capsys.readouterr()
    assert run_in(tmp_path, "schema", "site") == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0].startswith("wrote 18 schemas into ")
    assert [line.rpartition("/")[2] for line in out.splitlines()[1:]] == ["talks.json"]
    for path in (site / "site.yaml", site / "content/profile.yaml"):
        line = path.read_text(encoding="utf-8").splitlines()[0]
        assert (path.parent / line.partition("$schema=")[2]).resolve().is_file()


def test_a_list_with_declared_fields_names_its_own_schema(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / "site.yaml").write_text(schema_modeline("site.yaml"), encoding="utf-8")
    patents = "fields: {number: text}\nentries:\n- {title: A, number: {en: EP 1, de: EP 1}}\n"
    path = tmp_path / "content/patents.yaml"
    own_line = "# yaml-language-server: $schema=../.schemas/patents.json"
    for first_line, order in (
        ("", "begin {} with: "),
        (schema_modeline("content/patents.yaml"), "replace the first line of {} by: "),
    ):
        path.write_text(first_line + patents, encoding="utf-8")
        assert run_in(tmp_path, "schema") == 0
        assert capsys.readouterr().out.splitlines()[1:] == [
            f"{order.format('content/patents.yaml')}{own_line}"
        ]
    path.write_text(f"{own_line}\n{patents}", encoding="utf-8")
    assert run_in(tmp_path, "schema") == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    schema = json.loads((tmp_path / ".schemas/patents.json").read_text(encoding="utf-8"))
    assert jsonschema.Draft7Validator(schema).is_valid(read_core_yaml(patents))


def test_without_a_site_no_schemas_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_in(tmp_path, "schema") == 2
    assert "no site" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_theme_options_are_those_of_the_chosen_theme() -> None:
    site = create_validator("site")
    assert site.is_valid({"theme": {"name": "folio", "accent": "ocean"}})
    assert site.is_valid({"theme": {"name": "classic", "font": "inter", "accent": "ocean"}})
    assert not site.is_valid({"theme": {"name": "folio", "notes": "end"}})
    assert site.is_valid({"theme": {"name": "stage", "palette": "pine"}})
    assert site.is_valid({"theme": {"name": "margin", "palette": "lapis"}})
    assert not site.is_valid({"theme": {"name": "stage", "palette": "lapis"}})
    assert not site.is_valid({"theme": {"name": "folio", "fonts": "comic"}})


@pytest.mark.parametrize(
    "address", ["https://x.org", "HTTPS://x.org", "talk.pdf", "/talks/", "mailto:a@b.org", "#top"]
)
def test_allowed_urls(address: str) -> None:
    assert create_validator("talks").is_valid([{"title": "A", "slides": address, "links": {"code": address}}])


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "c:/talk.pdf"]
)
def test_refused_urls(address: str) -> None:
    assert not create_validator("talks").is_valid([{"title": "A", "slides": address}])
    assert not create_validator("talks").is_valid([{"title": "A", "links": {"code": address}}])
