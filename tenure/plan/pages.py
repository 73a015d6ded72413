"""
The pages of a site with their paths, the menu, and the links between pages.

The objects: a Page exists at a URL and has Sections, or shows one entry; a MenuItem leads to a page, or is a
group of items; a Plan has all of them. The _Planner makes a Page of each PageConfig, then those of entries.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from tenure.markdown.html import make_slug, plain_text
from tenure.model.entries import Entry, Markdown, Person, Post, Project, Prose, Publication
from tenure.model.field_html import keep_field_html
from tenure.model.languages import Language
from tenure.model.links import is_valid_url, parse_url
from tenure.model.people import is_by_person, person_page_path
from tenure.model.places import UNKNOWN_PLACE
from tenure.model.site import CvConfig, PageConfig, SectionConfig, Site
from tenure.plan.citations import CitationLibrary, check_citations
from tenure.plan.kinds import (
    PAGE_KINDS,
    PAGE_NAME_ALIASES,
    PERSON_PAGE_ORDER,
    TAG_PAGE_ORDER,
    default_cv_sections,
    default_home_sections,
    default_pages,
    find_list_title,
    resolve_cvs,
    sort_collections,
    title_from_name,
)
from tenure.plan.markdown_lint import check_markdown
from tenure.plan.related import (
    PageLink,
    PageTag,
    PageVersion,
    collect_tags,
    count_members,
    count_topics,
    find_backlinks,
    find_similar,
    link_neighbouring_posts,
)
from tenure.plan.sections import Section, has_source_file, make_section, suggest_repair
from tenure.problems import Place, Problems
from tenure.record import Record, field, replace

MAX_EXCERPT_LENGTH = 160
"""Maximum number of characters of a description: search engines cut longer ones."""


class Page(Record, kw_only=True):
    """
    A page of the site: the decision that something exists at a URL.

    `path` begins and ends with a slash ("/", "/talks/") or is a file: "/404.html". `kind` has a template.
    `name` is that of a page in `pages` of site.yaml, or else its path ("talks"). `heading` is the title with
    its markup; where it is empty, the title is plain text.
    `entry` is set if the page shows one entry; `mentions` then link to the pages that name it, and `related`
    to similar publications. `documents` are the files of a CV page. `previous` and `next` are the neighbours
    in the menu, or the earlier and the later post.
    `language` is the site's language unless the page has its own. `folder` is that of the site's language in
    the output ("de/"), "" for the main language; `versions` are the page in all languages of the site, () if
    it has one language.
    """

    path: str
    kind: str
    title: str
    name: str = ""
    heading: Markdown = Markdown("")
    description: str = ""
    intro: Markdown = Markdown("")
    sections: tuple[Section, ...] = ()
    entry: Entry | None = None
    contents: tuple[PageLink, ...] = ()
    mentions: tuple[PageLink, ...] = ()
    related: tuple[PageLink, ...] = ()
    documents: tuple[PageLink, ...] = ()
    previous: PageLink | None = None
    next: PageLink | None = None
    language: Language = Language("en")
    folder: str = ""
    versions: tuple[PageVersion, ...] = ()
    source: Place = UNKNOWN_PLACE

    @property
    def topics(self) -> tuple[tuple[str, int], ...]:
        """The most common topics of the page with their counts."""
        return count_topics(item.entry for section in self.sections for item in section.items)

    @property
    def member_counts(self) -> dict[str, int]:
        """The numbers of publications of the page by people of the site."""
        return count_members(item.entry for section in self.sections for item in section.items)

    @property
    def output_path(self) -> str:
        """Path of the output file: "talks/index.html", "de/talks/index.html"."""
        if self.path.endswith("/"):
            return f"{self.url_path[1:]}index.html"
        return self.url_path[1:]

    @property
    def url_path(self) -> str:
        """The path on the whole site, with the folder of the language: "/de/talks/"."""
        return f"/{self.folder}{self.path[1:]}"


class MenuItem(Record, kw_only=True):
    """
    An item of the menu, in the language of its page; the item of the home page is in the site's language.

    A group has an empty `path`; `items` are its pages.
    """

    title: str
    path: str
    language: Language = Language("en")
    items: tuple["MenuItem", ...] = ()


class Plan(Record, kw_only=True):
    """
    All pages of a site, the menu, the CVs to typeset, and the links to their PDFs.

    `folder` is that of the language in the output ("de/"), "" for the main language; `original_paths` are
    then the paths of pages by Markdown file of the main language, to which a translated text may link.
    `translations` are the plans for the other languages.
    """

    pages: tuple[Page, ...]
    menu: tuple[MenuItem, ...]
    cvs: tuple[CvConfig, ...] = ()
    documents: tuple[PageLink, ...] = ()
    folder: str = ""
    original_paths: Mapping[str, str] = field(default_factory=dict)
    translations: tuple["Plan", ...] = ()

    def __iter__(self) -> Iterator[Page]:
        return iter(self.pages)

    @property
    def paths_by_source(self) -> dict[str, str]:
        """Page paths by Markdown file of content/: "projects/tape.md" has the page "/projects/tape/"."""
        files = ((page.source.file, page) for page in self.pages if page.entry is not None)
        own_paths = {file.removeprefix("content/"): page.path for file, page in files if file.endswith(".md")}
        return {**self.original_paths, **own_paths}


def entry_page_path(entry: Entry) -> str:
    """Path of the entry's own page, or "" if it has none: a talk, a project without a text."""
    if isinstance(entry, Publication):
        return f"/publications/{entry.id}/" if entry.page else ""
    if isinstance(entry, Person):
        return person_page_path(entry)
    if isinstance(entry, Project) and entry.body:
        return f"/projects/{entry.id}/"
    return f"/posts/{entry.id}/" if isinstance(entry, Post) else ""


