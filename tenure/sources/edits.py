"""Edits of sources: computes the bytes of a file after repairs, with nothing else changed."""

import codecs
import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tenure.atomic import write_file
from tenure.cache.up_to_date import resolve_path
from tenure.problems import Edit
from tenure.record import Record

EDITABLE_FOLDERS = ("content/", "bib/", "themes/")
"""Folders whose files may be edited, in addition to site.yaml. Anything else, such as vendor/, is never changed."""

EDITABLE_SUFFIXES = frozenset({".yaml", ".yml", ".json", ".md", ".markdown", ".bib"})
_KEY_PATTERN = re.compile(r"[A-Za-z_][\w-]*")
_LINE_SEPARATORS = re.compile("[\x85\u2028\u2029]")
"""Characters that YAML 1.1 counts as line ends and editors do not; places after them are not certain."""


class UneditableError(Exception):
    """A file cannot be edited; the message states the reason."""


class FileText(Record):
    """The text of a file without its byte order mark, the mark, and the encoding."""

    text: str
    byte_order_mark: bytes
    encoding: str

    def encode(self, text: str) -> bytes:
        """The bytes of a new text for this file; raises UneditableError if the encoding lacks a character."""
        try:
            return self.byte_order_mark + text.encode(self.encoding)
        except UnicodeEncodeError as error:
            letter = text[error.start : error.end]
            raise UneditableError(f"its encoding, {self.encoding}, has no “{letter}”") from None


class FileChange(Record):
    """A file and its repairs: its name in the site, its path, and its bytes and text before and after."""

    file: str
    path: Path
    old_bytes: bytes
    new_bytes: bytes
    old_text: str
    new_text: str
    repair_count: int = 1


def write_change(change: FileChange) -> None:
    """
    Replace the bytes of a file, and keep its mode; a missing folder is made.

    Raises UneditableError if the file has changed since it was read, and OSError if it cannot be written.
    """
    mode = 0o644
    if change.path.exists():
        if change.path.read_bytes() != change.old_bytes:
            raise UneditableError("it has changed meanwhile")
        mode = change.path.stat().st_mode & 0o777
    change.path.parent.mkdir(parents=True, exist_ok=True)
    write_file(change.path, change.new_bytes, mode)
    change.path.chmod(mode)


class RefusedFile(Record):
    """A file with repairs that cannot be edited, and the reason."""

    file: str
    reason: str


def plan_changes(root: Path, repairs: Iterable[Sequence[Edit]]) -> tuple[list[FileChange], list[RefusedFile]]:
    """The changed files and the uneditable files, by name. All edits of one repair must be in one file."""
    by_file: dict[str, list[Sequence[Edit]]] = {}
    for edits in filter(None, repairs):
        by_file.setdefault(edits[0].place.file, []).append(edits)
    changes: list[FileChange] = []
    refusals: list[RefusedFile] = []
    for file, file_repairs in sorted(by_file.items()):
        try:
            change = plan_file_change(root, file, file_repairs)
        except UneditableError as error:
            refusals.append(RefusedFile(file, str(error)))
        else:
            changes += [change] if change.repair_count else []
    return changes, refusals


def plan_file_change(root: Path, file: str, repairs: Sequence[Sequence[Edit]]) -> FileChange:
    """
    A file of a site with these repairs, each of one or more edits that belong together.

    Raises UneditableError if the file is not a source of the site, or if unedited bytes would change.
    """
    path = resolve_source_path(root, file)
    old_bytes = read_writable_file(path)
    decoded = decode_file_text(old_bytes, path.suffix)
    if path.suffix != ".bib" and _LINE_SEPARATORS.search(decoded.text):
        raise UneditableError(
            "it has line separators (U+0085, U+2028 or U+2029), which YAML counts as line ends"
        )
    text, count = apply_edits(decoded.text, repairs, is_yaml=path.suffix != ".bib")
    return FileChange(file, path, old_bytes, decoded.encode(text), decoded.text, text, count)


def resolve_source_path(root: Path, file: str) -> Path:
    """The resolved path of a source; raises UneditableError if it is outside the site or not a source."""
    if file != "site.yaml" and not file.startswith(EDITABLE_FOLDERS):
        raise UneditableError("it is not one of the sources of the site")
    site_folder = root.resolve()
    path = resolve_path(site_folder / file)
    if not path.is_relative_to(site_folder):
        raise UneditableError("it lies outside the folder of the site, behind a link")
    if path.suffix.casefold() not in EDITABLE_SUFFIXES:
        raise UneditableError("it is not a YAML, Markdown or BibTeX file")
    return path


