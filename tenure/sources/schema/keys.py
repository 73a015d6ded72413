"""
Read the keys of one mapping, once: each names a field, or one of five rules says what it is.

A key that names no field: (1) near a field, it is an error with the suggestion; (2) with a URL, or named like a service, it
is a link; (3) with a text, it is a fact that the note shows; (4) with a mapping of known keys, these are read one level
higher; (5) in the profile, it is not published. Everything else is an error.
"""

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tenure.model.dates import parse_date, parse_period
from tenure.model.entries import Affiliation, CustomEntry, Entry, Markdown, Person, Post, Profile, Prose
from tenure.model.fields import Key
from tenure.model.languages import Language
from tenure.model.links import Link, is_bare_host_url, url_scheme
from tenure.problems import Edit, Place, Problems, format_suggestion
from tenure.record import replace
from tenure.sources.node import Node
from tenure.sources.schema.links import capitalize_key, find_service, label_from_key, parse_doi
from tenure.sources.schema.spec import (
    CONFIG_KEYS,
    FOREIGN_WORDS,
    SETTING_CONFIG_KEYS,
    Field,
    fold_key,
    read_spec,
)
from tenure.sources.schema.values import (
    NAME_PARTS,
    flatten,
    is_same_value,
    join_name_parts,
    join_places,
    list_items,
    parse_years,
    read_flag,
    split_bullets,
)

GROUP_LABELS = frozenset(
    ["conferences", "journals", "workshops", "venues", "grants", "committees", "programcommittee", "reviewer", "reviewing", "reviews", "reviewed", "editor", "editorialboard", "areachair", "artifactevaluation", "panels", "societies", "memberships"]
)  # fmt: skip
"""Labels of groups of service that may have a single item. Other labels need a list or a text with commas."""

_FLAG_KEYS = frozenset(
    ["author", "authors", "comments", "featured", "header", "order", "type", "kind", "color", "profile", "social", "active", "aliases", "search", "listed", "pin", "format", "feed", "widget", "companylogo", "redirect", "redirectto", "urlslug", "nav", "hidden", "inline", "toc", "share", "horizontal", "math", "classes", "sitemap", "announcements", "view", "sidebar", "seo", "robots", "pinned", "sticky"]
)  # fmt: skip
"""Keys that configure another system if their value is a number, true, false, empty or a mapping; a text is a fact."""

STATES = frozenset(
    ["forthcoming", "to appear", "in press", "in preparation", "in progress", "ongoing", "planned", "tba", "tbd", "submitted", "under review", "laufend", "in arbeit", "geplant", "in vorbereitung", "en cours", "à paraître", "em andamento", "en curso"]
)  # fmt: skip
"""Words in place of a date, which the note shows."""

_HUGO_TYPES = frozenset(
    {"page", "post", "landing", "book", "docs", "widget_page", "project", "event", "admin", "me"}
)
"""Values of `type` and `author` that only Hugo reads."""

_ONGOING_KEYS = frozenset(
    {"current", "iscurrent", "ongoing", "isongoing", "present", "currently", "active", "isactive"}
)
_UNIT_KEYS = frozenset(
    {"department", "faculty", "institute", "lab", "laboratory", "group", "researchgroup", "chair"}
)
_FILE_KEYS = frozenset({"file", "filename", "src", "path", "url", "image"})
_ALT_KEYS = frozenset({"alt", "alttext", "caption", "description"})
_JOINED_FIELDS = frozenset({"location", "place", "role"})
_IMAGE_PATTERN = re.compile(r"[\w./~-]+\.(?:png|jpe?g|webp|svg|gif|avif)", re.IGNORECASE)
_FILE_PATTERN = re.compile(r"[\w./~-]+\.(?:pdf|pptx?|key|odp|zip|html?|ipynb|mp4|bib|ics)", re.IGNORECASE)

