"""Checks every link, anchor, image and alt text of the finished pages."""

import html
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import PurePosixPath
from posixpath import dirname, normpath
from urllib.parse import quote, unquote

from tenure.html.source_places import SourcePlaces
from tenure.html.urls import EXTERNAL_URL, FinishedPage, split_url
from tenure.markdown.html_tags import iterate_tags
from tenure.model.file_index import FileIndex
from tenure.model.links import is_bare_host_url, is_safe_url, parse_url, suggest_safe_url
from tenure.problems import Edit, Place, Problems, find_similar_word
from tenure.publish import Artifact
from tenure.record import Record


def check_links(
    pages: Sequence[FinishedPage],
    artifacts: Iterable[Artifact],
    files: FileIndex,
    problems: Problems,
    sources: SourcePlaces,
    site_url: str = "",
) -> None:
    """Report every broken internal link, every missing or duplicate anchor, every image without alt text."""
    anchors = {page.artifact.path: frozenset(map(html.unescape, page.anchors)) for page in pages}
    targets = _LinkTargets([artifact.path for artifact in artifacts], anchors, files, site_url)
    files_by_issue: dict[tuple[str, _LinkIssue], dict[str, None]] = {}
    files_by_image: dict[str, dict[str, None]] = {}
    for page in pages:
        path = page.artifact.path
        source_file = page.artifact.source.file or path
        if len(set(page.anchors)) < len(page.anchors):
            for name in sorted(name for name, count in Counter(page.anchors).items() if count > 1):
                place = [*sources.find(name, "id"), Place(source_file), Place(source_file)][1]
                message = f'two elements of one page have the id "{name}"'
                problems.report("duplicate-anchor", place, message, "rename one of them")
        for image in page.images_without_alt:
            files_by_image.setdefault(image, {})[source_file] = None
        if path.rpartition("/")[2] == "404.html":
            continue
        for url in page.links:
            issue = targets.find_issue("" if url[:1] == "/" else path, url)  # it is the same on all pages
            if issue is not None:
                files_by_issue.setdefault((url, issue), {})[source_file] = None
    for image, image_files in files_by_image.items():
        url = html.unescape(next((tag.attributes.get("src") for tag in iterate_tags(image)), None) or "")
        name = unquote(url).rpartition("/")[2] or "without a name"
        markdown = f"![…]({name})"
        places = [
            (place, example)
            for kind, example in (("silent", markdown), ("silent_html", 'alt="…"'))
            for spelling in {url, unquote(url)}
            for place in sources.find(spelling, kind)
        ]
        places = places or [(place, markdown) for place in sources.find_entries(name)]
        for place, example in places or [(Place(file), markdown) for file in image_files]:
            message = f"the image {name} has no alt text"
            problems.report("missing-alt", place, message, f"describe what it shows: {example}")
    for (url, issue), issue_files in files_by_issue.items():
        if not _is_caused_by_lost_entries(url, issue, sources, problems):
            _report_issue(url, issue, issue_files, sources, problems)


class _LinkIssue(Record):
    """
    A problem of links: a message with {} for the URL, a repair, the target file.

    `replacement` is the URL to write instead, if that is certain.
    """

    code: str
    message: str
    hint: str
    target_file: str = ""
    replacement: str = ""


