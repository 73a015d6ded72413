"""
Decode a Node into a record. The annotations of the record class define the keys and the types.

KeyReader finds the Node of each field; _NodeDecoder makes a value of it by the type of the field: a text,
a number, a date, a list, or a record of its own. What is invalid is reported, and left out.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Any, Literal, NewType, TypeVar, cast, get_args, get_origin

from tenure.model.dates import Date, Period, is_present_word, parse_period
from tenure.model.entries import Markdown, Media, Person, Point, ServiceGroup
from tenure.model.field_html import keep_field_html
from tenure.model.fields import Key
from tenure.model.languages import find_language
from tenure.model.links import (
    EmailAddress,
    Link,
    Url,
    is_safe_url,
    is_video_file,
    parse_email,
    quote_colon,
    suggest_safe_url,
)
from tenure.model.places import FieldPlaces, SourceRecord
from tenure.model.services import Doi
from tenure.problems import Place, Problems, suggest_word
from tenure.record import Record, replace
from tenure.sources.reading.language_selection import mark_language
from tenure.sources.reading.node import Node
from tenure.sources.schema.date_hints import suggest_date
from tenure.sources.schema.keys import KeyReader, list_pairs, report_ignored_keys
from tenure.sources.schema.link_forms import build_link, list_links, shorten_for_message
from tenure.sources.schema.spec import Field, Spec, fold_key, read_spec
from tenure.sources.schema.value_forms import (
    BOOLEAN_VALUES,
    NAME_KEYS,
    flatten,
    list_items,
    split_at_commas,
    split_bullets,
)

T = TypeVar("T")


BLOCK_FIELDS = frozenset({"abstract", "intro", "note", "summary", "text"})
"""Fields whose text may have several paragraphs and lists."""

IgnoredKeys = list[tuple[str, Place]]


def decode_node(
    node: Node,
    cls: type[T],
    problems: Problems,
    subject: str,
    computed: Mapping[str, Any] | None = None,
    *,
    ignored: IgnoredKeys | None = None,
) -> T | None:
    """
    A node as a record; None if a required field is missing or invalid. Each mistake is reported.

    `subject` is the name of the entry in messages ("education entry 1"); `computed` has the values of
    computed fields. `ignored` collects the keys of other systems; without it, they are reported here.
    """
    decoder = _NodeDecoder(problems, subject, [] if ignored is None else ignored)
    record: T | None = decoder.decode_record(node, cls, subject, computed or {})
    if ignored is None:
        report_ignored_keys(decoder.ignored, problems)
    return record


def describe_entry(description: str, node: Node, cls: Any) -> str:
    """The description of an entry in messages, with the text of its main field if any: "talk 2 (Braids)"."""
    name = _find_main_text(node, read_spec(cls))
    return f"{description} ({name})" if name else description


def _find_main_text(node: Node, spec: Spec) -> str:
    """The text of the main field, shortened. Messages use it to name the entry."""
    texts = (
        child.text for key, child in node.mapping.items() if spec.main and spec.find_field(key) == spec.main
    )
    return shorten_for_message(node.text or next(texts, ""))


def is_nested_type(value_type: Any) -> bool:
    """Whether a type is decoded from a mapping: a record class without a `parse` method."""
    is_record = isinstance(value_type, type) and issubclass(value_type, Record)
    return is_record and not hasattr(value_type, "parse")


def is_named_by_key(value_type: Any) -> bool:
    """Whether a record may be written under its name as the key: "- talks: {limit: 3}"."""
    return is_nested_type(value_type) and any(f.key.named for f in read_spec(value_type).fields.values())


class _NodeDecoder:
    """Decodes one entry. It stores the problems, so that its methods need not pass them on."""

    def __init__(self, problems: Problems, root_subject: str, ignored: IgnoredKeys) -> None:
        self._problems = problems
        self._root_subject = root_subject
        self.ignored = ignored

    def decode_record(self, node: Node, cls: Any, subject: str, computed: Mapping[str, Any]) -> Any:
        """
        A record of a class, with `computed` values; None if a required field is missing, which is reported.

        {title: Looms, date: 2024} -> Talk(title="Looms", date=Date(2024)). A value that is invalid is
        reported and left out, so that the field has its default.
        """
        spec = read_spec(cls)
        node = _expand_shorthand(node, spec)
        if not isinstance(node.value, Mapping):
            self._report_wrong_shape(node, subject, _suggest_start(node, spec))
            return None
        reader = KeyReader(node, cls, self._problems, subject)
        reader.read_all()
        self.ignored += reader.ignored
        nodes = reader.nodes
        # a name needs no translation
        if cls is Person and "title" in nodes:
            nodes["title"] = replace(nodes["title"], language="")

        decoded = self._decode_fields(reader, spec, subject, computed)
        values = {**computed, **{name: value for name, value in decoded.items() if value is not None}}
        if reader.extra and spec.extra:
            values[spec.extra.name] = self._decode_extra(reader.extra, spec, subject)
        self._check_alt_text(node, nodes, cls, values)
        if issubclass(cls, SourceRecord):
            values.setdefault("source", node.place)
            values["places"] = _collect_places(nodes, reader, spec)

        required = [name for name, field in spec.fields.items() if field.is_required and name not in computed]
        missing = [name for name in required if not _is_visible(values.get(name))]
        for name in missing:
            # an invalid value and a misspelt key, "titel", have their own reports
            is_invalid = decoded.get(name, "") is None
            if not is_invalid and name not in reader.near:
                self._report_missing(node, reader, name, subject)
        return None if missing else cls(**values)

    def _decode_fields(
        self, reader: KeyReader, spec: Spec, subject: str, computed: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The values of the fields that are not computed; None for one that is invalid, which is reported."""
        values: dict[str, Any] = {}
        nodes = reader.nodes
        for name, node in nodes.items():
            # joined below
            is_part_of_period = name in ("start", "end") and name not in spec.fields
            if is_part_of_period or name in computed:
                continue
            # a message has the key as it is written, if the documentation has it too
            key = reader.keys[name][0]
            shown = key if key in spec.taught else name
            value = self._decode_field(node, spec.fields[name], f'"{shown}" of {subject}')
            if node.value is not None:
                values[name] = value

        if spec.period and spec.period not in nodes and {"start", "end"} & nodes.keys():
            values[spec.period] = self._join_period(nodes, spec.fields[spec.period], subject)
        return values

    def _decode_field(self, node: Node, field: Field, subject: str) -> Any:
        """The value of a field; None if it is invalid, which is reported."""
        value_type = field.value_type
        if not field.is_list:
            return self.decode_value(node, value_type, subject, has_blocks=field.name in BLOCK_FIELDS)
        if value_type is Link:
            return self._decode_links(node, subject)
        if value_type is Point:
            return self._decode_bullets(node, subject)
        children = [child for child in _list_values(node, field) if child.value is not None]
        values = [self.decode_value(child, value_type, subject) for child in children]
        return None if None in values else tuple(values)

    def decode_value(self, node: Node, value_type: Any, subject: str, *, has_blocks: bool = False) -> Any:
        """
        A value of a type from a Node; None if it cannot be read, which is reported.

        "2024-05" and Date -> that date; {a: b} and Date -> None. A key without a value is "".
        """
        if is_nested_type(value_type):
            return self._decode_nested(node, value_type)
        if node.value is None:
            return ""
        # a list for a text: [Graphs, Looms] -> "Graphs, Looms"
        is_text = value_type in (str, Markdown, Url) or isinstance(value_type, NewType)
        if is_text and not isinstance(node.value, str):
            text = flatten(node, as_markdown=value_type is Markdown)
            is_translated = node.mapping and all(map(find_language, node.mapping))
            node = Node(text, node.place) if text and not is_translated else node

        if not isinstance(node.value, str):
            text = ", ".join(child.text for child in (*node.mapping.values(), *node.items) if child.text)
            hint = f"write one value: {shorten_for_message(text)}"
            if value_type in (Date, Period):
                hint = "write one value, such as 2024-09"
            elif node.mapping and all(map(find_language, node.mapping)):
                hint = "write the languages into site.yaml: language: en, and languages: [de]"
            self._report_wrong_shape(node, subject, hint)
            return None

        if value_type is Markdown:
            return self._make_markdown(node.text.strip(), node, subject, has_blocks=has_blocks)
        return self._parse_scalar(node, value_type, subject)

    def _decode_nested(self, node: Node, cls: Any) -> Any:
        """A nested record. Messages name it by its type and its name: section "news" in site.yaml."""
        spec = read_spec(cls)
        unfolded = _expand_shorthand(node, spec)
        names = [key for key in unfolded.mapping if not spec.find_field(key)]
        is_unnamed = is_named_by_key(cls) and spec.main not in unfolded.mapping
        # "- news:" with its settings at its own level, or two names in one entry
        if is_unnamed and names and not unfolded.mapping[names[0]].text:
            message = "an entry needs one name, with its settings below it"
            self._problems.report("wrong-shape", node.place, message, f"write - {names[0]}: {{…}}")
            return None

        name = _find_main_text(unfolded, spec) or unfolded.child("path").text
        type_name = cls.__name__.removesuffix("Config").casefold()
        description = f'{type_name} "{name}"' if name else type_name
        return self.decode_record(node, cls, f"{description} in {self._root_subject}", {})

    def _parse_scalar(self, node: Node, value_type: Any, subject: str) -> Any:
        """A date, number, URL or choice from a text; None if it is none, which is reported."""
        text = node.text.strip()
        if value_type is EmailAddress:
            return self._parse_email(text, node, subject)
        try:
            return _find_parser(value_type)(text)
        except ValueError as reason:
            # a parser gives a message, and a hint if it has one
            message, hint = (*reason.args, "")[:2]
            code = "bad-address" if value_type is Url else "bad-value"
            if value_type in (Date, Period):
                code = "bad-date"
                hint = ("" if "earlier" in hint else suggest_date(text)) or hint
            self._problems.report(code, node.place, f"{message} in {subject}", hint)
            return None

    def _parse_email(self, text: str, node: Node, subject: str) -> EmailAddress:
        """An e-mail address, also in the forms that hide it; a text that is none is kept and reported."""
        address = parse_email(text)
        if text and not address:
            message = f"“{shorten_for_message(text)}” is not an e-mail address in {subject}"
            hint = "it is shown without a link; write name@example.edu, which pages hide from programs"
            self._problems.report("bad-email", node.place, message, hint)
        return address or EmailAddress(text)

    def _make_markdown(self, text: str, node: Node, subject: str, *, has_blocks: bool = True) -> Markdown:
        """A text without foreign HTML, and with its language if it has no translation, which is reported."""
        text = keep_field_html(text, has_blocks=has_blocks)
        # a number is the same in all languages
        if not any(map(str.isalpha, text)):
            return Markdown(text)
        if node.language:
            self._problems.report("untranslated", node.place, f"{subject} has no translation")
        return Markdown(mark_language(text, node.language))

    def _join_period(self, nodes: Mapping[str, Node], field: Field, subject: str) -> Period | None:
        """
        A period from the keys `start` and `end`; one that is open-ended and has no end is ongoing.

        {start: 2020, end: 2022} -> 2020 – 2022; {start: 2020} -> 2020 – Present for a position, 2020 for a
        talk. None for an invalid date, which is reported, and for an end alone that is "present".
        """
        start = nodes.get("start", _NO_VALUE)
        end = nodes.get("end", _NO_VALUE)
        parsed: dict[str, Any] = {}
        for key, node in (("start", start), ("end", end)):
            if node.value and not node.text:
                self._report_wrong_shape(node, f'"{key}" of {subject}', "write one value, such as 2024-09")
                return None
            if node.text and not (key == "end" and is_present_word(node.text)):
                part = f'"{key}" of {subject}' if end.text else subject
                parsed[key] = self._parse_scalar(node, Period, part)
        if None in parsed.values():
            return None

        if start.text and end.text:
            joined = Node(f"{start.text} – {end.text}", end.place)
            return cast("Period | None", self._parse_scalar(joined, Period, subject))
        if end.text:
            if "end" in parsed:
                return Period(end=parsed["end"].start)
            return None
        period: Period | None = parsed.get("start")
        if period and field.key.open_ended:
            return self._mark_ongoing(period, start, subject)
        return period

    def _mark_ongoing(self, period: Period, node: Node, subject: str) -> Period:
        """A period that has no end as an ongoing one, which is reported: 2020 -> 2020 – Present."""
        if not period.start or period.end or period.start.expected:
            return period
        has_year = period.start.year is not None
        if has_year and not period.ongoing:
            message = f'"start" of {subject} has no end, and is read as {node.text} – Present'
            self._problems.report("alias", node.place, message, "write end: …, or end: present")
        return replace(period, ongoing=has_year)

    def _decode_extra(self, nodes: Mapping[str, Node], spec: Spec, subject: str) -> Any:
        """The values of the keys that the author chooses: texts, or groups of service: {Reviewer: [ICML]}."""
        subjects = {key: f'"{key}" of {subject}' for key in nodes}
        if spec.has_groups:
            groups = {
                key: self._decode_field(node, _GROUP_ITEMS, subjects[key]) for key, node in nodes.items()
            }
            return tuple(ServiceGroup(label=key, items=items) for key, items in groups.items() if items)
        return {key: self.decode_value(node, str, subjects[key]) or "" for key, node in nodes.items()}

    def _decode_bullets(self, node: Node, subject: str) -> tuple[Point, ...] | None:
        """
        Bullets; a text may be a Markdown list.

        [Courses, {Prizes: [A, B]}] -> Courses, and Prizes with two bullets below it
        """
        points: list[Point] = []
        for child in node.items or split_bullets(node) or (node,):
            key = ""
            nested = child
            if len(child.mapping) == 1:
                ((key, nested),) = child.mapping.items()
            # {Prizes: [A, B]}, but not {Prize: A}, which is the text "Prize: A"
            has_nested = bool(key) and not nested.text
            text = key.strip() if has_nested else flatten(child)
            if text:
                below = self._decode_bullets(nested, subject) if has_nested else ()
                points.append(Point(text=self._make_markdown(text, child, subject), points=below or ()))
            elif child.value:
                self._report_wrong_shape(child, f"a bullet in {subject}", "write one text")
                return None

        return tuple(points)

    def _decode_links(self, node: Node, subject: str) -> tuple[Link, ...] | None:
        """
        Links in any form, each once: {code: https://a.org} -> Link("code", "https://a.org").

        None if one of them is invalid, which is reported; a label without a URL is dropped.
        """
        links: list[Link | None] = []
        for label, url in list_links(node):
            if url.text:
                link, reason = build_link(label, url.text)
                links.append(link)
                if link is None:
                    hint = suggest_safe_url(url.text)
                    self._problems.report("bad-address", url.place, f"{reason} in {subject}", hint)
        if all(links):
            return tuple(dict.fromkeys(link for link in links if link))
        return None

    def _check_alt_text(
        self, node: Node, nodes: Mapping[str, Node], cls: Any, values: Mapping[str, Any]
    ) -> None:
        """Report an image without alt text; a video, and the photo of a person beside the name, need none."""
        field = "file" if cls is Media else "image"
        alt = "alt" if cls is Media else "image_alt"
        file = values.get(field, "")
        has_alt = cls is not Person and alt in read_spec(cls).fields
        if not has_alt or alt in nodes or not file or is_video_file(file):
            return

        image = nodes.get(field, node)
        form = f"{{file: {image.text}, alt: …}}" if cls is Media else f"{alt}: …"
        message = f"the image {PurePosixPath(image.text).name} has no alt text"
        hint = f'describe what it shows: {form}, or "" if it is only decoration'
        self._problems.report("missing-alt", image.place, message, hint)

    def _report_missing(self, node: Node, reader: KeyReader, name: str, subject: str) -> None:
        """Report a required field that is not there, or is empty."""
        if name in reader.nodes:
            message = f'"{name}" of {subject} is empty'
            hint = f"write {name}: …, or delete the entry"
            self._problems.report("missing-key", reader.keys[name][1], message, hint)
            return
        is_text_file = not node.mapping and node.place.file.endswith(".md")
        hint = f"begin the file with the lines ---, {name}: … and ---" if is_text_file else f"add {name}: …"
        self._problems.report("missing-key", node.place, f'{subject} needs "{name}"', hint)

    def _report_wrong_shape(self, node: Node, subject: str, hint: str) -> None:
        self._problems.report("wrong-shape", node.place, f"{subject} is {node.shape}", hint)


