"""
Checks every link, anchor, image and alt text of the finished pages, and finds files that no page links to.

The URL of a page gets a `_LinkIssue` from the `_LinkTargets`: all paths and anchors of the site. The issue is
reported where the sources write the URL. An `UnlinkedFile` is a file of content/: most are published, and
none without a word.
"""

import html
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path, PurePosixPath
from posixpath import dirname, normpath
from typing import cast
from urllib.parse import quote, unquote

from tenure.html.head import SOCIAL_CARD_FILE
from tenure.html.source_places import SourcePlaces
from tenure.html.unnamed_pdfs import is_paper_file
from tenure.html.urls import EXTERNAL_URL, FinishedPage, split_url
from tenure.markdown.html_tags import iterate_tags
from tenure.model.files import IMAGE_SUFFIXES, FileIndex
from tenure.model.links import is_bare_host_url, is_safe_url, parse_url, suggest_safe_url
from tenure.problems import Edit, Place, Problems, find_similar_word
from tenure.publish import Artifact
from tenure.record import Record
from tenure.source_paths import PUBLISHED_HIDDEN_FOLDER


def check_links(
    pages: Sequence[FinishedPage],
    artifacts: Iterable[Artifact],
    files: FileIndex,
    problems: Problems,
    sources: SourcePlaces,
    site_url: str = "",
) -> None:
    """
    Report every broken internal link, every missing or duplicate anchor, every image without alt text.

    A link that is broken because an entry with a reported problem is missing is not reported a second time.
    """
    anchors = {page.artifact.path: frozenset(map(html.unescape, page.anchors)) for page in pages}
    targets = _LinkTargets([artifact.path for artifact in artifacts], anchors, files, site_url)

    # what the frame of a theme has wrong is wrong on every page, and is reported once; the keys of the inner
    # dictionaries are the sources of the pages, in order
    files_by_issue: dict[tuple[str, _LinkIssue], dict[str, None]] = {}
    files_by_image: dict[str, dict[str, None]] = {}
    for page in pages:
        path = page.artifact.path
        source_file = page.artifact.source.file or path
        _report_duplicate_anchors(page.anchors, source_file, sources, problems)
        for image in page.images_without_alt:
            files_by_image.setdefault(image, {})[source_file] = None
        for url in page.links:
            # a URL from the root leads to the same file on all pages
            issue = targets.find_issue("" if url[:1] == "/" else path, url)
            if issue is not None:
                files_by_issue.setdefault((url, issue), {})[source_file] = None

    for image, image_files in files_by_image.items():
        _report_missing_alt(image, image_files, sources, problems)
    for (url, issue), issue_files in files_by_issue.items():
        if not _is_caused_by_lost_entries(url, issue, sources, problems):
            _report_issue(url, issue, issue_files, sources, problems)


def _report_duplicate_anchors(
    anchors: Iterable[str], source_file: str, sources: SourcePlaces, problems: Problems
) -> None:
    """Report each id that a page has twice, at the second place in the sources, else at the page."""
    counts = Counter(anchors)
    for name in sorted(name for name, count in counts.items() if count > 1):
        # the second of the places in the sources; with one or none, the theme has made an id too
        page = Place(source_file)
        place = [*sources.find(name, "id"), page, page][1]
        message = f'two elements of one page have the id "{name}"'
        problems.report("duplicate-anchor", place, message, "rename one of them")


