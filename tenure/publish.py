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

from tenure.atomic import lock_folder, replace_file, write_file
from tenure.cache.up_to_date import UNFINISHED_NAME, make_file_state
from tenure.problems import Place
from tenure.progress import ProgressCallback, ignore_progress
from tenure.record import Record

if TYPE_CHECKING:
    from tenure.cache.up_to_date import FileStates

MANIFEST_NAME = ".tenure"
"""The file that lists our own files in an output folder; other files are never deleted or replaced."""

JOURNAL_NAME = "journal.json"
"""The file in UNFINISHED_NAME with everything that a publication renames and removes."""

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

    All files are read and written into the folder UNFINISHED_NAME first; then each is renamed: assets first, then pages,
    deletions last. After a crash the folder has its old files, or finish_publication() gives it the new ones. Obsolete
    files that block a new path are removed first. `progress` gets the number of files; `last_outputs` has the states of
    files after the last build, so that unchanged ones are not read. Raises OSError if a file cannot be read or the
    folder is not writable, or contains a symbolic link on the way to a file; then nothing has changed.
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
        _complete_publication(folder)
        staging = folder / UNFINISHED_NAME
        try:
            staging.mkdir()
            plan, unchanged = _stage_files(sorted_artifacts, folder, progress, last_outputs)
            # Once this file exists, the next build completes the publication if this process is killed.
            write_file(staging / JOURNAL_NAME, plan.format_journal())
        except BaseException:
            shutil.rmtree(staging, ignore_errors=True)
            raise
        removed = _complete_publication(folder)
    return PublishResult(tuple(plan.written), unchanged, removed)


def finish_publication(folder: Path) -> None:
    """
    Complete the publication that a killed process began in a folder, or delete what it had written so far.

    Raises OSError if a file cannot be renamed; then the next call tries again.
    """
    if (folder / UNFINISHED_NAME).is_dir():
        with lock_folder(folder):
            _complete_publication(folder)


def _complete_publication(folder: Path) -> tuple[str, ...]:
    """Rename and remove the files that the journal in a folder lists, and delete the staging folder; returns the removed paths."""
    staging = folder / UNFINISHED_NAME
    if not staging.is_dir():
        return ()
    plan = _PublicationPlan.parse_journal(staging / JOURNAL_NAME)
    removed: list[str] = []
    if plan is not None:
        removed += [path for path in plan.blocking if _remove_file(folder, path)]
        for path, number in plan.written.items():
            staged_file = staging / str(number)
            if staged_file.exists():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                replace_file(staged_file, folder / path)
        other_obsolete = (path for path in plan.obsolete if path not in plan.blocking)
        removed += [path for path in other_obsolete if _remove_file(folder, path)]
        locked = [path for path in plan.obsolete if path not in removed and _is_locked(folder / path)]
        manifest = {**plan.manifest, **dict.fromkeys(locked, "")}
        if manifest != _read_manifest(folder) or not manifest:
            (staging / MANIFEST_NAME).write_bytes(_format_manifest(manifest))
            replace_file(staging / MANIFEST_NAME, folder / MANIFEST_NAME)
    shutil.rmtree(staging)
    return tuple(sorted(removed))


class _PublicationPlan(Record):
    """
    What a publication changes: the paths to write in order, our obsolete files, and the new manifest.

    Each path to write has the number that is the name of its staged file. The obsolete files in `blocking` are removed
    before the others are written.
    """

    written: Mapping[str, int]
    obsolete: tuple[str, ...]
    blocking: tuple[str, ...]
    manifest: Mapping[str, str]

    def format_journal(self) -> bytes:
        """The plan as JSON."""
        return json.dumps([self.written, self.obsolete, self.blocking, self.manifest]).encode()

    @classmethod
    def parse_journal(cls, path: Path) -> "_PublicationPlan | None":
        """The plan in a file; None if the file is missing or damaged, or names a path outside the folder."""
        try:
            written, obsolete, blocking, manifest = json.loads(path.read_bytes())
            paths = [*written, *obsolete, *blocking, *manifest]
            if not all(map(_is_inside_folder, paths)):
                return None
            numbers = {path: int(number) for path, number in written.items()}
            return cls(numbers, tuple(obsolete), tuple(blocking), dict(manifest))
        except (OSError, ValueError, TypeError, AttributeError, RecursionError):
            return None


def _stage_files(
    sorted_artifacts: Sequence[Artifact],
    folder: Path,
    progress: ProgressCallback,
    last_outputs: "FileStates",
) -> tuple[_PublicationPlan, tuple[str, ...]]:
    """Write the files that differ into the staging folder; returns the plan, and the paths of the unchanged files."""
    old_digests = _read_manifest(folder)
    paths = {artifact.path for artifact in sorted_artifacts}
    obsolete = [path for path in sorted(old_digests) if path not in paths]
    blocking = tuple(sorted(_find_blocking_files(obsolete, paths)))
    blocking_folders = {parent for path in blocking for parent in _parent_folders(path)}
    for parent in sorted({parent for path in paths for parent in _parent_folders(path)}):
        if parent not in blocking:
            _require_folder(os.path.join(folder, parent))
    written: dict[str, int] = {}
    unchanged: list[str] = []
    digests: dict[str, str] = {}
    for number, artifact in enumerate(sorted_artifacts):
        progress("writing files", number, len(sorted_artifacts))
        digest, is_new = _stage_if_changed(os.fspath(folder), old_digests, last_outputs, number, artifact)
        digests[artifact.path] = digest
        if is_new:
            if artifact.path not in blocking_folders:
                _require_replaceable(os.path.join(folder, artifact.path))
            written[artifact.path] = number
        else:
            unchanged.append(artifact.path)
    return _PublicationPlan(written, tuple(obsolete), blocking, digests), tuple(unchanged)


def _is_page(artifact: Artifact) -> bool:
    return artifact.path.endswith((".html", ".xml"))


def _stage_if_changed(
    folder: str,
    old_digests: Mapping[str, str],
    last_outputs: "FileStates",
    number: int,
    artifact: Artifact,
) -> tuple[str, bool]:
    """Write a file to the staging folder if it differs; returns its digest, and whether it was written."""
    target = os.path.join(folder, artifact.path)
    digest = _hash_body(artifact.body)
    is_untouched = old_digests.get(artifact.path) == digest and _is_untouched(target, last_outputs)
    is_new = not is_untouched and not _has_content(target, artifact.body)
    if is_new:
        staged_path = os.path.join(folder, UNFINISHED_NAME, str(number))
        if isinstance(artifact.body, Path):
            shutil.copyfile(artifact.body, staged_path)
        else:
            with open(staged_path, "wb") as file:
                file.write(artifact.body)
    return digest, is_new


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
