"""Unknown keys: moved to the file that they belong in, or reported with a suggestion."""

import difflib
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from tenure.model.dates import Period
from tenure.model.entries import Profile
from tenure.model.site import Settings
from tenure.problems import Problems, find_similar_word, format_suggestion
from tenure.record import Record
from tenure.sources.node import Node
from tenure.sources.schema.aliases import canonical_key, key_names
from tenure.sources.schema.field_rules import FieldRule
from tenure.sources.schema.key_tables import (
    ABOUT_TEXT_KEYS,
    FOLDED_IGNORED_KEYS,
    FOLDED_IGNORED_SETTINGS,
    OTHER_THEME_OPTIONS,
    POSTAL_ADDRESS_KEYS,
    PROFILE_LIST_KEYS,
    START_END_KEYS,
    THEME_OPTION_NAMES,
    UNKNOWN_KEY_HINTS,
    UNPUBLISHED_FACTS,
    UNSUPPORTED_SETTINGS,
    field_aliases,
    fold_key,
)
from tenure.sources.schema.links import find_service

ANALYTICS_KEYS = (
    "analytics", "goatcounter", "plausible", "umami", "giscus", "comments", "disqus", "newsletter",
)  # fmt: skip
NAME_PARTS = frozenset({"name", "firstname", "lastname"})


class DividedMapping(Record):
    """A mapping without the keys that belong in another file, and a mapping with only these keys."""

    remaining: Node
    misplaced: Node


def divide_profile(node: Node, problems: Problems) -> DividedMapping:
    """
    Divide a profile into its own keys and its text and lists.

    A fact that is not published gives a warning, and so does a postal address that is.
    """
    remaining, misplaced = dict[str, Node](), dict[str, Node]()
    for key, child in node.mapping.items():
        folded_key = fold_key(key)
        if folded_key in POSTAL_ADDRESS_KEYS and re.search(r"\d", child.text):
            message = f'"{key}" of the profile is published as your location'
            hint = "if everybody may see it, write location: …; if it is private, delete it"
            problems.report("published-address", node.key_place(key), message, hint)
        if canonical_key(key, Profile) or child.value is None:
            remaining[key] = child
        elif folded_key in ABOUT_TEXT_KEYS and child.text:
            misplaced["about"] = child
        elif folded_key in PROFILE_LIST_KEYS:
            misplaced[PROFILE_LIST_KEYS[folded_key]] = child
        elif folded_key in UNPUBLISHED_FACTS:
            message = f'"{key}" of the profile is not published'
            problems.report("unused-key", node.key_place(key), message, UNPUBLISHED_FACTS[folded_key])
        else:
            remaining[key] = child
    return _build_divided_mapping(node, remaining, misplaced)


def divide_settings(node: Node, problems: Problems) -> DividedMapping:
    """Divide the settings into their own keys and keys of the profile. An unsupported setting gives a warning."""
    remaining, misplaced = dict[str, Node](), dict[str, Node]()
    for key, child in node.mapping.items():
        folded_key = fold_key(key)
        is_known = canonical_key(key, Settings) or folded_key in THEME_OPTION_NAMES
        is_ignored = folded_key in FOLDED_IGNORED_SETTINGS | FOLDED_IGNORED_KEYS - {"author", "social"}
        if folded_key in UNSUPPORTED_SETTINGS:
            message = f'"{key}" in site.yaml has no effect'
            problems.report("unused-key", node.key_place(key), message, UNSUPPORTED_SETTINGS[folded_key])
        elif find_service(key) and child.mapping:
            message = f'"{key}" in site.yaml is a setting of another system, and is ignored'
            problems.report("ignored-key", node.key_place(key), message, "delete it")
        elif not is_known and not is_ignored and _is_profile_key(key, child):
            misplaced[key] = child
        else:
            remaining[key] = child
    return _build_divided_mapping(node, remaining, misplaced)


def _is_profile_key(key: str, child: Node) -> bool:
    """Whether a key of site.yaml is one of the profile: a field, a part of the name, or a link."""
    is_link = fold_key(key) == "socials" or (find_service(key) and isinstance(child.value, str))
    return bool(canonical_key(key, Profile) or fold_key(key) in NAME_PARTS or is_link)


def merge_profile_keys(node: Node, misplaced: Node, problems: Problems) -> Node:
    """Return a profile with the profile keys of site.yaml added. For a field in both, the profile has priority."""
    present_fields = {_profile_field(key) for key in node.mapping}
    if present_fields & NAME_PARTS:
        present_fields |= NAME_PARTS
    links = node.mapping.get("links")
    present_fields |= {find_service(key) for key in (links.mapping if links else ())}
    values, key_places = dict(node.mapping), dict(node.keys)
    for key, child in misplaced.mapping.items():
        field, place = _profile_field(key), misplaced.key_place(key)
        if field in present_fields:
            is_equal = child.text and child.text in {value.text for value in node.mapping.values()}
            code = "ignored-key" if is_equal or field in NAME_PARTS else "unused-key"
            message = f'"{key}" in site.yaml is not used: the profile has it already'
            problems.report(code, place, message, "delete it")
            continue
        message = f'"{key}" in site.yaml is read as a key of the profile'
        problems.report("alias", place, message, "write it into content/profile.yaml")
        values[key], key_places[key] = child, place
    return Node(values, node.place, key_places)


def _profile_field(key: str) -> str:
    return canonical_key(key, Profile) or find_service(key) or fold_key(key)