def _is_one_value(text: str, value_type: Any) -> bool:
    """Whether a text is one value in spite of its commas: "Example, Ada <ada@example.edu>", a DOI."""
    if value_type is Doi:
        return " " not in text and text.count("10.") == 1
    return value_type is EmailAddress and bool(parse_email(text))


def _find_parser(value_type: Any) -> Callable[[str], Any]:
    """
    The function that reads the text of a value; it raises ValueError with a message and a hint.

    int -> _parse_number, Literal["list", "cards"] -> one that accepts these two, Date -> Date.parse.
    """
    if value_type is Url:
        return _parse_url
    if value_type is str or isinstance(value_type, NewType):
        return str
    if value_type is int:
        return _parse_number
    if value_type is bool:
        return partial(_parse_choice, BOOLEAN_VALUES, "true or false")
    if get_origin(value_type) is Literal:
        choices = get_args(value_type)
        names = f"one of {', '.join(choices)}"
        return partial(_parse_choice, dict(zip(choices, choices, strict=True)), names)
    return cast("Callable[[str], Any]", value_type.parse)


def _parse_url(text: str) -> Url:
    """A URL that can be linked; raises ValueError with a message and a repair for any other."""
    url = quote_colon(text)
    if not is_safe_url(url):
        raise ValueError(f"“{text}” is not a URL that can be linked", suggest_safe_url(text))
    return Url(url)


