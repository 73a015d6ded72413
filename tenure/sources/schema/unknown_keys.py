"""Suggestions for unknown keys: the key that was meant, or the file that the value belongs in."""

import difflib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from tenure.model.dates import Period
from tenure.model.entries import Course, Entry, Experience, Profile
from tenure.model.site import PageConfig, Settings
from tenure.problems import find_similar_word, format_suggestion
from tenure.sources.node import Node
from tenure.sources.schema.alias_table import field_aliases
from tenure.sources.schema.aliases import START_END_KEYS, fold_key, key_names
from tenure.sources.schema.field_rules import FieldRule

BIOGRAPHY_KEYS = frozenset({"bio", "biography", "about", "summary", "description", "statement"})
THEME_OPTION_KEYS = frozenset(
    ["accent", "accentcolor", "primarycolor", "font", "fonts", "fontfamily", "darkmode", "enabledarkmode", "darklight", "density", "layout", "style", "color", "colors", "colour"]
)  # fmt: skip
"""Folded top-level keys of site.yaml that are theme options."""

ANALYTICS_KEYS = (
    "analytics",
    "goatcounter",
    "plausible",
    "umami",
    "giscus",
    "comments",
    "disqus",
    "newsletter",
)

UNKNOWN_KEY_HINTS: Mapping[Any, Mapping[str, str]] = {
    Settings: {
        "favicon": "delete it, and put the picture into content/favicon.svg",
        "icon": "delete it, and put the picture into content/favicon.svg",
        "author": "delete it; your name belongs into content/profile.yaml",
        "email": "write it into content/profile.yaml",
        "photo": "write it into content/profile.yaml",
        "avatar": "write it into content/profile.yaml",
        "cv": 'for a PDF of your own, write cv: into content/profile.yaml; for a CV made here, write "cvs"',
        "resume": 'for a PDF of your own, write cv: into content/profile.yaml; for a CV made here, write "cvs"',
        "social": "write them under links: in content/profile.yaml",
        "socials": "write them under links: in content/profile.yaml",
        "links": "write them under links: in content/profile.yaml",
        "domain": "write url: https://…",
        "cname": "write url: https://…",
        "sections": "write them under a page: pages: [{path: /, sections: [about, news]}]",
        "keywords": "delete it: search engines do not read it",
        "googlesiteverification": "put the file that Google gives you into content/",
    },
    Profile: {
        "phone": 'a phone number is not published unless you write links: {Phone: "tel:+1…"}',
        "telephone": 'a phone number is not published unless you write links: {Phone: "tel:+1…"}',
        "tel": 'a phone number is not published unless you write links: {Phone: "tel:+1…"}',
        "mobile": 'a phone number is not published unless you write links: {Phone: "tel:+1…"}',
        "fax": "write it in content/about.md",
        "birthday": "delete it; a CV does not need it",
        "birthdate": "delete it; a CV does not need it",
        "dateofbirth": "delete it; a CV does not need it",
        "nationality": "write it in content/about.md",
        "languages": "write them in content/about.md",
        "skills": "write them in content/about.md",
        "theme": "its place is site.yaml",
        "url": "its place is site.yaml",
        **dict.fromkeys(
            ("advisor", "advisors", "supervisor", "supervisors", "pi"),
            "write it in content/about.md, or as advisor: in content/education.yaml",
        ),
    },
    Entry: {
        "status": 'put it into "note", or into "tags"',
        "state": 'put it into "note", or into "tags"',
        "name": 'write it under the key of what it names, such as "institution" or "title"',
    },
    Course: {
        **dict.fromkeys(
            ("location", "place", "room", "time", "instructor", "instructors"), 'put it into "note"'
        ),
    },
    Experience: {"type": 'put it into "note", or into "tags"'},
    PageConfig: {
        "href": "the menu has pages of this site only; write the address under links: in content/profile.yaml"
    },
}
"""The hint for an unknown key, by type and folded key. These hints replace the suggestion of the most similar key."""

COLLECTION_NAMES = frozenset(
    ["education", "experience", "projects", "publications", "talks", "awards", "service", "teaching", "news"]
)  # fmt: skip


