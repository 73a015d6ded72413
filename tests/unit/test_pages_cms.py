"""The configuration of Pages CMS has the documented structure, and only keys that sources can have."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import run_in, write_files

from tenure.model.entries import Profile
from tenure.sources.load import COLLECTION_TYPES
from tenure.sources.pages_cms import CONFIG_FILE, build_content_entries, build_pages_cms_file
from tenure.sources.schema.spec import read_fields

TYPES = {"string", "text", "rich-text", "boolean", "number", "select", "image", "object"}
"""Source: Pages CMS documentation, "Field types"; the types that Tenure uses."""

CONFIG: Any = yaml.safe_load(build_pages_cms_file()[CONFIG_FILE])


def test_the_top_has_media_content_and_settings() -> None:
    assert CONFIG.keys() == {"media", "content", "settings"}
    assert CONFIG["media"] == {"input": "content/images", "output": "images"}
    assert CONFIG["settings"] == {"content": {"merge": True}}


def test_the_file_says_what_the_program_says() -> None:
    assert CONFIG["content"] == build_content_entries()


@pytest.mark.parametrize("entry", CONFIG["content"], ids=lambda entry: entry["name"])
def test_entries_and_fields_have_the_documented_keys(entry: dict[str, Any]) -> None:
    assert {"name", "label", "type", "path", "format", "fields"} <= entry.keys()
    assert entry["type"] in ("file", "collection")
    assert entry["format"] in ("yaml", "yaml-frontmatter")
    assert entry["path"].startswith("content/")
    assert (
        Path(entry["path"]).suffix == {"file": ".yaml", "collection": ""}[entry["type"]]
        or entry["name"] == "about"
    )
    names = [field["name"] for field in entry["fields"]]
    assert len(names) == len(set(names)) > 0
    for field in all_fields(entry["fields"]):
        assert field.keys() <= {
            "name",
            "label",
            "description",
            "type",
            "required",
            "list",
            "options",
            "fields",
        }
        assert field["type"] in TYPES
        assert (field["type"] == "select") == ("options" in field)
        assert (field["type"] == "object") == ("fields" in field)


def all_fields(fields: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        nested_field for field in fields for nested_field in (field, *all_fields(field.get("fields", [])))
    ]


def test_names_differ_and_every_collection_can_be_edited() -> None:
    names = [entry["name"] for entry in CONFIG["content"]]
    assert sorted(names) == sorted({"profile", "about", *COLLECTION_TYPES})


@pytest.mark.parametrize("name", ["profile", *COLLECTION_TYPES])
def test_each_field_is_a_key_of_its_source(name: str) -> None:
    cls = Profile if name == "profile" else COLLECTION_TYPES[name][1]
    (entry,) = [entry for entry in CONFIG["content"] if entry["name"] == name]
    plan = read_fields(cls)
    keys = {rule.name for rule in plan} | {"start", "end", "body"}
    assert {field["name"] for field in entry["fields"]} <= keys
    required = {rule.name for rule in plan if rule.is_required and not rule.key.computed}
    assert required <= {field["name"] for field in entry["fields"] if field.get("required")}


def test_content_written_by_the_forms_builds(tmp_path: Path) -> None:
    """A list with one entry from each form has no error."""
    write_files(tmp_path, "-- content/profile.yaml --\nname: Ada Example\nlinks: {github: ada}\n")
    for entry in CONFIG["content"]:
        if entry.get("list"):
            values = {field["name"]: value_of(field) for field in entry["fields"] if field["type"] != "image"}
            text = yaml.safe_dump([{key: value for key, value in values.items() if value is not None}])
            write_files(tmp_path, f"-- {entry['path']} --\n{text}")
    assert run_in(tmp_path, "check") == 0


def value_of(field: dict[str, Any]) -> object:
    """Return a value that a person may type into a field; None if the field is left empty."""
    samples: dict[str, object] = {
        "start": "2023",
        "end": "2024",
        "date": "2024",
        "url": "https://example.org",
    }
    value: object = samples.get(field["name"])
    if value is None and field.get("required"):
        value = "Words"
    if field["type"] == "select":
        value = field["options"]["values"][0]
    elif field["type"] == "boolean":
        value = False
    return [value] if field.get("list") and value is not None else value


def test_schema_writes_it_into_a_site(tmp_path: Path) -> None:
    write_files(tmp_path, "-- content/profile.yaml --\nname: Ada Example\n")
    assert run_in(tmp_path, "schema") == 0
    assert (tmp_path / CONFIG_FILE).read_text(encoding="utf-8") == build_pages_cms_file()[CONFIG_FILE]
