"""The search index of a site: the text of every page, as scripts that load when a reader opens the search."""

import hashlib
import html
import re
from collections.abc import Iterable
from functools import partial

from tenure.cache.store import CacheStore
from tenure.html.assets import Assets
from tenure.html.urls import FinishedPage, escape_addresses
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

Passage = tuple[str, str, str]
"""The anchor and text of a heading, and the text from it to the next one; before the first, both are ""."""

_MAIN = re.compile(r"<main\b[^>]*>(.*)</main>", re.DOTALL)
"""The part of a page that is searched: without the menu and the footer."""

_NO_TEXT = re.compile(
    r"""
      <(?P<tag>nav|form|script|style|button|template|svg|select|h1)\b.*?</(?P=tag)>
    | <(?P<element>\w+)\b[^<>]*\sclass="(?:[^"]*\s)?
      (?:bib|crumb|downloads|facts|filter|jump|links|pub-n|toc)(?:\s[^"]*)?"[^>]*>.*?</(?P=element)>
    """,
    re.VERBOSE | re.DOTALL,
)
"""Parts of a page that are not its text: navigation, forms, rows of links, BibTeX to copy."""


_LISTED_PUBLICATION = re.compile(
    r"""
    <(?P<element>\w+)\b[^<>]*\sclass="(?:[^"]*\s)?pub(?:\s[^"]*)?"[^>]*>(?:(?!</(?P=element)>).)*?
    <h\d\b[^>]*>(?:<[^a][^>]*>)*<a\b[^>]*\shref="(?![a-zA-Z][a-zA-Z0-9+.-]*:|//).*?</(?P=element)>
    """,
    re.VERBOSE | re.DOTALL,
)
"""A publication in a list whose heading links to its own page: `<li class="pub">…<h3><a href="dai2024/">`."""

_HEADING = re.compile(r'<h[2-6]\b[^>]*\sid="([^"]+)"[^>]*>(.*?)</h[2-6]>', re.DOTALL)
"""<h2 class="a" id="aim">The aim</h2> -> "aim" and "The aim"."""

_INLINE_TAG = re.compile(
    r"""
    </?(?:a|abbr|b|bdi|cite|code|em|i|kbd|mark|math|mi|mn|mo|q|s|small|span|strong|su[bp])(?![\w-])[^>]*>
    | <!--.*?-->
    """,
    re.VERBOSE,
)
"""A tag inside a word or a line; any other one is a space."""


def extract_passages(markup: str, *, split: bool = True) -> tuple[Passage, ...]:
    """
    The passages in the <main> of a finished page; those with neither heading nor text are omitted.

    Without `split` the page is one passage. A publication in a list is omitted if it links to its own page.
    """
    main = _MAIN.search(markup)
    text = _NO_TEXT.sub(" ", main[1] if main else "")
    pieces = [text]
    if split:
        pieces = _HEADING.split(_LISTED_PUBLICATION.sub(" ", text))

    # a text, and an anchor, a heading and a text for each heading
    first, *rest = pieces
    parts = [("", "", first), *zip(rest[::3], rest[1::3], rest[2::3], strict=True)]
    passages = ((html.unescape(anchor), _read_text(title), _read_text(part)) for anchor, title, part in parts)
    return tuple(passage for passage in passages if passage[1] or passage[2])


def _read_text(markup: str) -> str:
    r"""The text of some HTML in one line: "<b>A</b>\n title" -> "A title"."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", _INLINE_TAG.sub("", markup))).split())


def build_search_files(
    pages: Iterable[tuple[Page, FinishedPage | None]],
    assets: Assets,
    store: CacheStore,
    folder: str = "",
) -> list[Artifact]:
    """
    Build the files of the search: the library, the text of the pages, and the script that names both.

    `pages` has each page with its HTML, or None if its template has an error; the passages of unchanged pages
    are taken from `store`. `folder` is that of the language of the pages, to which `Assets.move_file` must
    have moved the script that searches. The page of missing addresses cannot be found.
    """
    # the path and title of each page, and its passages: the number of the page, anchor, heading, text
    titles: list[tuple[str, str]] = []
    records: list[tuple[int, str, str, str]] = []
    for page, finished in pages:
        if finished is None or page.kind == "404":
            continue
        titles.append((page.path.lstrip("/"), page.title))
        body = finished.artifact.read()
        # a reader who looks for a publication wants its page, not a heading of it
        split = page.kind != "publication"
        extract = partial(extract_passages, body.decode(), split=split)
        # None: the passages are valid for one version of the program
        for passage in store.call("search", None, (body, split), extract):
            records.append((len(titles) - 1, *passage))

    script = f"tenureSearch.pages={encode_json(titles)};\ntenureSearch.records={encode_json(records)};\n"
    body = escape_addresses(script).encode()
    digest = hashlib.blake2b(body, digest_size=5).hexdigest()
    text_file = Artifact(f"{folder}assets/search-pages.{digest}.js", body)
    library_file = next(file for file in assets.files if file.path == assets.output_paths[SEARCH_LIBRARY])
    library_name = library_file.path.rpartition("/")[2]
    # as seen from the loader: assets/search-index.js, or de/assets/search-index.js
    names = {
        "library": f"../../assets/{library_name}" if folder else library_name,
        "pages": text_file.path.rpartition("/")[2],
    }
    loader = f"tenureSearch.files={encode_json(names)};\n"
    files = [library_file, text_file, Artifact(f"{folder}{LOADER_FILE}", loader.encode())]

    # the library is the same for all languages; the script that searches is in the folder of each
    if folder:
        search_path = assets.output_paths[SEARCH_SCRIPT]
        scripts = (file for file in assets.files if f"{folder}{file.path}" == search_path)
        files += [replace(file, path=search_path) for file in scripts]
    return files
