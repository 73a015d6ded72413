"""Resolve the aliases of keys: the names that other systems use, and common names with one clear meaning."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from tenure.model.dates import Period, parse_period
from tenure.model.entries import Award, Course, Entry, Profile, Service, ServiceGroup, Talk
from tenure.model.links import Link, is_bare_host_url, url_scheme
from tenure.model.overlays import Coauthor, Overlay
from tenure.model.site import PageConfig, Settings
from tenure.problems import Edit, Place, Problems, find_similar_word
from tenure.record import Record
from tenure.sources.node import Node
from tenure.sources.schema.field_rules import read_field_rules, read_key_rules
from tenure.sources.schema.key_tables import (
    FOLDED_IGNORED_KEYS,
    FOLDED_IGNORED_SETTINGS,
    FOLDED_LINK_KEYS,
    FOLDED_OWN_PAGE_KEYS,
    FOLDED_UNIT_KEYS,
    FOREIGN_KEYS,
    OWN_PAGE_KEYS,
    START_END_KEYS,
    UNKNOWN_KEY_HINTS,
    field_aliases,
    fold_key,
)
from tenure.sources.schema.links import find_service, label_from_key

DETAILS_ALIASES = frozenset(["highlights", "bullets", "points", "responsibilities", "items"])
"""Aliases of `details` that also apply to types whose other lists are groups of service."""

FALSE_TERMS = frozenset({"false", "no", "off"})
TRUE_TERMS = frozenset({"true", "yes", "on"})


class KeyNames(Record):
    """
    The keys of a type and their aliases.

    `accepted_keys` need no conversion. `keys_by_alias` maps each folded alias to its key. `merged_fields` are the
    fields that join the values of all their aliases. `period_field` is the field of the period, or "".
    """

    accepted_keys: frozenset[str]
    keys_by_alias: Mapping[str, str]
    merged_fields: frozenset[str]
    has_links: bool
    has_groups: bool
    period_field: str


@cache
def key_names(cls: Any) -> KeyNames:
    """Return the keys of a type from its annotations. Its own fields have priority over inherited fields."""
    field_rules = [rule for rule in read_field_rules(cls) if not rule.takes_extra_fields]
    inherited_fields = {rule.field for rule in read_field_rules(Entry)} if Entry in cls.__mro__[1:] else ()
    source_rules = read_key_rules(cls)
    period_fields = (rule.field for rule in source_rules if rule.value_type is Period and not rule.is_list)
    period_field = next(period_fields, "")
    start_end_keys = START_END_KEYS if period_field else {}
    keys_by_alias: dict[str, str] = {}
    for name in (*(name for rule in source_rules for name in rule.accepted_keys), *start_end_keys):
        keys_by_alias.setdefault(fold_key(name), name)
    for rule in sorted(source_rules, key=lambda rule: rule.field in inherited_fields):
        for name in field_aliases(cls, rule.field):
            keys_by_alias.setdefault(fold_key(name), rule.field)
    for key, names in start_end_keys.items():
        for name in names:
            keys_by_alias.setdefault(fold_key(name), key)
    for foreign_name, name in FOREIGN_KEYS.items():
        if name in keys_by_alias:
            keys_by_alias.setdefault(foreign_name, keys_by_alias[name])
    accepted_keys = [name for rule in field_rules for name in rule.accepted_keys]
    return KeyNames(
        accepted_keys=frozenset([*accepted_keys, *start_end_keys]),
        keys_by_alias=keys_by_alias,
        merged_fields=frozenset(rule.field for rule in field_rules if rule.merges_names),
        has_links=any(rule.value_type is Link for rule in source_rules),
        has_groups=any(rule.value_type is ServiceGroup for rule in read_field_rules(cls)),
        period_field=period_field,
    )


def canonical_key(key: str, cls: Any) -> str:
    """Return the key of a type for a key or an alias, or "" if it is unknown."""
    names = key_names(cls)
    return key if key in names.accepted_keys else names.keys_by_alias.get(fold_key(key), "")


def resolve_aliases(node: Node, cls: Any, problems: Problems, subject: str) -> Node:
    """
    Return a mapping with canonical keys, or the same node if all its keys are canonical.

    Each alias and each ignored key is reported at level info. Two keys of one field with different values are
    reported as an error, and the first value is used. Unknown keys remain; the decoder reports them.
    """
    names = key_names(cls)
    if node.mapping.keys() <= names.accepted_keys:
        return node
    return _AliasResolver(node, cls, names, problems, subject).resolve_mapping()


class _AliasResolver:
    def __init__(self, node: Node, cls: Any, names: KeyNames, problems: Problems, subject: str) -> None:
        self._node = node
        self._cls = cls
        self._key_names = names
        self._problems = problems
        self._subject = subject
        self._values: dict[str, Node] = {}
        self._key_places: dict[str, Place] = {}
        self._original_keys: dict[str, str] = {}
        self._link_entries: list[tuple[str, str, Node]] = []

    def resolve_mapping(self) -> Node:
        """Return the mapping with canonical keys."""
        term_nodes = self._join_term_parts()
        for key, child in self._ordered_pairs():
            if key in term_nodes:
                self._values["term"], self._key_places["term"] = term_nodes[key], self._node.key_place(key)
            elif key in self._key_names.accepted_keys:
                self._store_value(key, key, child)
            elif self._is_ignored_key(key, child):
                self._report_ignored_key(key)
            elif label := self._label_of_link_key(key, child):
                self._link_entries.append((key, label, child))
            else:
                self._store_value(self._resolve_key(key, child) or key, key, child)
        self._join_name_parts()
        self._append_links()
        return Node(self._values, self._node.place, self._key_places)

    def _ordered_pairs(self) -> Iterable[tuple[str, Node]]:
        """Return the pairs in the written order. In a profile, a department precedes its university."""
        pairs = self._node.mapping.items()
        if self._cls is not Profile:
            return pairs
        return sorted(pairs, key=lambda pair: fold_key(pair[0]) not in FOLDED_UNIT_KEYS)

    def _resolve_key(self, key: str, child: Node) -> str:
        """Return the canonical key for an alias, or "" if it is unknown. Some aliases depend on the value."""
        folded_key = fold_key(key)
        target = self._key_names.keys_by_alias.get(folded_key, "")
        if not issubclass(self._cls, Entry):
            return target
        is_date = child.value is None or parse_period(child.text) is not None
        if folded_key in ("published", "hidden") and child.text.casefold() in FALSE_TERMS | TRUE_TERMS:
            return "draft"
        if self._cls is Award and folded_key == "from" and not is_date:
            return "organization"
        has_event = self._has_any_key("event", "conference", "seminar")
        if self._cls is Talk and folded_key == "venue" and has_event:
            return "place"
        if self._cls is Service and folded_key in ("conference", "journal"):
            is_single_name = isinstance(child.value, str) and "," not in child.text
            return "organization" if is_single_name and not self._has_any_key("organization") else ""
        is_group = self._key_names.has_groups and child.items and folded_key not in DETAILS_ALIASES
        if is_group and target == "details":
            return ""
        return target

    def _has_any_key(self, *names: str) -> bool:
        return any(fold_key(key) in names for key in self._node.mapping)

    def _is_ignored_key(self, key: str, child: Node) -> bool:
        """Return whether a key only configures another system."""
        folded_key = fold_key(key)
        if self._cls is Settings:
            is_path = not url_scheme(child.text) and not is_bare_host_url(child.text)
            return folded_key in FOLDED_IGNORED_SETTINGS and (folded_key != "baseurl" or is_path)
        if self._cls is PageConfig:
            return folded_key in ("weight", "icon", "identifier", "parent", "pre", "post", "order", "enabled")
        if not issubclass(self._cls, Entry):
            profile_keys = ("icon", "superuser", "usergroups", "highlightname", "isowner")
            return self._cls is Profile and folded_key in profile_keys
        if folded_key in ("published", "hidden"):
            return child.text.casefold() in (TRUE_TERMS if folded_key == "published" else FALSE_TERMS)
        if self._key_names.has_groups and (child.items or folded_key in ("kind", "type")):
            return False
        return folded_key in FOLDED_IGNORED_KEYS and folded_key not in self._key_names.keys_by_alias

    def _report_ignored_key(self, key: str) -> None:
        message = f'"{key}" in {self._subject} has no meaning in Tenure and is ignored'
        hint = "delete it"
        if fold_key(key) in ("permalink", "redirectfrom", "aliases"):
            hint = "delete it; an old address of a page belongs under redirects: in site.yaml"
        self._problems.report("ignored-key", self._node.key_place(key), message, hint)

    def _store_value(self, target: str, key: str, child: Node) -> None:
        """
        Store a value under its canonical key.

        If the key already has a value, the two are joined, are equal, or give a second link; else it is an error.
        """
        place = self._node.key_place(key)
        if target == "draft" and fold_key(key) == "published":
            self._report_alias(key, target, (Edit(place, "draft"), Edit(child.place, "true")))
            child = Node("true", child.place)
        elif target != key:
            is_taken = target in self._values or target in self._node.mapping
            self._report_alias(key, target, () if is_taken else (Edit(place, target),))
        if target not in self._values:
            self._values[target], self._key_places[target], self._original_keys[target] = child, place, key
        elif target in self._key_names.merged_fields:
            existing = self._values[target]
            self._values[target] = Node((*_list_items(existing), *_list_items(child)), existing.place)
        elif value_without_places(self._values[target]) == value_without_places(child):
            return
        elif target == "url" and key != "url" and self._key_names.has_links:
            self._link_entries.append((key, key, child))
        else:
            report_duplicate_key(self._node, self._original_keys[target], key, self._problems, self._subject)

    def _report_alias(self, key: str, target: str, edits: tuple[Edit, ...]) -> None:
        message = f'"{key}" in {self._subject} is read as "{target}"'
        self._problems.report("alias", self._node.key_place(key), message, f'write "{target}"', edits)

    def _label_of_link_key(self, key: str, child: Node) -> str:
        """Return the label of a link that is written as a separate key ("github: ada"), or ""."""
        if not self._key_names.has_links or not isinstance(child.value, str):
            return ""
        folded_key = fold_key(key)
        is_address = bool(url_scheme(child.text)) or is_bare_host_url(child.text)
        if self._cls is Profile:
            label = FOLDED_OWN_PAGE_KEYS.get(folded_key, "") or find_service(key)
            if not label and re.match(r"https?://\S+$", child.text) and self._is_new_key(key):
                return label_from_key(key)
            return label if label and (is_address or label not in OWN_PAGE_KEYS.values()) else ""
        target = self._key_names.keys_by_alias.get(folded_key, "")
        is_field = target and folded_key not in ("paper", "website", "homepage")
        if is_field or self._cls in (Overlay, Coauthor):
            return ""
        is_link_target = is_address or child.text.endswith(".pdf")
        if folded_key in FOLDED_LINK_KEYS and target != "url" and is_link_target:
            return FOLDED_LINK_KEYS[folded_key]
        if folded_key.startswith("url") and folded_key[3:] in FOLDED_LINK_KEYS and child.text:
            return FOLDED_LINK_KEYS[folded_key[3:]]
        return find_service(key) if find_service(key) and not target else ""

    def _is_new_key(self, key: str) -> bool:
        """Return whether a key of a profile is neither a key or a similar word, nor a known mistake."""
        is_known = canonical_key(key, Profile) or fold_key(key) in UNKNOWN_KEY_HINTS[Profile]
        return not is_known and not find_similar_word(key, self._key_names.accepted_keys)

    def _append_links(self) -> None:
        """Append the links that were separate keys to `links`."""
        link_nodes = [self._values["links"]] if "links" in self._values else []
        for key, label, child in self._link_entries:
            place = self._node.key_place(key)
            message = f'"{key}" in {self._subject} is read as a link'
            self._problems.report("alias", place, message, f"write links: {{{label}: {child.text}}}")
            values = [value_without_places(node.mapping.get(label, node)) for node in link_nodes]
            if child.text not in values:
                link_nodes.append(Node({label: child}, child.place, {label: place}))
        if link_nodes:
            joined_links = Node(tuple(link_nodes), link_nodes[0].place)
            self._values["links"] = joined_links if len(link_nodes) > 1 else link_nodes[0]

    def _join_name_parts(self) -> None:
        """Join the first, middle and last name of a person into `name`."""
        if self._cls is not Profile:
            return
        keys_by_part = {fold_key(key): key for key in self._values}
        parts = ("firstname", "middlename", "lastname")
        keys = [keys_by_part[part] for part in parts if part in keys_by_part]
        if len(keys) < 2:
            return
        full_name = " ".join(self._values[key].text.strip() for key in keys if self._values[key].text)
        for key in keys:
            message = f'"{key}" in {self._subject} is read as a part of "name"'
            self._problems.report("alias", self._node.key_place(key), message, f"write name: {full_name}")
        name = Node(full_name, self._values[keys[0]].place)
        self._values = {"name": name, **{k: v for k, v in self._values.items() if k not in keys}}
        self._key_places.setdefault("name", self._node.key_place(keys[0]))

    def _join_term_parts(self) -> Mapping[str, Node]:
        """Return the term of a course that has two keys, "semester: Fall" and "year: 2024", under both keys; else {}."""
        if self._cls is not Course:
            return {}
        names = [key for key in self._node.mapping if canonical_key(key, Course) == "term"]
        term_nodes = {key: self._node.mapping[key] for key in names}
        years = [key for key, node in term_nodes.items() if re.fullmatch(r"\d{4}", node.text)]
        seasons = [key for key, node in term_nodes.items() if node.text and not re.search(r"\d", node.text)]
        if len(term_nodes) != 2 or len(years) != 1 or len(seasons) != 1:
            return {}
        term = f"{term_nodes[seasons[0]].text} {term_nodes[years[0]].text}"
        for key in term_nodes:
            message = f'"{key}" in {self._subject} is read as a part of "term"'
            self._problems.report("alias", self._node.key_place(key), message, f"write term: {term}")
        return dict.fromkeys(term_nodes, Node(term, term_nodes[seasons[0]].place))


def report_duplicate_key(node: Node, first: str, second: str, problems: Problems, subject: str) -> None:
    """Report two keys of a mapping that set the same field."""
    first, second = sorted((first, second), key=node.key_place)
    message = f'{subject} has both "{first}" and "{second}"'
    problems.report("key-twice", node.key_place(second), message, "keep one of the two")


def _list_items(node: Node) -> tuple[Node, ...]:
    if isinstance(node.value, tuple):
        return node.value
    if isinstance(node.value, str):
        texts = node.value.split(";" if ";" in node.value else ",")
        return tuple(Node(text.strip(), node.place) for text in texts if text.strip())
    return () if node.value is None else (node,)


def value_without_places(node: Node) -> Any:
    """Return a value without its places, to compare it with another value."""
    if isinstance(node.value, tuple):
        return [value_without_places(item) for item in node.value]
    if isinstance(node.value, Mapping):
        return {key: value_without_places(child) for key, child in node.value.items()}
    return node.value.strip() if node.value else None
