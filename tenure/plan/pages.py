"""The pages of a site with their paths, the menu, and the links between pages."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from tenure.markdown.html import plain_text
from tenure.model.entries import Entry, Markdown, Person, Post, Project, Prose, Publication
from tenure.model.field_html import keep_field_html
from tenure.model.languages import Language
from tenure.model.people import is_by_person, person_page_path
from tenure.model.places import UNKNOWN_PLACE
from tenure.model.site import CvConfig, PageConfig, SectionConfig, Site
from tenure.plan.citations import CitationLibrary, check_citations
from tenure.plan.kinds import (
    PAGE_LISTS,
    PAGE_NAME_ALIASES,
    PERSON_PAGE_ORDER,
    TAG_PAGE_ORDER,
    default_cv_sections,
    default_home_sections,
    default_pages,
    resolve_cvs,
    sort_collections,
    title_from_name,
)
from tenure.plan.markdown_lint import check_markdown
from tenure.plan.paths import is_web_url, normalize_path, report_invalid_path
from tenure.plan.related import PageLink, PageVersion, find_backlinks, find_similar, link_neighbouring_posts
from tenure.plan.sections import STATISTICS, Section, has_source_file, make_section, suggest_repair
from tenure.plan.tags import PageTag, collect_tags, count_members, count_topics
from tenure.problems import Place, Problems
from tenure.record import Record, field, replace

MAX_EXCERPT_LENGTH = 160
"""Maximum number of characters of a description: search engines cut longer ones."""


class Page(Record, kw_only=True):
    """
    A page of the site: the decision that something exists at a URL.

    `path` begins and ends with a slash ("/", "/talks/") or names a file ("/404.html"). `kind` selects the template.
    `entry` is set if the page shows one entry; `mentions` then link to the pages that name it, and `related` to
    similar publications. `pdf_links` are the PDFs of a CV page. `previous` and `next` are the neighbours in the
    menu, or the earlier and the later post. `language` is the site's language unless the page has its own. `heading` is the title with its markup; where it
    is empty, the title is plain text. `folder` is that of the site's language in the output ("de/"), "" for the main
    language; `versions` are the page in all languages of the site, () if it has one language.
    """

    path: str
    kind: str
    title: str
    heading: Markdown = Markdown("")
    description: str = ""
    intro: Markdown = Markdown("")
    sections: tuple[Section, ...] = ()
    entry: Entry | None = None
    contents: tuple[PageLink, ...] = ()
    mentions: tuple[PageLink, ...] = ()
    related: tuple[PageLink, ...] = ()
    pdf_links: tuple[PageLink, ...] = ()
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
        return f"{self.url_path[1:]}index.html" if self.path.endswith("/") else self.url_path[1:]

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

    `folder` is that of the language in the output ("de/"), "" for the main language; `original_paths` are then the paths of
    pages by Markdown file of the main language, to which a translated text may link. `translations` are the plans for the
    other languages.
    """

    pages: tuple[Page, ...]
    menu: tuple[MenuItem, ...]
    cvs: tuple[CvConfig, ...] = ()
    pdf_links: tuple[PageLink, ...] = ()
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

    def page_at(self, path: str) -> Page:
        """The page with this path; raises KeyError for an unknown path."""
        for page in self.pages:
            if page.path == path:
                return page
        raise KeyError(path)


def entry_page_path(entry: Entry) -> str:
    """Path of the entry's own page, or "" if it has none."""
    if isinstance(entry, Publication):
        return f"/publications/{entry.id}/" if entry.page else ""
    if isinstance(entry, Person):
        return person_page_path(entry)
    if isinstance(entry, Project) and entry.body:
        return f"/projects/{entry.id}/"
    return f"/posts/{entry.id}/" if isinstance(entry, Post) else ""