def _parse_number(text: str) -> int:
    """A number of at most nine digits; raises ValueError with a message and a repair for any other text."""
    if not text.isdecimal() or len(text) > 9:
        raise ValueError(f"“{text}” is not a number", "write a number, such as 5")
    return int(text)


CHOICE_ALIASES: Mapping[str, str] = {
    **dict.fromkeys(("center", "institute", "department"), "centre"),
    **dict.fromkeys(("lab", "laboratory", "team"), "group"),
}
"""Other words for the values that a key can have; they are in lower case."""


def _parse_choice(choices: Mapping[str, T], names: str, text: str) -> T:
    """The value of a choice in any case, or of its alias; raises ValueError with a message and a repair."""
    choice = text if text in choices else CHOICE_ALIASES.get(text.casefold(), text.casefold())
    if choice not in choices:
        message = f"“{text}” is not a possible value"
        raise ValueError(message, suggest_word(text, choices, f"write {names}"))
    return choices[choice]


_NO_VALUE = Node(None, Place(""))

_GROUP_ITEMS = Field(name="", value_type=Markdown, is_list=True, is_required=False, key=Key(commas=True))


def _is_visible(value: Any) -> bool:
    """Whether a value exists and is not a text of white space and control characters alone."""
    return value is not None and not (
        isinstance(value, str) and all(unicodedata.category(character)[0] in "CZ" for character in value)
    )


