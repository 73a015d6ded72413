"""Keys in another file than theirs: keys of the profile in site.yaml, and lists and texts in the profile."""

import re
from collections.abc import Iterator, Mapping, Sequence

from tenure.model.entries import Profile
from tenure.model.links import is_bare_host_url, url_scheme
from tenure.model.site import Settings
from tenure.problems import Place, Problems
from tenure.record import Record
from tenure.sources.node import Node
from tenure.sources.schema.links import find_service
from tenure.sources.schema.spec import FOREIGN_WORDS, SETTING_CONFIG_KEYS, fold_key, read_spec
from tenure.sources.schema.values import NAME_PARTS

_THEME_OPTIONS: Mapping[str, str] = {
    **dict.fromkeys(("accent", "accentcolor", "primarycolor", "primary", "color", "themecolor"), "accent"),
    "fonts": "fonts",
    "publicationsview": "publications_view",
}
"""Folded keys of site.yaml that are options of the theme, with the name of the option. Not every theme has each option."""

_TEXT_KEYS = frozenset(
    ["bio", "biography", "shortbio", "about", "aboutme", "summary", "description", "statement", "intro", "introduction"]
)  # fmt: skip
"""Folded keys of a profile whose text belongs in content/about.md."""

_LIST_NAMES: Mapping[str, str] = {
    **{name: name for name in ["education", "experience", "projects", "talks", "awards", "service", "teaching", "news", "skills", "languages", "certificates", "volunteer", "students", "grants", "memberships", "patents", "software"]},
    **dict.fromkeys(("work", "employment", "positions", "jobs"), "experience"),
    "presentations": "talks", "honors": "awards", "courses": "teaching", "degrees": "education",
}  # fmt: skip
"""Folded keys of a profile that belong in a list of their own, with the name of the list."""

_NAME_KEYS = frozenset({"name", *(key for keys in NAME_PARTS for key in keys)})

Pair = tuple[str, Place, Node]
"""A key, its place, and its value."""


class DividedMapping(Record):
    """A mapping without the keys that belong in another file, and a mapping with only these keys."""

    remaining: Node
    misplaced: Node


def divide_profile(node: Node, problems: Problems) -> DividedMapping:
    """Divide a profile into its own keys and its text and lists. A postal address gives a warning."""
    spec = read_spec(Profile)
    own, lists = list[Pair](), list[Pair]()
    for key, place, child in _list_pairs(node, Profile, problems):
        folded = fold_key(key)
        if FOREIGN_WORDS.get(folded, folded) == "address" and re.search(r"\d", child.text):
            message = f'"{key}" of the profile is published as your location'
            hint = "if everybody may see it, write location: …; if it is private, delete it"
            problems.report("published-address", place, message, hint)
        target = "about" if folded in _TEXT_KEYS and child.text else _LIST_NAMES.get(folded, "")
        if target and not spec.find_field(key):
            lists.append((target, place, child))
        else:
            own.append((key, place, child))
    return DividedMapping(_build_mapping(own, node.place), _build_mapping(lists, node.place))


