"""JSON Schemas of single values: texts in one or in several languages, links, bullets, dates, numbers and choices."""

from typing import Any, Literal, NewType, get_args, get_origin

from tenure.model.dates import Date, Period
from tenure.model.entries import Point
from tenure.model.languages import NATIVE_NAMES, Language
from tenure.model.links import ALLOWED_SCHEMES, Link, Url
from tenure.model.services import ValidatedText
from tenure.sources.schema.decode import is_nested_type
from tenure.sources.schema.links import PROFILE_SERVICES
from tenure.sources.schema.own_fields import NUMBER_PATTERN, OWN_FIELD_TYPES

JsonSchema = dict[str, Any]

SCALAR_TYPES = ("string", "number", "boolean")
TEXT_SCHEMA: JsonSchema = {
    "type": [*SCALAR_TYPES, "array", "null"],
    "items": {"type": [*SCALAR_TYPES]},
    "minItems": 1,
}
"""A text, or a list of texts that the decoder joins."""

LANGUAGE_TAG_PATTERN = "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$"
BOOLEAN_PATTERN = (
    r"^\s*([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[Yy][Ee][Ss]|[Nn][Oo]|[Oo][Nn]|[Oo][Ff][Ff])\s*$"
)
_SAFE_SCHEMES_PATTERN = "|".join(
    "".join(f"[{c}{c.upper()}]" for c in scheme) for scheme in sorted(ALLOWED_SCHEMES)
)
SAFE_URL_PATTERN = rf"^\s*(({_SAFE_SCHEMES_PATTERN}):|(?![A-Za-z][A-Za-z0-9+.-]*:))"

_KNOWN_LANGUAGES = "|".join(sorted({Language(tag).primary_subtag for tag in NATIVE_NAMES}))


def _translations_schema(schema: JsonSchema) -> JsonSchema:
    """Return the schema of a mapping with a value for each language."""
    return {
        "type": "object",
        "minProperties": 1,
        "propertyNames": {"$ref": "#/definitions/language"},
        "additionalProperties": schema,
    }


LANGUAGE_DEFINITIONS: JsonSchema = {
    "language": {"pattern": f"^({_KNOWN_LANGUAGES})(-[A-Za-z0-9]{{2,8}})*$"},
    "texts": _translations_schema(TEXT_SCHEMA),
}
"""The key of a text in several languages, and a mapping with a text for each language."""


def has_text(value_type: Any) -> bool:
    """Whether a value is a text, or has texts; a date, a number or a choice is the same in all languages."""
    return value_type in (str, Link, Point) or isinstance(value_type, NewType) or is_nested_type(value_type)


def accept_translations(schema: JsonSchema) -> JsonSchema:
    """Return the schema of a value that may be a mapping with a value for each language; none of these is a mapping."""
    if schema == TEXT_SCHEMA:
        return {"anyOf": [schema, {"$ref": "#/definitions/texts"}]}
    value = {"allOf": [schema, {"type": [*SCALAR_TYPES, "array", "null"]}]}
    return {"anyOf": [schema, _translations_schema(value)]}


def scalar_schema(value_type: Any) -> JsonSchema:
    """Return the schema of a value without keys."""
    if value_type is Url:
        return _pattern_schema([*SCALAR_TYPES, "null"], SAFE_URL_PATTERN, "an https:// address")
    if value_type is str or isinstance(value_type, NewType):
        return TEXT_SCHEMA
    if isinstance(value_type, type) and issubclass(value_type, ValidatedText):
        pattern = rf"^\s*({value_type.PATTERN})\s*$"
        return _pattern_schema(["string", "number", "null"], pattern, value_type.EXAMPLE)
    if value_type is bool:
        return _pattern_schema(["boolean", "string", "null"], BOOLEAN_PATTERN, "true or false")
    if value_type is int:
        return _pattern_schema(["integer", "string", "null"], r"^\s*-*[0-9]+\s*$", "a number")
    if get_origin(value_type) is Literal:
        return {"enum": [*get_args(value_type), None]}
    if value_type is Language:
        return _pattern_schema(["string", "null"], LANGUAGE_TAG_PATTERN, "a tag such as en, de or pt-BR")
    if value_type in (Date, Period):
        return {"type": ["string", "number", "null"]}
    raise AssertionError(value_type)


def _pattern_schema(json_type: str | list[str], pattern: str, expected: str) -> JsonSchema:
    """Return the schema of a text with a pattern. Only editors read the message for one that does not match."""
    return {"type": json_type, "pattern": pattern, "patternErrorMessage": f"write {expected}"}


def own_field_schema(type_name: str) -> JsonSchema:
    """Return the schema of a field that the head of a list declares."""
    if type_name == "number":
        return {"type": ["string", "number", "null"], "pattern": rf"^\s*{NUMBER_PATTERN}\s*$"}
    value_type = OWN_FIELD_TYPES[type_name]
    schema = scalar_schema(value_type)
    return accept_translations(schema) if has_text(value_type) else schema


def bullet_schemas() -> tuple[JsonSchema, JsonSchema]:
    """Return the schemas of bullets and of one bullet: a text, or a text with nested bullets."""
    points = {"$ref": "#/definitions/points"}
    nested_bullet = {"minProperties": 1, "maxProperties": 1, "additionalProperties": points}
    item = accept_translations({"type": [*SCALAR_TYPES, "object", "null"], **nested_bullet})
    return {
        "type": [*SCALAR_TYPES, "array", "object", "null"],
        "items": {"$ref": "#/definitions/point"},
        **nested_bullet,
    }, item


def link_schemas() -> dict[str, JsonSchema]:
    """Return the schemas of links (labels with URLs, a list of these, or URLs alone) and of a URL."""
    url_schema = scalar_schema(Url)
    url_reference = {"$ref": "#/definitions/address"}
    services = {
        name: {"description": f"your name at {label}, or your address there", "allOf": [url_reference]}
        for name, (label, _) in PROFILE_SERVICES.items()
    }
    labelled_links = {
        "additionalProperties": url_reference,
        "if": {
            "minProperties": 2,
            "anyOf": [{"required": [key]} for key in ("url", "link", "href", "username")],
        },
        "then": {"required": ["label", "url"], "maxProperties": 2},
    }
    item = {"type": ["string", "object", "null"], "pattern": SAFE_URL_PATTERN, **labelled_links}
    links = {
        "type": ["string", "array", "object", "null"],
        "pattern": SAFE_URL_PATTERN,
        "items": item,
        "properties": services,
        **labelled_links,
    }
    urls = {"anyOf": [url_schema, {"type": "array", "items": url_schema}]}
    return {"links": links, "address": accept_translations(urls)}
