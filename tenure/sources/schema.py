"""A Node to a frozen dataclass, by the dataclass's own annotations."""

from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any, Literal, NewType, TypeVar, get_args, get_origin

from tenure.model.dates import Period, is_present
from tenure.model.links import Address, Link, is_safe
from tenure.model.marks import Known
from tenure.model.scholar import Group, Markdown, Point
from tenure.problems import Problems, did_you_mean, suggestion
from tenure.sources.addresses import link_of
from tenure.sources.rules import Rule, rules
from tenure.sources.tree import Node

T = TypeVar("T")

SPAN: Mapping[str, frozenset[str]] = {
    "start": frozenset({"start_date", "startdate", "from", "begin", "start_year", "since"}),
    "end": frozenset({"end_date", "enddate", "until", "finish", "end_year", "to"}),
}
"""A period may be written as these two keys; other systems' names for them are recognised and told."""

TRUTH: Mapping[str, bool] = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def decode(
    node: Node, cls: type[T], problems: Problems, who: str, given: Mapping[str, Any] | None = None
) -> T | None:
    """
    Read a node as a dataclass; every mistake is told, None where the value cannot be made.

    `who` names the entry as a person would ("education entry 1"); `given` has the computed fields.
    """
    return _Decoder(problems).value(node, cls, who, given or {})


def main_words(node: Node, cls: Any) -> str:
    """What an entry calls itself, for messages: the words of its main field."""
    if isinstance(node.value, str):
        return _short(node.value)
    for rule in rules(cls):
        if rule.main:
            found = next((node.entries[name] for name in rule.names if name in node.entries), None)
            return _short(found.words) if found else ""
    return ""


