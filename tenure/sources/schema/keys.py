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

from tenure.model.dates import find_time, parse_date, parse_period
from tenure.model.entries import Affiliation, CustomEntry, Entry, Markdown, Person, Post, Profile, Prose
from tenure.model.fields import Key
from tenure.model.file_types import IMAGE_PATTERN
from tenure.model.identifiers import parse_doi
from tenure.model.languages import Language
from tenure.model.links import Link, Url, is_bare_host_url, parse_email, url_scheme
from tenure.problems import Edit, Place, Problems, format_suggestion
from tenure.sources.node import Node
from tenure.sources.schema.links import capitalize_key, find_service, label_from_key
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
    join_name_parts,
    list_items,
    parse_years,
    read_flag,
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

_ONGOING_KEYS = frozenset({"current", "iscurrent", "ongoing", "present", "currently", "active", "isactive"})
_UNIT_KEYS = frozenset({"department", "faculty", "institute", "lab", "laboratory", "group"})
_FILE_KEYS = frozenset({"file", "filename", "src", "path", "url", "image"})
_ALT_KEYS = frozenset({"alt", "alttext", "caption", "description"})
_JOINED_FIELDS = frozenset({"location", "place", "role"})
_URL_AFFIX = r"(?i)(?<![a-z])(?:url|link)$|[a-z](?:Url|URL|Link)$"
_FILE_NAME = (
    rf"(?i)[\w./~-]+(?:(?P<image>{IMAGE_PATTERN})|\.(?:pdf|pptx?|key|odp|zip|html?|ipynb|mp4|bib|ics))"
)

_OTHER_CONFIG_KEYS: Mapping[str, frozenset[str]] = {
    "Settings": SETTING_CONFIG_KEYS,
    "PageConfig": frozenset({"weight", "icon", "identifier", "parent", "pre", "post", "order", "enabled"}),
    "Profile": frozenset({"icon", "superuser", "usergroups", "highlightname", "isowner"}),
}

