"""
Source files: their search, encodings, and conversion of YAML and front matter to Nodes.

find_files() lists the files of a folder, read_source_text() reads one,
and parse_yaml() and parse_markdown_file() make Nodes of its text. Each reports what it cannot read.
"""

import codecs
import errno
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from tenure.limits import MAX_NESTING, MAX_REPAIRED_YAML, MAX_TEXT_SIZE, MAX_YAML_NODES, cache_texts
from tenure.model.files import FileIndex
from tenure.problems import Edit, Place, Problems
from tenure.publish import Artifact
from tenure.record import Record, replace
from tenure.source_paths import is_ignored_name, is_symlink_loop, resolve_path
from tenure.sources.latex.in_texts import convert_latex
from tenure.sources.reading.node import Node
from tenure.sources.reading.yaml_hints import (
    ENTRIES_HINT,
    TEMPLATE_BRACES_MESSAGE,
    TOO_DEEP_MESSAGE,
    ParseFailure,
    YamlMistake,
    build_edit,
    build_unescape_edits,
    diagnose_failure,
    find_list_name,
    quote_excerpt,
    quote_value,
)


class MarkdownFile(Record):
    """A Markdown file: its front matter, its text, and the number of the first line of the text."""

    front_matter: Node
    body: str
    body_line: int


def find_files(folder: Path, display_name: str, problems: Problems) -> Iterator[Path]:
    """
    Every file below a folder in a fixed order, without hidden and temporary files.

    `display_name` is the path of the folder in messages. What cannot be read is reported: a closed folder, a
    pipe, a device, a name that is not UTF-8, a symbolic link that leaves the site or points to a folder that
    contains it.
    """
    site_folders = [resolve_path(path) for path in (folder, folder.parents[display_name.count("/")])]

    def report_unreadable(path: str, message: str, hint: str) -> None:
        # /home/ada/site/content/a -> content/a; "." is the folder itself, and a name may be no UTF-8
        relative_path = Path(path).relative_to(folder).as_posix().encode("utf-8", "replace").decode()
        name = display_name if relative_path == "." else f"{display_name}/{relative_path}"
        problems.report("unreadable", Place(name), message, hint)

    def report_closed_folder(error: OSError) -> None:
        # a folder that does not exist is none that cannot be read: os.walk calls this for both
        if isinstance(error, NotADirectoryError):
            hint = "rename the file, and make a folder with this name"
            report_unreadable(str(error.filename), "this is a file, and not a folder", hint)
        elif not isinstance(error, FileNotFoundError):
            message = f"this folder cannot be read: {error.strerror}"
            report_unreadable(str(error.filename), message, "check its permissions")

    for base, folders, files in os.walk(folder, onerror=report_closed_folder, followlinks=True):
        folders[:] = sorted(name for name in folders if not is_ignored_name(name))
        for link in [Path(base, name) for name in folders]:
            reason = _find_reason_to_skip(link, site_folders)
            if reason:
                folders.remove(link.name)
                report_unreadable(str(link), *reason)

        for path in [Path(base, name) for name in sorted(files) if not is_ignored_name(name)]:
            reason = _find_reason_to_skip(path, site_folders)
            if reason:
                report_unreadable(str(path), *reason)
            elif not _is_private_key(path):
                yield path


def _is_private_key(path: Path) -> bool:
    """Whether a file without a suffix, or with .key, is a private key; slides in .key are ZIP files."""
    suffix = path.suffix.casefold()
    if suffix not in ("", ".key"):
        return False
    with path.open("rb") as file:
        start = file.read(100)
    return b"PRIVATE KEY" in start or (suffix == ".key" and not start.startswith(b"PK"))


def _find_reason_to_skip(path: Path, site_folders: Sequence[Path]) -> tuple[str, str] | None:
    """Why a file or folder is not read, and the repair; None if it can be read."""
    if path.name.encode("utf-8", "replace").decode() != path.name:
        return "the name of this file is not UTF-8", "rename it"
    if path.is_symlink():
        if is_symlink_loop(os.fspath(path)):
            return "this symbolic link points to a folder that contains it", "delete it"
        target = resolve_path(path)
        if target.exists() and not any(target.is_relative_to(folder) for folder in site_folders):
            return (
                "this symbolic link leaves the folder of the site, whose files are published",
                "replace the link by a copy of what it points to",
            )
    return _find_access_problem(path)


