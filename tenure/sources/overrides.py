"""A site's copies of theme files: each has the digest of its original; a changed original is reported."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from tenure.frozen import dataclass
from tenure.problems import Place, Problems

_AROUND = {
    ".html": ("{#- ", " -#}"),
    ".css": ("/* ", " */"),
    ".js": ("/* ", " */"),
    ".svg": ("<!-- ", " -->"),
    ".typ": ("// ", ""),
}
"""Start and end of a comment, by file suffix, for files that can have one in the first line."""

_MARK = re.compile(r"A copy of (\S+) \(([0-9a-f]{10})\)")
FOLDERS = ("parts", "pages", "assets")


@dataclass(frozen=True, slots=True)
class Original:
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


def files_of(folders: Sequence[Path]) -> dict[str, Original]:
    """Every file that a site may override, by its path within the theme; the first folder has priority."""
    found: dict[str, Original] = {}
    for folder in folders:
        inside = [path for kind in FOLDERS for path in (folder / kind).rglob("*") if path.is_file()]
        for path in sorted([*inside, *folder.glob("*.typ")]):
            if not path.name.startswith(".") and path.suffix != ".txt":
                name = path.relative_to(folder).as_posix()
                found.setdefault(name, Original(name, path))
    return found


def meant(words: str, names: Sequence[str]) -> str:
    """The theme file with this path, end of path or bare name (parts have priority over pages); "" if none matches."""
    wanted = words.strip("/").removeprefix("./")
    fits = [
        name
        for name in names
        if wanted
        in (name, name.partition("/")[2], str(PurePosixPath(name).with_suffix("")), PurePosixPath(name).stem)
    ]
    order = {folder: number for number, folder in enumerate(FOLDERS)}
    return min(fits, key=lambda name: (order.get(name.partition("/")[0], len(order)), name), default="")


def copied(original: Original) -> bytes:
    """The bytes of a site's copy of a file, with the digest of the original in a comment if the file type has comments."""
    body = original.path.read_bytes()
    around = _AROUND.get(original.path.suffix)
    if around is None or body.startswith(b"<?xml"):
        return body
    note = f"A copy of {original.full_name} ({original.digest}): check tells when that has changed since."
    return f"{around[0]}{note}{around[1]}\n".encode() + body


def tell_outdated(root: Path, folders: Sequence[Path], problems: Problems) -> None:
    """Report each copy in the themes of a site whose original has changed or no longer exists."""
    for number, folder in enumerate(folders):
        if folder.parent == (root / "themes").resolve():
            originals = files_of(folders[number + 1 :]) if folder.is_dir() else {}
            for name, place, old in _copies(folder, problems):
                _tell(name, place, old, originals.get(name), problems)


def _copies(folder: Path, problems: Problems) -> Iterator[tuple[str, Place, str]]:
    """Each marked copy in a folder: its path within the theme, the place of its digest, and the digest."""
    for name, own in files_of([folder]).items():
        if own.path.suffix in _AROUND:
            text = own.path.read_text(encoding="utf-8", errors="replace")
            first = text.partition("\n")[0]
            found = _MARK.search(first)
            if found:
                file = f"themes/{folder.name}/{name}"
                problems.know(file, text)
                yield name, Place(file, 1, found.start(2) + 1, len(found[2])), found[2]


def _tell(name: str, place: Place, old: str, original: Original | None, problems: Problems) -> None:
    if original is None:
        hint = "delete this file; if one of your templates uses it, delete this line only"
        problems.tell("outdated-copy", place, f'no theme has the file "{name}" any longer', hint)
    elif original.digest != old:
        message = f"{original.full_name} has changed since it was copied here"
        hint = f"copy the changes that you want, then write {original.digest}"
        problems.tell("outdated-copy", place, message, hint)
