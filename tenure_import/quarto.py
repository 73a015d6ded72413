"""
Quarto websites and books.

A page, a notebook or a post is a `Document`. Its list is that of the listing that shows it:
a page may list a folder, or the entries of a YAML file. Code cells, divs and marks of Pandoc become Markdown.
"""

import json
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from tenure.markdown.html import make_slug
from tenure.record import replace
from tenure_import.imported_document import PAGE_ALIASES, Document, find_folder, place_url
from tenure_import.importer import Import, System
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
    keep_keys,
    split_front_matter,
)
from tenure_import.text import normalize_url

PLACES: Sequence[tuple[str, str]] = (
    (r"(?:.*/)?_.*|(?:.*/)?(?:README|LICENSE|CHANGELOG|CONTRIBUTING|404)\..*|.*\.html\.md", "-"),
    (r"index\.(?:qmd|md|rmd|Rmd|ipynb)", "about"),
    (r".*\.(?:qmd|Rmd|rmd|ipynb|md)", "pages"),
)
"""The lists of files; "-" is what Quarto publishes as no page."""

LAYOUT_KEYS = frozenset(
    """
    about alt anchor-sections body-classes citation code-fold code-links code-overflow crossref csl css
    date-meta date-modified draft-mode editor editor_options embed-resources engine execute feed
    fig-cap-location filters format freeze google-scholar include-after-body include-before-body
    include-in-header jupyter kernelspec knitr license lightbox link-citations listing location mainfont
    nocite number-depth number-sections open-graph other-links page-layout pagetitle params preview
    resources search smooth-scroll theme title-block-banner title-block-categories title-block-style
    toc-depth toc-location toc-title tools twitter-card website
    """.split()
)
"""Keys that choose a layout or the computation, and those that the import reads itself."""

KEYS: Mapping[str, Mapping[str, str]] = {
    "*": {"path": "url", "categories": "tags", "subtitle": "summary"},
    "pages": {"description": "summary", "date": ""},
    "projects": {"description": "tagline"},
    "talks": {"subtitle": "event", "location": "place"},
    "publications": {
        "authors": "author",
        "journal": "venue",
        "journal-title": "venue",
        "publication": "venue",
        "container-title": "venue",
        "conference": "venue",
        "issue": "number",
        "path": "url",
        "categories": "tags",
        "description": "abstract",
        "pdf-url": "pdf",
        "publisher": "venue",
        "page": "pages",
        "citation-type": "type",
        "external-url": "url",
    },
}

FOLDER_LISTS = ("talks", "teaching", "projects", "posts", "news")
"""The lists to which a folder of their name belongs, also without a listing."""


def read_config(run: Import) -> None:
    """Address, language, owner and menu of _quarto.yml; the pages that Quarto has made are left out."""
    config = run.source.data("_quarto.yml", "_quarto.yaml")
    website = get_mapping(config, "website") or get_mapping(config, "book")
    run.set_site(get_text(website, "site-url"), get_text(config, "lang"), get_text(website, "description"))
    run.owner_candidates = [get_text(website, "title")]

    # "output-dir: docs" has the old site itself
    output = get_text(get_mapping(config, "project"), "output-dir").strip("./")
    if output:
        run.documents = [d for d in run.documents if not d.name.startswith(f"{output}/")]
    bars = [*get_entries(website, "navbar"), *get_entries(website, "sidebar")]
    for bar in bars:
        # a sidebar is read only if the navbar has no menu
        if run.menu and "left" not in bar:
            continue
        for key in ("left", "right", "contents"):
            for title, address in _list_menu(get_items(bar, key)):
                _add_menu_item(run, title, address)


def _list_menu(items: Sequence[Data]) -> Iterator[tuple[str, str]]:
    """The titles and addresses of a menu, also of the menus in it."""
    for item in items:
        url = item if isinstance(item, str) else get_text(item, "href", "file", "url")
        if url:
            yield get_text(item, "text") or get_text(item, "icon"), url
        if isinstance(item, dict):
            yield from _list_menu([*get_items(item, "menu"), *get_items(item, "contents")])