def _report_missing_alt(image: str, files: Iterable[str], sources: SourcePlaces, problems: Problems) -> None:
    """Report an image without alt text where it is written, else at entries with its name, or its pages."""
    url = html.unescape(next(iterate_tags(image)).attributes.get("src") or "")
    name = unquote(url).rpartition("/")[2] or "without a name"
    markdown = f"![…]({name})"

    # "my%20photo.png" and "my photo.png"; the kinds of places are those of SourcePlaces
    spellings = {url, unquote(url)}
    places = [(place, markdown) for spelling in spellings for place in sources.find(spelling, "no_alt")]
    places += [
        (place, 'alt="…"') for spelling in spellings for place in sources.find(spelling, "no_alt_html")
    ]
    if not places:
        elsewhere = sources.find_entries(name) or [Place(file) for file in files]
        places = [(place, markdown) for place in elsewhere]
    for place, example in places:
        message = f"the image {name} has no alt text"
        problems.report("missing-alt", place, message, f"describe what it shows: {example}")


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
    """Report an issue at every place with the link; if a template made it, once per source of the pages."""
    written_url, places = _find_link(url, sources)
    for place in places or [Place(file) for file in files]:
        edits: tuple[Edit, ...] = ()
        if issue.replacement and place.length:
            edits = (Edit(place, issue.replacement),)

        code = issue.code
        # nobody wrote the values of a .bib file for this site, so they cause warnings alone
        if place.line and place.file.endswith(".bib") and code in _ERRORS_OF_LINKS:
            code = "bib-bad-value"
        problems.report(code, place, issue.message.replace("“{}”", f"“{written_url}”"), issue.hint, edits)


def _find_link(url: str, sources: SourcePlaces) -> tuple[str, list[Place]]:
    """
    How the sources write the URL of a page, and where: "../my%20cv.pdf" -> "my cv.pdf".

    The surest places alone: a URL, else an entry with it, else a word of a list. Without any, a template has
    made the link.
    """
    bare_url = _strip_parent_steps(url).lstrip("/")
    written_urls = (url, f"/{bare_url}", bare_url) if bare_url else (url,)
    spellings = [spelling for written in written_urls for spelling in (written, unquote(written))]
    finders: tuple[Callable[[str], list[Place]], ...] = (
        sources.find_url,
        sources.find_entries,
        # "- my blog", which `find_url` takes for a word, as it has no sign of a URL
        lambda spelling: sources.find(spelling, "list_item"),
    )

    for find in finders:
        for spelling in dict.fromkeys(spellings):
            places = find(spelling)
            if places:
                return spelling, places
    return url, []


