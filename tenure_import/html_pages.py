"""
Pages written in HTML without a generator.

markdownify converts each file to a `Page`: `<h2>News</h2><ul><li>a</li></ul>` -> "## News" and "- a". The
home page gives the owner: name, links and portrait; its list of papers becomes a page of its own.
"""

import re
from collections.abc import Sequence
from typing import Any

from tenure.record import Record, replace
from tenure.sources.schema.link_forms import find_service_of_url
from tenure_import.imported_document import Document
from tenure_import.importer import Import, System
from tenure_import.jekyll import read_shown_bib_files
from tenure_import.owner import find_name_in_titles
from tenure_import.source import Entry, drop_empty
from tenure_import.text import HIDDEN_DETAIL, format_frame

PLACES: Sequence[tuple[str, str]] = (
    (r"index\.(?:html?|md|markdown)", "about"),
    (r"(?i:.*(?:README|LICENSE|404|google[0-9a-f]+)\.\w+|(?:.*/)?_.*)", "-"),
    (r".*\.(?:html?|md|markdown)", "pages"),
)
OMITTED = (
    "head",
    "script",
    "style",
    "nav",
    "footer",
    "form",
    "button",
    "select",
    "svg",
    "noscript",
    "template",
    "canvas",
)
"""Elements of a page that are no text."""

MENU_NAME = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|topnav|sidenav|skip-?link|skip|breadcrumbs?)(?:$|[\s_-])",
    re.IGNORECASE,
)
"""The class or the id of a menu."""


PARAGRAPH = "\ue002"
"""Stands in the empty paragraph of two line breaks, which markdownify would leave out."""

MIN_PAPERS = 3
"""The number of items that make a section a list of papers."""