_HINTS: Mapping[str, Mapping[str, str]] = {
    "Settings": {
        "favicon": "delete it, and put the picture into content/favicon.svg",
        **dict.fromkeys(
            ("css", "customcss", "style", "stylesheet", "extracss"), "write your CSS into content/style.css"
        ),
        "domain": "write url: https://…",
        "sections": "write them under a page: pages: [{path: /, sections: [about, news]}]",
        "googleanalytics": "there is no key for Google Analytics; services: has goatcounter, plausible, umami and cloudflare",
        "analytics": "write it under services:",
    },
    "SectionConfig": {"restart": "delete it; a section on a page of its own has its own numbers"},
    "CvConfig": {
        "icons": "delete it; the look decides how contacts are printed",
        "addresses": "delete it; the PDF prints the names of links, and cv.txt their addresses too",
    },
    "FetchConfig": {"bib": "delete it, and save the file yourself: curl --output bib/zotero.bib https://…"},
    "Work": {"years": "delete it, or delete the file and call fetch --write"},
    "Services": {
        "buttondown": "write the form in a text, and allow: {hosts: [https://buttondown.com]}",
        "mailchimp": "write the form in a text, and allow: {hosts: [https://….list-manage.com]}",
        "formspree": "write the form in a text, and allow: {hosts: [https://formspree.io]}",
    },
    "Allow": {
        **dict.fromkeys(("style", "font", "form", "frame", "image"), "write these hosts under hosts:"),
        "connect": "write these hosts under scripts:",
    },
    "Profile": {
        "phone": 'to publish a phone number, write links: {Phone: "tel:+1…"}',
        "type": "if the site is that of a lab, write kind: group",
    },
    "Overlay": {"hide": "write draft: true"},
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
        self._deferred: list[tuple[str, Node, Place]] = []

    def read_all(self) -> None:
        """Read all pairs."""
        for key, child in self._node.mapping.items():
            self._read_pair(key, child, self._node.key_place(key))
        order = {word: number for number, word in enumerate(self._spec.fallbacks)}
        for key, child, place in sorted(self._deferred, key=lambda pair: order.get(fold_key(pair[0]), 0)):
            self._read_fallback(key, child, place)
        self._join_name()
        self._read_role_period()
        self._read_date_forms()
        self._read_times()
        self._join_dates()
        if self._links:
            is_one = len(self._links) == 1
            self.nodes["links"] = self._links[0] if is_one else Node(tuple(self._links), self._links[0].place)
            self.keys.setdefault("links", ("links", self._links[0].place))
        if self._facts:
            note = self.nodes.get("note", Node("", self._node.place))
            self.nodes["note"] = Node("; ".join(filter(None, (note.text.strip(), *self._facts))), note.place)
            self.keys.setdefault("note", ("note", self._node.place))

    def _read_pair(self, key: str, child: Node, place: Place) -> None:
        spec, cls, folded = self._spec, self._cls, fold_key(key)
        name = self._find_field(key, folded, child)
        flag = read_flag(child)
        if not name and spec.find_fallbacks(key):
            self._deferred.append((key, child, place))
        elif child.mapping and self._is_wrapper(name, key, child):
            if name != spec.period or not name:
                message = f": the keys below it are read as keys of {self._subject}"
                self._report_alias(key, place, message, "write its keys one level higher")
            for inner, value in child.mapping.items():
                self._read_pair(inner, value, child.key_place(inner))
        elif flag and spec.period and folded in _ONGOING_KEYS:
            message = ": it is read as the end of the dates"
            self._report_alias(key, place, message, "write end: present, or delete it")
            self.nodes.setdefault("end", Node("present", child.place))
            self.keys.setdefault("end", (key, place))
        elif "draft" in spec.fields and folded in ("published", "hidden") and flag is not None:
            self._store("draft", key, Node(str(flag == (folded == "hidden")).lower(), child.place), place)
        elif name in ("image", "photo") and child.mapping:
            self._read_image(name, key, child, place)
        elif name:
            self._store(name, key, child, place)
        elif cls in (Profile, Person) and child.text and any(folded in words for words in NAME_PARTS):
            self._name_parts[folded] = (key, child, place)
        else:
            self._read_unknown(key, child, place)

    def _find_field(self, key: str, folded: str, child: Node) -> str:
        """The field of a key; a few names depend on the value or on the other keys."""
        spec, cls = self._spec, self._cls
        name, english = spec.find_field(key), FOREIGN_WORDS.get(folded, folded)
        if cls is Affiliation and folded in _UNIT_KEYS:
            return "name"
        if not name:
            is_url = bool(url_scheme(child.text)) or is_bare_host_url(child.text)
            return spec.find_url_field(key) if is_url else ""
        if name == "title" == english and issubclass(cls, CustomEntry):
            others = {fold_key(other) for other in self._node.mapping if other != key}
            if {"name", "fullname"} & {FOREIGN_WORDS.get(other, other) for other in others}:
                # name: Ada Example, and title: Professor, or the title of a thesis
                return "role" if cls is Person else "text"
        if name == "language" and issubclass(cls, CustomEntry) and not _is_language(child.text):
            return ""  # {language: German, fluency: Native} is an entry about a language
        value_type = spec.fields.get(name, _NO_FIELD).value_type
        is_word = value_type is Url or (value_type in (str, Markdown) and key not in spec.taught)
        if is_word and read_flag(child) is not None:
            return ""  # comments: true
        if key in spec.fields:
            return name
        if spec.has_groups and name != "details" and _is_group(key, child):
            return ""  # "conferences: [ICML]" is a group, and not the conference of the entry
        if name == "tags" and issubclass(cls, Entry) and not (cls.SHOWS_TAGS or english in ("tag", "tags")):
            return ""
        if folded == "from" and not parse_period(child.text) and "organization" in spec.fields:
            return "organization"
        return name

    def _is_wrapper(self, name: str, key: str, child: Node) -> bool:
        """Whether a mapping has mostly keys of this record, so that they belong one level higher: contact: {email: …}."""
        fields = [self._spec.find_field(inner) for inner in child.mapping]
        if name and name == self._spec.period:
            return {"start", "end"}.issuperset(fields)
        if name == "links":
            return fold_key(key) == "profile" and "name" in fields
        if name and name not in ("cv", "url", "details"):
            return False
        known = [
            inner for inner, field in zip(child.mapping, fields, strict=True) if field or find_service(inner)
        ]
        return len(known) * 2 > len(child.mapping) and {"url", "label"} != set(child.mapping)

    def _is_config(self, folded: str, child: Node) -> bool:
        """Whether a key without a field only configures another system, or has no value."""
        flag = read_flag(child)
        if child.value in (None, "", ()) or (flag is not None and self._spec.find_field(folded)):
            return True
        if not issubclass(self._cls, Entry):
            return folded in _OTHER_CONFIG_KEYS.get(self._cls.__name__, ())
        if self._spec.has_groups and child.items:
            return False
        if folded in CONFIG_KEYS or flag is False or (flag and issubclass(self._cls, Prose | Post)):
            return True
        is_plain = flag or child.text.isdecimal() or (bool(child.mapping) and not folded.startswith("author"))
        is_plain = is_plain or all(item.text in _HUGO_TYPES for item in child.items or (child,))
        return folded in _FLAG_KEYS and is_plain

    def _store(self, name: str, key: str, child: Node, place: Place) -> None:
        """Store a value. If the field has one already, the two are joined, equal, or a second link; else it is an error."""
        spec, field = self._spec, self._spec.fields.get(name)
        if key not in spec.taught and key.rstrip("s") != name.rstrip("s"):
            is_taken = name in self.nodes or name in self._node.mapping
            edits = () if is_taken else (Edit(place, name),)
            self._report_alias(key, place, f' is read as "{name}"', f'write "{name}"', edits)
        if field and field.value_type is Link:
            self._links.append(child)
            self.keys.setdefault(name, (key, place))
            return
        if name == "url" and issubclass(self._cls, Post | Prose):  # its name leads to its own page
            self._links.append(Node({key: child}, place, {key: place}))
            return
        if name == "summary" and child.items and "details" in spec.fields and "details" not in self.nodes:
            name = "details"
        old = self.nodes.get(name)
        texts = [flatten(node) for node in (old, child) if node]
        if old is None or old.value in (None, ""):
            self.nodes[name], self.keys[name] = child, (key, place)
        elif child.value in (None, "", ()) or (texts[0] == texts[1] != ""):
            return
        elif name == "term" and str.isdecimal(texts[0]) != str.isdecimal(texts[1]):
            self.nodes[name] = Node(" ".join(sorted(texts, key=str.isdecimal)), old.place)
        elif field and (field.key.merges or (field.is_list and name != "term")):
            self.nodes[name] = Node((*list_items(old), *list_items(child)), old.place)
        elif (name in _JOINED_FIELDS or self._cls is Affiliation) and all(texts):
            parts = [text for text in texts if name == "role" or not any(text in t != text for t in texts)]
            self.nodes[name] = Node(", ".join(parts), old.place)
        elif name == "url" and spec.has_links:
            self._links.append(Node({key: child}, place, {key: place}))
        else:
            self._report_twice(self.keys[name], (key, place))

    def _read_image(self, name: str, key: str, child: Node, place: Place) -> None:
        """Read an image that is a mapping of its file and its alt text; other texts in it are not published."""
        inner = {fold_key(word): (word, value) for word, value in child.mapping.items() if value.text}
        if not _FILE_KEYS & inner.keys():
            self.ignored.append((key, place))
            return
        for words, target in ((_FILE_KEYS, name), (_ALT_KEYS, f"{name}_alt")):
            for word, value in [inner[folded] for folded in inner if folded in words][:1]:
                self._store(target, target, value, child.key_place(word))

    def _read_fallback(self, key: str, child: Node, place: Place) -> None:
        """Read a key that means a field only if no other key does: "label: Languages" is the title of an entry without one."""
        text = flatten(child)
        for name in self._spec.find_fallbacks(key):
            is_free = name not in self.nodes or name in _JOINED_FIELDS
            is_possible = bool(text)
            if name == self._spec.period:
                is_possible = "start" not in self.nodes and bool(parse_period(child.text))
            if is_free and is_possible:
                self._store(name, key, child if child.text else Node(text, child.place), place)
                return
        self._read_unknown(key, child, place)

    def _read_unknown(self, key: str, child: Node, place: Place) -> None:
        """Read a key without a field by the five rules of the module."""
        spec, text, fact = self._spec, child.text.strip(), flatten(child)
        if self._is_config(fold_key(key), child):
            self.ignored.append((key, place))
            return
        near = "" if read_flag(child) is not None and spec.has_note else self._find_near_key(key)
        is_word = bool(text) and " " not in text
        service = find_service(key) if is_word else ""
        file = re.fullmatch(_FILE_NAME, text)
        is_image = file is not None and bool(file["image"]) and "image" in spec.fields
        is_url = url_scheme(text) or is_bare_host_url(text) or "@" in text or parse_doi(text) or file
        is_link = is_word and is_url and not is_image and (not near or re.search(_URL_AFFIX, key))
        if "email" in spec.fields and "email" not in self.nodes and parse_email(text):  # courriel, correo
            self._store("email", key, child, place)
        elif spec.has_links and (service or is_link):
            label = service or label_from_key(key)
            self._report_alias(key, place, " is read as a link", f"write links: {{{label}: {text}}}")
            self._links.append(Node({label: child}, child.place, {label: place}))
        elif is_image and not near and "image" not in self.nodes:
            self._store("image", key, child, place)
        elif spec.extra and not near and (not spec.has_groups or _is_group(key, child)):
            self.extra[key], self.keys[key] = child, (key, place)
        elif spec.has_note and not near and fact:
            label = capitalize_key(key)
            fact = label if read_flag(child) else f"{label}: {fact}"
            self._add_fact(key, place, fact, f"it is shown in the note of {self._subject}")
        elif self._cls is Profile and not near:
            hint = _HINTS["Profile"].get(fold_key(key), "to publish it, write it in content/about.md")
            self._problems.report("unused-key", place, f'"{key}" of the profile is not published', hint)
        else:
            self.near.add(near)
            hint = f'did you mean "{near}"?' if near else format_suggestion(key, list(spec.fields))
            if self._cls.__name__ == "Overlay" and not near:
                hint = "write it into the entry in bib/"
            hint = _HINTS.get(self._cls.__name__, {}).get(fold_key(key), hint)
            self._problems.report("unknown-key", place, f'unknown key "{key}" in {self._subject}', hint)

    def _add_fact(self, key: str, place: Place, text: str, message: str) -> None:
        """Show a text in the note of the entry."""
        self._report_alias(key, place, f": {message}", f"write note: {text if len(text) < 40 else '…'}")
        self._facts.append(text)

    def _find_near_key(self, key: str) -> str:
        """The field whose name an unknown key probably misspells; "" for a name that is known, or is a fact for other reasons."""
        folded = fold_key(key)
        if self._spec.find_field(key) or self._spec.find_fallbacks(key):
            return ""
        head = key.partition(":")[0]  # event:"Graphs", without a space after the colon
        if head != key and head in self._spec.keys:
            return head
        names = {fold_key(name): name for name in self._spec.keys}
        aliases = self._spec.names if len(folded) > 3 and not self._spec.has_groups else {}
        for known, cutoff in ((names, 0.75), (aliases, 0.82)):
            for near in difflib.get_close_matches(folded, known, n=1, cutoff=cutoff):
                is_compound = near in folded and len(folded) > len(near) + 2 and near not in ("start", "end")
                if not is_compound:  # "course_code" is no misspelt "course"
                    return known[near]
        return ""

    def _join_name(self) -> None:
        """Join the first, middle and last name of a person into the name, if it has none that contains them."""
        name = "name" if self._cls is Profile else "title"
        texts = {part: child.text.strip() for part, (_, child, _) in self._name_parts.items()}
        full_name, written = join_name_parts(texts), self.nodes.get(name)
        for part, (key, child, place) in self._name_parts.items():
            if written is None:
                self._report_alias(key, place, f' is read as a part of "{name}"', f"write name: {full_name}")
                self.nodes[name] = Node(full_name, child.place)
                self.keys.setdefault(name, (key, place))
            elif texts[part] not in written.text:
                self._report_twice(self.keys[name], (key, place))

    def _read_role_period(self) -> None:
        """Read the period after the role of a person who has no other: Postdoc (2016-2019)."""
        name = self._spec.period
        if self._cls is not Person or not {name, "start", "end"}.isdisjoint(self.nodes):
            return
        node = self.nodes.get("role", self._node)
        match = re.fullmatch(r"(.+?)\s*\(([^()]+)\)", node.text.strip())
        if match and parse_period(match[2]):
            key, place = self.keys["role"]
            message = f": “{match[2]}” is read as the {name}"
            self._report_alias(key, place, message, f"write {name}: {match[2]}")
            self.nodes["role"] = Node(match[1], node.place)
            self.nodes[name] = Node(match[2], node.place)
            self.keys[name] = (name, place)

    def _read_date_forms(self) -> None:
        """Read a state in place of a date as a note, and a list of years as a period; with gaps, the note has all years."""
        name = self._spec.date_field
        child = self.nodes.get(name, Node(None, self._node.place))
        text = child.text.strip()
        key, place = self.keys.get(name, ("", child.place))
        years = parse_years(child) if name == self._spec.period else ()
        if text.casefold() in STATES:
            self._add_fact(key, place, text, f"“{text}” is read as a note")
            del self.nodes[name], self.keys[name]
        elif years:
            is_gapless = years == tuple(range(years[0], years[0] + len(years)))
            period = f"{years[0]} - {years[-1]}" if is_gapless else str(years[-1])
            self._report_alias(key, place, f": it is read as {period}", f"write {name}: {period}")
            self.nodes[name] = Node(period, child.place)
            self._facts += [] if is_gapless else [", ".join(map(str, years))]

    def _read_times(self) -> None:
        """Show the times of day of the dates in the note, where a key `time` is shown too."""
        names = (self._spec.date_field, "start", "end")
        nodes = {name: self.nodes[name] for name in names if name in self.nodes}
        times = {name: time for name, node in nodes.items() if (time := find_time(node.text))}
        if times and self._spec.has_note:
            key, place = self.keys[next(iter(times))]
            fact = f"Time: {' – '.join(times.values())}"
            self._add_fact(key, place, fact, f"its time is shown in the note of {self._subject}")

    def _join_dates(self) -> None:
        """Read a date beside an end as the start; report other keys of one period."""
        period = self._spec.period
        parts = [name for name in ("start", "end") if name in self.nodes and name not in self._spec.fields]
        if not period or period not in self.nodes or not parts:
            return
        if "start" not in parts and parse_date(self.nodes[period].text):
            key, place = self.keys.pop(period)
            self._report_alias(key, place, ': it is read as "start"', 'write "start"')
            self.nodes["start"], self.keys["start"] = self.nodes.pop(period), (key, place)
        else:
            self._report_twice(self.keys[period], self.keys[parts[0]])

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
