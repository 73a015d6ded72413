"""The URLs of a page: resolved from the root of the site, collected for the check of links, and written relative to the page."""

import html
import re
from collections.abc import Callable
from functools import cache, cached_property
from posixpath import relpath
from urllib.parse import quote, unquote

from tenure.model.file_index import FileIndex
from tenure.model.languages import LanguagePaths
from tenure.model.links import is_safe_url
from tenure.problems import Place
from tenure.publish import Artifact
from tenure.record import Record

EXTERNAL_URL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_URL_OR_ID = re.compile(r'((?:\s(?:id|href|src|poster|data-src|data)=|url\()")([^"]*)"')
"""An attribute with a URL or an id, or a URL in a style: ` href="/talks/"`. A text has no such quotes: they are escaped."""

_IMAGE = re.compile(r'<img\s(?:[^>"]|"[^"]*")*>')
_FOLDER_LINK = re.compile(
    r"""(<a\s(?:[^>]*?\s)?href="|<meta http-equiv="refresh" content="0; url=)([^"#?]*/)(?=["#?])"""
)


class FinishedPage(Record):
    """A page as it is published: all URLs on it from the root of the site, sorted; all ids, in order; its images without alt text."""

    artifact: Artifact
    links: tuple[str, ...]
    anchors: tuple[str, ...]
    images_without_alt: tuple[str, ...]


class UrlResolver(Record, dict=True):
    """
    Resolves the URLs that texts and templates of one language write.

    A URL names a page or a file by its path from the root ("/talks/") or by the end of a file name ("slides.pdf").
    """

    files: FileIndex
    language_paths: LanguagePaths | None = None

    @cached_property
    def resolve(self) -> Callable[[str], str]:
        """Returns a URL from the root of the site; one that cannot be resolved is unchanged."""
        return cache(self._resolve)

    def _resolve(self, url: str) -> str:
        if not url or url[0] in "#?" or EXTERNAL_URL.match(url):
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
        """A URL as it must be on a page: relative to it, or below `base_path`; that of another root is absolute."""
        url = self.resolve(url)
        if url[:1] != "/" or url[:2] == "//":
            return url
        if self.language_paths:
            root = self.language_paths.find_root(page_path)
            if root != self.language_paths.find_root(url):
                return self.language_paths.locate_path(url)
            if base_path:
                url = f"/{url.removeprefix(root).removeprefix(quote(root))}"
        return f"{base_path.rstrip('/')}{url}" if base_path else _relate_url(page_path, url)

    def finish_page(
        self, file: str, page_path: str, markup: str, source: Place, base_path: str = ""
    ) -> FinishedPage:
        """The page with its URLs as they must be, and what the check of links needs; a URL that cannot be linked is left out."""
        links: set[str] = set()
        anchors: list[str] = []

        def replace_url(match: re.Match[str]) -> str:
            before, value = match.groups()
            if before.endswith('id="'):
                anchors.append(value)
                return match[0]
            url = html.unescape(value) if "&" in value else value
            resolved, located = self.resolve(url), self.locate(url, page_path, base_path)
            links.add(resolved)
            if not (is_safe_url(located) or located.startswith("data:image/") or before == 'url("'):
                return ""  # it is reported, and never published
            return match[0] if located == url else f'{before}{html.escape(located)}"'

        markup = _URL_OR_ID.sub(replace_url, markup)
        images = (image for image in _IMAGE.findall(markup) if not _has_alt_text(image))
        artifact = Artifact(file, markup.encode(), source)
        return FinishedPage(artifact, tuple(sorted(links)), tuple(anchors), tuple(images))


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
    """The relative URL from a folder, which the pages in its folders share."""
    path, separator, suffix = split_url(url)
    relative = relpath(path, folder)
    return f"{relative}{'/' if path.endswith('/') else ''}{separator}{suffix}"


def split_url(url: str) -> tuple[str, str, str]:
    """The path of a URL, the separator before its query or fragment, and the query or fragment."""
    if "?" not in url and "#" not in url:
        return url, "", ""
    match = re.match(r"([^?#]*)([?#]?)(.*)", url, re.DOTALL)
    return (match[1], match[2], match[3]) if match else (url, "", "")


def _has_alt_text(image: str) -> bool:
    alt = re.search(r'\salt="([^"]*)"', image)
    return alt is not None and (bool(alt[1].strip()) or 'role="presentation"' in image)


def link_index_files(page: bytes) -> bytes:
    """A published page with links to index.html in place of its folder, as a disk needs them: it has no server that completes a URL."""

    def complete_url(match: re.Match[str]) -> str:
        is_relative = not (match[2].startswith("/") or EXTERNAL_URL.match(match[2]))
        return f"{match[0]}index.html" if is_relative else match[0]

    return _FOLDER_LINK.sub(complete_url, page.decode()).encode()
