"""
The URLs of a page: resolved from the root of the site, collected for checks, written relative to the page.

A `UrlResolver` knows the files of the site; with a `_PageWriter` it makes a `FinishedPage` of some HTML.
"""

import html
import re
from collections.abc import Callable, Iterable
from functools import cache, cached_property, partial
from posixpath import relpath
from urllib.parse import quote, unquote

from tenure.html.email_addresses import encode_addresses
from tenure.images.library import PictureLibrary
from tenure.markdown.html_tags import Attributes, iterate_tags
from tenure.model.file_index import FileIndex
from tenure.model.languages import LanguagePaths
from tenure.model.links import is_safe_url
from tenure.problems import Place
from tenure.publish import Artifact
from tenure.record import Record

FIRST_IMAGES = 4
"""The number of images of a page that are loaded at once, because they may be visible at once."""

EXTERNAL_URL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_URL_OR_ID = re.compile(
    r"""
    ="(?:
        (?P<id>(?<=\sid="))                                  # empty groups, which are signs
        | (?P<link>(?<=\shref="))
        | (?<=\ssrc=") | (?<=\sposter=") | (?<=\sdata-src=") | (?<=\sdata=")
    )
    (?P<value>[^"]*)"(?P<picture>\ data-picture)?
    """,
    re.VERBOSE,
)
"""
The value of an id or of an attribute with a URL, after its name: `="/talks/"`.

Beginning with `="`, it is found five times faster.
"""

_QUERY_OR_FRAGMENT = re.compile(r"[?#]")
_CSS_URL = re.compile(r'url\("([^"]*)"')
_IMAGE = re.compile(
    r"""
    (?P<figure><figure\ class="media"(?P<link>>\s*(?:<a\s[^>]*>)?\s*))?
    (?P<image><(?P<tag>img|video)\s(?:[^>"]|"[^"]*")*>)
    """,
    re.VERBOSE,
)
"""An image or a video, in its figure and its link: `<figure class="media"><a href="x.png"><img …>`."""


class FinishedPage(Record):
    """
    A page as it is published, with its URLs from the root, its ids in order, its images without alt text.

    `followed_links` are the URLs to which a reader can go, without those of pictures shown large.
    """

    artifact: Artifact
    links: tuple[str, ...]
    followed_links: frozenset[str]
    anchors: tuple[str, ...]
    images_without_alt: tuple[str, ...]


def list_followed_links(pages: Iterable[FinishedPage]) -> frozenset[str]:
    """All URLs to which a reader can go from some pages."""
    return frozenset[str]().union(*(page.followed_links for page in pages))


class UrlResolver(Record, dict=True):
    """
    Resolves the URLs that texts and templates of one language write.

    A URL names a page or a file by its path from the root, "/talks/", or the end of its name, "slides.pdf".
    """

    files: FileIndex
    language_paths: LanguagePaths | None = None
    pictures: PictureLibrary | None = None

    @cached_property
    def resolve(self) -> Callable[[str], str]:
        """Returns a URL from the root of the site; one that cannot be resolved is unchanged."""
        return cache(self._resolve)

    def _resolve(self, url: str) -> str:
        """A URL from the root: "slides.pdf" -> "/files/slides.pdf", "/talks/" -> "/de/talks/"."""
        # a name goes first: "Slides #2.pdf" has no anchor
        named_files = self.files.find_paths(url)
        if len(named_files) == 1 and url[:1] != "/":
            return f"/{quote(named_files[0])}"
        if not url or url[0] in "#?" or EXTERNAL_URL.match(url):
            return url

        path, separator, suffix = split_url(url)
        if path[:1] != "/":
            path = self._find_named_path(unquote(path))
            if not path:
                return url
        if self.language_paths:
            path = self.language_paths.resolve_path(path)
        return f"{path}{separator}{suffix}"

    def _find_named_path(self, name: str) -> str:
        """The path of the page of a source, or of the only file with a name: "a.pdf" -> "/files/a.pdf"."""
        page_path = self.files.page_url(name) if name.endswith(".md") else ""
        if page_path:
            return page_path
        matches = self.files.find_paths(name)
        return f"/{quote(matches[0])}" if len(matches) == 1 else ""

    def locate(self, url: str, page_path: str, base_path: str = "") -> str:
        """A URL as it must be on a page: relative to it, or below `base_path`."""
        url = self.resolve(url)
        return _locate_path(url, page_path, base_path) if _is_from_root(url) else url

    @cached_property
    def read_value(self) -> Callable[[str], tuple[str, bool]]:
        """Returns the URL of an attribute from the root of the site, and whether it may be linked."""

        def read(value: str) -> tuple[str, bool]:
            url = self.resolve(html.unescape(value) if "&" in value else value)
            return url, is_safe_url(url) or url.startswith("data:image/")

        return cache(read)

    def finish_page(
        self, file: str, page_path: str, markup: str, source: Place, base_path: str = ""
    ) -> FinishedPage:
        """The page with its URLs as they must be; one that cannot be linked is left out."""
        writer = _PageWriter(self, page_path, base_path)
        if "<img" in markup or " poster=" in markup:
            markup = _IMAGE.sub(writer.complete_image, markup)
        markup = writer.write_attributes(markup)
        if 'url("' in markup:
            markup = _CSS_URL.sub(lambda match: f'url("{writer.write_url(match[1])[1]}"', markup)
        for value in sorted(writer.unsafe_values):
            markup = re.sub(rf'\s[\w-]+="{re.escape(value)}"', "", markup)

        return FinishedPage(
            Artifact(file, encode_addresses(markup).encode(), source),
            tuple(sorted(writer.links)),
            frozenset(writer.followed_links),
            tuple(writer.anchors),
            tuple(writer.images_without_alt),
        )


