"""Output files (artifacts), and publishing them to a folder."""

import errno
import hashlib
import json
import os
import re
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from tenure.atomic import write_file
from tenure.frozen import dataclass
from tenure.progress import Progress, counted, unseen
from tenure.spread import spread

MANIFEST = ".tenure"
"""The file that lists our own files in an output folder; other files are never deleted or replaced."""

States = Mapping[str, tuple[int, int]]
"""Modification time in nanoseconds and size in bytes, by path."""

NOTHING: States = {}
WINDOWS = os.name == "nt"
_RESERVED = re.compile(
    r"(?i)(?:con|prn|aux|nul|com[1-9]|lpt[1-9]|conin\$|conout\$)(?:\..*)?|.*[. ]|.*[<>:\"|?*\\].*"
)
"""Names that Windows does not allow. Source: Microsoft, "Naming Files, Paths, and Namespaces"."""

MANY = 500
"""The number of files from which several processes are faster."""


@dataclass(frozen=True, slots=True)
class Artifact:
    """An output file: its path in the output folder ("talks/index.html"), its bytes or the file to copy, its source."""

    path: str
    body: bytes | Path
    source: str = ""

    def read(self) -> bytes:
        """The bytes; raises OSError if the file to copy cannot be read."""
        return self.body.read_bytes() if isinstance(self.body, Path) else self.body


@dataclass(frozen=True, slots=True)
class Published:
    """The paths that were written, unchanged and removed."""

    written: tuple[str, ...]
    kept: tuple[str, ...]
    removed: tuple[str, ...]


def clashes(artifacts: Iterable[Artifact]) -> Iterator[tuple[Artifact, Artifact]]:
    """
    Yield pairs of artifacts with the same path, or a path that differs only in case or Unicode normalisation.

    A file at the path of a folder that another artifact needs is a clash too.
    """
    taken: dict[str, Artifact] = {}
    folders: dict[str, Artifact] = {}
    for artifact in artifacts:
        key = _folded(artifact.path)
        other = taken.setdefault(key, artifact)
        if other is not artifact:
            yield other, artifact
            continue
        for folder in _parents(key):
            folders.setdefault(folder, artifact)
    for key, artifact in taken.items():
        if key in folders:
            yield artifact, folders[key]


