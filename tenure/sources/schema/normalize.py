"""
Convert values that are written in the form of another system into the form of Tenure.

Examples: nested keys, lists of links, flags, and a date or a place that is divided over several keys.
"""

import difflib
import re
from collections.abc import Sequence
from typing import Any, NewType

from tenure.model.dates import parse_date, parse_period
from tenure.model.entries import Affiliation, CustomEntry, Entry, Post, Profile, Prose, Service, Talk
from tenure.model.languages import Language
from tenure.model.links import Link, is_bare_host_url, url_scheme
from tenure.model.site import PageConfig, Settings
from tenure.problems import Place, Problems
from tenure.record import Record
from tenure.sources.node import Node
from tenure.sources.schema.aliases import (
    FALSE_TERMS,
    TRUE_TERMS,
    canonical_key,
    key_names,
    resolve_aliases,
    value_without_places,
)
from tenure.sources.schema.field_rules import FieldRule, read_field_rules
from tenure.sources.schema.key_tables import (
    FOLDED_IGNORED_KEYS,
    FOLDED_LINK_KEYS,
    NOTE_FACT_KEYS,
    SECONDARY_DATE_KEYS,
    START_END_KEYS,
    STATUS_TERMS,
    THEME_OPTION_NAMES,
    WRAPPER_KEYS,
    fold_key,
)
from tenure.sources.schema.links import (
    capitalize_key,
    find_service,
    label_from_key,
    normalize_links,
)
from tenure.sources.schema.value_forms import (
    BulletText,
    flatten_text,
    format_named_link,
    format_place,
    join_affiliation_unit,
    join_name_parts,
    list_values,
    name_group,
    parse_years,
    split_bullets,
)

PLACE_FIELDS = frozenset({"location", "place", "office"})
PLACE_PART_KEYS = frozenset({"state", "region", "province", "country", "city", "town"})
IMAGE_FILE_KEYS = ("filename", "file", "src", "path", "url", "image")
ALT_TEXT_KEYS = ("alt", "alttext", "caption", "description")
ONGOING_FLAG_KEYS = frozenset(
    {"current", "iscurrent", "ongoing", "isongoing", "present", "currently", "active", "isactive"}
)
HUGO_PAGE_TYPES = frozenset({"page", "post", "landing", "book", "docs", "widget_page", "project", "event"})
"""Values of `type` that select a layout in Hugo."""

_LAYOUT_KEYS = frozenset(
    ["icon", "iconpack", "color", "weight", "order", "usergroups", "layout", "highlightname"]
)
"""Folded keys of other systems that control the layout of a list. They are not facts."""

_PAGE_FLAG_KEYS = frozenset({"draft", "hidden", "published", "menu"})


def normalize_entry(node: Node, cls: Any, problems: Problems, subject: str) -> Node:
    """Return a mapping in the form of Tenure, with canonical keys. Each change is reported at level info."""
    return resolve_aliases(normalize_shape(node, cls, problems, subject), cls, problems, subject)


def normalize_shape(node: Node, cls: Any, problems: Problems, subject: str) -> Node:
    """Return a mapping with its values in the form of Tenure. Each change is reported at level info."""
    node = name_group(node) if cls is Profile else node
    if issubclass(cls, Entry) or cls in (Profile, Settings):
        return _ShapeNormalizer(node, cls, problems, subject).normalize_mapping()
    if cls is PageConfig:
        return _name_labelled_page(node)
    return join_affiliation_unit(node) if cls is Affiliation else node


def _name_labelled_page(node: Node) -> Node:
    """Return a page that is written as its title and its path or name, {Research: /projects/}; the same node if it is not."""
    ((title, target),) = node.mapping.items() if len(node.mapping) == 1 else (("", node),)
    if not target.text or canonical_key(title, PageConfig):
        return node
    field = "path" if "/" in target.text else "name"
    places = {"title": node.key_place(title), field: target.place}
    return Node({"title": Node(title, node.key_place(title)), field: target}, node.place, places)