def _add_menu_item(run: Import, title: str, url: str) -> None:
    """Add an item of a menu: a web address or a PDF is a link of the profile, any other a page."""
    if "://" in url:
        # the link for reporting an issue of the page is not the owner's; "github" is the name of an icon
        if not re.search(r"/issues/?$|quarto\.org", url):
            run.add_link(url, "" if title.islower() else title)
    elif url.endswith(".pdf"):
        run.add_link(url, title or "CV")
    else:
        path = url.lstrip("/")
        titles = (get_text(document.front, "title") for document in run.documents if document.name == path)
        run.menu.append((title or next(titles, ""), f"/{path}"))


def read_documents(run: Import) -> None:
    """Notebooks as text, metadata of folders, drafts; the lists of documents from the listings of pages."""
    folders, pages = _read_listings(run)
    converted = [_convert_document(run, document, folders, pages) for document in run.documents]
    run.documents = [document for document in converted if document is not None]


def _convert_document(
    run: Import, document: Document, folders: Mapping[str, str], pages: Mapping[str, str]
) -> Document | None:
    """A document with its list, its URL and its text in Markdown; None for one that is not shown."""
    front, body = _read_text(run, document)
    if get_text(front, "draft") == "true":
        run.note(document.name, "a draft, which the old site does not show")
        return None
    path = PurePosixPath(document.name)
    target = document.list
    has_listing = document.name in pages
    if target == "pages" and not has_listing:
        target = _find_document_list(path, front, body, folders)
    if target == "publications" and not _has_authors(front) and not body.strip():
        run.note(document.name, "a publication without authors and without a text")
        return None

    name = path.parent.name if path.stem == "index" else path.stem
    url = place_url(target, make_slug(name or path.stem) or "page", body)
    # without headings and fences of divs: "## Talks", "::: {#listing}"
    own_text = re.sub(r"^#.*$|:{3,}.*$", "", body, flags=re.MULTILINE)
    if target == "pages" and has_listing and not re.search(r"\w{4}", own_text):
        # a page that only shows a list
        target = ""
        url = f"/{pages[document.name]}/"
    old = f"/{path.with_suffix('.html')}"
    run.urls |= {normalize_url(old): url, normalize_url(document.name): url}
    body = convert_quarto(body, run, document.name)
    old_urls = () if target == "about" else (old,)
    return replace(document, list=target, front=front, body=body, url=url, old_urls=old_urls)


def _read_text(run: Import, document: Document) -> tuple[Entry, str]:
    """The front matter of a document, with that of its folders and of its citation, and its text."""
    front = document.front
    body = document.body
    path = PurePosixPath(document.name)
    if path.suffix == ".ipynb":
        front, body = split_front_matter(read_notebook(run.source.text(document.name)))
    for parent in path.parents:
        metadata = run.source.data(f"{parent}/_metadata.yml", f"{parent}/_metadata.yaml")
        front = {**get_mapping(metadata), **front}

    citation = get_mapping(front, "citation")
    kind = get_text(citation, "type")
    # "article-journal"; "post-weblog" says how to cite the page itself
    if kind and not re.match(r"post|webpage", kind):
        keys = ("container-title", "publisher", "doi", "url", "volume", "issue", "page", "issued")
        front = {**keep_keys(citation, *keys), "citation-type": citation["type"], **front}
    return front, body


def _find_document_list(path: PurePosixPath, front: Entry, body: str, folders: Mapping[str, str]) -> str:
    """The list of a document: that of its listed folder, or of a folder with its name, or else "pages"."""
    is_index = path.stem == "index"
    target = next((folders[str(parent)] for parent in path.parents if str(parent) in folders), "")
    # talks/proofs.qmd or talks/proofs/index.qmd, where no page lists the folder
    if not target and len(path.parts) > (2 if is_index else 1):
        named = _find_named_list(path.parts[0])
        target = named if named in FOLDER_LISTS else ""
    # a text about publications
    if target == "publications" and not _has_authors(front) and body.strip():
        return "pages"
    return target or "pages"


def _has_authors(front: Entry) -> bool:
    """Whether a document has authors, or a DOI, which says who they are."""
    return bool(list_authors(front.get("author", front.get("authors", ""))) or get_text(front, "doi"))


VENUE_KEYS = frozenset(
    "journal journal-title publication venue container-title booktitle conference journaltitle doi".split()
)


def is_publication(data: Entry) -> bool:
    """Whether a mapping has authors, and a key that only publications have."""
    return bool(data.get("author") or data.get("authors")) and not VENUE_KEYS.isdisjoint(data)