def is_web_url(value: str) -> bool:
    """Whether the path of a page is the URL of another site, which the menu links to."""
    return value.startswith(("https://", "http://")) and is_valid_url(value)


_SITE_PATH = re.compile(r"/?(?:(?!\.(?!well-known/))[^\s\x00-\x1f\x7f/\\?#%:*\"<>|]+(?:/|$))*")
"""A path: "/talks/", "talks", "/.well-known/keys/"; not "/.git/", "/a//b/", "/a b/" or "/a?b"."""


def is_site_path(value: str) -> bool:
    """Whether the value can be a path on this site; hidden names are for other programs: .git, .tenure."""
    return ".." not in value and _SITE_PATH.fullmatch(value) is not None


def report_invalid_path(value: str, place: Place, problems: Problems, hint: str = "") -> bool:
    """Report a value of site.yaml that cannot be a path on this site; True if it was reported."""
    if is_site_path(value):
        return False
    path = parse_url(value).path if "://" in value else value
    if "://" in value:
        hint = hint or "add title: …, and remove sections: the menu then links to it"
    # "My Talks/2024" -> "my-talks/2024"
    suggested_path = "/".join(make_slug(part) for part in path.split("/") if make_slug(part))
    if not hint:
        hint = f"write /{suggested_path}/" if suggested_path else "write it like /talks/"
    problems.report("bad-path", place, f"“{value}” cannot be a path of this site", hint)
    return True


def normalize_path(value: str) -> str:
    """Add the missing slashes: "talks" becomes "/talks/", "talks.html" becomes "/talks.html"."""
    path = value if value.startswith("/") else f"/{value}"
    return path if path.endswith(("/", ".html")) else f"{path}/"


