"""Default pages, sections and CVs of a site that does not configure them, chosen by its content."""

from collections.abc import Iterator

from tenure.markdown.html import make_slug
from tenure.model.entries import Markdown
from tenure.model.site import CvConfig, PageConfig, SectionConfig, Site
from tenure.record import replace

COLLECTION_PAGES = (
    "publications", "projects", "talks", "teaching", "news", "posts", "awards", "service", "people",
)  # fmt: skip
"""Collections whose page has a kind of its own; the page of any other collection has the kind "page"."""

CV_OPENING_TEXTS = ("vision", "interests", "research-interests", "summary")
"""Texts at the beginning of a CV, by their usual names."""

CV_ORDER = ("education", "experience", "publications", "projects", "talks", "awards", "teaching", "service")
"""Default order of a CV; other collections follow, sorted by name."""

MENU_PAGES = ("people", "publications", "projects", "talks", "teaching", "posts")
MAX_NEWS_ON_HOME = 5
MAX_ENTRIES_ON_HOME = 5


def default_pages(site: Site) -> tuple[PageConfig, ...]:
    """Default pages: home, the collections with content, the files of content/pages/, and the CV."""
    names = [name for name in MENU_PAGES if name in site.collections]
    configs = [PageConfig(name="home", path="/"), *(PageConfig(name=name) for name in names)]
    if _has_news_page(site):
        configs.append(PageConfig(name="news"))
    configs += [PageConfig(name=text.id) for text in site.entries_of("pages")]
    return (*configs, *(() if site.profile.is_group else (PageConfig(name="cv"),)))


def _has_news_page(site: Site) -> bool:
    """Whether there is more news than the home page shows; it then has its own page."""
    return len(site.entries_of("news")) > MAX_NEWS_ON_HOME


def default_home_sections(site: Site) -> tuple[SectionConfig, ...]:
    """Default sections of the home page: texts, news, selected publications, and the career in brief."""
    configs = [SectionConfig(name=name) for name in _iterate_text_names(site)]
    for name in ("news", "publications", "projects", "education", "experience", "talks", "awards"):
        if name not in site.collections:
            continue
        if name == "publications":
            configs.append(_home_publications(site))
        elif name in ("education", "experience"):
            configs.append(SectionConfig(name=name, brief=True))
        elif name == "news" and not _has_news_page(site):
            configs.append(SectionConfig(name=name))
        else:
            configs.append(SectionConfig(name=name, limit=MAX_ENTRIES_ON_HOME, brief=True))
    if site.profile.is_group:  # a group has no CV, which shows the other lists of a person
        shown = {"people", "pages", *MENU_PAGES, *(config.name for config in configs)}
        configs += [SectionConfig(name=name) for name in sorted(site.collections) if name not in shown]
    return tuple(configs)


def _home_publications(site: Site) -> SectionConfig:
    publications = site.publications
    if any(publication.selected for publication in publications):
        title = Markdown(site.active_theme.translations["section_selected_publications"])
        return SectionConfig(
            name="publications", show="selected", title=title, limit=MAX_ENTRIES_ON_HOME, brief=True
        )
    label = "publications" if len(publications) <= MAX_ENTRIES_ON_HOME else "recent_publications"
    title = Markdown(site.active_theme.translations[f"section_{label}"])
    return SectionConfig(name="publications", title=title, limit=MAX_ENTRIES_ON_HOME, brief=True)


def _iterate_text_names(site: Site) -> Iterator[str]:
    """Names of the texts on the home page; "about" first."""
    names = [name for name, collection in site.collections.items() if collection.kind == "prose"]
    yield from sorted(names, key=lambda name: (name != "about", name))


def default_cv_sections(site: Site) -> tuple[SectionConfig, ...]:
    """Default sections of the CV: all collections of a career, in CV_ORDER."""
    other_names = sorted(
        name
        for name, collection in site.collections.items()
        if name not in (*CV_OPENING_TEXTS, *CV_ORDER, "about")
        and collection.kind in ("items", "prose", "publications")
    )
    order = (*CV_OPENING_TEXTS, *CV_ORDER, *other_names)
    return tuple(SectionConfig(name=name) for name in order if name in site.collections)


def resolve_cvs(site: Site) -> tuple[CvConfig, ...]:
    """The CVs to typeset: those of site.yaml, otherwise one like the page `cv` unless content/ has a CV as PDF."""
    pages = site.settings.all_pages
    pages = default_pages(site) if pages is None else pages
    page = next((page_config for page_config in pages if page_config.name == "cv"), None)
    default_sections = (page.sections if page else None) or default_cv_sections(site)
    cv_configs, translations = site.settings.cvs, site.active_theme.translations
    if cv_configs is None:
        has_own_pdf = site.profile.cv.lstrip("/") not in ("", "cv.pdf") or "cv.pdf" in site.files
        cv_configs = (CvConfig(source=page.source),) if page and default_sections and not has_own_pdf else ()
    return tuple(
        replace(
            cv,
            name=make_slug(cv.name),
            title=cv.title or translations.get(f"page_{cv.name}") or title_from_name(cv.name),
            sections=cv.sections or default_sections,
        )
        for cv in cv_configs
    )


def title_from_name(name: str) -> str:
    """A title for the name of a file or a list: "Past members" for past-members."""
    spaced_name = name.replace("-", " ").replace("_", " ")
    return spaced_name[:1].upper() + spaced_name[1:]