def plan_pages(site: Site, problems: Problems, *, pdf_available: bool = False) -> Plan:
    """Plan all pages of a site and report pages that cannot be made. CVs are typeset if `pdf_available`."""
    planner = _Planner(site, problems)
    configs = default_pages(site) if site.settings.pages is None else site.settings.pages
    planned = [planner.plan_entry(config) for config in configs]
    if not any(page.path == "/" for pages, _ in planned for page in pages):
        home = PageConfig(name="home", path="/", menu=not any(pages for pages, _ in planned))
        planned = [planner.plan_entry(home), *planned]
    menu = tuple(item for _, items in planned for item in items)
    listed_pages = [page for pages, _ in planned for page in pages]
    other_pages = [
        *planner.plan_entry_pages(),
        *planner.plan_unlisted_pages(listed_pages),
        *map(planner.plan_tag_page, collect_tags(site)),
    ]
    cvs = resolve_cvs(site)
    _report_own_cv_file(site, listed_pages, cvs, problems)
    _report_unshown_lists(site, [*listed_pages, *other_pages], cvs, problems)
    pdf_links = tuple(
        PageLink(title=_label_pdf(cv, cvs), path=f"/{cv.name}.pdf") for cv in cvs if pdf_available
    )
    listed_pages = [
        replace(page, pdf_links=pdf_links) if page.kind == "cv" else page for page in listed_pages
    ]
    not_found = Page(
        path="/404.html",
        kind="404",
        title=site.active_theme.translations["page_404"],
        description=site.title,
        language=site.settings.language,
    )
    pages = [*_link_neighbours(listed_pages, menu), *other_pages, not_found]
    item_urls: dict[tuple[Place, str], str] = {}
    for page in listed_pages:
        for item in (item for section in page.sections for item in section.items if item.id):
            item_urls.setdefault((item.entry.source, item.entry.id), f"{page.path}#{item.id}")
    item_urls |= {(page.entry.source, page.entry.id): page.path for page in pages if page.entry}
    check_citations(site, planner.library, problems)
    check_markdown(site, problems)
    mentions_by_key = find_backlinks(site, item_urls, planner.library, entry_page_path)
    related_by_id = find_similar(site)
    return Plan(
        pages=tuple(_link_related_items(page, mentions_by_key, related_by_id) for page in pages),
        menu=menu,
        cvs=cvs,
        pdf_links=pdf_links,
    )


def _report_own_cv_file(
    site: Site, pages: Sequence[Page], cvs: Sequence[CvConfig], problems: Problems
) -> None:
    """Report content/cv.pdf if it prevents the generated CV and the profile does not name it."""
    is_silent = "cv.pdf" in site.files and not site.profile.cv and site.settings.cvs is None
    if is_silent and not cvs and any(page.kind == "cv" for page in pages):
        message = "this file is published at /cv.pdf, and Tenure generates no CV"
        hint = "to link to it, write cv: cv.pdf in content/profile.yaml; to have a CV generated, delete it"
        problems.report("own-cv", Place("content/cv.pdf"), message, hint)


def _report_unshown_lists(
    site: Site, pages: Sequence[Page], cvs: Sequence[CvConfig], problems: Problems
) -> None:
    """
    Report lists that no page and no CV shows; people are also owners of publications, and texts have other reports.

    Without a page that site.yaml names wrongly, a list may be shown nowhere: then only that error is reported.
    """
    if any(p.level == "error" and p.place.file == "site.yaml" for p in problems.sorted_problems()):
        return
    shown = {section.name for page in pages for section in page.sections}
    shown |= {section.name for cv in cvs for section in cv.sections or ()}
    with_pages = {page.entry.source for page in pages if page.entry}
    for name, collection in site.collections.items():
        is_list = collection.kind not in ("prose", "pages", "publications") and name != "people"
        if (
            is_list
            and name not in shown
            and with_pages.isdisjoint(entry.source for entry in collection.entries)
        ):
            place = collection.entries[0].source
            hint = f"add the line “- {name}” to pages, or to the sections of a page, in site.yaml"
            problems.report("unshown-list", place, f'no page shows the list "{name}"', hint)


def _label_pdf(cv: CvConfig, cvs: Sequence[CvConfig]) -> Markdown:
    """The title of a CV, with the name of its language if another CV has the same title."""
    is_alone = [other.title for other in cvs].count(cv.title) == 1
    return Markdown(cv.title if is_alone or not cv.language else f"{cv.title}, {cv.language.native_name}")


