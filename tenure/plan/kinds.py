"""
The kinds of pages and lists: which lists the pages of each kind show, and how; the CVs of a site.

The objects: a ListKind says what is special about a list with a name; a page without `sections` gets those of
its kind, as SectionConfigs.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from tenure.markdown.html import make_slug
from tenure.model.entries import Markdown
from tenure.model.site import CvConfig, CvFormat, Grouping, PageConfig, SectionConfig, Site
from tenure.problems import Problems
from tenure.record import Record, replace


class ListKind(Record, kw_only=True):
    """
    What is special about a list with a certain name.

    `has_page`: its page is of a kind of its own; otherwise it is of the kind "page". `group` is that of its
    own page. `view` is cards always, or if one of its entries has an image. `aliases` are other names that
    site.yaml may use for its page. `is_current`: entries are omitted after their end.
    """

    has_page: bool = False
    group: Grouping = "none"
    view: Literal["list", "photos", "cards"] = "list"
    aliases: tuple[str, ...] = ()
    is_current: bool = False


LISTS: Mapping[str, ListKind] = {
    "publications": ListKind(has_page=True, group="year", aliases=("papers",)),
    "projects": ListKind(has_page=True),
    "talks": ListKind(has_page=True, aliases=("presentations",)),
    "teaching": ListKind(has_page=True, aliases=("courses",)),
    "news": ListKind(has_page=True, group="year"),
    "posts": ListKind(has_page=True, group="year", aliases=("blog",)),
    "awards": ListKind(has_page=True),
    "service": ListKind(has_page=True),
    "people": ListKind(has_page=True, group="role", view="cards"),
    "openings": ListKind(is_current=True),
    **dict.fromkeys(("members", "team", "group", "staff"), ListKind(view="cards")),
    **dict.fromkeys(
        (
            "advisees",
            "alumni",
            "assistants",
            "collaborators",
            "former-students",
            "former_students",
            "interns",
            "mentees",
            "phd-students",
            "phd_students",
            "postdocs",
            "students",
            "undergraduates",
            "visitors",
        ),
        ListKind(view="photos"),
    ),
}
"""The lists that are not shown as any other."""

PAGE_LISTS = tuple(name for name, kind in LISTS.items() if kind.has_page)
"""Lists whose page has a kind of its own."""

PAGE_KINDS = frozenset({"cv", *PAGE_LISTS})
"""The pages of a kind of their own, apart from the homepage."""

PAGE_NAME_ALIASES: Mapping[str, str] = {
    **{alias: name for name, kind in LISTS.items() for alias in kind.aliases},
    **dict.fromkeys(("resume", "curriculum-vitae"), "cv"),
    **dict.fromkeys(("start", "index", "main"), "home"),
}
"""The program's names of pages by other common names, as slugs."""

CV_OPENING_TEXTS = ("vision", "interests", "research-interests", "summary")
"""Texts at the beginning of a CV, by their usual names."""

# Which lists a page has by default, in order.
# On the pages of tags and people and in the CV, other lists follow, sorted by name.
MENU_PAGES = ("people", "publications", "projects", "talks", "teaching", "posts")
HOME_ORDER = ("news", "publications", "projects", "education", "experience", "talks", "awards")
CV_ORDER = ("education", "experience", "publications", "projects", "talks", "awards", "teaching", "service")
TAG_PAGE_ORDER = ("posts", "news", "publications", "projects", "talks")
PERSON_PAGE_ORDER = ("publications", "projects", "talks", "awards", "teaching", "people", "news", "posts")

MAX_NEWS_ON_HOME = 5
MAX_ENTRIES_ON_HOME = 5
"""Entries of the home page; where there are more, a link leads to the page with all."""


def sort_collections(site: Site, order: Sequence[str]) -> list[str]:
    """The names of the collections: those of the order first, then the others by name."""
    return sorted(
        site.collections, key=lambda name: (order.index(name) if name in order else len(order), name)
    )


def default_pages(site: Site) -> tuple[PageConfig, ...]:
    """Default pages: home, the lists with content, news that home does not show, content/pages/, the CV."""
    names = [name for name in MENU_PAGES if name in site.collections]
    if len(site.entries_of("news")) > MAX_NEWS_ON_HOME:
        names.append("news")
    names += [text.id for text in site.entries_of("pages")]
    if not site.profile.is_group:
        names.append("cv")
    return (PageConfig(name="home", path="/"), *(PageConfig(name=name) for name in names))


