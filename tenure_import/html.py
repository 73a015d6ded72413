"""
Pages written in HTML without a generator.

markdownify converts them: `<h2>News</h2><ul><li>a</li></ul>` -> "## News" and "- a". The home page gives the owner: name, links and portrait.
"""

import re
from collections.abc import Sequence
from typing import Any

from tenure.record import Record, replace
from tenure.sources.schema.links import find_service_of_url
from tenure_import.engine import Document, Import, System
from tenure_import.jekyll import read_shown_bib_files
from tenure_import.owner import find_name_in_titles
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

PAPERS_HEADING = re.compile(
    r"^(?P<marks>#{1,4})[ \t]+\W*(?P<title>(?:(?:selected|recent|my|all|journal|conference)\s+)?(?:publications?|papers|research(?: papers)?))\W*$",
    re.IGNORECASE | re.MULTILINE,
)
PARAGRAPH = "\ue002"
"""Stands in the empty paragraph of two line breaks, which markdownify would leave out."""

MIN_PAPERS = 3
"""The number of items that make a section a list of papers."""


class Page(Record):
    """A page as Markdown, with its title, the links of its menu, all its links, its images, and the texts that it hides."""

    title: str
    text: str
    menu: tuple[tuple[str, str], ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    images: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


def read_page(text: str) -> Page:
    """A page as Markdown: the content of its element <main> if it has one, else the whole body without menus."""
    import bs4
    import markdownify

    soup: Any = bs4.BeautifulSoup(re.sub(r"(?:<br\s*/?>\s*){2,}", f"<p>{PARAGRAPH}</p>", text), "html.parser")
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    menus = [
        element
        for element in soup.find_all(True)
        if element.name == "nav" or MENU_NAME.search(_read_names(element))
    ]
    menu = [
        link
        for element in menus
        if element.name not in ("body", "html", "main")
        for link in _list_links(element)
    ]
    main = soup.find("main") or soup.body or soup
    for element in (*soup.find_all(OMITTED), *menus):
        if element.name not in ("body", "html", "main") and not element.decomposed:
            element.decompose()
    for element in soup.find_all(string=lambda string: isinstance(string, bs4.Comment)):
        element.extract()
    for name, new_name in (
        ("heading", "h2"),
        ("name", "h1"),
    ):  # of the page of Jon Barron, which hundreds copy
        for element in main.find_all(name):
            element.name = new_name
    for video in main.find_all(["video", "audio"]):
        source = video.get("src") or next((part["src"] for part in video.find_all("source", src=True)), "")
        video.replace_with(
            bs4.BeautifulSoup(
                f'<a href="{source}">{source.rpartition("/")[2]}</a>' if source else "", "html.parser"
            )
        )
    for frame in main.find_all("iframe"):
        frame.replace_with(bs4.BeautifulSoup(format_frame(str(frame)), "html.parser"))
    hidden: list[str] = []
    for element in main.find_all(style=re.compile(r"display\s*:\s*none", re.IGNORECASE)):
        text = " ".join(element.get_text(" ").split())
        if text and not HIDDEN_DETAIL.search(f"{_read_names(element)} {text[:2000]}"):
            hidden.append(text[:90])
            element.decompose()
    images = [image.get("src") for image in main.find_all("img", src=True)]
    links = _list_links(main)
    for table in reversed(main.find_all("table")):
        _unwrap_table(table)
    markdown = markdownify.MarkdownConverter(
        heading_style="ATX", bullets="-", escape_misc=False
    ).convert_soup(main)
    markdown = markdown.replace(PARAGRAPH, "")
    clean = re.sub(r"\n{3,}", "\n\n", re.sub(r"^[ \t]+$", "", markdown, flags=re.MULTILINE))
    return Page(
        " ".join(title.split()), clean.strip(), tuple(menu), tuple(links), tuple(images), tuple(hidden)
    )


def _read_names(element: Any) -> str:
    css_class = element.get("class", [])
    return f"{' '.join(css_class) if isinstance(css_class, list) else css_class} {element.get('id', '')}"


def _list_links(element: Any) -> list[tuple[str, str]]:
    return [
        (" ".join(link.get_text(" ").split()), link["href"].strip())
        for link in element.find_all("a", href=True)
    ]


def _unwrap_table(table: Any) -> None:
    """A table without head cells that only arranges the page: many rows become a list, a few become paragraphs."""
    if table.find("th") or table.find("caption"):
        return
    rows = [row for row in table.find_all("tr") if row.find_parent("table") is table]
    cells = [len(row.find_all("td", recursive=False)) for row in rows]
    has_blocks = table.find(["p", "img", "ul", "br", "div", "h1", "h2", "h3"]) is not None
    if not has_blocks and max(cells, default=0) > 1:
        return
    texts = [row for row in rows if len(row.get_text(strip=True)) > 30]
    is_list = len(texts) >= MIN_PAPERS and not table.find(["h1", "h2", "table", "ul"])
    for part in table.find_all(["tbody", "thead", "tr", "td"]):
        part.name = {"tr": "li" if is_list else "div", "td": "span" if is_list else "div"}.get(
            part.name, part.name
        )
        if part.name in ("tbody", "thead"):
            part.unwrap()
        elif part.name == "span":
            for paragraph in part.find_all("p"):
                paragraph.name = "span"
            for line_break in part.find_all("br"):
                line_break.replace_with(" ")
            part.insert_after(" ")
    table.name = "ul" if is_list else "div"


def read_html_pages(run: Import) -> None:
    """Convert the pages; the home page gives the profile, and the lists of papers become the page `publications`."""
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
        papers += [own_papers] if own_papers else []
        documents.append(replace(document, body=text, front={"title": page.title} if page.title else {}))
    homes = [document for document in documents if document.list == "about"]
    if papers and not any(document.url == "/publications/" for document in documents):
        documents.append(
            Document(homes[0].name, "pages", {"title": "Publications"}, "\n\n".join(papers), "/publications/")
        )
    run.documents = documents
    home = pages.get(homes[0].name) if homes else None
    heading = re.search(r"^#+[ \t]+(.+)$", homes[0].body, re.MULTILINE) if homes else None
    titles = [
        *([home.title] if home else []),
        *([heading[1]] if heading else []),
        *(page.title for page in pages.values()),
    ]
    name = find_name_in_titles(titles)
    if name:
        run.profile["name"] = name
    for page in [home] if home else []:
        _read_profile(run, page, name)
        for title, url in page.menu or page.links:
            if "://" not in url and re.search(r"\.html?(?:#|$)|/$", url) and title:
                run.menu.append((title, url))
    if heading and name and homes and heading[1].strip() == name:
        run.documents[documents.index(homes[0])] = replace(
            homes[0], body=homes[0].body.replace(heading[0], "", 1)
        )


def _read_profile(run: Import, page: Page, name: str) -> None:
    """The accounts, the e-mail address, the CV and the portrait of a home page."""
    for label, url in (*page.links, *page.menu):
        if url.startswith("mailto:"):
            run.add_link(url.partition("?")[0])
        elif find_service_of_url(url) and not re.search(
            r"github\.com/[^/]+/[^/]+|twitter\.com/[^/]+/status|youtube\.com/watch|arxiv\.org/(?:abs|pdf)",
            url,
        ):
            run.add_link(url)
        elif (
            re.search(r"\b(?:cv|resume|vitae)\b", f"{label} {url}", re.IGNORECASE)
            and url.endswith(".pdf")
            and "://" not in url
        ):
            run.add_link(url, "CV")
    words = [word.casefold() for word in name.split()]
    portraits = [image for image in page.images if "://" not in image]
    named = [
        image
        for image in portraits
        if any(
            word in image.casefold() for word in (*words, "portrait", "profile", "photo", "headshot", "me.")
        )
    ]
    if named or (portraits and portraits[0] == page.images[0]):
        run.profile["photo"] = run.copy((named or portraits)[0])


def split_papers(text: str) -> tuple[str, str]:
    """The text of a home page without its list of papers, and this list; "" if there is none."""
    heading = PAPERS_HEADING.search(text)
    if heading is None:
        return text, ""
    following = re.compile(rf"^#{{1,{len(heading['marks'])}}}[ \t]+\S", re.MULTILINE).search(
        text, heading.end()
    )
    end = following.start() if following else len(text)
    section = text[heading.end() : end].strip()
    items = len(re.findall(r"^(?:[-*+]|\d+\.)[ \t]|\]\([^)]*\)", section, re.MULTILINE))
    if items < MIN_PAPERS:
        return text, ""
    return f"{text[: heading.start()].rstrip()}\n\n{text[end:]}".strip(), section


HTML = System(
    "HTML",
    PLACES,
    assets=("", "images", "img", "files", "assets"),
    steps=(read_html_pages, read_shown_bib_files),
    noise=r".*\.(?:css|js|scss|ico|sh|py|json|xml|woff2?|ttf|svg|map)$|README|LICENSE|CNAME|robots|(?:.*/)?\.",
)
