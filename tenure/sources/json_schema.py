"""Generate a JSON Schema for each source file from the annotations of its types. Editors use the schemas."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from tenure.model.dates import Period
from tenure.model.entries import CustomEntry, Entry, Point, Profile, ServiceGroup
from tenure.model.links import Link, Url
from tenure.model.overlays import CitationCounts, Coauthor, Overlay
from tenure.model.site import Checks, FieldTypes, ListHeader, SectionConfig, Settings, ThemeConfig
from tenure.problems import PROBLEM_CODES, Place, Problems
from tenure.sources.load import COLLECTION_TYPES, NON_LIST_FILES
from tenure.sources.schema.aliases import key_names
from tenure.sources.schema.decode import SERVICE_GROUP_LABELS, is_named_by_key, is_nested_type
from tenure.sources.schema.field_rules import (
    START_END_HELP,
    FieldRule,
    help_for_field,
    main_field_name,
    read_field_rules,
    read_key_rules,
)
from tenure.sources.schema.key_tables import (
    IGNORED_ENTRY_KEYS,
    IGNORED_SETTING_KEYS,
    LINK_KEYS,
    OWN_PAGE_KEYS,
    START_END_KEYS,
    field_aliases,
    fold_key,
)
from tenure.sources.schema.links import PROFILE_SERVICES, SERVICE_ALIASES
from tenure.sources.schema.own_fields import OWN_FIELD_TYPES, read_declared_fields
from tenure.sources.settings import SCHEMA_VERSION
from tenure.sources.theme.options import ThemeOption
from tenure.sources.theme.theme import list_themes, read_lineage
from tenure.sources.value_schemas import (
    LANGUAGE_DEFINITIONS,
    SCALAR_TYPES,
    TEXT_SCHEMA,
    JsonSchema,
    accept_translations,
    bullet_schemas,
    has_text,
    link_schemas,
    own_field_schema,
    scalar_schema,
)

SCHEMA_FOLDER = ".schemas"
"""The folder of the schemas in a site. Editors then need neither another host nor Tenure."""

MODELINE_PREFIX = "# yaml-language-server: $schema="
"""The start of the line with the schema of a file. Source: yaml-language-server, README, "Using inlined schema"."""

SCHEMA_DRAFT_URL = "http://json-schema.org/draft-07/schema#"
"""The newest draft that every editor supports. Source: yaml-language-server, README, "Features"."""

DATE_KEY_PATTERN = r"^[0-9]{4}([-./][0-9]{1,2}){0,2}$"
"""A key that is the date of its entry: "- 2024-12: Our survey"."""


def build_schemas(root: Path) -> dict[str, JsonSchema]:
    """
    Return the schema of each source by the name of its file: "talks" is the schema of content/talks.yaml.

    "items" is the schema of a list with any other name. `root` is the folder of the site; its themes are included.
    """
    schemas_by_name = {
        "site": _mapping_file_schema(Settings, "site.yaml"),
        "profile": _mapping_file_schema(Profile, "content/profile.yaml"),
    }
    schemas_by_name["site"]["definitions"]["ThemeConfig"] = _theme_schema(root)
    for name, (_, cls, _) in COLLECTION_TYPES.items():
        schemas_by_name[name] = _list_file_schema(cls, f"content/{name}.yaml")
    schemas_by_name["items"] = _list_file_schema(
        CustomEntry, "A list of entries in content/ with its own name"
    )
    for name, types in read_declared_fields(root).items():
        schema = _list_file_schema(CustomEntry, f"content/{name}.yaml")
        entry = schema["definitions"]["CustomEntry"]["anyOf"][-1]
        entry["properties"] |= {key: own_field_schema(type_name) for key, type_name in types.items()}
        schemas_by_name[name] = schema
    schemas_by_name["publications"] = _list_file_schema(Overlay, "content/publications.yaml")
    schemas_by_name["coauthors"] = _coauthors_schema()
    schemas_by_name["counts"] = _mapping_file_schema(CitationCounts, "content/counts.yaml")
    schemas_by_name["theme"] = _theme_file_schema()
    return schemas_by_name


def build_schema_files(root: Path) -> dict[str, str]:
    """Return the text of each schema file, by its path in the site."""
    texts = {name: json.dumps(schema, ensure_ascii=False) for name, schema in build_schemas(root).items()}
    return {f"{SCHEMA_FOLDER}/{name}.json": f"{text}\n" for name, text in texts.items()}


def schema_modeline(file: str, lists_with_fields: Collection[str] = ()) -> str:
    """
    Return the line that gives editors the schema of a source ("content/talks.yaml"), or "" if it has no schema.

    `lists_with_fields` are the names of the lists that declare their own fields; each has its own schema.
    """
    path = PurePosixPath(file)
    if file == "site.yaml":
        return f"{MODELINE_PREFIX}{SCHEMA_FOLDER}/site.json\n"
    if path.match("themes/*/theme.yaml"):
        return f"{MODELINE_PREFIX}../../{SCHEMA_FOLDER}/theme.json\n"
    if path.suffix not in (".yaml", ".yml") or path.parent.as_posix() != "content":
        return ""
    names = (*COLLECTION_TYPES, *NON_LIST_FILES, *lists_with_fields)
    name = path.stem if path.stem in names else "items"
    return f"{MODELINE_PREFIX}../{SCHEMA_FOLDER}/{name}.json\n"


def _mapping_file_schema(cls: Any, title: str) -> JsonSchema:
    return _with_definitions(title, _object_schema(cls), cls)


def _list_file_schema(cls: Any, title: str) -> JsonSchema:
    """Return the schema of a file that contains a list of entries, with or without a header."""
    entry = {"$ref": f"#/definitions/{cls.__name__}"}
    if cls is Overlay:
        return _with_definitions(title, {"type": ["array", "null"], "items": entry}, cls)
    heading = _property_schemas(ListHeader)
    entries = {"type": ["array", "null"], "items": entry, "doNotSuggest": True}
    schema = {
        "type": ["array", "object", "null"],
        "items": entry,
        "properties": {**heading, "entries": entries},
        "required": ["entries"],
        "additionalProperties": False,
    }
    complete = _with_definitions(title, schema, cls)
    _add_field_definitions(ListHeader, complete["definitions"])
    return complete


def _with_definitions(title: str, schema: JsonSchema, cls: Any) -> JsonSchema:
    """Return a complete schema with all definitions that it refers to."""
    definitions = {**LANGUAGE_DEFINITIONS}
    if "items" in schema:
        _add_type_definition(cls, definitions)
    else:
        _add_field_definitions(cls, definitions)
    return {"$schema": SCHEMA_DRAFT_URL, "title": title, **schema, "definitions": definitions}


def _add_type_definition(cls: Any, definitions: dict[str, JsonSchema]) -> None:
    """Add the definitions of a type and of the types of its fields."""
    if cls.__name__ in definitions:
        return
    definitions[cls.__name__] = _nested_schema(cls)
    if is_named_by_key(cls):
        below = {"anyOf": [_object_schema(cls, main_field_name(cls)), {"type": "null"}]}
        definitions[f"{cls.__name__}-below"] = below
    if cls is not ThemeConfig:
        _add_field_definitions(cls, definitions)


def _add_field_definitions(cls: Any, definitions: dict[str, JsonSchema]) -> None:
    for rule in read_field_rules(cls):
        if rule.value_type is Link and not rule.is_computed:
            definitions |= link_schemas()
        elif rule.value_type is Point:
            definitions["points"], definitions["point"] = bullet_schemas()
        elif is_nested_type(rule.value_type) and rule.value_type is not ServiceGroup and not rule.is_computed:
            _add_type_definition(rule.value_type, definitions)


def _object_schema(cls: Any, omitted_field: str = "") -> JsonSchema:
    """Return the schema of a mapping with the fields of a type as its keys, except `omitted_field`."""
    field_rules = [rule for rule in read_key_rules(cls) if rule.field != omitted_field]
    schema: JsonSchema = {
        "type": "object",
        "properties": _property_schemas(cls, omitted_field),
        "patternProperties": _alias_patterns(cls, omitted_field),
        "additionalProperties": _extra_keys_schema(cls),
    }
    required_fields = [_required_field_schema(cls, rule) for rule in field_rules if rule.is_required]
    pairs = [pair for rule in field_rules for pair in _exclusive_key_pairs(rule)]
    conditions = required_fields + [{"not": {"required": list(pair)}} for pair in pairs]
    return {**schema, "allOf": conditions} if conditions else schema


def key_spellings(name: str) -> tuple[str, ...]:
    """Return the spellings of a key: start_date, startDate, StartDate, start-date, Start Date, start date, startdate."""
    first_word, *other_words = name.split("_")
    camel = "".join([first_word, *(word.title() for word in other_words)])
    title = name.replace("_", " ").title()
    separated_forms = [name.replace("_", separator) for separator in ("", "-", " ")]
    return tuple(
        dict.fromkeys([name, camel, title, title.replace(" ", ""), title.capitalize(), *separated_forms])
    )


def _required_field_schema(cls: Any, rule: FieldRule) -> JsonSchema:
    """Return the schema of a required field: one of its keys must be present."""
    keys = [*rule.accepted_keys, *field_aliases(cls, rule.field)]
    keys += ["last_name"] if rule.field == "name" else []
    names = [*rule.accepted_keys, *(spelling for key in keys for spelling in key_spellings(key))]
    return {"anyOf": [{"required": [name]} for name in dict.fromkeys(names)]}


def _alias_patterns(cls: Any, omitted_field: str) -> JsonSchema:
    """Return `patternProperties` for the aliases of each key and for the ignored keys."""
    names, used_keys = key_names(cls), {*_property_schemas(cls)}
    patterns: JsonSchema = {}
    for key_group, schema in _alias_schemas(cls, omitted_field):
        spellings = dict.fromkeys(spelling for key in key_group for spelling in key_spellings(key))
        new_spellings = [spelling for spelling in spellings if spelling not in used_keys]
        if new_spellings:
            used_keys.update(new_spellings)
            patterns[f"^({'|'.join(new_spellings)})$"] = schema
    return {**patterns, DATE_KEY_PATTERN: TEXT_SCHEMA} if names.period_field else patterns


def _alias_schemas(cls: Any, omitted_field: str) -> Iterator[tuple[Iterable[str], JsonSchema]]:
    """Yield groups of key names with the schema of their value. For a name in several groups, the first group counts."""
    names = key_names(cls)
    for rule in read_key_rules(cls):
        if rule.field != omitted_field:
            aliases = field_aliases(cls, rule.field)
            own_aliases = (a for a in aliases if names.keys_by_alias.get(fold_key(a)) == rule.field)
            schema = {"description": f"read as {rule.field}", **_field_value_schema(cls, rule)}
            yield (*rule.accepted_keys, *own_aliases), schema
    for name, start_end_aliases in START_END_KEYS.items() if names.period_field else ():
        yield (name, *start_end_aliases), {"description": f"read as {name}", **scalar_schema(Period)}
    if cls is Profile:
        yield ("first_name", "middle_name", "last_name"), TEXT_SCHEMA
        yield OWN_PAGE_KEYS, scalar_schema(Url)
    if names.has_groups:
        yield sorted(SERVICE_GROUP_LABELS), TEXT_SCHEMA
    elif names.has_links:
        link_schema = {"description": "read as a link", **scalar_schema(Url)}
        suffixes = ("", "_id", "_userid", "_username", "_url")
        services = (*PROFILE_SERVICES, *SERVICE_ALIASES, "google_scholar")
        yield [f"{name}{suffix}" for name in services for suffix in suffixes], link_schema
        yield [f"{prefix}{name}" for name in sorted(LINK_KEYS) for prefix in ("", "url_")], link_schema
    if cls is Settings or issubclass(cls, Entry):
        ignored_keys = IGNORED_SETTING_KEYS if cls is Settings else IGNORED_ENTRY_KEYS
        yield sorted(ignored_keys), {"description": "has no meaning in Tenure and is ignored"}


def _property_schemas(cls: Any, omitted_field: str = "") -> JsonSchema:
    """Return `properties` of a mapping: each key with its description and the schema of its value."""
    properties: JsonSchema = {}
    for rule in read_key_rules(cls):
        if rule.field == omitted_field:
            continue
        schema = {"description": help_for_field(cls, rule.field), **_field_value_schema(cls, rule)}
        properties[rule.field] = schema
        for name in rule.alternative_names.aliases:
            properties[name] = {**schema, "doNotSuggest": True}
        if rule.value_type is Period and not rule.is_list:
            for name, help_text in START_END_HELP.items():
                properties[name] = {"description": help_text, **scalar_schema(Period)}
    return properties


def _exclusive_key_pairs(rule: FieldRule) -> list[tuple[str, str]]:
    """Return the pairs of keys of which only one may be present, because both set the same field."""
    names = rule.accepted_keys
    pairs = [(first, second) for index, first in enumerate(names) for second in names[index + 1 :]]
    if rule.value_type is Period and not rule.is_list:
        pairs += [(name, other_name) for name in names for other_name in START_END_HELP]
    return pairs


def _extra_keys_schema(cls: Any) -> bool | JsonSchema:
    """Return the schema of values under keys that the author chooses, or False if there are none."""
    extra_rule = next((rule for rule in read_field_rules(cls) if rule.takes_extra_fields), None)
    if extra_rule is None:
        return False
    if cls is FieldTypes:
        return {"enum": [*OWN_FIELD_TYPES]}
    if extra_rule.value_type is not ServiceGroup:
        return accept_translations(TEXT_SCHEMA)
    names = {"type": "array", "items": accept_translations(TEXT_SCHEMA)}
    return accept_translations({"anyOf": [names, {"type": "string", "pattern": ","}]})


def _field_value_schema(cls: Any, rule: FieldRule) -> JsonSchema:
    """Return the schema of the value of a field; a text may be a mapping with a text for each language."""
    schema = _untranslated_value_schema(cls, rule)
    return accept_translations(schema) if has_text(rule.value_type) and cls is not Checks else schema


def _untranslated_value_schema(cls: Any, rule: FieldRule) -> JsonSchema:
    if cls is Settings and rule.field == "schema":
        return {"enum": [SCHEMA_VERSION, None]}
    if cls is Checks:
        codes = [code for code, (level, _) in PROBLEM_CODES.items() if level == "warning"]
        return {"type": ["array", "string", "null"], "items": {"enum": codes}}
    if rule.value_type is Link:
        return {"$ref": "#/definitions/links"}
    if rule.value_type is Point:
        return {"$ref": "#/definitions/points"}
    if is_nested_type(rule.value_type):
        item_schema: JsonSchema = {"$ref": f"#/definitions/{rule.value_type.__name__}"}
    else:
        item_schema = scalar_schema(rule.value_type)
        if rule.is_required:
            return {**item_schema, "type": [name for name in item_schema["type"] if name != "null"]}
    if not rule.is_list:
        return {"anyOf": [item_schema, {"type": "null"}]} if is_nested_type(rule.value_type) else item_schema
    listed = {"anyOf": [item_schema, {"type": "null"}]}
    if has_text(rule.value_type) and not is_nested_type(rule.value_type):
        listed["anyOf"] = [accept_translations(item_schema), {"type": "null"}]
    list_forms: list[JsonSchema] = [{"type": ["array", "null"], "items": listed}, item_schema]
    if rule.is_keyed_list:
        named_item_schema = {"$ref": f"#/definitions/{rule.value_type.__name__}-below"}
        list_forms[1:] = [
            {"type": "object", "additionalProperties": named_item_schema},
            {"type": [*SCALAR_TYPES]},
        ]
    return {"anyOf": list_forms}


def _nested_schema(cls: Any) -> JsonSchema:
    """Return the schema of a nested record: a mapping, a single text, or a mapping under its name as the key."""
    field_rules = read_field_rules(cls)
    schema = _object_schema(cls)
    main_rule = next((rule for rule in field_rules if rule.is_main), None)
    if main_rule is None:
        return schema
    forms: list[JsonSchema] = [schema]
    if is_named_by_key(cls):
        named_schema = {"$ref": f"#/definitions/{cls.__name__}-below"}
        usual_names = [*COLLECTION_TYPES, "publications", "about"] if cls is SectionConfig else []
        forms.append(
            {
                "type": "object",
                "minProperties": 1,
                "maxProperties": 1,
                "propertyNames": {"not": {"enum": sorted(_property_schemas(cls))}},
                "properties": dict.fromkeys(usual_names, named_schema),
                "additionalProperties": named_schema,
            }
        )
    text = accept_translations({"type": [*SCALAR_TYPES]})
    main_value = text if has_text(main_rule.value_type) else scalar_schema(main_rule.value_type)
    return {"anyOf": [main_value, *forms]}


def _coauthors_schema() -> JsonSchema:
    """Return the schema of content/coauthors.yaml: a list of people, or a mapping of names to URLs."""
    value_schema = {"anyOf": [scalar_schema(Url), _object_schema(Coauthor, "name")]}
    named_form = {
        "type": "object",
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": value_schema,
        "propertyNames": {"not": {"enum": sorted(_property_schemas(Coauthor))}},
    }
    forms = [*_nested_schema(Coauthor)["anyOf"], named_form]
    schema = {
        "type": ["array", "object", "null"],
        "items": {"anyOf": forms},
        "additionalProperties": value_schema,
    }
    return {
        "$schema": SCHEMA_DRAFT_URL,
        "title": "content/coauthors.yaml",
        **schema,
        "definitions": LANGUAGE_DEFINITIONS,
    }


def _theme_schema(root: Path) -> JsonSchema:
    """Return the schema of `theme`: the name of a theme and its options."""
    names = sorted(list_themes(root))
    schemas_by_theme = {name: _list_option_schemas(root, name) for name in names}
    variants: dict[str, list[JsonSchema]] = {}
    for schemas in schemas_by_theme.values():
        for key, schema in schemas.items():
            variants[key] = [other for other in variants.get(key, ()) if other != schema] + [schema]
    all_options = {
        key: schemas[0] if len(schemas) == 1 else {"anyOf": schemas} for key, schemas in variants.items()
    }
    name_schema = {"description": help_for_field(ThemeConfig, "name"), "type": "string", "examples": names}
    return {
        "type": ["string", "object"],
        "examples": names,
        "properties": {"name": name_schema, **all_options},
        "allOf": [
            {
                "if": {"required": ["name"], "properties": {"name": {"const": theme}}},
                "then": {"properties": {"name": True, **option_schemas}, "additionalProperties": False},
            }
            for theme, option_schemas in schemas_by_theme.items()
        ],
    }


def _list_option_schemas(root: Path, theme: str) -> dict[str, JsonSchema]:
    """Return the schema of each option of a theme, by its name and its aliases."""
    options = read_lineage(root, theme, Problems(), Place("site.yaml")).options
    names = {name: (name, *option.aliases) for name, option in options.items()}
    return {key: _theme_option_schema(options[name]) for name, keys in names.items() for key in keys}


def _theme_option_schema(option: ThemeOption) -> JsonSchema:
    description = {"description": option.help}
    if option.type == "boolean":
        return {**description, **scalar_schema(bool)}
    if option.type in ("choice", "palette"):
        return {**description, "enum": list(option.choice_names)}
    text = accept_translations({"type": [*SCALAR_TYPES]})
    return {**description, **text, "examples": list(option.choice_names)}


def _theme_file_schema() -> JsonSchema:
    """Return the schema of themes/<name>/theme.yaml."""
    properties: Mapping[str, JsonSchema] = {
        "extends": {"description": "the theme that this one extends", "type": "string"},
        "description": {"description": "its line in `tenure theme list`", "type": "string"},
        "options": {
            "description": "what a site may choose",
            "type": ["object", "null"],
            "additionalProperties": _object_schema(ThemeOption),
        },
    }
    return {
        "$schema": SCHEMA_DRAFT_URL,
        "title": "theme.yaml",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "definitions": LANGUAGE_DEFINITIONS,
    }