def plan_pages(site: Site, problems: Problems, *, pdf_available: bool = False) -> Plan:
    """Plan all pages of a site and report pages that cannot be made. CVs are typeset if `pdf_available`."""
    site = resolve_pages(site, problems)
    cvs = resolve_cvs(site, problems, pdf_available=pdf_available)
    planner = _Planner(site, problems, _link_documents(cvs))
    # the pages and the menu items of each entry of `pages`
    planned = [planner.plan_entry(config) for config in site.settings.pages or ()]
    if not any(page.path == "/" for pages, _ in planned for page in pages):
        # a home page that `pages` does not list is in the menu only if it is the only page
        home = PageConfig(name="home", path="/", menu=not any(pages for pages, _ in planned))
        planned = [planner.plan_entry(home), *planned]
    menu = tuple(item for _, items in planned for item in items)

    listed_pages = [page for pages, _ in planned for page in pages]
    unlisted_pages = planner.plan_unlisted_texts(listed_pages)
    urls = _find_entry_urls((*listed_pages, *unlisted_pages))
    backlinks = find_backlinks(site, urls, planner.library, entry_page_path)
    other_pages = [
        *planner.plan_entry_pages(backlinks),
        *unlisted_pages,
        *map(planner.plan_tag_page, collect_tags(site)),
    ]

    # a page of the CV without a CV to typeset
    if not cvs and any(page.kind == "cv" for page in listed_pages):
        _report_own_cv(site, problems)
    _report_unshown_lists(site, [*listed_pages, *other_pages], cvs, problems)
    check_citations(site, planner.library, problems)
    check_markdown(site, problems)

    not_found = Page(
        path="/404.html",
        kind="404",
        title=site.active_theme.translations["page_404"],
        description=site.title,
        language=site.settings.language,
    )
    pages = _link_whole_lists([*_link_neighbours(listed_pages, menu), *other_pages, not_found])
    return Plan(pages=pages, menu=menu, cvs=cvs, documents=planner.documents)


def _link_documents(cvs: Sequence[CvConfig]) -> tuple[PageLink, ...]:
    """The links to the files of the CVs; of several with one title, each has its language: "CV, Deutsch"."""
    titles = [cv.title for cv in cvs]
    links = []
    for cv in cvs:
        title = cv.title
        if titles.count(title) > 1 and cv.language:
            title = f"{title}, {cv.language.native_name}"
        links += [PageLink(title=Markdown(title), path=f"/{name}") for name in cv.file_names]
    return tuple(links)


def _find_entry_urls(pages: Iterable[Page]) -> dict[tuple[Place, str], str]:
    """The URL of each entry by its place and id: its page, or else its anchor in the first list with it."""
    urls: dict[tuple[Place, str], str] = {}
    for page in pages:
        for item in (item for section in page.sections for item in section.items if item.id):
            urls.setdefault((item.entry.source, item.entry.id), f"{page.path}#{item.id}")
        if page.entry:
            urls[page.entry.source, page.entry.id] = page.path
    return urls


def _link_neighbours(pages: Iterable[Page], menu: Iterable[MenuItem]) -> Iterator[Page]:
    """The pages with links to their neighbours in the menu, in which a group stands for its pages."""
    items = [item for entry in menu for item in (entry.items or (entry,)) if not is_web_url(item.path)]
    # with None before the first page and after the last one, which have one neighbour
    links = [None, *(PageLink(title=Markdown(item.title), path=item.path) for item in items), None]
    positions = {item.path: number for number, item in enumerate(items, 1)}
    for page in pages:
        if number := positions.get(page.path):
            page = replace(page, previous=links[number - 1], next=links[number + 1])
        yield page


def _report_own_cv(site: Site, problems: Problems) -> None:
    """Report that content/cv.pdf takes the place of a generated CV, unless the sources say so."""
    if "cv.pdf" in site.files and not site.profile.cv and site.settings.cvs is None:
        message = "this file is published at /cv.pdf, and Tenure generates no CV"
        hint = "to link to it, write cv: cv.pdf in content/profile.yaml; to have a CV generated, delete it"
        problems.report("own-cv", Place("content/cv.pdf"), message, hint)


