"""Quarto websites and books: _quarto.yml, pages, notebooks, listings of folders and of YAML files."""

import json
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from tenure.markdown.html import make_slug
from tenure.record import replace
from tenure_import.engine import PAGE_ALIASES, Document, Import, System, keep_keys, place_url
from tenure_import.jekyll import read_shown_bib_files
from tenure_import.owner import find_name_in_titles
from tenure_import.publications import list_authors
from tenure_import.source import (
    Data,
    Entry,
    get_entries,
    get_items,
    get_mapping,
    get_text,
    split_front_matter,
)
from tenure_import.text import normalize_url

PLACES: Sequence[tuple[str, str]] = (
    (r"(?:.*/)?_.*|(?:.*/)?(?:README|LICENSE|CHANGELOG|CONTRIBUTING|404)\..*|.*\.html\.md", "-"),
    (r"index\.(?:qmd|md|rmd|Rmd|ipynb)", "about"),
    (r".*\.(?:qmd|Rmd|rmd|ipynb|md)", "pages"),
)

LAYOUT_KEYS = frozenset(
    """
    format execute toc-depth toc-location toc-title number-sections editor page-layout title-block-banner code-fold code-
    tools code-overflow freeze jupyter engine knitr css theme draft-mode csl link-citations nocite citation search image-
    alt lightbox fig-cap-location title-block-style date-modified listing feed website params google-scholar filters
    title-block-categories editor_options body-classes anchor-sections resources include-in-header pagetitle reference-
    location smooth-scroll license about kernelspec include-before-body include-after-body number-depth embed-resources
    mainfont date-meta other-links code-links open-graph twitter-card preview crossref
""".split()
)
"""Keys that choose a layout or the computation, and those that the import reads itself."""

KEYS: Mapping[str, Mapping[str, str]] = {
    "*": {"path": "url", "categories": "tags", "subtitle": "summary"},
    "pages": {"description": "summary", "date": ""},
    "projects": {"description": "tagline"},
    "talks": {"subtitle": "event", "location": "place"},
    "publications": {
        "authors": "author", "journal": "venue", "journal-title": "venue", "publication": "venue", "container-title": "venue", "conference": "venue",
        "issue": "number", "path": "url", "categories": "tags", "description": "abstract", "pdf-url": "pdf", "publisher": "venue", "page": "pages",
        "citation-type": "type", "external-url": "url",
    },
}  # fmt: skip
PAPER_LISTS = re.compile(r"(?:^|-)(?:papers?|publications?|preprints?|research)$")
"""Names of folders and pages with publications: "working-papers"."""

FOLDER_LISTS = ("talks", "teaching", "projects", "posts", "news")
"""The lists to which a folder of their name belongs, also without a listing."""

VENUE_KEYS = frozenset(
    ["journal", "journal-title", "publication", "venue", "container-title", "booktitle", "conference", "journaltitle", "doi"]
)  # fmt: skip

