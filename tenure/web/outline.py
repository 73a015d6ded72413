"""Default pages, sections and CVs of a site that does not configure them, chosen by its content."""

from collections.abc import Iterator
from dataclasses import replace

from tenure.model.scholar import Markdown, Publication
from tenure.model.site import CvWish, PageWish, SectionWish, Site
from tenure.text import slug

COLLECTION_PAGES = ("publications", "projects", "talks", "teaching", "news", "posts", "awards", "service")
"""Collections whose page has a kind of its own; the page of any other collection has the kind "page"."""

CV_FIRST = ("vision", "interests", "research-interests", "summary")
"""Texts at the beginning of a CV, by their usual names."""

CV_ORDER = ("education", "experience", "publications", "projects", "talks", "awards", "teaching", "service")
"""Default order of a CV; other collections follow, sorted by name."""

MENU_PAGES = ("publications", "projects", "talks", "teaching", "posts")
NEWS_ON_HOME = 5
LINES_ON_HOME = 5


def usual_pages(site: Site) -> tuple[PageWish, ...]:
    """Default pages: home, the collections with content, the files of content/pages/, and the CV."""
    names = [name for name in MENU_PAGES if name in site.collections]
    wishes = [PageWish(name="home", path="/"), *(PageWish(name=name) for name in names)]
    if _has_news_page(site):
        wishes.append(PageWish(name="news"))
    pages = site.collections.get("pages")
    wishes += [PageWish(name=text.id) for text in (pages.entries if pages else ())]
    return (*wishes, PageWish(name="cv"))


def _has_news_page(site: Site) -> bool:
    """Whether there is more news than the home page shows; it then has its own page."""
    return "news" in site.collections and len(site.collections["news"].entries) > NEWS_ON_HOME


def home_wishes(site: Site) -> tuple[SectionWish, ...]:
    """Default sections of the home page: texts, news, selected publications, and the career in brief."""
    wishes = [SectionWish(name=name) for name in _texts(site)]
    for name in ("news", "publications", "projects", "education", "experience", "talks", "awards"):
        if name not in site.collections:
            continue
        if name == "publications":
            wishes.append(_first_papers(site))
        elif name in ("education", "experience"):
            wishes.append(SectionWish(name=name, brief=True))
        elif name == "news" and not _has_news_page(site):
            wishes.append(SectionWish(name=name))
        else:
            wishes.append(SectionWish(name=name, limit=LINES_ON_HOME, brief=True))
    return tuple(wishes)


def _first_papers(site: Site) -> SectionWish:
    found = site.collections["publications"].entries
    if any(isinstance(paper, Publication) and paper.selected for paper in found):
        title = Markdown(site.look.words["section_selected_publications"])
        return SectionWish(name="publications", show="selected", title=title, limit=LINES_ON_HOME, brief=True)
    few = len(found) <= LINES_ON_HOME
    title = Markdown(site.look.words["section_publications" if few else "section_recent_publications"])
    return SectionWish(name="publications", title=title, limit=LINES_ON_HOME, brief=True)


def _texts(site: Site) -> Iterator[str]:
    """Names of the texts on the home page; "about" first."""
    names = [name for name, collection in site.collections.items() if collection.kind == "prose"]
    yield from sorted(names, key=lambda name: (name != "about", name))


def cv_wishes(site: Site) -> tuple[SectionWish, ...]:
    """Default sections of the CV: all collections of a career, in CV_ORDER."""
    rest = sorted(
        name
        for name, collection in site.collections.items()
        if name not in (*CV_FIRST, *CV_ORDER, "about")
        and collection.kind in ("items", "prose", "publications")
    )
    order = (*CV_FIRST, *CV_ORDER, *rest)
    return tuple(SectionWish(name=name) for name in order if name in site.collections)


def usual_cvs(site: Site) -> tuple[CvWish, ...]:
    """The CVs to typeset: those of site.yaml, otherwise one like the page `cv` unless content/ has a CV as PDF."""
    pages = site.settings.every_page
    pages = usual_pages(site) if pages is None else pages
    page = next((wish for wish in pages if wish.name == "cv"), None)
    usual = (page.sections if page else None) or cv_wishes(site)
    wishes = site.settings.cvs
    if wishes is None:
        brought = site.profile.cv.lstrip("/") not in ("", "cv.pdf") or "cv.pdf" in site.files
        wishes = (CvWish(source=page.source),) if page and usual and not brought else ()
    return tuple(
        replace(w, name=slug(w.name), title=w.title or _titled(site, w.name), sections=w.sections or usual)
        for w in wishes
    )


def _titled(site: Site, name: str) -> str:
    """Title of a CV without one: "Resume" for resume."""
    words = name.replace("-", " ").replace("_", " ")
    return site.look.words.get(f"page_{name}") or words[:1].upper() + words[1:]
