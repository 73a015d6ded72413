"""Checks every link, anchor, image and alt text of the finished pages."""

import html
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import product
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from tenure.html.links import EXTERNAL_URL, FinishedPage, split_url
from tenure.markdown.html import render_markdown
from tenure.markdown.html_tags import iterate_tags
from tenure.model.file_index import FileIndex
from tenure.model.links import is_bare_host_url, is_safe_url, parse_url, suggest_safe_url
from tenure.model.places import SourceRecord
from tenure.model.site import Site
from tenure.problems import Edit, Place, Problems, find_similar_word
from tenure.publish import Artifact
from tenure.record import Record, field_names


def find_linked_files(pages: Iterable[FinishedPage], candidates: Sequence[Artifact]) -> tuple[Artifact, ...]:
    """The candidates that a page links to or shows."""
    if not candidates:
        return ()
    linked_paths = {
        _resolve_target(page.artifact.path, unquote(split_url(url)[0])).casefold()
        for page in pages
        for url in page.links
    }
    return tuple(artifact for artifact in candidates if artifact.path.casefold() in linked_paths)


def report_unlinked_files(
    candidates: Sequence[Artifact], artifacts: Iterable[Artifact], problems: Problems
) -> None:
    """Report the files in content/ that are published only if a page links to them, and that none links to."""
    published = {artifact.path for artifact in artifacts}
    for file in candidates:
        name = file.source.file
        if name.startswith("content/") and file.path not in published:
            hint = "link to it from a page, or delete it"
            if re.search(r"\.(?:ya?ml|md|bib)\.txt$", name):
                hint = f"rename it to {name.rpartition('/')[2].removesuffix('.txt')}"
            message = "no page links to this file, so it is not published"
            problems.report("unknown-file", Place(name), message, hint)


def check_links(
    pages: Sequence[FinishedPage],
    artifacts: Iterable[Artifact],
    files: FileIndex,
    problems: Problems,
    site: Site | None = None,
) -> None:
    """
    Report every broken internal link, every missing or duplicate anchor, every image without alt text.

    `site` has the places of values that are written in another way than they are linked.
    """
    sources = _SourceIndex(problems, site)
    anchors = {page.artifact.path: _collect_anchors(page, sources, problems) for page in pages}
    site_url = site.settings.url if site else ""
    targets = _LinkTargets([artifact.path for artifact in artifacts], anchors, files, site_url)
    urls_by_issue: dict[_LinkIssue, dict[str, str]] = {}
    images_without_alt: dict[tuple[str, str], None] = {}
    for page in pages:
        path = page.artifact.path
        source_file = page.artifact.source.file or path
        images_without_alt |= {(_image_name(image), source_file): None for image in page.images_without_alt}
        if path.rpartition("/")[2] == "404.html":
            continue
        for url in page.links:
            issue = targets.find_issue(path, url)
            if issue is not None:
                urls_by_issue.setdefault(issue, {}).setdefault(source_file, url)
    for image_name, file in images_without_alt:
        _report_missing_alt(image_name, file, sources, problems)
    for issue, urls_by_file in urls_by_issue.items():
        if not _is_caused_by_lost_entries(issue, sources, problems):
            _report_issue(issue, urls_by_file, sources, problems)


class _LinkIssue(Record):
    """
    A problem of links: the URL without leading "../", a message that quotes it, a repair, the target file.

    `replacement` is the URL to write instead, if that is certain.
    """

    code: str
    bare_url: str
    message: str
    hint: str
    target_file: str = ""
    replacement: str = ""


