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
from tenure.parallel import parallel_map
from tenure.problems import Place
from tenure.progress import ProgressCallback, ignore_progress, make_progress_counter
from tenure.record import Record

MANIFEST_NAME = ".tenure"
"""The file that lists our own files in an output folder; other files are never deleted or replaced."""

FileStates = Mapping[str, tuple[int, int]]
"""Modification time in nanoseconds and size in bytes, by path."""

NO_FILE_STATES: FileStates = {}
WINDOWS = os.name == "nt"
_WINDOWS_RESERVED_NAME = re.compile(
    r"(?i)(?:con|prn|aux|nul|com[1-9]|lpt[1-9]|conin\$|conout\$)(?:\..*)?|.*[. ]|.*[<>:\"|?*\\].*"
)
"""Names that Windows does not allow. Source: Microsoft, "Naming Files, Paths, and Namespaces"."""

MIN_PARALLEL_FILES = 500
"""The number of files from which several processes are faster."""


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
    """The paths of existing files that Tenure did not write and that differ from the artifacts, and of other's symlinks."""
    if not any(folder.glob("*")):
        return ()
    own_paths = _read_manifest(folder)
    paths: list[str] = []
    folders: dict[str, None] = {}
    for artifact in artifacts:
        folders |= dict.fromkeys(_parent_folders(artifact.path))
        target = os.path.join(folder, artifact.path)
        if artifact.path not in own_paths and (
            os.path.islink(target) or _has_other_content(target, artifact)
        ):
            paths.append(artifact.path)
    return (*paths, *(path for path in folders if os.path.islink(os.path.join(folder, path))))


def _has_other_content(target: str, artifact: Artifact) -> bool:
    return os.path.isfile(target) and Path(target).read_bytes() != artifact.read()


def publish_artifacts(
    artifacts: Iterable[Artifact],
    folder: Path,
    progress: ProgressCallback = ignore_progress,
    last_outputs: FileStates = NO_FILE_STATES,
) -> PublishResult:
    """
    Write the artifacts that differ to a folder, and remove our files that are no longer needed.

    Each file is written to a temporary file and renamed: assets first, then pages, deletions last. So a reader, also
    after a crash, sees only complete files. Obsolete files that block a new path are removed first. `progress` gets
    the number of files; `last_outputs` has the states of files after the last build, so that unchanged ones are not
    read. Raises OSError if the folder is not writable, or contains a symbolic link on the way to a file.
    """
    sorted_artifacts = sorted(artifacts, key=lambda artifact: (_is_page(artifact), artifact.path))
    old_digests = _read_manifest(folder)
    digests = dict(old_digests)
    written: list[str] = []
    unchanged: list[str] = []
    folder.mkdir(parents=True, exist_ok=True)
    paths = {artifact.path for artifact in sorted_artifacts}
    if not paths <= old_digests.keys():
        write_file(folder / MANIFEST_NAME, _format_manifest({**dict.fromkeys(paths, ""), **old_digests}))
    obsolete = [path for path in sorted(old_digests) if path not in paths]
    blocking = _find_blocking_files(obsolete, paths)
    removed = [path for path in sorted(blocking) if _remove_file(folder, path)]
    for parent in sorted({parent for path in paths for parent in _parent_folders(path)}):
        _create_folder(os.path.join(folder, parent))
    for group in _split_assets_and_pages(sorted_artifacts):
        finished_count = len(written) + len(unchanged)
        on_progress = make_progress_counter(progress, "writing files", len(sorted_artifacts), finished_count)
        results = parallel_map(
            partial(_write_if_changed, os.fspath(folder), old_digests, last_outputs),
            group,
            MIN_PARALLEL_FILES,
            on_progress,
        )
        for artifact, (digest, is_new) in zip(group, results, strict=True):
            digests[artifact.path] = digest
            (written if is_new else unchanged).append(artifact.path)
    removed += [path for path in obsolete if path not in blocking and _remove_file(folder, path)]
    locked = [path for path in obsolete if path not in removed and _is_locked(os.path.join(folder, path))]
    own_files = {path: digests[path] for path in (*paths, *locked)}
    if own_files != old_digests or not old_digests:
        write_file(folder / MANIFEST_NAME, _format_manifest(own_files))
    return PublishResult(tuple(written), tuple(unchanged), tuple(sorted(removed)))


def _split_assets_and_pages(sorted_artifacts: Sequence[Artifact]) -> Iterator[Sequence[Artifact]]:
    """Yield the assets, then the pages that need them."""
    pages = next(
        (n for n, artifact in enumerate(sorted_artifacts) if _is_page(artifact)), len(sorted_artifacts)
    )
    yield sorted_artifacts[:pages]
    yield sorted_artifacts[pages:]


def _is_page(artifact: Artifact) -> bool:
    return artifact.path.endswith((".html", ".xml"))


def _write_if_changed(
    folder: str, old_digests: Mapping[str, str], last_outputs: FileStates, artifact: Artifact
) -> tuple[str, bool]:
    """Write a file if it differs; returns its digest, and whether it was written."""
    body = artifact.read()
    target = os.path.join(folder, artifact.path)
    digest = hashlib.blake2b(body, digest_size=16).hexdigest()
    is_untouched = old_digests.get(artifact.path) == digest and _is_untouched(target, last_outputs)
    is_new = not is_untouched and not _has_content(target, body)
    if is_new:
        write_file(Path(target), body)
    return digest, is_new


def _is_untouched(target: str, last_outputs: FileStates) -> bool:
    """Whether a file has the state that it had after the last build."""
    try:
        status = os.lstat(target)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and last_outputs.get(target) == (status.st_mtime_ns, status.st_size)


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


def _create_folder(path: str) -> None:
    """Create a folder in an existing one; raises OSError if it is a file or a symbolic link."""
    try:
        os.mkdir(path)
    except FileExistsError:
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode):
            raise OSError(errno.ELOOP, "a symbolic link points outside the folder", path) from None
        if not stat.S_ISDIR(mode):
            raise


def _has_content(target: str, body: bytes) -> bool:
    try:
        status = os.lstat(target)
        if not stat.S_ISREG(status.st_mode) or status.st_size != len(body):
            return False
        return Path(target).read_bytes() == body
    except OSError:
        return False


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


def _is_locked(target: str) -> bool:
    """Whether a file that could not be removed still exists, as on Windows while another program has it open."""
    return os.path.isfile(target) and not os.path.islink(target)


def _read_manifest(folder: Path) -> Mapping[str, str]:
    """The digests of the files that we wrote to a folder, by path; empty without a valid manifest."""
    try:
        manifest = json.loads((folder / MANIFEST_NAME).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    files = manifest.get("files") if isinstance(manifest, dict) else None
    if not isinstance(files, dict):
        return {}
    return {path: str(digest) for path, digest in files.items() if _is_inside_folder(path)}


def _is_inside_folder(path: str) -> bool:
    """Whether a path of a manifest is inside its folder; a damaged manifest may name other paths."""
    normalized = path.replace("\\", "/")
    return (
        not normalized.startswith("/")
        and not os.path.splitdrive(path)[0]
        and ".." not in normalized.split("/")
    )


def _format_manifest(files: Mapping[str, str]) -> bytes:
    note = "These files were written by Tenure; it removes no others."
    manifest = {"note": note, "files": dict(sorted(files.items()))}
    return (json.dumps(manifest, ensure_ascii=False, separators=(",\n", ": ")) + "\n").encode(
        errors="surrogatepass"
    )
