"""The search index of a site: the text of every page, as scripts that load when a reader opens the search."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from html.parser import HTMLParser

from tenure.frozen import dataclass
from tenure.memo import Memo
from tenure.output import Artifact
from tenure.web.assets import Assets
from tenure.web.finish import ELSEWHERE, Finished
from tenure.web.pages import Page

LIBRARY = "minisearch.js"
"""The asset that ranks the pages, MiniSearch (docs/decisions.md)."""

FILES = "assets/search-index.js"
"""
The script that names the two others, which have digests in their names.

It has a fixed name, so that a page need not change when the text of another page changes.
"""

VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
"""Elements without an end tag (HTML, 13.1.2)."""

SKIPPED_TAGS = frozenset(("nav", "form", "script", "style", "button", "template", "svg", "select"))
SKIPPED_CLASSES = frozenset(
    ("bib", "crumb", "downloads", "facts", "filter", "jump", "links", "pub-n", "thumbnail", "toc", "Z3988")
)
"""Parts of a page that are not its text: navigation, forms, rows of links, BibTeX to copy."""

HEADINGS = frozenset(("h2", "h3", "h4", "h5", "h6"))
INLINE = frozenset(
    (
        "a",
        "abbr",
        "b",
        "bdi",
        "cite",
        "code",
        "em",
        "i",
        "kbd",
        "mark",
        "math",
        "mi",
        "mn",
        "mo",
        "q",
        "s",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
    )
)
"""Elements inside a word or a line."""


@dataclass(frozen=True, slots=True)
class Passage:
    """The text of a page from one heading to the next, with the anchor and text of the heading; "" before the first."""

    anchor: str
    heading: str
    text: str


def passages(html: str, *, split: bool = True) -> tuple[Passage, ...]:
    """
    The passages in the <main> of a page; those with neither heading nor text are omitted.

    Without `split` the page is one passage. A publication in a list is omitted if it links to its own page.
    """
    reader = _Reader(split=split)
    reader.feed(html)
    reader.close()
    return reader.passages()


class _Passage:
    """A passage while its page is being read."""

    def __init__(self, anchor: str) -> None:
        self.anchor = anchor
        self.heading: list[str] = []
        self.text: list[str] = []


class _Reader(HTMLParser):
    """Collects the passages of one page."""

    def __init__(self, *, split: bool) -> None:
        super().__init__()
        self._split = split
        self._open: list[str] = []
        self._main = 0
        self._skipped = 0
        """The depth of the open element that is skipped, or 0."""
        self._heading = 0
        self._publication = 0
        self._before_publication = 0
        self._found = [_Passage("")]

    def passages(self) -> tuple[Passage, ...]:
        """The passages read so far."""
        made = (Passage(p.anchor, _joined(p.heading), _joined(p.text)) for p in self._found)
        return tuple(passage for passage in made if passage.heading or passage.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            self._add(" ")
            return
        self._open.append(tag)
        depth = len(self._open)
        if tag == "main" and not self._main:
            self._main = depth
        if not self._main or self._skipped:
            return
        values = {name: value or "" for name, value in attrs}
        classes = set(values.get("class", "").split())
        if tag in SKIPPED_TAGS or classes & SKIPPED_CLASSES or tag == "h1":
            self._skipped = depth
        elif "pub" in classes and self._split and not self._publication:
            self._publication, self._before_publication = depth, len(self._found[-1].text)
        elif self._publication and tag == "a" and self._is_own_page(values.get("href", "")):
            self._skipped = self._publication
            del self._found[-1].text[self._before_publication :]
        elif tag in HEADINGS and values.get("id") and self._split and not self._publication:
            self._found.append(_Passage(values["id"]))
            self._heading = depth
        if tag not in INLINE:
            self._add(" ")

    def _is_own_page(self, address: str) -> bool:
        """Whether the title of the publication being read links to a page of this site."""
        return "h" in {name[:1] for name in self._open[self._publication :]} and not ELSEWHERE.match(address)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self._open:
            return
        while self._open:
            depth, last = len(self._open), self._open.pop()
            self._main, self._skipped, self._heading, self._publication = (
                0 if start == depth else start
                for start in (self._main, self._skipped, self._heading, self._publication)
            )
            if last == tag:
                break
        if tag not in INLINE:
            self._add(" ")

    def handle_data(self, data: str) -> None:
        self._add(data)

    def _add(self, words: str) -> None:
        if self._main and not self._skipped:
            passage = self._found[-1]
            (passage.heading if self._heading else passage.text).append(words)


def _joined(parts: Iterable[str]) -> str:
    return " ".join("".join(parts).split())


def search_files(
    pages: Sequence[Page], served: Sequence[Finished | None], assets: Assets, memo: Memo
) -> list[Artifact]:
    """
    Build the files of the search: the library, the text of the pages, and the script that names both.

    `finished_pages` has the HTML of each of `pages`; the passages of unchanged pages are taken from `cache`.
    """
    titles: list[tuple[str, str]] = []
    records: list[tuple[int, str, str, str]] = []
    for page, finished in zip(pages, served, strict=True):
        if finished is None or page.kind == "404":
            continue
        titles.append((page.path.lstrip("/"), page.title))
        found = _kept_passages(finished, memo, split=page.kind != "publication")
        records += [(len(titles) - 1, one.anchor, one.heading, one.text) for one in found]
    body = f"tenureSearch.pages={_script(titles)};\ntenureSearch.records={_script(records)};\n".encode()
    digest = hashlib.blake2b(body, digest_size=5).hexdigest()
    text = Artifact(f"assets/search-pages.{digest}.js", body)
    library = next(file for file in assets.files if file.path == assets.paths[LIBRARY])
    names = {"library": library.path.rpartition("/")[2], "pages": text.path.rpartition("/")[2]}
    return [library, text, Artifact(FILES, f"tenureSearch.files={_script(names)};\n".encode())]


def _kept_passages(finished: Finished, memo: Memo, *, split: bool) -> tuple[Passage, ...]:
    html = finished.artifact.read()
    key = f"search-{split}-{hashlib.blake2b(html, digest_size=16).hexdigest()}"
    known = memo.get(key)
    if known is not None:
        return tuple(Passage(*fields) for fields in json.loads(known))
    read = passages(html.decode(), split=split)
    memo.put(key, _script([(p.anchor, p.heading, p.text) for p in read]).encode())
    return read


def _script(value: object) -> str:
    """A value as JavaScript; JSON is a subset of it (ECMAScript 2019, 25.5)."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
