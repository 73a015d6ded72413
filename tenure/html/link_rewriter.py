"""The last step of a page: rewrites its URLs as relative ones, and collects its links and anchors."""

import html
import re
from typing import NamedTuple
from urllib.parse import quote, unquote

from tenure.html.policy import DEFAULT_POLICY, PolicySources, insert_policy
from tenure.model.file_index import FileIndex
from tenure.model.languages import LanguagePaths
from tenure.model.links import is_safe_url
from tenure.problems import Place
from tenure.publish import Artifact
from tenure.record import Record, field

EXTERNAL_URL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_URL_ATTRIBUTE = re.compile(r'(\s(?:href|src|poster|data-src|data)=")([^"]*)(")')
_SOURCE_LINK = re.compile(r"\.md[\"#]")
_STYLE_ELEMENT = re.compile(r"<style>[^<]*(?:<(?!/?style\b)[^<]*)*</style>")
_CSS_URL = re.compile(r"""(url\(")([^"]*)("\))""")
_ID_ATTRIBUTE = re.compile(r'\sid="([^"]*)"')
_ALT_ATTRIBUTE = re.compile(r'\salt="([^"]*)"')


class FinishedPage(Record):
    """
    A page as it is published: all URLs on it, sorted; all ids, in order; its images without alt text.

    `links_to_sources` is true if the page may link to a source file (.md); such a page is not cached.
    """

    artifact: Artifact
    links: tuple[str, ...]
    anchors: tuple[str, ...]
    images_without_alt: tuple[str, ...]
    links_to_sources: bool = False


class RewrittenTag(NamedTuple):
    """A tag, with the text after it, as it must be on a page: its URLs, its ids, and the tag if it is an image without alt text."""

    text: str
    links: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    images_without_alt: tuple[str, ...] = ()


MAX_SIBLING_TAGS = 4096
"""Maximum number of tags that the rewriters of a folder share: more than a menu, a head and a footer have."""


class LinkRewriter(Record):
    """
    Rewrites the URLs on one page: from the site's root to relative ones, or to absolute paths below `base_path`.

    `sibling_tags` has tags that are the same on all pages beside this one; it is shared by their rewriters.
    `language_paths` finds the pages in the language of this one, whose path in templates is `written_path`.
    """

    page_path: str
    files: FileIndex
    base_path: str = ""
    policy: PolicySources = field(default_factory=lambda: DEFAULT_POLICY)
    sibling_tags: dict[str, RewrittenTag] = field(default_factory=dict)
    language_paths: LanguagePaths | None = None
    written_path: str = ""

    def rewrite_page(self, file: str, text: str, source: Place) -> FinishedPage:
        """Rewrite the URLs in the attributes and style elements of a page, and insert the content policy."""
        links: set[str] = set()
        anchors: list[str] = []
        images_without_alt: list[str] = []
        segments = text.split("<")
        written_path = self.written_path or self.page_path
        for index, segment in enumerate(segments):
            if '="' not in segment or not _has_url_or_id(segment):
                continue
            tag = self.sibling_tags.get(segment)
            if tag is None or written_path in segment:
                tag = self._rewrite_tag(segment)
                if written_path not in segment:
                    self._share_tag(segment, tag)
            segments[index] = tag.text
            links.update(tag.links)
            anchors += tag.anchors
            images_without_alt += tag.images_without_alt
        rewritten = "<".join(segments)
        if 'url("/' in rewritten:
            rewritten = _STYLE_ELEMENT.sub(lambda style: _CSS_URL.sub(self._replace_url, style[0]), rewritten)
            style_elements = _STYLE_ELEMENT.findall(rewritten)
            links.update(url for element in style_elements for _, url, _ in _CSS_URL.findall(element))
        rewritten = insert_policy(rewritten, self.policy)
        artifact = Artifact(file, rewritten.encode(), source)
        links_to_sources = ".md" in text and _SOURCE_LINK.search(text) is not None
        return FinishedPage(
            artifact, tuple(sorted(links)), tuple(anchors), tuple(images_without_alt), links_to_sources
        )

    def _rewrite_tag(self, segment: str) -> RewrittenTag:
        """Rewrite the tag at the start of a segment, which begins after its "<"."""
        tag, close, following_text = segment.partition(">")
        while close and tag.count('"') % 2:  # this > is in an attribute
            attribute_end, close, following_text = following_text.partition(">")
            tag = f"{tag}>{attribute_end}"
        if not close:
            return RewrittenTag(segment)
        anchors = tuple(_ID_ATTRIBUTE.findall(tag)) if 'id="' in tag else ()
        links: list[str] = []

        def replace_url(match: re.Match[str]) -> str:
            url = self._rewrite_attribute_value(match[2])
            links.append(url)
            address = html.unescape(url) if "&" in url else url
            is_linkable = is_safe_url(address) or address.startswith("data:image/")
            return f"{match[1]}{url}{match[3]}" if is_linkable else ""  # it is reported, and never published

        tag = _URL_ATTRIBUTE.sub(replace_url, tag)
        images_without_alt = (f"<{tag}>",) if tag.startswith("img") and not _has_alt_text(tag) else ()
        return RewrittenTag(f"{tag}>{following_text}", tuple(links), anchors, images_without_alt)

    def _share_tag(self, segment: str, tag: RewrittenTag) -> None:
        if len(self.sibling_tags) >= MAX_SIBLING_TAGS:
            self.sibling_tags.clear()
        self.sibling_tags[segment] = tag

    def _replace_url(self, match: re.Match[str]) -> str:
        return f"{match[1]}{self._rewrite_attribute_value(match[2])}{match[3]}"

    def _rewrite_attribute_value(self, value: str) -> str:
        """Rewrite a URL that is escaped for HTML; one that stays the same keeps its character references."""
        url = html.unescape(value) if "&" in value else value
        rewritten = self.rewrite_url(url)
        return value if rewritten == url else html.escape(rewritten)

    def rewrite_url(self, url: str) -> str:
        """Return the URL as it must be on the page; a URL that cannot be resolved is returned unchanged."""
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
            root = self.language_paths.find_root(self.page_path)
            if root != self.language_paths.find_root(path):
                return f"{self.language_paths.locate_path(path)}{separator}{suffix}"
            if self.base_path:
                path = f"/{path.removeprefix(root).removeprefix(quote(root))}"
        if self.base_path:
            return f"{self.base_path.rstrip('/')}{path}{separator}{suffix}"
        return f"{_relative_url(self.page_path, path)}{separator}{suffix}"


