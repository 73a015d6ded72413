"""
Changes one value of a YAML text or of front matter, and not another byte.

The place of a value comes from PyYAML; comments, order, quotes and line ends stay. Each result is read again:
if anything but the value would change, the edit is refused.

    set_value("name: Ada\\nrole: PhD  # since May\\n", ("role",), "Postdoc")
    -> "name: Ada\\nrole: Postdoc  # since May\\n"

In the tree of PyYAML, a node has marks for its start and its end; the value of a mapping is a list of pairs
of nodes, and that of a list its items. SourceParts holds the tree of one text; change_data() makes the same
change in the values.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tenure.record import Record
from tenure.sources.editing.edits import BYTE_ORDER_MARK, UneditableError, edit_plain_text
from tenure.sources.editing.yaml_writer import YamlData, format_scalar, format_yaml
from tenure.sources.reading.files import compose_yaml

ValuePath = Sequence[str | int]
"""The keys and the positions, from 0, that lead to a value: ("links", "github"), (2, "title")."""

_FRONT_MATTER = re.compile(
    r"---[ \t]*\n(?P<yaml>.*?)(?P<end>^(?:---|\.\.\.)[ \t]*(?:\n|\Z))", re.DOTALL | re.MULTILINE
)
"""The YAML between the first line of a Markdown file and the next line of three hyphens or dots."""

_FLOW_MARKS = re.compile(r"[,\[\]{}]")
"""Signs that end or begin a value within brackets."""


def set_value(text: str, path: ValuePath, value: YamlData | None) -> str:
    """
    The YAML text with another value at a path; None removes it.

    A key that does not exist is added to its mapping, and the position after the last item adds an item.
    Raises UneditableError if the text is not valid YAML, has nothing at the path, or would change elsewhere.
    """

    def edit(editor: "SourceParts") -> tuple[Any, str]:
        old = find_value(editor.data, path)
        new = None if value in ({}, [], ()) else value
        # the last line of a block ends as before
        if new and isinstance(new, str) and isinstance(old, str) and old.endswith("\n"):
            new = new.rstrip("\n") + "\n"
        return change_data(editor.data, path, new), editor.set_value(path, new)

    return _edit_text(text, edit)


def move_item(text: str, path: ValuePath, position: int) -> str:
    """The YAML text with an item at another position of its list; comments between the items stay."""

    def edit(editor: "SourceParts") -> tuple[Any, str]:
        items = list(find_value(editor.data, path[:-1], []))
        old_position = path[-1]
        if not isinstance(old_position, int) or not {old_position, position} <= {*range(len(items))}:
            raise UneditableError("there is no item at this position")
        items.insert(position, items.pop(old_position))
        return change_data(editor.data, path[:-1], items), editor.move_item(path, position)

    return _edit_text(text, edit)


def replace_source_part(text: str, path: ValuePath, part: str) -> str:
    """
    The YAML text with other YAML in place of the value at a path, which may be "{}". Raises UneditableError.
    """

    def edit(editor: "SourceParts") -> tuple[Any, str]:
        if not part.strip():
            return change_data(editor.data, path, None), editor.set_value(path, None)
        start, end, column = editor.find_span(editor.find_node(path))
        lines = re.sub(r"\n(?=[^\n])", "\n" + " " * column, part.strip("\n").replace("\r\n", "\n"))
        edited = editor.text[:start] + lines + editor.text[end:]
        return change_data(editor.data, path, read_data(f"{part}\n")), edited

    return _edit_text(text, edit)


def _edit_text(text: str, edit: "Callable[[SourceParts], tuple[Any, str]]") -> str:
    """The text after an edit, which returns the values that are wanted and the text."""

    def edit_plain(plain: str) -> str:
        data, edited = edit(SourceParts(plain))
        if not _is_equal(edited, data):
            raise UneditableError(
                "this value cannot be changed here without changing others; change it in the text"
            )
        return edited

    return edit_plain_text(text, edit_plain)


def _is_equal(text: str, data: Any) -> bool:
    """Whether a YAML text has these values."""
    try:
        return (read_data(text) or None) == (data or None)
    except UneditableError:
        return False


def edit_front_matter(text: str, edit: Callable[[str], str]) -> str:
    """
    The text of a Markdown file after an edit of the YAML of its front matter, which is added if there is
    none.
    """

    def edit_plain(plain: str) -> str:
        match = _FRONT_MATTER.match(plain)
        if match is None:
            return f"---\n{edit('')}---\n\n{plain.lstrip()}"
        return plain[: match.start("yaml")] + edit(match["yaml"]) + plain[match.end("yaml") :]

    return edit_plain_text(text, edit_plain)


def set_markdown_body(text: str, body: str) -> str:
    """The Markdown file with another text below its front matter; the empty lines around the text stay."""

    def edit_plain(plain: str) -> str:
        old = split_front_matter(plain)[1]
        head = plain.removesuffix(old)
        if old.strip():
            before = old[: len(old) - len(old.lstrip("\n"))]
            after = old[len(old.rstrip()) :]
        else:
            # one empty line below the front matter
            before = "\n" if head else ""
            after = "\n"
        return f"{head}{before}{body.strip()}{after}"

    return edit_plain_text(text, edit_plain)


def split_front_matter(text: str) -> tuple[str, str]:
    """The YAML of the front matter of a Markdown file, "" without one, and its text."""
    plain = text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n")
    match = _FRONT_MATTER.match(plain)
    if match:
        return (match["yaml"], plain[match.end() :])
    return ("", plain)


class Source(Record):
    """A YAML, Markdown or .bib file as a browser has it: its name in the site, and its text."""

    file: str
    text: str

    @property
    def is_markdown(self) -> bool:
        """Whether the YAML of the file is its front matter."""
        return self.file.endswith((".md", ".markdown"))

    def read_data(self) -> Any:
        """The values of the YAML. Raises UneditableError if it is not valid."""
        return read_data(split_front_matter(self.text)[0] if self.is_markdown else self.text)

    def edit_yaml(self, edit: Callable[[str], str]) -> str:
        """The text after an edit of the YAML."""
        return edit_front_matter(self.text, edit) if self.is_markdown else edit(self.text)


def read_tree(text: str) -> tuple[Any, Any]:
    """The nodes of a YAML text with their marks, and its values; UneditableError if it is not valid."""
    try:
        return compose_yaml(text)
    except ValueError as error:
        raise UneditableError(str(error)) from error


def read_data(text: str) -> Any:
    """The values of a YAML text: None, strings, lists, dictionaries; UneditableError if it is not valid."""
    return read_tree(text)[1]


def list_children(node: Any, path: ValuePath) -> list[tuple[str | int, Any, Any]]:
    """The key or the position, the node of the key and that of the value of each child at a path."""
    for key in path:
        node = next(value for name, _, value in list_children(node, []) if name == key)
    if node is None or node.id == "scalar":
        return []
    if node.id == "sequence":
        return [(position, item, item) for position, item in enumerate(node.value)]
    return [(name.value, name, value) for name, value in node.value]


def find_value(data: Any, path: ValuePath, missing: Any = None) -> Any:
    """The value at a path, or `missing` if there is none."""
    for key in path:
        is_item = isinstance(data, list) and isinstance(key, int) and key < len(data)
        if not is_item and not (isinstance(data, dict) and key in data):
            return missing
        data = data[key]
    return data


def change_data(data: Any, path: ValuePath, value: YamlData | None) -> Any:
    """
    The values with another one at a path; what is empty after a removal is removed, too.

    {a: {b: 1}}, ("a", "b"), 2 -> {a: {b: 2}}; None -> {}. [x], (1,), "y" -> [x, y]
    """
    if not path:
        return value
    key, *rest = path
    if isinstance(key, int):
        items = list(data or ())
        if key > len(items) or not isinstance(data or [], list):
            raise UneditableError("there is no item at this position")
        old = items[key] if key < len(items) else None
        changed = change_data(old, rest, value)
        # in place of the old item; behind the last one there is none
        del items[key : key + 1]
        if value is not None or changed not in (None, {}, []):
            items.insert(key, changed)
        return items

    if not isinstance(data or {}, dict):
        raise UneditableError(f'there is no key "{key}" here')
    mapping = dict(data or {})
    changed = change_data(mapping.get(key), rest, value)
    if value is None and changed in (None, {}, []):
        mapping.pop(key, None)
    else:
        mapping[key] = changed
    return mapping


def _format_flow(value: YamlData) -> str:
    """A value within brackets: `[a, "b, c"]`, `{code: "https://…"}`."""
    if isinstance(value, str):
        scalar = format_scalar(value)
        has_marks = _FLOW_MARKS.search(value) and scalar == value
        if has_marks or "\n" in value:
            return json.dumps(value, ensure_ascii=False)
        return scalar
    if isinstance(value, Mapping):
        pairs = [f"{_format_flow(key)}: {_format_flow(item)}" for key, item in value.items()]
        return f"{{{', '.join(pairs)}}}"
    return f"[{', '.join(map(_format_flow, value))}]"


def _wrap(key: str | int, value: YamlData) -> YamlData:
    """A value below its key, or as the item of a list: "name", "Ada" -> {name: Ada}; 0, "Ada" -> [Ada]."""
    return [value] if isinstance(key, int) else {key: value}


def _list_spans(container: Any) -> list[tuple[Any, Any]]:
    """The first and the last node of each pair or item: the key and its value, or the item twice."""
    return [child if isinstance(child, tuple) else (child, child) for child in container.value]


class SourceParts:
    """The nodes of one YAML text with their places and parts, and its edits; each returns the whole text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.root, self.data = read_tree(text)

    def find_node(self, path: ValuePath) -> Any:
        """The node at a path. Raises UneditableError if there is none."""
        node: Any = self.root
        for key in path:
            node = self._find_child(node, key)
            if node is None:
                raise UneditableError("there is nothing at this place")
        return node

    def find_span(self, node: Any) -> tuple[int, int, int]:
        """
        Where a node begins and ends, and its indentation: 2 for the mapping in "a:\\n  b: 1"; 0 in one line.
        """
        is_block = node.id != "scalar" and not node.flow_style
        return node.start_mark.index, self.find_end(node), node.start_mark.column if is_block else 0

    def read_part(self, node: Any) -> str:
        """
        The YAML of a node as it is written, without its indentation.

        the value of a in "a:\\n  b: 1 # x\\n  c: 2\\n" -> "b: 1 # x\\nc: 2"
        """
        start, end, column = self.find_span(node)
        return self.text[start:end].replace("\n" + " " * column, "\n")

    def set_value(self, path: ValuePath, value: YamlData | None) -> str:
        """
        The text with another value at a path: changed if all keys are there, else added; None removes it.
        """
        # the root, and the node of each key as far as the text has one
        nodes = [self.root]
        for key in path:
            child = self._find_child(nodes[-1], key)
            if child is None:
                break
            nodes.append(child)

        depth = len(nodes) - 1
        parent = nodes[-2] if depth else None
        if depth < len(path):
            if value is None:
                return self.text
            return self._add(nodes[-1], parent, path, depth, value)
        if value is None:
            return self._remove(path)
        return self._replace(nodes[-1], parent, path[-1] if path else "", value)

    def _add(self, node: Any, parent: Any, path: ValuePath, depth: int, value: YamlData) -> str:
        """
        The text with a value whose path has nodes only to a depth, of which `node` is the last.

        "a: {b: 1}", ("a", "c", "d"), depth 1, "x" -> "a: {b: 1, c: {d: x}}"
        """
        for key in reversed(path[depth + 1 :]):
            value = _wrap(key, value)
        key = path[depth]
        container = "sequence" if isinstance(key, int) else "mapping"
        # a mapping or a list with values gets one more; "a:" or "a: []" is replaced
        if node is not None and node.id == container and node.value:
            return self._append(node, key, value)
        if depth == 0:
            return self._append_block(format_yaml(_wrap(key, value)))
        return self._replace(node, parent, path[depth - 1], _wrap(key, value))

    def move_item(self, path: ValuePath, position: int) -> str:
        """The text with an item of a list at another position; what is between the items stays."""
        spans = [(item.start_mark.index, self.find_end(item)) for item in self.find_node(path[:-1]).value]
        texts = [self.text[start:end] for start, end in spans]
        texts.insert(position, texts.pop(int(path[-1])))
        text = self.text
        for (start, end), item_text in reversed([*zip(spans, texts, strict=True)]):
            text = text[:start] + item_text + text[end:]
        return text

    @staticmethod
    def _find_child(node: Any, key: str | int) -> Any:
        """The node of a value in a mapping or a list; None if there is none."""
        return next((value for name, _, value in list_children(node, []) if name == key), None)

    def find_end(self, node: Any) -> int:
        """The position after a node, without the comments and the empty lines that PyYAML adds to a block."""
        # a block ends with its last value
        if node.id != "scalar" and not node.flow_style and node.value:
            return self.find_end(_list_spans(node)[-1][1])
        # a text of several lines, after "|", ends with its last word
        end = int(node.end_mark.index)
        if node.id == "scalar" and node.style in ("|", ">"):
            return int(node.start_mark.index) + len(self.text[node.start_mark.index : end].rstrip())
        return end

    def _replace(self, node: Any, parent: Any, key: str | int, value: YamlData) -> str:
        """
        The text with another value in place of a node; `key` is that of the node in its parent.

        "a: 'x'  # y" -> "a: 'z'  # y"; a list -> "a:  # y\\n  - z"; in "{a: x}" -> "{a: [z]}"
        """
        start = node.start_mark.index
        end = self.find_end(node)
        line_rest = self.text[end:].partition("\n")[0].strip()
        column = node.start_mark.column
        in_mapping = parent and parent.id == "mapping"
        if in_mapping:
            key_node = next(name for name, _ in parent.value if name.value == key)
            column = key_node.start_mark.column + 2

        # a list in place of [R, C] is in brackets too, and so is everything within brackets
        was_in_brackets = node.id != "scalar" and node.flow_style
        is_within_brackets = parent and parent.flow_style
        if is_within_brackets or (was_in_brackets and not isinstance(value, str)):
            new = _format_flow(value)
        elif isinstance(value, str):
            new = self._format_scalar(node, value, " " * column, is_last=not line_rest)
        else:
            new = format_yaml(value).rstrip("\n").replace("\n", "\n" + " " * column)
            if in_mapping:
                return self._replace_by_block(node, f"\n{' ' * column}{new}", line_rest)
        # "a:" or "-" without a value
        if start == end and self.text[start - 1 : start] in (":", "-"):
            new = f" {new}"
        return self.text[:start] + new + self.text[end:]

    def _replace_by_block(self, node: Any, block: str, line_rest: str) -> str:
        """The text with the lines of a block below the key of a node; a comment stays beside the key."""
        before = self.text[: node.start_mark.index]
        after = self.text[self.find_end(node) :]
        if node.id != "scalar" and not node.flow_style:
            return f"{before.rstrip()}{block}{after}"
        # "a: x  # y" -> "a:  # y" and the block
        comment = f"  {line_rest}" if line_rest else ""
        _, line_end, following = after.partition("\n")
        return f"{before.rstrip(' ')}{comment}{block}{line_end}{following}"

    def _format_scalar(self, node: Any, value: str, indent: str, *, is_last: bool) -> str:
        """
        A text in the style of the scalar that it replaces; `is_last`: nothing follows in its line.

        'old' -> 'it''s new'; "old" -> "new"; | -> | with the new lines below it
        """
        style = node.style if node.id == "scalar" else None
        if style in ("|", ">") and value.strip("\n") and is_last:
            header = self.text[node.start_mark.index :].partition("\n")[0].rstrip()
            lines = value.rstrip("\n").split("\n")
            if not lines[0].startswith(" ") and header.rstrip("+-") in ("|", ">"):
                indented = [indent + line if line else "" for line in lines]
                return "\n".join([header.replace(">", "|"), *indented])

        if "\n" in value and not is_last:
            return json.dumps(value, ensure_ascii=False)
        if style == "'" and value.isprintable():
            return "'" + value.replace("'", "''") + "'"
        if style in ("'", '"'):
            return json.dumps(value, ensure_ascii=False)
        return format_scalar(value, indent)

    def _append(self, node: Any, key: str | int, value: YamlData) -> str:
        """
        The text with another pair or item at the end of a mapping or a list that is not empty.

        "- a\\n- b\\n" -> "- a\\n- b\\n- c\\n"; "[a]" -> "[a, c]". Where items have empty lines between them,
        the new one has one too.
        """
        new = _wrap(key, value)
        if node.flow_style:
            end = self.find_end(_list_spans(node)[-1][1])
            return f"{self.text[:end]}, {_format_flow(new)[1:-1]}{self.text[end:]}"

        indent = " " * self._find_column(node)
        block = format_yaml(new).rstrip("\n").replace("\n", "\n" + indent)
        end = self.find_end(node)
        end += len(self.text[end:].partition("\n")[0])
        separator = "\n"
        if isinstance(key, int) and len(node.value) > 1:
            between = self.text[self.find_end(node.value[-2]) : node.value[-1].start_mark.index]
            separator = "\n\n" if "\n\n" in between else "\n"
        return f"{self.text[:end]}{separator}{indent}{block}{self.text[end:] or chr(10)}"

    def _append_block(self, block: str) -> str:
        """The text with a block at its end; a text that is only "{}" or "[]" is replaced."""
        root = self.root
        if root is not None and self.find_end(root) > root.start_mark.index:
            return self.text[: root.start_mark.index] + block + self.text[self.find_end(root) :].lstrip("\n")
        separator = "\n"
        if not self.text or self.text.endswith("\n"):
            separator = ""
        return f"{self.text}{separator}{block}"

    def _remove(self, path: ValuePath) -> str:
        """The text without the pair or the item at a path; a container that would be empty goes, too."""
        while len(path) > 1 and len(self.find_node(path[:-1]).value) == 1:
            path = path[:-1]
        if not path:
            return ""

        parent = self.find_node(path[:-1])
        names = [name for name, _, _ in list_children(parent, [])]
        position = names.index(path[-1])
        if parent.flow_style:
            return self._remove_from_flow(parent, position)

        spans = _list_spans(parent)
        start = self._find_item_start(parent, spans[position][0])
        end = self.find_end(spans[position][1])
        line_stop = end + len(self.text[end:].partition("\n")[0]) + 1
        line_start = self.text.rfind("\n", 0, start) + 1
        # the first of a mapping or a list that begins after a dash: "- a: 1\\n  b: 2" -> "- b: 2"
        if self.text[line_start:start].strip():
            return self.text[:start] + self.text[self._find_item_start(parent, spans[position + 1][0]) :]

        before = self.text[:line_start]
        rest = self.text[line_stop:]
        # one of the empty lines on both sides goes, too
        if before.endswith("\n\n") and (rest.startswith("\n") or not rest.strip()):
            before = before.rstrip("\n") + "\n"
        return before + rest

    def _remove_from_flow(self, parent: Any, position: int) -> str:
        """The text without a pair or an item within brackets, and without the comma before or after it."""
        spans = _list_spans(parent)
        start = spans[0][0].start_mark.index
        end = self.find_end(spans[position][1])
        if position:
            start = self.find_end(spans[position - 1][1])
        elif len(spans) > 1:
            end = spans[1][0].start_mark.index
        return self.text[:start] + self.text[end:]

    def _find_item_start(self, parent: Any, node: Any) -> int:
        """The position of the key of a pair, or of the dash of an item."""
        if parent.id == "mapping":
            return int(node.start_mark.index)
        before = self.text[: node.start_mark.index].rstrip(" \n")
        if not before.endswith("-"):
            raise UneditableError("a comment follows the hyphen of this item; change it in the text")
        return len(before) - 1

    def _find_column(self, node: Any) -> int:
        """The number of characters before the keys or the dashes of a block; an anchor is before them."""
        start = self._find_item_start(node, _list_spans(node)[0][0])
        return start - self.text.rfind("\n", 0, start) - 1
