"""Keys in another file than theirs: keys of the profile in site.yaml, and lists and texts in the profile."""

import re
from collections.abc import Iterator, Mapping

from tenure.model.entries import Profile
from tenure.model.links import is_bare_host_url, url_scheme
from tenure.model.site import Settings
from tenure.problems import Place, Problems
from tenure.record import Record, replace
from tenure.sources.node import Node
from tenure.sources.schema.links import find_service
from tenure.sources.schema.spec import FOREIGN_WORDS, SETTING_CONFIG_KEYS, fold_key, read_spec

_THEME_OPTIONS: Mapping[str, str] = {
    **dict.fromkeys(("accent", "accentcolor", "primarycolor", "primary", "color", "themecolor"), "accent"),
    "fonts": "fonts",
    "publicationsview": "publications_view",
    "venuetags": "venue_tags",
}
"""Folded top-level keys that are options of the theme, with the name of the option. Not every theme has each option."""

_TEXT_KEYS = frozenset(
    [
        "bio",
        "biography",
        "shortbio",
        "about",
        "aboutme",
        "summary",
        "description",
        "statement",
        "intro",
        "introduction",
    ]
)
"""Folded keys of a profile whose text belongs in content/about.md."""

_LIST_NAMES: Mapping[str, str] = {
    **{name: name for name in ["education", "experience", "projects", "talks", "awards", "service", "teaching", "news", "skills", "languages", "certificates", "volunteer", "students", "grants", "memberships", "patents", "software"]},
    **dict.fromkeys(("work", "employment", "positions", "jobs"), "experience"),
    "presentations": "talks", "honors": "awards", "courses": "teaching", "degrees": "education",
}  # fmt: skip
"""Folded keys of a profile that belong in a list of their own, with the name of the list."""

_NAME_PARTS = frozenset({"name", "firstname", "lastname"})


class DividedMapping(Record):
    """A mapping without the keys that belong in another file, and a mapping with only these keys."""

    remaining: Node
    misplaced: Node


def divide_profile(node: Node, problems: Problems) -> DividedMapping:
    """Divide a profile into its own keys and its text and lists. A postal address gives a warning."""
    spec = read_spec(Profile)
    remaining, misplaced = Node({}, node.place), Node({}, node.place)
    for key, place, child in _list_pairs(node, Profile, problems):
        folded = fold_key(key)
        if FOREIGN_WORDS.get(folded, folded) == "address" and re.search(r"\d", child.text):
            message = f'"{key}" of the profile is published as your location'
            hint = "if everybody may see it, write location: …; if it is private, delete it"
            problems.report("published-address", place, message, hint)
        target = _LIST_NAMES.get(folded, "")
        if folded in _TEXT_KEYS and child.text:
            target = "about"
        if target and not spec.find_field(key):
            misplaced = _add_pair(misplaced, target, place, child)
        else:
            remaining = _add_pair(remaining, key, place, child)
    return DividedMapping(remaining, misplaced)