def _report_issue(
    issue: _LinkIssue, urls_by_file: Mapping[str, str], sources: "_SourceIndex", problems: Problems
) -> None:
    """Report an issue at every place of a source with the link; if a template made it, once per source of the pages."""
    bare_url = issue.bare_url
    path = bare_url.lstrip("/")
    written_urls = (f"/{path}", path, unquote(f"/{path}"), unquote(path)) if path else ()
    candidates = dict.fromkeys((*written_urls, *urls_by_file.values()))
    for is_listed, candidate in product((False, True), candidates):
        places = sources.find_url(candidate, is_listed=is_listed)
        if places:
            break
    urls_by_place = (
        dict.fromkeys(places, candidate)
        or {place: url for url in candidates for place in sources.places_by_url.get(url, ())}
        or {Place(file): url for file, url in urls_by_file.items()}
    )
    for place, candidate in urls_by_place.items():
        message, edits = issue.message.format(candidate), _suggest_edits(issue, place, candidate)
        is_in_entry = place.line and place.file.endswith(".bib")
        code = "bib-bad-value" if is_in_entry and issue.code in _ERRORS_OF_LINKS else issue.code
        problems.report(code, place, message, issue.hint, edits)


_ERRORS_OF_LINKS = frozenset({"bad-address", "broken-link", "ambiguous-file", "wrong-case"})
"""The errors of this check; in a .bib file, whose values nobody wrote for this site, they are warnings."""


def _suggest_edits(issue: _LinkIssue, place: Place, url: str) -> tuple[Edit, ...]:
    """The edit that replaces a URL in a source; empty if the replacement is not certain."""
    if not place.length or not issue.replacement:
        return ()
    if issue.code == "broken-anchor":
        return (Edit(place, f"{url.partition('#')[0]}#{issue.replacement}"),)
    if issue.code == "broken-link":
        return (Edit(place, issue.replacement),)
    path, separator, suffix = split_url(url)
    bare_path = re.sub(r"^(?:\.\./|\./|/)+", "", path)
    decoded_path = unquote(bare_path).rstrip("/")
    actual_path = issue.replacement[-len(decoded_path) :] if decoded_path else ""
    if actual_path.casefold() != decoded_path.casefold():
        return ()
    correct_path = quote(actual_path) if "%" in bare_path else actual_path
    parent_steps = path.removesuffix(bare_path)
    return (Edit(place, f"{parent_steps}{correct_path}{'/' * bare_path.endswith('/')}{separator}{suffix}"),)