def _read_listings(run: Import) -> tuple[dict[str, str], dict[str, str]]:
    """
    The list of each folder that a page lists, and of each page with a listing.

    The entries of YAML files are added.
    """
    folders: dict[str, str] = {}
    pages: dict[str, str] = {}
    for document in run.documents:
        base = PurePosixPath(document.name).parent
        for content in _list_contents(document.front):
            path = ""
            if isinstance(content, str):
                path = posixpath.normpath(f"{base}/{content}")
            names = (PurePosixPath(document.name).stem, PurePosixPath(path).stem, base.name)
            target = next(filter(None, map(_find_named_list, names)), "")
            is_data = path.endswith((".yml", ".yaml"))
            for item in get_entries(run.source.data(path) if is_data else [content]):
                pages.setdefault(document.name, _add_listed_entry(run, target, document.name, item, path))
            # "talks/*.qmd", "talks/proofs.qmd" -> "talks"
            folder = re.sub(r"/?[^/]*[*?{\[].*|/[^/]*\.\w+$", "", path).strip("/.")
            if folder and not is_data:
                folders.setdefault(folder, target or "posts")
                pages.setdefault(document.name, folders[folder])

    return folders, pages


def _list_contents(front: Entry) -> Iterator[Data]:
    """What the listings of a page show: names of files and folders, and entries."""
    for listing in get_items(front, "listing"):
        contents = get_items(listing, "contents")
        if not contents and not isinstance(listing, dict):
            contents = [listing]
        yield from contents or ["."]


PAPER_LISTS = re.compile(r"(?:^|-)(?:papers?|publications?|preprints?|research)$")
"""Names of folders and pages with publications: "working-papers"."""


def _find_named_list(name: str) -> str:
    """The list with a name, or "publications" for a name such as "working-papers"; "" if there is none."""
    slug = make_slug(name)
    target = "publications" if PAPER_LISTS.search(slug) else PAGE_ALIASES.get(slug, slug)
    return target if target in (*FOLDER_LISTS, "publications", "awards", "service") else ""


def _add_listed_entry(run: Import, target: str, page: str, item: Entry, path: str) -> str:
    """
    Add an item of a listing, and return its list.

    It is a publication, or an entry of the list that the page or the file names.
    """
    has_authors = "author" in item or "authors" in item
    is_paper = is_publication(item) or (target == "publications" and has_authors)
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
    titles = [*run.owner_candidates]
    if home:
        titles.append(get_text(home.front, "author", "title", "pagetitle"))
    name = find_name_in_titles(titles) or titles[0]
    run.profile["name"] = name
    if home and (subtitle := get_text(home.front, "subtitle")):
        run.profile["role"] = run.line(subtitle, home.name)

    for document in run.documents:
        if get_mapping(document.front, "about"):
            _read_about(run, document)


def _read_about(run: Import, document: Document) -> None:
    """The portrait and the links of a page with `about`."""
    about = get_mapping(document.front, "about")
    image = get_text(document.front, "image") or get_text(about, "image")
    if image and "photo" not in run.profile and "://" not in image:
        copied = run.copy(image, find_folder(document.name))
        run.profile["photo"] = copied or run.copy_first(image, f"images/{image}")
    for link in get_entries(about, "links"):
        # "{{< fa envelope >}} E-mail" -> "E-mail"
        label = re.sub(r"\{\{<.*?>\}\}", "", get_text(link, "text", "aria-label")).strip()
        run.add_link(get_text(link, "href", "url"), label or get_text(link, "icon").replace("-", " "))


def read_notebook(source: str) -> str:
    """The cells of a notebook as Markdown, without outputs; "" if the text is no notebook."""
    try:
        data = json.loads(source)
    except (ValueError, RecursionError):
        return ""

    # {"cells": [{"cell_type": "markdown", "source": ["# Looms\\n", "A text."]}]}
    cells = data.get("cells") if isinstance(data, dict) else None
    texts: list[str] = []
    if not isinstance(cells, list):
        return ""
    for cell in cells:
        if not isinstance(cell, dict):
            continue
        lines = cell.get("source")
        lines = lines if isinstance(lines, list) else [lines]
        text = "".join(line for line in lines if isinstance(line, str)).strip("\n")
        is_code = cell.get("cell_type") == "code"
        texts.append(f"```python\n{text}\n```" if is_code and text else text)
    return "\n\n".join(filter(None, texts))


