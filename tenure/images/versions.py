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
    ImageVersion,
    ResizedImage,
    UnreadableImageError,
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
CACHE_FORMAT = 3
"""Increase this when ResizedImage, or the files that are made from an image, change."""

MAX_CACHE_BYTES = 200_000_000
"""Cache size in bytes above which images that the last build did not use are deleted."""


class PublishedImage(Record):
    """
    An image as pages show it.

    `width` and `height` are its size in pixels, and `path` is its fallback: the file for browsers that choose no version.
    `versions` are width and path of the resized files, narrow to wide. `files` are the fallback and the versions.
    `resized_fallback` is the fallback, or None if the fallback is the source without its metadata.
    """

    width: int
    height: int
    path: str
    versions: tuple[tuple[int, str], ...]
    files: tuple[Artifact, ...]
    resized_fallback: ImageVersion | None = None


def process_images(
    artifacts_by_file: Mapping[Path, Artifact],
    store: CacheStore,
    problems: Problems,
    progress: ProgressCallback = ignore_progress,
) -> dict[Path, PublishedImage]:
    """
    Return every image that can be shown, with its versions; problems with the others are reported.

    The artifact of an image gives the name of its files and its place in the sources. The store keeps the files of each
    image by its digest.
    """
    uncached_keys: dict[Path, str] = {}
    images: dict[Path, PublishedImage] = {}
    used_keys: set[str] = set()
    for source, artifact in sorted(artifacts_by_file.items()):
        is_svg = source.suffix.lower() == ".svg"
        body = _read_source(source, artifact, problems)
        if body is None:
            continue
        key = _image_key(body, is_svg=is_svg)
        used_keys.add(key)
        image = cast("ResizedImage | None", store.find(f"{IMAGES_CACHE}/{key}", "", ()))
        if image is None and not is_svg:
            if pillow_version():  # without Pillow, as in a browser, the picture is published as it is
                uncached_keys[source] = key
            continue
        if image is None:
            size = _read_svg_size(artifact, body, problems)
            if size is None:
                continue
            image = ResizedImage(*size, None, ())
            store.put(f"{IMAGES_CACHE}/{key}", "", (), image)
        images[source] = _name_files(artifact, body, image)
    if uncached_keys:
        results = resize_images([source.read_bytes for source in uncached_keys])
        for (source, key), result in zip(uncached_keys.items(), results, strict=True):
            progress("making pictures", len(images), len(artifacts_by_file))
            artifact = artifacts_by_file[source]
            if isinstance(result, UnreadableImageError):
                code = "huge-picture" if result.too_large else "unreadable-picture"
                problems.report(code, artifact.source, f"this image {result}", result.hint)
                continue
            body = _read_source(source, artifact, problems)
            if body is not None:
                store.put(f"{IMAGES_CACHE}/{key}", "", (), result)
                images[source] = _name_files(artifact, body, result)
        _prune_cache(store.folder, used_keys)
    return images


def _read_source(source: Path, artifact: Artifact, problems: Problems) -> bytes | None:
    """The bytes of an image; None if the file cannot be read, which is reported."""
    try:
        return source.read_bytes()
    except OSError as error:
        message = f"this image cannot be read ({error.strerror})"
        problems.report("unreadable-picture", artifact.source, message)
        return None


def _image_key(body: bytes, *, is_svg: bool) -> str:
    settings = f"{CACHE_FORMAT} {'' if is_svg else pillow_version()}"
    return hashlib.blake2b(body, digest_size=16, key=hashlib.sha256(settings.encode()).digest()).hexdigest()


def _name_files(artifact: Artifact, body: bytes, image: ResizedImage) -> PublishedImage:
    suffix = PurePosixPath(artifact.path).suffix.lower()[1:]
    fallback = image.original or ImageVersion(image.width, suffix, strip_metadata(body))
    files = tuple(_make_artifact(artifact, version) for version in (fallback, *image.versions))
    versions = zip((version.width for version in image.versions), (f.path for f in files[1:]), strict=True)
    return PublishedImage(image.width, image.height, files[0].path, tuple(versions), files, image.original)


def _make_artifact(artifact: Artifact, version: ImageVersion) -> Artifact:
    """A file of an image, with the digest of its bytes in the name."""
    digest = hashlib.blake2b(version.body, digest_size=5).hexdigest()
    stem = make_slug(PurePosixPath(artifact.path).stem) or "picture"
    return Artifact(
        f"{IMAGES_FOLDER}/{stem}-{version.width}.{digest}.{version.suffix}", version.body, artifact.source
    )


def _read_svg_size(artifact: Artifact, body: bytes, problems: Problems) -> tuple[int, int] | None:
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


def _prune_cache(store_folder: Path | None, used_keys: AbstractSet[str]) -> None:
    """Delete cached images that this build did not use if the cache is larger than MAX_CACHE_BYTES."""
    cache_folder = store_folder / IMAGES_CACHE if store_folder else None
    sizes: dict[Path, int] = {}
    for path in cache_folder.iterdir() if cache_folder and cache_folder.is_dir() else ():
        # Another build of the site may have moved or deleted the file meanwhile.
        with contextlib.suppress(FileNotFoundError):
            sizes[path] = path.stat().st_size
    if sum(sizes.values()) > MAX_CACHE_BYTES:
        for path in sizes:
            if path.name not in used_keys:
                path.unlink(missing_ok=True)