_OTHER_CONFIG_KEYS: Mapping[str, frozenset[str]] = {
    "Settings": SETTING_CONFIG_KEYS,
    "PageConfig": frozenset({"weight", "icon", "identifier", "parent", "pre", "post", "order", "enabled"}),
    "Profile": frozenset({"icon", "superuser", "usergroups", "highlightname", "isowner"}),
}

_HINTS: Mapping[str, Mapping[str, str]] = {
    "Settings": {
        "favicon": "delete it, and put the picture into content/favicon.svg",
        "domain": "write url: https://…",
        "sections": "write them under a page: pages: [{path: /, sections: [about, news]}]",
        "googleanalytics": "there is no key for Google Analytics; services: has goatcounter, plausible, umami and cloudflare",
        "analytics": "write it under services:",
    },
    "Profile": {"phone": 'to publish a phone number, write links: {Phone: "tel:+1…"}'},
}
"""The hints for a few unknown keys that many people try, by class and folded key."""


_NO_FIELD = Field(name="", value_type=None, is_list=False, is_required=False, key=Key())


class KeyReader:
    """The values of one mapping by field: `nodes`, the keys and places from which they are, and the nodes of other keys."""

    def __init__(self, node: Node, cls: Any, problems: Problems, subject: str) -> None:
        self.nodes: dict[str, Node] = {}
        self.keys: dict[str, tuple[str, Place]] = {}
        self.extra: dict[str, Node] = {}
        self.near: set[str] = set()
        """The fields that unknown keys resemble."""
        self.ignored: list[tuple[str, Place]] = []
        """The keys that only configure another system."""
        self._node, self._cls, self._spec = node, cls, read_spec(cls)
        self._problems, self._subject = problems, subject
        self._links: list[Node] = []
        self._facts: list[str] = []
        self._name_parts: dict[str, tuple[str, Node, Place]] = {}
        self._units: list[str] = []
        self._deferred: list[tuple[str, Node, Place]] = []

    def read_all(self) -> None:
        """Read all pairs; in a profile, a department precedes its university."""
        pairs = list(self._node.mapping.items())
        if self._cls is Profile:
            pairs.sort(key=lambda pair: fold_key(pair[0]) not in _UNIT_KEYS)
        for key, child in pairs:
            self._read_pair(key, child, self._node.key_place(key))
        order = {word: number for number, word in enumerate(self._spec.fallbacks)}
        for key, child, place in sorted(self._deferred, key=lambda pair: order.get(fold_key(pair[0]), 0)):
            self._read_fallback(key, child, place)
        self._join_name()
        if self._units:
            name = self.nodes.get("name", Node("", self._node.place))
            self.nodes["name"] = Node(", ".join(filter(None, (*self._units, name.text.strip()))), name.place)
            self.keys.setdefault("name", ("name", self._node.place))
        self._read_date_forms()
        self._join_dates()
        if self._links:
            self.nodes["links"] = (
                self._links[0] if len(self._links) == 1 else Node(tuple(self._links), self._links[0].place)
            )
            self.keys.setdefault("links", ("links", self._links[0].place))
        if self._facts:
            note = self.nodes.get("note", Node("", self._node.place))
            self.nodes["note"] = Node("; ".join(filter(None, (note.text.strip(), *self._facts))), note.place)
            self.keys.setdefault("note", ("note", self._node.place))

    def add_fact(self, key: str, place: Place, text: str, message: str) -> None:
        """Show a text in the note of the entry."""
        self._report_alias(key, place, f": {message}", f"write note: {text if len(text) < 40 else '…'}")
        self._facts.append(text)

    def _read_pair(self, key: str, child: Node, place: Place) -> None:
        spec, cls, folded = self._spec, self._cls, fold_key(key)
        name = self._find_field(key, folded, child)
        if not name and spec.find_fallbacks(key):
            self._deferred.append((key, child, place))
            return
        flag = read_flag(child)
        if child.mapping and self._is_wrapper(name, key, child):
            if name != spec.period or not name:
                message = f": the keys below it are read as keys of {self._subject}"
                self._report_alias(key, place, message, "write its keys one level higher")
            for inner, value in child.mapping.items():
                self._read_pair(inner, value, child.key_place(inner))
        elif spec.period and folded in _ONGOING_KEYS and flag is not None:
            if flag:
                self._report_alias(
                    key, place, ": it is read as the end of the dates", "write end: present, or delete it"
                )
                self.nodes.setdefault("end", Node("present", child.place))
                self.keys.setdefault("end", (key, place))
            else:
                self.ignored.append((key, place))
        elif "draft" in spec.fields and folded in ("published", "hidden") and flag is not None:
            self._store("draft", key, Node(str(flag == (folded == "hidden")).lower(), child.place), place)
        elif name in ("image", "photo") and child.mapping:
            self._read_image(name, key, child, place)
        elif cls is Profile and name in ("cv", "photo") and flag is not None:
            self.ignored.append((key, place))
        elif cls is Affiliation and folded in _UNIT_KEYS and child.text:
            self._units.append(child.text.strip())
        elif name:
            self._store(name, key, child, place)
        elif cls in (Profile, Person) and child.text and any(folded in words for words in NAME_PARTS):
            self._name_parts[folded] = (key, child, place)
        elif child.value in (None, "", ()) or self._is_config(folded, child):
            self.ignored.append((key, place))
        else:
            self._read_unknown(key, child, place)

    def _find_field(self, key: str, folded: str, child: Node) -> str:
        """The field of a key; a few names depend on the value or on the other keys."""
        spec, cls = self._spec, self._cls
        name, english = spec.find_field(key), FOREIGN_WORDS.get(folded, folded)
        if not name:
            is_url = bool(url_scheme(child.text)) or is_bare_host_url(child.text)
            return spec.find_url_field(key) if is_url else ""
        if name == "title" == english and issubclass(cls, CustomEntry) and self._has_name(key):
            return (
                "role" if cls is Person else "text"
            )  # name: Ada Example, and title: Professor, or the title of a thesis
        if name == "language" and issubclass(cls, CustomEntry) and not _is_language(child.text):
            return ""  # {language: German, fluency: Native} is an entry about a language
        if key in spec.fields:
            return name
        if (
            read_flag(child) is not None
            and key not in spec.taught
            and spec.fields.get(name, _NO_FIELD).value_type in (str, Markdown)
        ):
            return ""  # comments: true
        if spec.has_groups and name != "details" and _is_group(key, child):
            return ""  # "conferences: [ICML]" is a group, and not the conference of the entry
        if name == "tags" and issubclass(cls, Entry) and not (cls.SHOWS_TAGS or english in ("tag", "tags")):
            return ""
        if folded == "from" and not parse_period(child.text) and "organization" in spec.fields:
            return "organization"
        return name

    def _has_name(self, key: str) -> bool:
        """Whether another key is a name."""
        others = (fold_key(other) for other in self._node.mapping if other != key)
        return any(FOREIGN_WORDS.get(other, other) in ("name", "fullname") for other in others)

    def _is_wrapper(self, name: str, key: str, child: Node) -> bool:
        """Whether a mapping has mostly keys of this record, so that they belong one level higher: contact: {email: …}."""
        field = self._spec.fields.get(name)
        if name and name == self._spec.period:
            return all(self._spec.find_field(key) in ("start", "end") for key in child.mapping)
        if field and name not in ("cv", "url", "details", "links"):
            return False
        known = [key for key in child.mapping if self._spec.find_field(key) or find_service(key)]
        if field and field.value_type is Link:
            return fold_key(key) == "profile" and any(
                self._spec.find_field(inner) == "name" for inner in child.mapping
            )
        return len(known) * 2 > len(child.mapping) and {"url", "label"} != set(child.mapping)

    def _is_config(self, folded: str, child: Node) -> bool:
        if not issubclass(self._cls, Entry):
            return folded in _OTHER_CONFIG_KEYS.get(self._cls.__name__, ())
        if self._spec.has_groups and child.items:
            return False
        is_flag = read_flag(child) is not None
        if folded in CONFIG_KEYS or (
            is_flag and (issubclass(self._cls, Prose | Post) or read_flag(child) is False)
        ):
            return True
        texts = child.items or (child,)
        is_plain = (
            is_flag
            or bool(child.mapping and not folded.startswith("author"))
            or child.text.isdecimal()
            or all(t.text in _HUGO_TYPES for t in texts)
        )
        return folded in _FLAG_KEYS and is_plain

    def _store(self, name: str, key: str, child: Node, place: Place) -> None:
        """Store a value. If the field has one already, the two are joined, equal, or a second link; else it is an error."""
        spec, field = self._spec, self._spec.fields.get(name)
        if key not in spec.taught and key.rstrip("s") != name.rstrip("s"):
            is_taken = name in self.nodes or name in self._node.mapping
            self._report_alias(
                key,
                place,
                f' is read as "{name}"',
                f'write "{name}"',
                () if is_taken else (Edit(place, name),),
            )
        if name == "url" and issubclass(self._cls, Post | Prose):  # its name leads to its own page
            self._links.append(Node({key: child}, place, {key: place}))
            return
        if field and field.value_type is Link:
            self._links.append(child)
            self.keys.setdefault(name, (key, place))
            return
        if name == "summary" and "details" in spec.fields and issubclass(self._cls, Entry):
            child = self._split_summary(key, child, place)
        old = self.nodes.get(name)
        if old is None or old.value in (None, ""):
            self.nodes[name], self.keys[name] = child, (key, place)
        elif child.value in (None, "", ()) or is_same_value(old, child):
            return
        elif (
            name == "term"
            and old.text
            and child.text
            and str.isdecimal(old.text) != str.isdecimal(child.text)
        ):
            self.nodes[name] = Node(" ".join(sorted((old.text, child.text), key=str.isdecimal)), old.place)
        elif field and (field.key.merges or (field.is_list and name != "term")):
            self.nodes[name] = Node((*list_items(old), *list_items(child)), old.place)
        elif name in _JOINED_FIELDS and flatten(old) and flatten(child):
            texts = [flatten(old), flatten(child)]
            self.nodes[name] = Node(", ".join(texts) if name == "role" else join_places(texts), old.place)
        elif name == "url" and spec.has_links:
            if key == name:
                self.nodes[name], self.keys[name], (key, place), child = (
                    child,
                    (key, place),
                    self.keys[name],
                    old,
                )
            self._links.append(Node({key: child}, place, {key: place}))
        else:
            self._report_twice(self.keys[name], (key, place))

    def _split_summary(self, key: str, child: Node, place: Place) -> Node:
        """The paragraph of a summary above its Markdown list; the list is read as details."""
        bullets = split_bullets(child)
        items = child.items if not child.text else bullets.items
        if not items or any(self._spec.find_field(other) == "details" for other in self._node.mapping):
            return child
        self._report_alias(key, place, ': its list is read as "details"', "write the list under details:")
        self.nodes["details"], self.keys["details"] = Node(items, child.place), (key, place)
        return replace(child, value=bullets.introduction or None)

    def _read_image(self, name: str, key: str, child: Node, place: Place) -> None:
        """Read an image that is a mapping of its file and its alt text; other texts in it are not published."""
        targets = {
            inner: name if fold_key(inner) in _FILE_KEYS else f"{name}_alt"
            for inner in child.mapping
            if fold_key(inner) in _FILE_KEYS | _ALT_KEYS
        }
        if name not in targets.values():
            self.ignored.append((key, place))
            return
        for inner, target in targets.items():
            if child.mapping[inner].text and target not in self.nodes:
                self._store(target, target, child.mapping[inner], child.key_place(inner))

    def _read_fallback(self, key: str, child: Node, place: Place) -> None:
        """Read a key that means a field only if no other key does: "label: Languages" is the title of an entry without one."""
        for name in self._spec.find_fallbacks(key):
            is_date = name == self._spec.period
            is_possible = (
                bool(parse_period(child.text)) and "start" not in self.nodes
                if is_date
                else bool(flatten(child))
            )
            is_free = name not in self.nodes or name in _JOINED_FIELDS
            if is_free and is_possible:
                child = child if child.text else Node(flatten(child), child.place)
                self._store(name, key, child, place)
                return
        if child.value in (None, "", ()) or self._is_config(fold_key(key), child):
            self.ignored.append((key, place))
        else:
            self._read_unknown(key, child, place)

    def _read_unknown(self, key: str, child: Node, place: Place) -> None:
        """Read a key without a field by the five rules of the module."""
        spec, text, fact = self._spec, child.text.strip(), flatten(child)
        near = "" if read_flag(child) is not None and spec.has_note else self._find_near_key(key)
        is_word = bool(text) and " " not in text
        service = find_service(key) if spec.has_links and is_word else ""
        is_image = is_word and bool(_IMAGE_PATTERN.fullmatch(text)) and self._is_free("image")
        is_url = is_word and (
            bool(url_scheme(text))
            or is_bare_host_url(text)
            or "@" in text
            or bool(parse_doi(text))
            or bool(_FILE_PATTERN.fullmatch(text))
        )
        if service or (
            spec.has_links
            and is_url
            and (not near or re.search(r"(?i)(?<![a-z])(?:url|link)$|[a-z](?:Url|URL|Link)$", key))
        ):
            label = service or label_from_key(key)
            self._report_alias(key, place, " is read as a link", f"write links: {{{label}: {text}}}")
            self._links.append(Node({label: child}, child.place, {label: place}))
        elif is_image and not near:
            self._store("image", key, child, place)
        elif spec.extra and not near and (not spec.has_groups or _is_group(key, child)):
            self.extra[key], self.keys[key] = child, (key, place)
        elif spec.has_note and not near and fact:
            label = capitalize_key(key)
            is_true = read_flag(child) is True
            self.add_fact(
                key,
                place,
                label if is_true else f"{label}: {fact}",
                f"it is shown in the note of {self._subject}",
            )
        elif self._cls is Profile and not near:
            hint = _HINTS["Profile"].get(fold_key(key), "to publish it, write it in content/about.md")
            self._problems.report("unused-key", place, f'"{key}" of the profile is not published', hint)
        else:
            self.near.add(near)
            hint = _HINTS.get(self._cls.__name__, {}).get(fold_key(key), "")
            if not hint and near and key.partition(":")[0] == near != key:
                hint = f'a colon needs a space after it: "{near}: …"'
            elif not hint and self._cls.__name__ == "Overlay" and not near:
                hint = "write it into the entry in bib/"
            elif not hint:
                hint = f'did you mean "{near}"?' if near else format_suggestion(key, list(spec.fields))
            self._problems.report("unknown-key", place, f'unknown key "{key}" in {self._subject}', hint)

    def _is_free(self, name: str) -> bool:
        """Whether the record has a field that no key sets."""
        return name in self._spec.fields and name not in self.nodes

    def _find_near_key(self, key: str) -> str:
        """The field whose name an unknown key probably misspells; "" for a name that is known, or is a fact for other reasons."""
        if self._spec.find_field(key) or self._spec.find_fallbacks(key):
            return ""
        head = key.partition(":")[0]
        if head != key and head in self._spec.keys:
            return head
        folded = fold_key(key)
        names = {fold_key(name): name for name in self._spec.keys}
        aliases = self._spec.names if len(folded) > 3 and not self._spec.has_groups else {}
        for known, cutoff in ((names, 0.75), (aliases, 0.82)):
            for near in difflib.get_close_matches(folded, known, n=1, cutoff=cutoff):
                is_compound = near in folded and len(folded) > len(near) + 2 and near not in ("start", "end")
                if not is_compound:  # "course_code" is no misspelt "course"
                    return known[near]
        return ""

    def _join_name(self) -> None:
        """Join the first, middle and last name of a person into the name."""
        name = "name" if self._cls is Profile else "title"
        full_name = join_name_parts(
            {part: child.text.strip() for part, (_, child, _) in self._name_parts.items()}
        )
        for key, child, place in self._name_parts.values():
            if name in self.keys and self.keys[name][0] not in [
                key for key, _, _ in self._name_parts.values()
            ]:
                if child.text.strip() not in self.nodes[name].text:
                    self._report_twice(self.keys[name], (key, place))
                continue
            self._report_alias(key, place, f' is read as a part of "{name}"', f"write name: {full_name}")
            if name not in self.nodes:
                self.nodes[name], self.keys[name] = Node(full_name, child.place), (key, place)
        role = self.nodes.get("role")
        if (
            self._cls is Profile
            and role
            and self.keys["role"][0] == "title"
            and role.text == self.nodes.get("name", role).text
        ):
            del self.nodes["role"], self.keys["role"]  # the title of a page that repeats the name

    def _read_date_forms(self) -> None:
        """Read a state in place of a date as a note, and a list of years as a period; with gaps, the note has all years."""
        name = self._spec.date_field
        child = self.nodes.get(name, Node(None, self._node.place))
        text = child.text.strip()
        key, place = self.keys.get(name, ("", child.place))
        years = parse_years(child) if name == self._spec.period else ()
        if text.casefold() in STATES:
            self.add_fact(key, place, text, f"“{text}” is read as a note")
            del self.nodes[name], self.keys[name]
        elif years:
            first, last = min(years), max(years)
            is_gapless = last > first and len(set(years)) == last - first + 1
            period = f"{first} - {last}" if is_gapless else str(last)
            self._report_alias(key, place, f": it is read as {period}", f"write {name}: {period}")
            self.nodes[name] = Node(period, child.place)
            self._facts += [] if is_gapless else [", ".join(map(str, years))]

    def _join_dates(self) -> None:
        """Read a date beside an end as the start; report other keys of one period."""
        period = self._spec.period
        if (
            not period
            or period not in self.nodes
            or not {"start", "end"} & (self.nodes.keys() - self._spec.fields.keys())
        ):
            return
        if "start" not in self.nodes and parse_date(self.nodes[period].text):
            key, place = self.keys.pop(period)
            self._report_alias(key, place, ': it is read as "start"', 'write "start"')
            self.nodes["start"], self.keys["start"] = self.nodes.pop(period), (key, place)
        else:
            end = next(name for name in ("start", "end") if name in self.nodes)
            self._report_twice(self.keys[period], self.keys[end])

    def _report_twice(self, *keys: tuple[str, Place]) -> None:
        (first, _), (second, place) = sorted(keys, key=lambda key: key[1])
        message = f'{self._subject} has both "{first}" and "{second}"'
        self._problems.report("key-twice", place, message, "keep one of the two")

    def _report_alias(
        self, key: str, place: Place, message: str, hint: str, edits: tuple[Edit, ...] = ()
    ) -> None:
        self._problems.report("alias", place, f'"{key}" in {self._subject}{message}', hint, edits)


def _is_language(text: str) -> bool:
    try:
        Language.parse(text.strip())
    except ValueError:
        return False
    return True


def _is_group(key: str, node: Node) -> bool:
    return bool(node.items) or "," in node.text or (bool(node.text) and fold_key(key) in GROUP_LABELS)


def report_ignored_keys(keys: Sequence[tuple[str, Place]], problems: Problems) -> None:
    """Report the keys that only configure another system, once for all."""
    if not keys:
        return
    names = list(dict.fromkeys(f'"{key}"' for key, _ in keys))
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    message = f"ignored, because they have no value or configure another system: {shown}"
    problems.report("ignored-key", min(place for _, place in keys), message, "delete them")
