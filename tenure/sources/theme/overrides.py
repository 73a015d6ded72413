"""
A site's copies of theme files: each has the digest of its original; a changed original is reported.

The first line of a copy: {#- A copy of base/parts/talks.html (0123456789): … -#}
"""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from tenure.problems import Place, Problems
from tenure.record import Record
from tenure.source_paths import list_used_files, resolve_path

_COMMENT_SIGNS = {
    ".html": ("{#- ", " -#}"),
    ".css": ("/* ", " */"),
    ".js": ("/* ", " */"),
    ".svg": ("<!-- ", " -->"),
    ".typ": ("// ", ""),
}
"""Start and end of a comment, by file suffix, for files that can have one in the first line."""

FILE_KINDS = ("parts", "pages", "assets")


class OverridableFile(Record):
    """A file of a theme: its path within the theme ("parts/talks.html") and its path on disk."""

    name: str
    path: Path

    @property
    def full_name(self) -> str:
        """The path with the name of the theme: "base/parts/talks.html"."""
        return f"{self.path.parents[self.name.count('/')].name}/{self.name}"

    @property
    def digest(self) -> str:
        """The BLAKE2b digest of the file, ten hexadecimal digits."""
        return hashlib.blake2b(self.path.read_bytes(), digest_size=5).hexdigest()


def list_theme_files(folders: Sequence[Path]) -> dict[str, OverridableFile]:
    """Every file that a site may override, by its path within the theme; the first folder has priority."""
    files: dict[str, OverridableFile] = {}
    patterns = (*(f"{kind}/**/*" for kind in FILE_KINDS), "*.typ")
    for folder in folders:
        for path in sorted(path for pattern in patterns for path in list_used_files(folder, pattern)):
            name = path.relative_to(folder).as_posix()
            if path.suffix != ".txt":
                files.setdefault(name, OverridableFile(name, path))
    return files


def match_file_name(file_name: str, known_names: Sequence[str]) -> str:
    """The theme file with this path, end of path or bare name; parts have priority. "" if none matches."""
    wanted = file_name.strip("/").removeprefix("./")
    order = {folder: number for number, folder in enumerate(FILE_KINDS)}
    matches = [
        (order.get(name.partition("/")[0], len(order)), name)
        for name in known_names
        if wanted in (name, name.partition("/")[2], name.rpartition(".")[0], PurePosixPath(name).stem)
    ]
    return min(matches, default=(0, ""))[1]


def build_marked_copy(original: OverridableFile) -> bytes:
    """
    The bytes of a site's copy of a file,
    with the digest of the original in a comment if the file type has comments.
    """
    body = original.path.read_bytes()
    comment_signs = _COMMENT_SIGNS.get(original.path.suffix)
    if comment_signs is None or body.startswith(b"<?xml"):
        return body
    note = f"A copy of {original.full_name} ({original.digest}): check tells when that has changed since."
    return f"{comment_signs[0]}{note}{comment_signs[1]}\n".encode() + body


def report_outdated_copies(root: Path, folders: Sequence[Path], problems: Problems) -> None:
    """Report each copy in the themes of a site whose original has changed or no longer exists."""
    for number, folder in enumerate(folders):
        if folder.parent != resolve_path(root / "themes"):
            continue
        originals = list_theme_files(folders[number + 1 :])
        for name, copy in list_theme_files([folder]).items():
            # other files have no comment, and no digest
            if copy.path.suffix in _COMMENT_SIGNS:
                _check_copy(copy, originals.get(name), problems)


def _check_copy(copy: OverridableFile, original: OverridableFile | None, problems: Problems) -> None:
    """Report a copy if its original has another digest than its first line, or does not exist."""
    text = copy.path.read_text(encoding="utf-8", errors="replace")
    note = re.search(r"A copy of \S+ \(([0-9a-f]{10})\)", text.partition("\n")[0])
    is_current = note is not None and original is not None and original.digest == note[1]
    if note is None or is_current:
        return
    message = f'no theme has the file "{copy.name}" any longer'
    hint = "delete this file; if one of your templates uses it, delete this line only"
    if original:
        message = f"{original.full_name} has changed since it was copied here"
        hint = f"copy the changes that you want, then write {original.digest}"
    file = f"themes/{copy.full_name}"
    problems.add_source(file, text)
    problems.report("outdated-copy", Place(file, 1, note.start(1) + 1, 10), message, hint)