CODE_CELL = re.compile(
    r"^(?P<fence>`{3,})[ \t]*\{(?P<language>[^}\n]*)\}[ \t]*\n(?P<code>.*?)(?:^(?P=fence)[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
"""```{r} with its code."""

CELL_OPTION = re.compile(r"^(?:#|//|%)\|.*\n?", re.MULTILINE)
"""#| echo: false."""


def convert_quarto(text: str, run: Import, place: str) -> str:
    """Code cells, divs, footnotes and marks of Pandoc as Markdown: "::: {.callout-tip}" -> "> [!TIP]"."""

    def convert_cell(match: re.Match[str]) -> str:
        # ```{r, echo=FALSE} is left out; ```{python} with "#| label: a" becomes ```python without this line
        language = match["language"].strip()
        code = match["code"]
        # {=html}, {=latex}
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
    # the heading above the references, "::: {#refs}", which are no text of the page
    text = re.sub(r"^#{1,6}[ \t][^\n]*\n+(?=:{3,}[ \t]*\{[ \t]*#refs)", "", text, flags=re.MULTILINE)
    text = _convert_divs(text)
    # [text]{.mark} -> text
    text = re.sub(r"(?<![!\]])\[([^\[\]]*)\]\{(?:\.|[\w-]+=)[^{}]*\}", r"\1", text)
    # ![](loom.png){#fig-wide-loom} -> ![](loom.png), and @fig-wide-loom -> wide loom
    text = re.sub(r"\s*\{#(?:fig|tbl|eq|sec)-[\w-]+[^{}\n]*\}", "", text)
    reference = r"(?<![\w.@\\])\[?@(?:fig|tbl|eq|sec)-([\w-]+)\]?"
    return re.sub(reference, lambda match: match[1].replace("-", " "), text)


HIDDEN_DIV = re.compile(r"\.(?:hidden|notes)\b|content-hidden(?!.*pdf)|content-visible.*(?:pdf|latex|typst)")
"""A fenced div that a page in HTML does not show: {.content-visible when-format="pdf"}."""

DIV_LINE = re.compile(r"^\s*:{3,}\s*(.*?)\s*:*\s*$")
"""::: {.callout-tip} -> "{.callout-tip}"; the end, :::, has nothing."""


def _convert_divs(text: str) -> str:
    """
    The text without the lines of fenced divs: callouts become quotations, hidden divs are left out.

    "::: {.callout-tip}", "Count.", ":::" -> "> [!TIP]", "> Count."
    """
    lines: list[str] = []
    # the attributes of the divs around the line: [".column", ".callout-tip"]
    divs: list[str] = []
    is_code = False
    for line in text.split("\n"):
        # each fence begins code or ends it
        is_code = is_code != bool(re.match(r"\s*(?:```|~~~)", line))

        match = None if is_code else DIV_LINE.match(line)
        if match is None:
            if not any(map(HIDDEN_DIV.search, divs)):
                prefix = "> " * sum("callout" in div for div in divs)
                lines.append(f"{prefix}{line}".rstrip() if prefix else line)
        elif match[1]:
            divs.append(match[1])
            lines += ["", *_begin_callout(match[1])]
        elif divs:
            divs.pop()
            lines.append("")
    return "\n".join(lines)


def _begin_callout(div: str) -> list[str]:
    """The first lines of a callout, none of other divs: {.callout-tip title="A"} -> "> [!TIP]", "> **A**"."""
    callout = re.search(r"callout-(\w+)", div)
    if callout is None:
        return []
    kind = "note"
    if callout[1] in ("tip", "important", "warning", "caution"):
        kind = callout[1]
    title = re.search(r"title=\"([^\"]*)\"", div)
    title_lines = [f"> **{title[1]}**", ">"] if title else []
    return [f"> [!{kind.upper()}]", *title_lines]


QUARTO = System(
    "Quarto",
    PLACES,
    KEYS,
    LAYOUT_KEYS,
    assets=("", "images", "img", "files", "assets"),
    steps=(read_config, read_documents, read_home, read_shown_bib_files),
    noise=(
        r"(?:.*/)?_|docs/|renv"
        r"|.*\.(?:scss|css|js|lua|R|Rproj|lock|toml|csl|sh|ejs|html|json|ico|tex)$"
        r"|(?:.*/)?(?:README|LICENSE)|CNAME|Makefile|DESCRIPTION|favicon|social-card"
    ),
)
