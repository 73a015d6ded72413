"""Decode a Node into a record. The annotations of the record class define the keys and the types."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Literal, NewType, TypeVar, get_args, get_origin

from tenure.model.dates import Date, Period, is_present_word, parse_period
from tenure.model.entries import Markdown, Media, Person, Point, ServiceGroup
from tenure.model.field_annotations import AlternativeNames
from tenure.model.field_html import keep_field_html
from tenure.model.languages import Language, find_language
from tenure.model.links import (
    EmailAddress,
    Link,
    Url,
    is_safe_url,
    is_video_file,
    parse_email,
    suggest_safe_url,
)
from tenure.model.places import FieldPlaces, SourceRecord
from tenure.problems import Problems, suggest_word
from tenure.record import Record, field_names, replace
from tenure.sources.node import Node
from tenure.sources.schema.aliases import canonical_key, report_duplicate_key, value_without_places
from tenure.sources.schema.date_hints import suggest_date
from tenure.sources.schema.field_rules import FieldRule, read_field_rules
from tenure.sources.schema.key_tables import CHOICE_ALIASES, START_END_KEYS, fold_key
from tenure.sources.schema.links import (
    build_link,
    find_link_label,
    find_link_url,
    list_link_pairs,
    shorten_for_message,
)
from tenure.sources.schema.normalize import normalize_entry
from tenure.sources.schema.unknown_keys import (
    all_accepted_keys,
    field_of_key,
    find_naming_mistake,
    suggest_key_repair,
)
from tenure.sources.schema.value_forms import join_named_facts
from tenure.sources.translations import mark_language, remove_language

T = TypeVar("T")

BOOLEAN_VALUES: Mapping[str, bool] = {
    "true": True,
    "yes": True,
    "on": True,
    "false": False,
    "no": False,
    "off": False,
}


BLOCK_FIELDS = frozenset({"abstract", "intro", "note", "summary", "text"})
"""Fields whose text may have several paragraphs and lists."""


def decode_node(
    node: Node, cls: type[T], problems: Problems, subject: str, computed: Mapping[str, Any] | None = None
) -> T | None:
    """
    Return a node as a record, or None if a required field is missing or invalid. Each mistake is reported.

    `subject` is the name of the entry in messages ("education entry 1"). `computed` has the values of the computed
    fields.
    """
    return _NodeDecoder(problems, subject).decode_record(node, cls, subject, computed or {})


def decode_value(
    node: Node, value_type: Any, problems: Problems, subject: str, *, has_blocks: bool = False
) -> Any:
    """Return the value of one field, or None if it is not valid, which is reported."""
    return _NodeDecoder(problems, subject).decode_value(node, value_type, subject, has_blocks=has_blocks)


def _main_field_text(node: Node, cls: Any) -> str:
    """Return the text of the main field, shortened. Messages use it to name the entry."""
    if isinstance(node.value, str):
        return shorten_for_message(node.value)
    accepted_keys = [key for rule in read_field_rules(cls) if rule.is_main for key in rule.accepted_keys]
    texts = (child.text for key, child in node.mapping.items() if canonical_key(key, cls) in accepted_keys)
    return shorten_for_message(next(texts, ""))


def describe_entry(description: str, node: Node, cls: Any) -> str:
    """Return the description of an entry in messages, with the text of its main field if it has one: "talk 2 (Braids)"."""
    name = _main_field_text(node, cls)
    return f"{description} ({name})" if name else description


def _is_visible(value: Any) -> bool:
    """Whether a value exists and is not a text of white space and control characters alone."""
    return value is not None and not (
        isinstance(value, str) and all(unicodedata.category(character)[0] in "CZ" for character in value)
    )


class _NodeDecoder:
    """Decodes one entry. It stores the problems, so that its methods need not pass them on."""

    def __init__(self, problems: Problems, root_subject: str) -> None:
        self._problems = problems
        self._root_subject = root_subject

    def decode_record(self, node: Node, cls: type[T], subject: str, computed: Mapping[str, Any]) -> T | None:
        record_type: Any = cls
        field_rules = read_field_rules(record_type)
        node = _expand_shorthand(node, field_rules)
        if not isinstance(node.value, Mapping):
            self._report_wrong_shape(node, subject, _entry_start_hint(node, field_rules))
            return None
        node = normalize_entry(node, record_type, self._problems, subject)
        if record_type is Person:
            node = remove_language(node, ("title", "name"))
        values = {rule.field: computed[rule.field] for rule in field_rules if rule.field in computed}
        source_rules = [rule for rule in field_rules if not rule.is_computed and rule.field not in computed]
        read_keys: set[str] = set()
        invalid_fields: set[str] = set()
        for rule in (rule for rule in source_rules if not rule.takes_extra_fields):
            is_valid, value = self._decode_field(node, rule, subject, read_keys)
            if value is not None:
                values[rule.field] = value
            elif not is_valid:
                invalid_fields.add(rule.field)
        self._check_alt_text(node, record_type, values)
        suggested_fields, extra_nodes = self._collect_other_keys(
            node, record_type, source_rules, read_keys, subject
        )
        values |= {
            rule.field: self._decode_extra_keys(rule, extra_nodes, subject)
            for rule in source_rules
            if rule.takes_extra_fields and extra_nodes
        }
        if issubclass(record_type, SourceRecord):
            values.setdefault("source", node.place)
            values["places"] = _collect_field_places(node, field_rules)
        missing_fields = [
            rule.field
            for rule in source_rules
            if rule.is_required and not _is_visible(values.get(rule.field))
        ]
        for field in missing_fields:
            if field not in invalid_fields and field not in suggested_fields:
                self._report_missing_field(node, field, subject)
        return None if missing_fields else cls(**values)

    def _decode_field(
        self, node: Node, rule: FieldRule, subject: str, read_keys: set[str]
    ) -> tuple[bool, Any]:
        """Return whether a field is valid, and its value. A missing field is valid and has the value None."""
        present_keys = [name for name in rule.accepted_keys if name in node.mapping]
        read_keys.update(present_keys)
        if len(present_keys) > 1 and value_without_places(
            node.mapping[present_keys[0]]
        ) != value_without_places(node.mapping[present_keys[1]]):
            report_duplicate_key(node, present_keys[0], present_keys[1], self._problems, subject)
        if rule.value_type is Period and not rule.is_list:
            start_end_keys = [name for name in START_END_KEYS if name in node.mapping]
            read_keys.update(start_end_keys)
            if present_keys and start_end_keys:
                report_duplicate_key(node, present_keys[0], start_end_keys[0], self._problems, subject)
            elif start_end_keys:
                period = self._decode_start_and_end(node, subject, is_open_ended=rule.is_open_ended)
                return period is not None, period
        if not present_keys:
            return True, None
        child = node.mapping[present_keys[0]]
        if child.value is None:
            return True, None
        field_subject = f'"{present_keys[0]}" of {subject}'
        if rule.is_list:
            value = self._decode_list(child, rule, field_subject)
        else:
            value = self.decode_value(
                child, rule.value_type, field_subject, has_blocks=rule.field in BLOCK_FIELDS
            )
        return value is not None, value

    def _decode_start_and_end(self, node: Node, subject: str, *, is_open_ended: bool) -> Any:
        """
        Return a Period from the keys `start` and `end`, or None.

        If `is_open_ended` is true and only the start is written, the period is ongoing.
        """
        start, end = (node.mapping.get(key, Node(None, node.place)) for key in START_END_KEYS)
        if start.text and end.text:
            bounds = [("start", start)] if is_present_word(end.text) else [("start", start), ("end", end)]
            parsed = [self._parse_scalar(bound, Period, f'"{key}" of {subject}') for key, bound in bounds]
            if None in parsed:
                return None
            return self._parse_scalar(Node(f"{start.text} – {end.text}", end.place), Period, subject)
        if end.text:
            period = self._parse_scalar(end, Period, f'"end" of {subject}')
            return Period(end=period.start) if isinstance(period, Period) else None
        period = self._parse_scalar(start, Period, subject) if start.text else None
        if is_open_ended and period and period.start and not (period.end or period.start.expected):
            return replace(period, ongoing=period.start.year is not None)
        return period

    def _check_alt_text(self, node: Node, record_type: Any, values: Mapping[str, Any]) -> None:
        """Report an image without alt text; a video needs none, because its page names it, nor a photo beside a name."""
        has_alt = record_type is not Person and "image_alt" in field_names(record_type)
        if has_alt and values.get("image") and "image_alt" not in node.mapping:
            if not is_video_file(values["image"]):
                self._report_missing_alt(node, "image", "image_alt: …")
        elif record_type is Media and "alt" not in node.mapping and not is_video_file(values.get("file", "")):
            file_name = node.mapping["file"].text if "file" in node.mapping else "…"
            self._report_missing_alt(node, "file", f"{{file: {file_name}, alt: …}}")

    def _report_missing_alt(self, node: Node, field: str, form: str) -> None:
        """Report a missing alt text. An empty alt text is valid: the image is decorative."""
        image = node.mapping.get(field, node)
        message = f"the image {PurePosixPath(image.text).name} has no alt text"
        hint = f'describe what it shows: {form}, or "" if it is only decoration'
        self._problems.report("missing-alt", image.place, message, hint)

    def _report_missing_field(self, node: Node, field: str, subject: str) -> None:
        if field in node.mapping:
            message, hint = f'"{field}" of {subject} is empty', f"write {field}: …, or delete the entry"
            self._problems.report("missing-key", node.key_place(field), message, hint)
            return
        is_text_file = not node.mapping and node.place.file.endswith(".md")
        hint = f"begin the file with the lines ---, {field}: … and ---" if is_text_file else f"add {field}: …"
        self._problems.report("missing-key", node.place, f'{subject} needs "{field}"', hint)

    def _report_wrong_shape(self, node: Node, subject: str, hint: str) -> None:
        self._problems.report("wrong-shape", node.place, f"{subject} is {node.shape}", hint)

    def _collect_other_keys(
        self, node: Node, cls: Any, source_rules: Sequence[FieldRule], read_keys: set[str], subject: str
    ) -> tuple[set[str], dict[str, Node]]:
        """
        Report the unknown keys.

        Return the fields that the unknown keys resemble, and the nodes for the field that takes extra keys.
        """
        extra_rule = next((rule for rule in source_rules if rule.takes_extra_fields), None)
        has_groups = extra_rule is not None and extra_rule.value_type is ServiceGroup
        extra_nodes: dict[str, Node] = {}
        suggested_fields: set[str] = set()
        for key, child in node.mapping.items():
            if key in read_keys:
                continue
            suggested_key, hint = suggest_key_repair(key, child, source_rules, cls)
            is_extra_key = not has_groups or _is_group_label(key, child)
            if extra_rule and not suggested_key and is_extra_key:
                extra_nodes[key] = child
                continue
            suggested_fields.add(field_of_key(suggested_key, source_rules))
            message = f'unknown key "{key}" in {subject}'
            self._problems.report("unknown-key", node.key_place(key), message, hint)
        return suggested_fields, extra_nodes

    def _decode_extra_keys(self, rule: FieldRule, extra_nodes: Mapping[str, Node], subject: str) -> Any:
        subjects = {key: f'"{key}" of {subject}' for key in extra_nodes}
        if rule.value_type is ServiceGroup:
            groups = {
                key: self._decode_list(node, _GROUP_ITEMS_RULE, subjects[key])
                for key, node in extra_nodes.items()
            }
            return tuple(ServiceGroup(label=key, items=items) for key, items in groups.items() if items)
        return {key: self.decode_value(node, str, subjects[key]) or "" for key, node in extra_nodes.items()}

    def _decode_list(self, node: Node, rule: FieldRule, subject: str) -> tuple[Any, ...] | None:
        if rule.value_type is Link:
            return self._decode_links(node, subject)
        if rule.value_type is Point:
            return self._decode_bullets(node, subject)
        if rule.is_keyed_list and node.mapping:
            node = Node(tuple(_split_into_pairs(node)), node.place)
        if len(node.mapping) > 1 and is_named_by_key(rule.value_type):
            accepted_keys = all_accepted_keys(read_field_rules(rule.value_type))
            if node.mapping.keys().isdisjoint(accepted_keys):
                hint = f"begin each line with a hyphen: - {next(iter(node.mapping))}"
                self._report_wrong_shape(node, subject, hint)
                return None
        if rule.value_type is Period and parse_period(node.text) is None:
            node = _split_periods(node)
        is_one_email = rule.value_type is EmailAddress and parse_email(node.text)
        if isinstance(node.value, str) and rule.is_comma_separated and not is_one_email:
            node = _split_at_commas(node)
        children = node.items if isinstance(node.value, tuple) else (node,)
        filled = (child for child in children if child.value is not None)
        values = [self.decode_value(child, rule.value_type, subject) for child in filled]
        return None if None in values else tuple(values)

    def decode_value(self, node: Node, value_type: Any, subject: str, *, has_blocks: bool = False) -> Any:
        if is_nested_type(value_type):
            return self._decode_nested(node, value_type)
        if node.items and all(isinstance(item.value, str) for item in node.items):
            separator = "; " if value_type is Markdown else ", "
            node = Node(separator.join(item.text for item in node.items), node.place)
        if node.value is None:
            return ""
        if value_type in (str, Markdown) and (name := join_named_facts(node)):
            node = Node(name, node.place)
        if not isinstance(node.value, str):
            text = ", ".join(child.text for child in (*node.mapping.values(), *node.items) if child.text)
            hint = f"write one value: {shorten_for_message(text)}"
            if value_type in (Date, Period):
                hint = "write one value, such as 2024-09"
            elif value_type is Markdown and {"name", "url"} <= node.mapping.keys():
                hint = f'write "[{node.mapping["name"].text}]({node.mapping["url"].text})"'
            elif node.mapping and all(map(find_language, node.mapping)):
                hint = "write the languages into site.yaml: language: en, and languages: [de]"
            self._report_wrong_shape(node, subject, hint)
            return None
        if value_type is Markdown:
            return self._make_markdown(node.text.strip(), node, subject, has_blocks=has_blocks)
        return self._parse_scalar(node, value_type, subject)

    def _decode_nested(self, node: Node, record_type: Any) -> Any:
        """Decode a nested record. Messages name it by its type and its name: section "news" in site.yaml."""
        field_rules = read_field_rules(record_type)
        unfolded = _expand_shorthand(node, field_rules)
        if is_named_by_key(record_type):
            message, hint = find_naming_mistake(unfolded, field_rules, record_type)
            if message:
                self._problems.report("wrong-shape", node.place, message, hint)
                return None
        name = _main_field_text(unfolded, record_type) or unfolded.child("path").text
        type_name = record_type.__name__.removesuffix("Config").casefold()
        description = f'{type_name} "{name}"' if name else type_name
        return self.decode_record(node, record_type, f"{description} in {self._root_subject}", {})

    def _parse_scalar(self, node: Node, value_type: Any, subject: str) -> Any:
        text = node.text.strip()
        if value_type is Url and not is_safe_url(text):
            message = f"“{text}” is not a URL that can be linked in {subject}"
            self._problems.report("bad-address", node.place, message, suggest_safe_url(text))
            return None
        if value_type is EmailAddress:
            return self._parse_email(text, node, subject)
        if value_type is str or isinstance(value_type, NewType):
            return text
        if value_type is bool:
            return self._parse_choice(node, BOOLEAN_VALUES, subject)
        if value_type is int:
            if text.isdecimal() and len(text) < NUMBER_LENGTH_LIMIT:
                return int(text)
            message = f"“{text}” is not a number in {subject}"
            self._problems.report("bad-number", node.place, message, _number_hint(text))
            return None
        if get_origin(value_type) is Literal:
            return self._parse_choice(node, {choice: choice for choice in get_args(value_type)}, subject)
        try:
            return value_type.parse(text)
        except ValueError as reason:
            message, hint = (*reason.args, "")[:2]
            is_date = value_type in (Date, Period)
            date_hint = suggest_date(text) if is_date and "earlier" not in hint else ""
            code = "bad-date" if is_date else "bad-language" if value_type is Language else "bad-value"
            self._problems.report(code, node.place, f"{message} in {subject}", date_hint or hint)
            return None

    def _parse_email(self, text: str, node: Node, subject: str) -> EmailAddress:
        address = parse_email(text)
        if text and not address:
            message = f"“{shorten_for_message(text)}” is not an e-mail address in {subject}"
            hint = "it is shown without a link; write name@example.edu, which pages hide from programs"
            self._problems.report("bad-email", node.place, message, hint)
        return address or EmailAddress(text)

    def _make_markdown(self, text: str, node: Node, subject: str, *, has_blocks: bool = True) -> Markdown:
        """A text without foreign HTML, and with its language if it has no translation, which is reported."""
        text = keep_field_html(text, has_blocks=has_blocks)
        if not any(map(str.isalpha, text)):  # a number is the same in all languages
            return Markdown(text)
        if node.language:
            self._problems.report("untranslated", node.place, f"{subject} has no translation")
        return Markdown(mark_language(text, node.language))

    def _parse_choice(self, node: Node, choices: Mapping[str, T], subject: str) -> T | None:
        text = node.text.strip()
        choice = text if text in choices else CHOICE_ALIASES.get(text.casefold(), text.casefold())
        if choice in choices:
            return choices[choice]
        names = "true or false" if choices is BOOLEAN_VALUES else f"one of {', '.join(choices)}"
        message = f"“{node.text}” is not a possible value for {subject}"
        hint = suggest_word(text, choices, f"write {names}")
        self._problems.report("bad-choice", node.place, message, hint)
        return None

    def _decode_bullets(self, node: Node, subject: str) -> tuple[Point, ...] | None:
        """Decode bullets. A mapping of one key is a bullet with nested bullets."""
        children = node.items if isinstance(node.value, tuple) else (node,)
        points: list[Point] = []
        has_error = False
        for child in children:
            if isinstance(child.value, str):
                points.append(Point(text=self._make_markdown(child.value.strip(), child, subject)))
            elif len(child.mapping) == 1:
                ((key, nested),) = child.mapping.items()
                if isinstance(nested.value, str):
                    points.append(
                        Point(text=self._make_markdown(f"{key}: {nested.value.strip()}", child, subject))
                    )
                else:
                    nested_points = self._decode_bullets(nested, subject) or ()
                    heading = self._make_markdown(key.strip(), child, subject)
                    points.append(Point(text=heading, points=nested_points))
            elif name := join_named_facts(child):
                points.append(Point(text=self._make_markdown(name, child, subject)))
            elif child.value is not None:
                text = ": ".join(part.text for part in child.mapping.values() if part.text)
                hint = f"write one text: {shorten_for_message(text) or '…'}"
                self._report_wrong_shape(child, f"a bullet in {subject}", hint)
                has_error = True
        return None if has_error else tuple(points)

    def _decode_links(self, node: Node, subject: str) -> tuple[Link, ...] | None:
        """Decode links: a mapping of labels to URLs, a list of such mappings, or URLs without a label."""
        links: list[Link | None] = []
        for label, child in list_link_pairs(node):
            for url_node in child.items if isinstance(child.value, tuple) else (child,):
                if url_node.mapping or url_node.items:
                    name = label.text or find_link_label(url_node) or "label"
                    hint = f"write {name}: {find_link_url(url_node)}"
                    self._report_wrong_shape(url_node, f"a link in {subject}", hint)
                    links.append(None)
                elif url_node.text:
                    link, reason = build_link(label.text, url_node.text)
                    links.append(link)
                    if link is None:
                        message, hint = f"{reason} in {subject}", suggest_safe_url(url_node.text)
                        self._problems.report("bad-address", url_node.place, message, hint)
        return tuple(link for link in links if link) if all(links) else None


_GROUP_ITEMS_RULE = FieldRule(
    field="",
    value_type=Markdown,
    is_list=True,
    is_required=False,
    alternative_names=AlternativeNames(),
    is_comma_separated=True,
)

SERVICE_GROUP_LABELS = frozenset(
    ["conferences", "journals", "workshops", "venues", "grants", "committees", "programcommittee", "reviewer", "reviewing", "reviews", "reviewed", "editor", "editorialboard", "areachair", "artifactevaluation", "panels", "societies", "memberships"]
)  # fmt: skip
"""Labels of service groups that may have a single item. Other labels need a list or a comma-separated text."""


def _collect_field_places(node: Node, field_rules: Sequence[FieldRule]) -> FieldPlaces:
    """Return the places of the keys and values of a mapping, by field; those of other keys by the key."""
    rule_by_key = {key: rule for rule in field_rules for key in rule.accepted_keys if key in node.mapping}
    field_by_key = {key: rule.field for key, rule in rule_by_key.items()}
    lists = {
        rule.field: node.mapping[key].items
        or (_split_at_commas(node.mapping[key]).items if rule.is_comma_separated else (node.mapping[key],))
        for key, rule in rule_by_key.items()
        if rule.is_list
    }
    listed = [(name, item) for name, items in lists.items() for item in items if item.text]
    return FieldPlaces(
        {field_by_key.get(key, key): place for key, place in node.keys.items()},
        {field_by_key.get(key, key): child.place for key, child in node.mapping.items()},
        {(name, item.text.strip()): item.place for name, item in listed},
    )


def _split_at_commas(node: Node) -> Node:
    """
    Return a list of the texts between the commas of a scalar, or between its semicolons if it has some.

    A text has its own place if the scalar is written in one line and without escapes; otherwise that of the scalar.
    """
    quotes_length = node.place.length - len(node.text)
    has_exact_places = quotes_length in (0, 2) and "\n" not in node.text
    items: list[Node] = []
    offset = 0
    for part in node.text.split(";" if ";" in node.text else ","):
        text = part.strip()
        if text:
            column = node.place.column + quotes_length // 2 + offset + part.index(text)
            place = replace(node.place, column=column, length=len(text)) if has_exact_places else node.place
            items.append(Node(text, place))
        offset += len(part) + 1
    return Node(tuple(items), node.place)


def _is_group_label(key: str, node: Node) -> bool:
    return bool(node.items) or "," in node.text or (bool(node.text) and fold_key(key) in SERVICE_GROUP_LABELS)


def _split_periods(node: Node) -> Node:
    """Return a list of the periods in one text ("Fall 2023 & Spring 2024"), or the node unchanged."""
    parts = re.split(r"[,;&+]|\s(?:and|und|et|y|e|en)\s", node.text)
    texts = [text.strip() for text in parts if text.strip()]
    if len(texts) > 1 and all(map(parse_period, texts)):
        return Node(tuple(Node(text, node.place) for text in texts), node.place)
    return node


def _entry_start_hint(node: Node, field_rules: Sequence[FieldRule]) -> str:
    """Return the hint for an entry that is empty, a list or a single value."""
    first = next((rule.field for rule in field_rules if rule.is_required or rule.is_main), "")
    if node.value is None and first:
        return f"begin it with {first}: …"
    return "write key: value lines, without hyphens" if node.items else "write key: value lines"


def is_nested_type(value_type: Any) -> bool:
    """Return whether a type is decoded from a mapping: a record class without a `parse` method."""
    is_record = isinstance(value_type, type) and issubclass(value_type, Record)
    return is_record and not hasattr(value_type, "parse")


def is_named_by_key(value_type: Any) -> bool:
    """Return whether a record may be written under its name as the key: "- talks: {limit: 3}"."""
    return is_nested_type(value_type) and any(rule.is_mapping_key for rule in read_field_rules(value_type))


def _expand_shorthand(node: Node, field_rules: tuple[FieldRule, ...]) -> Node:
    """Return the full mapping for a single text or a "name: {…}" pair. Other nodes are returned unchanged."""
    main_rule = next((rule for rule in field_rules if rule.is_main), None)
    if main_rule is None:
        return node
    if isinstance(node.value, str):
        return Node.from_children({main_rule.field: node}, node.place)
    if main_rule.is_mapping_key and len(node.mapping) == 1:
        ((key, nested),) = node.mapping.items()
        if key not in {name for rule in field_rules for name in rule.accepted_keys} and isinstance(
            nested.value, Mapping | None
        ):
            name = Node(key, node.key_place(key))
            return Node.from_children({main_rule.field: name}, name.place).with_keys_of(nested)
    return node


def _split_into_pairs(node: Node) -> Iterator[Node]:
    """Yield each pair of a mapping as a separate mapping, at the place of its key."""
    for key, nested in node.mapping.items():
        yield Node({key: nested}, node.key_place(key), {key: node.key_place(key)})


NUMBER_LENGTH_LIMIT = 10
"""A number must have fewer digits than this."""


def _number_hint(text: str) -> str:
    if re.fullmatch(r"-\s*\d{1,9}", text):
        return f"write {text.lstrip('- ')}, or delete it"
    years = re.fullmatch(r"(\d{4})\s*[-–]\s*(\d{4})", text)
    if years and 0 < int(years[2]) - int(years[1]) < 8:
        return f"write [{', '.join(str(year) for year in range(int(years[1]), int(years[2]) + 1))}]"
    return "write a number, such as 5"