def divide_settings(node: Node, problems: Problems) -> DividedMapping:
    """Divide the settings into their own keys and keys of the profile; options of the theme are moved below it."""
    spec, profile = read_spec(Settings), read_spec(Profile)
    own, others, options = list[Pair](), list[Pair](), list[Pair]()
    for key, place, child in _list_pairs(node, Settings, problems):
        folded = fold_key(key)
        is_path = not url_scheme(child.text) and not is_bare_host_url(child.text)
        is_foreign = folded in SETTING_CONFIG_KEYS or (folded == "baseurl" and is_path)
        is_foreign = is_foreign or (folded == "theme" and child.text in ("default", "auto"))
        if is_foreign or (find_service(key) and child.mapping):
            message = f'"{key}" in site.yaml has no meaning in Tenure and is ignored'
            problems.report("ignored-key", place, message, "delete it")
        elif folded == "menu" and child.child("main").value:  # of Hugo
            own.append((key, place, child.child("main")))
        elif spec.find_field(key):
            own.append((key, place, child))
        elif folded in _THEME_OPTIONS and child.text:
            option = _THEME_OPTIONS[folded]
            message = f'"{key}" in site.yaml: it is read as the option "{option}" of the theme'
            problems.report("alias", place, message, f"write it under theme: {option}: …")
            options.append((option, place, child))
        elif (
            profile.find_field(key)
            or folded in (*_NAME_KEYS, "socials")
            or (find_service(key) and child.text)
        ):
            others.append((key, place, child))
        else:
            own.append((key, place, child))
    remaining = _build_mapping(own, node.place)
    if options:
        theme = remaining.child("theme")
        theme = theme if theme.mapping else Node.from_children({"name": theme}, theme.place)
        theme = _build_mapping(options, theme.place).with_keys_of(theme)
        remaining = remaining.with_child("theme", theme)
    return DividedMapping(remaining, _build_mapping(others, node.place))


def _list_pairs(node: Node, cls: type, problems: Problems) -> Iterator[Pair]:
    """The pairs of a mapping; a mapping of mostly known keys under another key is replaced by its pairs: basics: {name: …}."""
    seen = set[str]()
    for key, place, child in _unwrap_pairs(node, cls):
        if key in seen:
            message = f'{place.file} has "{key}" at two places'
            problems.report("key-twice", place, message, "keep one of the two")
        else:
            seen.add(key)
            yield key, place, child


def _unwrap_pairs(node: Node, cls: type) -> Iterator[Pair]:
    spec, profile = read_spec(cls), read_spec(Profile)
    words = _TEXT_KEYS | (SETTING_CONFIG_KEYS if cls is Settings else frozenset())
    for key, child in node.mapping.items():
        fields = [inner for inner in child.mapping if spec.find_field(inner) or fold_key(inner) in words]
        known = {*fields, *filter(find_service, child.mapping)}
        is_profile = fold_key(key) == "profile" and "name" in map(spec.find_field, child.mapping)
        is_field = spec.find_field(key) not in ("", "cv") or (cls is Settings and profile.find_field(key))
        is_other = fold_key(key) in _LIST_NAMES or find_service(key) or (is_field and not is_profile)
        if fields and len(known) * 2 > len(child.mapping) and not is_other:
            yield from _unwrap_pairs(child, cls)
        else:
            yield key, node.key_place(key), child


def _build_mapping(pairs: Sequence[Pair], place: Place) -> Node:
    children = {key: child for key, _, child in pairs}
    return Node(children, place, {key: key_place for key, key_place, _ in pairs})


def merge_profile_keys(node: Node, misplaced: Node, problems: Problems) -> Node:
    """The profile with the profile keys of site.yaml added. For a field in both, the profile has priority."""
    present = {_find_field(key) for key in (*node.mapping, *node.child("links").mapping)}
    added = list[Pair]()
    for key, child in misplaced.mapping.items():
        field, place = _find_field(key), misplaced.key_place(key)
        if field in present:
            is_equal = child.text and child.text in {value.text for value in node.mapping.values()}
            code = "ignored-key" if is_equal or field == "name" else "unused-key"
            message = f'"{key}" in site.yaml is not used: the profile has it already'
            problems.report(code, place, message, "delete it")
        else:
            message = f'"{key}" in site.yaml is read as a key of the profile'
            problems.report("alias", place, message, "write it into content/profile.yaml")
            added.append((key, place, child))
    return node.with_keys_of(_build_mapping(added, node.place))


def _find_field(key: str) -> str:
    """The field of the profile or the service that a key names; "name" for a part of the name."""
    name = "name" if fold_key(key) in _NAME_KEYS else ""
    return name or read_spec(Profile).find_field(key) or find_service(key) or fold_key(key)
