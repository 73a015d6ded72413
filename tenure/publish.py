"""Output files (artifacts), and publishing them to a folder."""

import errno
import hashlib
import json
import os
import re
import shutil
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from tenure.atomic import lock_folder, replace_file
from tenure.cache.up_to_date import UNFINISHED_NAME, make_file_state
from tenure.problems import Place
from tenure.progress import ProgressCallback, ignore_progress
from tenure.record import Record

if TYPE_CHECKING:
    from tenure.cache.up_to_date import FileStates

MANIFEST_NAME = ".tenure"
"""The file that lists our own files in an output folder; other files are never deleted or replaced."""

FILE_IN_THE_WAY = "this file is where a folder must be"

NO_FILE_STATES: "FileStates" = {}
WINDOWS = os.name == "nt"
_WINDOWS_RESERVED_NAME = re.compile(
    r"(?i)(?:con|prn|aux|nul|com[1-9]|lpt[1-9]|conin\$|conout\$)(?:\..*)?|.*[. ]|.*[<>:\"|?*\\].*"
)
"""Names that Windows does not allow. Source: Microsoft, "Naming Files, Paths, and Namespaces"."""

PIECE_SIZE = 1_000_000
"""Bytes of a file that are read at once."""


class Artifact(Record):
    """An output file: its path in the output folder ("talks/index.html"), its bytes or the file to copy, its source."""

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
    return [path for path in paths if any(_WINDOWS_RESERVED_NAME.fullmatch(part) for part in path.split("/"))]