def _find_access_problem(path: Path) -> tuple[str, str] | None:
    """Why a path is neither a folder nor a readable file, and the repair; None if it is one of them."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        if path.is_symlink() and error.errno == errno.ELOOP:
            return "this symbolic link points to itself", "delete it"
        if path.is_symlink() and error.errno == errno.ENOENT:
            return "this symbolic link points to a missing file", "restore the file, or delete the link"
        return f"this file cannot be read: {error.strerror}", "check its permissions"

    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        return "this is a pipe, a socket or a device, and not a file", "delete it"
    if stat.S_ISREG(mode) and not os.access(path, os.R_OK):
        return "this file cannot be read: Permission denied", "check its permissions"
    return None


_MERGE_CONFLICT = r"(?m)^<{7} .*$(?=[\s\S]*^>{7} )"
"""<<<<<<< HEAD, if >>>>>>> main follows."""


def read_source_text(path: Path, name: str, problems: Problems) -> str | None:
    """The text of a file with LF line ends; None and a report if it cannot be read, or is too large."""
    reason = _find_reason_not_to_read(path)
    if reason:
        problems.report("unreadable", Place(name), *reason)
        return None
    text = _decode_file(path, name, problems)
    if text is None:
        return None

    text = text.replace("\r\n", "\n").replace("\r", "\n")
    problems.add_source(name, text)
    conflict = "<<<<<<< " in text and re.search(_MERGE_CONFLICT, text)
    if not conflict:
        return text

    place = Place(name, text.count("\n", 0, conflict.start()) + 1, 1, len(conflict[0]))
    hint = "keep one version, and delete the lines <<<<<<<, ======= and >>>>>>>"
    message = "this file has both versions of a merge conflict in Git"
    # of a .bib file, each entry of both versions can be read
    if name.endswith(".bib"):
        problems.report("bib-syntax", place, f"{message}; both are read", hint)
        return text
    problems.report("merge-marks", place, message, hint)
    return None


def _find_reason_not_to_read(path: Path) -> tuple[str, str] | None:
    """Why the text of a path is not read, and the repair; None if it can be read."""
    if path.is_dir():
        return "this is a folder, and not a file", "rename it or delete it"
    reason = _find_access_problem(path)
    if reason:
        return reason
    size = path.stat().st_size
    if size <= MAX_TEXT_SIZE:
        return None
    message = f"this text has {size // 1_000_000:,} MB; at most {MAX_TEXT_SIZE // 1_000_000} MB are read"
    return message, "divide it into several files"


def _decode_file(path: Path, name: str, problems: Problems) -> str | None:
    """The text of a file in UTF-8, or of a .bib file in Windows-1252; None and a report otherwise."""
    data = path.read_bytes().removeprefix(codecs.BOM_UTF8)
    is_bib = path.suffix == ".bib"
    # UTF-16, ISO-2022-JP
    is_foreign = is_bib and re.search(rb"\0|\x1b[$(]", data)
    position = 0
    try:
        text = data.decode()
        if not is_foreign:
            return text
    except UnicodeDecodeError as error:
        position = error.start
        text = data.decode("cp1252" if is_bib and not is_foreign else "utf-8", errors="replace")

    problems.add_source(name, text)
    before = data[:position].decode(errors="replace")
    place = Place(name, before.count("\n") + 1, len(before) - before.rfind("\n"), 1)
    hint = "save it as UTF-8 in your editor"
    if is_bib and not is_foreign:
        problems.report("bib-syntax", place, "this file is not UTF-8, and is read as Windows-1252", hint)
        return text
    problems.report("encoding", place, "this file is not UTF-8", hint)
    return None


def find_content_file(root: Path, stem: str) -> Path | None:
    """The YAML file in content/ with this name, also one that cannot be read; None if there is none."""
    paths = (root / f"content/{stem}.yaml", root / f"content/{stem}.yml")
    return next((path for path in paths if os.path.lexists(path)), None)


_LINE_SEPARATORS = {0x85: " ", 0x2028: " ", 0x2029: " "}
"""Characters that YAML 1.1 counts as line ends, and no editor does."""


_NO_BREAK_SPACE = r"""(?mx)
    ^( [ \t]* (?: -\ +)*
       (?: [^\W\d_][\w\ -]*:             # title:
         | [-•·▪‣●◦] ) )                  # •
    [\t\u00a0\u2007\u202f] (?= [^\S\n]*\S )
