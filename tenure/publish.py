"""Output files (artifacts), and publishing them to a folder."""

import errno
import json
import os
import re
import shutil
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from io import BytesIO
from itertools import zip_longest
from pathlib import Path

from tenure.atomic import lock_folder, name_file_in_errors, replace_file
from tenure.cache.up_to_date import UNFINISHED_NAME
from tenure.problems import Place
from tenure.progress import ProgressCallback, ignore_progress
from tenure.record import Record

MANIFEST_NAME = ".tenure"
"""The file that lists our own files in an output folder; other files are never deleted or replaced."""

FILE_IN_THE_WAY = "this file is where a folder must be"

WINDOWS = os.name == "nt"
_WINDOWS_RESERVED_NAME = re.compile(
    r"(?i)(?:con|prn|aux|nul|com[1-9]|lpt[1-9]|conin\$|conout\$)(?:\..*)?|.*[. ]|.*[<>:\"|?*\\].*"
)
"""Names that Windows does not allow. Source: Microsoft, "Naming Files, Paths, and Namespaces"."""

PIECE_SIZE = 1_000_000
"""Bytes of a file that are read at once."""


class Artifact(Record):
    """An output file: its path in the output folder, its bytes or the file to copy, its source."""

    path: str
    body: bytes | Path
    source: Place = Place("")

    def read(self) -> bytes:
        """The bytes; raises OSError if the file to copy cannot be read."""
        return self.body.read_bytes() if isinstance(self.body, Path) else self.body


class PublishResult(Record):
    """The paths that were written, unchanged and removed."""

    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]


def find_path_clashes(artifacts: Iterable[Artifact]) -> Iterator[tuple[Artifact, Artifact]]:
    """
    Yield pairs of artifacts with the same path, or a path that differs only in case or Unicode normalisation.

    A file at the path of a folder that another artifact needs is a clash too.
    """
    by_path: dict[str, Artifact] = {}
    by_folder: dict[str, Artifact] = {}
    for artifact in artifacts:
        key = _fold_path(artifact.path)
        first = by_path.setdefault(key, artifact)
        if first is not artifact:
            yield first, artifact
            continue
        for folder in _parent_folders(key):
            by_folder.setdefault(folder, artifact)
    for key, artifact in by_path.items():
        if key in by_folder:
            yield artifact, by_folder[key]


def find_windows_reserved_paths(paths: Iterable[str]) -> list[str]:
    """The paths with a component that Windows does not allow, such as "aux" or "notes."."""
    return [path for path in paths if any(map(_WINDOWS_RESERVED_NAME.fullmatch, path.split("/")))]


def _fold_path(path: str) -> str:
    """What is equal for two paths that a file system may not tell apart."""
    return unicodedata.normalize("NFC", path).casefold()


def _parent_folders(path: str) -> Iterator[str]:
    """a/b/c.html -> a/b, a"""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _all_parent_folders(paths: Iterable[str]) -> set[str]:
    """a/b/c.html, d.html -> a, a/b"""
    return {folder for path in paths for folder in _parent_folders(path)}


def find_foreign_files(artifacts: Iterable[Artifact], folder: Path) -> tuple[str, ...]:
    """
    The paths of existing files that Tenure did not write and that differ from the artifacts, and of folders
    that are symbolic links.

    Another process may be writing the folder: its files are in the manifest when it has ended.
    """
    if not folder.is_dir() or not any(folder.iterdir()):
        return ()

    with lock_folder(folder):
        own_paths = _read_manifest(folder)
        paths: list[str] = []
        folders: dict[str, None] = {}
        for artifact in artifacts:
            folders |= dict.fromkeys(_parent_folders(artifact.path))
            target = os.path.join(folder, artifact.path)
            if artifact.path in own_paths or not os.path.lexists(target) or os.path.isdir(target):
                continue
            if not _has_content(target, artifact.body):
                paths.append(artifact.path)
        return (*paths, *(path for path in folders if os.path.islink(os.path.join(folder, path))))