def _short(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= 40 else line[:39].rstrip() + "…"


class _Decoder:
    """Holds where mistakes are told, so that the functions below need not pass it on."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems

    def value(self, node: Node, cls: type[T], who: str, given: Mapping[str, Any]) -> T | None:
        kind: Any = cls
        plan = rules(kind)
        node = _unfolded(node, plan)
        if not isinstance(node.value, Mapping):
            self._tell_shape(node, who, "key: value lines")
            return None
        values: dict[str, Any] = {rule.field: given[rule.field] for rule in plan if rule.field in given}
        wanted = [rule for rule in plan if not rule.computed and rule.field not in given]
        taken: set[str] = set()
        broken: set[str] = set()
        for rule in wanted:
            if rule.rest:
                continue
            ok, value = self._field(node, rule, who, taken)
            if value is not None:
                values[rule.field] = value
            elif not ok:
                broken.add(rule.field)
        guesses = self._left_over(node, wanted, taken, who, values)
        for rule in wanted:
            if rule.required and rule.field not in values:
                if rule.field not in broken and rule.field not in guesses:
                    self._problems.tell(
                        "missing-key", node.place, f'{who} needs "{rule.field}"', f"add {rule.field}: …"
                    )
                broken.add(rule.field)
        return None if any(rule.required and rule.field in broken for rule in wanted) else cls(**values)

    def _field(self, node: Node, rule: Rule, who: str, taken: set[str]) -> tuple[bool, Any]:
        """One field's value, and whether it is sound (a field that is not there is)."""
        found = [name for name in rule.names if name in node.entries]
        taken.update(found)
        if len(found) > 1:
            self._tell_twice(node, found[0], found[1], who)
        if rule.kind is Period and not rule.many:
            spans = [name for name in SPAN if name in node.entries]
            taken.update(spans)
            if found and spans:
                self._tell_twice(node, found[0], spans[0], who)
            elif spans:
                period = self._span(node, who)
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

    def _span(self, node: Node, who: str) -> Period | None:
        start, end = (node.entries.get(key, Node(None, node.place)) for key in SPAN)
        words = f"{start.words} – {end.words}" if end.words else start.words
        if start.words and end.words:
            for key, part in (("start", start), ("end", end)):
                if (
                    not (key == "end" and is_present(part.words))
                    and self._parsed(part, Period, f'"{key}" of {who}') is None
                ):
                    return None
        elif end.words:
            period = self._parsed(end, Period, f'"end" of {who}')
            return Period(end=period.start) if isinstance(period, Period) else None
        return self._parsed(Node(words, (end if end.words else start).place), Period, who) if words else None

    def _tell_twice(self, node: Node, first: str, second: str, who: str) -> None:
        self._problems.tell(
            "key-twice",
            node.key_place(second),
            f'{who} has both "{first}" and "{second}"',
            "keep one of the two",
        )

    def _tell_shape(self, node: Node, who: str, wanted: str) -> None:
        self._problems.tell("wrong-shape", node.place, f"{who} is {node.shape}", f"write {wanted}")

    def _left_over(
        self, node: Node, plan: list[Rule], taken: set[str], who: str, values: dict[str, Any]
    ) -> set[str]:
        """Tell the unknown keys, or collect them where a field takes the rest; the fields that were meant."""
        known = [name for rule in plan if not rule.rest for name in rule.names]
        known += SPAN if any(rule.kind is Period and not rule.many for rule in plan) else ()
        rest = next((rule for rule in plan if rule.rest), None)
        collected: dict[str, Node] = {}
        guesses: set[str] = set()
        for key in node.entries:
            if key in taken:
                continue
            foreign = _known_elsewhere(key, plan)
            near = "" if foreign else did_you_mean(key, known)
            if rest and not foreign and (rest.kind is not Group or node.entries[key].items) and not near:
                collected[key] = node.entries[key]
                continue
            guesses.add(_field_called(foreign or near, plan))
            hint = f'here this is called "{foreign}"' if foreign else suggestion(key, known)
            self._problems.tell("unknown-key", node.key_place(key), f'unknown key "{key}" in {who}', hint)
        if rest and collected:
            values[rest.field] = self._rest(rest, collected, who)
        return guesses

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
        if isinstance(node.value, str) and rule.separated:
            return tuple(word.strip() for word in node.value.split(",") if word.strip())
        children = node.items if isinstance(node.value, tuple) else (node,)
        found = [self._one(child, rule.kind, who) for child in children if child.value is not None]
        return None if any(value is None for value in found) else tuple(found)

    def _one(self, node: Node, kind: Any, who: str) -> Any:
        if _is_nested(kind):
            given = {"source": str(node.place)} if any(r.field == "source" for r in rules(kind)) else {}
            name = main_words(_unfolded(node, rules(kind)), kind)
            return self.value(node, kind, f"{who} ({name})" if name else who, given)
        if node.items and all(isinstance(item.value, str) for item in node.items):
            node = Node(
                ("; " if kind is Markdown else ", ").join(item.words for item in node.items), node.place
            )
        if node.value is None:
            return ""
        if not isinstance(node.value, str):
            self._tell_shape(node, who, "one value")
            return None
        return self._parsed(node, kind, who)

    def _parsed(self, node: Node, kind: Any, who: str) -> Any:
        words = node.words.strip()
        if kind is Address and not is_safe(words):
            self._problems.tell(
                "bad-address",
                node.place,
                f"“{words}” is no address to link to in {who}",
                "write an https:// address",
            )
            return None
        if kind is str or isinstance(kind, NewType):
            return words
        if kind is bool:
            return self._chosen(node, TRUTH, who, words.casefold())
        if kind is int:
            if words.lstrip("-").isdecimal():
                return int(words)
            self._problems.tell(
                "bad-number", node.place, f"“{words}” is not a whole number in {who}", "write digits"
            )
            return None
        if get_origin(kind) is Literal:
            return self._chosen(node, {choice: choice for choice in get_args(kind)}, who, words)
        try:
            return kind.parse(words)
        except ValueError as reason:
            message, hint = (*reason.args, "")[:2]
            self._problems.tell("bad-date", node.place, f"{message} in {who}", hint)
            return None

    def _chosen(self, node: Node, choices: Mapping[str, T], who: str, word: str) -> T | None:
        if word in choices:
            return choices[word]
        names = ", ".join(choices) if len(choices) <= 8 else ""
        near = did_you_mean(word, choices)
        hint = f'did you mean "{near}"?' if near else f"write one of {names}" if names else ""
        self._problems.tell("bad-choice", node.place, f"“{node.words}” is no choice for {who}", hint)
        return None

    def _points(self, node: Node, who: str) -> tuple[Point, ...] | None:
        """Bullets; a mapping of one key is a bullet with the bullets beneath it."""
        children = node.items if isinstance(node.value, tuple) else (node,)
        points: list[Point] = []
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
                self._tell_shape(child, f"a point in {who}", "a text, or a text with a list beneath it")
                return None
        return tuple(points)

    def _links(self, node: Node, who: str) -> tuple[Link, ...] | None:
        """Links as a mapping of labels to addresses, as a list of such, or as bare addresses."""
        found: list[Link] = []
        for label, child in _labelled(node):
            if label.value is None and isinstance(child.value, Mapping):
                self._tell_shape(child, f"a link in {who}", "label: address")
                return None
            for part in child.items if isinstance(child.value, tuple) else (child,):
                if not part.words:
                    continue
                link, complaint = link_of(label.words, part.words)
                if link is None:
                    self._problems.tell(
                        "bad-address", part.place, f"{complaint} in {who}", "write an https:// address"
                    )
                    return None
                found.append(link)
        return tuple(found)


_TEXTS = Rule(field="", kind=Markdown, many=True, required=False, known=Known())


def _is_nested(kind: Any) -> bool:
    """Whether a type is read from a mapping: a dataclass that reads no text itself."""
    return is_dataclass(kind) and not hasattr(kind, "parse")


def _unfolded(node: Node, plan: tuple[Rule, ...]) -> Node:
    """A bare word or a "name: {…}" pair as the mapping it stands for."""
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


def _labelled(node: Node) -> list[tuple[Node, Node]]:
    """Pairs of label and address nodes in order."""
    if isinstance(node.value, str):
        return [(Node(None, node.place), node)]
    if isinstance(node.value, tuple):
        return [pair for item in node.value for pair in _labelled(item)]
    if {"label", "url"} == set(node.entries):
        return [(node.entries["label"], node.entries["url"])]
    return [(Node(key, node.key_place(key)), child) for key, child in node.entries.items()]


def _known_elsewhere(key: str, plan: list[Rule]) -> str:
    """Our name for what another system calls `key`, or ""."""
    folded = key.casefold().replace("-", "_").replace(" ", "_")
    for rule in plan:
        if folded in rule.known.foreign or (folded != key and folded in rule.names):
            return next((name for name in rule.names if name == folded), rule.field)
        if rule.kind is Period and not rule.many:
            for name, others in SPAN.items():
                if folded in others or (folded == name and folded != key):
                    return name
    return ""


def _field_called(name: str, plan: list[Rule]) -> str:
    return next((rule.field for rule in plan if name in rule.names), name)
