"""Resolve the aliases of keys: the names that other systems use, and common names with one clear meaning."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from tenure.frozen import dataclass
from tenure.model.additions import Coauthor, Overlay
from tenure.model.dates import Period, read_period
from tenure.model.links import Link, is_host, scheme_of
from tenure.model.scholar import Award, Course, Entry, Group, Profile, Service, Talk
from tenure.model.site import PageWish, Settings
from tenure.problems import Edit, Place, Problems
from tenure.sources.addresses import service_of
from tenure.sources.alias_table import aliases_of
from tenure.sources.rules import rules
from tenure.sources.tree import Node

SPAN: Mapping[str, tuple[str, ...]] = {
    "start": ("start_date", "from", "begin", "began", "beginning", "start_year", "started", "since", "date_start", "event_start"),
    "end": ("end_date", "to", "until", "till", "finish", "finished", "end_year", "ended", "date_end", "event_end"),
}  # fmt: skip
"""The two keys that can replace a period, each with its aliases."""

IGNORED = frozenset(
    ["layout", "collection", "permalink", "inline", "related_posts", "related_publications", "importance", "comments", "giscus_comments", "disqus_comments", "toc", "author", "authors", "author_profile", "read_time", "share", "header", "redirect_from", "redirect", "redirect_to", "horizontal", "featured", "hugoblox", "type", "kind", "weight", "order", "publishdate", "expirydate", "math", "mathjax", "katex", "mermaid", "selected_papers", "announcements", "latest_posts",  "sidebar", "nav", "nav_order", "icon", "icon_pack", "color", "bibtex_show", "profile", "social", "classes", "sitemap", "feed", "_styles", "pretty_table", "code_diff", "display_categories", "enable_project_categories", "og_image", "show_date", "show_reading_time", "reading_time", "view", "commentable", "editable", "url_slug", "isciteable", "is_owner", "superuser", "user_groups", "highlight_name", "company_logo", "thumbnail_caption", "widget", "headless", "active", "aliases", "cascade", "all_day", "event_all_day", "format", "listed", "search", "robots", "seo", "pin", "pinned", "sticky", "published"]
)  # fmt: skip
"""Keys of an entry that only configure other systems: layout, comments, position in a menu."""

IGNORED_SETTINGS = frozenset(
    ["baseurl", "base_url", "permalink", "plugins", "gems", "markdown", "kramdown", "highlighter", "exclude", "include", "collections", "defaults", "encoding", "timezone", "sass", "paginate", "repository", "remote_theme", "future", "incremental", "liquid"]
)  # fmt: skip
"""Keys of a `_config.yml` or `hugo.yaml` that have no meaning in site.yaml, such as `baseurl`: links are relative."""

LINK_NAMES = frozenset(
    ["code", "repo", "repository", "source_code", "git", "pdf", "paper", "slides", "poster", "video", "demo", "dataset", "data", "preprint", "doi", "arxiv", "blog", "project_page", "supplement", "supplementary", "materials", "certificate", "publication_url", "website", "homepage", "app", "docs", "documentation"]
)  # fmt: skip
"""Keys of an entry that are links if their value is a URL: "code: https://…" means links: {code: https://…}."""

OWN_PAGES: Mapping[str, str] = {
    **dict.fromkeys(("website", "homepage", "webpage", "web_page", "web", "url", "site", "personal_website", "personal_page"), "website"),
    "blog": "blog",
}  # fmt: skip
"""Keys of a profile that link to other pages of the person, with the label of each link."""

UNITS = frozenset(
    ["department", "faculty", "institute", "lab", "laboratory", "group", "research_group", "chair"]
)
"""Keys of an affiliation that is a unit of another one. The unit is written first."""

RIVAL_DETAILS = frozenset(["highlights", "bullets", "points", "responsibilities", "items"])
"""Aliases of `details` that also apply to types whose other lists are groups of service."""

FALSE = frozenset({"false", "no", "off"})
TRUE = frozenset({"true", "yes", "on"})


def fold(key: str) -> str:
    """Return a key in lower case without spaces, hyphens and underscores: "startdate" for "startDate" and "Start date"."""
    return re.sub(r"[\W_]+", "", key.casefold())


_FOLDED_IGNORED = frozenset(map(fold, IGNORED))
_FOLDED_SETTINGS = frozenset(map(fold, IGNORED_SETTINGS))
_FOLDED_LINKS = {fold(name): name for name in LINK_NAMES}
_FOLDED_PAGES = {fold(name): label for name, label in OWN_PAGES.items()}
_FOLDED_UNITS = frozenset(map(fold, UNITS))


@dataclass(frozen=True, slots=True)
class KeyNames:
    """
    The keys of a type and their aliases.

    `accepted_keys` need no conversion. `keys_by_alias` maps each folded alias to its key. `merged_fields` are the
    fields that join the values of all their aliases. `period_field` is the field of the period, or "".
    """

    known: frozenset[str]
    aliases: Mapping[str, str]
    joining: frozenset[str]
    links: bool
    groups: bool
    period: str


@cache
def key_names(cls: Any) -> KeyNames:
    """Return the keys of a type from its annotations. Its own fields have priority over inherited fields."""
    plan = [rule for rule in rules(cls) if not rule.rest]
    inherited = {rule.field for base in cls.__mro__[1:] if base is Entry for rule in rules(Entry)}
    written = [rule for rule in plan if not rule.computed]
    has_span = any(rule.kind is Period and not rule.many for rule in written)
    aliases: dict[str, str] = {}
    for name in [name for rule in written for name in rule.names] + [*(SPAN if has_span else ())]:
        aliases.setdefault(fold(name), name)
    for rule in sorted(written, key=lambda rule: rule.field in inherited):
        for name in aliases_of(cls, rule.field):
            aliases.setdefault(fold(name), rule.field)
    for name, others in SPAN.items() if has_span else ():
        for other in others:
            aliases.setdefault(fold(other), name)
    return KeyNames(
        known=frozenset([name for rule in plan for name in rule.read] + [*(SPAN if has_span else ())]),
        aliases=aliases,
        joining=frozenset(rule.field for rule in plan if rule.joining),
        links=any(rule.kind is Link for rule in written),
        groups=any(rule.kind is Group for rule in rules(cls)),
        period=next((rule.field for rule in written if rule.kind is Period and not rule.many), ""),
    )


def target_of(key: str, cls: Any) -> str:
    """Return the key of a type for a key or an alias, or "" if it is unknown."""
    names = key_names(cls)
    return key if key in names.known else names.aliases.get(fold(key), "")


def resolve_keys(node: Node, cls: Any, problems: Problems, who: str) -> Node:
    """
    Return a mapping with canonical keys, or the same node if all its keys are canonical.

    Each alias and each ignored key is reported at level info. Two keys of one field with different values are
    reported as an error, and the first value is used. Unknown keys remain; the decoder reports them.
    """
    names = key_names(cls)
    if node.entries.keys() <= names.known:
        return node
    return _Resolver(node, cls, names, problems, who).resolve()


class _Resolver:
    """Resolves the aliases of one mapping."""

    def __init__(self, node: Node, cls: Any, names: KeyNames, problems: Problems, who: str) -> None:
        self._node = node
        self._cls = cls
        self._names = names
        self._problems = problems
        self._who = who
        self._values: dict[str, Node] = {}
        self._keys: dict[str, Place] = {}
        self._written: dict[str, str] = {}
        self._links: list[tuple[str, str, Node]] = []

    def resolve(self) -> Node:
        """Return the mapping with canonical keys."""
        term = self._term_in_parts()
        for key, child in self._ordered():
            if key in term:
                self._values["term"], self._keys["term"] = term[key], self._node.key_place(key)
            elif key in self._names.known:
                self._set(key, key, child)
            elif self._is_ignored(key, child):
                self._report_ignored(key)
            elif label := self._link_label(key, child):
                self._links.append((key, label, child))
            else:
                self._set(self._target(key, child) or key, key, child)
        self._join_names()
        self._add_links()
        return Node(self._values, self._node.place, self._keys)

    def _ordered(self) -> Iterable[tuple[str, Node]]:
        """Return the pairs in the written order. In a profile, a department precedes its university."""
        pairs = self._node.entries.items()
        if self._cls is not Profile:
            return pairs
        return sorted(pairs, key=lambda pair: fold(pair[0]) not in _FOLDED_UNITS)

    def _target(self, key: str, child: Node) -> str:
        """Return the canonical key for an alias, or "" if it is unknown. Some aliases depend on the value."""
        folded = fold(key)
        target = self._names.aliases.get(folded, "")
        dated = child.value is None or (isinstance(child.value, str) and read_period(child.words) is not None)
        if issubclass(self._cls, Entry):
            if folded in ("published", "hidden") and child.words.casefold() in FALSE | TRUE:
                return "draft"
            if self._cls is Award and folded == "from" and not dated:
                return "organization"
            if self._cls is Talk and folded == "venue" and self._has("event", "conference", "seminar"):
                return "place"
            if self._cls is Service and folded in ("conference", "journal"):
                single = isinstance(child.value, str) and "," not in child.words
                return "organization" if single and not self._has("organization") else ""
            if self._names.groups and child.items and target == "details" and folded not in RIVAL_DETAILS:
                return ""
            if not target and self._names.period and read_period(key) and len(self._node.entries) == 1:
                return self._names.period
        return target

    def _has(self, *names: str) -> bool:
        return any(fold(key) in names for key in self._node.entries)

    def _is_ignored(self, key: str, child: Node) -> bool:
        """Return whether a key only configures another system."""
        folded = fold(key)
        if self._cls is Settings:
            bare = not scheme_of(child.words) and not is_host(child.words)
            return folded in _FOLDED_SETTINGS and (folded != "baseurl" or bare)
        if self._cls is PageWish:
            return folded in ("weight", "icon", "identifier", "parent", "pre", "post", "order", "enabled")
        if not issubclass(self._cls, Entry):
            return self._cls is Profile and folded in (
                "icon",
                "superuser",
                "usergroups",
                "highlightname",
                "isowner",
            )
        if folded in ("published", "hidden"):
            return child.words.casefold() in (TRUE if folded == "published" else FALSE)
        if folded in ("nav", "kind", "type", "authors", "social") and folded in self._names.aliases:
            return False
        if self._names.groups and (child.items or folded in ("kind", "type")):
            return False
        return folded in _FOLDED_IGNORED and folded not in self._names.aliases

    def _report_ignored(self, key: str) -> None:
        message = f'"{key}" in {self._who} has no meaning in Tenure and is ignored'
        hint = "delete it"
        if fold(key) in ("permalink", "redirectfrom", "aliases"):
            hint = "delete it; an old address of a page belongs under redirects: in site.yaml"
        self._problems.tell("ignored-key", self._node.key_place(key), message, hint)

    def _set(self, target: str, key: str, child: Node) -> None:
        """
        Store a value under its canonical key.

        If the key already has a value, the two are joined, are equal, or give a second link; else it is an error.
        """
        place = self._node.key_place(key)
        if self._is_date_key(target, key):
            self._set_dated(target, key, child)
            return
        if target == "draft" and fold(key) == "published":
            self._report(key, target, (Edit(place, "draft"), Edit(child.place, "true")))
            child = Node("true", child.place)
        elif target != key:
            self._report(
                key,
                target,
                () if target in self._values or target in self._node.entries else (Edit(place, target),),
            )
        if target not in self._values:
            self._values[target], self._keys[target], self._written[target] = child, place, key
        elif target in self._names.joining:
            self._values[target] = joined(self._values[target], child)
        elif content_of(self._values[target]) == content_of(child):
            return
        elif target == "url" and key != "url" and self._names.links:
            self._links.append((key, key, child))
        else:
            self._report_twice(self._written[target], key)

    def _is_date_key(self, target: str, key: str) -> bool:
        """Return whether the key itself is a date: "- 2024-12: Our survey"."""
        return (
            key not in self._names.known
            and target == self._names.period
            and fold(key) not in self._names.aliases
        )

    def _set_dated(self, target: str, key: str, child: Node) -> None:
        """Store an entry that is written as a date and a text."""
        main = next((rule.field for rule in rules(self._cls) if rule.main), "text")
        place = self._node.key_place(key)
        self._problems.tell(
            "alias",
            place,
            f'"{key}" is read as the date of {self._who}',
            f"write {target}: {key} and {main}: …",
        )
        self._values |= {target: Node(key, place), main: child}
        self._keys |= {target: place, main: place}

    def _report(self, key: str, target: str, edits: tuple[Edit, ...]) -> None:
        message = f'"{key}" in {self._who} is read as "{target}"'
        self._problems.tell("alias", self._node.key_place(key), message, f'write "{target}"', edits)

    def _report_twice(self, first: str, second: str) -> None:
        first, second = sorted((first, second), key=self._node.key_place)
        message = f'{self._who} has both "{first}" and "{second}"'
        self._problems.tell("key-twice", self._node.key_place(second), message, "keep one of the two")

    def _link_label(self, key: str, child: Node) -> str:
        """Return the label of a link that is written as a separate key ("github: ada"), or ""."""
        if not self._names.links or not isinstance(child.value, str):
            return ""
        folded = fold(key)
        is_address = bool(scheme_of(child.words)) or is_host(child.words)
        if self._cls is Profile:
            label = _FOLDED_PAGES.get(folded, "") or service_of(key)
            return label if label and (is_address or label not in OWN_PAGES.values()) else ""
        if self._cls in (Overlay, Coauthor) or (
            folded in self._names.aliases and folded not in ("paper", "website", "homepage")
        ):
            return ""
        target = self._names.aliases.get(folded, "")
        if folded in _FOLDED_LINKS and target != "url" and (is_address or child.words.endswith(".pdf")):
            return _FOLDED_LINKS[folded]
        if folded.startswith("url") and folded[3:] in _FOLDED_LINKS and child.words:
            return _FOLDED_LINKS[folded[3:]]
        return service_of(key) if service_of(key) and not target else ""

    def _add_links(self) -> None:
        """Append the links that were separate keys to `links`."""
        parts = [self._values["links"]] if "links" in self._values else []
        for key, label, child in self._links:
            place = self._node.key_place(key)
            message = f'"{key}" in {self._who} is read as a link'
            self._problems.tell("alias", place, message, f"write links: {{{label}: {child.words}}}")
            if not any(content_of(part.entries.get(label, part)) == child.words for part in parts):
                parts.append(Node({label: child}, child.place, {label: place}))
        if parts:
            self._values["links"] = parts[0] if len(parts) == 1 else Node(tuple(parts), parts[0].place)

    def _join_names(self) -> None:
        """Join the first, middle and last name of a person into `name`."""
        if self._cls is not Profile:
            return
        folded = {fold(key): key for key in self._values}
        keys = [folded[name] for name in ("firstname", "middlename", "lastname") if name in folded]
        if len(keys) < 2:
            return
        words = " ".join(self._values[key].words.strip() for key in keys if self._values[key].words)
        for key in keys:
            message = f'"{key}" in {self._who} is read as a part of "name"'
            self._problems.tell("alias", self._node.key_place(key), message, f"write name: {words}")
        name = Node(words, self._values[keys[0]].place)
        self._values = {"name": name, **{k: v for k, v in self._values.items() if k not in keys}}
        self._keys.setdefault("name", self._node.key_place(keys[0]))

    def _term_in_parts(self) -> Mapping[str, Node]:
        """Return the term of a course that has two keys, "semester: Fall" and "year: 2024", under both keys; else {}."""
        if self._cls is not Course:
            return {}
        names = [key for key in self._node.entries if target_of(key, Course) == "term"]
        parts = {key: self._node.entries[key] for key in names}
        years = [key for key, part in parts.items() if re.fullmatch(r"\d{4}", part.words)]
        seasons = [key for key, part in parts.items() if part.words and not re.search(r"\d", part.words)]
        if len(parts) != 2 or len(years) != 1 or len(seasons) != 1:
            return {}
        words = f"{parts[seasons[0]].words} {parts[years[0]].words}"
        for key in parts:
            message = f'"{key}" in {self._who} is read as a part of "term"'
            self._problems.tell("alias", self._node.key_place(key), message, f"write term: {words}")
        return dict.fromkeys(parts, Node(words, parts[seasons[0]].place))


def joined(first: Node, second: Node) -> Node:
    """Join two lists. A comma-separated text is a list."""
    return Node((*_items(first), *_items(second)), first.place)


def _items(node: Node) -> tuple[Node, ...]:
    if isinstance(node.value, tuple):
        return node.value
    if isinstance(node.value, str):
        return tuple(Node(word.strip(), node.place) for word in node.value.split(",") if word.strip())
    return () if node.value is None else (node,)


def content_of(node: Node) -> Any:
    """Return a value without its places, to compare it with another value."""
    if isinstance(node.value, tuple):
        return [content_of(item) for item in node.value]
    if isinstance(node.value, Mapping):
        return {key: content_of(child) for key, child in node.value.items()}
    return node.value.strip() if node.value else None