def divide_settings(node: Node, problems: Problems) -> DividedMapping:
    """Divide the settings into their own keys and keys of the profile; options of the theme are moved below it."""
    spec, profile = read_spec(Settings), read_spec(Profile)
    remaining, misplaced, options = Node({}, node.place), Node({}, node.place), Node({}, node.place)
    for key, place, child in _list_pairs(node, Settings, problems):
        folded = fold_key(key)
        is_path = not url_scheme(child.text) and not is_bare_host_url(child.text)
        is_foreign = folded in SETTING_CONFIG_KEYS or (find_service(key) and child.mapping)
        if (
            is_foreign
            or (folded == "baseurl" and is_path)
            or (folded == "theme" and child.text in ("default", "auto"))
        ):
            problems.report(
                "ignored-key",
                place,
                f'"{key}" in site.yaml has no meaning in Tenure and is ignored',
                "delete it",
            )
        elif folded == "menu" and child.child("main").value:
            remaining = _add_pair(remaining, key, place, child.child("main"))
        elif spec.find_field(key):
            remaining = _add_pair(remaining, key, place, child)
        elif folded in _THEME_OPTIONS and child.text:
            option = _THEME_OPTIONS[folded]
            message = f'"{key}" in site.yaml: it is read as the option "{option}" of the theme'
            problems.report("alias", place, message, f"write it under theme: {option}: …")
            options = _add_pair(options, option, place, child)
        elif (
            profile.find_field(key)
            or folded in (*_NAME_PARTS, "socials")
            or (find_service(key) and child.text)
        ):
            misplaced = _add_pair(misplaced, key, place, child)
        else:
            remaining = _add_pair(remaining, key, place, child)
    theme = remaining.child("theme")
    if theme.text:
        theme = Node.from_children({"name": theme}, theme.place)
    for key in [key for key in theme.mapping if fold_key(key) in _THEME_OPTIONS]:
        options = _add_pair(options, _THEME_OPTIONS[fold_key(key)], theme.key_place(key), theme.mapping[key])
        theme = theme.without_keys([key])
    if options.mapping:
        options = replace(options.with_keys_of(theme), place=theme.place)
        place = remaining.keys.get("theme", next(iter(options.keys.values())))
        remaining = _add_pair(remaining, "theme", place, options)
    return DividedMapping(remaining, misplaced)


def _list_pairs(node: Node, cls: type, problems: Problems) -> Iterator[tuple[str, Place, Node]]:
    """The pairs of a mapping; a mapping of mostly known keys under another key is replaced by its pairs: basics: {name: …}."""
    seen = dict[str, Place]()
    for key, place, child in _unwrap_pairs(node, cls):
        if key not in seen:
            seen[key] = place
            yield key, place, child
        else:
            problems.report(
                "key-twice", place, f'{place.file} has "{key}" at two places', "keep one of the two"
            )


def _unwrap_pairs(node: Node, cls: type) -> Iterator[tuple[str, Place, Node]]:
    spec = read_spec(cls)
    config = SETTING_CONFIG_KEYS if cls is Settings else frozenset[str]()
    for key, child in node.mapping.items():
        fields = [
            inner
            for inner in child.mapping
            if spec.find_field(inner) or fold_key(inner) in _TEXT_KEYS | config
        ]
        links = [inner for inner in child.mapping if find_service(inner)]
        is_profile = fold_key(key) == "profile" and "name" in map(spec.find_field, child.mapping)
        is_field = spec.find_field(key) not in ("", "cv") or (
            cls is Settings and read_spec(Profile).find_field(key)
        )
        is_other = fold_key(key) in _LIST_NAMES or find_service(key) or (is_field and not is_profile)
        if len({*fields, *links}) * 2 > len(child.mapping) and fields and not is_other:
            yield from _unwrap_pairs(child, cls)
        else:
            yield key, node.key_place(key), child


def _add_pair(node: Node, key: str, place: Place, child: Node) -> Node:
    """The mapping with another pair."""
    return Node({**node.mapping, key: child}, node.place, {**node.keys, key: place})


def merge_profile_keys(node: Node, misplaced: Node, problems: Problems) -> Node:
    """The profile with the profile keys of site.yaml added. For a field in both, the profile has priority."""
    present_fields = {_find_field(key) for key in node.mapping}
    if present_fields & _NAME_PARTS:
        present_fields |= _NAME_PARTS
    links = node.mapping.get("links")
    present_fields |= {find_service(key) for key in (links.mapping if links else ())}
    for key, child in misplaced.mapping.items():
        field, place = _find_field(key), misplaced.key_place(key)
        if field in present_fields:
            is_equal = child.text and child.text in {value.text for value in node.mapping.values()}
            code = "ignored-key" if is_equal or field in _NAME_PARTS else "unused-key"
            message = f'"{key}" in site.yaml is not used: the profile has it already'
            problems.report(code, place, message, "delete it")
            continue
        message = f'"{key}" in site.yaml is read as a key of the profile'
        problems.report("alias", place, message, "write it into content/profile.yaml")
        node = _add_pair(node, key, place, child)
    return node


def _find_field(key: str) -> str:
    return read_spec(Profile).find_field(key) or find_service(key) or fold_key(key)
