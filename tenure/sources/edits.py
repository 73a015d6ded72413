"""Edits of sources: computes the bytes of a file after repairs, with nothing else changed."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tenure.frozen import dataclass
from tenure.problems import Edit
from tenure.sources.files import encoding_of

WRITABLE = ("content/", "bib/", "themes/")
"""Folders whose files may be edited, in addition to site.yaml. Anything else, such as vendor/, is never changed."""

SUFFIXES = frozenset({".yaml", ".yml", ".json", ".md", ".markdown", ".bib"})
_KEY = re.compile(r"[A-Za-z_][\w-]*")
_SEPARATORS = re.compile("[\x85\u2028\u2029]")
"""Characters that YAML 1.1 counts as line ends and editors do not; places after them are not certain."""


class UneditableError(Exception):
    """A file cannot be edited; the message states the reason."""


@dataclass(frozen=True, slots=True)
class FileText:
    """The text of a file without its byte order mark, the mark, and the encoding."""

    text: str
    mark: bytes
    encoding: str

    def encode(self, text: str) -> bytes:
        """The bytes of a new text for this file; raises UneditableError if the encoding lacks a character."""
        try:
            return self.mark + text.encode(self.encoding)
        except UnicodeEncodeError as error:
            letter = text[error.start : error.end]
            raise UneditableError(f"its encoding, {self.encoding}, has no “{letter}”") from None


@dataclass(frozen=True, slots=True)
class Change:
    """A file and its repairs: its name in the site, its path, and its bytes and text before and after."""

    file: str
    path: Path
    before: bytes
    after: bytes
    old_text: str
    new_text: str
    repairs: int = 1


@dataclass(frozen=True, slots=True)
class Refusal:
    """A file with repairs that cannot be edited, and the reason."""

    file: str
    reason: str


def plan_changes(root: Path, repairs: Iterable[Sequence[Edit]]) -> tuple[list[Change], list[Refusal]]:
    """The changed files and the uneditable files, by name. All edits of one repair must be in one file."""
    by_file: dict[str, list[Sequence[Edit]]] = {}
    for edits in repairs:
        if edits:
            by_file.setdefault(edits[0].place.file, []).append(edits)
    changes: list[Change] = []
    refusals: list[Refusal] = []
    for file, groups in sorted(by_file.items()):
        try:
            change = edit_file(root, file, groups)
        except UneditableError as error:
            refusals.append(Refusal(file, str(error)))
        else:
            changes += [change] if change.repairs else []
    return changes, refusals


def edit_file(root: Path, file: str, repairs: Sequence[Sequence[Edit]]) -> Change:
    """
    A file of a site with these repairs, each of one or more edits that belong together.

    Raises UneditableError if the file is not a source of the site, or if unedited bytes would change.
    """
    path = source_path(root, file)
    before = read_bytes(path)
    decoded = decode_file(before, path.suffix)
    if path.suffix != ".bib" and _SEPARATORS.search(decoded.text):
        raise UneditableError(
            "it has line separators (U+0085, U+2028 or U+2029), which YAML counts as line ends"
        )
    text, count = apply_edits(decoded.text, repairs, is_yaml=path.suffix != ".bib")
    return Change(file, path, before, decoded.encode(text), decoded.text, text, count)


def source_path(root: Path, file: str) -> Path:
    """The resolved path of a source; raises UneditableError if it is outside the site or not a source."""
    if file != "site.yaml" and not file.startswith(WRITABLE):
        raise UneditableError("it is not one of the sources of the site")
    site = root.resolve()
    path = (site / file).resolve()
    if not path.is_relative_to(site):
        raise UneditableError("it lies outside the folder of the site, behind a link")
    if path.suffix.casefold() not in SUFFIXES:
        raise UneditableError("it is not a YAML, Markdown or BibTeX file")
    return path


def read_bytes(path: Path) -> bytes:
    """The bytes of a writable file (b"" if it does not exist); raises UneditableError if it is not writable."""
    try:
        if path.exists() and not path.stat().st_mode & 0o200:
            raise UneditableError("it is read-only")
        return path.read_bytes() if path.exists() else b""
    except OSError as error:
        raise UneditableError(f"it cannot be read: {error.strerror or error}") from error


def decode_file(data: bytes, suffix: str) -> FileText:
    """Decode a file; raises UneditableError if encoding the text again would give other bytes."""
    mark, encoding = encoding_of(data, suffix)
    for name in (encoding, "cp1252") if suffix == ".bib" else (encoding,):
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
    positions = _Positions(text)
    line_end = "\r\n" if "\r\n" in text else "\n"
    taken: dict[tuple[int, int], str] = {}
    count = 0
    for edits in sorted(map(tuple, repairs)):
        spans: dict[tuple[int, int], str] = {}
        for edit in edits:
            span = positions.span(edit)
            new = None if span is None else _replacement(text[slice(*span)], edit.text, is_yaml=is_yaml)
            if span is None or new is None or _overlaps(span, new, {**taken, **spans}):
                spans = {}
                break
            spans[span] = new.replace("\n", line_end)
        count += bool(spans.keys() - taken.keys())
        taken |= spans
    for (start, end), new in sorted(taken.items(), reverse=True):
        text = text[:start] + new + text[end:]
    return text, count


def _overlaps(span: tuple[int, int], new: str, taken: Mapping[tuple[int, int], str]) -> bool:
    """Whether an edit changes characters that another edit changes; an identical edit does not count."""
    start, end = span
    if span in taken:
        return taken[span] != new
    return any(start < b and a < end for a, b in taken)


def _replacement(old: str, new: str, *, is_yaml: bool) -> str | None:
    """The replacement text: a quoted key stays quoted; None if the key has an anchor, a tag or an alias."""
    if not is_yaml or not _KEY.fullmatch(new):
        return new
    if not old or old[0] in "&*!":
        return None
    return f"{old[0]}{new}{old[0]}" if len(old) > 1 and old[0] == old[-1] and old[0] in "\"'" else new


class _Positions:
    """Converts lines and columns of problems to offsets in a text with any line ends."""

    def __init__(self, text: str) -> None:
        plain = text.replace("\r\n", "\n").replace("\r", "\n")
        self._starts = [0, *(match.end() for match in re.finditer("\n", plain))]
        self._length = len(plain)
        self._pairs = [match.start() - n for n, match in enumerate(re.finditer("\r\n", text))]

    def span(self, edit: Edit) -> tuple[int, int] | None:
        """The start and end offsets that an edit replaces; None if its place is not in the text."""
        place = edit.place
        if not 0 < place.line <= len(self._starts) or not place.column:
            return None
        start = self._starts[place.line - 1] + place.column - 1
        following = self._starts[place.line] if place.line < len(self._starts) else self._length + 1
        if start >= following or start + place.length > self._length:
            return None
        return self._original(start), self._original(start + place.length)

    def _original(self, position: int) -> int:
        """The offset in the original text, whose line ends may be two characters long."""
        return position + bisect_left(self._pairs, position)