def _expand_shorthand(node: Node, spec: Spec) -> Node:
    """
    The full mapping for a single text or a "name: {…}" pair. Other nodes are returned unchanged.

    "Graz" -> {name: Graz}; {talks: {limit: 3}} -> {name: talks, limit: 3}.
    """
    if not spec.main:
        return node
    if isinstance(node.value, str):
        return Node.from_children({spec.main: node}, node.place)
    if spec.fields[spec.main].key.named and len(node.mapping) == 1:
        ((key, nested),) = node.mapping.items()
        if nested.text and {"title", "path"} <= spec.fields.keys() and not spec.find_field(key):
            # a page by its title: {Research: /projects/}
            field = "path" if "/" in nested.text else spec.main
            places = {"title": node.key_place(key), field: nested.place}
            return Node({"title": Node(key, node.key_place(key)), field: nested}, node.place, places)
        if key not in spec.taught and isinstance(nested.value, Mapping | None):
            name = Node(key, node.key_place(key))
            return Node.from_children({spec.main: name}, name.place).with_keys_of(nested)

    return node


def _list_values(node: Node, field: Field) -> tuple[Node, ...]:
    """
    The values of a field that is a list, in the forms in which people write one.

    {talks: {limit: 3}, news: …} -> {talks: {limit: 3}}, {news: …} if names may be keys
    {work: ada@example.edu, home: lee@example.edu} -> both addresses
    "Fall 2023 & Spring 2024" -> two periods; "R, C" -> R, C
    """
    value_type = field.value_type
    if node.mapping and field.key.keyed:
        return tuple(pair.mapping for pair in list_pairs(node))
    is_one = is_nested_type(value_type) or {*map(fold_key, node.mapping)} & {*NAME_KEYS}
    if node.mapping and not is_one:
        return tuple(node.mapping.values())

    if value_type is Period and parse_period(node.text) is None:
        node = _split_periods(node)
    if isinstance(node.value, str) and field.key.commas and not _is_one_value(node.text, value_type):
        node = split_at_commas(node)
    return node.items if isinstance(node.value, tuple) else (node,)


