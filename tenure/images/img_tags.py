"""Adds size, versions and lazy loading to every image of the finished pages; removes metadata from published images."""

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urljoin

from tenure.cache.store import CacheStore
from tenure.images.metadata import may_contain_location, strip_metadata
from tenure.markdown.html_tags import Attributes, Tag, format_tag, iterate_tags, rewrite_tags
from tenure.model.links import is_valid_url, parse_url
from tenure.problems import Problems
from tenure.progress import ProgressCallback, ignore_progress
from tenure.publish import Artifact
from tenure.record import Record, replace

if TYPE_CHECKING:
    from tenure.images.versions import PublishedImage

CLEANABLE_SUFFIXES = frozenset([".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".apng", ".webp", ".gif"])
UNCLEANED_SUFFIXES = frozenset([".avif", ".heic", ".heif", ".tif", ".tiff"])
IMAGE_SUFFIXES = CLEANABLE_SUFFIXES | UNCLEANED_SUFFIXES | {".svg", ".bmp", ".ico"}
COLUMN_WIDTH = 672
"""CSS pixels of the width of a text column, 42 rem."""

DEFAULT_SIZES = "(min-width: 45rem) 42rem, 100vw"
"""The `sizes` of an image in a text without its own: the column, or the screen."""

URL_ATTRIBUTES: Mapping[str, str] = {"img": "src", "video": "poster", "a": "href"}
"""The attribute with the URL of an image, by element; a link leads to an image if it has the attribute `data-picture`."""

VIDEO_SUFFIXES = frozenset([".mov", ".avi", ".mkv", ".m4v", ".mpg", ".mpeg", ".wmv", ".ogv", ".flv", ".3gp"])
"""Videos that not all browsers play."""

_CSS_LENGTH = re.compile(r"(\d+(?:\.\d+)?)(px|rem)")


def add_image_markup(
    artifacts: Sequence[Artifact],
    store: CacheStore,
    problems: Problems,
    base_path: str = "",
    progress: ProgressCallback = ignore_progress,
) -> tuple[Artifact, ...]:
    """
    Return the artifacts with size and versions in every <img> that shows a file of the site, plus the files of the versions.

    Each image is also published at its own path, without metadata. That copy is downscaled like the version on the pages,
    unless a page links to it or no page shows it. `base_path` is the path of the site, which begins the URLs on /404.html.
    """
    site_files = {a.path: a for a in artifacts if isinstance(a.body, Path)}
    pages = {
        a.path: _HtmlPage(a, site_files, f"{base_path.rstrip('/')}/" if a.path == "404.html" else "")
        for a in artifacts
        if a.path.endswith(".html")
        and isinstance(a.body, bytes)
        and (b"<img" in a.body or b" poster=" in a.body)
    }
    artifacts_by_file: dict[Path, Artifact] = {}
    for page in pages.values():
        for artifact, source in page.find_images(problems):
            artifacts_by_file.setdefault(source, artifact)
    images: dict[Path, PublishedImage] = {}
    if artifacts_by_file:
        from tenure.images.versions import process_images

        images = process_images(artifacts_by_file, store, problems, progress)
    results = [pages[a.path].rewrite_images(images) if a.path in pages else a for a in artifacts]
    results = [_published_copy(artifact, images, results, problems) for artifact in results]
    versions = {file.path: file for image in images.values() for file in image.files}
    return (*results, *versions.values())


class _HtmlPage(Record):
    """A page with images; `url_prefix` begins its URLs if they are not relative."""

    artifact: Artifact
    site_files: Mapping[str, Artifact]
    url_prefix: str

    @property
    def page_text(self) -> str:
        return self.artifact.read().decode()

    @property
    def element_names(self) -> list[str]:
        """The elements of the page that may show an image; links only if one has the attribute `data-picture`."""
        return [name for name in URL_ATTRIBUTES if name != "a" or " data-picture" in self.page_text]

    def find_images(self, problems: Problems) -> Iterator[tuple[Artifact, Path]]:
        """Every image of the site that the page shows, and its file."""
        for tag in iterate_tags(self.page_text, *self.element_names):
            artifact = self._find_artifact(tag)
            if artifact is None or not isinstance(artifact.body, Path):
                continue
            suffix = PurePosixPath(artifact.path).suffix.lower()
            if suffix in IMAGE_SUFFIXES:
                yield artifact, artifact.body
                continue
            name = PurePosixPath(artifact.source.file).name
            place = problems.find_text(name) or artifact.source
            hint = "show it as SVG, PNG or JPEG, or link to it: [words](file)"
            if suffix in VIDEO_SUFFIXES:
                video_name = f"{PurePosixPath(name).stem}.mp4"
                hint = f"convert it to a video that all browsers play: ffmpeg -i {name} {video_name}"
            problems.report("unreadable-picture", place, f"{name} is not an image that a page can show", hint)

    def _find_artifact(self, tag: Tag) -> Artifact | None:
        if tag.name == "a" and "data-picture" not in tag.attributes:
            return None
        src = html.unescape(tag.attributes.get(URL_ATTRIBUTES[tag.name]) or "")
        if not src or not is_valid_url(src):
            return None
        url = parse_url(urljoin(f"/{quote(self.artifact.path)}", src))
        if url.scheme or url.netloc:
            return None
        return self.site_files.get(unquote(url.path.removeprefix(self.url_prefix)).lstrip("/"))

    def rewrite_images(self, images: "Mapping[Path, PublishedImage]") -> Artifact:
        """The page with the new attributes of each image, and the URLs of the published posters and linked images."""
        url_prefix = self.url_prefix or "../" * self.artifact.path.count("/")
        earlier_tags: list[str] = []

        def replace_tag(tag: Tag) -> str:
            attributes = tag.attributes
            artifact = self._find_artifact(tag)
            if artifact is None or not isinstance(artifact.body, Path) or artifact.body not in images:
                return tag.text
            image = images[artifact.body]
            if tag.name != "img":
                size = {"width": str(image.width), "height": str(image.height)} if tag.name == "video" else {}
                url = f"{url_prefix}{quote(image.path)}"
                return format_tag(tag.name, {**size, **attributes, URL_ATTRIBUTES[tag.name]: url})
            loading = "lazy" if earlier_tags else "eager"  # the first image may be visible at once
            earlier_tags.append(tag.text)
            return format_tag("img", _image_attributes(attributes, image, url_prefix, loading))

        page_html = rewrite_tags(self.page_text, replace_tag, *self.element_names)
        return replace(self.artifact, body=page_html.encode())


def _parse_pixels(value: str | None) -> int:
    """Pixels; a percentage, which is common though HTML requires a number, is taken of the column width."""
    match = re.fullmatch(r"\s*(\d{1,5})(?:\.\d*)?(px|%)?\s*", value or "")
    return round(int(match[1]) * (COLUMN_WIDTH / 100 if match[2] == "%" else 1)) if match else 0


def _image_attributes(
    original: Attributes, image: "PublishedImage", url_prefix: str, loading: str
) -> Attributes:
    """
    The new attributes of an <img>.

    Width and height prevent layout shifts while the image loads; attributes written in the page take precedence.
    """
    attributes = dict(original)
    _, separator, fragment = (original["src"] or "").partition("#")
    attributes["src"] = f"{url_prefix}{quote(image.path)}{separator}{fragment}"
    size = image.width, image.height
    width, height = _parse_pixels(attributes.get("width")), _parse_pixels(attributes.get("height"))
    length = _CSS_LENGTH.fullmatch(attributes.get("sizes") or "")
    displayed_width = max(width, -(-height * size[0] // size[1]))  # the part of the image that fills its box
    if length:
        displayed_width = round(float(length[1]) * (16 if length[2] == "rem" else 1))
    attributes["width"] = str(width or (round(height * size[0] / size[1]) if height else size[0]))
    attributes["height"] = str(height or (round(width * size[1] / size[0]) if width else size[1]))
    if attributes.get("alt") == "":
        attributes.pop("role", None)  # alt="" alone marks a decorative image in HTML
    attributes.setdefault("loading", loading)
    if attributes["loading"] == "lazy":
        attributes.setdefault("decoding", "async")
    if image.versions and "srcset" not in original:
        attributes["srcset"] = ", ".join(f"{url_prefix}{quote(path)} {w}w" for w, path in image.versions)
        auto = "auto, " if attributes["loading"] == "lazy" else ""
        sizes = f"{displayed_width}px" if displayed_width else f"{auto}{DEFAULT_SIZES}"
        attributes.setdefault("sizes", sizes)
    if "srcset" not in attributes:
        attributes.pop("sizes", None)  # HTML allows it only beside srcset
    return attributes


def _published_copy(
    artifact: Artifact,
    images: "Mapping[Path, PublishedImage]",
    artifacts: Iterable[Artifact],
    problems: Problems,
) -> Artifact:
    """The file as published at its own path: an image without metadata, downscaled if no page links to it."""
    source, suffix = artifact.body, PurePosixPath(artifact.path).suffix.lower()
    if not isinstance(source, Path) or suffix not in CLEANABLE_SUFFIXES | UNCLEANED_SUFFIXES:
        return artifact
    downscaled = images[source].resized_fallback if source in images else None
    own_suffix = {".jpeg": "jpg", ".jpe": "jpg"}.get(suffix, suffix[1:])
    if downscaled and downscaled.suffix == own_suffix and not _is_linked_to(artifact.path, artifacts):
        return replace(artifact, body=downscaled.body)
    try:
        body = source.read_bytes()
    except OSError:
        return artifact  # tenure.publish reports the unreadable file
    if suffix in UNCLEANED_SUFFIXES:
        if may_contain_location(body):
            message = (
                "this image may say where and with which camera it was taken, and is published unchanged"
            )
            problems.report("picture-data", artifact.source, message, "export it as JPEG, PNG or WebP")
        return artifact
    cleaned_body = strip_metadata(body)
    return replace(artifact, body=cleaned_body) if cleaned_body != body else artifact


def _is_linked_to(path: str, artifacts: Iterable[Artifact]) -> bool:
    """Whether a page links to the file, so that readers expect it in full size."""
    name = html.escape(quote(PurePosixPath(path).name))
    return any(
        re.split("[?#]", tag.attributes.get("href") or "")[0].endswith(name)
        for a in artifacts
        if a.path.endswith(".html") and isinstance(a.body, bytes) and name.encode() in a.body
        for tag in iterate_tags(a.body.decode(), "a")
    )
