"""
A JSON Schema for each source file, from the annotations of its types, for suggestions and help in editors.

It suggests and never rejects: aliases, other forms and mistakes are known to the build alone.
`{"anyOf": [X, {}]}` suggests X and accepts everything.
"""

import inspect
import json
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Literal, get_args, get_origin

from tenure.model.dates import Date, Period
from tenure.model.entries import CustomEntry, Markdown, Point, Profile
from tenure.model.links import EmailAddress, Link, Url
from tenure.model.overlays import CitationCounts, Coauthor, Overlay
from tenure.model.site import Checks, ListHeader, SectionConfig, Settings, ThemeConfig
from tenure.problems import PROBLEM_CODES, Place, Problems
from tenure.record import Record, fields
from tenure.sources.editing.form_words import GROUP_FIELDS, find_words, list_first_fields
from tenure.sources.load import COLLECTION_TYPES, NON_LIST_FILES
from tenure.sources.schema.decode import is_named_by_key, is_nested_type
from tenure.sources.schema.link_forms import PROFILE_SERVICES
from tenure.sources.schema.spec import START_END_HELP, Field, help_for_field, read_spec
from tenure.sources.theme.theme_settings import list_themes, read_lineage

JsonSchema = dict[str, Any]

SCHEMA_FOLDER = ".schemas"
"""The folder of the schemas in a site. Editors then need neither another host nor Tenure."""

MODELINE_PREFIX = "# yaml-language-server: $schema="
"""
The start of the line with the schema of a file. Source: yaml-language-server, README, "Using inlined schema".
"""

SCHEMA_DRAFT_URL = "http://json-schema.org/draft-07/schema#"
"""The newest draft that every editor supports. Source: yaml-language-server, README, "Features"."""


CONTROL_KEYWORD = "x-control"
"""
The keyword with the control of a form for a value,
which validators ignore (JSON Schema, Core, 6.5: unknown keywords).
"""

OWN_KEYWORD = "x-own"
"""
The keyword of the fields that a form shows first: those that a kind of entry has beyond those of every entry.
"""

HELP_KEYWORD = "x-help"
"""The keyword with the help of a form, where the description shows syntax."""

GROUP_KEYWORD = "x-group"
"""The keyword of the fields that only the profile of a group has."""

COMMAS_KEYWORD = "x-commas"
"""The keyword of lists of short words, which may be typed with commas."""

MAIN_KEYWORD = "x-main"
NAMED_KEYWORD = "x-named"
"""
The keywords of a record: its main field, which a bare text is, and whether this may be the key of the rest.
"""

_CONTROLS: Mapping[Any, str] = {
    Markdown: "markdown",
    Date: "date",
    Period: "period",
    Link: "links",
    Point: "points",
    EmailAddress: "email",
    Url: "url",
    bool: "checkbox",
    int: "number",
}
_PICTURE_FIELDS = frozenset({"image", "photo", "poster"})


def build_schemas(root: Path) -> dict[str, JsonSchema]:
    """
    The schema of each source by the name of its file: "talks" is the schema of content/talks.yaml.

    "items" is the schema of a list with any other name.
    `root` is the folder of the site; its themes are included.
    """
    definitions: dict[str, JsonSchema] = {"ThemeConfig": _build_theme_schema(root)}
    schemas = {
        "site": _build_record_schema(Settings, definitions),
        "profile": _build_record_schema(Profile, definitions),
        "counts": _build_record_schema(CitationCounts, definitions),
        "publications": _build_list_schema(Overlay, definitions),
        "coauthors": _build_list_schema(Coauthor, definitions),
        "items": _build_list_schema(CustomEntry, definitions),
    }
    schemas |= {name: _build_list_schema(cls, definitions) for name, (_, cls, _) in COLLECTION_TYPES.items()}
    return {
        name: {"$schema": SCHEMA_DRAFT_URL, **schema, "definitions": _select_definitions(schema, definitions)}
        for name, schema in schemas.items()
    }


def build_schema_files(root: Path) -> dict[str, str]:
    """The text of each schema file, by its path in the site."""
    texts = {name: json.dumps(schema, ensure_ascii=False) for name, schema in build_schemas(root).items()}
    return {f"{SCHEMA_FOLDER}/{name}.json": f"{text}\n" for name, text in texts.items()}


def schema_modeline(file: str) -> str:
    """
    The line that gives editors the schema of a source ("content/talks.yaml"), or "" if it has no schema.
    """
    path = PurePosixPath(file)
    if file == "site.yaml":
        return f"{MODELINE_PREFIX}{SCHEMA_FOLDER}/site.json\n"
    if path.suffix not in (".yaml", ".yml") or path.parent.as_posix() != "content":
        return ""
    name = "items"
    if path.stem in (*COLLECTION_TYPES, *NON_LIST_FILES):
        name = path.stem
    return f"{MODELINE_PREFIX}../{SCHEMA_FOLDER}/{name}.json\n"


def _suggest(*schemas: JsonSchema) -> JsonSchema:
    """A schema that suggests values and accepts all others."""
    return {"anyOf": [*schemas, {}]}


def _build_record_schema(cls: type[Record], definitions: dict[str, JsonSchema]) -> JsonSchema:
    """
    The schema of a mapping: each key with its label, its help and the suggestions for its value.

    The fields that a form shows first come first. A field with a period also has the keys of its start and
    end.
    """
    spec = read_spec(cls)
    own = inspect.get_annotations(cls)
    first = list_first_fields(cls, [name for name in spec.fields if name in own])
    properties: JsonSchema = {}
    for name in dict.fromkeys([*(name for name in first if name in spec.fields), *spec.fields]):
        field = spec.fields[name]
        properties[name] = {
            **_describe_field(field, cls),
            **({OWN_KEYWORD: True} if name in first else {}),
            **_build_value_schema(field, cls, definitions),
        }
        if field.is_period:
            properties |= {
                key: {"title": find_words(cls, key).label, "description": text, CONTROL_KEYWORD: "date"}
                for key, text in START_END_HELP.items()
            }
    return {
        "properties": properties,
        **({MAIN_KEYWORD: spec.main} if spec.main else {}),
        **({NAMED_KEYWORD: True} if is_named_by_key(cls) else {}),
    }


