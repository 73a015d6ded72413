"""Checks every link, anchor, image and alt text of the finished pages."""

import html
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from tenure.html.links import EXTERNAL_URL, FinishedPage, split_url
from tenure.markdown.html import render_markdown
from tenure.markdown.html_tags import iterate_tags
from tenure.model.file_index import FileIndex
from tenure.model.links import is_bare_host_url, is_safe_url, parse_url, suggest_safe_url
from tenure.model.site import Site
from tenure.plan.citations import iterate_markdown
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

    `site` has the entries whose texts write a URL in another way than it is linked.
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
        images_without_alt |= dict.fromkeys((image, source_file) for image in page.images_without_alt)
        if path.rpartition("/")[2] == "404.html":
            continue
        for url in page.links:
            issue = targets.find_issue("" if url[:1] == "/" else path, url)  # it is the same on all pages
            if issue is not None:
                urls_by_issue.setdefault(issue, {}).setdefault(source_file, url)
    for image, file in images_without_alt:
        _report_missing_alt(image, file, sources, problems)
    for issue, urls_by_file in urls_by_issue.items():
        if not _is_caused_by_lost_entries(issue, sources, problems):
            _report_issue(issue, urls_by_file, sources, problems)


class _LinkIssue(Record):
    """
    A problem of links: the URL without leading "../", a message with {} for it, a repair, the target file.

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
    path = issue.bare_url.lstrip("/")
    written_urls = (f"/{path}", path, unquote(f"/{path}"), unquote(path)) if path else ()
    candidates = dict.fromkeys((*written_urls, *urls_by_file.values()))
    found = (dict.fromkeys(sources.find_url(url), url) for url in candidates)
    entries = (dict.fromkeys(sources.entries_by_url.get(url, ()), url) for url in candidates)
    default = {Place(file): url for file, url in urls_by_file.items()}
    for place, url in next(filter(None, chain(found, entries)), default).items():
        edits = (Edit(place, issue.replacement),) if issue.replacement and place.length else ()
        # nobody wrote the values of a .bib file for this site, so they cause warnings alone
        is_in_bib = place.line and place.file.endswith(".bib")
        code = "bib-bad-value" if is_in_bib and issue.code in _ERRORS_OF_LINKS else issue.code
        problems.report(code, place, issue.message.replace("“{}”", f"“{url}”"), issue.hint, edits)


_ERRORS_OF_LINKS = frozenset({"bad-address", "broken-link", "ambiguous-file", "wrong-case"})
_UNFINISHED_URL = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?/*")
_BEFORE_URL = re.compile(
    r"""
    (?=(
        \]\(\s*<? | \]:\s* | (?i:href|src|data)\s*=\s*["']? | =\s*[{"] | <    # [a](url), href="url", url = {url}
        | (?<!email)(?<!emails):\s+(?:&\w+\s+)?["']?                         # url: "url"
    ))
    """,
    re.VERBOSE,
)
_BEFORE_LISTED_URL = re.compile(r"""(?=((?:^\s*-\s+|\[|,\s+)["']?)[^\s,]*[./:#?@%])""", re.MULTILINE)
_FIRST_CHARACTERS = re.compile(r"""[^\s"'<>()\[\]{},#]*""")
_REST_OF_URL = re.compile(r"[\w/-]|\.\w")
"""The syntax before a URL or an item of a list; the characters by which a URL is found; what may not follow the whole URL."""

_IMAGE_WITHOUT_ALT = re.compile(
    r"""
    !\[\s*\]\(\s*+<?(?P<markdown>(?:[^)\n>\s]|[^\S\n]++(?![\"')>])){0,500}+)       # ![](photo.png)
    | (?i:<img\b(?![^>]{0,1000}\balt\s*=\s*["']?[^"'\s>])[^>]{0,1000}?\bsrc\s*=\s*["']?(?P<html>[^"'>]{0,500}))
    """,
    re.VERBOSE,
)
_BIB_KEY = re.compile(r"[{(]\s*([^\s,{}()]+)\s*[,\n]")
_ELEMENT_ID = re.compile(r"""(?:\bid=["']?|\{\s*#)([^\s"'>{}]+)""")


class _SourceIndex:
    """Finds URLs, images and ids in the sources, without a search through all of them for each."""

    def __init__(self, problems: Problems, site: Site | None) -> None:
        self._problems = problems
        self._site = site
        self._texts = {
            file: text for file, text in problems.source_texts() if "/translations/" not in file
        }  # no value of a translation is a URL

    def find_url(self, url: str) -> list[Place]:
        """The places where a URL is written as that of a link, an image or a field; else as an item of a list."""
        characters = "".join(_FIRST_CHARACTERS.findall(url)[:1])
        for starts in self._starts:
            places = [
                self._problems.locate(file, start, start + len(url))
                for file, start in starts.get(characters, ())
                if self._texts[file].startswith(url, start)
                and not _REST_OF_URL.match(self._texts[file], start + len(url))
            ]
            if places:
                return places
        return []

    @cached_property
    def _starts(self) -> list[dict[str, list[tuple[str, int]]]]:
        """The places of each text that may be a URL, by its first characters; and those of items of lists."""
        indexes = []
        for pattern in (_BEFORE_URL, _BEFORE_LISTED_URL):
            starts: dict[str, list[tuple[str, int]]] = {}
            for file, text in self._texts.items():
                for start in sorted({match.end(1) for match in pattern.finditer(text)}):
                    first_characters = _FIRST_CHARACTERS.match(text, start)
                    if first_characters:
                        starts.setdefault(first_characters[0], []).append((file, start))
            indexes.append(starts)
        return indexes

    @cached_property
    def entries_by_url(self) -> Mapping[str, dict[Place, None]]:
        """The places of the entries whose texts have a URL, or a file of this name, also if it is written with escapes or as a list."""
        places: dict[str, dict[Place, None]] = {}
        for entry in self._site.iterate_entries() if self._site else ():
            for value in _iterate_values(entry):
                places.setdefault(value, {})[entry.source] = None
            for text in iterate_markdown(entry):
                for tag in iterate_tags(render_markdown(text)) if "](" in text else ():
                    url = html.unescape(tag.attributes.get("href") or tag.attributes.get("src") or "")
                    for key in {url, unquote(url).rpartition("/")[2]}:
                        places.setdefault(key, {})[entry.source] = None
        return places

    @cached_property
    def keys(self) -> frozenset[str]:
        """Each text at the place of the key of a BibTeX entry, in lower case."""
        return frozenset(key.casefold() for text in self._texts.values() for key in _BIB_KEY.findall(text))

    @cached_property
    def ids(self) -> Mapping[str, list[Place]]:
        """The places of each id of an element."""
        places: dict[str, list[Place]] = {}
        for file, text in self._texts.items():
            for match in _ELEMENT_ID.finditer(text):
                places.setdefault(match[1], []).append(self._problems.locate(file, *match.span(1)))
        return places

    @cached_property
    def images(self) -> Mapping[str, list[tuple[Place, str]]]:
        """The places of each image without alt text by the name of its file, with an example of how to write it."""
        places: dict[str, list[tuple[Place, str]]] = {}
        for file, text in self._texts.items():
            for match in _IMAGE_WITHOUT_ALT.finditer(text):
                kind = match.lastgroup or ""
                name = match[kind].rpartition("/")[2]
                place = self._problems.locate(file, match.end(kind) - len(name), match.end(kind))
                name = unquote(name)
                example = 'alt="…"' if kind == "html" else f"![…]({name})"
                places.setdefault(name, []).append((place, example))
        return places


def _iterate_values(value: object) -> Iterator[str]:
    """All texts in a value of the model, such as the URLs of an entry."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for child in value:
            yield from _iterate_values(child)
    elif isinstance(value, Record) and not isinstance(value, Place):
        for name in field_names(type(value)):
            yield from _iterate_values(getattr(value, name))


def _is_caused_by_lost_entries(issue: _LinkIssue, sources: _SourceIndex, problems: Problems) -> bool:
    """Whether a link is only broken because entries with reported problems are missing."""
    if issue.code not in ("broken-link", "broken-anchor"):
        return False
    first_part, _, entry_path = issue.target_file.partition("/")
    name = first_part if entry_path else issue.bare_url.partition("#")[2] or PurePosixPath(first_part).stem
    if name == "publications":
        key = entry_path.partition("/")[0]
        return problems.has_losses_in("bib/") or key.casefold() in sources.keys
    return problems.has_losses_in(f"content/{name}")


def _collect_anchors(page: FinishedPage, sources: _SourceIndex, problems: Problems) -> frozenset[str]:
    anchors = frozenset(page.anchors)
    if len(anchors) < len(page.anchors):
        for name in sorted(name for name, count in Counter(page.anchors).items() if count > 1):
            places = sources.ids.get(name, [])
            place = places[1] if len(places) > 1 else Place(page.artifact.source.file)
            message = f'two elements of one page have the id "{name}"'
            problems.report("duplicate-anchor", place, message, "rename one of them")
    return frozenset(map(html.unescape, anchors))


def _report_missing_alt(image: str, file: str, sources: _SourceIndex, problems: Problems) -> None:
    """Report an image without alt text, at its place in a source if it is found there."""
    url = next((tag.attributes.get("src") for tag in iterate_tags(image)), None)
    name = PurePosixPath(unquote(url)).name if url else "without a name"
    places = sources.images.get(name)
    if not places:
        entries = sources.entries_by_url.get(name, [Place(file)])
        places = [(place, f"![…]({name})") for place in entries]
    for place, example in places:
        message = f"the image {name} has no alt text"
        problems.report("missing-alt", place, message, f"describe what it shows: {example}")


MAX_SUGGESTIONS = 100
"""So many wrong links of a build get the most similar path or anchor as a hint."""


class _LinkTargets:
    """The pages, files and anchors to which a link may lead; an index of each is made once."""

    def __init__(
        self, paths: Sequence[str], anchors: Mapping[str, frozenset[str]], files: FileIndex, site_url: str
    ) -> None:
        self._paths_by_casefold = {path.casefold(): path for path in paths}
        self._anchors = anchors
        self._files = files
        self._site_url = parse_url(site_url)
        self._pages = [
            f"/{path.removesuffix('index.html')}" for path in paths if path.endswith("/index.html")
        ]
        self._pages_by_name: dict[str, list[str]] = {}
        for page in self._pages:
            self._pages_by_name.setdefault(page.split("/")[-2], []).append(page)
        self._suggestion_count = 0
        self._files_by_name = {PurePosixPath(path).name: path for path in paths if not path.endswith(".html")}

    def _find_similar_word(self, unknown: str, known: Collection[str]) -> str:
        """The most similar known word; "" after MAX_SUGGESTIONS, as each is a comparison with many words."""
        self._suggestion_count += 1
        return find_similar_word(unknown, known) if self._suggestion_count <= MAX_SUGGESTIONS else ""

    @cache  # noqa: B019 - the object lives as long as the check
    def find_issue(self, page_file: str, url: str) -> _LinkIssue | None:
        """The issue of a link, or None."""
        bare_url = _strip_parent_steps(url)
        if not is_safe_url(url) and not url.startswith("data:image/"):
            message = "“{}” is not a URL that can be linked"
            return _LinkIssue("bad-address", bare_url, message, suggest_safe_url(url))
        if EXTERNAL_URL.match(url):
            hint = "write the whole address, or delete the link"
            is_unfinished = _UNFINISHED_URL.fullmatch(url)
            return _LinkIssue("dead-link", url, "“{}” is not complete", hint) if is_unfinished else None
        path, separator, suffix = split_url(url)
        target = _resolve_target(page_file, unquote(path))
        actual_path = self._paths_by_casefold.get(target.casefold())
        if actual_path is None:
            return self._describe_broken_link(url, path, f"{separator}{suffix}", target)
        if actual_path != target:
            correct_url = f"/{actual_path.removesuffix('index.html')}"
            names = actual_path.split("/")[-path.strip("/").count("/") - 1 :]
            if not path.startswith("/") and self._files.find_paths("/".join(names)) == (actual_path,):
                correct_url = "/".join(names)
            message, hint = (
                "“{}” differs from the file name in upper and lower case",
                f'write "{correct_url}"',
            )
            replacement = f"{quote(correct_url)}{separator}{suffix}"
            return _LinkIssue("wrong-case", bare_url, message, hint, replacement=replacement)
        fragment = unquote(suffix) if separator == "#" else ""
        if fragment and target in self._anchors and fragment not in self._anchors[target]:
            known_anchors = sorted(name for name in self._anchors[target] if not name.startswith("page-"))
            similar = self._find_similar_word(fragment, known_anchors)
            hint = (
                "its anchors are " + ", ".join(f"#{name}" for name in known_anchors[:6])
                if known_anchors
                else ""
            )
            if similar:
                hint = f'did you mean "#{similar}"?'
            message = f"the page /{target.removesuffix('index.html')} has no anchor “#{fragment}”"
            replacement = f"{path}#{similar}" if similar.casefold() == fragment.casefold() else ""
            return _LinkIssue(
                "broken-anchor", bare_url if path else f"#{fragment}", message, hint, target, replacement
            )
        return None

    def _describe_broken_link(self, url: str, path: str, suffix: str, target: str) -> _LinkIssue | None:
        matches = self._files.find_paths(unquote(path))
        bare_url = _strip_parent_steps(url)
        if len(matches) > 1:
            hint = "write more of the path: " + ", ".join(matches[:3])
            return _LinkIssue("ambiguous-file", bare_url, f"“{{}}” matches {len(matches)} files", hint)
        if target.startswith("../"):
            # a host can have a place above the site, as above /~name/; without `url:`, any folder can be one
            steps = target.split("/").count("..")
            folders = [name for name in self._site_url.path.split("/") if name]
            if steps <= len(folders) if self._site_url.netloc else target.endswith("/index.html"):
                return None
            hint = "write the whole address, https://…, or put the file into content/"
            return _LinkIssue("dead-link", "../" * steps + bare_url, "“{}” is outside of this site", hint)
        hint, replacement = self._suggest_url(_strip_parent_steps(path))
        message = "“{}” is not a page or file of this site"
        replacement = f"{replacement}{suffix}" if replacement else ""
        return _LinkIssue("broken-link", bare_url, message, hint, target, replacement)

    @cache  # noqa: B019 - the object lives as long as the check
    def _suggest_url(self, url: str) -> tuple[str, str]:
        """The repair for a URL that does not exist, and the URL that is certainly meant or ""."""
        bare_path = re.sub(r"^(?:\.\./|\./|/)+", "", unquote(url))
        path = PurePosixPath(bare_path)
        if re.fullmatch(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", bare_path):
            return f"write mailto:{bare_path}", f"mailto:{bare_path}"
        if is_bare_host_url(bare_path):
            is_certain = bare_path.startswith("www.")
            return f"write https://{bare_path}", f"https://{url.lstrip('/')}" if is_certain else ""
        file = bare_path.removeprefix("content/")
        if file != bare_path and len(self._files.find_paths(file)) == 1:
            return f'write "{file}"', quote(file)
        if path.suffix not in ("", ".md", ".html"):
            similar = self._find_similar_word(path.name, self._files_by_name)
            hint = (
                f'did you mean "{self._files_by_name[similar]}"?'
                if similar
                else "add the file to content/, or correct the link"
            )
            return hint, ""
        page_path = f"/{bare_path.strip('/').removesuffix(path.suffix)}/"
        matching_pages = [page for page in self._pages_by_name.get(path.stem, ()) if page.endswith(page_path)]
        if matching_pages:
            is_certain = bool(path.suffix) and len(matching_pages) == 1
            return f'write "{matching_pages[0]}"', matching_pages[0] if is_certain else ""
        similar = self._find_similar_word(page_path, self._pages)
        if similar:
            return f'did you mean "{similar}"?', ""
        return "correct the link" if path.suffix else "the site has no page at this URL", ""


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
