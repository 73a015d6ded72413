"""The URLs of a page: resolved from the root of the site, collected for the check of links, and written relative to the page."""

import html
import re
from collections.abc import Callable, Iterable
from functools import cache, cached_property, partial
from posixpath import relpath
from urllib.parse import quote, unquote

from tenure.html.email_addresses import encode_addresses
from tenure.images.library import PictureLibrary
from tenure.markdown.html_tags import iterate_tags
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
"""The value of an id or of an attribute with a URL, after its name: `="/talks/"`. Beginning with `="`, it is found five times faster."""

_QUERY_OR_FRAGMENT = re.compile(r"[?#]")
_CSS_URL = re.compile(r'url\("([^"]*)"')
_IMAGE = re.compile(
    r"""
    (?P<figure><figure\ class="media"(?P<link>>\s*(?:<a\s[^>]*>)?\s*))?
    (?P<image><(?P<tag>img|video)\s(?:[^>"]|"[^"]*")*>)
    """,
    re.VERBOSE,
)
"""An image or a video, with the figure and the link around it: `<figure class="media"><a href="x.png"><img …>`."""


class FinishedPage(Record):
    """
    A page as it is published: all URLs on it from the root of the site, sorted; all ids, in order; its images without alt text.

    `followed_links` are the URLs to which a reader can go, and not those of a picture that the page shows large.
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

    A URL names a page or a file by its path from the root ("/talks/") or by the end of a file name ("slides.pdf").
    """

    files: FileIndex
    language_paths: LanguagePaths | None = None
    pictures: PictureLibrary | None = None

    @cached_property
    def resolve(self) -> Callable[[str], str]:
        """Returns a URL from the root of the site; one that cannot be resolved is unchanged."""
        return cache(self._resolve)

    def _resolve(self, url: str) -> str:
        named_files = self.files.find_paths(url)
        if len(named_files) == 1 and url[:1] != "/":
            return f"/{quote(named_files[0])}"  # also "Slides #2.pdf", which is no anchor
        if not url or url[0] in "#?" or EXTERNAL_URL.match(url):
            return url
        if url[0] == "/" and not self.language_paths:
            return url
        path, separator, suffix = split_url(url)
        if path[:1] != "/":
            matches = self.files.find_paths(unquote(path))
            source_page = self.files.page_url(unquote(path)) if path.endswith(".md") else ""
            if len(matches) != 1 and not source_page:
                return url
            path = source_page or "/" + quote(matches[0])
        if self.language_paths:
            path = self.language_paths.resolve_path(path)
        return f"{path}{separator}{suffix}"

    def locate(self, url: str, page_path: str, base_path: str = "") -> str:
        """A URL as it must be on a page: relative to it, or below `base_path`."""
        url = self.resolve(url)
        is_fixed = url[:1] != "/" or url[:2] == "//"
        return url if is_fixed else self._locate(url, page_path, base_path)

    def _locate(self, url: str, page_path: str, base_path: str) -> str:
        return f"{base_path.rstrip('/')}{url}" if base_path else _relate_url(page_path, url)

    @cached_property
    def _read_value(self) -> Callable[[str], tuple[str, bool]]:
        """Returns the URL of an attribute from the root of the site, and whether it may be linked."""

        def read(value: str) -> tuple[str, bool]:
            url = self.resolve(html.unescape(value) if "&" in value else value)
            return url, is_safe_url(url) or url.startswith("data:image/")

        return cache(read)

    def finish_page(
        self, file: str, page_path: str, markup: str, source: Place, base_path: str = ""
    ) -> FinishedPage:
        """The page with its URLs as they must be, and what the check of links needs; a URL that cannot be linked is left out."""
        links: set[str] = set()
        followed_links: set[str] = set()
        anchors: list[str] = []
        images_without_alt: list[str] = []
        shown_images: list[str] = []
        unsafe: set[str] = set()
        locate = partial(self.locate, page_path=page_path, base_path=base_path)

        def write_url(value: str) -> tuple[str, str]:
            url, is_linkable = self._read_value(value)
            links.add(url)
            if not is_linkable:
                unsafe.add(value)
            if url[:1] != "/" or url[:2] == "//":
                return url, value
            return url, html.escape(self._locate(url, page_path, base_path))

        def complete_image(match: re.Match[str]) -> str:
            loading = "eager" if len(shown_images) < FIRST_IMAGES else "lazy"
            tag = match["tag"]
            attributes = next(iterate_tags(match["image"])).attributes
            url = self.resolve(html.unescape(attributes.get("src" if tag == "img" else "poster") or ""))
            picture = self.pictures.find_picture(url) if self.pictures and url[:1] == "/" else None
            if tag == "img":
                alt = attributes.get("alt")
                if alt is None or not (alt.strip() or attributes.get("role") == "presentation"):
                    images_without_alt.append(match["image"])
                shown_images.extend([url] if picture else [])
            if not picture:
                return match[0]

            if attributes.get("class") == "picture":
                attributes["style"] = f"--ratio:{picture.ratio}"
            completed = picture.complete_tag(tag, attributes, locate, loading)
            if match["figure"]:  # the rows of a gallery need the ratio at their items
                return f'<figure class="media" style="--ratio:{picture.ratio}"{match["link"]}{completed}'
            return completed

        if "<img" in markup or " poster=" in markup:
            markup = _IMAGE.sub(complete_image, markup)
        # a text, the signs of an id and of a link, a value, the sign of a picture, a text …
        pieces = _URL_OR_ID.split(markup)
        for index in range(3, len(pieces), 5):
            id_sign, link_sign, value, picture_sign = pieces[index - 2 : index + 2]
            if id_sign is None:
                url, pieces[index] = write_url(value)
                if link_sign is not None and picture_sign is None:
                    followed_links.add(url)
            else:
                anchors.append(value)
            pieces[index - 2] = '="'
            pieces[index - 1] = ""
            pieces[index + 1] = f'"{picture_sign or ""}'
        markup = "".join(pieces)
        if 'url("' in markup:
            markup = _CSS_URL.sub(lambda match: f'url("{write_url(match[1])[1]}"', markup)
        for value in sorted(unsafe):  # it is reported, and never published
            markup = re.sub(rf'\s[\w-]+="{re.escape(value)}"', "", markup)
        artifact = Artifact(file, encode_addresses(markup).encode(), source)
        return FinishedPage(
            artifact,
            tuple(sorted(links)),
            frozenset(followed_links),
            tuple(anchors),
            tuple(images_without_alt),
        )


def _relate_url(page_path: str, url: str) -> str:
    """The relative URL from a page ("/talks/") to a URL from the root ("/publications/x/"): "../publications/x/"."""
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
    relative = relpath(path, folder)
    return f"{relative}{'/' if path.endswith('/') else ''}{separator}{suffix}"


def split_url(url: str) -> tuple[str, str, str]:
    """The path of a URL, the separator before its query or fragment, and the query or fragment."""
    match = _QUERY_OR_FRAGMENT.search(url)
    end = match.start() if match else len(url)
    return url[:end], url[end : end + 1], url[end + 1 :]