"""
"""
A no-break space after a key or a hyphen, as in text from a web page: YAML reads it as a letter.
A tab after a bullet of an office program.
"""


def compose_yaml(text: str) -> tuple[Any, Any]:
    """
    The tree of nodes of PyYAML with its marks, and its values (None, strings, lists, dictionaries).

    Each node has an `id`: "scalar", "sequence" or "mapping". Raises ValueError if the text is not valid YAML.
    """
    try:
        return yaml.compose(text, yaml.BaseLoader), yaml.load(text, yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError) as error:
        mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
        place = f"line {mark.line + 1}" if mark else "the text"
        raise ValueError(f"{place} is not valid YAML") from error


def read_yaml(path: Path, name: str, problems: Problems) -> Node | None:
    """The YAML of a file as a Node; None and a report if the file cannot be read or is not valid YAML."""
    text = read_source_text(path, name, problems)
    return None if text is None else parse_yaml(text, name, problems)


def parse_yaml(text: str, name: str, problems: Problems) -> Node | None:
    """The YAML of a file as a Node, the same for the same text; None and a report if it is not valid."""
    text = text.translate(_LINE_SEPARATORS)
    if any(space in text for space in "\t\u00a0\u2007\u202f"):
        text = re.sub(_NO_BREAK_SPACE, r"\1 ", text)
    return _parse_clean_yaml(text, name) or _YamlComposer(name, problems).compose_text(text)


@cache_texts
def _parse_clean_yaml(text: str, name: str) -> Node | None:
    """The YAML of a file without problems; None if there are problems (only clean results are cached)."""
    problems = Problems()
    node = _YamlComposer(name, problems).compose_text(text)
    return None if problems.count() else node


def parse_markdown_file(text: str, name: str, problems: Problems) -> MarkdownFile | None:
    """Parse a Markdown file with or without front matter; None and a report if that is invalid."""
    lines = text.split("\n")
    mistake = _find_front_matter_mistake(text, lines, name)
    if mistake:
        problems.report("front-matter", *mistake)
        return None

    front_matter: Node | None = Node({}, Place(name, 1, 1))
    end = -1
    if lines[0].rstrip() == "---":
        end = next(n for n, line in enumerate(lines) if n and line.rstrip() in ("---", "..."))
        written = parse_yaml("\n" + "\n".join(lines[1:end]), name, problems)
        front_matter = front_matter if written and written.value is None else written
    if front_matter is None:
        return None
    if not isinstance(front_matter.value, dict):
        message = f"front matter is {front_matter.shape}"
        problems.report("wrong-shape", front_matter.place, message, 'write "key: value" lines')
        return None

    # the line of the first word, behind the front matter and empty lines
    body = "\n".join(lines[end + 1 :])
    body_line = 1 if end < 0 else end + 2 + len(body) - len(body.lstrip("\n"))
    return MarkdownFile(front_matter, _read_body(body.strip("\n"), name, body_line, problems), body_line)


def _find_front_matter_mistake(
    text: str, lines: list[str], name: str
) -> tuple[Place, str, str, tuple[Edit, ...]] | None:
    """The place, message, hint and repair of front matter that is TOML, too low, or never closed."""
    ends = [line.rstrip() for line in lines[1:]]
    if lines[0].rstrip() == "+++" and "+++" in ends:
        hint = "write --- instead of +++, and key: value instead of key = value"
        return Place(name, 1, 1, 3), "this front matter is TOML, not YAML", hint, ()
    # empty lines, then ---, then title: Graphs
    if below := re.match(r"(\s*\n)---\s*\n\w+:\s", text):
        edit = Edit(Place(name, 1, 1, below.end(1)), "")
        place = Place(name, below[1].count("\n") + 1, 1, 3)
        return place, "front matter must begin in line 1", "delete the empty lines above it", (edit,)

    if lines[0].rstrip() != "---" or {"---", "..."} & {*ends}:
        return None
    # it may end in "- --", "--" or "-----"
    rule = next((number for number, line in enumerate(ends, 1) if re.fullmatch(r"-[- ]*", line)), 0)
    place = Place(name, rule + 1, 1, len(lines[rule].rstrip()))
    if rule:
        return place, "front matter is never closed", "write ---", (Edit(place, "---"),)
    return place, "front matter is never closed", "add a line --- after the last key", ()


def _read_body(body: str, name: str, body_line: int, problems: Problems) -> str:
    """The text of a Markdown file with its LaTeX commands as Markdown; the first changed line is reported."""
    converted = convert_latex(body)
    if converted != body:
        lines = zip(body.split("\n"), converted.split("\n"), strict=True)
        number, line = next((n, new) for n, (old, new) in enumerate(lines, body_line) if old != new)
        _report_latex(Place(name, number, 1), line, problems)
    return converted


def _report_latex(place: Place, text: str, problems: Problems) -> None:
    problems.report("alias", place, "LaTeX in a text is read as Markdown", f"write {quote_excerpt(text)}")


YAML_LOADER: type[yaml.BaseLoader] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Uses the C parser if PyYAML was built with it. Does not convert scalars to types."""

