"""
Convert values that are written in the form of another system into the form of Tenure.

Examples: nested keys, lists of links, flags, and a date or a place that is divided over several keys.
"""

import difflib
import re
from collections.abc import Iterator, Mapping
from typing import Any, NewType

from tenure.frozen import dataclass
from tenure.model.dates import read_date
from tenure.model.languages import Language
from tenure.model.links import Link, is_host, scheme_of
from tenure.model.scholar import Entry, Item, Post, Profile, Prose, Service, Talk
from tenure.model.site import Settings
from tenure.problems import Place, Problems
from tenure.sources.addresses import service_of
from tenure.sources.aliases import (
    FALSE,
    IGNORED,
    LINK_NAMES,
    SPAN,
    TRUE,
    content_of,
    fold,
    key_names,
    resolve_keys,
    target_of,
)
from tenure.sources.rules import rules
from tenure.sources.tree import Node

WRAPPERS: Mapping[Any, frozenset[str]] = {
    Profile: frozenset(
        ["basics", "profile", "person", "personal", "personalinfo", "personalinformation", "personaldetails", "contact", "contacts", "contactinfo", "contactinformation", "contactdetails", "cv", "bio", "about", "me", "info", "details", "header", "general", "identity", "author", "owner"]
    ),
    Settings: frozenset(
        ["site", "website", "general", "params", "config", "configuration", "settings", "features", "meta", "metadata", "seo", "main"]
    ),
    Entry: frozenset(["contact", "meta", "metadata", "info"]),
}  # fmt: skip
"""Folded keys that wrap other keys. The inner keys are read as keys of the level above."""

PLACES = frozenset({"location", "place", "office"})
PLACE_PARTS = frozenset({"state", "region", "province", "country", "city", "town"})
NO_PLACE = frozenset(
    {"url", "lat", "lng", "lon", "latitude", "longitude", "postalcode", "zip", "countrycode"}
)
"""Keys of a postal address that are not shown. The country code is shown if there is no country name."""

PICTURE_KEYS = ("filename", "file", "src", "path", "url", "image")
ALT_KEYS = ("alt", "alt_text", "caption", "description")
LABEL_KEYS = ("name", "label", "title", "text", "network", "platform", "site", "service", "type", "icon")
ADDRESS_KEYS = ("url", "link", "href", "address", "username", "user", "handle", "id", "value")
CURRENT = frozenset(
    {"current", "iscurrent", "ongoing", "isongoing", "present", "currently", "active", "isactive"}
)
SECOND_DATES = frozenset(
    ["publishdate", "published", "publishedon", "publishedat", "publisheddate", "created", "createdat", "datecreated", "datepublished"]
)  # fmt: skip
"""Folded keys of dates that are ignored if the entry has another date."""

UNDATED = frozenset(
    ["forthcoming", "to appear", "in press", "in preparation", "in progress", "ongoing", "planned", "tba", "tbd", "submitted", "under review", "laufend", "in arbeit", "geplant", "in vorbereitung", "en cours", "à paraître", "em andamento", "en curso"]
)  # fmt: skip
"""Terms in place of a date that describe the status of an entry."""

FACTS = frozenset(
    ["status", "level", "hours", "ects", "credits", "code", "number", "coursecode", "coursenumber", "courseid", "minor", "minors", "honors", "honours", "distinction", "coursework", "courses", "relevantcoursework", "amount", "funding", "funder", "budget", "grant", "location", "place", "city", "address", "venue", "size", "students", "enrollment", "enrolment", "audience", "duration", "instructor", "instructors", "coinstructor", "coinstructors", "type", "format", "placement", "dissertation", "collaborators", "team", "members", "partners", "coauthors", "client", "license", "licence", "version", "score", "subtitle", "reviews", "isbn", "publisher", "workload", "textbook", "evaluation", "rating", "committee", "room", "time", "department", "unit", "supervisor", "advisor", "gpa", "employmenttype", "remote", "frequency", "scope", "count", "reason", "prerequisites", "with", "host", "organizer", "organiser", "sponsor", "thesistype", "completion", "expected", "techstack", "technologies", "tools", "skills", "stack", "tech", "languages", "coadvisor", "focus", "topic", "topics", "rank", "category", "series", "prize", "country"]
)  # fmt: skip
"""Folded keys of facts that have no field of their own. The note of the entry shows them, with the key as the label."""