def resolve_pages(site: Site, problems: Problems) -> Site:
    """The site with its default pages, or with the pages of site.yaml by the program's names."""
    known_names = _list_page_names(site)

    def resolve(config: PageConfig) -> PageConfig:
        if config.pages is not None:
            return replace(config, pages=tuple(map(resolve, config.pages)))
        return _resolve_page_name(config, known_names, problems)

    pages = site.settings.pages
    pages = default_pages(site) if pages is None else tuple(map(resolve, pages))
    return replace(site, settings=replace(site.settings, pages=pages))


def _list_page_names(site: Site) -> frozenset[str]:
    """The names that an entry of `pages` can have."""
    texts = (*site.iterate_entries("prose"), *site.entries_of("pages"))
    return frozenset({"home", *PAGE_KINDS, *site.collections, *(text.id for text in texts)})


def _resolve_page_name(config: PageConfig, known_names: frozenset[str], problems: Problems) -> PageConfig:
    """
    A page by the program's name, "cv" for "Resume"; one with only a path, or a label beside it, by the path.

    {name: Resume} -> name "cv", and it is reported; {path: /talks/} -> name "talks"; {name: Vita, path: cv}
    -> name "cv", title "Vita". A page with sections of its own has another name only if it is of a kind of
    its own.
    """
    path = config.path.strip("/")
    known_names = known_names if config.sections is None else PAGE_KINDS | {"home"}
    if config.name in known_names:
        return config
    # {path: /talks/}
    if not config.name:
        name = "cv" if _find_page_name(path, PAGE_KINDS) == "cv" else path
        return replace(config, name=name) if name in known_names else config

    name = _find_page_name(config.name, known_names)
    title = config.title
    if path and path in known_names:
        name = path
        title = title or Markdown(config.name)
    if not name:
        return config

    message = f'"{config.name}" in pages is read as the page "{name}"'
    problems.report("alias", config.place_of("name"), message, f'write "{name}"')
    return replace(config, name=name, title=title)


def _find_page_name(written: str, known_names: frozenset[str]) -> str:
    """The program's name of a page: "cv" for "Curriculum Vitae"; "" if it has none."""
    wanted = PAGE_NAME_ALIASES.get(make_slug(written), written.casefold())
    return next((name for name in sorted(known_names) if name.casefold() == wanted), "")


def _shows_whole_projects(kind: str, sections: Iterable[Section]) -> bool:
    """Whether a page of a kind shows projects with their texts: it has no other lists, or is their page."""
    kinds = {section.kind for section in sections}
    if kind == "page":
        return kinds <= {"projects", "prose"}
    return kind == "projects" or (kind == "home" and kinds == {"projects"})


def _find_kind(path: str, name: str) -> str:
    """The kind of a page without a text."""
    if path == "/":
        return "home"
    return name if name in PAGE_KINDS else "page"


def _find_heading(config: PageConfig, text: Prose | None) -> Markdown:
    """The title of a text with its markup; "" if the page has another title."""
    if text and not config.title:
        return text.title
    return Markdown("")


def _list_contents(sections: Iterable[Section]) -> Iterator[PageLink]:
    """The links to the projects that a page shows whole."""
    for item in (item for section in sections if section.whole for item in section.items):
        if item.id:
            yield PageLink(title=Markdown(item.entry.name), path=f"#{item.id}", when=item.entry.entry_period)


def _open_projects(section: Section) -> Section:
    """The section; a list of projects then shows them with their texts, but not cards or a brief list."""
    is_list = section.kind == "projects" and section.view == "list" and not section.brief
    return replace(section, whole=is_list)


def _link_whole_lists(pages: Sequence[Page]) -> tuple[Page, ...]:
    """The pages with a link from each shortened list to the page of this list, if there is one."""
    # of two pages with one name, the first
    paths = {page.name: page.path for page in reversed(pages) if page.name and not page.entry}

    # a section with five of twelve talks leads to the page with all
    def link(section: Section) -> Section:
        is_whole = len(section.items) == section.total
        if is_whole:
            return section
        return replace(section, full_list_path=paths.get(section.name, ""))

    return tuple(
        page if page.kind in PAGE_KINDS else replace(page, sections=tuple(map(link, page.sections)))
        for page in pages
    )