STANDARD_TAGS = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map"))
NULL_VALUES = frozenset({"", "~", "null", "Null", "NULL"})

_INTERPRETED_ESCAPES = r"[\a\b\f\v\x1b]|\t(?:imes|heta|au|ext)|\r(?:ho|ight)|\n(?:abla|eq|u\b)"
"""The result of \\beta, \\frac or \\times in double quotes: YAML interprets \\b, \\f and \\t as escapes."""


_LIST_ITEM = r"[-•·▪‣●◦][ \t]+\S"
_NUMBERED_ITEM = r"\d{1,2}[.)] +\S"
"""The beginning of an item as YAML, Markdown and office programs write it."""

_NUMBER_AFTER_VALUE = r"\s+#(?=\d| \d+\s*(?:$|[,;)]))."
"""A number that belongs to the value, `Prize #1`, `Hall # 3`; `# 3 papers` is a comment."""


class _YamlComposer:
    """Converts the YAML of one file to Nodes."""

    def __init__(self, name: str, problems: Problems) -> None:
        self._name = name
        self._problems = problems
        self._remaining_nodes = MAX_YAML_NODES
        self._repairs: dict[int, Edit] = {}
        """The repair of a line; a line has at most one."""

    def compose_text(self, text: str) -> Node | None:
        """
        The text as a Node; None and a report if it is not valid YAML.

        What has a certain repair is reported, and the rest is read, so that all mistakes are reported.
        """
        while True:
            self._lines = text.split("\n")
            try:
                return None if self._report_if_too_deep(text) else self._compose_document(text)
            except yaml.MarkedYAMLError as error:
                mistake = diagnose_failure(_describe_failure(self._name, text, error))
            except yaml.YAMLError:
                mistake = _find_forbidden_character(text)
            except RecursionError:
                mistake = YamlMistake(1, 1, 1, *TOO_DEEP_MESSAGE)

            # one repair for each line, so that this ends
            edit = next(iter(mistake.edits), None)
            is_too_long = len(self._repairs) * len(text) > MAX_REPAIRED_YAML
            if edit is None or is_too_long or edit.place.line in self._repairs:
                self._report_mistake(mistake)
                return None

            self._report_mistake(mistake, "yaml-repaired" if mistake.is_read else "yaml-syntax")
            self._repairs[edit.place.line] = edit
            line = self._lines[edit.place.line - 1]
            start = edit.place.column - 1
            self._lines[edit.place.line - 1] = line[:start] + edit.text + line[start + edit.place.length :]
            text = "\n".join(self._lines)

    def _find_source_column(self, line: int, column: int) -> int:
        """The column of the source for a column of the repaired text; both begin at 1."""
        repair = self._repairs.get(line)
        if repair and column > repair.place.column:
            return max(repair.place.column, column - len(repair.text) + repair.place.length)
        return column

    def _report_if_too_deep(self, text: str) -> bool:
        """
        Whether values are nested too deeply for the stack of the C parser, which would end the process.

        The events of a document are read without a stack, but only for a text that may be nested deeply.
        """
        has_many_brackets = text.count("[") + text.count("{") >= MAX_NESTING
        # "- - - -" and "? ? ?" nest within a line, and other blocks by indentation
        starts = (line[:MAX_NESTING] for line in self._lines if len(line) >= MAX_NESTING)
        if not has_many_brackets and all(start.strip("-?: \t") for start in starts):
            return False

        depth = 0
        for event in yaml.parse(text, Loader=YAML_LOADER):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            if depth > MAX_NESTING:
                line, column = _read_position(event.start_mark)
                self._report_mistake(YamlMistake(line + 1, column + 1, 1, *TOO_DEEP_MESSAGE))
                return True
        return False

    def _compose_document(self, text: str) -> Node | None:
        """The first document of a file; a second one is reported. None if its aliases expand too far."""
        documents = list(yaml.compose_all(text, Loader=YAML_LOADER))
        if len(documents) > 1:
            numbers = range(min(documents[1].start_mark.line + 1, len(self._lines)), 0, -1)
            line = next((number for number in numbers if self._lines[number - 1][:3] == "---"), 1)
            message = "three hyphens begin a second document, which is not read"
            self._problems.report("yaml-syntax", Place(self._name, line, 1, 3), message, "delete this line")

        if not documents or documents[0] is None:
            return Node(None, Place(self._name, 1, 1))
        node = self._convert_node(documents[0])
        if self._remaining_nodes < 0:
            message = "the YAML aliases in this file expand to too much text"
            self._problems.report("yaml-syntax", node.place, message, "write the values out")
            return None
        return node

    def _report_mistake(self, mistake: YamlMistake, code: str = "yaml-syntax") -> None:
        """Report a mistake of a parsed text at its place in the source, with its repair there."""
        column = self._find_source_column(mistake.line, mistake.column)
        place = Place(self._name, mistake.line, column, mistake.length)
        edits = tuple(map(self._place_edit_in_source, mistake.edits))
        self._problems.report(code, place, mistake.message, mistake.hint, edits)

    def _place_edit_in_source(self, edit: Edit) -> Edit:
        """The edit with the name of this file and the column of the source in its place."""
        column = self._find_source_column(edit.place.line, edit.place.column)
        return replace(edit, place=replace(edit.place, file=self._name, column=column))

    def _find_place(self, node: yaml.Node) -> Place:
        """The place of a value in the source; its length is 0 if it ends in another line."""
        mark = node.start_mark
        end = node.end_mark
        column = self._find_source_column(mark.line + 1, mark.column + 1)
        end_column = self._find_source_column(end.line + 1, end.column + 1)
        length = end_column - column if end.line == mark.line else 0
        return Place(self._name, mark.line + 1, column, max(0, length))

    def _convert_node(self, yaml_node: yaml.Node) -> Node:
        """
        A value of the library as a Node; a tag such as !!binary is reported. Aliases expand up to a limit.

        A mapping as a key, {{ title }}: , is a placeholder of a template, and reported as such.
        """
        place = self._find_place(yaml_node)
        self._remaining_nodes -= 1
        if self._remaining_nodes < 0:
            return Node(None, place)
        if yaml_node.tag not in STANDARD_TAGS:
            text = self._read_tag_as_text(yaml_node)
            if text:
                return Node(text, place)
            tag = yaml_node.tag.replace("tag:yaml.org,2002:", "!!")
            hint = "remove the tag" if tag.startswith("!!") else "put it in quotes"
            tag_place = replace(place, length=len(tag))
            self._problems.report("yaml-syntax", tag_place, f"a value cannot begin with {tag}", hint)

        if isinstance(yaml_node, yaml.MappingNode):
            if any(isinstance(key, yaml.MappingNode) for key, _ in yaml_node.value):
                mistake = YamlMistake(place.line, place.column, place.length, *TEMPLATE_BRACES_MESSAGE)
                self._report_mistake(mistake)
                return Node("{{", place)
            return self._convert_mapping(yaml_node.value, place)
        if isinstance(yaml_node, yaml.SequenceNode):
            return Node(tuple(self._convert_node(item) for item in yaml_node.value), place)
        if isinstance(yaml_node, yaml.ScalarNode):
            return self._convert_scalar(yaml_node, place)
        return Node(None, place)

    def _read_tag_as_text(self, yaml_node: yaml.Node) -> str:
        """
        The text of a value that begins with one "!", which is reported; "" for any other value.

        title: !Kung people -> "!Kung people", which YAML reads as the tag !Kung and the value "people"
        """
        start = yaml_node.start_mark
        end = yaml_node.end_mark
        is_plain = isinstance(yaml_node, yaml.ScalarNode) and not yaml_node.style and start.line == end.line
        text = self._lines[start.line][start.column : end.column].rstrip()
        if not is_plain or not re.match(r"!\w", text):
            return ""

        edits = build_edit(start.line, start.column, len(text), quote_value(text))
        message = f"a value cannot begin with {text.split()[0]}"
        hint = f"put it in quotes: {quote_excerpt(text)}"
        mistake = YamlMistake(start.line + 1, start.column + 1, len(text), message, hint, edits)
        self._report_mistake(mistake, "yaml-repaired")
        return text

    def _convert_scalar(self, yaml_node: yaml.ScalarNode, place: Place) -> Node:
        """
        A scalar; text that a # or a backslash removed from it silently is reported.

        title: Looms #2 -> "Looms #2", with a report, as YAML reads "Looms"; title: "A \\alpha" has its
        backslash.
        """
        if yaml_node.style == '"':
            self._report_escape(yaml_node.value, place)
        value = convert_latex(yaml_node.value)
        if value != yaml_node.value:
            _report_latex(place, value, self._problems)
        if yaml_node.style:
            return Node(value, place)

        # the rest is about a text without quotes; the comment is behind its end, in its last line
        start = yaml_node.start_mark
        end = yaml_node.end_mark
        if start.line < end.line:
            self._report_list_in_text(yaml_node)
        line = ""
        if end.line < len(self._lines):
            line = self._lines[end.line]
        comment_pattern = _NUMBER_AFTER_VALUE if yaml_node.value else r"\s*#[^\s#]"
        comment = re.match(comment_pattern, line[end.column :])
        if comment:
            comment_place = Place(place.file, end.line + 1, end.column + comment.end() - 1, 1)
            first_column = start.column if start.line == end.line else 0
            value = line[first_column:]
            hint = f"put the value in quotes: {quote_excerpt(value)}"
            self._problems.report("yaml-syntax", comment_place, "what follows a # is not read", hint)
            return Node(value.strip(), place)
        return Node(None if value in NULL_VALUES else value, place)

    def _report_escape(self, value: str, place: Place) -> None:
        """Report a backslash in double quotes that YAML reads as an escape: "\\beta"."""
        if value.isprintable() or not re.search(_INTERPRETED_ESCAPES, value):
            return
        # `place.column` is that of the opening quote, counted from 1, and so the index behind it
        line = self._lines[place.line - 1]
        message = "a backslash in double quotes is not kept"
        quoted = quote_excerpt(line[place.column : place.column + place.length - 2])
        backslash_column = max(line.find("\\", place.column), place.column - 1) + 1
        backslash_place = Place(place.file, place.line, backslash_column, 2)
        unescape_edits = build_unescape_edits(line, place.line - 1, place.column - 1)
        edits = tuple(map(self._place_edit_in_source, unescape_edits))
        hint = f"write it in single quotes: {quoted}"
        self._problems.report("yaml-syntax", backslash_place, message, hint, edits)

    def _report_list_in_text(self, yaml_node: yaml.ScalarNode) -> None:
        """
        Report lines that look like a list and are one text: those below an item without a colon.

        "- Awards", "  - A prize": YAML reads the text "Awards - A prize".
        """
        first = yaml_node.start_mark.line
        start = yaml_node.start_mark.column
        lines = [
            line.strip() for line in self._lines[first + 1 : yaml_node.end_mark.line + 1] if line.strip()
        ]
        before = self._lines[first][:start].rstrip()
        text = self._lines[first][start:].rstrip()
        item = _NUMBERED_ITEM if re.match(_NUMBERED_ITEM, text) else _LIST_ITEM
        if not lines or not all(re.match(item, line) for line in lines):
            return

        place = Place(self._name, first + 1, start + 1, len(text))
        message = "the list that begins here is read as one text"
        hint = f"make its value the first line of the list: - {text}"
        edits: tuple[Edit, ...] = ()
        if re.match(item, text):
            hint = "begin each line with a hyphen and a space"
        elif before.endswith("-"):
            place = replace(place, column=start + len(text) + 1, length=0)
            message = "a text with a list below it needs a colon"
            hint = f'write "{text}:"'
            edits = (Edit(place, ":"),)
        elif find_list_name(self._name) and not before.startswith((" ", "-")):
            hint = ENTRIES_HINT
        self._problems.report("yaml-syntax", place, message, hint, edits)

    def _convert_mapping(self, pairs: list[tuple[yaml.Node, yaml.Node]], place: Place) -> Node:
        """
        A mapping as a Node with the places of its keys; a repeated key and one that is no text are reported.
        """
        values: dict[str, Node] = {}
        keys: dict[str, Place] = {}
        for raw_key, raw_value in pairs:
            key = raw_key.value
            key_place = self._find_place(raw_key)
            if not isinstance(key, str):
                message = "a key is not a plain word"
                self._problems.report("wrong-shape", key_place, message, "write the key as one word")
            elif key in values:
                message = f'"{key}" is given twice here, first in line {keys[key].line}'
                is_list = place.column == 1 and find_list_name(self._name)
                hint = f"begin each entry with a hyphen: - {key}: …" if is_list else "keep one of the two"
                self._problems.report("yaml-syntax", key_place, message, hint)
                if is_list:
                    break
            else:
                values[key] = self._convert_node(raw_value)
                keys[key] = key_place

        return Node(values, place, keys)