PAGE_TYPES = frozenset({"page", "post", "landing", "book", "docs", "widget_page", "project", "event"})
"""Values of `type` that select a layout in Hugo."""

THEME_OPTIONS: Mapping[str, str] = {
    **dict.fromkeys(("accent", "accentcolor", "accentcolour", "primarycolor", "primarycolour", "primary", "color", "colour", "themecolor", "themecolour"), "accent"),
    "fonts": "fonts",
    "publicationsview": "publications_view",
    "venuetags": "venue_tags",
}  # fmt: skip
"""Folded top-level keys that are theme options, with the option's name. Not every theme has each option."""


def resolve_entry(node: Node, cls: Any, problems: Problems, who: str) -> Node:
    """Return a mapping in the form of Tenure, with canonical keys. Each change is reported at level info."""
    return resolve_keys(reshape(node, cls, problems, who), cls, problems, who)


def reshape(node: Node, cls: Any, problems: Problems, who: str) -> Node:
    """Return a mapping with its values in the form of Tenure. Each change is reported at level info."""
    if issubclass(cls, Entry) or cls in (Profile, Settings):
        return _Shaper(node, cls, problems, who).shape()
    return node


@dataclass(frozen=True, slots=True)
class _Pair:
    """A key, the node of its value, and the place of the key."""

    key: str
    child: Node
    place: Place