def _describe_field(field: Field, cls: type[Record]) -> JsonSchema:
    """The label, the help, the control and the default of a field."""
    words = find_words(cls, field.name)
    described: JsonSchema = {"title": words.label, "description": help_for_field(cls, field.name)}
    if words.help:
        described[HELP_KEYWORD] = words.help
    if field.key.commas:
        described[COMMAS_KEYWORD] = True
    if cls is Profile and field.name in GROUP_FIELDS:
        described[GROUP_KEYWORD] = True

    default = next(info.default for info in fields(cls) if info.name == field.name)
    if isinstance(default, bool | int) or (isinstance(default, str) and default):
        described["default"] = default if isinstance(default, int) else str(default)
    return {**described, CONTROL_KEYWORD: _name_control(field)}


def _name_control(field: Field) -> str:
    """
    The control of a form for a field: "markdown", "date", "picture",
    "choice", "record", or "text"; a list has "list:" before it.
    """
    value_type = field.value_type
    control = _CONTROLS.get(value_type, "text")
    if field.name in _PICTURE_FIELDS and value_type is Url:
        control = "picture"
    elif get_origin(value_type) is Literal:
        control = "choice"
    elif control == "text" and is_nested_type(value_type):
        control = "record"
    if field.is_list and control not in ("links", "points"):
        return f"list:{control}"
    return control


def _build_value_schema(field: Field, cls: type[Record], definitions: dict[str, JsonSchema]) -> JsonSchema:
    """
    The suggestions for the value of a field: links to services, a record, true and false, or choices.

    {} for a text or a number. They never refuse a value: the reader knows more forms than a schema can say.
    """
    value_type = field.value_type
    schema = JsonSchema()
    if value_type is Link:
        labels = {
            name: {"description": f"your name at {label}, or your address there"}
            for name, (label, _) in PROFILE_SERVICES.items()
        }
        return {"properties": labels}

    # bullets are written as texts, and not with the keys of a Point
    if is_nested_type(value_type) and value_type is not Point:
        schema = _refer_to(value_type, definitions)
    elif value_type is bool:
        schema = {"enum": [True, False]}
    elif get_origin(value_type) is Literal:
        schema = {"enum": [*get_args(value_type)]}
    # its only field is `ignore`
    elif cls is Checks:
        schema = {"enum": [code for code, (level, _) in PROBLEM_CODES.items() if level == "warning"]}

    if not schema:
        return {}
    # sections: {talks: {limit: 3}}, or a list of them
    items = {"type": "array", "items": schema}
    if field.key.keyed:
        return _suggest({"type": "object", "additionalProperties": schema}, items)
    return _suggest(items if field.is_list else schema)


def _refer_to(cls: type[Record], definitions: dict[str, JsonSchema]) -> JsonSchema:
    """
    A reference to the schema of a nested record,
    which may be written under its name as the key: "- talks: {limit: 3}".
    """
    if cls.__name__ not in definitions:
        # a page may contain pages
        definitions[cls.__name__] = {}
        schema = _build_record_schema(cls, definitions)
        if is_named_by_key(cls):
            below = {"$ref": f"#/definitions/{cls.__name__}"}
            names = [*COLLECTION_TYPES, "publications", "about"] if cls is SectionConfig else []
            schema["properties"] |= {name: below for name in names if name not in schema["properties"]}
            # an editor suggests them as the whole item: "- talks"
            schema["examples"] = names
        definitions[cls.__name__] = schema
    return {"$ref": f"#/definitions/{cls.__name__}"}


def _build_list_schema(cls: type[Record], definitions: dict[str, JsonSchema]) -> JsonSchema:
    """The schema of a file with a list of entries, with or without a header."""
    entry = _refer_to(cls, definitions)
    header = _build_record_schema(ListHeader, definitions)["properties"]
    entries = {"description": "the entries of the list", **_suggest({"type": "array", "items": entry})}
    return _suggest(
        {"type": "array", "items": entry}, {"type": "object", "properties": {**header, "entries": entries}}
    )


def _select_definitions(schema: JsonSchema, definitions: Mapping[str, JsonSchema]) -> dict[str, JsonSchema]:
    """The definitions to which a schema refers, also those to which these refer."""
    selected: dict[str, JsonSchema] = {}
    texts = [json.dumps(schema)]
    while texts:
        text = texts.pop()
        for name in definitions:
            if name not in selected and f'"#/definitions/{name}"' in text:
                selected[name] = definitions[name]
                texts.append(json.dumps(definitions[name]))
    return selected


def _build_theme_schema(root: Path) -> JsonSchema:
    """The schema of `theme`: the name of a theme, and the options of all themes."""
    names = sorted(list_themes(root))
    options: JsonSchema = {}
    for name in names:
        for key, option in read_lineage(root, name, Problems(), Place("site.yaml")).options.items():
            options.setdefault(
                key, {"description": option.help, **_suggest({"enum": list(option.choice_names)})}
            )
    name_schema = {"description": help_for_field(ThemeConfig, "name"), **_suggest({"enum": names})}
    return _suggest({"enum": names}, {"type": "object", "properties": {"name": name_schema, **options}})