def _fold_path(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _parent_folders(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def find_foreign_files(artifacts: Iterable[Artifact], folder: Path) -> tuple[str, ...]:
    """
    The paths of existing files that Tenure did not write and that differ from the artifacts, and of other's symlinks.

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
            is_own = artifact.path in own_paths
            if not is_own and (os.path.islink(target) or _has_other_content(target, artifact)):
                paths.append(artifact.path)
        return (*paths, *(path for path in folders if os.path.islink(os.path.join(folder, path))))


def _has_other_content(target: str, artifact: Artifact) -> bool:
    return os.path.isfile(target) and not _has_content(target, artifact.body)


def publish_artifacts(
    artifacts: Iterable[Artifact],
    folder: Path,
    progress: ProgressCallback = ignore_progress,
    last_outputs: "FileStates" = NO_FILE_STATES,
) -> PublishResult:
    """
    Write the artifacts that differ to a folder, and remove our files that are no longer needed.

    First the manifest lists the old and the new paths. Each file is then written to a temporary file and renamed: assets first,
    then pages; deletions are last, but obsolete files that block a new path are removed first. After a crash every file is old or
    new, and the next call repairs the folder. `progress` gets the number of files; `last_outputs` has the states of files after
    the last build, so that unchanged ones are not read. Raises OSError if a file cannot be read, the folder is not writable, or
    there is a symbolic link on the way to a file; then nothing has changed. If the disk is full, files may be of both builds.
    """
    sorted_artifacts = sorted(artifacts, key=lambda artifact: (_is_page(artifact), artifact.path))
    for artifact in sorted_artifacts:
        if not _is_inside_folder(artifact.path):
            raise ValueError(f"the path of an artifact is not inside the output folder: {artifact.path!r}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise NotADirectoryError(errno.ENOTDIR, FILE_IN_THE_WAY, error.filename) from error
    with lock_folder(folder):
        shutil.rmtree(folder / UNFINISHED_NAME, ignore_errors=True)
        old_digests = _read_manifest(folder)
        obsolete, blocking = _find_obsolete_files(sorted_artifacts, folder, old_digests)
        digests: dict[str, str] = {}
        changed: list[Artifact] = []
        blocking_folders = {parent for path in blocking for parent in _parent_folders(path)}
        for number, artifact in enumerate(sorted_artifacts, 1):
            progress("writing files", number - 1, len(sorted_artifacts))
            digest = digests[artifact.path] = _hash_body(artifact.body)
            target = os.path.join(folder, artifact.path)
            is_untouched = old_digests.get(artifact.path) == digest and _is_untouched(target, last_outputs)
            if not is_untouched and not _has_content(target, artifact.body):
                if artifact.path not in blocking_folders:
                    _require_replaceable(target)
                changed.append(artifact)
        staging = folder / UNFINISHED_NAME
        staging.mkdir()
        try:
            new_paths = dict.fromkeys((artifact.path for artifact in changed), "")
            all_digests = {**old_digests, **new_paths}
            if all_digests != old_digests:
                _write_manifest(folder, all_digests)
            removed = [path for path in blocking if _remove_file(folder, path)]
            for artifact in changed:
                _write_artifact(artifact, folder)
            removed += [path for path in obsolete if path not in blocking and _remove_file(folder, path)]
            locked = [path for path in obsolete if path not in removed and _is_locked(folder / path)]
            final_digests = {**digests, **dict.fromkeys(locked, "")}
            if final_digests != all_digests or not final_digests:
                _write_manifest(folder, final_digests)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    written = tuple(artifact.path for artifact in changed)
    unchanged = tuple(artifact.path for artifact in sorted_artifacts if artifact.path not in new_paths)
    return PublishResult(written, unchanged, tuple(sorted(removed)))


def _find_obsolete_files(
    artifacts: Sequence[Artifact], folder: Path, old_digests: Mapping[str, str]
) -> tuple[list[str], list[str]]:
    """
    Our files that no artifact replaces, and those of them that block a new path.

    Raises OSError if a folder that an artifact needs cannot be written, or is a symbolic link.
    """
    paths = {artifact.path for artifact in artifacts}
    obsolete = [path for path in sorted(old_digests) if path not in paths]
    blocking = sorted(_find_blocking_files(obsolete, paths))
    for parent in sorted({parent for path in paths for parent in _parent_folders(path)}):
        if parent not in blocking:
            _require_folder(os.path.join(folder, parent))
    return obsolete, blocking


def _write_artifact(artifact: Artifact, folder: Path) -> None:
    """Write a file to the staging folder and rename it; raises OSError."""
    temporary, target = folder / UNFINISHED_NAME / "file", folder / artifact.path
    if isinstance(artifact.body, Path):
        shutil.copyfile(artifact.body, temporary)
    else:
        temporary.write_bytes(artifact.body)
    target.parent.mkdir(parents=True, exist_ok=True)
    replace_file(temporary, target)


def _write_manifest(folder: Path, files: Mapping[str, str]) -> None:
    temporary = folder / UNFINISHED_NAME / MANIFEST_NAME
    temporary.write_bytes(_format_manifest(files))
    replace_file(temporary, folder / MANIFEST_NAME)


def _is_page(artifact: Artifact) -> bool:
    return artifact.path.endswith((".html", ".xml"))


def _hash_body(body: bytes | Path) -> str:
    """The digest of some bytes, or of a file, which is never in memory as a whole."""
    if isinstance(body, bytes):
        return hashlib.blake2b(body, digest_size=16).hexdigest()
    with body.open("rb") as file:
        return hashlib.file_digest(file, partial(hashlib.blake2b, digest_size=16)).hexdigest()


def _is_untouched(target: str, last_outputs: "FileStates") -> bool:
    """Whether a file has the state that it had after the last build."""
    try:
        status = os.lstat(target)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and last_outputs.get(target) == make_file_state(status)


def _find_blocking_files(obsolete: Iterable[str], needed: Iterable[str]) -> frozenset[str]:
    """The obsolete files at the path of a needed folder, inside the path of a needed file, or differing only in case."""
    folded_paths = {_fold_path(path) for path in needed}
    folders = {folder for path in folded_paths for folder in _parent_folders(path)}
    folded_obsolete = {path: _fold_path(path) for path in obsolete}
    return frozenset(
        path
        for path, folded_path in folded_obsolete.items()
        if folded_path in folders
        or folded_path in folded_paths
        or any(parent in folded_paths for parent in _parent_folders(folded_path))
    )


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


def _require_replaceable(path: str) -> None:
    """Raise OSError if there is a folder at the path of a file."""
    if os.path.isdir(path) and not os.path.islink(path):
        raise IsADirectoryError(errno.EISDIR, "this folder is where a file must be", path)


def _has_content(target: str, body: bytes | Path) -> bool:
    """Whether a file has some bytes, or those of another file; two files are compared in pieces."""
    try:
        status = os.lstat(target)
        size = body.stat().st_size if isinstance(body, Path) else len(body)
        if not stat.S_ISREG(status.st_mode) or status.st_size != size:
            return False
        if isinstance(body, bytes):
            return Path(target).read_bytes() == body
        with open(target, "rb") as file, body.open("rb") as other_file:
            pieces = zip(_read_pieces(file), _read_pieces(other_file), strict=True)
            return all(piece == other for piece, other in pieces)
    except (OSError, ValueError):  # a file that changes while it is read gives pieces of other numbers
        return False


def _read_pieces(file: BinaryIO) -> Iterator[bytes]:
    return iter(partial(file.read, PIECE_SIZE), b"")


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


def _is_locked(target: Path) -> bool:
    """Whether a file that could not be removed still exists, as on Windows while another program has it open."""
    return target.is_file() and not target.is_symlink()


def _read_manifest(folder: Path) -> Mapping[str, str]:
    """The digests of the files that we wrote to a folder, by path; empty without a valid manifest."""
    try:
        path = folder / MANIFEST_NAME
        manifest = json.loads(path.read_bytes()) if path.is_file() else None
    except (OSError, ValueError, RecursionError):
        return {}
    files = manifest.get("files") if isinstance(manifest, dict) else None
    if not isinstance(files, dict):
        return {}
    return {path: str(digest) for path, digest in files.items() if _is_inside_folder(path)}


def _is_inside_folder(path: str) -> bool:
    """Whether a path of an artifact or a manifest is inside its folder; a damaged manifest may name other paths."""
    normalized = path.replace("\\", "/")
    return (
        not normalized.startswith("/")
        and "\0" not in path
        and not os.path.splitdrive(path)[0]
        and ".." not in normalized.split("/")
    )


def _format_manifest(files: Mapping[str, str]) -> bytes:
    note = "These files were written by Tenure; it removes no others."
    manifest = {"note": note, "files": dict(sorted(files.items()))}
    return (json.dumps(manifest, ensure_ascii=False, separators=(",\n", ": ")) + "\n").encode(
        errors="surrogatepass"
    )