def default_home_sections(site: Site) -> tuple[SectionConfig, ...]:
    """
    Default sections of the home page: texts, "about" first, news, selected publications, the career.

    Without selected publications, the newest ones; a list that is longer than the home page shows has a
    limit.
    """
    texts = [name for name, collection in site.collections.items() if collection.kind == "prose"]
    configs = [SectionConfig(name=name) for name in sorted(texts, key=lambda name: (name != "about", name))]
    for name in (name for name in HOME_ORDER if name in site.collections):
        # 0 is no limit
        limit = 0 if name in ("education", "experience") else MAX_ENTRIES_ON_HOME
        config = SectionConfig(name=name, brief=True, limit=limit)
        if name == "news" and len(site.entries_of("news")) <= MAX_NEWS_ON_HOME:
            config = SectionConfig(name=name)
        elif name == "publications":
            label = "recent_publications"
            if any(publication.selected for publication in site.publications):
                config = replace(config, show="selected")
                label = "selected_publications"
            elif len(site.publications) <= MAX_ENTRIES_ON_HOME:
                label = "publications"
            title = site.active_theme.translations[f"section_{label}"]
            config = replace(config, title=Markdown(title))
        configs.append(config)

    # a group has no CV, which shows the other lists of a person
    if site.profile.is_group:
        shown = {"people", "pages", *MENU_PAGES, *(config.name for config in configs)}
        configs += [SectionConfig(name=name) for name in sorted(site.collections) if name not in shown]
    return tuple(configs)


def default_cv_sections(site: Site) -> tuple[SectionConfig, ...]:
    """
    Default sections of the CV: all lists of a career in CV_ORDER, then the lists and texts of the site's own.

    news, posts and pages are excluded, as they are not of a career, and about.md, which introduces the home
    page.
    """
    order = (*CV_OPENING_TEXTS, *CV_ORDER)
    own_kinds = ("items", "prose", "publications")
    own_names = {name for name, collection in site.collections.items() if collection.kind in own_kinds}
    shown = {*order, *own_names} - {"about"}
    return tuple(SectionConfig(name=name) for name in sort_collections(site, order) if name in shown)


def resolve_cvs(site: Site, problems: Problems, *, pdf_available: bool = True) -> tuple[CvConfig, ...]:
    """
    The CVs to write: those of site.yaml, otherwise one like the page `cv` unless content/ has a CV as PDF.

    The pages of the site have the program's names. A format that cannot be written is left out.
    """
    page = next((config for config in site.settings.all_pages or () if config.name == "cv"), None)
    default_sections = (page.sections if page else None) or default_cv_sections(site)
    cv_configs = site.settings.cvs
    if cv_configs is None:
        # content/cv.pdf, or another PDF that the profile names
        has_own_pdf = site.profile.cv.lstrip("/") not in ("", "cv.pdf") or "cv.pdf" in site.files
        cv_configs = (CvConfig(source=page.source),) if page and default_sections and not has_own_pdf else ()

    translations = site.active_theme.translations
    return tuple(
        replace(
            cv,
            name=make_slug(cv.name),
            title=cv.title or translations.get(f"page_{cv.name}") or title_from_name(cv.name),
            sections=cv.sections or default_sections,
            formats=tuple(_list_formats(cv, site, problems, pdf_available=pdf_available)),
        )
        for cv in cv_configs
    )


def _list_formats(cv: CvConfig, site: Site, problems: Problems, *, pdf_available: bool) -> Iterator[CvFormat]:
    """The formats of a CV that can be written; LaTeX is not for lines from right to left."""
    language = cv.language or site.settings.language
    for name in cv.formats:
        if name == "latex" and language.direction == "rtl":
            message = f"{cv.name}.tex is not written: its lines would run from right to left"
            hint = "the formats pdf and docx have it; remove latex"
            problems.report("cv-letters", cv.place_of("formats"), message, hint)
        elif name != "pdf" or pdf_available:
            yield name


def find_list_title(site: Site, name: str, *kinds: Literal["section", "page"]) -> str:
    """The title of a list: that of its file, its label as a section or a page, of its page, or its name."""
    collection = site.collections.get(name)
    t = site.active_theme.translations
    titles = (
        collection.title if collection else "",
        *(t.get(f"{kind}_{name}", "") for kind in kinds),
        *(page.title for page in site.settings.pages or () if page.name == name),
    )
    return next(filter(None, titles), "") or title_from_name(name)


def title_from_name(name: str) -> str:
    """A title for the name of a file or a list, or for a path: "Past members" for past-members."""
    spaced_name = name.rpartition("/")[2].strip("-_ ").replace("-", " ").replace("_", " ")
    return spaced_name[:1].upper() + spaced_name[1:]