def _report_unshown_lists(
    site: Site, pages: Sequence[Page], cvs: Sequence[CvConfig], problems: Problems
) -> None:
    """
    Report lists that no page and no CV shows, and texts that only the CV shows.

    People also own publications, and texts that nothing shows have other reports. Without a page that
    site.yaml names wrongly, a list may be shown nowhere: then only that is reported.
    """
    if any(p.level == "error" and p.place.file == "site.yaml" for p in problems.sorted_problems()):
        return
    on_pages = {section.name for page in pages if page.kind != "cv" for section in page.sections}
    configs: tuple[Page | CvConfig, ...] = (*pages, *cvs)
    shown = {section.name for config in configs for section in config.sections or ()}
    with_pages = {page.entry.source for page in pages if page.entry}
    for name, collection in site.collections.items():
        is_list = collection.kind not in ("prose", "pages", "publications") and name != "people"
        sources = [entry.source for entry in collection.entries]
        hint = f"add the line “- {name}” to pages, or to the sections of a page, in site.yaml"
        if is_list and name not in shown and with_pages.isdisjoint(sources):
            problems.report("unshown-list", sources[0], f'no page shows the list "{name}"', hint)
        elif collection.kind == "prose" and name in shown and name not in on_pages:
            problems.report("cv-only", sources[0], f'only the CV shows "{name}"', hint)


_ENTRY_PAGE_KINDS: Mapping[type[Entry], str] = {
    Publication: "publication",
    Project: "project",
    Person: "person",
    Post: "post",
}


def _name_start(entry: Entry) -> object:
    """What tells entries of one title apart: the year, or the id of one without a date."""
    start = entry.entry_period.start if entry.entry_period else None
    return start.year if start else entry.id


def _link_similar(paper: Publication) -> PageLink:
    """A publication as a link to its page, with its date and its venue."""
    return PageLink(
        title=paper.title, path=entry_page_path(paper), when=paper.entry_period, kind=paper.venue.short
    )


