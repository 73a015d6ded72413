"""
Read the keys of one mapping, once: each names a field, or one of five rules says what it is.

The objects: a Pair is a key with its place and its value; a field is what the class of the record knows.
KeyReader finds the field of each pair, stores its value, and joins what is in several pairs (names, dates,
links) at the end. The Spec of a record says which fields it has, and by which names. A folded key has no case
and no separators: "Start date" -> startdate. A flag is a value that is only yes or no: {refereed: true}.

A key that names no field: (1) near a field, it is an error with the suggestion; (2) with a URL, or named like
a service, it is a link; (3) with a text, it is a fact that the note shows; (4) with a mapping of known keys,
these are read one level higher; (5) in the profile, it is not published. Everything else is an error.
"""

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tenure.model.dates import find_time, parse_date, parse_period
from tenure.model.entries import Affiliation, CustomEntry, Entry, Markdown, Person, Post, Profile, Prose
from tenure.model.fields import Key
from tenure.model.files import IMAGE_PATTERN
from tenure.model.identifiers import parse_doi
from tenure.model.languages import Language
from tenure.model.links import Link, Url, is_bare_host_url, parse_email, url_scheme
from tenure.problems import Edit, Place, Problems, format_suggestion
from tenure.record import Record, replace
from tenure.sources.reading.node import Node
from tenure.sources.schema.link_forms import capitalize_key, find_service, label_from_key
from tenure.sources.schema.spec import (
    CONFIG_KEYS,
    FOREIGN_WORDS,
    SETTING_CONFIG_KEYS,
    Field,
    fold_key,
    read_spec,
)
from tenure.sources.schema.value_forms import (
    NAME_PARTS,
    flatten,
    join_name_parts,
    list_items,
    parse_years,
    read_flag,
)

_FLAG_KEYS = frozenset(
    """
    author authors comments featured header order type kind color profile social active aliases search
    listed pin format feed widget companylogo redirect redirectto urlslug nav hidden inline toc share
    horizontal math classes sitemap announcements view sidebar seo robots pinned sticky
    """.split()
)
"""Keys that configure another system if their value is a number, a flag or a mapping; a text is a fact."""

STATES = frozenset(
    [
        "forthcoming", "to appear", "in press", "in preparation", "in progress", "ongoing", "planned",
        "tba", "tbd", "submitted", "under review",
        "laufend", "in arbeit", "geplant", "in vorbereitung",
        "en cours", "à paraître",
        "em andamento", "en curso",
    ]
)  # fmt: skip
"""Words in place of a date, which the note shows."""


_ONGOING_KEYS = frozenset({"current", "iscurrent", "ongoing", "present", "currently", "active", "isactive"})
_UNIT_KEYS = frozenset({"department", "faculty", "institute", "lab", "laboratory", "group"})
_FILE_KEYS = frozenset({"file", "filename", "src", "path", "url", "image"})
_ALT_KEYS = frozenset({"alt", "alttext", "caption", "description"})
_JOINED_FIELDS = frozenset({"location", "place", "role"})
# demo_url, demoUrl
_URL_AFFIX = r"(?i)(?<![a-z])(?:url|link)$|[a-z](?:Url|URL|Link)$"

_FILE_NAME = rf"""(?xi)                                              # slides/talk.pdf, photo.jpg
    [\w./~-]+
    (?: (?P<image>{IMAGE_PATTERN}) | \.(?:pdf|pptx?|key|odp|zip|html?|ipynb|mp4|bib|ics) )
"""

_OTHER_CONFIG_KEYS: Mapping[str, frozenset[str]] = {
    "Settings": SETTING_CONFIG_KEYS,
    "PageConfig": frozenset({"weight", "icon", "identifier", "parent", "pre", "post", "order", "enabled"}),
    "Profile": frozenset({"icon", "superuser", "usergroups", "highlightname", "isowner"}),
}