def _has_url_or_id(segment: str) -> bool:
    """Whether the tag at the start of a segment may have a URL or an id, or is an image."""
    return segment[0].isalpha() and (
        'href="' in segment
        or 'id="' in segment
        or 'src="' in segment
        or segment.startswith(("img", "object"))
        or 'poster="' in segment
    )


_PREFORMATTED = re.compile(r"(<(pre|textarea)\b[^<]*(?:<(?!/?\2\b)[^<]*)*</\2>)")
_BLANK_LINES = re.compile(r"\n[ \t]*\n[ \t\n]*")


def strip_blank_lines(markup: str) -> str:
    """Remove the blank lines that template statements produce, except in preformatted text."""
    segments = _PREFORMATTED.split(markup)
    segments[::3] = [_BLANK_LINES.sub("\n", segment) for segment in segments[::3]]
    del segments[2::3]
    return "".join(segments).strip() + "\n"


def split_url(url: str) -> tuple[str, str, str]:
    """The path of a URL, the separator before its query or fragment, and the query or fragment."""
    if "?" not in url and "#" not in url:
        return url, "", ""
    match = re.match(r"([^?#]*)([?#]?)(.*)", url, re.DOTALL)
    return (match[1], match[2], match[3]) if match else (url, "", "")


def _has_alt_text(tag: str) -> bool:
    alt = _ALT_ATTRIBUTE.search(tag)
    return alt is not None and (bool(alt[1].strip()) or 'role="presentation"' in tag)


def _relative_url(page_path: str, target_path: str) -> str:
    """The relative URL from a page ("/talks/") to a path ("/publications/x/"): "../publications/x/"."""
    current_folders = page_path.split("/")[1:-1]
    *target_folders, name = target_path.lstrip("/").split("/")
    shared = 0
    while (
        shared < len(current_folders)
        and shared < len(target_folders)
        and current_folders[shared] == target_folders[shared]
    ):
        shared += 1
    steps = [".."] * (len(current_folders) - shared) + target_folders[shared:]
    relative_path = "/".join(steps)
    if name:
        return f"{relative_path}/{name}" if relative_path else name
    return f"{relative_path}/" if relative_path else "./"
