"""The pictures that pages show, each with its size and its versions, kept between builds."""

import contextlib
import hashlib
import marshal
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path, PurePosixPath

from tenure.frozen import dataclass
from tenure.memo import Memo
from tenure.output import Artifact
from tenure.problems import Place, Problems
from tenure.progress import Progress, unseen
from tenure.text import slug
from tenure.web.drawings import UnreadableDrawingError, read_drawing
from tenure.web.raster import Box, Raster, UnreadablePictureError, Version, maker, read_rasters, wide
from tenure.web.traces import cleaned

FOLDER = "assets/pictures"
FORM = 1
"""Raised with any change to what is made of a picture."""

MOST = 200_000_000
"""Bytes of kept pictures beyond which those that the last build did not need are dropped."""


@dataclass(frozen=True, slots=True)
class Shown:
    """
    A picture as pages show it.

    Its size, the path of the file for every browser, and width and path of its versions, narrow to wide. `files` are
    all of these; `tamed` is the file for every browser where that is not the one of the source, cleaned.
    """

    width: int
    height: int
    path: str
    versions: tuple[tuple[int, str], ...]
    files: tuple[Artifact, ...]
    tamed: Version | None = None

    def wide(self, box: Box) -> int:
        """How wide the picture stands in a box, in CSS pixels; 0 where the box leaves it open."""
        return wide((self.width, self.height), box)


def album(
    wanted: Mapping[Path, frozenset[Box]],
    named: Mapping[Path, Artifact],
    cache: Path,
    problems: Problems,
    progress: Progress = unseen,
) -> dict[Path, Shown]:
    """
    Every wanted picture that can be shown, for the boxes it stands in; what is wrong with the others is told.

    `named` has an artifact of each picture, for its name and its source. What has been made is kept in `cache` by
    the digest of all that goes into it; nothing there, or something damaged, costs only time.
    """
    memos: dict[Path, Memo] = {}
    found: dict[Path, Shown] = {}
    keys: set[str] = set()
    for source, boxes in sorted(wanted.items()):
        artifact, is_drawing = named[source], source.suffix.lower() == ".svg"
        try:
            body = source.read_bytes()
        except OSError as error:
            _tell(artifact, "unreadable-picture", f"cannot be read ({error.strerror})", "", problems)
            continue
        key = _key(body, frozenset() if is_drawing else boxes)
        keys.add(key)
        memo = Memo(cache / key)
        kept = memo.get("")
        if kept is not None:
            found[source] = _shown(artifact, body, marshal.loads(kept))  # noqa: S302 - the memo knows its own bytes
        elif not is_drawing:
            memos[source] = memo
        elif (size := _drawn(artifact, body, problems)) is not None:
            found[source] = _shown(artifact, body, _keep(memo, (*size, None, ())))
    if memos:
        jobs = [(source.read_bytes, wanted[source]) for source in memos]
        for (source, memo), made in zip(memos.items(), read_rasters(jobs), strict=True):
            progress("making pictures", len(found), len(wanted))
            if isinstance(made, UnreadablePictureError):
                code = "huge-picture" if made.too_large else "unreadable-picture"
                _tell(named[source], code, str(made), made.hint, problems)
            else:
                found[source] = _shown(named[source], source.read_bytes(), _keep(memo, _packed(made)))
        _prune(cache, keys)
    return found


Packed = tuple[int, int, tuple[int, str, bytes] | None, tuple[tuple[int, str, bytes], ...]]
"""Width, height, the file for every browser (None: the source, cleaned) and the versions."""


def _packed(made: Raster) -> Packed:
    def plain(version: Version) -> tuple[int, str, bytes]:
        return version.width, version.suffix, version.body

    whole = plain(made.original) if made.original else None
    return made.width, made.height, whole, tuple(map(plain, made.versions))


def _keep(memo: Memo, packed: Packed) -> Packed:
    memo.put("", marshal.dumps(packed))
    memo.save()
    return packed


def _key(body: bytes, boxes: frozenset[Box]) -> str:
    """The name under which what is made of a picture is kept."""
    settings = repr((FORM, sorted(boxes), maker() if boxes else ""))
    return hashlib.blake2b(body, digest_size=16, key=hashlib.sha256(settings.encode()).digest()).hexdigest()


def _shown(artifact: Artifact, body: bytes, packed: Packed) -> Shown:
    width, height, original, versions = packed
    path = PurePosixPath(artifact.path)
    whole = Version(*original) if original else Version(width, path.suffix.lower()[1:], cleaned(body))
    files = [_file(artifact, whole)]
    files += [_file(artifact, Version(*version)) for version in versions]
    widths = [version[0] for version in versions]
    listed = tuple(zip(widths, (file.path for file in files[1:]), strict=True))
    return Shown(width, height, files[0].path, listed, tuple(files), whole if original else None)


def _file(artifact: Artifact, version: Version) -> Artifact:
    """A file of a picture under a name that changes with its bytes."""
    digest = hashlib.blake2b(version.body, digest_size=5).hexdigest()
    stem = slug(PurePosixPath(artifact.path).stem) or "picture"
    return Artifact(
        f"{FOLDER}/{stem}-{version.width}.{digest}.{version.suffix}", version.body, artifact.source
    )


def _drawn(artifact: Artifact, body: bytes, problems: Problems) -> Box | None:
    """The size of a drawing; None where it cannot be read or must not be shown, which is told."""
    try:
        drawing = read_drawing(body)
    except UnreadableDrawingError as error:
        problems.know(artifact.source, body.decode("utf-8", "replace"))
        place = Place(artifact.source, error.line, error.column)
        problems.tell("unreadable-picture", place, f"this is not an SVG file: {error}", "export it again")
        return None
    if drawing.faults:
        problems.know(artifact.source, body.decode("utf-8", "replace"))
    for fault in drawing.faults:
        place = Place(artifact.source, fault.line, fault.column)
        message = f"the drawing {PurePosixPath(artifact.source).name} is not shown: {fault.message}"
        problems.tell("unsafe-picture", place, message, fault.hint)
    return None if drawing.faults else (drawing.width, drawing.height)


def _tell(artifact: Artifact, code: str, what: str, hint: str, problems: Problems) -> None:
    problems.tell(code, Place(artifact.source), f"this image {what}", hint)


def _prune(cache: Path, needed: AbstractSet[str]) -> None:
    """Drop kept pictures that this build did not need where they have grown beyond bounds."""
    kept: dict[Path, int] = {}
    for path in cache.iterdir() if cache.is_dir() else ():
        # What another build of the site has just moved in or dropped is not there any more.
        with contextlib.suppress(FileNotFoundError):
            kept[path] = path.stat().st_size
    if sum(kept.values()) > MOST:
        for path in kept:
            if path.name not in needed:
                path.unlink(missing_ok=True)