def _split_periods(node: Node) -> Node:
    """A list of the periods in one text ("Fall 2023 & Spring 2024"), or the node unchanged."""
    parts = re.split(r"[,;&+]|\s(?:and|und|et|y|e|en)\s", node.text)
    texts = [text.strip() for text in parts if text.strip()]
    if len(texts) > 1 and all(map(parse_period, texts)):
        return Node(tuple(Node(text, node.place) for text in texts), node.place)
    return node


def _suggest_start(node: Node, spec: Spec) -> str:
    """The hint for an entry that is empty, a list or a single value: begin it with title: …"""
    first = next((f.name for f in spec.fields.values() if f.is_required or f.key.main), "")
    if node.value is None and first:
        return f"begin it with {first}: …"
    return "write key: value lines, without hyphens" if node.items else "write key: value lines"


def _collect_places(nodes: Mapping[str, Node], reader: KeyReader, spec: Spec) -> FieldPlaces:
    """
    The places of the keys and values of a mapping, by field; those of other keys by the key.

    Of a list, also those of its items by their text: ("tags", "looms") -> line 4, column 10.
    """
    lists = {
        name: list_items(node) if spec.fields[name].key.commas else node.items or (node,)
        for name, node in nodes.items()
        if name in spec.fields and spec.fields[name].is_list
    }

    return FieldPlaces(
        {name: place for name, (_, place) in reader.keys.items()},
        {name: node.place for name, node in {**nodes, **reader.extra}.items()},
        {
            (name, item.text.strip()): item.place
            for name, items in lists.items()
            for item in items
            if item.text
        },
    )
