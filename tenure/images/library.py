"""
The pictures of a site: measured when a page shows them, and their files made when all pages are rendered.

A `Picture` is a file with its size and the paths of its versions; the `PictureLibrary` finds it by its URL.
"""

import contextlib
import hashlib
import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from pathlib import Path, PurePosixPath
from typing import cast
from urllib.parse import quote, unquote

from tenure.cache.store import CacheStore
from tenure.images.metadata import may_contain_location, must_be_saved_again, strip_metadata
from tenure.images.resizing import (
    ImageSize,
    ResizedImage,
    UnreadableImageError,
    measure_image,
    pillow_version,
    resize_images,
)
from tenure.markdown.html import make_slug
from tenure.markdown.html_tags import Attributes, format_tag
from tenure.model.files import IMAGE_SUFFIXES, OTHER_IMAGE_SUFFIXES, OTHER_VIDEO_SUFFIXES
from tenure.problems import Place, Problems
from tenure.progress import ProgressCallback, ignore_progress
from tenure.publish import Artifact
from tenure.record import Record, replace

CLEANED_SUFFIXES = frozenset(IMAGE_SUFFIXES) - {".avif", ".gif", ".svg"}
UNCLEANED_SUFFIXES = frozenset([".avif", ".heic", ".heif", ".tif", ".tiff"])
"""Files with data of a camera, which is removed or reported."""

PICTURES_FOLDER = "assets/pictures"
PICTURES_CACHE = "pictures"
CACHE_FORMAT = "4"
"""Increase this when what is made of an image changes; it is in the names of the versions too."""


COLUMN_WIDTH = 672
"""CSS pixels of the width of a text column, 42 rem."""

DEFAULT_SIZES = "(min-width: 45rem) 42rem, 100vw"
"""The `sizes` of an image in a text without its own: the column, or the screen."""

_PIXELS = re.compile(r"\s*(\d{1,5})(?:\.\d*)?(px|%)?\s*")
"""A width or height of HTML: 300, 300.5px, 50%."""