_UNFINISHED_URL = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?/*")
_BEFORE_URL = re.compile(
    r"""(?=(\]\(\s*<?|\]:\s*|(?i:href|src|data)\s*=\s*["']?|(?<!email)(?<!emails):\s+["']?|=\s*[{"]|<))"""
)
_BEFORE_LISTED_URL = re.compile(r"""(?=(^\s*-\s+["']?|\[["']?|,\s+["']?(?=[^\s,]+\])))""", re.MULTILINE)
_REST_OF_URL = re.compile(r"[\w/-]|\.\w")
"""The syntax before a URL in Markdown, HTML, YAML and BibTeX, before an item of a list, and characters after a text with which it is not the whole URL."""

_MARKDOWN_IMAGE = re.compile(r"!\[\s*\]\(\s*+<?((?:[^)\n>\s]|[^\S\n]++(?![\"')>])){0,500}+)")
_HTML_IMAGE = re.compile(
    r"""(?i)<img\b(?![^>]{0,1000}\balt\s*=\s*["']?[^"'\s>])[^>]{0,1000}?\bsrc\s*=\s*["']?([^"'>]{0,500})"""
)
_ELEMENT_ID = re.compile(r"""(?:\bid=["']?|\{\s*#)([^\s"'>{}]+)""")
_BIB_KEY = re.compile(r"[{(]\s*([^\s,{}()]+)\s*[,\n]")
_INDEXED_LENGTH = 100
"""The number of characters of a URL by which it is found; those after them are compared."""


class _SourceIndex:
    """Finds URLs, images, ids and keys in the sources, without a search through all of them for each."""

    def __init__(self, problems: Problems, site: Site | None) -> None:
        self._problems = problems
        self._site = site
        self._texts = {
            file: text for file, text in problems.source_texts() if "/translations/" not in file
        }  # no value of a translation is a URL

    def find_url(self, url: str, *, is_listed: bool = False) -> list[Place]:
        """The places where a URL is written as that of a link, an image or a field; or as an item of a list."""
        prefix, urls = url[:_INDEXED_LENGTH], self._listed_urls if is_listed else self._urls
        places = []
        for index in range(bisect_left(urls, (prefix,)), len(urls)):
            text, file, start = urls[index]
            if not text.startswith(prefix):
                break
            end = start + len(url)
            if self._texts[file].startswith(url, start) and not _REST_OF_URL.match(self._texts[file], end):
                places.append(self._problems.locate(file, start, end))
        return places

    @cached_property
    def places_by_url(self) -> Mapping[str, Collection[Place]]:
        """The places of the values that are a URL, or whose Markdown has it, also with escapes."""
        return self._places_in_values[0]

    @cached_property
    def places_by_image(self) -> Mapping[str, Collection[Place]]:
        """The places of the values whose Markdown has an image without alt text, by the name of its file."""
        return self._places_in_values[1]

    @cached_property
    def _places_in_values(self) -> tuple[Mapping[str, Collection[Place]], Mapping[str, Collection[Place]]]:
        urls: dict[str, dict[Place, None]] = {}
        images: dict[str, dict[Place, None]] = {}
        site = self._site
        records = (site.settings, site.profile, *site.iterate_entries()) if site else ()
        for text, place in _iterate_values(records, Place("")):
            if not place.line or not text:
                continue
            if _SIGN_OF_URL.search(text):
                urls.setdefault(text, {})[place] = None
            for tag in iterate_tags(render_markdown(text)) if _MARKUP_OF_URLS.search(text) else ():
                url = html.unescape(tag.attributes.get("href") or tag.attributes.get("src") or "")
                urls.setdefault(url, {})[place] = None
                if tag.name == "img" and not (tag.attributes.get("alt") or "").strip():
                    images.setdefault(_image_name(tag.text), {})[place] = None
        return urls, images

    @cached_property
    def _urls(self) -> list[tuple[str, str, int]]:
        return self._index_texts(_BEFORE_URL)

    @cached_property
    def _listed_urls(self) -> list[tuple[str, str, int]]:
        return self._index_texts(_BEFORE_LISTED_URL)

    def _index_texts(self, pattern: re.Pattern[str]) -> list[tuple[str, str, int]]:
        """The first characters, the file and the start of each text that may be a URL, sorted."""
        starts = {
            (file, match.end(1)) for file, text in self._texts.items() for match in pattern.finditer(text)
        }
        return sorted(
            (self._texts[file][start : start + _INDEXED_LENGTH], file, start) for file, start in starts
        )

    @cached_property
    def keys(self) -> frozenset[str]:
        """Each text at the place of the key of a BibTeX entry, in lower case."""
        return frozenset(key.casefold() for text in self._texts.values() for key in _BIB_KEY.findall(text))

    @cached_property
    def ids(self) -> Mapping[str, list[Place]]:
        """The places of each id of an element."""
        return self._collect_places(_ELEMENT_ID, str)

    @cached_property
    def markdown_images(self) -> Mapping[str, list[Place]]:
        """The places of each image without alt text in Markdown, by the name of its file."""
        return self._collect_places(_MARKDOWN_IMAGE, _name_of_file)

    @cached_property
    def html_images(self) -> Mapping[str, list[Place]]:
        """The places of each image without alt text in HTML, by the name of its file."""
        return self._collect_places(_HTML_IMAGE, _name_of_file)

    def _collect_places(
        self, pattern: re.Pattern[str], find_name: Callable[[str], str]
    ) -> Mapping[str, list[Place]]:
        """The places of the names at the end of the first groups of all matches."""
        places: dict[str, list[Place]] = {}
        for file, text in self._texts.items():
            for match in pattern.finditer(text):
                name = find_name(match[1])
                place = self._problems.locate(file, match.end(1) - len(name), match.end(1))
                places.setdefault(unquote(name), []).append(place)
        return places


_SIGN_OF_URL = re.compile(r"[./:#?@%]")
_MARKUP_OF_URLS = re.compile(r"\]\(|\]:|[<$]|://")


def _iterate_values(value: object, place: Place) -> Iterator[tuple[str, Place]]:
    """Yield each text in a value with the place of the innermost field or item of a list that has it."""
    if isinstance(value, str):
        yield value.strip(), place
    elif isinstance(value, tuple):
        for item in value:
            yield from _iterate_values(item, place)
    elif isinstance(value, Mapping):
        yield from _iterate_values(tuple(value.values()), place)
    elif isinstance(value, SourceRecord) and value.source.file:
        for child, child_place in _iterate_fields(value):
            yield from _iterate_values(child, child_place)
    elif isinstance(value, Record):
        yield from _iterate_values(tuple(getattr(value, name) for name in field_names(type(value))), place)


def _iterate_fields(record: SourceRecord) -> Iterator[tuple[object, Place]]:
    """Yield the values of the fields of a record, and of their items, with their places."""
    for name in field_names(type(record)):
        value = getattr(record, name)
        if isinstance(value, Mapping):
            yield from ((item, record.place_of(key)) for key, item in value.items())
        elif isinstance(value, tuple):
            for item in value:
                place = record.item_place_of(name, item) if isinstance(item, str) else record.place_of(name)
                yield item, place
        else:
            yield value, record.place_of(name)


def _name_of_file(url: str) -> str:
    return url.rpartition("/")[2]


def _is_caused_by_lost_entries(issue: _LinkIssue, sources: _SourceIndex, problems: Problems) -> bool:
    """Whether a link is only broken because entries with reported problems are missing."""
    if issue.code not in ("broken-link", "broken-anchor"):
        return False
    first_part, _, entry_path = issue.target_file.partition("/")
    collection_name = (
        first_part if entry_path else issue.bare_url.partition("#")[2] or PurePosixPath(first_part).stem
    )
    if collection_name != "publications":
        return problems.has_losses_in(f"content/{collection_name}")
    key = entry_path.partition("/")[0]
    return problems.has_losses_in("bib/") or key.casefold() in sources.keys


def _collect_anchors(page: FinishedPage, sources: _SourceIndex, problems: Problems) -> frozenset[str]:
    anchors = frozenset(page.anchors)
    if len(anchors) < len(page.anchors):
        for name in sorted(name for name, count in Counter(page.anchors).items() if count > 1):
            places = sources.ids.get(name, [])
            place = places[1] if len(places) > 1 else Place(page.artifact.source.file)
            message = f'two elements of one page have the id "{name}"'
            problems.report("duplicate-anchor", place, message, "rename one of them")
    return frozenset(map(html.unescape, anchors))


def _image_name(image: str) -> str:
    """The name of the file that an <img> shows."""
    url = next((tag.attributes.get("src") for tag in iterate_tags(image)), None)
    return PurePosixPath(unquote(url)).name if url else "without a name"


def _report_missing_alt(image_name: str, file: str, sources: _SourceIndex, problems: Problems) -> None:
    """Report an image without alt text, at its place in a source if it is found there."""
    message = f"the image {image_name} has no alt text"
    markdown_places = sources.markdown_images.get(image_name, [])
    html_places = sources.html_images.get(image_name, [])
    value_places = () if markdown_places or html_places else sources.places_by_image.get(image_name, ())
    for place in markdown_places or html_places or value_places or [Place(file)]:
        example = 'alt="…"' if html_places else f"![…]({image_name})"
        problems.report("missing-alt", place, message, f"describe what it shows: {example}")


class _LinkTargets:
    """The pages, files and anchors to which a link may lead; an index of each is made once."""

    def __init__(
        self, paths: Sequence[str], anchors: Mapping[str, frozenset[str]], files: FileIndex, site_url: str
    ) -> None:
        self._paths_by_casefold = {path.casefold(): path for path in paths}
        self._anchors = anchors
        self._files = files
        self._site_url = parse_url(site_url)

    def find_issue(self, page_file: str, url: str) -> _LinkIssue | None:
        """The issue of a link, or None."""
        if not is_safe_url(url) and not url.startswith("data:image/"):
            message = "“{}” is not a URL that can be linked"
            return _LinkIssue("bad-address", _strip_parent_steps(url), message, suggest_safe_url(url))
        if EXTERNAL_URL.match(url):
            message = "“{}” is not complete"
            hint = "write the whole address, or delete the link"
            return _LinkIssue("dead-link", url, message, hint) if _UNFINISHED_URL.fullmatch(url) else None
        path, separator, suffix = split_url(url)
        target = _resolve_target(page_file, unquote(path))
        actual_path = self._paths_by_casefold.get(target.casefold())
        if actual_path is None:
            return self._describe_broken_link(url, path, f"{separator}{suffix}", target)
        if actual_path != target:
            depth = path.strip("/").count("/") + 1
            hint = f'write "{"/".join(actual_path.removesuffix("index.html").split("/")[-depth:])}"'
            message = "“{}” differs from the file name in upper and lower case"
            replacement = actual_path.removesuffix("index.html").rstrip("/")
            return _LinkIssue("wrong-case", _strip_parent_steps(url), message, hint, replacement=replacement)
        fragment = unquote(suffix) if separator == "#" else ""
        if fragment and target in self._anchors and fragment not in self._anchors[target]:
            bare_url = f"#{fragment}" if not path else _strip_parent_steps(url)
            return self._describe_broken_anchor(bare_url, fragment, target)
        return None

    def _describe_link_out(self, url: str, target: str) -> _LinkIssue | None:
        """The issue of a link to a place above the site; None if its host can have it, as above /~name/; without `url:`, if it is a folder."""
        steps = target.split("/").count("..")
        folders = [name for name in self._site_url.path.split("/") if name]
        has_url = bool(self._site_url.netloc)
        if steps <= len(folders) if has_url else target.endswith("/index.html"):
            return None
        written_url = "../" * steps + _strip_parent_steps(url)
        hint = "write the whole address, https://…, or put the file into content/"
        return _LinkIssue("dead-link", written_url, "“{}” is outside of this site", hint)

    def _describe_broken_link(self, url: str, path: str, suffix: str, target: str) -> _LinkIssue | None:
        matches = self._files.find_paths(unquote(path))
        if len(matches) > 1:
            hint = "write more of the path: " + ", ".join(matches[:3])
            message = f"“{{}}” matches {len(matches)} files"
            return _LinkIssue("ambiguous-file", _strip_parent_steps(url), message, hint)
        if target.startswith("../"):
            return self._describe_link_out(url, target)
        bare_url = _strip_parent_steps(path)
        replacement = self._find_certain_url(bare_url)
        return _LinkIssue(
            "broken-link",
            _strip_parent_steps(url),
            "“{}” is not a page or file of this site",
            self._suggest_url(bare_url),
            target,
            f"{replacement}{suffix}" if replacement else "",
        )

    def _describe_broken_anchor(self, bare_url: str, fragment: str, target: str) -> _LinkIssue:
        known_anchors = self._list_anchors(target)
        suggestion = find_similar_word(fragment, known_anchors)
        anchors = ", ".join(f"#{name}" for name in known_anchors[:6])
        anchor_list = f"its anchors are {anchors}" if anchors else ""
        label = f"the page /{target.removesuffix('index.html')} has no anchor “#{fragment}”"
        message = label.replace("{", "{{").replace("}", "}}")  # no fields: the URL is not in this message
        hint = f'did you mean "#{suggestion}"?' if suggestion else anchor_list
        replacement = suggestion if suggestion.casefold() == fragment.casefold() else ""
        return _LinkIssue("broken-anchor", bare_url, message, hint, target, replacement)

    @cache  # noqa: B019 - the object lives as long as the check
    def _list_anchors(self, target: str) -> tuple[str, ...]:
        """The anchors of a page that are not made by a template, sorted."""
        return tuple(sorted(name for name in self._anchors[target] if not name.startswith("page-")))

    @cached_property
    def _pages(self) -> tuple[str, ...]:
        """The path of each page below the homepage: "/talks/"."""
        return tuple(
            f"/{path.removesuffix('index.html')}"
            for path in self._paths_by_casefold.values()
            if path.endswith("/index.html")
        )

    @cached_property
    def _pages_by_name(self) -> Mapping[str, list[str]]:
        """The paths of the pages by their last part: "talks"."""
        pages: dict[str, list[str]] = {}
        for page in self._pages:
            pages.setdefault(page.split("/")[-2], []).append(page)
        return pages

    @cached_property
    def _files_by_name(self) -> Mapping[str, str]:
        """The path of each file that is no page, by its name."""
        return {
            PurePosixPath(path).name: path
            for path in self._paths_by_casefold.values()
            if not path.endswith(".html")
        }

    @cache  # noqa: B019 - as above
    def _suggest_url(self, url: str) -> str:
        """The repair for a URL that does not exist."""
        bare_path = re.sub(r"^(?:\.\./|\./|/)+", "", unquote(url))
        pure_path = PurePosixPath(bare_path)
        if "@" in bare_path and "/" not in bare_path:
            return f"write mailto:{bare_path}"
        if is_bare_host_url(bare_path):
            return f"write https://{bare_path}"
        if bare_path.startswith("content/") and self._files.find_paths(bare_path.removeprefix("content/")):
            return f'write "{bare_path.removeprefix("content/")}"'
        if pure_path.suffix in ("", ".md", ".html"):
            page_path = f"/{str(pure_path).removesuffix(pure_path.suffix)}/"
            matching_page = next(
                (p for p in self._pages_by_name.get(pure_path.stem, ()) if page_path.endswith(p)), ""
            )
            suggestion = find_similar_word(page_path, self._pages)
            if matching_page or suggestion:
                return f'write "{matching_page}"' if matching_page else f'did you mean "{suggestion}"?'
            return "the site has no page at this URL" if pure_path.suffix == "" else "correct the link"
        suggestion = find_similar_word(pure_path.name, self._files_by_name)
        if suggestion:
            return f'did you mean "{self._files_by_name[suggestion]}"?'
        return "add the file to content/, or correct the link"

    def _find_certain_url(self, url: str) -> str:
        """The URL that is certainly meant by one that does not exist, or ""."""
        bare_path = re.sub(r"^(?:\./|/)+", "", unquote(url))
        if re.fullmatch(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", bare_path):
            return f"mailto:{bare_path}"
        if bare_path.startswith("www.") and is_bare_host_url(bare_path):
            return f"https://{url.lstrip('/')}"
        file = bare_path.removeprefix("content/")
        if file != bare_path and len(self._files.find_paths(file)) == 1:
            return url.lstrip("./").removeprefix("content/")
        pure_path = PurePosixPath(bare_path)
        if pure_path.suffix in (".md", ".html"):
            ending = f"/{pure_path.with_suffix('')}/"
            pages = [p for p in self._pages_by_name.get(pure_path.stem, ()) if p.endswith(ending)]
            return pages[0] if len(pages) == 1 else ""
        return ""


def _strip_parent_steps(url: str) -> str:
    """The URL without its leading "../" steps, which depend on the page."""
    return re.sub(r"^(?:\.\./)+", "", url)


def _resolve_target(page_file: str, url_path: str) -> str:
    """The file that a URL on a page refers to; the URL "" is the page itself."""
    if not url_path:
        return page_file
    segments = [] if url_path.startswith("/") else page_file.split("/")[:-1]
    for segment in url_path.split("/"):
        if segment == "..":
            segments = segments[:-1] if segments and segments[-1] != ".." else [*segments, ".."]
        elif segment not in ("", "."):
            segments.append(segment)
    path = "/".join(segments)
    if url_path.endswith(("/", "..", ".")) or not path:
        return f"{path}/index.html" if path else "index.html"
    return path
