"""Keys in another file than theirs: keys of the profile in site.yaml, and lists and texts in the profile."""

import re
from collections.abc import Iterator, Mapping, Sequence

from tenure.model.entries import Profile
from tenure.model.links import is_bare_host_url, url_scheme
from tenure.model.site import Settings
from tenure.problems import Place, Problems
from tenure.record import Record, replace
from tenure.sources.reading.node import Node
from tenure.sources.schema.keys import Pair, list_pairs
from tenure.sources.schema.link_forms import find_service
from tenure.sources.schema.spec import FOREIGN_WORDS, SETTING_CONFIG_KEYS, fold_key, read_spec
from tenure.sources.schema.value_forms import NAME_PARTS

_THEME_OPTIONS: Mapping[str, str] = {
    **dict.fromkeys(("accent", "accentcolor", "primarycolor", "primary", "color", "themecolor"), "accent"),
    "fonts": "fonts",
    "publicationsview": "publications_view",
}
"""Folded keys of site.yaml that are options of the theme, with the name of the option."""

_TEXT_KEYS = frozenset(
    "bio biography shortbio about aboutme summary description statement intro introduction".split()
)
"""Folded keys of a profile whose text belongs in content/about.md."""

_LIST_KEYS = """
    education experience projects talks awards service teaching news skills languages certificates volunteer
    students grants memberships patents software
"""

_LIST_NAMES: Mapping[str, str] = {
    **{name: name for name in _LIST_KEYS.split()},
    **dict.fromkeys(("work", "employment", "positions", "jobs"), "experience"),
    "presentations": "talks",
    "honors": "awards",
    "courses": "teaching",
    "degrees": "education",
}
"""Folded keys of a profile that belong in a list of their own, with the name of the list."""

_NAME_KEYS = frozenset({"name", *(key for keys in NAME_PARTS for key in keys)})


class DividedMapping(Record):
    """A mapping without the keys that belong in another file, and a mapping with only these keys."""

    remaining: Node
    misplaced: Node


def divide_profile(node: Node, problems: Problems) -> DividedMapping:
    """
    Divide a profile into its own keys and its text and lists. A postal address gives a warning.

    {name: Ada, bio: I study caches, talks: […]} -> {name: Ada} and {about: I study caches, talks: […]}
    """
    spec = read_spec(Profile)
    own: list[Pair] = []
    lists: list[Pair] = []
    for pair in _list_pairs(node, Profile, problems):
        folded = pair.folded
        if FOREIGN_WORDS.get(folded, folded) == "address" and re.search(r"\d", pair.node.text):
            message = f'"{pair.key}" of the profile is published as your location'
            hint = "if everybody may see it, write location: …; if it is private, delete it"
            problems.report("published-address", pair.place, message, hint)

        target = "about" if folded in _TEXT_KEYS and pair.node.text else _LIST_NAMES.get(folded, "")
        # `positions` is a list of other systems, and a name of the field `role`
        if target and not spec.find_field(pair.key):
            lists.append(replace(pair, key=target))
        else:
            own.append(pair)
    return DividedMapping(_build_mapping(own, node.place), _build_mapping(lists, node.place))


def divide_settings(node: Node, problems: Problems) -> DividedMapping:
    """Divide the settings into their own keys and keys of the profile; options of the theme move below it."""
    spec = read_spec(Settings)
    own: list[Pair] = []
    others: list[Pair] = []
    options: list[Pair] = []
    for pair in _list_pairs(node, Settings, problems):
        menu = pair.node.child("main")
        if _is_foreign(pair):
            message = f'"{pair.key}" in site.yaml has no meaning in Tenure and is ignored'
            problems.report("ignored-key", pair.place, message, "delete it")
        elif pair.folded == "menu" and menu.value:
            # of Hugo: {menu: {main: […]}}
            own.append(replace(pair, node=menu))
        elif spec.find_field(pair.key):
            own.append(pair)
        elif pair.folded in _THEME_OPTIONS and pair.node.text:
            option = _THEME_OPTIONS[pair.folded]
            message = f'"{pair.key}" in site.yaml: it is read as the option "{option}" of the theme'
            problems.report("alias", pair.place, message, f"write it under theme: {option}: …")
            options.append(replace(pair, key=option))
        elif _is_of_profile(pair):
            others.append(pair)
        else:
            own.append(pair)

    settings = _add_theme_options(_build_mapping(own, node.place), options)
    return DividedMapping(settings, _build_mapping(others, node.place))


