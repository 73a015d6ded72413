"""Decode a Node into a record. The annotations of the record class define the keys and the types."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass, replace
from pathlib import PurePosixPath
from typing import Any, Literal, NewType, TypeVar, get_args, get_origin

from tenure.model.dates import Date, Period, is_present, read_period
from tenure.model.languages import Language
from tenure.model.links import Address, Link, instead_of, is_safe
from tenure.model.marks import Known
from tenure.model.scholar import Group, Markdown, Point
from tenure.problems import Edit, Problems, did_you_mean
from tenure.sources.addresses import link_of
from tenure.sources.aliases import SPAN, content_of, fold, target_of
from tenure.sources.keys import field_of, names_of, names_without_hyphens, repair
from tenure.sources.labels import address_in, label_in, labelled, short
from tenure.sources.misdated import advice
from tenure.sources.rules import Rule, rules
from tenure.sources.shapes import resolve_entry
from tenure.sources.tree import Node

T = TypeVar("T")

TRUTH: Mapping[str, bool] = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def decode(
    node: Node, cls: type[T], problems: Problems, who: str, given: Mapping[str, Any] | None = None
) -> T | None:
    """
    Return a node as a record, or None if a required field is missing or invalid. Each mistake is reported.

    `subject` is the name of the entry in messages ("education entry 1"). `computed` has the values of the computed
    fields.
    """
    return _Decoder(problems, who).value(node, cls, who, given or {})


def main_words(node: Node, cls: Any) -> str:
    """Return the text of the main field, shortened. Messages use it to name the entry."""
    if isinstance(node.value, str):
        return short(node.value)
    for rule in rules(cls):
        if rule.main:
            values = (child for key, child in node.entries.items() if target_of(key, cls) in rule.names)
            return short(next(values, Node(None, node.place)).words)
    return ""


def main_key(cls: Any) -> str:
    """Return the name of the main field of a record type: "institution" for education."""
    return next(rule.field for rule in rules(cls) if rule.main)


class _Decoder:
    """Decodes one entry. It holds the problems, so that its methods need not pass them on."""

    def __init__(self, problems: Problems, root: str) -> None:
        self._problems = problems
        self._root = root

    def value(self, node: Node, cls: type[T], who: str, given: Mapping[str, Any]) -> T | None:
        kind: Any = cls
        plan = rules(kind)
        node = _unfolded(node, plan)
        if not isinstance(node.value, Mapping):
            self._tell_shape(node, who, _begun(node, plan))
            return None
        node = resolve_entry(node, kind, self._problems, who)
        values: dict[str, Any] = {rule.field: given[rule.field] for rule in plan if rule.field in given}
        wanted = [rule for rule in plan if not rule.computed and rule.field not in given]
        taken: set[str] = set()
        broken: set[str] = set()
        for rule in (rule for rule in wanted if not rule.rest):
            ok, value = self._field(node, rule, who, taken)
            if value is not None:
                values[rule.field] = value
            elif not ok:
                broken.add(rule.field)
        has_alt = any(rule.field == "image_alt" for rule in wanted)
        if has_alt and values.get("image") and "image_alt" not in node.entries:
            self._tell_missing_alt(node)
        guesses, collected = self._left_over(node, kind, wanted, taken, who)
        values |= {rule.field: self._rest(rule, collected, who) for rule in wanted if rule.rest and collected}
        for rule in wanted:
            if rule.required and rule.field not in values:
                if rule.field not in broken and rule.field not in guesses:
                    self._tell_missing(node, rule.field, who)
                broken.add(rule.field)
        return None if any(rule.required and rule.field in broken for rule in wanted) else cls(**values)

    def _field(self, node: Node, rule: Rule, who: str, taken: set[str]) -> tuple[bool, Any]:
        """Return whether a field is valid, and its value. A missing field is valid and has the value None."""
        found = [name for name in rule.read if name in node.entries]
        taken.update(found)
        for name in (name for name in found if name in rule.known.former):
            message = f'"{name}" in {who} is called "{rule.field}" now'
            place = node.key_place(name)
            edits = (Edit(place, rule.field),)
            self._problems.tell("deprecated-key", place, message, f'write "{rule.field}"', edits)
        if len(found) > 1 and content_of(node.entries[found[0]]) != content_of(node.entries[found[1]]):
            self._tell_twice(node, found[0], found[1], who)
        if rule.kind is Period and not rule.many:
            spans = [name for name in SPAN if name in node.entries]
            taken.update(spans)
            if found and spans:
                self._tell_twice(node, found[0], spans[0], who)
            elif spans:
                period = self._span(node, who, continuing=rule.continuing)
                return period is not None, period
        if not found:
            return True, None
        child = node.entries[found[0]]
        if child.value is None:
            return True, None
        value = (
            self._many(child, rule, f'"{found[0]}" of {who}')
            if rule.many
            else self._one(child, rule.kind, f'"{found[0]}" of {who}')
        )
        return value is not None, value

    def _span(self, node: Node, who: str, *, continuing: bool) -> Any:
        """
        Return a Period from the keys `start` and `end`, or None.

        If `is_open_ended` is true and only the start is written, the period is ongoing.
        """
        start, end = (node.entries.get(key, Node(None, node.place)) for key in SPAN)
        if start.words and end.words:
            parts = [("start", start)] if is_present(end.words) else [("start", start), ("end", end)]
            read = [self._parsed(part, Period, f'"{key}" of {who}') for key, part in parts]
            if None in read:
                return None
            return self._parsed(Node(f"{start.words} – {end.words}", end.place), Period, who)
        if end.words:
            period = self._parsed(end, Period, f'"end" of {who}')
            return Period(end=period.start) if isinstance(period, Period) else None
        period = self._parsed(start, Period, who) if start.words else None
        if continuing and period and period.start and not (period.end or period.start.expected):
            return replace(period, ongoing=period.start.year is not None)
        return period

    def _tell_missing_alt(self, node: Node) -> None:
        """Report a missing alt text. An empty alt text is valid: the image is decorative."""
        image = node.entries["image"]
        message = f"the image {PurePosixPath(image.words).name} has no alt text"
        hint = 'describe what it shows: image_alt: …, or "" if it is only decoration'
        self._problems.tell("missing-alt", image.place, message, hint)

    def _tell_missing(self, node: Node, field: str, who: str) -> None:
        if field in node.entries:
            hint = f"write {field}: …, or delete the entry"
            self._problems.tell("missing-key", node.key_place(field), f'"{field}" of {who} is empty', hint)
            return
        hint = f"add {field}: …"
        if not node.entries and node.place.file.endswith(".md"):
            hint = f"begin the file with the lines ---, {field}: … and ---"
        self._problems.tell("missing-key", node.place, f'{who} needs "{field}"', hint)

    def _tell_twice(self, node: Node, first: str, second: str, who: str) -> None:
        first, second = sorted((first, second), key=node.key_place)
        self._problems.tell(
            "key-twice",
            node.key_place(second),
            f'{who} has both "{first}" and "{second}"',
            "keep one of the two",
        )

    def _tell_shape(self, node: Node, who: str, hint: str) -> None:
        self._problems.tell("wrong-shape", node.place, f"{who} is {node.shape}", hint)

    def _left_over(
        self, node: Node, cls: Any, wanted: Sequence[Rule], taken: set[str], who: str
    ) -> tuple[set[str], dict[str, Node]]:
        """
        Report the unknown keys.

        Return the fields that the unknown keys resemble, and the nodes for the field that takes extra keys.
        """
        rest = next((rule for rule in wanted if rule.rest), None)
        collected: dict[str, Node] = {}
        guesses: set[str] = set()
        for key, child in node.entries.items():
            if key in taken:
                continue
            meant, hint = repair(key, child, wanted, cls)
            if rest and not meant and (rest.kind is not Group or _is_group(key, child)):
                collected[key] = child
                continue
            guesses.add(field_of(meant, wanted))
            self._problems.tell("unknown-key", node.key_place(key), f'unknown key "{key}" in {who}', hint)
        return guesses, collected

    def _rest(self, rule: Rule, collected: Mapping[str, Node], who: str) -> Any:
        if rule.kind is Group:
            items = {key: self._many(node, _TEXTS, f'"{key}" of {who}') for key, node in collected.items()}
            return tuple(Group(label=key, items=value) for key, value in items.items() if value)
        return {key: self._one(node, str, f'"{key}" of {who}') or "" for key, node in collected.items()}

    def _many(self, node: Node, rule: Rule, who: str) -> tuple[Any, ...] | None:
        if rule.kind is Link:
            return self._links(node, who)
        if rule.kind is Point:
            return self._points(node, who)
        if rule.keyed and node.entries:
            node = Node(tuple(_keyed(node)), node.place)
        if (
            len(node.entries) > 1
            and is_named(rule.kind)
            and not set(node.entries) & set(names_of(rules(rule.kind)))
        ):
            self._tell_shape(node, who, f"begin each line with a hyphen: - {next(iter(node.entries))}")
            return None
        if rule.kind is Period and read_period(node.words) is None:
            node = _split_periods(node)
        if isinstance(node.value, str) and rule.separated:
            parts = (part.strip() for part in node.value.split(",") if part.strip())
            node = Node(tuple(Node(part, node.place) for part in parts), node.place)
        children = node.items if isinstance(node.value, tuple) else (node,)
        found = [self._one(child, rule.kind, who) for child in children if child.value is not None]
        return None if any(value is None for value in found) else tuple(found)

    def _one(self, node: Node, kind: Any, who: str) -> Any:
        if is_nested(kind):
            return self._nested(node, kind)
        if node.items and all(isinstance(item.value, str) for item in node.items):
            node = Node(
                ("; " if kind is Markdown else ", ").join(item.words for item in node.items), node.place
            )
        if node.value is None:
            return ""
        if not isinstance(node.value, str):
            words = ", ".join(child.words for child in (*node.entries.values(), *node.items) if child.words)
            hint = f"write one value: {short(words)}"
            if kind in (Date, Period):
                hint = "write one value, such as 2024-09"
            elif kind is Markdown and {"name", "url"} <= node.entries.keys():
                hint = f'write "[{node.entries["name"].words}]({node.entries["url"].words})"'
            self._tell_shape(node, who, hint)
            return None
        return self._parsed(node, kind, who)

    def _nested(self, node: Node, kind: Any) -> Any:
        """Decode a nested record. Messages name it by its type and its name: section "news" in site.yaml."""
        plan = rules(kind)
        unfolded = _unfolded(node, plan)
        message, hint = names_without_hyphens(unfolded, plan, kind) if is_named(kind) else ("", "")
        if message:
            self._problems.tell("wrong-shape", node.place, message, hint)
            return None
        given = {"source": str(node.place)} if any(r.field == "source" for r in plan) else {}
        named = (
            main_words(unfolded, kind),
            *(unfolded.entries[k].words for k in ("path",) if k in unfolded.entries),
        )
        name = next((name for name in named if name), "")
        called = kind.__name__.removesuffix("Wish").casefold()
        return self.value(
            node, kind, f'{called} "{name}" in {self._root}' if name else f"{called} in {self._root}", given
        )

    def _parsed(self, node: Node, kind: Any, who: str) -> Any:
        words = node.words.strip()
        if kind is Address and not is_safe(words):
            self._problems.tell(
                "bad-address",
                node.place,
                f"“{words}” is not a URL that can be linked in {who}",
                instead_of(words),
            )
            return None
        if kind is str or isinstance(kind, NewType):
            return words
        if kind is bool:
            return self._chosen(node, TRUTH, who, words.casefold())
        if kind is int:
            if words.isdecimal() and len(words) < LONGEST:
                return int(words)
            self._problems.tell(
                "bad-number", node.place, f"“{words}” is not a number in {who}", _counted(words)
            )
            return None
        if get_origin(kind) is Literal:
            return self._chosen(node, {choice: choice for choice in get_args(kind)}, who, words)
        try:
            return kind.parse(words)
        except ValueError as reason:
            message, hint = (*reason.args, "")[:2]
            is_date = kind in (Date, Period)
            better = advice(words) if is_date and "earlier" not in hint else ""
            code = "bad-date" if is_date else "bad-language" if kind is Language else "bad-value"
            self._problems.tell(code, node.place, f"{message} in {who}", better or hint)
            return None

    def _chosen(self, node: Node, choices: Mapping[str, T], who: str, word: str) -> T | None:
        if word in choices:
            return choices[word]
        names = "true or false" if choices is TRUTH else f"one of {', '.join(choices)}"
        near = did_you_mean(word, choices)
        hint = f'did you mean "{near}"?' if near else f"write {names}"
        self._problems.tell(
            "bad-choice", node.place, f"“{node.words}” is not a possible value for {who}", hint
        )
        return None

    def _points(self, node: Node, who: str) -> tuple[Point, ...] | None:
        """Decode bullets. A mapping of one key is a bullet with nested bullets."""
        children = node.items if isinstance(node.value, tuple) else (node,)
        points: list[Point] = []
        broken = False
        for child in children:
            if isinstance(child.value, str):
                points.append(Point(text=Markdown(child.value.strip())))
            elif len(child.entries) == 1:
                ((key, below),) = child.entries.items()
                if isinstance(below.value, str):
                    points.append(Point(text=Markdown(f"{key}: {below.value.strip()}")))
                else:
                    points.append(Point(text=Markdown(key.strip()), points=self._points(below, who) or ()))
            elif child.value is not None:
                words = ": ".join(part.words for part in child.entries.values() if part.words)
                self._tell_shape(child, f"a bullet in {who}", f"write one text: {short(words) or '…'}")
                broken = True
        return None if broken else tuple(points)

    def _links(self, node: Node, who: str) -> tuple[Link, ...] | None:
        """Decode links: a mapping of labels to URLs, a list of such mappings, or URLs without a label."""
        found: list[Link | None] = []
        for label, child in labelled(node):
            for part in child.items if isinstance(child.value, tuple) else (child,):
                if part.entries or part.items:
                    name = label.words or label_in(part) or "label"
                    self._tell_shape(part, f"a link in {who}", f"write {name}: {address_in(part)}")
                    found.append(None)
                elif part.words:
                    link, complaint = link_of(label.words, part.words)
                    found.append(link)
                    if link is None:
                        message, hint = f"{complaint} in {who}", instead_of(part.words)
                        self._problems.tell("bad-address", part.place, message, hint)
        return tuple(link for link in found if link) if all(found) else None


_TEXTS = Rule(field="", kind=Markdown, many=True, required=False, known=Known(), separated=True)

GROUPS = frozenset(
    ["conferences", "journals", "workshops", "venues", "grants", "committees", "programcommittee", "reviewer", "reviewing", "reviews", "reviewed", "editor", "editorialboard", "areachair", "artifactevaluation", "panels", "societies", "memberships"]
)  # fmt: skip
"""Labels of service groups that may have a single item. Other labels need a list or a comma-separated text."""


def _is_group(key: str, node: Node) -> bool:
    """Return whether an unknown key is the label of a service group."""
    return bool(node.items) or "," in node.words or (bool(node.words) and fold(key) in GROUPS)


def _split_periods(node: Node) -> Node:
    """Return a list of the periods in one text ("Fall 2023 & Spring 2024"), or the node unchanged."""
    parts = [
        part.strip() for part in re.split(r"[,;&+]|\s(?:and|und|et|y|e|en)\s", node.words) if part.strip()
    ]
    if len(parts) > 1 and all(map(read_period, parts)):
        return Node(tuple(Node(part, node.place) for part in parts), node.place)
    return node


def _begun(node: Node, plan: Sequence[Rule]) -> str:
    """Return the hint for an entry that is empty, a list or a single value."""
    first = next((rule.field for rule in plan if rule.required or rule.main), "")
    if node.value is None and first:
        return f"begin it with {first}: …"
    return "write key: value lines, without hyphens" if node.items else "write key: value lines"


def is_nested(kind: Any) -> bool:
    """Return whether a type is decoded from a mapping: a record class without a `parse` method."""
    return is_dataclass(kind) and not hasattr(kind, "parse")


def is_named(kind: Any) -> bool:
    """Return whether a record may be written under its name as the key: "- talks: {limit: 3}"."""
    return is_nested(kind) and any(rule.named for rule in rules(kind))


def _unfolded(node: Node, plan: tuple[Rule, ...]) -> Node:
    """Return the full mapping for a single text or a "name: {…}" pair. Other nodes are returned unchanged."""
    main = next((rule for rule in plan if rule.main), None)
    if main is None:
        return node
    if isinstance(node.value, str):
        return Node({main.field: node}, node.place, {main.field: node.place})
    if main.named and len(node.entries) == 1:
        ((key, below),) = node.entries.items()
        if key not in {name for rule in plan for name in rule.names} and isinstance(
            below.value, Mapping | None
        ):
            name = Node(key, node.key_place(key))
            return Node(
                {main.field: name, **below.entries}, name.place, {main.field: name.place, **below.keys}
            )
    return node


def _keyed(node: Node) -> Iterator[Node]:
    """Yield each pair of a mapping as a separate mapping, at the place of its key."""
    for key, below in node.entries.items():
        yield Node({key: below}, node.key_place(key), {key: node.key_place(key)})


LONGEST = 10
"""A number must have fewer digits than this."""


def _counted(words: str) -> str:
    """Return the hint for a text that is not a number."""
    if re.fullmatch(r"-\s*\d{1,9}", words):
        return f"write {words.lstrip('- ')}, or delete it"
    years = re.fullmatch(r"(\d{4})\s*[-–]\s*(\d{4})", words)
    if years and 0 < int(years[2]) - int(years[1]) < 8:
        return f"write [{', '.join(str(year) for year in range(int(years[1]), int(years[2]) + 1))}]"
    return "write a number, such as 5"
