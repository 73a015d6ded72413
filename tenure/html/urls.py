"""
The URLs of a page: resolved from the root of the site, collected for checks, written relative to the page.

A `UrlResolver` knows the files of the site; with a `_PageWriter` it makes a `FinishedPage` of some HTML.
E-mail addresses are written so that most programs that collect them do not find them. An old URL of the site
is a page that redirects to the new one.
"""

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property, partial
from posixpath import normpath, relpath
from urllib.parse import quote, unquote

from tenure.html.policy import DEFAULT_POLICY, format_policy_tag
from tenure.images.library import PictureLibrary
from tenure.markdown.html_tags import Attributes, iterate_tags
from tenure.model.files import FileIndex
from tenure.model.languages import LanguagePaths
from tenure.model.links import is_safe_url, parse_url
from tenure.model.site import Settings, Site
from tenure.plan.pages import Plan, is_site_path, normalize_path, report_invalid_path
from tenure.problems import Place, Problems
from tenure.publish import Artifact
from tenure.record import Record

FIRST_IMAGES = 4
"""The number of images of a page that are loaded at once, because they may be visible at once."""

EXTERNAL_URL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
"""https://example.org, mailto:ada@example.edu, //example.org."""

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

_CSS_URL = re.compile(r'url\("([^"]*)"')
"""url("/files/loom.png") in a style attribute, as the templates write it."""

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
    has_pictures: bool = False


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
        has_pictures = "<img" in markup or " poster=" in markup
        if has_pictures:
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
            has_pictures,
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
    # "/talks/loom.html" -> "/talks/"
    folder = page_path[: page_path.rfind("/") + 1]
    if url.startswith(folder):
        inner = url.removeprefix(folder)
        return f"./{inner}" if inner[:1] in ("", "?", "#") else inner
    # "/talks/" -> "/"; pages in one folder share the rest of the way
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


_QUERY_OR_FRAGMENT = re.compile(r"[?#]")


def split_url(url: str) -> tuple[str, str, str]:
    """The path of a URL, the separator before its query or fragment, and the query or fragment."""
    match = _QUERY_OR_FRAGMENT.search(url)
    end = match.start() if match else len(url)
    return url[:end], url[end : end + 1], url[end + 1 :]


# E-mail addresses

_DOMAIN = r"[\w-]+(?:\.[\w-]+)*\.[^\W\d_][\w-]+"
"""A domain, whose last label begins with a letter: uni.example.edu, and not 0.16.9 of katex@0.16.9."""

_ADDRESS = re.compile(rf"(?:mailto:)?(?<![\w.%+-])[\w.%+-]++@{_DOMAIN}", re.IGNORECASE)
"""ada@example.edu, or mailto:ada@example.edu."""

_SIGN = re.compile(rf"@(?<=[\w.%+-]@)(?={_DOMAIN})")
"""The sign of an address. A pattern that begins with a sign is found fast: most pages have no address."""


def encode_addresses(markup: str) -> str:
    """
    A page with the addresses in its texts as character references, and an escaped sign in JSON.

    A script that runs stays as it is, because the policy of the page has its digest.
    """
    if not _SIGN.search(markup):
        return markup
    parts: list[str] = []
    position = 0
    for tag in iterate_tags(markup, "script", "style"):
        is_json = "json" in tag.attributes_text
        parts.append(_write_references(markup[position : tag.start]))
        parts.append(escape_addresses(tag.text) if is_json else tag.text)
        position = tag.start + len(tag.text)
    return "".join(parts) + _write_references(markup[position:])


def escape_addresses(script: str) -> str:
    r"""JSON or JavaScript with escaped addresses: "ada@example.edu" -> "ada\u0040example.edu"."""
    return _SIGN.sub(r"\\u0040", script)


def _write_references(markup: str) -> str:
    """Each character of an address as a character reference: a@b.edu -> &#x61;&#64;&#98;…"""

    def write(address: re.Match[str]) -> str:
        # "a@b" -> "&#x61;&#64;&#98;": references that programs which collect addresses do not read
        characters = enumerate(map(ord, address[0]))
        return "".join(f"&#{code};" if index % 3 else f"&#x{code:x};" for index, code in characters)

    # most lines of a long page have no address, and the pattern looks at each word
    lines = markup.splitlines(keepends=True)
    return "".join(_ADDRESS.sub(write, line) if "@" in line else line for line in lines)


# Redirects


def make_redirects(site: Site, plan: Plan, urls: UrlResolver, problems: Problems) -> Iterator[FinishedPage]:
    """
    One page per line of `redirects`, with an immediate refresh and a link: {/old.html: /talks/}.

    Without those whose old URL cannot be one, is a page of the site, or is in a loop, which are reported.
    """
    config = site.settings.redirects
    titles_by_path = {page.path: page.title for page in plan}
    used_paths = {path.casefold() for path in titles_by_path}
    # each old path with its target, to find loops: /a -> /b -> /a
    ways = {
        unquote(normalize_path(old_url)): unquote(normalize_path(target.partition("#")[0]))
        for old_url, target in config.ways.items()
    }
    for old_url, target in config.ways.items():
        path = unquote(normalize_path(old_url))
        place = config.key_place_of(old_url)
        if report_invalid_path(unquote(old_url), place, problems, _suggest_path(old_url)):
            continue
        if path.casefold() in used_paths:
            problems.report("duplicate-path", place, f"there is already a page at {path}", "delete this line")
            continue
        if _is_in_loop(path, ways):
            message = f"{old_url} is part of a loop of redirects"
            problems.report("broken-link", place, message, "write the URL of a page")
            continue

        new_url = target if EXTERNAL_URL.match(target) or target.startswith("/") else f"/{target}"
        title = titles_by_path.get(new_url.partition("#")[0], new_url)
        page = _format_page(site.settings, urls.locate(new_url, path), new_url, html.escape(title))
        file = f"{path[1:]}index.html" if path.endswith("/") else path[1:]
        yield urls.finish_page(file, path, page, config.source)


def _suggest_path(old_url: str) -> str:
    """How to write an old URL that no page can have: "https://example.edu/cv.html" -> "write /cv.html"."""
    likely_path = normpath(f"/{parse_url(unquote(old_url)).path.lstrip('/')}")
    if is_site_path(likely_path):
        return f"write {normalize_path(likely_path)}"
    return "delete this line: no page can have this URL"


def _is_in_loop(path: str, ways: Mapping[str, str]) -> bool:
    """Whether the redirects from a path never end."""
    visited = {path}
    while path in ways:
        path = ways[path]
        if path in visited:
            return True
        visited.add(path)
    return False


def _format_page(settings: Settings, refresh_url: str, new_url: str, title: str) -> str:
    """
    A page that leads to another one.

    Search engines treat a refresh without delay as a permanent redirect (Google Search Central, "Redirects
    and Google Search"); WCAG allows one (technique H76).
    """
    canonical_url = new_url
    if settings.url and not EXTERNAL_URL.match(new_url):
        canonical_url = f"{settings.url.rstrip('/')}{quote(new_url, safe='/#?=&%')}"
    refresh = f'<meta http-equiv="refresh" content="0; url={html.escape(refresh_url)}">'
    return (
        f'<!DOCTYPE html>\n<html lang="{settings.language}">\n<head>\n<meta charset="utf-8">\n'
        f"{format_policy_tag(DEFAULT_POLICY)}\n{refresh}\n<title>{title}</title>\n"
        f'<link rel="canonical" href="{html.escape(canonical_url)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n</head>\n'
        f'<body><main><h1><a href="{html.escape(new_url)}">{title}</a></h1></main></body>\n</html>\n'
    )