def _is_foreign(pair: Pair) -> bool:
    """Whether a key of site.yaml is for another system: {plugins: …}, {baseurl: /~ada}, {github: {…}}."""
    text = pair.node.text
    is_path = not url_scheme(text) and not is_bare_host_url(text)
    return bool(
        pair.folded in SETTING_CONFIG_KEYS
        or (pair.folded == "baseurl" and is_path)
        or (pair.folded == "theme" and text in ("default", "auto"))
        or (pair.node.mapping and find_service(pair.key))
    )


def _is_of_profile(pair: Pair) -> bool:
    """Whether a key of site.yaml is one of the profile: a field, a part of the name, a user of a service."""
    is_user = pair.node.text and find_service(pair.key)
    is_name = pair.folded in _NAME_KEYS or pair.folded == "socials"
    return bool(read_spec(Profile).find_field(pair.key) or is_name or is_user)


def _add_theme_options(settings: Node, options: Sequence[Pair]) -> Node:
    """The settings with options below `theme`, where what is written has priority."""
    if not options:
        return settings
    theme = settings.child("theme")
    if not theme.mapping:
        theme = Node.from_children({"name": theme}, theme.place)
    return settings.with_child("theme", _build_mapping(options, theme.place).with_keys_of(theme))


def _list_pairs(node: Node, cls: type, problems: Problems) -> Iterator[Pair]:
    """The pairs of a mapping, and in place of {basics: {name: …}} those below the key; each key once."""
    seen = set[str]()
    for pair in _unwrap_pairs(node, cls):
        if pair.key in seen:
            message = f'{pair.place.file} has "{pair.key}" at two places'
            problems.report("key-twice", pair.place, message, "keep one of the two")
        else:
            seen.add(pair.key)
            yield pair


def _unwrap_pairs(node: Node, cls: type) -> Iterator[Pair]:
    """The pairs of a mapping, with those inside a wrapper in its place."""
    for pair in list_pairs(node):
        if _is_wrapper(pair, cls):
            yield from _unwrap_pairs(pair.node, cls)
        else:
            yield pair


def _is_wrapper(pair: Pair, cls: type) -> bool:
    """Whether a mapping has mostly known keys, and its own key is no field or list: {basics: {name: …}}."""
    spec = read_spec(cls)
    keys = pair.node.mapping
    words = _TEXT_KEYS | (SETTING_CONFIG_KEYS if cls is Settings else frozenset())
    fields = [key for key in keys if spec.find_field(key) or fold_key(key) in words]
    known = {*fields, *filter(find_service, keys)}
    if not fields or len(known) * 2 <= len(keys):
        return False
    if pair.folded in _LIST_NAMES or find_service(pair.key):
        return False

    # {profile: {name: …}} is no link to a profile
    if pair.folded == "profile" and "name" in map(spec.find_field, keys):
        return True
    is_of_profile = cls is Settings and read_spec(Profile).find_field(pair.key)
    return not is_of_profile and spec.find_field(pair.key) in ("", "cv")


def _build_mapping(pairs: Sequence[Pair], place: Place) -> Node:
    """A mapping of these pairs, with the places of their keys."""
    children = {pair.key: pair.node for pair in pairs}
    return Node(children, place, {pair.key: pair.place for pair in pairs})


def merge_profile_keys(node: Node, misplaced: Node, problems: Problems) -> Node:
    """The profile with the profile keys of site.yaml added. For a field in both, the profile has priority."""
    present = {_find_field(key) for key in (*node.mapping, *node.child("links").mapping)}
    texts = {value.text for value in node.mapping.values()}
    added: list[Pair] = []

    for pair in list_pairs(misplaced):
        field = _find_field(pair.key)
        if field in present:
            # nothing is lost with a value that the profile has too, or with another spelling of the name
            is_equal = pair.node.text and pair.node.text in texts
            code = "ignored-key" if is_equal or field == "name" else "unused-key"
            message = f'"{pair.key}" in site.yaml is not used: the profile has it already'
            problems.report(code, pair.place, message, "delete it")
        else:
            message = f'"{pair.key}" in site.yaml is read as a key of the profile'
            problems.report("alias", pair.place, message, "write it into content/profile.yaml")
            added.append(pair)

    return node.with_keys_of(_build_mapping(added, node.place))


def _find_field(key: str) -> str:
    """The field of the profile or the service that a key names; "name" for a part of the name."""
    name = "name" if fold_key(key) in _NAME_KEYS else ""
    return name or read_spec(Profile).find_field(key) or find_service(key) or fold_key(key)