class Page(Record):
    """A page as Markdown, with the links of its menu, all its links, its images, and its hidden texts."""

    title: str
    text: str
    menu: tuple[tuple[str, str], ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    images: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


def read_page(text: str) -> Page:
    """
    A page as Markdown: its element <main> if it has one, else the whole body.

    Menus are taken out of the text, and returned as links; hidden texts are returned too, to be noted.
    """
    import bs4
    import markdownify

    # two line breaks are a paragraph
    text = re.sub(r"(?:<br\s*/?>\s*){2,}", f"<p>{PARAGRAPH}</p>", text)
    soup: Any = bs4.BeautifulSoup(text, "html.parser")
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    menus = [element for element in soup.find_all(True) if _is_menu(element)]
    menu = [link for element in menus for link in _list_links(element)]
    main = soup.find("main") or soup.body or soup

    for element in (*soup.find_all(OMITTED), *menus):
        if not element.decomposed:
            element.decompose()
    for element in soup.find_all(string=lambda string: isinstance(string, bs4.Comment)):
        element.extract()
    _convert_elements(main)
    hidden = _remove_hidden(main)

    images = [image.get("src") for image in main.find_all("img", src=True)]
    links = _list_links(main)
    # inner tables first
    for table in reversed(main.find_all("table")):
        _unwrap_table(table)
    converter = markdownify.MarkdownConverter(heading_style="ATX", bullets="-", escape_misc=False)
    markdown = converter.convert_soup(main).replace(PARAGRAPH, "")
    clean = re.sub(r"\n{3,}", "\n\n", re.sub(r"^[ \t]+$", "", markdown, flags=re.MULTILINE))
    return Page(
        " ".join(title.split()), clean.strip(), tuple(menu), tuple(links), tuple(images), tuple(hidden)
    )


def _is_menu(element: Any) -> bool:
    """Whether an element is a menu: a nav, or one whose class or id says so."""
    # <body class="nav-open"> is the page itself
    if element.name in ("body", "html", "main"):
        return False
    return element.name == "nav" or MENU_NAME.search(_read_names(element)) is not None


def _convert_elements(main: Any) -> None:
    """Replace the elements of a page that markdownify does not know: a video becomes a link to its file."""
    # of the page of Jon Barron, which hundreds copy
    for name, new_name in (("heading", "h2"), ("name", "h1")):
        for element in main.find_all(name):
            element.name = new_name

    for video in main.find_all(["video", "audio"]):
        sources = [part["src"] for part in video.find_all("source", src=True)]
        source = video.get("src") or next(iter(sources), "")
        link = f'<a href="{source}">{source.rpartition("/")[2]}</a>'
        _replace_element(video, link if source else "")
    for frame in main.find_all("iframe"):
        _replace_element(frame, format_frame(str(frame)))


def _replace_element(element: Any, markup: str) -> None:
    """Put other HTML in the place of an element."""
    import bs4

    element.replace_with(bs4.BeautifulSoup(markup, "html.parser"))


def _remove_hidden(main: Any) -> list[str]:
    """Remove the hidden elements of a page but an abstract or BibTeX; returns the beginning of each text."""
    hidden: list[str] = []
    for element in main.find_all(style=re.compile(r"display\s*:\s*none", re.IGNORECASE)):
        text = " ".join(element.get_text(" ").split())
        if text and not HIDDEN_DETAIL.search(f"{_read_names(element)} {text[:2000]}"):
            hidden.append(text[:90])
            element.decompose()
    return hidden


def _read_names(element: Any) -> str:
    """The classes and the id of an element."""
    return " ".join([*element.get("class", []), element.get("id", "")])


def _list_links(element: Any) -> list[tuple[str, str]]:
    """The texts and URLs of the links in an element."""
    return [
        (" ".join(link.get_text(" ").split()), link["href"].strip())
        for link in element.find_all("a", href=True)
    ]


def _unwrap_table(table: Any) -> None:
    """
    Replace a table without head cells that only arranges the page.

    Many rows become a list, a few become paragraphs.
    """
    if table.find(["th", "caption"]):
        return
    rows = [row for row in table.find_all("tr") if row.find_parent("table") is table]
    cells = [len(row.find_all("td", recursive=False)) for row in rows]
    has_blocks = table.find(["p", "img", "ul", "br", "div", "h1", "h2", "h3"]) is not None
    # a table of data: | 2020 | A title |
    if not has_blocks and max(cells, default=0) > 1:
        return

    # each row with more than a few words is a paper, with a picture in its first cell
    texts = [row for row in rows if len(row.get_text(strip=True)) > 30]
    is_list = len(texts) >= MIN_PAPERS and not table.find(["h1", "h2", "table", "ul"])
    names = {"tr": "li", "td": "span"} if is_list else {"tr": "div", "td": "div"}
    for part in table.find_all(["tbody", "thead", "tr", "td"]):
        part.name = names.get(part.name, part.name)
        if part.name in ("tbody", "thead"):
            part.unwrap()
        elif part.name == "span":
            _make_inline(part)
    table.name = "ul" if is_list else "div"


def _make_inline(part: Any) -> None:
    """Make the paragraphs of a cell parts of a line."""
    for paragraph in part.find_all("p"):
        paragraph.name = "span"
    for line_break in part.find_all("br"):
        line_break.replace_with(" ")
    part.insert_after(" ")


def read_html_pages(run: Import) -> None:
    """
    Convert the pages; the home page gives the profile, and its list of papers becomes a page.

    The name of the owner is searched in the title of the home page, in its first heading, in other titles.
    """
    pages = _convert_pages(run)
    home = next((document for document in run.documents if document.list == "about"), None)
    heading = re.search(r"^#+[ \t]+(.+)$", home.body, re.MULTILINE) if home else None
    page = pages.get(home.name) if home else None

    # in the order in which they are searched
    titles = [other.title for other in pages.values()]
    if heading:
        titles.insert(0, heading[1])
    if page:
        titles.insert(0, page.title)
    name = find_name_in_titles(titles)
    if name:
        run.profile["name"] = name
    if page:
        _read_profile(run, page, name)
        _read_menu(run, page)
    # the page has the name of the owner above its text
    if home and heading and name and heading[1].strip() == name:
        body = home.body.replace(heading[0], "", 1)
        run.documents[run.documents.index(home)] = replace(home, body=body)


def _convert_pages(run: Import) -> dict[str, Page]:
    """
    Convert the documents in HTML, and move the papers of the home page to a page of their own.

    Returns the pages by names. One whose elements are nested too deeply is noted and left out.
    """
    pages: dict[str, Page] = {}
    documents: list[Document] = []
    papers: list[str] = []
    for document in run.documents:
        if not re.search(r"\.html?$", document.name):
            documents.append(document)
            continue
        try:
            page = read_page(document.body)
        except RecursionError:
            run.note(document.name, "its elements are nested too deeply")
            continue

        pages[document.name] = page
        for hidden in page.hidden:
            run.note(document.name, f"hidden text: {hidden}")
        text, own_papers = split_papers(page.text) if document.list == "about" else (page.text, "")
        if own_papers:
            papers.append(own_papers)
        documents.append(replace(document, body=text, front=drop_empty({"title": page.title})))

    if papers and not any(document.url == "/publications/" for document in documents):
        home = next(document for document in documents if document.list == "about")
        front: Entry = {"title": "Publications"}
        documents.append(Document(home.name, "pages", front, "\n\n".join(papers), "/publications/"))
    run.documents = documents
    return pages


def _read_menu(run: Import, page: Page) -> None:
    """Add the pages to which the menu of the homepage links, or else all its links."""
    for title, url in page.menu or page.links:
        # "talks.html", "talks.html#2024" or "talks/"
        if title and "://" not in url and re.search(r"\.html?(?:#|$)|/$", url):
            run.menu.append((title, url))


NO_ACCOUNT = re.compile(
    r"github\.com/[^/]+/[^/]+|twitter\.com/[^/]+/status|youtube\.com/watch|arxiv\.org/(?:abs|pdf)"
)
"""A URL of a service that is not that of a person."""


def _read_profile(run: Import, page: Page, name: str) -> None:
    """The accounts, the e-mail address, the CV and the portrait of a home page; other links stay there."""
    for label, url in (*page.links, *page.menu):
        is_pdf = url.endswith(".pdf") and "://" not in url
        if url.startswith("mailto:"):
            run.add_link(url.partition("?")[0])
        elif find_service_of_url(url) and not NO_ACCOUNT.search(url):
            run.add_link(url)
        # [Curriculum vitae](ada-cv.pdf)
        elif is_pdf and re.search(r"\b(?:cv|resume|vitae)\b", f"{label} {url}", re.IGNORECASE):
            run.add_link(url, "CV")
    if portrait := _find_portrait(page, name):
        run.profile["photo"] = run.copy(portrait)


def _find_portrait(page: Page, name: str) -> str:
    """The image that is named like a portrait or the owner, else the first one; "" if there is none."""
    images = [image for image in page.images if "://" not in image]
    words = (*name.casefold().split(), "portrait", "profile", "photo", "headshot", "me.")
    for image in images:
        if any(word in image.casefold() for word in words):
            return image
    # the first one may be on another host
    if images and images[0] == page.images[0]:
        return images[0]
    return ""


PAPERS_HEADING = re.compile(
    r"""
    ^(?P<marks>\#{1,4})[ \t]+\W*
    (?P<title>
        (?:(?:selected|recent|my|all|journal|conference)\s+)?
        (?:publications?|papers|research(?:[ ]papers)?)
    )\W*$
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
"""A heading of a list of papers: "## Selected publications"."""


def split_papers(text: str) -> tuple[str, str]:
    """The text of a home page without its list of papers, and this list; "" if there is none."""
    heading = PAPERS_HEADING.search(text)
    if heading is None:
        return text, ""

    next_heading = re.compile(rf"^#{{1,{len(heading['marks'])}}}[ \t]+\S", re.MULTILINE)
    following = next_heading.search(text, heading.end())
    end = following.start() if following else len(text)
    section = text[heading.end() : end].strip()
    # "- A title", "1. A title", or a link such as [PDF](a.pdf)
    items = len(re.findall(r"^(?:[-*+]|\d+\.)[ \t]|\]\([^)]*\)", section, re.MULTILINE))
    if items < MIN_PAPERS:
        return text, ""
    return f"{text[: heading.start()].rstrip()}\n\n{text[end:]}".strip(), section


HTML = System(
    "HTML",
    PLACES,
    assets=("", "images", "img", "files", "assets"),
    steps=(read_html_pages, read_shown_bib_files),
    noise=(
        r".*\.(?:css|js|scss|ico|sh|py|json|xml|woff2?|ttf|svg|map)$"
        r"|README|LICENSE|CNAME|robots|(?:.*/)?\."
    ),
)
