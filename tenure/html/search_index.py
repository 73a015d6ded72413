"""The search index of a site: the text of every page, as scripts that load when a reader opens the search."""

import hashlib
import json
from collections.abc import Iterable
from html.parser import HTMLParser

from tenure.cache.store import CacheStore
from tenure.html.assets import Assets
from tenure.html.links import EXTERNAL_URL, FinishedPage
from tenure.markdown.html_tags import VOID_ELEMENTS
from tenure.plan.pages import Page
from tenure.publish import Artifact
from tenure.record import Record, replace

SEARCH_LIBRARY = "minisearch.js"
"""The asset that ranks the pages, MiniSearch (docs/decisions.md)."""

SEARCH_SCRIPT = "search.js"
"""The asset that searches; it is in the folder of the texts that it searches."""

LOADER_FILE = "assets/search-index.js"
"""
The script that names the two others, which have digests in their names.

It has a fixed name, so that a page need not change when the text of another page changes.
"""

SKIPPED_TAGS = frozenset(("nav", "form", "script", "style", "button", "template", "svg", "select"))
SKIPPED_CLASSES = frozenset(
    ("bib", "crumb", "downloads", "facts", "filter", "jump", "links", "pub-n", "thumbnail", "toc", "Z3988")
)
"""Parts of a page that are not its text: navigation, forms, rows of links, BibTeX to copy."""

HEADING_TAGS = frozenset(("h2", "h3", "h4", "h5", "h6"))
INLINE_TAGS = frozenset({
    "a", "abbr", "b", "bdi", "cite", "code", "em", "i", "kbd", "mark", "math", "mi", "mn", "mo", "q", "s", "small",
    "span", "strong", "sub", "sup",
})  # fmt: skip
"""Elements inside a word or a line."""


class Passage(Record):
    """The text of a page from one heading to the next, with the anchor and text of the heading; "" before the first."""

    anchor: str
    heading: str
    text: str


def extract_passages(html: str, *, split: bool = True) -> tuple[Passage, ...]:
    """
    The passages in the <main> of a page; those with neither heading nor text are omitted.

    Without `split` the page is one passage. A publication in a list is omitted if it links to its own page.
    """
    reader = _PassageReader(split=split)
    reader.feed(html)
    reader.close()
    return reader.collect_passages()


class _PassageBuilder:
    """A passage while its page is being read."""

    def __init__(self, anchor: str) -> None:
        self.anchor = anchor
        self.heading: list[str] = []
        self.text: list[str] = []


class _PassageReader(HTMLParser):
    def __init__(self, *, split: bool) -> None:
        super().__init__()
        self._split = split
        self._open_tags: list[str] = []
        self._main_depth = 0
        self._skipped_depth = 0
        """The depth of the open element that is skipped, or 0."""
        self._heading_depth = 0
        self._publication_depth = 0
        self._length_before_publication = 0
        self._builders = [_PassageBuilder("")]

    def collect_passages(self) -> tuple[Passage, ...]:
        """The passages read so far."""
        passages = (Passage(b.anchor, _join_text(b.heading), _join_text(b.text)) for b in self._builders)
        return tuple(passage for passage in passages if passage.heading or passage.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID_ELEMENTS:
            self._add_text(" ")
            return
        self._open_tags.append(tag)
        depth = len(self._open_tags)
        if tag == "main" and not self._main_depth:
            self._main_depth = depth
        if not self._main_depth or self._skipped_depth:
            return
        values = {name: value or "" for name, value in attrs}
        classes = set(values.get("class", "").split())
        if tag in SKIPPED_TAGS or classes & SKIPPED_CLASSES or tag == "h1":
            self._skipped_depth = depth
        elif "pub" in classes and self._split and not self._publication_depth:
            self._publication_depth, self._length_before_publication = depth, len(self._builders[-1].text)
        elif self._publication_depth and tag == "a" and self._links_to_own_page(values.get("href", "")):
            self._skipped_depth = self._publication_depth
            del self._builders[-1].text[self._length_before_publication :]
        elif tag in HEADING_TAGS and values.get("id") and self._split and not self._publication_depth:
            self._builders.append(_PassageBuilder(values["id"]))
            self._heading_depth = depth
        if tag not in INLINE_TAGS:
            self._add_text(" ")

    def _links_to_own_page(self, url: str) -> bool:
        """Whether the title of the publication being read links to a page of this site."""
        is_in_heading = any(name.startswith("h") for name in self._open_tags[self._publication_depth :])
        return is_in_heading and not EXTERNAL_URL.match(url)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self._open_tags:
            return
        while self._open_tags:
            depth, last = len(self._open_tags), self._open_tags.pop()
            starts = self._main_depth, self._skipped_depth, self._heading_depth, self._publication_depth
            self._main_depth, self._skipped_depth, self._heading_depth, self._publication_depth = (
                0 if start == depth else start for start in starts
            )
            if last == tag:
                break
        if tag not in INLINE_TAGS:
            self._add_text(" ")

    def handle_data(self, data: str) -> None:
        self._add_text(data)

    def _add_text(self, text: str) -> None:
        if self._main_depth and not self._skipped_depth:
            builder = self._builders[-1]
            (builder.heading if self._heading_depth else builder.text).append(text)


def _join_text(parts: Iterable[str]) -> str:
    return " ".join("".join(parts).split())


def build_search_files(
    pages: Iterable[tuple[Page, FinishedPage | None]],
    assets: Assets,
    store: CacheStore,
    folder: str = "",
) -> list[Artifact]:
    """
    Build the files of the search: the library, the text of the pages, and the script that names both.

    `pages` has each page with its HTML; the passages of unchanged pages are taken from `store`. `folder` is that
    of the language of the pages.
    """
    titles: list[tuple[str, str]] = []
    records: list[tuple[int, str, str, str]] = []
    for page, finished in pages:
        if finished is None or page.kind == "404":
            continue
        titles.append((page.path.lstrip("/"), page.title))
        page_passages = _cached_passages(finished, store, split=page.kind != "publication")
        records += [
            (len(titles) - 1, passage.anchor, passage.heading, passage.text) for passage in page_passages
        ]
    body = f"tenureSearch.pages={_to_javascript(titles)};\ntenureSearch.records={_to_javascript(records)};\n".encode()
    digest = hashlib.blake2b(body, digest_size=5).hexdigest()
    text_file = Artifact(f"{folder}assets/search-pages.{digest}.js", body)
    library_file = next(file for file in assets.files if file.path == assets.output_paths[SEARCH_LIBRARY])
    library_name = library_file.path.rpartition("/")[2]
    names = {
        "library": f"../../assets/{library_name}" if folder else library_name,
        "pages": text_file.path.rpartition("/")[2],
    }
    script = assets.output_paths[SEARCH_SCRIPT]
    moved_files = [
        replace(file, path=script) for file in assets.files if folder and f"{folder}{file.path}" == script
    ]
    return [
        library_file,
        text_file,
        *moved_files,
        Artifact(f"{folder}{LOADER_FILE}", f"tenureSearch.files={_to_javascript(names)};\n".encode()),
    ]


def _cached_passages(finished: FinishedPage, store: CacheStore, *, split: bool) -> tuple[Passage, ...]:
    html = finished.artifact.read()
    return store.call("search", None, (html, split), lambda: extract_passages(html.decode(), split=split))


def _to_javascript(value: object) -> str:
    """A value as JavaScript; JSON is a subset of it (ECMAScript 2019, 25.5)."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