class _KeyValuePair(Record):
    """A key, the node of its value, and the place of the key."""

    key: str
    child: Node
    place: Place

    def with_text(self, text: str, key: str = "") -> "_KeyValuePair":
        """Return the pair with another text, and with another key if that is given."""
        return _KeyValuePair(key or self.key, Node(text, self.child.place), self.place)


class _ShapeNormalizer:
    """Converts one mapping into the form of Tenure."""

    def __init__(self, node: Node, cls: Any, problems: Problems, subject: str) -> None:
        self._node = node
        self._cls = cls
        self._problems = problems
        self._subject = subject
        self._period_field = key_names(cls).period_field
        self._rules_by_field = {rule.field: rule for rule in read_field_rules(cls)}
        self._written_fields = {canonical_key(key, cls) for key in node.mapping}
        self._pairs: dict[str, _KeyValuePair] = {}
        self._facts: list[str] = []
        self._link_nodes: list[Node] = []
        self._is_changed = False

    def normalize_mapping(self) -> Node:
        """Return the converted mapping, or the same node if nothing changed."""
        for key, child in self._node.mapping.items():
            self._normalize_pair(_KeyValuePair(key, child, self._node.key_place(key)))
        if issubclass(self._cls, Entry):
            self._join_dates()
            self._join_places()
            self._add_facts_to_note()
            self._append_links()
        elif self._cls is Profile:
            self._join_places()
            self._join_roles()
        else:
            self._move_theme_options()
        if not self._is_changed:
            return self._node
        values = {key: pair.child for key, pair in self._pairs.items()}
        return Node(values, self._node.place, {key: pair.place for key, pair in self._pairs.items()})

    def _normalize_pair(self, pair: _KeyValuePair) -> None:
        pair = self._match_singular_or_plural(pair)
        target = canonical_key(pair.key, self._cls)
        rule = self._rules_by_field.get(target)
        bullets = split_bullets(pair.child)
        if rule and rule.is_list and bullets.items and not bullets.introduction:
            pair = self._replace_value(pair, Node(bullets.items, pair.child.place))
        if pair.child.mapping and self._is_wrapper_key(pair, target):
            message = f"the keys below it are read as keys of {self._subject}"
            self._report_alias(pair, message, "write its keys one level higher")
            for key, child in pair.child.mapping.items():
                self._normalize_pair(_KeyValuePair(key, child, pair.child.key_place(key)))
        elif pair.child.mapping and target in PLACE_FIELDS:
            self._store_pair(self._replace_value(pair, format_place(pair.child)))
        elif self._cls is Profile and pair.child.mapping and target in ("name", "email"):
            value = join_name_parts(pair.child) if target == "name" else list_values(pair.child)
            self._store_pair(self._replace_value(pair, value))
        elif pair.child.mapping and target in ("image", "photo"):
            self._normalize_image(pair, target)
        elif rule and rule.value_type is Link:
            self._store_pair(self._replace_value(pair, normalize_links(pair.child)))
        elif rule and self._has_named_links(pair, rule):
            self._normalize_named_links(pair, rule)
        elif rule and self._has_titled_group(pair, rule):
            self._normalize_titled_group(pair)
        else:
            self._normalize_scalar(pair, target)

    def _match_singular_or_plural(self, pair: _KeyValuePair) -> _KeyValuePair:
        """Return the pair with the singular or plural of its key, if only that form is a known key."""
        if canonical_key(pair.key, self._cls):
            return pair
        if self._period_field and fold_key(pair.key) == "time" and parse_period(pair.child.text):
            return _KeyValuePair(self._period_field, pair.child, pair.place)
        if self._cls is Service or pair.key in ("news", "skills"):
            return pair
        alternative = pair.key[:-1] if pair.key.endswith("s") else f"{pair.key}s"
        target = canonical_key(alternative, self._cls)
        is_other_key = len(pair.key) < 4 or fold_key(pair.key) in FOLDED_IGNORED_KEYS | NOTE_FACT_KEYS
        if not target or is_other_key or target in self._node.mapping:
            return pair
        self._report_alias(pair, f'it is read as "{target}"', f'write "{target}"')
        return _KeyValuePair(alternative, pair.child, pair.place)

    def _is_wrapper_key(self, pair: _KeyValuePair, target: str) -> bool:
        if target and target == self._period_field:
            return all(canonical_key(key, self._cls) in START_END_KEYS for key in pair.child.mapping)
        base_type = Entry if issubclass(self._cls, Entry) else self._cls
        is_optional_target = target in ("", "name", "cv", "url", "details")
        return is_optional_target and fold_key(pair.key) in WRAPPER_KEYS[base_type]

    def _has_named_links(self, pair: _KeyValuePair, rule: FieldRule) -> bool:
        """Return whether a text is written as a name with a URL, or as a list of such names."""
        nodes = pair.child.items or (pair.child,)
        keys = {key for node in nodes for key in node.mapping}
        return bool(keys) and keys <= {"name", "title", "organization", "url"} and _takes_text(rule)

    def _normalize_named_links(self, pair: _KeyValuePair, rule: FieldRule) -> None:
        """Convert names with URLs to Markdown links, or to the names alone and the first URL."""
        nodes = pair.child.items or (pair.child,)
        as_markdown = isinstance(rule.value_type, NewType)
        names = tuple(format_named_link(node, as_markdown=as_markdown) for node in nodes)
        value = names if rule.is_list else ", ".join(name.text for name in names)
        self._store_pair(self._replace_value(pair, Node(value, pair.child.place)))
        url = next((node.mapping["url"] for node in nodes if "url" in node.mapping), pair.child)
        if url.text and not as_markdown:
            self._store_pair(_KeyValuePair("url", url, url.place), is_fallback=True)

    def _has_titled_group(self, pair: _KeyValuePair, rule: FieldRule) -> bool:
        """Return whether a text is written as a title with facts of the entry, such as a thesis with its advisor."""
        has_title = not {"title", "name"}.isdisjoint(pair.child.mapping)
        return issubclass(self._cls, Entry) and has_title and _takes_text(rule) and not rule.is_list

    def _normalize_titled_group(self, pair: _KeyValuePair) -> None:
        """Convert a title with facts: the title is the value, and the other keys are read one level higher."""
        title_key = "title" if "title" in pair.child.mapping else "name"
        self._store_pair(self._replace_value(pair, pair.child.mapping[title_key]))
        for key, child in pair.child.mapping.items():
            if key != title_key:
                self._normalize_pair(_KeyValuePair(key, child, pair.child.key_place(key)))

    def _normalize_scalar(self, pair: _KeyValuePair, target: str) -> None:
        """Convert a pair without a nested value: a flag, an empty value, a status in place of a date, or a fact."""
        text, folded_key = pair.child.text.strip(), fold_key(pair.key)
        is_flag = text.casefold() in TRUE_TERMS | FALSE_TERMS
        is_empty = not target and pair.child.value in (None, "") and self._cls is not Service
        years = parse_years(pair.child) if target and target == self._period_field else ()
        if not issubclass(self._cls, Entry):
            self._normalize_setting(pair, target)
        elif self._period_field and folded_key in ONGOING_FLAG_KEYS and is_flag:
            self._store_pair(_KeyValuePair("current", pair.child, pair.place))
            self._is_changed = True
        elif self._cls is Talk and folded_key in ("invited", "isinvited", "keynote") and is_flag:
            self._normalize_talk_flag(pair, folded_key)
        elif is_empty or (folded_key in SECONDARY_DATE_KEYS and self._has_other_date(pair.key)):
            self._drop_pair(pair)
        elif years:
            self._normalize_years(pair, years)
        else:
            self._normalize_entry_text(pair, target, is_flag=is_flag)

    def _normalize_entry_text(self, pair: _KeyValuePair, target: str, *, is_flag: bool) -> None:
        """Convert a text of an entry that may be a title, a note, a link or a fact."""
        text = pair.child.text.strip()
        is_page = issubclass(self._cls, Prose | Post)
        if issubclass(self._cls, CustomEntry) and target == "language" and not _is_language_tag(text):
            self._report_alias(pair, 'it is read as "title"', "write title: …")
            self._store_pair(_KeyValuePair("title", pair.child, pair.place), is_fallback=True)
        elif target and target in (self._period_field, "term") and text.casefold() in STATUS_TERMS:
            self._add_fact(pair, text, f"“{text}” is read as a note", f"write note: {text}")
        elif target == "summary" and "details" in self._rules_by_field:
            self._normalize_bullets(pair)
        elif target:
            self._store_pair(pair)
        elif is_flag and fold_key(pair.key) in NOTE_FACT_KEYS and not is_page:
            self._normalize_fact_flag(pair)
        elif is_flag and is_page and fold_key(pair.key) not in _PAGE_FLAG_KEYS:
            self._drop_pair(pair)
        elif self._is_link_label(pair):
            label = label_from_key(pair.key)
            self._report_alias(pair, "it is read as a link", f"write links: {{{label}: {text}}}")
            self._link_nodes.append(Node({label: pair.child}, pair.place))
            self._is_changed = True
        elif self._is_note_fact(pair, fold_key(pair.key), is_flag=is_flag):
            label = capitalize_key(pair.key)
            message = f"it is shown in the note of {self._subject}"
            self._add_fact(pair, f"{label}: {flatten_text(pair.child)}", message, f"write note: {label}: …")
        else:
            self._store_pair(pair)

    def _normalize_bullets(self, pair: _KeyValuePair) -> None:
        """Convert the Markdown list of a summary into details; the paragraph above the list remains."""
        bullets = split_bullets(pair.child) if pair.child.text else BulletText("", pair.child.items)
        if not bullets.items or "details" in self._written_fields:
            self._store_pair(pair)
            return
        self._report_alias(pair, 'its list is read as "details"', "write the list under details:")
        self._pairs["details"] = _KeyValuePair("details", Node(bullets.items, pair.child.place), pair.place)
        if bullets.introduction:
            self._store_pair(pair.with_text(bullets.introduction))
        self._is_changed = True

    def _normalize_fact_flag(self, pair: _KeyValuePair) -> None:
        """Convert a fact that is true or false, such as `remote: yes`."""
        if pair.child.text.strip().casefold() in TRUE_TERMS:
            label = capitalize_key(pair.key)
            self._add_fact(pair, label, f"it is shown in the note of {self._subject}", f"write note: {label}")
        else:
            self._drop_pair(pair)

    def _add_fact(self, pair: _KeyValuePair, fact: str, message: str, hint: str) -> None:
        """Add a fact that the note shows."""
        self._report_alias(pair, message, hint)
        self._facts.append(fact)
        self._is_changed = True

    def _normalize_setting(self, pair: _KeyValuePair, target: str) -> None:
        """Convert a key of the profile or of site.yaml. An empty unknown key is dropped; the main menu of Hugo is unwrapped."""
        is_flag = pair.child.text.strip().casefold() in TRUE_TERMS
        if (not target and pair.child.value in (None, "")) or (is_flag and target in ("cv", "photo")):
            self._drop_pair(pair)
        elif self._cls is Settings and fold_key(pair.key) == "menu" and "main" in pair.child.mapping:
            self._store_pair(self._replace_value(pair, pair.child.mapping["main"]))
        else:
            self._store_pair(pair)

    def _is_note_fact(self, pair: _KeyValuePair, folded_key: str, *, is_flag: bool) -> bool:
        """Return whether a key without a field has a value that the note can show."""
        text = flatten_text(pair.child)
        is_address = " " not in text and (bool(url_scheme(text)) or is_bare_host_url(text))
        if not text or is_address or is_flag or text.casefold() in HUGO_PAGE_TYPES:
            return False
        if find_service(pair.key) or (folded_key in FOLDED_LINK_KEYS and "." in text):
            return False
        is_place_part = folded_key in ("state", "region", "province", "country")
        if is_place_part and self._written_fields & PLACE_FIELDS:
            return False
        if self._cls is Service and pair.child.items:
            return False
        if folded_key in NOTE_FACT_KEYS and self._cls not in (Post, Prose):
            return True
        is_field = key_names(self._cls).keys_by_alias.get(folded_key)
        if not issubclass(self._cls, CustomEntry) or is_field or folded_key in _LAYOUT_KEYS:
            return False
        return not self._is_misspelled_field(pair.key)

    def _is_link_label(self, pair: _KeyValuePair) -> bool:
        """Return whether an unknown key has a URL, so that the key is the label of a link."""
        text = pair.child.text.strip()
        if fold_key(pair.key) in ("email", "mail") and "@" in text:
            return key_names(self._cls).has_links
        if not (re.match(r"https?://", text) or text.startswith("www.")) or " " in text:
            return False
        label = fold_key(label_from_key(pair.key))
        if label in FOLDED_IGNORED_KEYS or not key_names(self._cls).has_links:
            return False
        is_known_label = label in FOLDED_LINK_KEYS or bool(find_service(pair.key))
        return is_known_label or not self._is_misspelled_field(pair.key)

    def _is_misspelled_field(self, key: str) -> bool:
        """Return whether a key resembles a known field: a difflib ratio of at least 0.75."""
        names = [*self._rules_by_field, *START_END_KEYS]
        return bool(difflib.get_close_matches(key.casefold(), names, n=1, cutoff=0.75))

    def _normalize_years(self, pair: _KeyValuePair, years: tuple[int, ...]) -> None:
        """Convert a list of years: consecutive years become a period; else the last year is the date and the note has all."""
        first, last = min(years), max(years)
        is_gapless = len(set(years)) == last - first + 1
        text = f"{first} - {last}" if is_gapless and last > first else str(last)
        self._report_alias(pair, f"it is read as {text}", f"write {self._period_field}: {text}")
        if not is_gapless:
            self._facts.append(", ".join(map(str, years)))
        self._store_pair(pair.with_text(text))

    def _has_other_date(self, key: str) -> bool:
        if self._cls is Prose and fold_key(key) != "published":
            return True
        other_keys = (other for other in self._node.mapping if fold_key(other) not in SECONDARY_DATE_KEYS)
        dates = (self._period_field, "start")
        return any(other != key and canonical_key(other, self._cls) in dates for other in other_keys)

    def _normalize_talk_flag(self, pair: _KeyValuePair, folded_key: str) -> None:
        talk_kind = folded_key.removeprefix("is")
        if pair.child.text.casefold() in TRUE_TERMS:
            self._report_alias(pair, f"it is read as kind: {talk_kind}", f"write kind: {talk_kind}")
            self._store_pair(pair.with_text(talk_kind, "kind"), is_fallback=True)
        else:
            self._drop_pair(pair)

    def _normalize_image(self, pair: _KeyValuePair, target: str) -> None:
        """Convert an image that is written as a mapping into its file and its alt text."""
        nested = {fold_key(key): child for key, child in pair.child.mapping.items() if child.text}
        file = next((nested[key] for key in IMAGE_FILE_KEYS if key in nested), None)
        alt_text = next((nested[key] for key in ALT_TEXT_KEYS if key in nested), None)
        if file is None:
            self._drop_pair(pair)
            return
        self._store_pair(self._replace_value(pair, file))
        if alt_text is not None:
            self._store_pair(_KeyValuePair(f"{target}_alt", alt_text, pair.place), is_fallback=True)

    def _join_dates(self) -> None:
        """Join a date and an end into a period. A flag such as `current: true` sets the end to "present"."""
        keys_by_field = {canonical_key(key, self._cls): key for key in self._pairs}
        flag = self._pairs.pop("current", None)
        is_ongoing = flag is not None and flag.child.text.casefold() in TRUE_TERMS
        end = self._pairs.get(keys_by_field.get("end", ""))
        has_end = end is not None and bool(end.child.text)
        date = self._pairs.get(keys_by_field.get(self._period_field, "")) if self._period_field else None
        is_single = date is not None and parse_date(date.child.text) is not None
        if flag is not None:
            self._report_alias(flag, "it is read as the end of the dates", "write end: present, or delete it")
            if is_ongoing and not has_end:
                self._pairs.pop(keys_by_field.get("end", ""), None)
                self._pairs["end"] = flag.with_text("present", "end")
            elif is_ongoing:
                self._pairs[flag.key] = flag
        if date is not None and is_single and "start" not in keys_by_field and (has_end or is_ongoing):
            self._report_alias(date, 'it is read as "start"', 'write "start"')
            self._pairs = {("start" if key == date.key else key): pair for key, pair in self._pairs.items()}
            self._is_changed = True

    def _join_places(self) -> None:
        """Join several keys into one place: a city, a state and a country."""
        events = {"event", "conference", "seminar", "workshop"}
        has_event = self._cls is Talk and not events.isdisjoint(map(fold_key, self._pairs))
        place_pairs = [
            pair
            for key, pair in self._pairs.items()
            if canonical_key(key, self._cls) in ("location", "place")
            or (has_event and fold_key(key) == "venue")
        ]
        parts = [pair for key, pair in self._pairs.items() if fold_key(key) in PLACE_PART_KEYS]
        pairs = [*place_pairs, *(pair for pair in parts if pair not in place_pairs)]
        has_texts = all(isinstance(pair.child.value, str) for pair in pairs)
        if not place_pairs or len(pairs) < 2 or not has_texts:
            return
        names: list[str] = []
        for text in (pair.child.text.strip() for pair in pairs):
            names = [name for name in names if name not in text]
            names += [text] if not any(text in name for name in names) else []
        field = "place" if "place" in self._rules_by_field else "location"
        self._join_pairs(pairs, field, ", ".join(names))

    def _join_pairs(self, pairs: Sequence[_KeyValuePair], field: str, text: str) -> None:
        for pair in pairs:
            self._report_alias(pair, f'it is read as a part of "{field}"', f"write {field}: {text}")
            del self._pairs[pair.key]
        self._pairs[field] = pairs[0].with_text(text, field)
        self._is_changed = True

    def _join_roles(self) -> None:
        """Join the title and the position of a person into one role. Drop a title that repeats the name."""
        name_keys = ("firstname", "lastname", "name")
        person_names = [pair.child.text for key, pair in self._pairs.items() if fold_key(key) in name_keys]
        for pair in [pair for pair in self._pairs.values() if fold_key(pair.key) == "title"]:
            if pair.child.text and pair.child.text in (" ".join(person_names), *person_names):
                self._report_alias(pair, "it is the name again, and is not needed", "delete it")
                del self._pairs[pair.key]
                self._is_changed = True
        roles = [pair for pair in self._pairs.values() if canonical_key(pair.key, Profile) == "role"]
        texts = list(dict.fromkeys(pair.child.text for pair in roles if pair.child.text))
        if len(roles) < 2 or len(texts) < 2:
            return
        self._join_pairs(roles, "role", ", ".join(texts))

    def _move_theme_options(self) -> None:
        """Move top-level theme options under `theme`."""
        theme = self._pairs.get("theme")
        if theme is not None and theme.child.text.casefold() in ("default", "auto"):
            self._report_alias(theme, "the default theme is used", "delete it")
            del self._pairs["theme"]
            self._is_changed, theme = True, None
        written = theme.child if theme is not None else Node({}, self._node.place)
        if written.text:
            written = Node.from_children({"name": written}, written.place)
        options = {_theme_option_name(key): child for key, child in written.mapping.items()}
        key_places = {_theme_option_name(key): written.key_place(key) for key in written.mapping}
        pairs = [pair for pair in self._pairs.values() if fold_key(pair.key) in THEME_OPTION_NAMES]
        moved = [pair for pair in pairs if pair.child.text]
        for pair in moved:
            option = THEME_OPTION_NAMES[fold_key(pair.key)]
            message = f'it is read as the option "{option}" of the theme'
            self._report_alias(pair, message, f"write it under theme: {option}: …")
            del self._pairs[pair.key]
            options.setdefault(option, pair.child)
            key_places.setdefault(option, pair.place)
        if moved or options.keys() != written.mapping.keys():
            place = theme.place if theme is not None else moved[0].place
            child = Node(options, theme.child.place if theme is not None else place, key_places)
            self._pairs["theme"] = _KeyValuePair("theme", child, place)
            self._is_changed = True

    def _add_facts_to_note(self) -> None:
        if not self._facts:
            return
        empty_note = _KeyValuePair("note", Node("", self._node.place), self._node.place)
        note = self._find_pair("note") or empty_note
        texts = filter(None, (note.child.text.strip(), *self._facts))
        self._pairs[note.key] = note.with_text("; ".join(texts))

    def _append_links(self) -> None:
        """Append the links that were separate keys to `links`."""
        if not self._link_nodes:
            return
        pair = self._find_pair("links")
        key, place = (pair.key, pair.place) if pair else ("links", self._link_nodes[0].place)
        existing_links = (pair.child.items or (pair.child,)) if pair and pair.child.value else ()
        self._pairs[key] = _KeyValuePair(key, Node((*existing_links, *self._link_nodes), place), place)

    def _find_pair(self, field: str) -> _KeyValuePair | None:
        pairs = (pair for key, pair in self._pairs.items() if canonical_key(key, self._cls) == field)
        return next(pairs, None)

    def _store_pair(self, pair: _KeyValuePair, *, is_fallback: bool = False) -> None:
        """Store a pair. If `is_fallback` is true, the field as written in the mapping has priority."""
        if is_fallback:
            self._is_changed = True
            if canonical_key(pair.key, self._cls) in self._written_fields:
                return
        existing = self._pairs.get(pair.key)
        if existing is not None and value_without_places(existing.child) != value_without_places(pair.child):
            message = f'{self._subject} has "{pair.key}" at two places'
            self._problems.report("key-twice", pair.place, message, "keep one of the two")
            return
        self._pairs[pair.key] = pair
        if pair.key not in self._node.mapping or self._node.mapping[pair.key] is not pair.child:
            self._is_changed = True

    def _replace_value(self, pair: _KeyValuePair, child: Node) -> _KeyValuePair:
        """Return the pair with another value and report the change. Return the same pair if the value is equal."""
        if child is pair.child or value_without_places(child) == value_without_places(pair.child):
            return pair
        message = "its value is read in the form of Tenure"
        self._report_alias(pair, message, "see the documentation of the key")
        return _KeyValuePair(pair.key, child, pair.place)

    def _drop_pair(self, pair: _KeyValuePair) -> None:
        message = f'"{pair.key}" in {self._subject} is empty or a setting of another system, and is ignored'
        self._problems.report("ignored-key", pair.place, message, "delete it")
        self._is_changed = True

    def _report_alias(self, pair: _KeyValuePair, message: str, hint: str) -> None:
        self._problems.report("alias", pair.place, f'"{pair.key}" in {self._subject}: {message}', hint)


def _takes_text(rule: FieldRule) -> bool:
    is_text = rule.value_type is str or isinstance(rule.value_type, NewType)
    return is_text and not rule.takes_extra_fields


def _is_language_tag(text: str) -> bool:
    try:
        Language.parse(text)
    except ValueError:
        return False
    return True


def _theme_option_name(key: str) -> str:
    return THEME_OPTION_NAMES.get(fold_key(key), key)