class _Shaper:
    """Converts one mapping into the form of Tenure."""

    def __init__(self, node: Node, cls: Any, problems: Problems, who: str) -> None:
        self._node = node
        self._cls = cls
        self._problems = problems
        self._who = who
        self._period = key_names(cls).period
        self._rules = {rule.field: rule for rule in rules(cls)}
        self._pairs: dict[str, _Pair] = {}
        self._facts: list[str] = []
        self._links: list[Node] = []
        self._is_changed = False

    def shape(self) -> Node:
        """Return the converted mapping, or the same node if nothing changed."""
        for key, child in self._node.entries.items():
            self._read(_Pair(key, child, self._node.key_place(key)))
        if issubclass(self._cls, Entry):
            self._join_dates()
            self._join_places()
            self._add_facts()
            self._add_links()
        elif self._cls is Profile:
            self._join_places()
            self._join_roles()
        else:
            self._move_options()
        if not self._is_changed:
            return self._node
        values = {key: pair.child for key, pair in self._pairs.items()}
        return Node(values, self._node.place, {key: pair.place for key, pair in self._pairs.items()})

    def _read(self, pair: _Pair) -> None:
        """Convert one pair and store it."""
        pair = self._with_known_key(pair)
        target = target_of(pair.key, self._cls)
        rule = self._rules.get(target)
        if pair.child.entries and self._is_wrapper(pair, target):
            self._note(
                pair, "the keys below it are read as keys of " + self._who, "write its keys one level higher"
            )
            for key, child in pair.child.entries.items():
                self._read(_Pair(key, child, pair.child.key_place(key)))
        elif pair.child.entries and target in PLACES:
            self._put(self._changed(pair, self._place_of(pair.child)))
        elif pair.child.entries and target in ("image", "photo"):
            self._read_picture(pair, target)
        elif rule and rule.kind is Link:
            self._put(self._changed(pair, _links(pair.child)))
        elif rule and self._is_text(rule.kind) and not rule.rest:
            self._read_text(pair, target, as_markdown=isinstance(rule.kind, NewType))
        else:
            self._read_other(pair, target)

    def _with_known_key(self, pair: _Pair) -> _Pair:
        """Return the pair with the singular or plural of its key, if only that form is a known key."""
        if target_of(pair.key, self._cls) or self._cls is Service or pair.key in ("news", "skills"):
            return pair
        other = pair.key[:-1] if pair.key.endswith("s") else f"{pair.key}s"
        target = target_of(other, self._cls)
        if (
            not target
            or len(pair.key) < 4
            or fold(pair.key) in IGNORED_KEYS | FACTS
            or target in self._node.entries
        ):
            return pair
        self._note(pair, f'it is read as "{target}"', f'write "{target}"')
        return _Pair(other, pair.child, pair.place)

    def _is_wrapper(self, pair: _Pair, target: str) -> bool:
        if target and target == self._period:
            return all(target_of(key, self._cls) in SPAN for key in pair.child.entries)
        kind = Entry if issubclass(self._cls, Entry) else self._cls
        return fold(pair.key) in WRAPPERS[kind] and target in ("", "name", "cv", "url", "details")

    @staticmethod
    def _is_text(kind: Any) -> bool:
        return kind is str or isinstance(kind, NewType)

    def _read_text(self, pair: _Pair, target: str, *, as_markdown: bool) -> None:
        """Convert a text that is written as a name with a URL, or as a list of such names."""
        parts = pair.child.items or (pair.child,)
        known = {"name", "title", "organization", "url"}
        if not any(part.entries.keys() & known for part in parts) or any(
            part.entries.keys() - known for part in parts
        ):
            self._read_other(pair, target)
            return
        named = tuple(_named(part, as_markdown=as_markdown) for part in parts)
        url = next((part.entries["url"] for part in parts if part.entries.get("url")), None)
        many = self._rules[target].many
        child = (
            Node(named, pair.child.place)
            if many
            else Node(", ".join(n.words for n in named), pair.child.place)
        )
        self._put(self._changed(pair, child))
        if url is not None and url.words and not as_markdown:
            self._put(_Pair("url", url, url.place), is_weak=True)

    def _read_other(self, pair: _Pair, target: str) -> None:
        """Convert a pair without a nested value: a flag, an empty value, a status in place of a date, or a fact."""
        words, folded = pair.child.words.strip(), fold(pair.key)
        is_flag = words.casefold() in TRUE | FALSE
        years = _years(pair.child) if target and target == self._period else ()
        if not issubclass(self._cls, Entry):
            self._read_setting(pair, target)
        elif self._period and folded in CURRENT and is_flag:
            self._put(_Pair("current", pair.child, pair.place))
            self._is_changed = True
        elif self._cls is Talk and folded in ("invited", "isinvited", "keynote") and is_flag:
            self._read_talk_flag(pair, folded)
        elif (not target and pair.child.value in (None, "") and self._cls is not Service) or (
            folded in SECOND_DATES and self._has_other_date(pair.key)
        ):
            self._drop(pair)
        elif years:
            self._read_years(pair, years)
        else:
            self._read_words(pair, target, is_flag=is_flag)

    def _read_words(self, pair: _Pair, target: str, *, is_flag: bool) -> None:
        """Convert a text of an entry that may be a title, a note, a link or a fact."""
        words = pair.child.words.strip()
        if self._cls is Item and target == "language" and not _is_language(words):
            self._note(pair, 'it is read as "title"', "write title: …")
            self._put(_Pair("title", pair.child, pair.place), is_weak=True)
        elif target and target in (self._period, "term") and words.casefold() in UNDATED:
            self._note(pair, f"“{words}” is read as a note", f"write note: {words}")
            self._facts.append(words)
            self._is_changed = True
        elif not target and is_flag and issubclass(self._cls, Prose | Post) and fold(pair.key) not in _FLAGS:
            self._drop(pair)
        elif not target and self._is_link(pair):
            self._note(pair, "it is read as a link", f"write links: {{{_link_label(pair.key)}: {words}}}")
            self._links.append(Node({_link_label(pair.key): pair.child}, pair.place))
            self._is_changed = True
        elif not target and self._is_fact(pair, fold(pair.key), is_flag=is_flag):
            self._note(pair, f"it is shown in the note of {self._who}", f"write note: {_label(pair.key)}: …")
            self._facts.append(f"{_label(pair.key)}: {_words_of(pair.child)}")
            self._is_changed = True
        else:
            self._put(pair)

    def _read_setting(self, pair: _Pair, target: str) -> None:
        """Convert a key of the profile or of site.yaml. An empty unknown key is dropped; the main menu of Hugo is unwrapped."""
        if not target and pair.child.value in (None, ""):
            self._drop(pair)
        elif self._cls is Settings and fold(pair.key) == "menu" and "main" in pair.child.entries:
            self._put(self._changed(pair, pair.child.entries["main"]))
        else:
            self._put(pair)

    def _is_fact(self, pair: _Pair, folded: str, *, is_flag: bool) -> bool:
        """Return whether a key without a field has a value that the note can show."""
        words = _words_of(pair.child)
        is_address = bool(scheme_of(words)) or is_host(words)
        if not words or is_address or is_flag or words.casefold() in PAGE_TYPES:
            return False
        if service_of(pair.key) or (folded in map(fold, LINK_NAMES) and "." in words):
            return False
        if folded in ("state", "region", "province", "country") and self._has_place():
            return False
        if self._cls is Service and pair.child.items:
            return False
        if folded in FACTS and self._cls not in (Post, Prose):
            return True
        if self._cls is not Item or key_names(self._cls).aliases.get(folded) or folded in _STEERING:
            return False
        return not self._is_typing_error(pair.key)

    def _is_link(self, pair: _Pair) -> bool:
        """Return whether an unknown key has a URL, so that the key is the label of a link."""
        words = pair.child.words.strip()
        if fold(pair.key) in ("email", "mail") and "@" in words:
            return key_names(self._cls).links
        if not (re.match(r"https?://", words) or words.startswith("www.")) or " " in words:
            return False
        label = fold(_link_label(pair.key))
        if label in IGNORED_KEYS or not key_names(self._cls).links:
            return False
        known = label in _LINK_NAMES or bool(service_of(pair.key))
        return known or not self._is_typing_error(pair.key)

    def _is_typing_error(self, key: str) -> bool:
        """Return whether a key resembles a known field: a difflib ratio of at least 0.75."""
        names = [*self._rules, *SPAN]
        return bool(difflib.get_close_matches(key.casefold(), names, n=1, cutoff=0.75))

    def _read_years(self, pair: _Pair, years: tuple[int, ...]) -> None:
        """Convert a list of years: consecutive years become a period; else the last year is the date and the note has all."""
        first, last = min(years), max(years)
        is_gapless = len(set(years)) == last - first + 1
        words = f"{first} - {last}" if is_gapless and last > first else str(last)
        self._note(pair, f"it is read as {words}", f"write {self._period}: {words}")
        if not is_gapless:
            self._facts.append(", ".join(map(str, years)))
        self._put(_Pair(pair.key, Node(words, pair.child.place), pair.place))
        self._is_changed = True

    def _has_other_date(self, key: str) -> bool:
        return any(
            target_of(other, self._cls) in (self._period, "start") and fold(other) not in SECOND_DATES
            for other in self._node.entries
            if other != key
        ) or (fold(key) != "published" and self._cls is Prose)

    def _has_place(self) -> bool:
        return any(target_of(key, self._cls) in PLACES for key in self._node.entries)

    def _read_talk_flag(self, pair: _Pair, folded: str) -> None:
        kind = folded.removeprefix("is")
        if pair.child.words.casefold() in TRUE:
            self._note(pair, f"it is read as kind: {kind}", f"write kind: {kind}")
            self._put(_Pair("kind", Node(kind, pair.child.place), pair.place), is_weak=True)
        else:
            self._drop(pair)

    def _read_picture(self, pair: _Pair, target: str) -> None:
        """Convert an image that is written as a mapping into its file and its alt text."""
        inner = {fold(key): child for key, child in pair.child.entries.items()}
        file = next((inner[key] for key in PICTURE_KEYS if key in inner and inner[key].words), None)
        alt = next(
            (inner[fold(key)] for key in ALT_KEYS if fold(key) in inner and inner[fold(key)].words), None
        )
        if file is None:
            self._drop(pair)
            return
        self._put(self._changed(pair, file))
        if alt is not None:
            self._put(_Pair(f"{target}_alt", alt, pair.place), is_weak=True)

    def _place_of(self, node: Node) -> Node:
        """Return the name of a place from a mapping of its components: "Munich, Germany"."""
        parts = {fold(key): child.words.strip() for key, child in node.entries.items() if child.words}
        names = [words for key, words in parts.items() if key not in NO_PLACE]
        if "country" not in parts and "countrycode" in parts:
            names.append(parts["countrycode"])
        return Node(", ".join(dict.fromkeys(names)), node.place)

    def _join_dates(self) -> None:
        """Join a date and an end into a period. A flag such as `current: true` sets the end to "present"."""
        found = {target_of(key, self._cls): key for key in self._pairs}
        flag = self._pairs.pop("current", None)
        goes_on = flag is not None and flag.child.words.casefold() in TRUE
        end = self._pairs.get(found.get("end", ""))
        has_end = end is not None and bool(end.child.words)
        date = self._pairs.get(found.get(self._period, "")) if self._period else None
        is_single = date is not None and (read_date(date.child.words) is not None)
        if flag is not None:
            self._note(flag, "it is read as the end of the dates", "write end: present, or delete it")
            if goes_on and not has_end:
                self._pairs.pop(found.get("end", ""), None)
                self._pairs["end"] = _Pair("end", Node("present", flag.child.place), flag.place)
            elif goes_on:
                self._pairs[flag.key] = flag
        if date is not None and is_single and "start" not in found and (has_end or goes_on):
            self._note(date, 'it is read as "start"', 'write "start"')
            self._pairs = {("start" if key == date.key else key): pair for key, pair in self._pairs.items()}
            self._is_changed = True

    def _join_places(self) -> None:
        """Join several keys into one place: a city, a state and a country."""
        has_event = any(fold(key) in ("event", "conference", "seminar", "workshop") for key in self._pairs)
        own = [
            pair
            for pair in self._pairs.values()
            if target_of(pair.key, self._cls) in PLACES - {"office"}
            or (self._cls is Talk and fold(pair.key) == "venue" and has_event)
        ]
        if not own:
            return
        parts = [*own, *(p for p in self._pairs.values() if p not in own and fold(p.key) in PLACE_PARTS)]
        if len(parts) < 2 or not all(isinstance(pair.child.value, str) for pair in parts):
            return
        names: list[str] = []
        for words in (pair.child.words.strip() for pair in parts):
            names = [name for name in names if name not in words]
            names += [words] if not any(words in name for name in names) else []
        field = "place" if "place" in self._rules else "location"
        for pair in parts:
            self._note(pair, f'it is read as a part of "{field}"', f"write {field}: {', '.join(names)}")
            del self._pairs[pair.key]
        self._put(_Pair(field, Node(", ".join(names), parts[0].child.place), parts[0].place))
        self._is_changed = True

    def _join_roles(self) -> None:
        """Join the title and the position of a person into one role. Drop a title that repeats the name."""
        named = [
            p.child.words for p in self._pairs.values() if fold(p.key) in ("firstname", "lastname", "name")
        ]
        for pair in [pair for pair in self._pairs.values() if fold(pair.key) == "title"]:
            if pair.child.words and pair.child.words in (" ".join(named), *named):
                self._note(pair, "it is the name again, and is not needed", "delete it")
                del self._pairs[pair.key]
                self._is_changed = True
        roles = [pair for pair in self._pairs.values() if target_of(pair.key, Profile) == "role"]
        words = list(dict.fromkeys(pair.child.words for pair in roles if pair.child.words))
        if len(roles) < 2 or len(words) < 2:
            return
        for pair in roles:
            self._note(pair, 'it is read as a part of "role"', f"write role: {', '.join(words)}")
            del self._pairs[pair.key]
        self._pairs["role"] = _Pair("role", Node(", ".join(words), roles[0].child.place), roles[0].place)
        self._is_changed = True

    def _move_options(self) -> None:
        """Move top-level theme options under `theme`."""
        own = [p for p in self._pairs.values() if fold(p.key) in THEME_OPTIONS and p.child.words]
        theme = self._pairs.get("theme")
        if theme is not None and theme.child.words.casefold() in ("default", "auto"):
            self._note(theme, "the default theme is used", "delete it")
            del self._pairs["theme"]
            self._is_changed, theme = True, None
        if theme is not None and theme.child.entries:
            renamed = {_option(key): child for key, child in theme.child.entries.items()}
            places = {_option(key): theme.child.key_place(key) for key in theme.child.entries}
        else:
            name = theme.child if theme is not None and theme.child.words else None
            renamed = {"name": name} if name else {}
            places = {"name": name.place} if name else {}
        for pair in own:
            option = THEME_OPTIONS[fold(pair.key)]
            self._note(
                pair,
                f'it is read as the option "{option}" of the theme',
                f"write it under theme: {option}: …",
            )
            del self._pairs[pair.key]
            renamed.setdefault(option, pair.child)
            places.setdefault(option, pair.place)
        if own or (
            theme is not None and theme.child.entries and renamed.keys() != theme.child.entries.keys()
        ):
            place = theme.place if theme is not None else own[0].place
            child = Node(renamed, theme.child.place if theme is not None else place, places)
            self._pairs["theme"] = _Pair("theme", child, place)
            self._is_changed = True

    def _add_facts(self) -> None:
        """Append the facts to the note."""
        if not self._facts:
            return
        own = next((p for p in self._pairs.values() if target_of(p.key, self._cls) == "note"), None)
        words = [own.child.words.strip()] if own is not None and own.child.words else []
        key, place = (own.key, own.place) if own is not None else ("note", self._node.place)
        text = Node("; ".join([*words, *self._facts]), own.child.place if own is not None else place)
        self._pairs[key] = _Pair(key, text, place)

    def _add_links(self) -> None:
        """Append the links that were separate keys to `links`."""
        if not self._links:
            return
        own = next((p for p in self._pairs.values() if target_of(p.key, self._cls) == "links"), None)
        key, place = (own.key, own.place) if own is not None else ("links", self._links[0].place)
        before = (own.child.items or (own.child,)) if own is not None and own.child.value else ()
        self._pairs[key] = _Pair(key, Node((*before, *self._links), place), place)

    def _put(self, pair: _Pair, *, is_weak: bool = False) -> None:
        """Store a pair. If `is_fallback` is true, the field as written in the mapping has priority."""
        if is_weak:
            self._is_changed = True
            if any(target_of(key, self._cls) == target_of(pair.key, self._cls) for key in self._node.entries):
                return
        before = self._pairs.get(pair.key)
        if before is not None and content_of(before.child) != content_of(pair.child):
            message = f'{self._who} has "{pair.key}" at two places'
            self._problems.tell("key-twice", pair.place, message, "keep one of the two")
            return
        self._pairs[pair.key] = pair
        if pair.key not in self._node.entries or self._node.entries[pair.key] is not pair.child:
            self._is_changed = True

    def _changed(self, pair: _Pair, child: Node) -> _Pair:
        """Return the pair with another value and report the change. Return the same pair if the value is equal."""
        if child is pair.child or content_of(child) == content_of(pair.child):
            return pair
        self._note(pair, "its value is read in the form of Tenure", "see the documentation of the key")
        return _Pair(pair.key, child, pair.place)

    def _drop(self, pair: _Pair) -> None:
        message = f'"{pair.key}" in {self._who} is empty or a setting of another system, and is ignored'
        self._problems.tell("ignored-key", pair.place, message, "delete it")
        self._is_changed = True

    def _note(self, pair: _Pair, message: str, hint: str) -> None:
        self._problems.tell("alias", pair.place, f'"{pair.key}" in {self._who}: {message}', hint)