def _build_divided_mapping(
    node: Node, remaining: Mapping[str, Node], misplaced: Mapping[str, Node]
) -> DividedMapping:
    if len(remaining) == len(node.mapping):
        return DividedMapping(node, Node({}, node.place))
    return DividedMapping(Node(remaining, node.place, node.keys), Node(misplaced, node.place, node.keys))


def all_accepted_keys(field_rules: Sequence[FieldRule]) -> list[str]:
    """Return every key that an entry may have."""
    keys = [key for rule in field_rules if not rule.takes_extra_fields for key in rule.accepted_keys]
    has_period = any(rule.value_type is Period and not rule.is_list for rule in field_rules)
    return [*keys, *START_END_KEYS] if has_period else keys


def field_of_key(key: str, field_rules: Sequence[FieldRule]) -> str:
    """Return the field that a key sets, or the key itself if no field has it."""
    return next((rule.field for rule in field_rules if key in rule.accepted_keys), key)


def suggest_key_repair(key: str, node: Node, source_rules: Sequence[FieldRule], cls: Any) -> tuple[str, str]:
    """Return the key that an unknown key probably means, or "", and a hint."""
    accepted_keys = all_accepted_keys(source_rules)
    fields = [rule.field for rule in source_rules if not rule.takes_extra_fields]
    keys_by_alias = key_names(cls).keys_by_alias
    if fold_key(key) in keys_by_alias and keys_by_alias[fold_key(key)] not in accepted_keys:
        return "", "delete it: the file's name is its address"
    key_before_colon = key.partition(":")[0]
    if key_before_colon != key and key_before_colon in accepted_keys:
        return key_before_colon, f'a colon needs a space after it: "{key_before_colon}: …"'
    hint = hint_for_known_mistake(key, node, cls)
    if hint:
        return "", hint
    aliases = tuple(name for rule in source_rules for name in field_aliases(cls, rule.field))
    similar_key, similar_alias = _find_similar_names(key, tuple(accepted_keys), aliases)
    if similar_alias and not similar_key and not key_names(cls).has_groups:
        similar_key = keys_by_alias[fold_key(similar_alias)]
    if similar_key:
        return similar_key, f'did you mean "{similar_key}"?'
    return "", _suggest_place(key, node, accepted_keys, cls) or format_suggestion(key, fields)


def hint_for_known_mistake(key: str, node: Node, cls: Any) -> str:
    """Return the hint for an unknown key that is a known mistake, or ""."""
    folded_key = fold_key(key)
    for base_type in cls.__mro__:
        if folded_key in UNKNOWN_KEY_HINTS.get(base_type, {}):
            return UNKNOWN_KEY_HINTS[base_type][folded_key]
    if cls is not Settings:
        return ""
    if folded_key in OTHER_THEME_OPTIONS or folded_key in THEME_OPTION_NAMES:
        value = f'"{node.text}"' if node.text.startswith("#") else node.text or "…"
        return f"an option of a theme is written under it: theme: {{name: …, {key.casefold()}: {value}}}"
    if "google" in folded_key or any("google" in name.casefold() for name in node.mapping):
        return (
            "there is no key for Google Analytics; services: has goatcounter, plausible, umami and cloudflare"
        )
    return "write it under services:" if any(name in folded_key for name in ANALYTICS_KEYS) else ""


@lru_cache(maxsize=4096)
def _find_similar_names(
    key: str, accepted_keys: tuple[str, ...], aliases: tuple[str, ...]
) -> tuple[str, str]:
    """Return the most similar key and the most similar alias, each or "". Cached: groups of service repeat many keys."""
    similar_key = find_similar_word(key, accepted_keys)
    similar_aliases = difflib.get_close_matches(
        key.casefold(), () if similar_key else aliases, n=1, cutoff=0.8
    )
    return similar_key, next(iter(similar_aliases), "")


def _suggest_place(key: str, node: Node, accepted_keys: Sequence[str], cls: Any) -> str:
    """Return the hint that names the right file for a value, or ""."""
    if "abbr" in accepted_keys:
        return "write it into the entry in bib/"
    if key_names(cls).has_groups and node.text:
        return f"if it is a group, write a list: {key}: [{node.text if len(node.text) < 40 else '…'}]"
    return 'move it to "note", or delete it' if "note" in accepted_keys else ""


def find_naming_mistake(node: Node, field_rules: Sequence[FieldRule], cls: Any) -> tuple[str, str]:
    """
    Return the mistake in an entry whose name is its key as (message, hint), or ("", "") if there is none.

    The mistakes are: the settings of "- news:" are on its level instead of below it, or one entry has several names.
    """
    aliases = (name for rule in field_rules for name in field_aliases(cls, rule.field))
    accepted_keys = {*all_accepted_keys(field_rules), *aliases}
    unknown_keys = [key for key in node.mapping if key not in accepted_keys]
    known_keys = [key for key in node.mapping if key in accepted_keys]
    first_key = unknown_keys[0] if unknown_keys else ""
    if not first_key or isinstance(node.mapping[first_key].value, str):
        return "", ""
    if len(unknown_keys) > 1:
        message = f'"{first_key}" and "{unknown_keys[1]}" are in one entry'
        return message, f"begin each with a hyphen: - {first_key}"
    if node.mapping[first_key].value is not None:
        return f'"{first_key}" is {node.mapping[first_key].shape}', "write key: value lines below it"
    example = ", ".join(f"{key}: {node.mapping[key].text or '…'}" for key in known_keys)
    message = f'"{known_keys[0]}" is beside "{first_key}", not below it'
    return message, f"indent it further, or write - {first_key}: {{{example}}}"