def all_accepted_keys(field_rules: Sequence[FieldRule]) -> list[str]:
    """Return every key that an entry may have."""
    keys = [key for rule in field_rules if not rule.takes_extra_fields for key in rule.accepted_keys]
    return (
        [*keys, *START_END_KEYS]
        if any(rule.value_type is Period and not rule.is_list for rule in field_rules)
        else keys
    )


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
    similar_key, similar_alias = _find_similar_names(
        key,
        tuple(accepted_keys),
        tuple(name for rule in source_rules for name in field_aliases(cls, rule.field)),
    )
    if similar_key:
        return similar_key, f'did you mean "{similar_key}"?'
    if similar_alias and not key_names(cls).has_groups:
        return keys_by_alias[
            fold_key(similar_alias)
        ], f'did you mean "{keys_by_alias[fold_key(similar_alias)]}"?'
    return "", _suggest_place(key.casefold(), node, accepted_keys, cls) or format_suggestion(key, fields)


def hint_for_known_mistake(key: str, node: Node, cls: Any) -> str:
    """Return the hint for an unknown key that is a known mistake, or ""."""
    folded_key = fold_key(key)
    for base_type in cls.__mro__:
        if folded_key in UNKNOWN_KEY_HINTS.get(base_type, {}):
            return UNKNOWN_KEY_HINTS[base_type][folded_key]
    if cls is Settings and folded_key in THEME_OPTION_KEYS:
        option = {"enabledarkmode": "dark_mode", "darkmode": "dark_mode"}.get(folded_key, key.casefold())
        value = f'"{node.text}"' if node.text.startswith("#") else node.text or "…"
        return f"an option of a theme is written under it: theme: {{name: …, {option}: {value}}}"
    if cls is Settings and "googleanalytics" in folded_key:
        return (
            "there is no key for Google Analytics; services: has goatcounter, plausible, umami and cloudflare"
        )
    if cls is Settings and any(name in folded_key for name in ANALYTICS_KEYS):
        return "write it under services:"
    return ""


@lru_cache(maxsize=4096)
def _find_similar_names(
    key: str, accepted_keys: tuple[str, ...], aliases: tuple[str, ...]
) -> tuple[str, str]:
    """Return the most similar key and the most similar alias, each or "". Cached: groups of service repeat many keys."""
    similar_key = find_similar_word(key, accepted_keys)
    similar_aliases = (
        () if similar_key else difflib.get_close_matches(key.casefold(), aliases, n=1, cutoff=0.8)
    )
    return similar_key, next(iter(similar_aliases), "")


def _suggest_place(key: str, node: Node, accepted_keys: Sequence[str], cls: Any) -> str:
    """Return the hint that names the right file for a value, or ""."""
    is_profile = cls is Profile
    if is_profile and key in BIOGRAPHY_KEYS:
        return "write it in content/about.md"
    if is_profile and key in COLLECTION_NAMES:
        return f"write it in {'a .bib file in bib/' if key == 'publications' else f'content/{key}.yaml'}"
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
    accepted_keys = {
        *all_accepted_keys(field_rules),
        *(name for rule in field_rules for name in field_aliases(cls, rule.field)),
    }
    unknown_keys = [key for key in node.mapping if key not in accepted_keys]
    known_keys = [key for key in node.mapping if key in accepted_keys]
    first_key = unknown_keys[0] if unknown_keys else ""
    if not first_key or isinstance(node.mapping[first_key].value, str):
        return "", ""
    if len(unknown_keys) > 1:
        return (
            f'"{first_key}" and "{unknown_keys[1]}" are in one entry',
            f"begin each with a hyphen: - {first_key}",
        )
    if node.mapping[first_key].value is not None:
        return f'"{first_key}" is {node.mapping[first_key].shape}', "write key: value lines below it"
    example = ", ".join(f"{key}: {node.mapping[key].text or '…'}" for key in known_keys)
    message = f'"{known_keys[0]}" is beside "{first_key}", not below it'
    return message, f"indent it further, or write - {first_key}: {{{example}}}"
