"""The search index of a site: the text of every page, as scripts that load when a reader opens the search."""

import hashlib
import html
import re
from collections.abc import Iterable
from functools import partial

from tenure.cache.store import CacheStore
from tenure.html.assets import Assets
from tenure.html.links import EXTERNAL_URL, FinishedPage
from tenure.markdown.html_tags import VOID_ELEMENTS, split_text
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

SKIPPED_TAGS = ("nav", "form", "script", "style", "button", "template", "svg", "select", "h1")
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


_MAIN = re.compile(r"<main\b[^>]*>(.*)</main>", re.DOTALL)
_TAG = re.compile(r"<(/?)([\w-]+)")
_CLASS = re.compile(r'\sclass="([^"]*)"')
_ID = re.compile(r'\sid="([^"]+)"')
_HREF = re.compile(r'\shref="([^"]*)"')


def extract_passages(markup: str, *, split: bool = True) -> tuple[Passage, ...]:
    """
    The passages in the <main> of a finished page; those with neither heading nor text are omitted.

    Without `split` the page is one passage. A publication in a list is omitted if it links to its own page.
    """
    # an anchor, the parts of the heading, and the parts of the text
    passages: list[tuple[str, list[str], list[str]]] = [("", [], [])]
    target = passages[0][2]
    open_tags: list[str] = []
    skipped = heading = publication = 0  # the number of open tags with this element, or 0 outside of it
    length_before_publication = 0
    main = _MAIN.search(markup)
    parts = [*split_text(main[1] if main else "", *SKIPPED_TAGS), ""]
    for text, tag in zip(parts[::2], parts[1::2], strict=True):
        if not skipped:
            target.append(text)
        match = _TAG.match(tag)
        if match is None:
            continue
        end_sign, name = match[1], match[2].lower()
        if end_sign:
            if name not in open_tags:
                continue
            while open_tags.pop() != name:
                pass
            depth = len(open_tags)
            skipped, publication = (level if level <= depth else 0 for level in (skipped, publication))
            if heading > depth:
                heading, target = 0, passages[-1][2]
        elif name not in SKIPPED_TAGS and name not in VOID_ELEMENTS and tag[-2] != "/":
            open_tags.append(name)
            depth = len(open_tags)
            classes = _CLASS.search(tag)
            class_names = classes[1].split() if classes else []
            if skipped:
                continue
            if not SKIPPED_CLASSES.isdisjoint(class_names):
                skipped = depth
            elif not split:
                pass
            elif publication:
                href = _HREF.search(tag)
                is_in_heading = any(inner.startswith("h") for inner in open_tags[publication - 1 :])
                if name == "a" and is_in_heading and not (href and EXTERNAL_URL.match(href[1])):
                    skipped = publication
                    del passages[-1][2][length_before_publication:]
            elif "pub" in class_names:
                publication, length_before_publication = depth, len(passages[-1][2])
            elif name in HEADING_TAGS and (anchor := _ID.search(tag)):
                passages.append((html.unescape(anchor[1]), [], []))
                heading, target = depth, passages[-1][1]
        if not skipped and name not in INLINE_TAGS:
            target.append(" ")
    texts = (
        (anchor, *(" ".join(html.unescape("".join(part)).split()) for part in parts))
        for anchor, *parts in passages
    )
    return tuple((anchor, heading, text) for anchor, heading, text in texts if heading or text)


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