_STEERING = frozenset(
    {"icon", "iconpack", "color", "weight", "order", "usergroups", "layout", "highlightname"}
)
"""Folded keys of other systems that control the layout of a list. They are not facts."""


_LINK_NAMES = frozenset(map(fold, LINK_NAMES))
_FLAGS = frozenset({"draft", "hidden", "published", "menu"})
IGNORED_KEYS = frozenset(map(fold, IGNORED))


def _link_label(key: str) -> str:
    """Return the label of a link from its key: "demo" for "demo_url", "url_demo" and "demoLink"."""
    words = _label(key).split(" ")
    ends = ("url", "link", "uri", "href")
    if len(words) > 1 and words[-1].casefold() in ends:
        words = words[:-1]
    elif len(words) > 1 and words[0].casefold() in ends:
        words = words[1:]
    return " ".join(words).casefold() if len(words) == 1 else " ".join(words)


def _years(node: Node) -> tuple[int, ...]:
    """Return the sorted years of a list or of a text with several years, or ()."""
    words = [item.words.strip() for item in node.items] or re.split(r"\s*[,;&+]\s*", node.words.strip())
    if len(words) < 2 or not all(re.fullmatch(r"(?:19|20)\d\d", word) for word in words):
        return ()
    return tuple(sorted(map(int, words)))


