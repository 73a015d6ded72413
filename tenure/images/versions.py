"""The images that pages show, each with its size and its versions, cached between builds."""

import contextlib
import hashlib
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path, PurePosixPath
from typing import cast

from tenure.cache.store import CacheStore
from tenure.images.metadata import strip_metadata
from tenure.images.resizing import (
    Box,
    ImageVersion,
    ResizedImage,
    UnreadableImageError,
    display_width,
    pillow_version,
    resize_images,
)
from tenure.images.svg import UnreadableSvgError, inspect_svg
from tenure.markdown.html import make_slug
from tenure.problems import Place, Problems
from tenure.progress import ProgressCallback, ignore_progress
from tenure.publish import Artifact
from tenure.record import Record

IMAGES_FOLDER = "assets/pictures"
IMAGES_CACHE = "pictures"
CACHE_VERSION = 1
"""Increased with any change to the versions of an image."""

MAX_CACHE_BYTES = 200_000_000
"""Cache size in bytes above which images that the last build did not use are deleted."""


class PublishedImage(Record):
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
    downscaled: ImageVersion | None = None

    def display_width(self, box: Box) -> int:
        """The width of the image in a box, in CSS pixels; 0 if the box leaves it open."""
        return display_width((self.width, self.height), box)


def process_images(
    boxes_by_file: Mapping[Path, frozenset[Box]],
    artifacts_by_file: Mapping[Path, Artifact],
    store: CacheStore,
    problems: Problems,
    progress: ProgressCallback = ignore_progress,
) -> dict[Path, PublishedImage]:
    """
    Return every image that can be shown, in versions for its boxes; problems with the others are reported.

    `artifacts_by_file` has an artifact of each image, for its name and its source. The versions are stored in a file for
    each image, by the digest of all inputs.
    """
    new_keys: dict[Path, str] = {}
    images: dict[Path, PublishedImage] = {}
    used_keys: set[str] = set()
    for source, boxes in sorted(boxes_by_file.items()):
        artifact, is_svg = artifacts_by_file[source], source.suffix.lower() == ".svg"
        try:
            body = source.read_bytes()
        except OSError as error:
            _report_image(artifact, "unreadable-picture", f"cannot be read ({error.strerror})", "", problems)
            continue
        key = _image_key(body, frozenset() if is_svg else boxes)
        used_keys.add(key)
        packed = cast("PackedImage | None", store.find(f"{IMAGES_CACHE}/{key}", "", ()))
        if packed is None and not is_svg:
            new_keys[source] = key
            continue
        if packed is None:
            size = _check_svg(artifact, body, problems)
            if size is None:
                continue
            packed = (*size, None, ())
            store.put(f"{IMAGES_CACHE}/{key}", "", (), packed)
        images[source] = _unpack_image(artifact, body, packed)
    if new_keys:
        jobs = [(source.read_bytes, boxes_by_file[source]) for source in new_keys]
        for (source, key), result in zip(new_keys.items(), resize_images(jobs), strict=True):
            progress("making pictures", len(images), len(boxes_by_file))
            if isinstance(result, UnreadableImageError):
                code = "huge-picture" if result.too_large else "unreadable-picture"
                _report_image(artifacts_by_file[source], code, str(result), result.hint, problems)
                continue
            packed = _pack_image(result)
            store.put(f"{IMAGES_CACHE}/{key}", "", (), packed)
            images[source] = _unpack_image(artifacts_by_file[source], source.read_bytes(), packed)
        if store.folder:
            _prune_cache(store.folder / IMAGES_CACHE, used_keys)
    return images


PackedImage = tuple[int, int, tuple[int, str, bytes] | None, tuple[tuple[int, str, bytes], ...]]
"""Width, height, the file for every browser (None: the source without metadata) and the versions."""


def _pack_image(image: ResizedImage) -> PackedImage:
    def pack_version(version: ImageVersion) -> tuple[int, str, bytes]:
        return version.width, version.suffix, version.body

    original = pack_version(image.original) if image.original else None
    return image.width, image.height, original, tuple(map(pack_version, image.versions))


def _image_key(body: bytes, boxes: frozenset[Box]) -> str:
    """The cache key of the versions of an image."""
    settings = repr((CACHE_VERSION, sorted(boxes), pillow_version() if boxes else ""))
    return hashlib.blake2b(body, digest_size=16, key=hashlib.sha256(settings.encode()).digest()).hexdigest()


def _unpack_image(artifact: Artifact, body: bytes, packed: PackedImage) -> PublishedImage:
    width, height, original, versions = packed
    path = PurePosixPath(artifact.path)
    fallback = (
        ImageVersion(*original)
        if original
        else ImageVersion(width, path.suffix.lower()[1:], strip_metadata(body))
    )
    files = [_image_file(artifact, fallback)]
    files += [_image_file(artifact, ImageVersion(*version)) for version in versions]
    widths = [version[0] for version in versions]
    paths_by_width = tuple(zip(widths, (file.path for file in files[1:]), strict=True))
    return PublishedImage(
        width, height, files[0].path, paths_by_width, tuple(files), fallback if original else None
    )


def _image_file(artifact: Artifact, version: ImageVersion) -> Artifact:
    """A file of an image, with the digest of its bytes in the name."""
    digest = hashlib.blake2b(version.body, digest_size=5).hexdigest()
    stem = make_slug(PurePosixPath(artifact.path).stem) or "picture"
    return Artifact(
        f"{IMAGES_FOLDER}/{stem}-{version.width}.{digest}.{version.suffix}", version.body, artifact.source
    )


def _check_svg(artifact: Artifact, body: bytes, problems: Problems) -> Box | None:
    """The size of an SVG image; None if it is unreadable or unsafe, which is reported."""
    try:
        svg = inspect_svg(body)
    except UnreadableSvgError as error:
        problems.add_source(artifact.source.file, body.decode("utf-8", "replace"))
        place = Place(artifact.source.file, error.line, error.column)
        problems.report("unreadable-picture", place, f"this is not an SVG file: {error}", "export it again")
        return None
    if svg.issues:
        problems.add_source(artifact.source.file, body.decode("utf-8", "replace"))
    for issue in svg.issues:
        place = Place(artifact.source.file, issue.line, issue.column)
        message = f"the drawing {PurePosixPath(artifact.source.file).name} is not shown: {issue.message}"
        problems.report("unsafe-picture", place, message, issue.hint)
    return None if svg.issues else (svg.width, svg.height)


def _report_image(artifact: Artifact, code: str, description: str, hint: str, problems: Problems) -> None:
    problems.report(code, artifact.source, f"this image {description}", hint)


def _prune_cache(cache_folder: Path, used_keys: AbstractSet[str]) -> None:
    """Delete cached images that this build did not use if the cache is larger than MAX_CACHE_BYTES."""
    sizes: dict[Path, int] = {}
    for path in cache_folder.iterdir() if cache_folder.is_dir() else ():
        # Another build of the site may have moved or deleted the file meanwhile.
        with contextlib.suppress(FileNotFoundError):
            sizes[path] = path.stat().st_size
    if sum(sizes.values()) > MAX_CACHE_BYTES:
        for path in sizes:
            if path.name not in used_keys:
                path.unlink(missing_ok=True)