def unwritable_on_windows(paths: Iterable[str]) -> list[str]:
    """The paths with a component that Windows does not allow, such as "aux" or "notes."."""
    return [path for path in paths if any(_RESERVED.fullmatch(part) for part in path.split("/"))]


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _parents(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def foreign(artifacts: Iterable[Artifact], folder: Path) -> tuple[str, ...]:
    """The paths of existing files that Tenure did not write and that differ from the artifacts, and of other's symlinks."""
    if not any(folder.glob("*")):
        return ()
    ours = _manifest(folder)
    found: list[str] = []
    folders: dict[str, None] = {}
    for artifact in artifacts:
        folders |= dict.fromkeys(_parents(artifact.path))
        target = os.path.join(folder, artifact.path)
        if artifact.path not in ours and (os.path.islink(target) or _differs(target, artifact)):
            found.append(artifact.path)
    return (*found, *(path for path in folders if os.path.islink(os.path.join(folder, path))))


def _differs(target: str, artifact: Artifact) -> bool:
    return os.path.isfile(target) and Path(target).read_bytes() != artifact.read()


def publish(
    artifacts: Iterable[Artifact], folder: Path, progress: Progress = unseen, left: States = NOTHING
) -> Published:
    """
    Write the artifacts that differ to a folder, and remove our files that are no longer needed.

    Each file is written to a temporary file and renamed: assets first, then pages, deletions last. So a reader, also
    after a crash, sees only complete files. Obsolete files that block a new path are removed first. `progress` gets
    the number of files; `last_outputs` has the states of files after the last build, so that unchanged ones are not
    read. Raises OSError if the folder is not writable, or contains a symbolic link on the way to a file.
    """
    wanted = sorted(artifacts, key=lambda artifact: (_is_page(artifact), artifact.path))
    before = _manifest(folder)
    digests = dict(before)
    written: list[str] = []
    kept: list[str] = []
    folder.mkdir(parents=True, exist_ok=True)
    paths = {artifact.path for artifact in wanted}
    if not paths <= before.keys():
        write_file(folder / MANIFEST, _manifest_bytes({**dict.fromkeys(paths, ""), **before}))
    gone = [path for path in sorted(before) if path not in paths]
    first = _in_the_way(gone, paths)
    removed = [path for path in sorted(first) if _remove(folder, path)]
    for parent in sorted({parent for path in paths for parent in _parents(path)}):
        _make_folder(os.path.join(folder, parent))
    for group in _first_and_last(wanted):
        done = len(written) + len(kept)
        heard = counted(progress, "writing files", len(wanted), done)
        put = spread(partial(_put, os.fspath(folder), before, left), group, MANY, heard)
        for artifact, (digest, is_new) in zip(group, put, strict=True):
            digests[artifact.path] = digest
            (written if is_new else kept).append(artifact.path)
    removed += [path for path in gone if path not in first and _remove(folder, path)]
    locked = [path for path in gone if path not in removed and _is_locked(os.path.join(folder, path))]
    ours = {path: digests[path] for path in (*paths, *locked)}
    if ours != before or not before:
        write_file(folder / MANIFEST, _manifest_bytes(ours))
    return Published(tuple(written), tuple(kept), tuple(sorted(removed)))


def _first_and_last(wanted: Sequence[Artifact]) -> Iterator[Sequence[Artifact]]:
    """Yield the assets, then the pages that need them."""
    pages = next((n for n, artifact in enumerate(wanted) if _is_page(artifact)), len(wanted))
    yield wanted[:pages]
    yield wanted[pages:]


def _is_page(artifact: Artifact) -> bool:
    return artifact.path.endswith((".html", ".xml"))


def _put(folder: str, before: Mapping[str, str], left: States, artifact: Artifact) -> tuple[str, bool]:
    """Write a file if it differs; returns its digest, and whether it was written."""
    body = artifact.read()
    target = os.path.join(folder, artifact.path)
    digest = hashlib.blake2b(body, digest_size=16).hexdigest()
    untouched = before.get(artifact.path) == digest and _stands(target, left)
    is_new = not untouched and not _same(target, body)
    if is_new:
        write_file(Path(target), body)
    return digest, is_new


def _stands(target: str, left: States) -> bool:
    """Whether a file has the state that it had after the last build."""
    try:
        found = os.lstat(target)
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and left.get(target) == (found.st_mtime_ns, found.st_size)


def _in_the_way(gone: Iterable[str], wanted: Iterable[str]) -> frozenset[str]:
    """The obsolete files at the path of a needed folder, inside the path of a needed file, or differing only in case."""
    folded = {_folded(path) for path in wanted}
    folders = {folder for path in folded for folder in _parents(path)}
    keys = {path: _folded(path) for path in gone}
    return frozenset(
        path
        for path, key in keys.items()
        if key in folders or key in folded or any(parent in folded for parent in _parents(key))
    )


def _make_folder(path: str) -> None:
    """Create a folder in an existing one; raises OSError if it is a file or a symbolic link."""
    try:
        os.mkdir(path)
    except FileExistsError:
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode):
            raise OSError(errno.ELOOP, "a symbolic link points outside the folder", path) from None
        if not stat.S_ISDIR(mode):
            raise


def _same(target: str, body: bytes) -> bool:
    try:
        found = os.lstat(target)
        if not stat.S_ISREG(found.st_mode) or found.st_size != len(body):
            return False
        return Path(target).read_bytes() == body
    except OSError:
        return False


def _remove(folder: Path, path: str) -> bool:
    """Remove one of our files and the folders that are empty then; symbolic links are not followed."""
    target = folder / path
    if any(part.is_symlink() for part in target.parents if folder in part.parents):
        return False
    try:
        target.unlink()
    except (OSError, ValueError):
        return False
    for parent in target.parents:
        if parent == folder:
            break
        try:
            parent.rmdir()
        except OSError:
            break
    return True


def _is_locked(target: str) -> bool:
    """Whether a file that could not be removed still exists, as on Windows while another program has it open."""
    return os.path.isfile(target) and not os.path.islink(target)


def _manifest(folder: Path) -> Mapping[str, str]:
    """The digests of the files that we wrote to a folder, by path; empty without a valid manifest."""
    try:
        found = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    files = found.get("files") if isinstance(found, dict) else None
    if not isinstance(files, dict):
        return {}
    return {path: str(digest) for path, digest in files.items() if _inside(path)}


def _inside(path: str) -> bool:
    """Whether a path of a manifest is inside its folder; a damaged manifest may name other paths."""
    plain = path.replace("\\", "/")
    return not plain.startswith("/") and not os.path.splitdrive(path)[0] and ".." not in plain.split("/")


def _manifest_bytes(files: Mapping[str, str]) -> bytes:
    note = "These files were written by Tenure; it removes no others."
    found = {"note": note, "files": dict(sorted(files.items()))}
    return (json.dumps(found, ensure_ascii=False, separators=(",\n", ": ")) + "\n").encode(
        errors="surrogatepass"
    )
