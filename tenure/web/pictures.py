"""The images that pages show, each with its size and its versions, cached between builds."""

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
"""Increased with any change to the versions of an image."""

MOST = 200_000_000
"""Cache size in bytes above which images that the last build did not use are deleted."""


@dataclass(frozen=True, slots=True)
class Shown:
    """
    An image as pages show it.

    Its size, the path of the file for every browser, and width and path of its versions, narrow to wide. `files` are all of
    these. `downscaled` is the file for every browser, or None if that is the source without metadata.
    """

    width: int
    height: int
    path: str
    versions: tuple[tuple[int, str], ...]
    files: tuple[Artifact, ...]
    tamed: Version | None = None

    def wide(self, box: Box) -> int:
        """The width of the image in a box, in CSS pixels; 0 if the box leaves it open."""
        return wide((self.width, self.height), box)


def album(
    wanted: Mapping[Path, frozenset[Box]],
    named: Mapping[Path, Artifact],
    cache: Path,
    problems: Problems,
    progress: Progress = unseen,
) -> dict[Path, Shown]:
    """
    Return every image that can be shown, in versions for its boxes; problems with the others are reported.

    `artifacts_by_file` has an artifact of each image, for its name and its source. Results are cached in `cache_folder` by
    the digest of all inputs; if the cache is missing or damaged, they are made again.
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
            found[source] = _shown(artifact, body, marshal.loads(kept))  # noqa: S302 - only our own cache file is read
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
"""Width, height, the file for every browser (None: the source without metadata) and the versions."""


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
    """The cache key of the versions of an image."""
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
    """A file of an image, with the digest of its bytes in the name."""
    digest = hashlib.blake2b(version.body, digest_size=5).hexdigest()
    stem = slug(PurePosixPath(artifact.path).stem) or "picture"
    return Artifact(
        f"{FOLDER}/{stem}-{version.width}.{digest}.{version.suffix}", version.body, artifact.source
    )


def _drawn(artifact: Artifact, body: bytes, problems: Problems) -> Box | None:
    """The size of an SVG image; None if it is unreadable or unsafe, which is reported."""
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
    """Delete cached images that this build did not use if the cache is larger than MAX_CACHE_BYTES."""
    kept: dict[Path, int] = {}
    for path in cache.iterdir() if cache.is_dir() else ():
        # Another build of the site may have moved or deleted the file meanwhile.
        with contextlib.suppress(FileNotFoundError):
            kept[path] = path.stat().st_size
    if sum(kept.values()) > MOST:
        for path in kept:
            if path.name not in needed:
                path.unlink(missing_ok=True)