_ERRORS_OF_LINKS = frozenset({"bad-address", "broken-link", "ambiguous-file", "wrong-case"})
_UNFINISHED_URL = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?/* | https?:/?[^/].*", re.VERBOSE)
"""https://, and http:/example.org with one slash."""


def _report_issue(
    url: str, issue: _LinkIssue, files: Iterable[str], sources: SourcePlaces, problems: Problems
) -> None:
    """Report an issue at every place of a source with the link; if a template made it, once per source of the pages."""
    bare_url = _strip_parent_steps(url).lstrip("/")
    written_urls = (url, f"/{bare_url}", bare_url) if bare_url else (url,)
    spellings = dict.fromkeys(
        spelling for written in written_urls for spelling in (written, unquote(written))
    )
    found = ((sources.find_url(spelling), spelling) for spelling in spellings)
    entries = ((sources.find_entries(spelling), spelling) for spelling in spellings)
    items = ((sources.find(spelling, "item"), spelling) for spelling in spellings)  # - my blog
    default = ([Place(file) for file in files], url)
    places, written_url = next((pair for pair in chain(found, entries, items) if pair[0]), default)
    for place in places:
        edits = (Edit(place, issue.replacement),) if issue.replacement and place.length else ()
        # nobody wrote the values of a .bib file for this site, so they cause warnings alone
        is_in_bib = place.line and place.file.endswith(".bib")
        code = "bib-bad-value" if is_in_bib and issue.code in _ERRORS_OF_LINKS else issue.code
        problems.report(code, place, issue.message.replace("“{}”", f"“{written_url}”"), issue.hint, edits)


def _is_caused_by_lost_entries(
    url: str, issue: _LinkIssue, sources: SourcePlaces, problems: Problems
) -> bool:
    """Whether a link is only broken because entries with reported problems are missing."""
    if issue.code not in ("broken-link", "broken-anchor"):
        return False
    first_part, _, entry_path = issue.target_file.partition("/")
    name = first_part if entry_path else url.partition("#")[2] or PurePosixPath(first_part).stem
    if name == "publications":
        return problems.has_losses_in("bib/") or sources.has_key(entry_path.partition("/")[0])
    return problems.has_losses_in(f"content/{name}")


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
        self._pages_by_name: dict[str, list[str]] = {}
        for path in paths:
            if path.endswith("/index.html"):
                page = f"/{path.removesuffix('index.html')}"
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
        if not is_safe_url(url) and not url.startswith("data:image/"):
            return _LinkIssue("bad-address", "“{}” is not a URL that can be linked", suggest_safe_url(url))
        if EXTERNAL_URL.match(url):
            hint = "write the whole address, or delete the link"
            is_unfinished = _UNFINISHED_URL.fullmatch(url)
            return _LinkIssue("dead-link", "“{}” is not complete", hint) if is_unfinished else None
        path, separator, suffix = split_url(url)
        target = resolve_target(page_file, unquote(path))
        actual_path = self._paths_by_casefold.get(target.casefold())
        if actual_path is None:
            return self._describe_broken_link(path, f"{separator}{suffix}", target)
        if actual_path != target:
            correct_url = f"/{actual_path.removesuffix('index.html')}"
            names = actual_path.split("/")[-path.strip("/").count("/") - 1 :]
            if not path.startswith("/") and self._files.find_paths("/".join(names)) == (actual_path,):
                correct_url = "/".join(names)
            message = "“{}” differs from the file name in upper and lower case"
            replacement = f"{quote(correct_url)}{separator}{suffix}"
            return _LinkIssue("wrong-case", message, f'write "{correct_url}"', "", replacement)
        fragment = unquote(suffix) if separator == "#" else ""
        if not fragment or fragment in self._anchors.get(target, (fragment,)):
            return None
        known_anchors = sorted(name for name in self._anchors[target] if not name.startswith("page-"))
        similar = self._find_similar_word(fragment, known_anchors)
        listed = ", ".join(f"#{name}" for name in known_anchors[:6])
        hint = f"its anchors are {listed}" if listed else ""
        if similar:
            hint = f'did you mean "#{similar}"?'
        message = f"the page /{target.removesuffix('index.html')} has no anchor “#{fragment}”"
        replacement = f"{path}#{similar}" if similar.casefold() == fragment.casefold() else ""
        return _LinkIssue("broken-anchor", message, hint, target, replacement)

    def _describe_broken_link(self, path: str, suffix: str, target: str) -> _LinkIssue | None:
        matches = self._files.find_paths(unquote(path))
        if len(matches) > 1:
            hint = "write more of the path: " + ", ".join(matches[:3])
            return _LinkIssue("ambiguous-file", f"“{{}}” matches {len(matches)} files", hint)
        if target.startswith("../"):
            # a host can have a place above the site, as above /~name/; without `url:`, any folder can be one
            folders = [name for name in self._site_url.path.split("/") if name]
            is_on_host = target.split("/").count("..") <= len(folders)
            if is_on_host if self._site_url.netloc else target.endswith("/index.html"):
                return None
            hint = "write the whole address, https://…, or put the file into content/"
            return _LinkIssue("dead-link", "“{}” is outside of this site", hint)
        hint, replacement = self._suggest_url(_strip_parent_steps(path))
        message = "“{}” is not a page or file of this site"
        return _LinkIssue("broken-link", message, hint, target, replacement and f"{replacement}{suffix}")

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
            if similar:
                return f'did you mean "{self._files_by_name[similar]}"?', ""
            return "add the file to content/, or correct the link", ""
        page_path = f"/{bare_path.strip('/').removesuffix(path.suffix)}/"
        matching_pages = [page for page in self._pages_by_name.get(path.stem, ()) if page.endswith(page_path)]
        if matching_pages:
            is_certain = bool(path.suffix) and len(matching_pages) == 1
            return f'write "{matching_pages[0]}"', matching_pages[0] if is_certain else ""
        files = [name for name in self._files_by_name if PurePosixPath(name).stem == path.name]
        if files:
            return f'write "{files[0]}"', quote(files[0]) if len(files) == 1 else ""
        similar = self._find_similar_word(page_path, [*chain.from_iterable(self._pages_by_name.values())])
        if similar:
            return f'did you mean "{similar}"?', ""
        return "correct the link" if path.suffix else "the site has no page at this URL", ""


def _strip_parent_steps(url: str) -> str:
    """The URL without its leading "../" steps, which depend on the page."""
    return re.sub(r"^(?:\.\./)+", "", url)


def resolve_target(page_file: str, url_path: str) -> str:
    """The file that a URL on a page refers to; the URL "" is the page itself."""
    if not url_path:
        return page_file
    folder = "" if url_path.startswith("/") else dirname(page_file)
    path = normpath(f"{folder}/{url_path}".lstrip("/"))
    is_folder = url_path.endswith(("/", "..", ".")) or path == "."
    return f"{path}/index.html".removeprefix("./") if is_folder else path
