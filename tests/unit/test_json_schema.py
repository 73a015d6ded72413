"""The JSON Schema of the sources accepts what builds, and refuses the keys and types that the build reports."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import ROOT, run_in
from core_yaml import read

from tenure.problems import Problems
from tenure.record import Record
from tenure.sources.files import parse_markdown_file
from tenure.sources.json_schema import SCHEMA_FOLDER, build_schemas, schema_modeline
from tenure.sources.schema.field_help import help_for_field
from tenure.sources.schema.field_rules import read_field_rules

sys.path.append(str(ROOT / "tests/problems"))
from test_catalogue import CASES, Case, built, maker

SCHEMAS = build_schemas(ROOT)
SITES = [ROOT, *sorted(path.parent for path in ROOT.glob("examples/*/content"))]
FILES = [path for site in SITES for path in (site / "site.yaml", *sorted((site / "content").glob("*.yaml")))]
TEXTS = [path for site in SITES for path in sorted((site / "content").glob("*/*.md"))]

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
    "a default that is no choice": "a default may be any text but for a choice",
    "a look that there is not": "looks are files of themes",
    "an accent that is no colour": "a name or a colour code",
    "entries without a word": "which one of several keys it is does not matter",
    "margins for three sides": "how many values a key takes is known to the build alone",
    "two names of one field with different values": "a schema does not compare the values of two keys",
    "numbers that count nothing": "the least that a number may be, likewise",
    "a year of citations that is none": "the years are keys of a mapping of texts",
    "a name that nobody can see": "a schema does not know which characters are invisible",
}
"""Cases with these codes that the schema accepts, with the reason."""


def validator(name: str) -> Any:
    return jsonschema.Draft7Validator(SCHEMAS[name])


def name_of(file: str) -> str:
    """Return the name of the schema in the first line of a file."""
    return Path(schema_modeline(file).partition("=")[2].strip()).stem


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_file_is_a_valid_schema(name: str) -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMAS[name])
    refs = set(re.findall(r'"#/definitions/([\w-]+)"', json.dumps(SCHEMAS[name])))
    assert refs <= set(SCHEMAS[name].get("definitions", {}))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_sources_of_the_examples_are_valid(path: Path) -> None:
    site = path.parent.parent if path.parent.name == "content" else path.parent
    actual = validator(name_of(path.relative_to(site).as_posix())).iter_errors(
        read(path.read_text(encoding="utf-8"))
    )
    assert [error.message for error in actual] == []


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_front_matter_is_an_entry(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    front = parse_markdown_file(text, path.name, Problems())
    assert front is not None
    whole = SCHEMAS[name_of(f"content/{path.parent.name}.yaml")]
    entry = {"$ref": whole["items"]["$ref"], "definitions": whole["definitions"]}
    front_matter = read(text.split("---\n")[1]) if text.startswith("---\n") else {}
    assert [error.message for error in jsonschema.Draft7Validator(entry).iter_errors(front_matter)] == []


def reported_files(case: Case) -> list[tuple[str, str]]:
    """Return the files of a case that are reported with one of the codes, and their text."""
    parts = re.split(r"^-- (\S+) --\n", case.sources, flags=re.MULTILINE)
    blamed = {line.split(":")[0] for line in case.expected.splitlines() if re.match(r"\S+: error: ", line)}
    return [
        (name, text)
        for name, text in zip(parts[1::2], parts[2::2], strict=True)
        if name in blamed and schema_modeline(name)
    ]


ONE = [
    case
    for case in CASES
    if case.file in ("shapes", "settings", "profile", "publications", "cvs", "languages")
]


@pytest.mark.parametrize("case", ONE, ids=lambda case: f"{case.file}-{case.title}")
def test_wrong_keys_and_types_are_refused(case: Case, tmp_path: Path) -> None:
    result = built(case, maker(tmp_path))
    for problem in result.build.problems:
        if problem.code in SCHEMA_CODES and schema_modeline(problem.place.file):
            text = dict(reported_files(case))[problem.place.file]
            valid = validator(name_of(problem.place.file)).is_valid(read(text))
            assert valid == (case.title in ACCEPTED_BY_SCHEMA), problem.message


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


def test_without_a_site_no_schemas_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_in(tmp_path, "schema") == 2
    assert "no site" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_theme_options_are_those_of_the_chosen_theme() -> None:
    site = validator("site")
    assert site.is_valid({"theme": {"name": "folio", "accent": "ocean"}})
    assert site.is_valid({"theme": {"name": "classic", "font": "inter", "accent": "ocean"}})
    assert not site.is_valid({"theme": {"name": "folio", "links": "blue"}})
    assert not site.is_valid({"theme": {"name": "folio", "fonts": "comic"}})


@pytest.mark.parametrize(
    "address", ["https://x.org", "HTTPS://x.org", "talk.pdf", "/talks/", "mailto:a@b.org", "#top"]
)
def test_allowed_urls(address: str) -> None:
    assert validator("talks").is_valid([{"title": "A", "slides": address, "links": {"code": address}}])


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "c:/talk.pdf"]
)
def test_refused_urls(address: str) -> None:
    assert not validator("talks").is_valid([{"title": "A", "slides": address}])
    assert not validator("talks").is_valid([{"title": "A", "links": {"code": address}}])
