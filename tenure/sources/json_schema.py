"""Generate a JSON Schema for each source file from the annotations of its types. Editors use the schemas."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Literal, NewType, get_args, get_origin

from tenure.model.additions import Coauthor, Overlay
from tenure.model.dates import Date, Period
from tenure.model.languages import Language
from tenure.model.links import SCHEMES, Address, Link
from tenure.model.scholar import Entry, Group, Item, Point, Profile
from tenure.model.services import Checked
from tenure.model.site import Checks, Heading, SectionWish, Settings, ThemeWish
from tenure.problems import CODES, Place, Problems
from tenure.sources.addresses import OTHER_NAMES, SERVICES
from tenure.sources.alias_table import aliases_of
from tenure.sources.aliases import IGNORED, IGNORED_SETTINGS, LINK_NAMES, OWN_PAGES, SPAN, fold, key_names
from tenure.sources.assembly import KINDS, VERSION
from tenure.sources.meanings import START, meaning_of
from tenure.sources.options import Option
from tenure.sources.rules import Rule, rules
from tenure.sources.schema import GROUPS, is_named, is_nested
from tenure.sources.themes import lineage_of, themes_of

Schema = dict[str, Any]

FOLDER = ".schemas"
"""The folder of the schemas in a site. Editors then need neither another host nor Tenure."""

MODELINE = "# yaml-language-server: $schema="
"""The start of the line with the schema of a file. Source: yaml-language-server, README, "Using inlined schema"."""

DRAFT = "http://json-schema.org/draft-07/schema#"
"""The newest draft that every editor supports. Source: yaml-language-server, README, "Features"."""

DATE_KEY = r"^[0-9]{4}([-./][0-9]{1,2}){0,2}$"
"""A key that is the date of its entry: "- 2024-12: Our survey"."""

SCALAR = ("string", "number", "boolean")
WORDS: Schema = {"type": [*SCALAR, "array", "null"], "items": {"type": [*SCALAR]}, "minItems": 1}
"""A text, or a list of texts that the decoder joins."""

TRUTH = r"^\s*([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[Yy][Ee][Ss]|[Nn][Oo]|[Oo][Nn]|[Oo][Ff][Ff])\s*$"
_FOLDED = "|".join("".join(f"[{c}{c.upper()}]" for c in scheme) for scheme in sorted(SCHEMES))
SAFE = rf"^\s*(({_FOLDED}):|(?![A-Za-z][A-Za-z0-9+.-]*:))"


def schemas(root: Path) -> dict[str, Schema]:
    """
    Return the schema of each source by the name of its file: "talks" is the schema of content/talks.yaml.

    "items" is the schema of a list with any other name. `root` is the folder of the site; its themes are included.
    """
    found = {"site": _file(Settings, "site.yaml"), "profile": _file(Profile, "content/profile.yaml")}
    found["site"]["definitions"]["ThemeWish"] = _theme(root)
    for name, (_, cls, _) in KINDS.items():
        found[name] = _list(cls, f"content/{name}.yaml")
    found["items"] = _list(Item, "A list of entries in content/ with its own name")
    found["publications"] = _list(Overlay, "content/publications.yaml")
    found["coauthors"] = _coauthors()
    found["theme"] = _theme_file()
    return found


def schema_files(root: Path) -> dict[str, str]:
    """Return the text of each schema file, by its path in the site."""
    made = schemas(root).items()
    return {f"{FOLDER}/{name}.json": f"{json.dumps(one, ensure_ascii=False)}\n" for name, one in made}


def line_for(file: str) -> str:
    """Return the line that gives editors the schema of a source ("content/talks.yaml"), or "" if it has no schema."""
    path = PurePosixPath(file)
    if file == "site.yaml":
        return f"{MODELINE}{FOLDER}/site.json\n"
    if path.match("themes/*/theme.yaml"):
        return f"{MODELINE}../../{FOLDER}/theme.json\n"
    if path.suffix not in (".yaml", ".yml") or path.parent.as_posix() != "content":
        return ""
    name = path.stem if path.stem in (*KINDS, "profile", "publications", "coauthors") else "items"
    return f"{MODELINE}../{FOLDER}/{name}.json\n"


def _file(cls: Any, title: str) -> Schema:
    """Return the schema of a file that contains one mapping."""
    return _whole(title, _object(cls), cls)


def _list(cls: Any, title: str) -> Schema:
    """Return the schema of a file that contains a list of entries, with or without a header."""
    entry = {"$ref": f"#/definitions/{cls.__name__}"}
    if cls is Overlay:
        return _whole(title, {"type": ["array", "null"], "items": entry}, cls)
    heading = _properties(Heading)
    entries = {"type": ["array", "null"], "items": entry, "doNotSuggest": True}
    made = {
        "type": ["array", "object", "null"],
        "items": entry,
        "properties": {**heading, "entries": entries},
        "required": ["entries"],
        "additionalProperties": False,
    }
    return _whole(title, made, cls)


def _whole(title: str, top: Schema, cls: Any) -> Schema:
    """Return a complete schema with all definitions that it refers to."""
    found: dict[str, Schema] = {}
    if "items" in top:
        _define(cls, found)
    else:
        _define_fields(cls, found)
    return {"$schema": DRAFT, "title": title, **top, "definitions": found}


def _define(cls: Any, found: dict[str, Schema]) -> None:
    """Add the definitions of a type and of the types of its fields."""
    if cls.__name__ in found:
        return
    found[cls.__name__] = _nested(cls)
    if is_named(cls):
        main = next(rule.field for rule in rules(cls) if rule.main)
        found[f"{cls.__name__}-below"] = {"anyOf": [_object(cls, main), {"type": "null"}]}
    if cls is not ThemeWish:
        _define_fields(cls, found)


def _define_fields(cls: Any, found: dict[str, Schema]) -> None:
    for rule in rules(cls):
        if rule.kind is Link and not rule.computed:
            found |= _links()
        elif rule.kind is Point:
            found["points"], found["point"] = _points()
        elif is_nested(rule.kind) and rule.kind is not Group and not rule.computed:
            _define(rule.kind, found)


def _object(cls: Any, without: str = "") -> Schema:
    """Return the schema of a mapping with the fields of a type as its keys, except `omitted_field`."""
    plan = [rule for rule in rules(cls) if not rule.computed and not rule.rest and rule.field != without]
    made: Schema = {
        "type": "object",
        "properties": _properties(cls, without),
        "patternProperties": _aliases(cls, without),
        "additionalProperties": _rest(cls),
    }
    needed = [_needed(cls, rule) for rule in plan if rule.required]
    pairs = [pair for rule in plan for pair in _pairs(rule)]
    conditions = needed + [{"not": {"required": list(pair)}} for pair in pairs]
    return {**made, "allOf": conditions} if conditions else made


def spellings(name: str) -> tuple[str, ...]:
    """Return the spellings of a key: start_date, startDate, StartDate, start-date, Start Date, start date, startdate."""
    first, *rest = name.split("_")
    camel = "".join([first, *(word.title() for word in rest)])
    title = name.replace("_", " ").title()
    others = [name.replace("_", sign) for sign in ("", "-", " ")]
    return tuple(dict.fromkeys([name, camel, title, title.replace(" ", ""), title.capitalize(), *others]))


def _needed(cls: Any, rule: Rule) -> Schema:
    """Return the schema of a required field: one of its keys must be present."""
    names = [
        *rule.read,
        *(way for name in (*rule.names, *aliases_of(cls, rule.field)) for way in spellings(name)),
    ]
    if rule.field == "name":
        names += spellings("last_name")
    return {"anyOf": [{"required": [name]} for name in dict.fromkeys(names)]}


def _pattern(names: Iterable[str]) -> str:
    """Return a regular expression that matches exactly these names."""
    return f"^({'|'.join(dict.fromkeys(names))})$"


def _aliases(cls: Any, without: str) -> Schema:
    """Return `patternProperties` for the aliases of each key and for the ignored keys."""
    names, taken = key_names(cls), {*_properties(cls)}
    found: Schema = {}
    for words, value in _named_values(cls, without):
        ways = [way for word in words for way in spellings(word) if way not in taken]
        if ways:
            taken.update(ways)
            found[_pattern(ways)] = value
    return {**found, DATE_KEY: WORDS} if names.period else found


def _named_values(cls: Any, without: str) -> Iterator[tuple[Iterable[str], Schema]]:
    """Yield groups of key names with the schema of their value. For a name in several groups, the first group counts."""
    names = key_names(cls)
    for rule in rules(cls):
        if not rule.computed and not rule.rest and rule.field != without:
            others = [
                name for name in aliases_of(cls, rule.field) if names.aliases.get(fold(name)) == rule.field
            ]
            yield (*rule.names, *others), {"description": f"read as {rule.field}", **_value(cls, rule)}
    for name, spans in SPAN.items() if names.period else ():
        yield (name, *spans), {"description": f"read as {name}", **_leaf(Period)}
    if cls is Profile:
        yield ("first_name", "middle_name", "last_name"), WORDS
        yield OWN_PAGES, _leaf(Address)
    if names.groups:
        yield sorted(GROUPS), WORDS
    elif names.links:
        link = {"description": "read as a link", **_leaf(Address)}
        ends = ("", "_id", "_userid", "_username", "_url")
        yield [f"{name}{end}" for name in (*SERVICES, *OTHER_NAMES, "google_scholar") for end in ends], link
        yield [f"{start}{name}" for name in sorted(LINK_NAMES) for start in ("", "url_")], link
    if cls is Settings or issubclass(cls, Entry):
        ignored = IGNORED_SETTINGS if cls is Settings else IGNORED
        yield sorted(ignored), {"description": "has no meaning in Tenure and is ignored"}


def _properties(cls: Any, without: str = "") -> Schema:
    """Return `properties` of a mapping: each key with its description and the schema of its value."""
    found: Schema = {}
    for rule in rules(cls):
        if rule.computed or rule.rest or rule.field == without:
            continue
        says = {"description": meaning_of(cls, rule.field)}
        found[rule.field] = {**says, **_value(cls, rule)}
        for name in rule.known.accepted:
            found[name] = {**found[rule.field], "doNotSuggest": True}
        for name in rule.known.former:
            found[name] = {**found[rule.field], "deprecationMessage": f"this is called {rule.field} now"}
        if rule.kind is Period and not rule.many:
            found |= {name: {"description": words, **_leaf(Period)} for name, words in START.items()}
    return found


def _pairs(rule: Rule) -> list[tuple[str, str]]:
    """Return the pairs of keys of which only one may be present, because both set the same field."""
    names = rule.read
    pairs = [(a, b) for n, a in enumerate(names) for b in names[n + 1 :]]
    if rule.kind is Period and not rule.many:
        pairs += [(name, other) for name in names for other in START]
    return pairs


def _rest(cls: Any) -> bool | Schema:
    """Return the schema of values under keys that the author chooses, or False if there are none."""
    rest = next((rule for rule in rules(cls) if rule.rest), None)
    if rest is None:
        return False
    if rest.kind is not Group:
        return WORDS
    return {"anyOf": [{"type": "array", "items": WORDS}, {"type": "string", "pattern": ","}]}


def _value(cls: Any, rule: Rule) -> Schema:
    """Return the schema of the value of a field."""
    if cls is Settings and rule.field == "schema":
        return {"enum": [VERSION, None]}
    if cls is Checks:
        codes = [code for code, (level, _) in CODES.items() if level == "warning"]
        return {"type": ["array", "string", "null"], "items": {"enum": codes}}
    if rule.kind is Link:
        return {"$ref": "#/definitions/links"}
    if rule.kind is Point:
        return {"$ref": "#/definitions/points"}
    if is_nested(rule.kind):
        one: Schema = {"$ref": f"#/definitions/{rule.kind.__name__}"}
    else:
        one = _leaf(rule.kind)
        if rule.required:
            return {**one, "type": [kind for kind in one["type"] if kind != "null"]}
    if not rule.many:
        return {"anyOf": [one, {"type": "null"}]} if is_nested(rule.kind) else one
    several: list[Schema] = [{"type": ["array", "null"], "items": {"anyOf": [one, {"type": "null"}]}}, one]
    if rule.keyed:
        inner = {"$ref": f"#/definitions/{rule.kind.__name__}-below"}
        several[1:] = [{"type": "object", "additionalProperties": inner}, {"type": [*SCALAR]}]
    return {"anyOf": several}


def _leaf(kind: Any) -> Schema:
    """Return the schema of a value without keys."""
    if kind is Address:
        return {"type": [*SCALAR, "null"], "pattern": SAFE, **_says("an https:// address")}
    if kind is str or isinstance(kind, NewType):
        return WORDS
    if isinstance(kind, type) and issubclass(kind, Checked):
        pattern = rf"^\s*({kind.PATTERN})\s*$"
        return {"type": ["string", "number", "null"], "pattern": pattern, **_says(kind.EXAMPLE)}
    if kind is bool:
        return {"type": ["boolean", "string", "null"], "pattern": TRUTH, **_says("true or false")}
    if kind is int:
        return {"type": ["integer", "string", "null"], "pattern": r"^\s*-*[0-9]+\s*$", **_says("a number")}
    if get_origin(kind) is Literal:
        return {"enum": [*get_args(kind), None]}
    if kind is Language:
        tag = "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$"
        return {"type": ["string", "null"], "pattern": tag, **_says("a tag such as en, de or pt-BR")}
    if kind in (Date, Period):
        return {"type": ["string", "number", "null"]}
    raise AssertionError(kind)


def _says(what: str) -> Schema:
    """Return the message for a text that does not match the pattern. Only editors read this keyword."""
    return {"patternErrorMessage": f"write {what}"}


def _nested(cls: Any) -> Schema:
    """Return the schema of a nested record: a mapping, a single text, or a mapping under its name as the key."""
    plan = rules(cls)
    made = _object(cls)
    main = next((rule for rule in plan if rule.main), None)
    if main is None:
        return made
    forms: list[Schema] = [made]
    if is_named(cls):
        inner = {"$ref": f"#/definitions/{cls.__name__}-below"}
        usual = [*KINDS, "publications", "about"] if cls is SectionWish else []
        forms.append(
            {
                "type": "object",
                "minProperties": 1,
                "maxProperties": 1,
                "propertyNames": {"not": {"enum": sorted(_properties(cls))}},
                "properties": dict.fromkeys(usual, inner),
                "additionalProperties": inner,
            }
        )
    return {"anyOf": [{"type": [*SCALAR]}, *forms]}


def _points() -> tuple[Schema, Schema]:
    """Return the schemas of bullets and of one bullet: a text, or a text with nested bullets."""
    points = {"$ref": "#/definitions/points"}
    one = {"minProperties": 1, "maxProperties": 1, "additionalProperties": points}
    item = {"type": [*SCALAR, "object", "null"], **one}
    return {
        "type": [*SCALAR, "array", "object", "null"],
        "items": {"$ref": "#/definitions/point"},
        **one,
    }, item


def _links() -> dict[str, Schema]:
    """Return the schemas of links (labels with URLs, a list of these, or URLs alone) and of a URL."""
    one = _leaf(Address)
    address = {"$ref": "#/definitions/address"}
    services = {
        name: {"description": f"your name at {label}, or your address there", "allOf": [address]}
        for name, (label, _) in SERVICES.items()
    }
    labelled = {
        "additionalProperties": address,
        "if": {
            "minProperties": 2,
            "anyOf": [{"required": [key]} for key in ("url", "link", "href", "username")],
        },
        "then": {"required": ["label", "url"], "maxProperties": 2},
    }
    item = {"type": ["string", "object", "null"], "pattern": SAFE, **labelled}
    links = {
        "type": ["string", "array", "object", "null"],
        "pattern": SAFE,
        "items": item,
        "properties": services,
        **labelled,
    }
    return {"links": links, "address": {"anyOf": [one, {"type": "array", "items": one}]}}


def _coauthors() -> Schema:
    """Return the schema of content/coauthors.yaml: a list of people, or a mapping of names to URLs."""
    below = {"anyOf": [_leaf(Address), _object(Coauthor, "name")]}
    strangers = {"propertyNames": {"not": {"enum": sorted(_properties(Coauthor))}}}
    named = {"minProperties": 1, "maxProperties": 1, "additionalProperties": below, **strangers}
    forms = [*_nested(Coauthor)["anyOf"], {"type": "object", **named}]
    top = {"type": ["array", "object", "null"], "items": {"anyOf": forms}, "additionalProperties": below}
    return {"$schema": DRAFT, "title": "content/coauthors.yaml", **top}


def _theme(root: Path) -> Schema:
    """Return the schema of `theme`: the name of a theme and its options."""
    names = sorted(themes_of(root))
    options = {name: lineage_of(root, name, Problems(), Place("site.yaml")).options for name in names}
    every = {key: _option(option) for found in options.values() for key, option in found.items()}
    name = {"description": meaning_of(ThemeWish, "name"), "type": "string", "examples": names}
    return {
        "type": ["string", "object"],
        "examples": names,
        "properties": {"name": name, **every},
        "allOf": [
            {
                "if": {"required": ["name"], "properties": {"name": {"const": theme}}},
                "then": {
                    "properties": {"name": True, **{key: _option(option) for key, option in found.items()}},
                    "additionalProperties": False,
                },
            }
            for theme, found in options.items()
        ],
    }


def _option(option: Option) -> Schema:
    """Return the schema of the value of a theme option."""
    says = {"description": option.help}
    if option.type == "boolean":
        return {**says, **_leaf(bool)}
    if option.type == "choice":
        return {**says, "enum": list(option.names)}
    return {**says, "type": [*SCALAR], "examples": list(option.names)}


def _theme_file() -> Schema:
    """Return the schema of themes/<name>/theme.yaml."""
    words: Sequence[tuple[str, str]] = (
        ("extends", "the theme that this one extends"),
        ("description", "its line in `tenure theme list`"),
    )
    top: Mapping[str, Schema] = {
        **{key: {"description": text, "type": "string"} for key, text in words},
        "options": {
            "description": "what a site may choose",
            "type": ["object", "null"],
            "additionalProperties": _object(Option),
        },
    }
    return {
        "$schema": DRAFT,
        "title": "theme.yaml",
        "type": "object",
        "properties": top,
        "additionalProperties": False,
    }