def publish_artifacts(
    artifacts: Iterable[Artifact], folder: Path, progress: ProgressCallback = ignore_progress
) -> PublishResult:
    """
    Write the artifacts that differ to a folder, and remove our files that are no longer needed.

    After a crash every file is old or new, and the next call repairs the folder. `progress` gets the number
    of files. Raises OSError if a file cannot be read, the folder is not writable, or there is a symbolic link
    on the way to a file; then nothing has changed. If the disk is full, files may be of both builds.
    """
    pages_last = sorted(artifacts, key=_publishing_order)
    for artifact in pages_last:
        if not _is_inside_folder(artifact.path):
            raise ValueError(f"the path of an artifact is not inside the output folder: {artifact.path!r}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise NotADirectoryError(errno.ENOTDIR, FILE_IN_THE_WAY, error.filename) from error

    with lock_folder(folder):
        staging = folder / UNFINISHED_NAME
        shutil.rmtree(staging, ignore_errors=True)

        # nothing is written before each file and folder has been looked at
        paths = _compare_paths(folder, pages_last)
        for parent in sorted(_all_parent_folders(paths.new) - paths.freed):
            _require_folder(os.path.join(folder, parent))
        changed = [*_find_changed_files(folder, pages_last, paths.freed, progress)]

        staging.mkdir()
        try:
            removed = _write_changes(folder, paths, changed)
        finally:
            shutil.rmtree(staging, ignore_errors=True)

    written = tuple(artifact.path for artifact in changed)
    written_paths = frozenset(written)
    unchanged = tuple(artifact.path for artifact in pages_last if artifact.path not in written_paths)
    return PublishResult(written, unchanged, tuple(sorted(removed)))


def _publishing_order(artifact: Artifact) -> tuple[bool, str]:
    """The key of the order in which files are written: assets before the pages that need them."""
    return artifact.path.endswith((".html", ".xml")), artifact.path


class _PathChanges(Record):
    """
    The paths of the last build and of this one in a folder.

    `obsolete` are old paths that are not needed; those of them that are in the way of a new path are
    `blocking`, and they and their folders are `freed` before a file is written.
    """

    old: AbstractSet[str]
    new: AbstractSet[str]
    obsolete: Sequence[str]
    blocking: Sequence[str]
    freed: AbstractSet[str]


def _compare_paths(folder: Path, artifacts: Iterable[Artifact]) -> _PathChanges:
    """The changes from the last build in a folder to these artifacts."""
    old = _read_manifest(folder)
    new = {artifact.path for artifact in artifacts}
    obsolete = sorted(old - new)
    blocking = _find_blocking_files(obsolete, new)
    return _PathChanges(old, new, obsolete, blocking, {*blocking, *_all_parent_folders(blocking)})


def _find_changed_files(
    folder: Path, artifacts: Sequence[Artifact], freed: AbstractSet[str], progress: ProgressCallback
) -> Iterator[Artifact]:
    """
    The artifacts that the folder has not, or has with other bytes; raises OSError for a folder at their path.
    """
    for number, artifact in enumerate(artifacts):
        progress("writing files", number, len(artifacts))
        target = os.path.join(folder, artifact.path)
        if _has_content(target, artifact.body):
            continue
        if artifact.path not in freed and os.path.isdir(target) and not os.path.islink(target):
            raise IsADirectoryError(errno.EISDIR, "this folder is where a file must be", target)
        yield artifact


def _write_changes(folder: Path, paths: _PathChanges, changed: Sequence[Artifact]) -> list[str]:
    """
    Write the changed files, and remove the obsolete ones; returns the paths of those.

    First the manifest lists the old and the new paths, so that no file is ever a foreign one. Each file is
    written to a temporary file and renamed. Deletions are last, except of files that are in the way of a new
    path.
    """
    if paths.new - paths.old:
        _write_manifest(folder, paths.old | paths.new)
    removed = [path for path in paths.blocking if _remove_file(folder, path)]
    for parent in dict.fromkeys(os.path.dirname(artifact.path) for artifact in changed):
        os.makedirs(os.path.join(folder, parent), exist_ok=True)
    for artifact in changed:
        _write_file(folder, artifact.path, artifact.body)
    removed += [path for path in paths.obsolete if path not in paths.blocking and _remove_file(folder, path)]

    # on Windows, a file that another program has open cannot be removed
    locked = {path for path in paths.obsolete if path not in removed and _is_own_file(folder / path)}
    kept = paths.new | locked
    if paths.old != kept or not paths.new:
        _write_manifest(folder, kept)
    return removed


def _write_file(folder: Path, path: str, body: bytes | Path) -> None:
    """Write a file to the staging folder and rename it; raises OSError."""
    temporary = folder / UNFINISHED_NAME / "file"
    target = folder / path
    with name_file_in_errors(target):
        if isinstance(body, Path):
            shutil.copyfile(body, temporary)
        else:
            temporary.write_bytes(body)
    replace_file(temporary, target)


def _write_manifest(folder: Path, paths: AbstractSet[str]) -> None:
    """Write the list of the files of a build, by which the next one knows which files it may delete."""
    note = "These files were written by Tenure; it removes no others."
    # a path a line; `indent` of json.dumps would do so in slow Python
    files = ",\n".join(json.dumps(path, ensure_ascii=False) for path in sorted(paths))
    text = f'{{\n"note": "{note}",\n"files": [\n{files}\n]\n}}\n'
    _write_file(folder, MANIFEST_NAME, text.encode(errors="surrogatepass"))


def _find_blocking_files(obsolete: Iterable[str], needed: Iterable[str]) -> list[str]:
    """
    The obsolete files that are in the way of needed ones.

    a -> a/b.html: at the path of a folder; a/b.html -> a: inside the path of a file; A.html -> a.html: in
    another case
    """
    needed_paths = {_fold_path(path) for path in needed}
    taken_paths = needed_paths | _all_parent_folders(needed_paths)
    return [
        path
        for path in obsolete
        if _fold_path(path) in taken_paths or not needed_paths.isdisjoint(_parent_folders(_fold_path(path)))
    ]


def _require_folder(path: str) -> None:
    """Raise OSError if a path exists and is not a folder that can be written, or is a symbolic link."""
    try:
        mode = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    if stat.S_ISLNK(mode):
        raise OSError(errno.ELOOP, "a symbolic link points outside the folder", path)
    if not stat.S_ISDIR(mode):
        raise NotADirectoryError(errno.ENOTDIR, FILE_IN_THE_WAY, path)
    if not os.access(path, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "this folder cannot be written", path)


def _has_content(target: str, body: bytes | Path) -> bool:
    """
    Whether a regular file has these bytes, or those of another file.

    The other file is never in memory as a whole; raises OSError if it cannot be read.
    """
    with BytesIO() if isinstance(body, bytes) else body.open("rb") as source:
        try:
            if not stat.S_ISREG(os.lstat(target).st_mode):
                return False
            with open(target, "rb") as file:
                if isinstance(body, bytes):
                    return os.fstat(file.fileno()).st_size == len(body) and file.read() == body
                pieces = iter(partial(file.read, PIECE_SIZE), b"")
                other_pieces = iter(partial(source.read, PIECE_SIZE), b"")
                return all(piece == other for piece, other in zip_longest(pieces, other_pieces))
        except (OSError, ValueError):
            return False


def _is_own_file(target: Path) -> bool:
    return target.is_file() and not target.is_symlink()


def _remove_file(folder: Path, path: str) -> bool:
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


def _read_manifest(folder: Path) -> AbstractSet[str]:
    """The paths of the files that we wrote to a folder; empty without a valid manifest."""
    try:
        path = folder / MANIFEST_NAME
        manifest = json.loads(path.read_bytes()) if path.is_file() else None
    except (OSError, ValueError, RecursionError):
        return frozenset()
    files = manifest.get("files") if isinstance(manifest, dict) else None
    paths = files if isinstance(files, (list, dict)) else ()
    return {path for path in paths if isinstance(path, str) and _is_inside_folder(path)}


def _is_inside_folder(path: str) -> bool:
    """
    Whether a path of an artifact or a manifest is inside its folder; a damaged manifest may name other paths.
    """
    normalized = path.replace("\\", "/")
    return (
        not normalized.startswith("/")
        and "\0" not in path
        and not os.path.splitdrive(path)[0]
        and ".." not in normalized.split("/")
    )