def _read_position(mark: Any) -> tuple[int, int]:
    """The line and column of a mark of PyYAML from 0; (0, 0) for None."""
    return (mark.line, mark.column) if mark else (0, 0)


def _describe_failure(name: str, text: str, error: yaml.MarkedYAMLError) -> ParseFailure:
    """The reason and the position of a parse error."""
    position = _read_position(error.problem_mark or error.context_mark)
    start = _read_position(error.context_mark) if error.context_mark else position
    reason = " ".join(filter(None, (error.context, error.problem)))
    return ParseFailure(name, text, reason, position, start)


_FORBIDDEN_CHARACTERS = yaml.reader.Reader.NON_PRINTABLE
"""Source: YAML 1.1, section 4.1, the allowed characters."""


def _find_forbidden_character(text: str) -> YamlMistake:
    """The first character that YAML forbids, as a mistake."""
    match = _FORBIDDEN_CHARACTERS.search(text)
    offset = match.start() if match else 0
    column = offset - text.rfind("\n", 0, offset)
    line = text.count("\n", 0, offset)
    edits = build_edit(line, column - 1, 1, "")
    message = "there is an invisible character here"
    return YamlMistake(line + 1, column, 1, message, "delete it", edits, is_read=True)


class SourceFiles(Record):
    """
    The copied files of bib/ and content/: an index by path and end of path,
    the artifacts by path on the site, and the paths by name.
    """

    index: FileIndex
    artifacts: Mapping[str, Artifact]
    paths_by_name: Mapping[str, str]

    @classmethod
    def from_artifacts(cls, artifacts: Iterable[Artifact]) -> "SourceFiles":
        """Index these files."""
        artifacts_by_path = {artifact.path: artifact for artifact in artifacts}
        paths_by_name = {PurePosixPath(path).name: path for path in artifacts_by_path}
        return cls(FileIndex(artifacts_by_path), artifacts_by_path, paths_by_name)
