"""The search index of a site: the text of every page, as scripts that load when a reader opens the search."""

import hashlib
from collections.abc import Iterable, Mapping
from functools import partial
from html.parser import HTMLParser

from tenure.cache.store import CacheStore
from tenure.html.assets import Assets
from tenure.html.links import EXTERNAL_URL, FinishedPage
from tenure.markdown.html_tags import VOID_ELEMENTS
from tenure.plan.pages import Page
from tenure.publish import Artifact
from tenure.record import encode_json, replace

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


Passage = tuple[str, str, str]
"""The anchor and text of a heading, and the text from it to the next one; before the first, both are ""."""


def extract_passages(html: str, *, split: bool = True) -> tuple[Passage, ...]:
    """
    The passages in the <main> of a page; those with neither heading nor text are omitted.

    Without `split` the page is one passage. A publication in a list is omitted if it links to its own page.
    """
    reader = _PassageReader(split=split)
    reader.feed(html)
    reader.close()
    texts = (
        (anchor, *(" ".join("".join(part).split()) for part in parts)) for anchor, *parts in reader.passages
    )
    return tuple((anchor, heading, text) for anchor, heading, text in texts if heading or text)


class _PassageReader(HTMLParser):
    def __init__(self, *, split: bool) -> None:
        super().__init__()
        self.passages: list[tuple[str, list[str], list[str]]] = [("", [], [])]
        """The anchor, and the parts of the heading and of the text, of each passage."""
        self._split = split
        self._open_elements: list[tuple[str, str]] = []
        """The tag of each open element, and its role: "main", "heading", "publication", "skipped" or ""."""
        self._length_before_publication = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag not in VOID_ELEMENTS:
            self._open_elements.append((tag, self._find_role(tag, values)))
        if tag not in INLINE_TAGS:
            self.handle_data(" ")

    def _find_role(self, tag: str, attributes: Mapping[str, str]) -> str:
        """The role of an element; the text of a publication that links to its own page is taken back."""
        roles = [role for _, role in self._open_elements]
        classes = set(attributes.get("class", "").split())
        if tag == "main" or "main" not in roles:
            return "main" if tag == "main" else ""
        if tag in SKIPPED_TAGS or classes & SKIPPED_CLASSES or tag == "h1":
            return "skipped"
        if not self._split or "skipped" in roles:
            return ""
        if "publication" in roles:
            depth = roles.index("publication")
            is_in_heading = any(name.startswith("h") for name, _ in self._open_elements[depth:])
            if tag == "a" and is_in_heading and not EXTERNAL_URL.match(attributes.get("href", "")):
                self._open_elements[depth] = (self._open_elements[depth][0], "skipped")
                del self.passages[-1][2][self._length_before_publication :]
        elif "pub" in classes:
            self._length_before_publication = len(self.passages[-1][2])
            return "publication"
        elif tag in HEADING_TAGS and attributes.get("id"):
            self.passages.append((attributes["id"], [], []))
            return "heading"
        return ""

    def handle_endtag(self, tag: str) -> None:
        if any(name == tag for name, _ in self._open_elements):
            while self._open_elements.pop()[0] != tag:
                pass
            if tag not in INLINE_TAGS:
                self.handle_data(" ")

    def handle_data(self, data: str) -> None:
        roles = [role for _, role in self._open_elements if role]
        if "main" in roles and "skipped" not in roles:
            _, heading, text = self.passages[-1]
            (heading if "heading" in roles else text).append(data)


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
        html, split = finished.artifact.read(), page.kind != "publication"
        extract = partial(extract_passages, html.decode(), split=split)
        for passage in store.call("search", None, (html, split), extract):
            records.append((len(titles) - 1, *passage))
    body = (
        f"tenureSearch.pages={encode_json(titles)};\ntenureSearch.records={encode_json(records)};\n".encode()
    )
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
        Artifact(f"{folder}{LOADER_FILE}", f"tenureSearch.files={encode_json(names)};\n".encode()),
    ]