class _Planner(Record, dict=True):
    """Plans the pages of a site, and reports those that cannot be made."""

    site: Site
    problems: Problems
    documents: tuple[PageLink, ...]

    @cached_property
    def library(self) -> CitationLibrary:
        """The publications that texts can cite."""
        return CitationLibrary.for_site(self.site, entry_page_path)

    @cached_property
    def texts(self) -> Mapping[str, Prose]:
        """All texts that can have a page, by name; content/pages/ takes precedence over content/."""
        entries = (*self.site.iterate_entries("prose"), *self.site.entries_of("pages"))
        return {entry.id: entry for entry in entries if isinstance(entry, Prose)}

    @cached_property
    def page_names(self) -> frozenset[str]:
        """The names that an entry of `pages` can have."""
        return _list_page_names(self.site)

    def plan_entry(self, config: PageConfig) -> tuple[tuple[Page, ...], tuple[MenuItem, ...]]:
        """The pages and menu items of one entry of `pages`: a page, a group, or a link to another site."""
        if config.pages is not None:
            return self._plan_group(config, config.pages)
        language = self.site.settings.language
        # {title: Blog, path: https://example.org/}
        if config.title and config.sections is None and is_web_url(config.path):
            item = MenuItem(title=config.title, path=config.path, language=config.language or language)
            return (), (item,) if config.menu else ()

        page = self.plan_listed_page(config)
        if page is None:
            return (), ()
        item = MenuItem(title=page.title, path=page.path, language=page.language)
        # the title of the home page is the name of the site, and its item is "Home"
        if page.path == "/":
            title = self.site.active_theme.translations["page_home"]
            item = MenuItem(title=title, path="/", language=language)
        # a text with `menu: false`
        is_hidden = isinstance(page.entry, Prose) and not page.entry.menu
        return (page,), (item,) if config.menu and not is_hidden else ()

    def _plan_group(
        self, config: PageConfig, children: Sequence[PageConfig]
    ) -> tuple[tuple[Page, ...], tuple[MenuItem, ...]]:
        """The pages of a group of the menu, and the group; none if it is empty. A group in it is reported."""
        title = config.title or title_from_name(config.name)
        self._report_keys_of_group(config, title)

        pages: list[Page] = []
        items: list[MenuItem] = []
        for child in children:
            if child.pages is not None:
                message = f'the group "{child.title or child.name}" is within another group'
                self.problems.report(
                    "unknown-page", child.source, message, "list its pages in the outer group"
                )
                continue
            child_pages, child_items = self.plan_entry(child)
            pages += child_pages
            items += child_items

        language = self.site.settings.language
        group = MenuItem(title=title, path="", language=language, items=tuple(items))
        return tuple(pages), (group,) if items and config.menu else ()

    def _report_keys_of_group(self, config: PageConfig, title: str) -> None:
        """Report a group without a title, and what only a page can have: its path, intro and sections."""
        report = self.problems.report
        if not title:
            report("unknown-page", config.source, "a group of pages has no title", "add title: …")
        name = config.title or config.name
        for key in ("path", "intro", "sections"):
            if getattr(config, key):
                message = f'the group "{name}" has "{key}", but a group is no page of its own'
                hint = f"move {key} to a page in its pages"
                report("unknown-page", config.key_place_of(key), message, hint)

    def plan_unlisted_texts(self, listed_pages: Iterable[Page]) -> list[Page]:
        """The pages of files of content/pages/ that `pages` does not list: published, but not in the menu."""
        listed = {page.entry.source for page in listed_pages if page.entry}
        texts = [text for text in self.site.entries_of("pages") if text.source not in listed]
        configs = (PageConfig(name=text.id, source=text.source) for text in texts)
        return [*filter(None, map(self.plan_listed_page, configs))]

    def plan_listed_page(self, config: PageConfig) -> Page | None:
        """Plan the page of one entry of `pages`; None if the page is empty or the entry was reported."""
        text = self.texts.get(config.name)
        path = self._find_path(config, text)
        if not path:
            return None

        sections = config.sections
        # one that says both what it shows and where it is keeps its path
        is_home = config.name == "home" and (sections is None or not config.path)
        config = replace(config, path="/" if is_home else normalize_path(path))
        # what it shows: its own sections, else those of a list or a CV, else the text with its name
        if sections is None:
            sections = self._list_default_sections(config)
        if sections is None and text is not None:
            return self._make_page(config, (), text)
        if sections is None:
            self._report_unknown_page(config)
            return None

        page = self._make_page(config, sections)
        # an empty page is made only as the home page, or for an intro beside its sections
        is_wanted = page.path == "/" or (config.sections is not None and page.intro)
        return page if page.sections or is_wanted else None

    def _find_path(self, config: PageConfig, text: Prose | None) -> str:
        """The path of a page: that in `pages`, that of its text, or its name; "" if it is not valid."""
        if report_invalid_path(config.path, config.place_of("path"), self.problems):
            return ""
        text_path = text.path if text else ""
        path = config.path or text_path or f"/{config.name}/"
        # that of a text is reported at the text, and only if it is used
        if text and path == text_path and report_invalid_path(path, text.place_of("path"), self.problems):
            return ""
        return path

    def _list_default_sections(self, config: PageConfig) -> tuple[SectionConfig, ...] | None:
        """The sections of a page that lists none; None for a text, and for a name that nothing has."""
        if config.path == "/" or config.name == "home":
            return default_home_sections(self.site)
        if config.name == "cv":
            return default_cv_sections(self.site)
        if config.name in self.page_names and config.name not in self.texts:
            return (SectionConfig(name=config.name, title=Markdown(""), source=config.source),)
        return None

    def _report_unknown_page(self, config: PageConfig) -> None:
        """Report a page without content, unless its source file exists, whose mistakes are reported."""
        name = config.name
        path_name = config.path.strip("/")
        message = f'there is no page "{name}"'

        if not name:
            message = f"the page {config.path} has no sections"
            hint = f"add sections: [{path_name if path_name in self.page_names else 'about'}]"
            if path_name.endswith(".pdf"):
                hint = "write cv: the page with your CV, which links to the PDF"
        # the file, or the .bib file of the list, has a mistake that is reported
        elif has_source_file(name, self.problems) or any(
            section.name == name for section in self.site.settings.bib_sections
        ):
            return
        elif name in ("alumni", "former", "past-members") and self.site.people:
            hint = f"write {{path: {name}, sections: [people: {{show: past}}]}}"
        elif "/" in name:
            hint = f"write - path: {name}, and its sections below"
        else:
            new_page = f"{{path: /{make_slug(name)}/, sections: […]}}, or "
            hint = suggest_repair(name, self.page_names, new_page)

        self.problems.report("unknown-page", config.place_of("name"), message, hint)

    def _make_page(
        self, config: PageConfig, section_configs: Iterable[SectionConfig], text: Prose | None = None
    ) -> Page:
        """Make a page with its sections, without the empty ones, or the page of a text."""
        language = config.language
        if text:
            language = language or text.language
        site = self.site.with_language(language or self.site.settings.language)

        name = config.name or config.path.strip("/")
        kind = _find_kind(config.path, name) if text is None else "page"
        sections = self._make_sections(site, section_configs, kind)

        # `title:` in pages, the title of the text, or that of the list: "Talks"
        label = config.title or (text and plain_text(text.title))
        label = label or find_list_title(site, name, "page", "section")
        title = site.title if kind == "home" and not config.title else label
        description = self._describe_page(config, kind, text)
        return Page(
            path=config.path,
            kind=kind,
            title=title,
            name=name,
            heading=_find_heading(config, text) or Markdown(keep_field_html(title, has_blocks=False)),
            description=description or f"{label} – {self.site.profile.name}",
            intro=config.intro,
            sections=sections,
            entry=text,
            contents=tuple(_list_contents(sections)),
            documents=self.documents if kind == "cv" else (),
            language=site.settings.language,
            source=text.source if text else config.source,
        )

    def _make_sections(self, site: Site, configs: Iterable[SectionConfig], kind: str) -> tuple[Section, ...]:
        """The sections of a page of a kind, without the empty ones."""
        sections: list[Section] = []
        for config in configs:
            if kind != "cv":
                self._report_uncounted_lengths(config)
            section = make_section(site, config, kind, sections, self.problems)
            if section is not None:
                sections.append(section)

        if _shows_whole_projects(kind, sections):
            sections = [*map(_open_projects, sections)]
        return tuple(sections)

    def _report_uncounted_lengths(self, config: SectionConfig) -> None:
        """Report limits of the length of a section that no CV has."""
        for key in ("words", "characters"):
            if getattr(config, key):
                message = f"“{key}” of “{config.name}” is counted in a CV only"
                section = f"{config.name}: {{{key}: …}}"
                hint = f"move it to the section of a CV: cvs: {{cv: {{sections: […, {section}]}}}}"
                self.problems.report("unused-key", config.key_place_of(key), message, hint)

    def _describe_page(self, config: PageConfig, kind: str, text: Prose | None) -> str:
        """The beginning of the text or of the intro of a page; of the home page, or who the owner is."""
        source = text.summary or text.body if text else config.intro
        description = self._make_excerpt(source)
        if description or kind != "home":
            return description
        profile = self.site.profile
        affiliations = ", ".join(affiliation.name for affiliation in profile.affiliation)
        parts = (profile.name, plain_text(profile.role), affiliations)
        return self.site.settings.description or ", ".join(filter(None, parts))

    def _make_excerpt(self, text: str, *, cites: bool = True) -> str:
        """The beginning of a text, without links; citations are removed if `cites`."""
        source = self.library.render_without_links(text) if cites else text
        # the end of the first paragraphs, whose text alone should be long enough
        end = source.find("\n\n", 4 * MAX_EXCERPT_LENGTH)
        # HTML, code and references may end further below
        is_whole = end < 0 or any(mark in source for mark in ("<", "```", "~~~", "]:"))
        excerpt = " ".join(plain_text(source if is_whole else source[:end]).split())
        # the paragraphs were mostly markup
        if len(excerpt) <= MAX_EXCERPT_LENGTH and not is_whole:
            excerpt = " ".join(plain_text(source).split())
        if len(excerpt) <= MAX_EXCERPT_LENGTH:
            return excerpt
        # up to the last whole word
        return excerpt[: MAX_EXCERPT_LENGTH - 1].rsplit(" ", 1)[0] + "…"

    def plan_entry_pages(self, backlinks: Mapping[str, list[PageLink]]) -> Iterator[Page]:
        """The pages of publications, projects, people and posts; `backlinks` are by keys of publications."""
        similar = find_similar(self.site)
        for collection in self.site.collections.values():
            title_counts = Counter(plain_text(entry.name) for entry in collection.entries)
            earlier, later = link_neighbouring_posts(collection.entries, entry_page_path)
            for entry in collection.entries:
                path = entry_page_path(entry)
                if not path:
                    continue
                title = plain_text(entry.name)
                heading = Markdown(entry.name)
                # of two posts with one title: "Slides (2023)"; without a heading, the page shows its title
                if title_counts[title] > 1:
                    title = f"{title} ({_name_start(entry)})"
                    heading = Markdown("")

                language = entry.language or collection.language
                related: tuple[PageLink, ...] = ()
                mentions: Sequence[PageLink] = ()
                if isinstance(entry, Publication):
                    # the page of a publication is always in the site's language
                    language = Language("")
                    related = tuple(map(_link_similar, similar.get(entry.id, ())))
                    mentions = backlinks.get(entry.key, ())
                yield Page(
                    path=path,
                    kind=_ENTRY_PAGE_KINDS[type(entry)],
                    title=title,
                    heading=heading,
                    description=self._describe_entry(entry) or f"{title} – {self.site.profile.name}",
                    entry=entry,
                    sections=self._make_person_sections(entry) if isinstance(entry, Person) else (),
                    mentions=tuple(mentions),
                    related=related,
                    previous=earlier.get(id(entry)),
                    next=later.get(id(entry)),
                    language=language or self.site.settings.language,
                    source=entry.source,
                )

    def _describe_entry(self, entry: Entry) -> str:
        """The beginning of the text of an entry; the abstract of a publication has no citations."""
        text = getattr(entry, "abstract", "") or entry.summary or getattr(entry, "tagline", "") or entry.body
        return self._make_excerpt(text, cites=not isinstance(entry, Publication))

    def _make_person_sections(self, person: Person) -> tuple[Section, ...]:
        """A section for each list with publications of the person or entries that name the person."""
        is_advisor = any(person.id in other.advisors for other in self.site.people)
        configs = []
        for name in sort_collections(self.site, PERSON_PAGE_ORDER):
            if any(is_by_person(entry, (person.id,)) for entry in self.site.entries_of(name)):
                # people who name the person are those whom the person advises
                config = SectionConfig(name=name, by=(person.id,), past="table" if name == "people" else None)
                if name == "people" and is_advisor:
                    title = self.site.active_theme.translations["section_advisees"]
                    config = replace(config, title=Markdown(title))
                configs.append(config)
        return self._make_sections(self.site, configs, "page")

    def plan_tag_page(self, tag: PageTag) -> Page:
        """The page of a tag of posts and news, with a section for each list with tagged entries."""
        configs = (
            SectionConfig(name=name, tag=tag.spellings)
            for name in sort_collections(self.site, TAG_PAGE_ORDER)
            if self.site.collections[name].kind != "prose"
            and any(set(tag.spellings) & set(entry.tags) for entry in self.site.entries_of(name))
        )
        title = self.site.active_theme.translations["page_tag"].format(tag=tag.name)
        return replace(self._make_page(PageConfig(path=tag.path, title=title), configs), heading=Markdown(""))
