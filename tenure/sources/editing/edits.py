"""
Edits of sources: computes the bytes of a file after repairs, with nothing else changed.

The objects: a repair is one or more Edits that belong together; a FileChange is a file with all its repairs;
a RefusedFile is one that cannot be edited.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from tenure.atomic import write_file
from tenure.problems import Edit, Place
from tenure.record import Record
from tenure.source_paths import resolve_path

EDITABLE_FOLDERS = ("content/", "bib/", "themes/")
"""Folders whose files may be edited, in addition to site.yaml. Others, such as vendor/, are never changed."""

EDITABLE_SUFFIXES = frozenset({".yaml", ".yml", ".json", ".md", ".markdown", ".bib"})
BYTE_ORDER_MARK = "\ufeff"

Span = tuple[int, int]
"""The positions of the first character and after the last one."""


class UneditableError(Exception):
    """A file cannot be edited; the message states the reason."""


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
            if change.repair_count:
                changes.append(change)
    return changes, refusals


def plan_file_change(root: Path, file: str, repairs: Sequence[Sequence[Edit]]) -> FileChange:
    """
    A file of a site with these repairs, each of one or more edits that belong together.

    Raises UneditableError if the file is not a source of the site, or if unedited bytes would change.
    """
    path = resolve_source_path(root, file)
    old_bytes = read_writable_file(path)
    old_text = decode_file_text(old_bytes)
    new_text, count = apply_edits(old_text, repairs, is_yaml=path.suffix != ".bib")
    return FileChange(
        file,
        path,
        old_bytes,
        new_text.encode(),
        old_text.removeprefix(BYTE_ORDER_MARK),
        new_text.removeprefix(BYTE_ORDER_MARK),
        count,
    )


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
    """The bytes of a file, b"" if it does not exist; raises UneditableError if it is not writable."""
    try:
        if path.exists() and not path.stat().st_mode & 0o200:
            raise UneditableError("it is read-only")
        return path.read_bytes() if path.exists() else b""
    except OSError as error:
        raise UneditableError(f"it cannot be read: {error.strerror or error}") from error


def decode_file_text(data: bytes) -> str:
    """The text of a file with its byte order mark; raises UneditableError if it is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise UneditableError("its encoding is not certain; save it as UTF-8 first") from None


def apply_edits(text: str, repairs: Sequence[Sequence[Edit]], *, is_yaml: bool) -> tuple[str, int]:
    """
    The text after these repairs, and the number of repairs applied.

    Lines and columns are counted as in `read_source_text`: CR LF and a lone CR are one line end each, and
    stay as they are. A repair that overlaps an earlier one is omitted as a whole. Raises UneditableError if
    the text has several kinds of line ends.
    """
    plain, line_end = _unify_line_ends(text)
    replacements: dict[Span, str] = {}
    count = 0
    starts = [int(text.startswith(BYTE_ORDER_MARK)), *(match.end() for match in re.finditer("\n", plain))]
    for edits in sorted(map(tuple, repairs)):
        planned = _plan_repair(edits, plain, starts, replacements, is_yaml=is_yaml)
        if planned is not None:
            count += planned.keys() != replacements.keys()
            replacements = planned

    for (start, end), new_text in sorted(replacements.items(), reverse=True):
        plain = plain[:start] + new_text + plain[end:]
    return plain.replace("\n", line_end), count


def _plan_repair(
    edits: Sequence[Edit],
    text: str,
    starts: Sequence[int],
    replacements: Mapping[Span, str],
    *,
    is_yaml: bool,
) -> dict[Span, str] | None:
    """The replacements with those of one more repair; None if one of its edits is not possible."""
    planned = dict(replacements)
    for edit in edits:
        span = _find_span(edit.place, text, starts)
        if span is None:
            return None
        start, end = span
        new_text = _build_replacement(text[start:end], edit.text, is_yaml=is_yaml)
        overlaps = span in planned or any(start < other_end and other < end for other, other_end in planned)
        if new_text is None or (overlaps and planned.get(span) != new_text):
            return None
        planned[span] = new_text
    return planned


def _find_span(place: Place, text: str, starts: Sequence[int]) -> Span | None:
    """The positions of a place in a text whose lines have these starts; None if it is outside."""
    if not 0 < place.line <= len(starts) or not place.column:
        return None
    start = starts[place.line - 1] + place.column - 1
    end = start + place.length
    line_stop = starts[place.line] if place.line < len(starts) else len(text) + 1
    if 0 <= start < line_stop and end <= len(text):
        return (start, end)
    return None


def edit_plain_text(text: str, edit: Callable[[str], str]) -> str:
    """
    The text after an edit that sees it without its byte order mark and with "\\n" as line end; both stay as
    they are.

    Raises UneditableError if the text has several kinds of line ends.
    """
    plain, line_end = _unify_line_ends(text.removeprefix(BYTE_ORDER_MARK))
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    return mark + edit(plain).replace("\n", line_end)


def _unify_line_ends(text: str) -> tuple[str, str]:
    """
    The text with "\\n" as line end, and its own line end. Raises UneditableError if it has several kinds.
    """
    line_end = next((end for end in ("\r\n", "\r") if end in text), "\n")
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    if plain.replace("\n", line_end) != text:
        raise UneditableError("its lines end in different ways; save it with one kind of line ends")
    return plain, line_end


def _build_replacement(old_text: str, new_text: str, *, is_yaml: bool) -> str | None:
    """The replacement text: a quoted key stays quoted; None if the key has an anchor, a tag or an alias."""
    if not is_yaml or not re.fullmatch(r"[A-Za-z_][\w-]*", new_text):
        return new_text
    if not old_text or old_text[0] in "&*!":
        return None
    is_quoted = len(old_text) > 1 and old_text[0] == old_text[-1] and old_text[0] in "\"'"
    if is_quoted:
        return f"{old_text[0]}{new_text}{old_text[0]}"
    return new_text