def _link_neighbours(pages: Sequence[Page], menu: Sequence[MenuItem]) -> Iterator[Page]:
    """The pages with links to the previous and the next page of the menu."""
    items = [item for entry in menu for item in (entry.items or (entry,)) if not is_web_url(item.path)]
    links = [None, *(PageLink(title=Markdown(item.title), path=item.path) for item in items), None]
    positions = {item.path: number for number, item in enumerate(items, 1)}
    for page in pages:
        number = positions.get(page.path)
        yield page if number is None else replace(page, previous=links[number - 1], next=links[number + 1])


class _Planner(Record, dict=True):
    """Plans the pages of a site, and reports those that cannot be made."""

    site: Site
    problems: Problems

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
        return frozenset({"home", "cv", *self.site.collections, *PAGE_LISTS, STATISTICS, *self.texts})

    def plan_entry(self, config: PageConfig) -> tuple[tuple[Page, ...], tuple[MenuItem, ...]]:
        """The pages and menu items of one entry of `pages` in site.yaml, which is a page, a group, or a link to another site."""
        site_language = self.site.settings.language
        if config.pages is None and config.title and config.sections is None and is_web_url(config.path):
            item = MenuItem(title=config.title, path=config.path, language=config.language or site_language)
            return (), (item,) if config.menu else ()
        if config.pages is None:
            config, page = self._plan_listed_page(config)
            if page is None:
                return (), ()
            item = MenuItem(title=page.title, path=page.path, language=page.language)
            if page.path == "/":
                home = self.site.active_theme.translations["page_home"]
                item = MenuItem(title=home, path="/", language=site_language)
            return (page,), (item,) if config.menu else ()
        self._report_invalid_group(config)
        planned = [self.plan_entry(child) for child in config.pages if child.pages is None]
        items = tuple(item for _, items in planned for item in items)
        title = config.title or _title_from_path(config.name)
        group = MenuItem(title=title, path="", language=site_language, items=items)
        pages = tuple(page for pages, _ in planned for page in pages)
        return pages, (group,) if items and config.menu else ()

    def _report_invalid_group(self, group: PageConfig) -> None:
        """Report keys that a group of the menu cannot have: a path, contents, or another group."""
        group_name, report = group.title or group.name, self.problems.report
        if not group_name:
            report("unknown-page", group.source, "a group of pages has no title", "add title: …")
        for key in ("path", "intro", "sections"):
            if getattr(group, key):
                message = f'the group "{group_name}" has "{key}", but a group is no page of its own'
                report("unknown-page", group.key_place_of(key), message, f"move {key} to a page in its pages")
        for inner_group in (page for page in group.pages or () if page.pages is not None):
            message = f'the group "{inner_group.title or inner_group.name}" is within another group'
            report("unknown-page", inner_group.source, message, "list its pages in the outer group")

    def _plan_listed_page(self, config: PageConfig) -> tuple[PageConfig, Page | None]:
        """Plan the page of one entry of `pages`; None if the page is empty or the entry was reported."""
        if report_invalid_path(config.path, config.place_of("path"), self.problems):
            return config, None
        config = self._resolve_page_name(config)
        name, text = config.name, self.texts.get(config.name)
        path = config.path or (text.path if text else "") or ("/" if name == "home" else f"/{name}/")
        if text and path == text.path and report_invalid_path(path, text.place_of("path"), self.problems):
            return config, None
        config = replace(
            config, path=normalize_path("/" if name == "home" and config.sections is None else path)
        )
        sections = config.sections
        if sections is None and (config.path == "/" or name == "home"):
            sections = default_home_sections(self.site)
        elif sections is None and name == "cv":
            sections = default_cv_sections(self.site)
        elif sections is None and text is not None:
            return replace(config, menu=config.menu and text.menu), self._make_text_page(config, text)
        elif sections is None and name in self.page_names:
            sections = (SectionConfig(name=name, title=Markdown(""), source=config.source),)
        elif sections is None:
            self._report_unknown_page(config)
            return config, None
        page = self._make_page(config, sections)
        is_shown = page.sections or page.path == "/" or (config.sections is not None and page.intro)
        return config, page if is_shown else None

    def _resolve_page_name(self, config: PageConfig) -> PageConfig:
        """Replace another name of a page ("CV", "Blog", or a label beside its path) with the program's name; name a list by its path."""
        path, known_names = config.path.strip("/"), self.page_names
        if config.sections is not None or config.name in known_names:
            return config
        if not config.name:
            is_list = path in self.site.collections or path in PAGE_LISTS
            return replace(config, name=path) if is_list else config
        wanted_name = PAGE_NAME_ALIASES.get(config.name.casefold(), config.name.casefold())
        name = next((name for name in sorted(known_names) if name.casefold() == wanted_name), "")
        title = config.title
        if path in known_names and config.path:
            name, title = path, config.title or Markdown(config.name)
        if not name:
            return config
        message = f'"{config.name}" in pages is read as the page "{name}"'
        self.problems.report("alias", config.place_of("name"), message, f'write "{name}"')
        return replace(config, name=name, title=title)

    def _report_unknown_page(self, config: PageConfig) -> None:
        """Report a page without content, unless its source file exists: an invalid file is reported already."""
        name, path_name = config.name, config.path.strip("/")
        message = f'there is no page "{name}"'
        if not name:
            message = f"the page {config.path} has no sections"
            hint = f"add sections: [{path_name if path_name in self.page_names else 'about'}]"
            if path_name.endswith(".pdf"):
                hint = "write cv: the page with your CV, which links to the PDF"
        elif has_source_file(name, self.problems) or any(
            section.name == name for section in self.site.settings.bib_sections
        ):
            return
        elif name in ("alumni", "former", "past-members") and self.site.people:
            hint = f"write {{path: {name}, sections: [people: {{show: past}}]}}"
        elif "/" in name:
            hint = f"write - path: {name}, and its sections below"
        else:
            hint = suggest_repair(name, self.page_names)
        self.problems.report("unknown-page", config.place_of("name"), message, hint)

    def _make_page(self, config: PageConfig, section_configs: Iterable[SectionConfig]) -> Page:
        """Make a page with its sections; omit empty sections."""
        site = self.site.with_language(config.language or self.site.settings.language)
        name = config.name or config.path.strip("/")
        kind = "page"
        if config.path == "/" or name in ("cv", *PAGE_LISTS):
            kind = "home" if config.path == "/" else name
        sections: list[Section] = []
        for section_config in section_configs:
            section = make_section(site, section_config, kind, sections, self.problems)
            if section is not None:
                sections.append(section)
        if kind not in ("home", "page"):  # the page has the full list
            sections = [replace(section, full_list_path="") for section in sections]
        collection, translations = site.collections.get(name), site.active_theme.translations
        list_title = collection.title if collection else ""
        list_title = (
            list_title or translations.get(f"page_{name}") or translations.get(f"section_{name}") or ""
        )
        list_title = list_title or _title_from_path(name)
        title = config.title or (site.title if kind == "home" else list_title)
        return Page(
            path=config.path,
            kind=kind,
            title=title,
            heading=Markdown(keep_field_html(title, has_blocks=False)),
            description=self._describe_page(config, kind, config.title or list_title),
            intro=config.intro,
            sections=tuple(sections),
            contents=tuple(
                PageLink(title=Markdown(item.entry.name), path=f"#{item.id}", when=item.entry.entry_period)
                for section in sections
                for item in section.items
                if kind == section.kind == "projects" and item.id
            ),
            language=site.settings.language,
            source=config.source,
        )

    def _describe_page(self, config: PageConfig, kind: str, title: str) -> str:
        """Description of a page for search engines, one sentence."""
        profile = self.site.profile
        if config.intro:
            return self._make_excerpt(config.intro)
        if kind != "home":
            return f"{title} – {profile.name}"
        affiliations = ", ".join(affiliation.name for affiliation in profile.affiliation)
        parts = (profile.name, plain_text(profile.role), affiliations)
        return self.site.settings.description or ", ".join(filter(None, parts))

    def _make_excerpt(self, text: str, *, cites: bool = True) -> str:
        """The beginning of a text, without links; citations are removed if `cites`."""
        source = self.library.render_without_links(text) if cites else text
        end = source.find("\n\n", 4 * MAX_EXCERPT_LENGTH)
        # HTML, code and references may end further below
        is_whole = end < 0 or any(mark in source for mark in ("<", "```", "~~~", "]:"))
        excerpt = " ".join(plain_text(source if is_whole else source[:end]).split())
        if len(excerpt) <= MAX_EXCERPT_LENGTH and not is_whole:
            excerpt = " ".join(plain_text(source).split())
        if len(excerpt) <= MAX_EXCERPT_LENGTH:
            return excerpt
        return excerpt[: MAX_EXCERPT_LENGTH - 1].rsplit(" ", 1)[0] + "…"

    def _make_text_page(self, config: PageConfig, text: Prose) -> Page:
        title = plain_text(text.title)
        description = self._make_excerpt(text.summary or text.body)
        return Page(
            path=config.path,
            kind="page",
            title=config.title or title or _title_from_path(text.id),
            heading=Markdown(keep_field_html(config.title, has_blocks=False)) or text.title,
            description=description or f"{title} – {self.site.profile.name}",
            intro=config.intro,
            entry=text,
            language=config.language or text.language or self.site.settings.language,
            source=text.source,
        )

    def plan_unlisted_pages(self, listed_pages: Iterable[Page]) -> Iterator[Page]:
        """The files of content/pages/ that `pages` does not list; they are published, but not in the menu."""
        listed_sources = {page.entry.source for page in listed_pages if page.entry}
        for text in self.site.entries_of("pages"):
            if text.source not in listed_sources:
                page = self._plan_listed_page(PageConfig(name=text.id, source=text.source))[1]
                if page is not None:
                    yield page

    def plan_entry_pages(self) -> Iterator[Page]:
        """The pages of publications, projects, people and posts."""
        for collection in self.site.collections.values():
            title_counts = Counter(plain_text(entry.name) for entry in collection.entries)
            earlier, later = link_neighbouring_posts(collection.entries, entry_page_path)
            for entry in collection.entries:
                path, is_publication = entry_page_path(entry), isinstance(entry, Publication)
                if not path:
                    continue
                title, heading = plain_text(entry.name), Markdown(entry.name)
                if title_counts[title] > 1:
                    start = entry.entry_period.start if entry.entry_period else None
                    heading, title = Markdown(""), f"{title} ({start.year if start else entry.id})"
                abstract, tagline = getattr(entry, "abstract", ""), getattr(entry, "tagline", "")
                excerpt = self._make_excerpt(
                    abstract or entry.summary or tagline or entry.body, cites=not is_publication
                )
                # the page of a publication is always in the site's language
                language = "" if is_publication else entry.language or collection.language
                kinds = {Publication: "publication", Project: "project", Person: "person", Post: "post"}
                yield Page(
                    path=path,
                    kind=kinds[type(entry)],
                    title=title,
                    heading=heading,
                    description=excerpt or f"{title} – {self.site.profile.name}",
                    entry=entry,
                    sections=self._make_person_sections(entry) if isinstance(entry, Person) else (),
                    previous=earlier.get(id(entry)),
                    next=later.get(id(entry)),
                    language=Language(language) or self.site.settings.language,
                    source=entry.source,
                )

    def _make_person_sections(self, person: Person) -> tuple[Section, ...]:
        """A section for each list with publications of the person or entries that name the person."""
        is_advisor = any(person.id in other.advisors for other in self.site.people)
        configs = [
            SectionConfig(name=name, by=(person.id,), past="table" if name == "people" else None)
            for name in sort_collections(self.site, PERSON_PAGE_ORDER)
            if any(is_by_person(entry, (person.id,)) for entry in self.site.entries_of(name))
        ]
        if is_advisor:
            title = Markdown(self.site.active_theme.translations["section_advisees"])
            configs = [replace(c, title=title) if c.name == "people" else c for c in configs]
        return self._make_page(PageConfig(path=person_page_path(person)), configs).sections

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


def _title_from_path(path: str) -> str:
    return title_from_name(path.rpartition("/")[2].strip("-_ "))


def _link_related_items(
    page: Page,
    mentions_by_key: Mapping[str, list[PageLink]],
    related_by_id: Mapping[str, tuple[Publication, ...]],
) -> Page:
    """Add links to mentions and related publications to the page of a publication."""
    if not isinstance(page.entry, Publication):
        return page
    mention_links = tuple(mentions_by_key.get(page.entry.key, ()))
    related_links = tuple(
        PageLink(
            title=paper.title, path=entry_page_path(paper), when=paper.entry_period, kind=paper.venue.short
        )
        for paper in related_by_id.get(page.entry.id, ())
    )
    return replace(page, mentions=mention_links, related=related_links)
