"""An artifact, and the careful writing of many."""

import contextlib
import hashlib
import json
import os
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

MANIFEST = ".tenure"
"""The list of our own files in an output folder; what is not in it is never deleted or replaced."""


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file to be: its path from the output folder ("talks/index.html"), its bytes or the file to copy, its source."""

    path: str
    body: bytes | Path
    source: str = ""

    def read(self) -> bytes:
        """The bytes; raises OSError where a file to copy cannot be read."""
        return self.body.read_bytes() if isinstance(self.body, Path) else self.body


@dataclass(frozen=True, slots=True)
class Published:
    """What a publication did: paths written, kept as they were, and removed."""

    written: tuple[str, ...]
    kept: tuple[str, ...]
    removed: tuple[str, ...]


def clashes(artifacts: Iterable[Artifact]) -> Iterator[tuple[Artifact, Artifact]]:
    """
    Pairs of artifacts that want one path, also where file systems fold case or normalise Unicode.

    A file where another needs a folder clashes as well.
    """
    taken: dict[str, Artifact] = {}
    folders: dict[str, Artifact] = {}
    for artifact in artifacts:
        key = unicodedata.normalize("NFC", artifact.path).casefold()
        other = taken.setdefault(key, artifact)
        if other is not artifact:
            yield other, artifact
            continue
        for folder in _parents(key):
            folders.setdefault(folder, artifact)
    for key, artifact in taken.items():
        if key in folders:
            yield artifact, folders[key]


def _parents(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def foreign(artifacts: Iterable[Artifact], folder: Path) -> tuple[str, ...]:
    """Paths where a file stands that we did not write and that differs from what would be written."""
    ours = _manifest(folder)
    found = []
    for artifact in artifacts:
        target = folder / artifact.path
        if artifact.path not in ours and target.is_file() and target.read_bytes() != artifact.read():
            found.append(artifact.path)
    return tuple(found)


def publish(artifacts: Iterable[Artifact], folder: Path) -> Published:
    """
    Make a folder hold these artifacts: write what differs, remove what is ours and gone.

    Each file is written beside its place and moved into it, assets first, pages next, deletions last, so that a
    reader or a crash at any moment meets whole files only. Raises OSError where the folder cannot be written.
    """
    wanted = sorted(
        artifacts, key=lambda artifact: (artifact.path.endswith((".html", ".xml")), artifact.path)
    )
    before = _manifest(folder)
    digests = dict(before)
    written, kept = [], []
    folder.mkdir(parents=True, exist_ok=True)
    made: set[Path] = {folder}
    _write(folder / MANIFEST, _manifest_bytes({**before, **{artifact.path: "" for artifact in wanted}}))
    for artifact in wanted:
        body = artifact.read()
        target = folder / artifact.path
        digests[artifact.path] = hashlib.blake2b(body, digest_size=16).hexdigest()
        if _same(target, body):
            kept.append(artifact.path)
            continue
        if target.parent not in made:
            target.parent.mkdir(parents=True, exist_ok=True)
            made.add(target.parent)
        _write(target, body)
        written.append(artifact.path)
    paths = {artifact.path for artifact in wanted}
    removed = [path for path in sorted(before) if path not in paths and _remove(folder, path)]
    _write(folder / MANIFEST, _manifest_bytes({path: digests[path] for path in paths}))
    return Published(tuple(written), tuple(kept), tuple(removed))


def _same(target: Path, body: bytes) -> bool:
    try:
        if target.is_symlink() or target.stat().st_size != len(body):
            return False
        return target.read_bytes() == body
    except OSError:
        return False


def _write(target: Path, body: bytes) -> None:
    beside = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        with os.fdopen(descriptor, "wb") as file:
            file.write(body)
        beside.replace(target)
    except OSError:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def _remove(folder: Path, path: str) -> bool:
    """Remove one of our files, and the folders it leaves empty; a symbolic link on the way is not followed."""
    target = folder / path
    if any(part.is_symlink() for part in target.parents if folder in part.parents):
        return False
    try:
        target.unlink()
    except OSError:
        return False
    for parent in target.parents:
        if parent == folder:
            break
        try:
            parent.rmdir()
        except OSError:
            break
    return True


def _manifest(folder: Path) -> Mapping[str, str]:
    """Path to digest of what we wrote into a folder before; empty where nothing tells."""
    try:
        found = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return {}
    files = found.get("files") if isinstance(found, dict) else None
    if not isinstance(files, dict):
        return {}
    return {path: str(digest) for path, digest in files.items() if _inside(path)}


def _inside(path: str) -> bool:
    """Whether a path of a manifest stays in its folder; a damaged manifest must not lead outside."""
    return not path.startswith(("/", "\\")) and ".." not in Path(path).parts and ":" not in path


def _manifest_bytes(files: Mapping[str, str]) -> bytes:
    note = "These files were written by Tenure; it removes no others."
    return (
        json.dumps({"note": note, "files": dict(sorted(files.items()))}, indent=0, ensure_ascii=False) + "\n"
    ).encode()