def _is_language(words: str) -> bool:
    try:
        Language.parse(words)
    except ValueError:
        return False
    return True


def _option(key: str) -> str:
    return THEME_OPTIONS.get(fold(key), key)


def _label(key: str) -> str:
    """Return a key as a label: "Field of study" for "field_of_study"."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|_+", " ", key).strip()
    return words[:1].upper() + words[1:]


def _words_of(node: Node) -> str:
    """Return a value as one text, or "" if the value is nested."""
    if node.items and all(isinstance(item.value, str) for item in node.items):
        return ", ".join(item.words.strip() for item in node.items)
    return " ".join(node.words.split())


def _named(node: Node, *, as_markdown: bool) -> Node:
    """Return a name with a URL as a Markdown link or as the name alone. A text is returned unchanged."""
    name = next(
        (node.entries[key].words for key in ("name", "title", "organization") if key in node.entries), ""
    )
    url = node.entries["url"].words if "url" in node.entries else ""
    if not name:
        return node
    return Node(f"[{name}]({url})" if url and as_markdown else name, node.place)


def _links(node: Node) -> Node:
    """Return links in any form as a list of {label: URL}, or the same node if no link is nested."""
    found = tuple(_each_link(node))
    return (
        node if not any(is_new for _, is_new in found) else Node(tuple(link for link, _ in found), node.place)
    )


def _each_link(node: Node) -> Iterator[tuple[Node, bool]]:
    if node.items:
        for item in node.items:
            yield from _each_link(item)
        return
    link = _link(node)
    if link is not None:
        yield link, True
        return
    for key, child in node.entries.items():
        inner = _link(child, key) if child.entries else None
        yield inner or Node({key: child}, child.place, {key: node.key_place(key)}), inner is not None
    if isinstance(node.value, str):
        yield node, False


def _link(node: Node, label: str = "") -> Node | None:
    """Return a link that has one key for its label and one for its URL, or None."""
    folded = {fold(key): child for key, child in node.entries.items()}
    address = next((folded[key] for key in ADDRESS_KEYS if key in folded and folded[key].words), None)
    names = [folded[key].words for key in LABEL_KEYS if key in folded and folded[key].words]
    if address is None or (not names and not label):
        return None
    if not label and "icon" in folded and len(names) == 1:
        label = re.split(r"[\s/]+", names[0])[-1].removeprefix("fa-")
        label = "Email" if address.words.startswith("mailto:") else label
    name = label or names[0]
    return Node({name: address}, node.place, {name: address.place})