class Picture(Record):
    """A picture that a page shows: its file, its size, and the paths of its versions by width."""

    source: Artifact
    key: str
    size: ImageSize
    versions: Mapping[int, str]

    @property
    def ratio(self) -> str:
        """The width by the height: "1.5"."""
        return f"{self.size.width / self.size.height:.4g}"

    def complete_tag(self, tag: str, original: Attributes, locate: Callable[[str], str], loading: str) -> str:
        """
        The tag of an image or a video with its size, against layout shifts; an image with its versions.

        `locate` returns the URL of a path on the page. Attributes written in the page take precedence.
        """
        if tag == "video":
            size = {"width": str(self.size.width), "height": str(self.size.height)}
            return format_tag(tag, {**size, **original})

        width = _parse_pixels(original.get("width"))
        height = _parse_pixels(original.get("height"))
        attributes = {**original, **self._complete_size(width, height)}
        if attributes.get("alt") == "":
            # alt="" alone marks a decorative image in HTML
            attributes.pop("role", None)
        is_lazy = attributes.setdefault("loading", loading) == "lazy"
        if is_lazy:
            attributes.setdefault("decoding", "async")

        if self.versions and "srcset" not in original:
            urls = {width: html.escape(locate(f"/{quote(path)}")) for width, path in self.versions.items()}
            attributes["srcset"] = ", ".join(f"{url} {width}w" for width, url in urls.items())
            # the width of the image that fills a box of this height
            box_width = max(width, -(-height * self.size.width // self.size.height))
            default_sizes = f"auto, {DEFAULT_SIZES}" if is_lazy else DEFAULT_SIZES
            attributes.setdefault("sizes", f"{box_width}px" if box_width else default_sizes)
        if "srcset" not in attributes:
            # HTML allows it only beside srcset
            attributes.pop("sizes", None)
        return format_tag(tag, attributes)

    def _complete_size(self, width: int, height: int) -> Attributes:
        """A width and a height in pixels; one that is 0 is that of the picture in proportion to the other."""
        size = self.size
        if not width:
            width = round(height * size.width / size.height) if height else size.width
            height = height or size.height
        return {"width": str(width), "height": str(height or round(width * size.height / size.width))}


def _parse_pixels(value: str | None) -> int:
    """Pixels; a percentage, which is common though HTML requires a number, is taken of the column width."""
    match = _PIXELS.fullmatch(value or "")
    if not match:
        return 0
    number = int(match[1])
    return round(number * COLUMN_WIDTH / 100) if match[2] == "%" else number


class PictureLibrary:
    """The pictures among the copied files of a site."""

    def __init__(self, files: Iterable[Artifact], store: CacheStore, problems: Problems) -> None:
        self._files = {file.path: file for file in files}
        self._store = store
        self._problems = problems
        self._pictures: dict[str, Picture | None] = {}

    def find_picture(self, url: str) -> Picture | None:
        """The picture at a URL from the root; None if it is none that can be shown, which is reported."""
        path = unquote(re.split("[?#]", url)[0]).removeprefix("/")
        if path not in self._pictures:
            file = self._files.get(path)
            self._pictures[path] = self._open_picture(file) if file else None
        return self._pictures[path]

    def _open_picture(self, file: Artifact) -> Picture | None:
        """A file with its size and the names of its versions; None if it cannot be shown."""
        suffix = PurePosixPath(file.path).suffix.lower()
        if suffix not in IMAGE_SUFFIXES + OTHER_IMAGE_SUFFIXES:
            self._report_other_format(file, suffix)
            return None
        try:
            body = file.read()
        except OSError as error:
            message = f"this image cannot be read ({error.strerror})"
            self._problems.report("unreadable-picture", file.source, message)
            return None

        version = CACHE_FORMAT if suffix == ".svg" else f"{CACHE_FORMAT} {pillow_version()}"
        measure = partial(self._measure_picture, file, body, is_svg=suffix == ".svg")
        size = self._store.call("picture-sizes", version, body, measure, self._problems)
        if size is None:
            return None

        # loom.png -> assets/pictures/loom-480.0123456789.webp, …
        digest = hashlib.blake2b(CACHE_FORMAT.encode() + body, digest_size=5).hexdigest()
        stem = make_slug(PurePosixPath(file.path).stem) or "picture"
        versions = {width: f"{PICTURES_FOLDER}/{stem}-{width}.{digest}.webp" for width in size.widths}
        key = hashlib.blake2b(version.encode() + body, digest_size=16).hexdigest()
        return Picture(file, key, size, versions)

    def _report_other_format(self, file: Artifact, suffix: str) -> None:
        """Report a file that no page can show, where it is named."""
        name = PurePosixPath(file.source.file).name
        hint = "show it as SVG, PNG or JPEG, or link to it: [words](file)"
        if suffix in OTHER_VIDEO_SUFFIXES:
            video_name = f"{PurePosixPath(name).stem}.mp4"
            hint = f"convert it to a video that all browsers play: ffmpeg -i {name} {video_name}"
        place = self._problems.find_text(name) or file.source
        message = f"{name} is not an image that a page can show"
        self._problems.report("unreadable-picture", place, message, hint)

    def _measure_picture(self, file: Artifact, body: bytes, *, is_svg: bool) -> ImageSize | None:
        """The size of a picture; None if it is unreadable or unsafe, which is reported, or without Pillow."""
        try:
            if not is_svg:
                return measure_image(body) if pillow_version() else None
            from tenure.images.svg import inspect_svg

            svg = inspect_svg(body)
        except UnreadableImageError as error:
            if is_svg:
                self._problems.add_source(file.source.file, body.decode("utf-8", "replace"))
            self._report_unreadable(file, error)
            return None
        for issue, hint in svg.issues:
            message = f"the drawing {PurePosixPath(file.source.file).name} is not shown: {issue}"
            self._problems.report("unsafe-picture", Place(file.source.file), message, hint)
        return None if svg.issues else ImageSize(svg.width, svg.height)

    def _report_unreadable(self, file: Artifact, error: UnreadableImageError) -> None:
        """Report an image that cannot be read, at the place of the mistake if it is known."""
        code = "huge-picture" if error.too_large else "unreadable-picture"
        place = Place(file.source.file, *error.position) if error.position[0] else file.source
        self._problems.report(code, place, f"this image {error}", error.hint)

    def make_files(
        self,
        artifacts: Iterable[Artifact],
        linked_urls: AbstractSet[str],
        progress: ProgressCallback = ignore_progress,
    ) -> Iterator[Artifact]:
        """
        The artifacts with each picture as it is published: without data of a camera, before its versions.

        A picture that a page shows and none links to is reduced if it is too large; `linked_urls` begin at
        the root of the site.
        """
        artifacts = list(artifacts)
        shown = [picture for file in artifacts if (picture := self._pictures.get(file.path))]
        resized = self._resize_pictures([picture for picture in shown if picture.versions], progress)

        # two equal pictures have the same
        versions: dict[str, Artifact] = {}
        for artifact in artifacts:
            picture = self._pictures.get(artifact.path)
            images = resized.get(picture.key) if picture else None
            if images and images.reduced and f"/{quote(artifact.path)}" not in linked_urls:
                yield replace(artifact, body=images.reduced)
            else:
                yield self._clean_picture(artifact)
            if picture and images:
                for path, body in zip(picture.versions.values(), images.versions, strict=True):
                    versions[path] = Artifact(path, body, artifact.source)
        yield from versions.values()

    def _resize_pictures(
        self, pictures: Sequence[Picture], progress: ProgressCallback
    ) -> Mapping[str, ResizedImage]:
        """
        The versions of pictures by their keys, from the store if they are there.

        A picture that cannot be read is reported, and has none.
        """
        by_key = {picture.key: picture for picture in pictures}
        stored = {key: self._store.find(f"{PICTURES_CACHE}/{key}", "", ()) for key in by_key}
        resized = {key: cast("ResizedImage", images) for key, images in stored.items() if images is not None}
        missing = [picture for key, picture in by_key.items() if key not in resized]

        results = resize_images([picture.source.read for picture in missing])
        for number, (picture, result) in enumerate(zip(missing, results, strict=True)):
            progress("making pictures", number, len(missing))
            if isinstance(result, UnreadableImageError):
                self._report_unreadable(picture.source, result)
            else:
                self._store.put(f"{PICTURES_CACHE}/{picture.key}", "", (), result)
                resized[picture.key] = result
        if missing:
            _prune_cache(self._store.folder, by_key.keys())
        return resized

    def _clean_picture(self, artifact: Artifact) -> Artifact:
        """A copied file without data of a camera; one of a format that cannot be cleaned is reported."""
        suffix = PurePosixPath(artifact.path).suffix.lower()
        if not isinstance(artifact.body, Path) or suffix not in CLEANED_SUFFIXES | UNCLEANED_SUFFIXES:
            return artifact
        try:
            body = artifact.read()
        except OSError:
            # tenure.publish reports the unreadable file
            return artifact

        cleaned = body
        if suffix in UNCLEANED_SUFFIXES:
            if may_contain_location(body):
                message = (
                    "this image may say where and with which camera it was taken, and is published unchanged"
                )
                hint = "export it as JPEG, PNG or WebP"
                self._problems.report("picture-data", artifact.source, message, hint)
        elif must_be_saved_again(body):
            version = f"{CACHE_FORMAT} {pillow_version()}"
            cleaned = self._store.call("cleaned-pictures", version, body, partial(strip_metadata, body))
        else:
            cleaned = strip_metadata(body)
        return artifact if cleaned == body else replace(artifact, body=cleaned)


MAX_CACHE_BYTES = 200_000_000
"""Cache size in bytes above which images that the last build did not use are deleted."""


def _prune_cache(store_folder: Path | None, used_keys: AbstractSet[str]) -> None:
    """Delete cached images that this build did not use if the cache is larger than MAX_CACHE_BYTES."""
    # a build in memory has no folder
    if store_folder is None or not (store_folder / PICTURES_CACHE).is_dir():
        return
    sizes: dict[Path, int] = {}
    for path in (store_folder / PICTURES_CACHE).iterdir():
        # another build of the site may have moved or deleted the file meanwhile
        with contextlib.suppress(FileNotFoundError):
            sizes[path] = path.stat().st_size
    if sum(sizes.values()) > MAX_CACHE_BYTES:
        for path in sizes:
            if path.name not in used_keys:
                path.unlink(missing_ok=True)