CODE_CELL = re.compile(
    r"^(?P<fence>`{3,})[ \t]*\{(?P<language>[^}\n]*)\}[ \t]*\n(?P<code>.*?)(?:^(?P=fence)[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
CELL_OPTION = re.compile(r"^(?:#|//|%)\|.*\n?", re.MULTILINE)
HIDDEN_DIV = re.compile(r"\.(?:hidden|notes)\b|content-hidden(?!.*pdf)|content-visible.*(?:pdf|latex|typst)")
"""A fenced div that a page in HTML does not show: {.content-visible when-format="pdf"}."""

DIV_LINE = re.compile(r"^\s*:{3,}\s*(.*?)\s*:*\s*$")


def read_config(run: Import) -> None:
    """Address, language, owner and menu of _quarto.yml."""
    config = run.source.data("_quarto.yml", "_quarto.yaml")
    website = get_mapping(config, "website") or get_mapping(config, "book")
    run.set_site(get_text(website, "site-url"), get_text(config, "lang"), get_text(website, "description"))
    run.owner_candidates = [get_text(website, "title")]
    output = get_text(get_mapping(config, "project"), "output-dir").strip("./")
    run.documents = [d for d in run.documents if not (output and d.name.startswith(f"{output}/"))]
    for bar in (entry for name in ("navbar", "sidebar") for entry in get_entries(website, name)):
        rows = [row for key in ("left", "right", "contents") for row in _list_menu(get_items(bar, key))]
        for title, address in rows if not run.menu or "left" in bar else ():
            _add_menu_item(run, title, address)


def _list_menu(items: Sequence[Data]) -> Iterator[tuple[str, str]]:
    for item in items:
        url = item if isinstance(item, str) else get_text(item, "href", "file", "url")
        if url:
            yield get_text(item, "text") or get_text(item, "icon"), url
        yield from _list_menu(
            [*get_items(item, "menu"), *get_items(item, "contents")] if isinstance(item, dict) else []
        )


def _add_menu_item(run: Import, title: str, url: str) -> None:
    if "://" in url:
        if not re.search(r"/issues/?$|quarto\.org", url):
            run.add_link(url, "" if title.islower() else title)
    elif url.endswith(".pdf"):
        run.add_link(url, title or "CV")
    else:
        document = next((d for d in run.documents if d.name == url.lstrip("/")), None)
        run.menu.append(
            (title or (get_text(document.front, "title") if document else ""), f"/{url.lstrip('/')}")
        )


def read_documents(run: Import) -> None:
    """Notebooks as text, the metadata of folders, drafts; the list of each document from the listings of the pages."""
    folders, pages = _read_listings(run)
    documents: list[Document] = []
    for document in run.documents:
        path = PurePosixPath(document.name)
        front, body = document.front, document.body
        if path.suffix == ".ipynb":
            front, body = split_front_matter(read_notebook(run.source.text(document.name)))
        for parent in path.parents:
            front = {
                **get_mapping(run.source.data(f"{parent}/_metadata.yml", f"{parent}/_metadata.yaml")),
                **front,
            }
        if get_text(front, "draft") == "true":
            run.note(document.name, "a draft, which the old site does not show")
            continue
        citation = get_mapping(front, "citation")
        if get_text(citation, "type") and not re.match(r"post|webpage", get_text(citation, "type")):
            keys = ("container-title", "publisher", "doi", "url", "volume", "issue", "page", "issued")
            front = {**keep_keys(citation, *keys), "citation-type": citation["type"], **front}
        target = document.list
        if target == "pages" and document.name not in pages:
            target = _find_document_list(path, front, body, folders)
        if target == "publications" and not _has_authors(front) and not body.strip():
            run.note(document.name, "a publication without authors and without a text")
            continue
        stem = (
            make_slug(path.parent.name if path.stem == "index" and path.parent.name else path.stem) or "page"
        )
        url = place_url(target, stem, body)
        own_text = re.sub(r"^#.*$|:{3,}.*$", "", body, flags=re.MULTILINE)
        if target == "pages" and document.name in pages and not re.search(r"\w{4}", own_text):
            target, url = "-", f"/{pages[document.name]}/"  # a page that only shows a list
        old = f"/{path.with_suffix('.html')}"
        for address in (old, document.name):
            run.urls[normalize_url(address)] = url
        body = convert_quarto(body, run, document.name)
        old_urls = (old,) if target != "about" else ()
        documents.append(replace(document, list=target, front=front, body=body, url=url, old_urls=old_urls))
    run.documents = documents


def _find_document_list(path: PurePosixPath, front: Entry, body: str, folders: Mapping[str, str]) -> str:
    """The list of a document: that of its listed folder, or of a folder with the name of a list; else "pages"."""
    is_index = path.stem == "index"
    if is_index and str(path.parent) in folders:
        return "pages"
    target = next((folders[str(parent)] for parent in path.parents if str(parent) in folders), "")
    if not target and len(path.parts) > (2 if is_index else 1):
        target = _find_named_list(path.parts[0])
        target = target if target in FOLDER_LISTS else ""
    if target == "posts" and is_publication(front):
        target = "publications"
    return (
        "pages"
        if target == "publications" and not _has_authors(front) and body.strip()
        else target or "pages"
    )


def _has_authors(front: Entry) -> bool:
    return bool(list_authors(front.get("author", front.get("authors", ""))) or get_text(front, "doi"))


def is_publication(data: Entry) -> bool:
    """Whether a mapping has authors, and a key that only publications have."""
    return bool(data.get("author") or data.get("authors")) and not VENUE_KEYS.isdisjoint(data)


def _read_listings(run: Import) -> tuple[dict[str, str], dict[str, str]]:
    """The list of each folder that a page lists, and of each page with a listing; the entries of YAML files are added."""
    folders: dict[str, str] = {}
    pages: dict[str, str] = {}
    for document in run.documents:
        base = PurePosixPath(document.name).parent
        for listing in get_items(document.front, "listing"):
            contents = get_items(listing, "contents") or ([] if isinstance(listing, dict) else [listing])
            for content in contents or ["."]:
                path = posixpath.normpath(f"{base}/{content}") if isinstance(content, str) else ""
                names = (PurePosixPath(document.name).stem, PurePosixPath(path).stem, base.name)
                target = next(filter(None, map(_find_named_list, names)), "")
                is_data = path.endswith((".yml", ".yaml"))
                for item in get_entries(run.source.data(path)) if is_data else get_entries([content]):
                    pages.setdefault(document.name, _add_listed_entry(run, target, document.name, item, path))
                folder = re.sub(r"/?[^/]*[*?{\[].*|/[^/]*\.\w+$", "", path).strip("/.")
                if folder and not is_data:
                    folders.setdefault(folder, target or "posts")
                    pages.setdefault(document.name, folders[folder])
    return folders, pages


def _find_named_list(name: str) -> str:
    """The list with a name, or "publications" for a name such as "working-papers"; "" if there is none."""
    slug = make_slug(name)
    target = "publications" if PAPER_LISTS.search(slug) else PAGE_ALIASES.get(slug, slug)
    return target if target in (*FOLDER_LISTS, "publications", "awards", "service") else ""


def _add_listed_entry(run: Import, target: str, page: str, item: Entry, path: str) -> str:
    """Add an item of a listing: a publication, or an entry of the list that the page or the file names. Returns the list."""
    is_paper = is_publication(item) or (target == "publications" and ("author" in item or "authors" in item))
    if get_text(item, "title") and is_paper:
        run.add_publication(item, "", path or page)
        return "publications"
    target = "more" if target in ("publications", "") else target
    title = make_slug(PurePosixPath(page).stem).capitalize()
    run.add_entry(target, title, run.entry(target, item, path or page))
    return target


def read_home(run: Import) -> None:
    """The person of the page with `about`: name, portrait and links."""
    home = next((document for document in run.documents if document.list == "about"), None)
    own_titles = [get_text(home.front, "author", "title", "pagetitle")] if home else []
    run.profile["name"] = find_name_in_titles([*run.owner_candidates, *own_titles]) or run.owner_candidates[0]
    if home and get_text(home.front, "subtitle"):
        run.profile["role"] = run.line(get_text(home.front, "subtitle"), home.name)
    for document in [document for document in run.documents if get_mapping(document.front, "about")]:
        about = get_mapping(document.front, "about")
        folder = str(PurePosixPath(document.name).parent).removeprefix(".")
        image = get_text(document.front, "image") or get_text(about, "image")
        if image and "photo" not in run.profile and "://" not in image:
            run.profile["photo"] = run.copy(image, folder) or run.copy_first(image, f"images/{image}")
        for link in get_entries(about, "links"):
            label = re.sub(r"\{\{<.*?>\}\}", "", get_text(link, "text", "aria-label")).strip()
            run.add_link(get_text(link, "href", "url"), label or get_text(link, "icon").replace("-", " "))
        if document.list == "pages" and not document.body.strip():
            run.documents.remove(document)
    if home and not get_items(home.front, "listing"):
        heading = re.match(r"\s*# +([^\n#{]+?)[ \t]*(?:\{[^}\n]*\})?[ \t]*(?:\n|\Z)", home.body)
        if heading and heading[1].strip() == run.profile["name"]:
            run.documents[run.documents.index(home)] = replace(home, body=home.body[heading.end() :])


def read_notebook(source: str) -> str:
    """The cells of a notebook as Markdown with code blocks; "" if the text is no notebook. Outputs are left out."""
    try:
        data = json.loads(source)
    except (ValueError, RecursionError):
        return ""
    cells = data.get("cells") if isinstance(data, dict) else None
    texts: list[str] = []
    for cell in cells if isinstance(cells, list) else ():
        lines = cell.get("source") if isinstance(cell, dict) else ""
        text = "".join(
            line for line in (lines if isinstance(lines, list) else [lines]) if isinstance(line, str)
        ).strip("\n")
        is_code = isinstance(cell, dict) and cell.get("cell_type") == "code"
        texts.append(f"```python\n{text}\n```" if is_code and text else text)
    return "\n\n".join(filter(None, texts))


def convert_quarto(text: str, run: Import, place: str) -> str:
    """Code cells, divs, footnotes and marks of Pandoc as Markdown: "::: {.callout-tip}" -> "> [!TIP]"."""

    def convert_cell(match: re.Match[str]) -> str:
        language, code = match["language"].strip(), match["code"]
        if language.startswith("="):
            return code if language == "=html" else ""
        options = " ".join([language, *CELL_OPTION.findall(code)])
        if re.search(r"\b(?:echo|include)\s*[:=]\s*(?:false|F\b)", options, re.IGNORECASE):
            run.note(place, "a hidden code cell, whose result Quarto computes")
            return ""
        name = re.split(r"[\s,]", language.lstrip("."))[0]
        shown = CELL_OPTION.sub("", code).rstrip("\n")
        return f"{match['fence']}{name}\n{shown}\n{match['fence']}"

    text = CODE_CELL.sub(convert_cell, text)
    text = re.sub(r"^#{1,6}[ \t][^\n]*\n+(?=:{3,}[ \t]*\{[ \t]*#refs)", "", text, flags=re.MULTILINE)
    text = _convert_divs(text)
    text = re.sub(r"(?<![!\]])\[([^\[\]]*)\]\{(?:\.|[\w-]+=)[^{}]*\}", r"\1", text)
    text = re.sub(r"\s*\{#(?:fig|tbl|eq|sec)-[\w-]+[^{}\n]*\}", "", text)
    return re.sub(
        r"(?<![\w.@\\])\[?@(?:fig|tbl|eq|sec)-([\w-]+)\]?", lambda match: match[1].replace("-", " "), text
    )


def _convert_divs(text: str) -> str:
    """The text without the lines of fenced divs: callouts become quotations, hidden divs are left out."""
    lines: list[str] = []
    divs: list[str] = []
    is_code = False
    for line in text.split("\n"):
        is_code = is_code != bool(re.match(r"\s*(?:```|~~~)", line))
        match = None if is_code else DIV_LINE.match(line)
        if match is None:
            if not any(map(HIDDEN_DIV.search, divs)):
                prefix = "> " * sum("callout" in div for div in divs)
                lines.append(f"{prefix}{line}".rstrip() if prefix else line)
        elif match[1]:
            divs.append(match[1])
            callout = re.search(r"callout-(\w+)", match[1])
            kind = (
                callout[1] if callout and callout[1] in ("tip", "important", "warning", "caution") else "note"
            )
            title = re.search(r"title=\"([^\"]*)\"", match[1])
            lines += (
                ["", f"> [!{kind.upper()}]", *([f"> **{title[1]}**", ">"] if title else [])]
                if callout
                else [""]
            )
        elif divs:
            divs.pop()
            lines.append("")
    return "\n".join(lines)


QUARTO = System(
    "Quarto",
    PLACES,
    KEYS,
    LAYOUT_KEYS,
    assets=("", "images", "img", "files", "assets"),
    steps=(read_config, read_documents, read_home, read_shown_bib_files),
    noise=r"(?:.*/)?_|docs/|renv|.*\.(?:scss|css|js|lua|R|Rproj|lock|toml|csl|sh|ejs|html|json|ico|tex)$|(?:.*/)?(?:README|LICENSE)|CNAME|Makefile|DESCRIPTION|favicon|social-card",
)