def read_writable_file(path: Path) -> bytes:
    """The bytes of a writable file (b"" if it does not exist); raises UneditableError if it is not writable."""
    try:
        if path.exists() and not path.stat().st_mode & 0o200:
            raise UneditableError("it is read-only")
        return path.read_bytes() if path.exists() else b""
    except OSError as error:
        raise UneditableError(f"it cannot be read: {error.strerror or error}") from error


def decode_file_text(data: bytes, suffix: str) -> FileText:
    """Decode a file; raises UneditableError if encoding the text again would give other bytes."""
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    for name in ("utf-8", "cp1252") if suffix == ".bib" else ("utf-8",):
        try:
            text = data[len(mark) :].decode(name)
            if mark + text.encode(name) == data:
                return FileText(text, mark, name)
        except UnicodeError:
            continue
    raise UneditableError("its encoding is not certain; save it as UTF-8 first")


def apply_edits(text: str, repairs: Sequence[Sequence[Edit]], *, is_yaml: bool) -> tuple[str, int]:
    """
    The text after these repairs, and the number of repairs applied.

    Lines and columns are counted as in `read_source_text`: CR LF and a lone CR are one line end each. A line feed in an
    edit becomes the line end of the file. A repair that overlaps an earlier one is omitted as a whole.
    """
    positions = _PositionMap(text)
    line_end = "\r\n" if "\r\n" in text else "\n"
    replacements: dict[tuple[int, int], str] = {}
    count = 0
    for edits in sorted(map(tuple, repairs)):
        repair_replacements: dict[tuple[int, int], str] = {}
        for edit in edits:
            span = positions.find_range(edit)
            new_text = _build_replacement(text[slice(*span)], edit.text, is_yaml=is_yaml) if span else None
            earlier = {**replacements, **repair_replacements}
            if span is None or new_text is None or _has_overlap(span, new_text, earlier):
                repair_replacements = {}
                break
            repair_replacements[span] = new_text.replace("\n", line_end)
        count += bool(repair_replacements.keys() - replacements.keys())
        replacements |= repair_replacements
    for (start, end), new_text in sorted(replacements.items(), reverse=True):
        text = text[:start] + new_text + text[end:]
    return text, count


def _has_overlap(span: tuple[int, int], new_text: str, replacements: Mapping[tuple[int, int], str]) -> bool:
    """Whether an edit changes characters that another edit changes; an identical edit does not count."""
    start, end = span
    if span in replacements:
        return replacements[span] != new_text
    return any(start < other_end and other_start < end for other_start, other_end in replacements)


def _build_replacement(old_text: str, new_text: str, *, is_yaml: bool) -> str | None:
    """The replacement text: a quoted key stays quoted; None if the key has an anchor, a tag or an alias."""
    if not is_yaml or not _KEY_PATTERN.fullmatch(new_text):
        return new_text
    if not old_text or old_text[0] in "&*!":
        return None
    is_quoted = len(old_text) > 1 and old_text[0] == old_text[-1] and old_text[0] in "\"'"
    return f"{old_text[0]}{new_text}{old_text[0]}" if is_quoted else new_text


class _PositionMap:
    """Converts lines and columns of problems to offsets in a text with any line ends."""

    def __init__(self, text: str) -> None:
        plain = text.replace("\r\n", "\n").replace("\r", "\n")
        self._starts = [0, *(match.end() for match in re.finditer("\n", plain))]
        self._length = len(plain)
        self._pairs = [match.start() - number for number, match in enumerate(re.finditer("\r\n", text))]

    def find_range(self, edit: Edit) -> tuple[int, int] | None:
        """The start and end offsets that an edit replaces; None if its place is not in the text."""
        place = edit.place
        if not 0 < place.line <= len(self._starts) or not place.column:
            return None
        start = self._starts[place.line - 1] + place.column - 1
        next_start = self._starts[place.line] if place.line < len(self._starts) else self._length + 1
        if start >= next_start or start + place.length > self._length:
            return None
        return self._original_position(start), self._original_position(start + place.length)

    def _original_position(self, position: int) -> int:
        """The offset in the original text, whose line ends may be two characters long."""
        return position + bisect_left(self._pairs, position)