def _is_caused_by_lost_entries(
    url: str, issue: _LinkIssue, sources: SourcePlaces, problems: Problems
) -> bool:
    """Whether a link is only broken because entries with reported problems are missing."""
    if issue.code not in ("broken-link", "broken-anchor"):
        return False
    # the list of the target: a link to the lost entry, or to a page or a heading that shows its list
    # "/talks/proofs/" and "/talks/" are of the list talks, and so are "/#talks" and "/talks.html"
    folder, _, entry_path = issue.target_file.partition("/")
    name = folder
    if not entry_path:
        name = url.partition("#")[2] or PurePosixPath(folder).stem
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
        if self._suggestion_count > MAX_SUGGESTIONS:
            return ""
        return find_similar_word(unknown, known)

    @cache  # noqa: B019 - the object lives as long as the check
    def find_issue(self, page_file: str, url: str) -> _LinkIssue | None:
        """
        The issue of a link, or None; a page and its URL, "talks/index.html" and "../cv.pdf#top".

        The host of a link to another site is not asked: `check --links external` does that.
        """
        if not is_safe_url(url) and not url.startswith("data:image/"):
            return _LinkIssue("bad-address", "“{}” is not a URL that can be linked", suggest_safe_url(url))
        if EXTERNAL_URL.match(url):
            if not _UNFINISHED_URL.fullmatch(url):
                return None
            hint = "write the whole address, or delete the link"
            return _LinkIssue("dead-link", "“{}” is not complete", hint)

        path, separator, suffix = split_url(url)
        target = resolve_target(page_file, unquote(path))
        actual_path = self._paths_by_casefold.get(target.casefold())
        if actual_path is None:
            return self._describe_broken_link(path, f"{separator}{suffix}", target)
        if actual_path != target:
            return self._describe_wrong_case(path, f"{separator}{suffix}", actual_path)
        if separator == "#":
            return self._find_anchor_issue(path, target, unquote(suffix))
        return None

    def _describe_wrong_case(self, path: str, suffix: str, actual_path: str) -> _LinkIssue:
        """The issue of a path that differs from its file in case; a short path stays short in the repair."""
        correct_url = f"/{actual_path.removesuffix('index.html')}"
        name_count = path.strip("/").count("/") + 1
        last_names = "/".join(actual_path.split("/")[-name_count:])
        if not path.startswith("/") and self._files.find_paths(last_names) == (actual_path,):
            correct_url = last_names
        message = "“{}” differs from the file name in upper and lower case"
        replacement = f"{quote(correct_url)}{suffix}"
        return _LinkIssue("wrong-case", message, f'write "{correct_url}"', "", replacement)

    def _find_anchor_issue(self, path: str, target: str, fragment: str) -> _LinkIssue | None:
        """The issue of a link to an anchor that its page does not have; None for other files."""
        anchors = self._anchors.get(target)
        if not fragment or anchors is None or fragment in anchors:
            return None

        # "page-main" is of the frame of each page, and nobody means it
        known_anchors = sorted(name for name in anchors if not name.startswith("page-"))
        similar = self._find_similar_word(fragment, known_anchors)
        hint = ""
        if similar:
            hint = f'did you mean "#{similar}"?'
        elif known_anchors:
            hint = f"its anchors are {', '.join(f'#{name}' for name in known_anchors[:6])}"
        message = f"the page /{target.removesuffix('index.html')} has no anchor “#{fragment}”"
        replacement = f"{path}#{similar}" if similar.casefold() == fragment.casefold() else ""
        return _LinkIssue("broken-anchor", message, hint, target, replacement)

    def _describe_broken_link(self, path: str, suffix: str, target: str) -> _LinkIssue | None:
        """
        The issue of a path without a file; None if it may be a place of the host above the site.

        `path` is as it is on the page, "../talk.pdf", `suffix` what follows it, "#page=2", `target` the file
        from the root of the site, "talk.pdf".
        """
        # a name of several files is not resolved, so that it arrives as it is written
        matches = self._files.find_paths(unquote(path))
        if len(matches) > 1:
            hint = "write more of the path: " + ", ".join(matches[:3])
            return _LinkIssue("ambiguous-file", f"“{{}}” matches {len(matches)} files", hint)
        # above the root of the site
        if target.startswith("../"):
            if self._may_be_on_host(target):
                return None
            hint = "write the whole address, https://…, or put the file into content/"
            return _LinkIssue("dead-link", "“{}” is outside of this site", hint)

        hint, replacement = self._suggest_url(_strip_parent_steps(path))
        if replacement:
            replacement = f"{replacement}{suffix}"
        message = "“{}” is not a page or file of this site"
        return _LinkIssue("broken-link", message, hint, target, replacement)

    def _may_be_on_host(self, target: str) -> bool:
        """
        Whether a host can have a place above the site; without `url:`, it can have any folder.

        A site at https://example.edu/~ada/ may link to "../", but not to "../../".
        """
        if not self._site_url.netloc:
            return target.endswith("/index.html")
        folders = [name for name in self._site_url.path.split("/") if name]
        return target.split("/").count("..") <= len(folders)

    @cache  # noqa: B019 - the object lives as long as the check
    def _suggest_url(self, url: str) -> tuple[str, str]:
        """The repair for a URL that does not exist, and the URL that is certainly meant or ""."""
        bare_path = re.sub(r"^(?:\.\./|\./|/)+", "", unquote(url))
        # ada@example.edu
        if re.fullmatch(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", bare_path):
            return f"write mailto:{bare_path}", f"mailto:{bare_path}"
        if is_bare_host_url(bare_path):
            # "example.org" may also be a name for something else
            replacement = f"https://{url.lstrip('/')}" if bare_path.startswith("www.") else ""
            return f"write https://{bare_path}", replacement
        # "content/cv.pdf" is published as cv.pdf
        file = bare_path.removeprefix("content/")
        if file != bare_path and len(self._files.find_paths(file)) == 1:
            return f'write "{file}"', quote(file)

        path = PurePosixPath(bare_path)
        if path.suffix in ("", ".md", ".html"):
            return self._suggest_page(bare_path)
        similar = self._find_similar_word(path.name, self._files_by_name)
        if similar:
            return f'did you mean "{self._files_by_name[similar]}"?', ""
        return "add the file to content/, or correct the link", ""

    def _suggest_page(self, bare_path: str) -> tuple[str, str]:
        """The repair for the path of a page or its source, and what is meant: "talks.md" -> "/talks/"."""
        path = PurePosixPath(bare_path)
        page_path = f"/{bare_path.strip('/').removesuffix(path.suffix)}/"
        pages = [page for page in self._pages_by_name.get(path.stem, ()) if page.endswith(page_path)]
        if pages:
            replacement = pages[0] if path.suffix and len(pages) == 1 else ""
            return f'write "{pages[0]}"', replacement

        # "slides" is the file slides.pdf
        files = [name for name in self._files_by_name if PurePosixPath(name).stem == path.name]
        if files:
            replacement = quote(files[0]) if len(files) == 1 else ""
            return f'write "{files[0]}"', replacement

        similar = self._find_similar_word(page_path, [*chain.from_iterable(self._pages_by_name.values())])
        if similar:
            return f'did you mean "{similar}"?', ""
        hint = "correct the link" if path.suffix else "the site has no page at this URL"
        return hint, ""


def _strip_parent_steps(url: str) -> str:
    """The URL without its first "../" steps, which depend on the page."""
    return re.sub(r"^(?:\.\./)+", "", url)


def resolve_target(page_file: str, url_path: str) -> str:
    """
    The file that a URL on a page refers to; the URL "" is the page itself.

    "talks/index.html", "../cv.pdf" -> "cv.pdf"; "talks/index.html", "/papers/" -> "papers/index.html".
    """
    if not url_path:
        return page_file
    folder = "" if url_path.startswith("/") else dirname(page_file)
    path = normpath(f"{folder}/{url_path}".lstrip("/"))
    is_folder = url_path.endswith(("/", "..", ".")) or path == "."
    return f"{path}/index.html".removeprefix("./") if is_folder else path


# Files that no page links to

PAGE_SUFFIXES = (".html", ".htm", ".xhtml")
SERVED_SUFFIXES = frozenset(
    (
        *PAGE_SUFFIXES,
        *(".css", ".js", ".mjs", ".wasm", ".map"),
        *(".woff", ".woff2", ".ttf", ".otf", ".eot"),
        *IMAGE_SUFFIXES,
        *(".bmp", ".ico", ".tif", ".tiff"),
        ".pdf",
        *(".m4a", ".m4v", ".mov", ".mp3", ".mp4", ".ogg", ".ogv", ".opus", ".vtt", ".wav", ".webm"),
        *(".csv", ".json", ".webmanifest", ".xml", ".zip"),
    )
)
"""The endings of files that a website serves; a file with another one is more often a draft or a note."""

CREDENTIAL_FILES = frozenset({"credentials.json"})
"""Names of credentials with such an ending."""

HOST_FILES = frozenset(
    [
        *("CNAME", "_headers", "_redirects"),
        *("ads.txt", "humans.txt", "keybase.txt", "llms.txt", "robots.txt", "security.txt"),
        SOCIAL_CARD_FILE,
    ]
)
"""Files that hosts, machines and link previews read at a fixed path."""

_SEARCH_ENGINE_KEY = r"[0-9a-f]{32}\.txt"
"""The name of a key by which a search engine knows the owner of a site (indexnow.org)."""

KEY_SIZE = 4096
"""The number of first bytes in which a private key is looked for."""


class UnlinkedFile(Record):
    """A file of content/ that no page links to, and why it is not published; "" if it is."""

    artifact: Artifact
    reason: str = ""
    hint: str = "link to it from a page, or move it out of content/"


def find_linked_files(pages: Iterable[FinishedPage], candidates: Sequence[Artifact]) -> tuple[Artifact, ...]:
    """The candidates that a page links to or shows."""
    # a URL from the root, "/files/a.pdf", is the same file on each page
    urls = {("" if url[:1] == "/" else page.artifact.path, url) for page in pages for url in page.links}
    inner_urls = [(file, url) for file, url in urls if url[:1] != "#" and not EXTERNAL_URL.match(url)]
    paths = {resolve_target(file, unquote(split_url(url)[0])).casefold() for file, url in inner_urls}
    return tuple(artifact for artifact in candidates if artifact.path.casefold() in paths)


def find_unlinked_files(
    pages: Iterable[FinishedPage], files: Sequence[Artifact], style_sheet: str
) -> Iterator[UnlinkedFile]:
    """
    The files of content/ that neither a page nor the style sheet of the site names.

    Files for hosts, and files beside own HTML, which may name them, count only if they hold a private key.
    """
    linked_sources = {file.source.file for file in find_linked_files(pages, files)}
    # content/demo/index.html -> demo; beside one at the root, all files would be left out
    own_folders = {path.parent for path in map(_read_path, files) if path.suffix in PAGE_SUFFIXES}
    own_folders.discard(PurePosixPath())

    for file in files:
        path = _read_path(file)
        # Tenure itself publishes it at another path: bib/a.pdf as files/a.pdf
        is_published_elsewhere = file.source.file != f"content/{file.path}"
        is_named = file.source.file in linked_sources or PurePosixPath(file.path).name in style_sheet
        if is_published_elsewhere or is_named:
            continue

        if _holds_private_key(file):
            yield UnlinkedFile(file, "this file may hold a private key", "move it out of content/")
        elif not _is_for_host(file.path) and own_folders.isdisjoint(path.parents):
            is_served = path.suffix in SERVED_SUFFIXES and path.name not in CREDENTIAL_FILES
            yield UnlinkedFile(file, "" if is_served else "no page links to this file")


def report_unlinked_files(files: Iterable[UnlinkedFile], problems: Problems) -> None:
    """Report the files that no page links to, and whether they are published; not the PDFs of papers."""
    for file in files:
        if not file.reason and is_paper_file(file.artifact):
            continue
        place = file.artifact.source
        if file.reason:
            hint = file.hint
            if re.search(r"\.(?:ya?ml|md|bib)\.txt$", place.file):
                hint = f"rename it to {PurePosixPath(place.file).stem}"
            problems.report("unknown-file", place, f"{file.reason}, so it is not published", hint)
        else:
            message = "no page links to this file, and it is published"
            hint = "if it is private, move it out of content/"
            problems.report("unlinked-file", place, message, hint)


def _read_path(file: Artifact) -> PurePosixPath:
    """The path of a file with its letters in lower case, because "Letter.PDF" is a PDF."""
    return PurePosixPath(file.path.casefold())


def _is_for_host(path: str) -> bool:
    """Whether a host or a search engine looks for a file at its path: "CNAME", ".well-known/x"."""
    is_hidden = path.startswith(f"{PUBLISHED_HIDDEN_FOLDER}/")
    return is_hidden or path in HOST_FILES or re.fullmatch(_SEARCH_ENGINE_KEY, path) is not None


def _holds_private_key(file: Artifact) -> bool:
    """Whether a file begins with a key, as id_rsa and *.pem do: -----BEGIN PRIVATE KEY-----."""
    try:
        with open(cast("Path", file.body), "rb") as stream:
            return b"PRIVATE KEY" in stream.read(KEY_SIZE)
    except OSError:
        # tenure.publish reports the unreadable file
        return False