class _PageWriter:
    """Writes the URLs of one page, and collects what the checks need."""

    def __init__(self, urls: UrlResolver, page_path: str, base_path: str) -> None:
        self.urls = urls
        self.page_path = page_path
        self.base_path = base_path
        self.links: set[str] = set()
        self.followed_links: set[str] = set()
        self.anchors: list[str] = []
        self.images_without_alt: list[str] = []
        self.shown_image_count = 0
        self.unsafe_values: set[str] = set()

    def complete_image(self, match: re.Match[str]) -> str:
        """The tag of an image of this site with its size and versions; another tag as it is."""
        tag = match["tag"]
        is_image = tag == "img"
        attributes = next(iterate_tags(match["image"])).attributes
        if is_image and not _has_alt(attributes):
            self.images_without_alt.append(match["image"])

        url = self.urls.resolve(html.unescape(attributes.get("src" if is_image else "poster") or ""))
        pictures = self.urls.pictures
        picture = pictures.find_picture(url) if pictures and url[:1] == "/" else None
        if not picture:
            return match[0]

        loading = "eager" if self.shown_image_count < FIRST_IMAGES else "lazy"
        self.shown_image_count += is_image
        if attributes.get("class") == "picture":
            attributes["style"] = f"--ratio:{picture.ratio}"
        locate = partial(self.urls.locate, page_path=self.page_path, base_path=self.base_path)
        completed = picture.complete_tag(tag, attributes, locate, loading)
        # the rows of a gallery need the ratio at their items
        if match["figure"]:
            return f'<figure class="media" style="--ratio:{picture.ratio}"{match["link"]}{completed}'
        return completed

    def write_attributes(self, markup: str) -> str:
        """The page with the URLs of its attributes as they must be; its ids and links are collected."""
        # a text, the signs of an id and of a link, a value, the sign of a picture, a text …
        pieces = _URL_OR_ID.split(markup)
        for index in range(3, len(pieces), 5):
            id_sign, link_sign, value, picture_sign = pieces[index - 2 : index + 2]
            if id_sign is None:
                url, pieces[index] = self.write_url(value)
                if link_sign is not None and picture_sign is None:
                    self.followed_links.add(url)
            else:
                self.anchors.append(value)
            pieces[index - 2] = '="'
            pieces[index - 1] = ""
            pieces[index + 1] = f'"{picture_sign or ""}'
        return "".join(pieces)

    def write_url(self, value: str) -> tuple[str, str]:
        """The URL of a value from the root of the site, and the value as it must be on the page."""
        url, is_linkable = self.urls.read_value(value)
        self.links.add(url)
        if not is_linkable:
            self.unsafe_values.add(value)
        if not _is_from_root(url):
            return url, value
        return url, html.escape(_locate_path(url, self.page_path, self.base_path))


def _has_alt(attributes: Attributes) -> bool:
    """Whether an image has an alt text, or says by its role that it needs none."""
    alt = attributes.get("alt")
    return alt is not None and (bool(alt.strip()) or attributes.get("role") == "presentation")


def _is_from_root(url: str) -> bool:
    """Whether a URL begins at the root of the site; //example.org is another host."""
    return url[:1] == "/" and url[:2] != "//"


def _locate_path(url: str, page_path: str, base_path: str) -> str:
    """A URL from the root as it must be on a page: relative to it, or below `base_path` if there is one."""
    return f"{base_path.rstrip('/')}{url}" if base_path else _relate_url(page_path, url)


def _relate_url(page_path: str, url: str) -> str:
    """The relative URL from a page to a URL from the root: "/talks/", "/papers/x/" -> "../papers/x/"."""
    folder = page_path[: page_path.rfind("/") + 1]
    if url.startswith(folder):
        inner = url.removeprefix(folder)
        return f"./{inner}" if inner[:1] in ("", "?", "#") else inner
    above = folder[: folder.rstrip("/").rfind("/") + 1]
    return f"../{_relate_to_folder(above, url).removeprefix('./')}"


@cache
def _relate_to_folder(folder: str, url: str) -> str:
    """The relative URL from a folder, which the pages in its folders share; `/../x` is above the site."""
    if url.startswith("/../"):
        return "../" * (folder.count("/") - 1) + url[1:]
    path, separator, suffix = split_url(url)
    slash = "/" if path.endswith("/") else ""
    return f"{relpath(path, folder)}{slash}{separator}{suffix}"


def split_url(url: str) -> tuple[str, str, str]:
    """The path of a URL, the separator before its query or fragment, and the query or fragment."""
    match = _QUERY_OR_FRAGMENT.search(url)
    end = match.start() if match else len(url)
    return url[:end], url[end : end + 1], url[end + 1 :]