_HINTS: Mapping[str, Mapping[str, str]] = {
    "Settings": {
        "favicon": "delete it, and put the picture into content/favicon.svg",
        **dict.fromkeys(
            ("css", "customcss", "style", "stylesheet", "extracss"),
            "write your CSS into content/style.css",
        ),
        "domain": "write url: https://…",
        "sections": "write them under a page: pages: [{path: /, sections: [about, news]}]",
        "googleanalytics": (
            "there is no key for Google Analytics; services: has goatcounter, plausible, umami and cloudflare"
        ),
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

Source = tuple[str, Place]
"""A key as it is written, and its place."""


class Pair(Record):
    """A key of the mapping with its place, and its value."""

    key: str
    place: Place
    node: Node

    @property
    def source(self) -> Source:
        """The key with its place, for reports."""
        return self.key, self.place

    @property
    def folded(self) -> str:
        """The key without case and separators: "Start date" -> startdate."""
        return fold_key(self.key)

    @property
    def flag(self) -> bool | None:
        """The value of {refereed: true}; None if it is not yes or no."""
        return read_flag(self.node)

    @property
    def mapping(self) -> Node:
        """The pair as a mapping of its own: {code: https://…}."""
        return Node({self.key: self.node}, self.place, {self.key: self.place})


_PAPER_KEYS = frozenset({"author", "authors", "journal", "booktitle"})
"""The keys that only publications have."""


class KeyReader:
    """The values of one mapping by field, the keys and places from which they are, and the other keys."""

    def __init__(self, node: Node, cls: Any, problems: Problems, subject: str) -> None:
        self.nodes: dict[str, Node] = {}
        self.keys: dict[str, Source] = {}
        self.extra: dict[str, Node] = {}
        self.near: set[str] = set()
        """The fields that unknown keys resemble."""
        self.ignored: list[Source] = []
        """The keys that only configure another system."""

        self._node = node
        self._cls = cls
        self._spec = read_spec(cls)
        self._problems = problems
        self._subject = subject

        self._links: list[Node] = []
        self._facts: list[str] = []
        self._name_parts: dict[str, Pair] = {}
        self._deferred: list[Pair] = []
        self._is_paper = False

    def read_all(self) -> None:
        """Read all pairs to `nodes`, `keys`, `extra` and `ignored`, and join the values of one field."""
        for pair in list_pairs(self._node):
            self._read_pair(pair)
        # in the order of the table: the title of {category: Prize, label: Great Prize} is the label
        order = {word: number for number, word in enumerate(self._spec.fallbacks)}
        for pair in sorted(self._deferred, key=lambda pair: order.get(pair.folded, 0)):
            self._read_fallback(pair)

        self._join_name()
        self._read_role_period()
        self._read_date_forms()
        self._read_times()
        self._join_dates()

        if self._links:
            place = self._links[0].place
            self.nodes["links"] = self._links[0] if len(self._links) == 1 else Node(tuple(self._links), place)
            self.keys.setdefault("links", ("links", place))
        if self._facts:
            note = self.nodes.get("note", Node("", self._node.place))
            self.nodes["note"] = Node("; ".join(filter(None, (note.text.strip(), *self._facts))), note.place)
            self.keys.setdefault("note", ("note", self._node.place))

    def _read_pair(self, pair: Pair) -> None:
        """Store the value of a key, or put it aside until the keys with a field have been read."""
        spec = self._spec
        node = pair.node
        name = self._find_field(pair)

        # {label: Looms} is the title if there is no other
        if not name and spec.find_fallbacks(pair.key):
            self._deferred.append(pair)
        # {contact: {email: …}}
        elif node.mapping and self._is_wrapper(name, pair):
            self._read_wrapper(name, pair)
        # {current: true}
        elif pair.flag and spec.period and pair.folded in _ONGOING_KEYS:
            message = ": it is read as the end of the dates"
            self._report_alias(pair.source, message, "write end: present, or delete it")
            self.nodes.setdefault("end", Node("present", node.place))
            self.keys.setdefault("end", pair.source)
        # {published: false} and {hidden: true} are drafts
        elif "draft" in spec.fields and pair.folded in ("published", "hidden") and pair.flag is not None:
            is_draft = pair.flag == (pair.folded == "hidden")
            self._store("draft", replace(pair, node=Node(str(is_draft).lower(), node.place)))
        # {image: {file: loom.png, alt: A loom}}
        elif name in ("image", "photo") and node.mapping:
            self._read_image(name, pair)
        elif name:
            self._store(name, pair)
        # {first_name: Ada, last_name: Example}
        elif self._cls in (Profile, Person) and node.text and any(pair.folded in part for part in NAME_PARTS):
            self._name_parts[pair.folded] = pair
        else:
            self._read_unknown(pair)

    def _find_field(self, pair: Pair) -> str:
        """The field of a key, "" if it has none; a few names depend on the value or on the other keys."""
        spec = self._spec
        text = pair.node.text
        # {university: Graz, department: Physics} is one name
        if self._cls is Affiliation and pair.folded in _UNIT_KEYS:
            return "name"
        name = spec.find_field(pair.key)
        if not name:
            is_url = url_scheme(text) or is_bare_host_url(text)
            return spec.find_url_field(pair.key) if is_url else ""

        # {name: Ada, title: Professor}; {name: Best paper, title: For a proof}
        if name == "title" and self._has_other_name(pair):
            return "role" if self._cls is Person else "text"

        if not self._is_value_of(name, pair):
            return ""
        # {title: A prize, from: Academy of Graz}, but {role: Postdoc, from: 2019}
        if pair.folded == "from" and not parse_period(text) and "organization" in spec.fields:
            return "organization"
        return name

    def _has_other_name(self, pair: Pair) -> bool:
        """Whether a title is not the name of the entry: {name: Ada Example, title: Professor}."""
        if not issubclass(self._cls, CustomEntry) or _translate_key(pair.key) != "title":
            return False
        others = {_translate_key(key) for key in self._node.mapping if key != pair.key}
        return not others.isdisjoint(("name", "fullname"))

    def _is_value_of(self, name: str, pair: Pair) -> bool:
        """Whether a field can have this value, or the key means something else here."""
        spec = self._spec
        cls = self._cls
        # {language: German, fluency: Native} is an entry about a language
        if name == "language" and issubclass(cls, CustomEntry) and not _is_language(pair.node.text):
            return False

        # comments: true
        value_type = spec.fields.get(name, _NO_FIELD).value_type
        is_word = value_type is Url or (value_type in (str, Markdown) and pair.key not in spec.taught)
        if is_word and pair.flag is not None:
            return False
        if pair.key in spec.fields:
            return True

        # "conferences: [ICML]" is a group, and not the conference of the entry
        if spec.has_groups and name != "details" and _is_group(pair):
            return False
        # keywords of an entry that shows no tags are a fact; the key `tags` is for filters
        hides_tags = name == "tags" and issubclass(cls, Entry) and not cls.SHOWS_TAGS
        return not hides_tags or _translate_key(pair.key) in ("tag", "tags")

    def _is_wrapper(self, name: str, pair: Pair) -> bool:
        """Whether the keys of a mapping belong one level higher: {contact: {email: …}}."""
        keys = pair.node.mapping.keys()
        fields = [self._spec.find_field(key) for key in keys]
        # {date: {start: 2020, end: 2022}}
        if name and name == self._spec.period:
            return {"start", "end"}.issuperset(fields)
        # {profile: {name: Ada, email: …}}; "profile" is a name for links too
        if name == "links":
            return pair.folded == "profile" and "name" in fields
        # only of a key without a field, or of one that may be a heading as well
        if name not in ("", "cv", "url", "details"):
            return False
        known = [key for key, field in zip(keys, fields, strict=True) if field or find_service(key)]
        # {url: …, label: Slides} is a link
        return len(known) * 2 > len(keys) and keys != {"url", "label"}

    def _read_wrapper(self, name: str, pair: Pair) -> None:
        """Read the keys of a mapping as if they stood one level higher; `start` and `end` of a period may."""
        if not name or name != self._spec.period:
            message = f": the keys below it are read as keys of {self._subject}"
            self._report_alias(pair.source, message, "write its keys one level higher")
        for inner in list_pairs(pair.node):
            self._read_pair(inner)

    def _is_config(self, pair: Pair) -> bool:
        """Whether a key without a field only configures another system, or has no value."""
        folded = pair.folded
        node = pair.node
        # {comments: true} is no value of the field that it names
        is_switch = pair.flag is not None and self._spec.find_field(folded)
        if is_switch or node.value in (None, "", ()):
            return True
        if not issubclass(self._cls, Entry):
            return folded in _OTHER_CONFIG_KEYS.get(self._cls.__name__, ())
        # {featured: [ICML, ICLR]} is a group of service
        if self._spec.has_groups and node.items:
            return False

        # {layout: page}, {toc: false}
        if folded in CONFIG_KEYS or pair.flag is False:
            return True
        if pair.flag:
            # {refereed: true} is a fact of an entry in a list, but configures a page
            return folded in _FLAG_KEYS or issubclass(self._cls, Prose | Post)
        return folded in _FLAG_KEYS and _is_setting(pair)

    def _store(self, name: str, pair: Pair) -> None:
        """Store a value; a link, and a URL of a text, which leads to its own page, is in the row of links."""
        spec = self._spec
        self._report_other_name(name, pair)
        if spec.fields.get(name, _NO_FIELD).value_type is Link:
            self._links.append(pair.node)
            self.keys.setdefault(name, pair.source)
            return
        if name == "url" and issubclass(self._cls, Post | Prose):
            self._links.append(pair.mapping)
            return

        # bullets in place of a summary
        if name == "summary" and pair.node.items and "details" in spec.fields and "details" not in self.nodes:
            name = "details"
        old = self.nodes.get(name)
        if old is None or old.value in (None, ""):
            self.nodes[name] = pair.node
            self.keys[name] = pair.source
        else:
            self._join(name, old, pair)

    def _report_other_name(self, name: str, pair: Pair) -> None:
        """Report a key that the documentation does not teach, with its name as the edit."""
        if pair.key in self._spec.taught or pair.key.rstrip("s") == name.rstrip("s"):
            return
        is_taken = name in self.nodes or name in self._node.mapping
        edits = () if is_taken else (Edit(pair.place, name),)
        self._report_alias(pair.source, f' is read as "{name}"', f'write "{name}"', edits)

    def _join(self, name: str, old: Node, pair: Pair) -> None:
        """
        Join a second value of a field with the first one; if they cannot both stand, it is an error.

        Two places, "Graz" and "Graz, Austria", are "Graz, Austria". An empty or an equal one is dropped.
        """
        new = pair.node
        field = self._spec.fields.get(name, _NO_FIELD)
        texts = [flatten(old), flatten(new)]
        if new.value in (None, "", ()) or texts[0] == texts[1] != "":
            return

        if name == "term" and str.isdecimal(texts[0]) != str.isdecimal(texts[1]):
            # {semester: Fall, year: 2024}
            self.nodes[name] = Node(" ".join(sorted(texts, key=str.isdecimal)), old.place)
        elif field.key.merges or (field.is_list and name != "term"):
            self.nodes[name] = Node((*list_items(old), *list_items(new)), old.place)
        elif (name in _JOINED_FIELDS or self._cls is Affiliation) and all(texts):
            parts = texts if name == "role" else _drop_contained(texts)
            self.nodes[name] = Node(", ".join(parts), old.place)
        elif name == "url" and self._spec.has_links:
            self._links.append(pair.mapping)
        else:
            self._report_twice(self.keys[name], pair.source)

    def _read_image(self, name: str, pair: Pair) -> None:
        """
        Read an image with its file and its alt text as keys; other texts in it are not published.

        {file: loom.png, alt: A loom} -> image and image_alt; without a file, it configures another system.
        """
        inner = {part.folded: part for part in list_pairs(pair.node) if part.node.text}
        if inner.keys().isdisjoint(_FILE_KEYS):
            self.ignored.append(pair.source)
            return
        # the first key of each of the two sets
        for words, target in ((_FILE_KEYS, name), (_ALT_KEYS, f"{name}_alt")):
            for part in [inner[folded] for folded in inner if folded in words][:1]:
                self._store(target, replace(part, key=target))

    def _read_fallback(self, pair: Pair) -> None:
        """Read a key that means a field only if no other key does: {label: Languages} has no other title."""
        text = flatten(pair.node)
        for name in self._spec.find_fallbacks(pair.key):
            is_free = name not in self.nodes or name in _JOINED_FIELDS
            is_possible = bool(text)
            if name == self._spec.period:
                is_possible = "start" not in self.nodes and bool(parse_period(pair.node.text))
            if is_free and is_possible:
                node = pair.node if pair.node.text else Node(text, pair.node.place)
                self._store(name, replace(pair, node=node))
                return
        self._read_unknown(pair)

    def _read_unknown(self, pair: Pair) -> None:
        """
        Read a key without a field by the five rules of the module, of which the first that fits holds.

        {plugins: …} is ignored, {mastodon: https://…} a link, {sumary: …} a misspelt field, {logo: a.png} an
        image,
        {refereed: yes} a fact of the note; any other is unknown.
        """
        spec = self._spec
        if self._is_config(pair):
            self.ignored.append(pair.source)
            return

        text = pair.node.text.strip()
        # {refereed: true} is a fact, also where its key resembles a field
        is_fact_without_text = pair.flag is not None and spec.has_note
        near = "" if is_fact_without_text else self._find_near_key(pair.key)
        label = self._find_link_label(pair, near)
        fact = flatten(pair.node)
        if "email" in spec.fields and "email" not in self.nodes and parse_email(text):
            # courriel, correo
            self._store("email", pair)
        elif label is not None:
            hint = f"write links: {{{label}: {text}}}"
            self._report_alias(pair.source, " is read as a link", hint)
            self._links.append(Node({label: pair.node}, pair.node.place, {label: pair.place}))
        elif near:
            self._report_unknown(pair, near)
        elif self._is_image(pair) and "image" not in self.nodes:
            self._store("image", pair)
        elif spec.extra and (not spec.has_groups or _is_group(pair)):
            self.extra[pair.key] = pair.node
            self.keys[pair.key] = pair.source
        elif spec.has_note and fact:
            self._report_paper(pair)
            name = capitalize_key(pair.key)
            fact = name if pair.flag else f"{name}: {fact}"
            self._add_fact(pair.source, fact, f"it is shown in the note of {self._subject}")
        elif self._cls is Profile:
            hint = _HINTS["Profile"].get(pair.folded, "to publish it, write it in content/about.md")
            message = f'"{pair.key}" of the profile is not published'
            self._problems.report("unused-key", pair.place, message, hint)
        else:
            self._report_unknown(pair, "")

    def _report_paper(self, pair: Pair) -> None:
        """Report an entry of a list of one's own that has a key of publications, once: {journal: Tides}."""
        if issubclass(self._cls, CustomEntry) and pair.folded in _PAPER_KEYS and not self._is_paper:
            self._is_paper = True
            message = f"{self._subject} looks like a publication, and is not among the publications"
            self._problems.report("list-name", pair.place, message, "write it into a .bib file in bib/")

    def _find_link_label(self, pair: Pair, near: str) -> str | None:
        """The label of a link: {arxiv: 2401.1} -> "arxiv", {demo_url: a.org} -> "demo"; None for no link."""
        text = pair.node.text.strip()
        if not self._spec.has_links or not text or " " in text:
            return None
        service = find_service(pair.key)
        if service:
            return service

        # what looks like the misspelt key of a field is a link only if it says so: "projct_url"
        if self._is_image(pair) or (near and not re.search(_URL_AFFIX, pair.key)):
            return None
        is_address = url_scheme(text) or is_bare_host_url(text) or "@" in text or parse_doi(text)
        if is_address or re.fullmatch(_FILE_NAME, text):
            return label_from_key(pair.key)
        return None

    def _is_image(self, pair: Pair) -> bool:
        """Whether the value of a key is an image, {logo: a.png}, and the record has a field for one."""
        file = re.fullmatch(_FILE_NAME, pair.node.text.strip())
        return "image" in self._spec.fields and file is not None and file["image"] is not None

    def _report_unknown(self, pair: Pair, near: str) -> None:
        """Report an unknown key, with the field that it resembles, or with what to write in its place."""
        self.near.add(near)
        hint = f'did you mean "{near}"?'
        if not near:
            hint = format_suggestion(pair.key, list(self._spec.fields))
        if not near and self._cls.__name__ == "Overlay":
            hint = "write it into the entry in bib/"
        hint = _HINTS.get(self._cls.__name__, {}).get(pair.folded, hint)
        message = f'unknown key "{pair.key}" in {self._subject}'
        self._problems.report("unknown-key", pair.place, message, hint)

    def _add_fact(self, source: Source, text: str, message: str) -> None:
        """Show a text in the note of the entry."""
        shown = text if len(text) < 40 else "…"
        self._report_alias(source, f": {message}", f"write note: {shown}")
        self._facts.append(text)

    def _find_near_key(self, key: str) -> str:
        """The field whose name an unknown key probably misspells: "start_dat" -> "start_date"; else ""."""
        spec = self._spec
        if spec.find_field(key) or spec.find_fallbacks(key):
            return ""
        # event:"Graphs", without a space after the colon
        head = key.partition(":")[0]
        if head != key and head in spec.keys:
            return head

        folded = fold_key(key)
        # 0.75 and 0.82: how much of the words must be equal (difflib.SequenceMatcher.ratio)
        near = _find_misspelt(folded, {fold_key(name): name for name in spec.keys}, 0.75)
        # only the names that are taught are near a short key, or one that may be a group: {panels: […]}
        is_too_vague = len(folded) <= 3 or spec.has_groups
        if near or is_too_vague:
            return near
        return _find_misspelt(folded, spec.names, 0.82)

    def _join_name(self) -> None:
        """
        Join the first, middle and last name into the name, if no name that has them is written.

        {first_name: Ada, last_name: Example} -> name: Ada Example; a part that the name lacks is an error.
        """
        name = "name" if self._cls is Profile else "title"
        texts = {part: pair.node.text.strip() for part, pair in self._name_parts.items()}
        full_name = join_name_parts(texts)
        written = self.nodes.get(name)
        for part, pair in self._name_parts.items():
            if written is None:
                self._report_alias(pair.source, f' is read as a part of "{name}"', f"write name: {full_name}")
                self.nodes[name] = Node(full_name, pair.node.place)
                self.keys.setdefault(name, pair.source)
            elif texts[part] not in written.text:
                self._report_twice(self.keys[name], pair.source)

    def _read_role_period(self) -> None:
        """Read the period after the role of a person who has no other: Postdoc (2016-2019)."""
        name = self._spec.period
        if self._cls is not Person or not {name, "start", "end"}.isdisjoint(self.nodes):
            return
        node = self.nodes.get("role", self._node)
        match = re.fullmatch(r"(.+?)\s*\(([^()]+)\)", node.text.strip())
        if match and parse_period(match[2]):
            message = f": “{match[2]}” is read as the {name}"
            self._report_alias(self.keys["role"], message, f"write {name}: {match[2]}")
            self.nodes["role"] = Node(match[1], node.place)
            self.nodes[name] = Node(match[2], node.place)
            self.keys[name] = (name, self.keys["role"][1])

    def _read_date_forms(self) -> None:
        """Read a state in place of a date as a note, and several years as a period: 2019, 2020."""
        name = self._spec.date_field
        child = self.nodes.get(name, Node(None, self._node.place))
        source = self.keys.get(name, ("", child.place))
        text = child.text.strip()
        if text.casefold() in STATES:
            self._add_fact(source, text, f"“{text}” is read as a note")
            del self.nodes[name], self.keys[name]
            return
        years = parse_years(child)
        if not years or name != self._spec.period:
            return

        period = f"{years[0]} - {years[-1]}"
        if years != tuple(range(years[0], years[0] + len(years))):
            # 2019, 2021: the note has all years
            period = str(years[-1])
            self._facts.append(", ".join(map(str, years)))
        self._report_alias(source, f": it is read as {period}", f"write {name}: {period}")
        self.nodes[name] = Node(period, child.place)

    def _read_times(self) -> None:
        """Show the times of day of the dates in the note, where a key `time` is shown too."""
        names = (self._spec.date_field, "start", "end")
        nodes = {name: self.nodes[name] for name in names if name in self.nodes}
        times = {name: time for name, node in nodes.items() if (time := find_time(node.text))}
        if times and self._spec.has_note:
            fact = f"Time: {' – '.join(times.values())}"
            source = self.keys[next(iter(times))]
            self._add_fact(source, fact, f"its time is shown in the note of {self._subject}")

    def _join_dates(self) -> None:
        """Read a date beside an end, {date: 2020, end: 2022}, as the start; report other keys of a period."""
        period = self._spec.period
        parts = [name for name in ("start", "end") if name in self.nodes and name not in self._spec.fields]
        if not period or period not in self.nodes or not parts:
            return
        if "start" not in parts and parse_date(self.nodes[period].text):
            self.keys["start"] = self.keys.pop(period)
            self.nodes["start"] = self.nodes.pop(period)
            self._report_alias(self.keys["start"], ': it is read as "start"', 'write "start"')
        else:
            self._report_twice(self.keys[period], self.keys[parts[0]])

    def _report_twice(self, *sources: Source) -> None:
        """Report two keys of one field, at the later one."""
        (first, _), (second, place) = sorted(sources, key=lambda source: source[1])
        message = f'{self._subject} has both "{first}" and "{second}"'
        self._problems.report("key-twice", place, message, "keep one of the two")

    def _report_alias(self, source: Source, message: str, hint: str, edits: tuple[Edit, ...] = ()) -> None:
        """Report a key that is read as something else: '"github" in talk 1', " is read as a link"."""
        key, place = source
        self._problems.report("alias", place, f'"{key}" in {self._subject}{message}', hint, edits)


def list_pairs(node: Node) -> list[Pair]:
    """The pairs of a mapping, in order."""
    return [Pair(key, node.key_place(key), child) for key, child in node.mapping.items()]


def _translate_key(key: str) -> str:
    """The folded key in English: "Fecha" -> "date"."""
    return FOREIGN_WORDS.get(fold_key(key), fold_key(key))


def _drop_contained(texts: Sequence[str]) -> list[str]:
    """The texts of which no other one has the words: "Graz", "Graz, Austria" -> "Graz, Austria"."""
    return [text for text in texts if not any(text in other != text for other in texts)]


def _find_misspelt(folded: str, names: Mapping[str, str], cutoff: float) -> str:
    """The name of the folded key that is near enough; "course_code" is no misspelt "course"."""
    for near in difflib.get_close_matches(folded, names, n=1, cutoff=cutoff):
        is_compound = near in folded and len(folded) > len(near) + 2
        if not is_compound or near in ("start", "end"):
            return names[near]
    return ""


def _is_language(text: str) -> bool:
    """Whether a text is the tag of a language, such as "pt-BR"."""
    try:
        Language.parse(text.strip())
    except ValueError:
        return False
    return True


_HUGO_TYPES = frozenset(
    {"page", "post", "landing", "book", "docs", "widget_page", "project", "event", "admin", "me"}
)
"""Values of `type` and `author` that only Hugo reads."""


def _is_setting(pair: Pair) -> bool:
    """Whether a value is for a program: {order: 3}, {author: admin}, {header: {image: a.png}}."""
    node = pair.node
    if node.mapping:
        return not pair.folded.startswith("author")
    return node.text.isdecimal() or all(item.text in _HUGO_TYPES for item in node.items or (node,))


GROUP_LABELS = frozenset(
    """
    conferences journals workshops venues grants committees programcommittee reviewer reviewing reviews
    reviewed editor editorialboard areachair artifactevaluation panels societies memberships
    """.split()
)
"""Labels of groups of service that may have a single item. Others need a list or a text with commas."""


def _is_group(pair: Pair) -> bool:
    """Whether a value is a group of service: [ICML], "ICML, ICLR", or {journals: JMLR}."""
    text = pair.node.text
    if pair.node.items or "," in text:
        return True
    # {journals: JMLR}, but not {place: Rome}
    return bool(text) and pair.folded in GROUP_LABELS


def report_ignored_keys(keys: Sequence[Source], problems: Problems) -> None:
    """Report the keys that only configure another system, once for all."""
    if not keys:
        return
    names = list(dict.fromkeys(f'"{key}"' for key, _ in keys))
    shown = ", ".join(names[:5])
    if len(names) > 5:
        shown += f" and {len(names) - 5} more"
    message = f"ignored, because they have no value or configure another system: {shown}"
    problems.report("ignored-key", min(place for _, place in keys), message, "delete them")
