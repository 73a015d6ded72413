"""The pages of a site with their paths, the menu, and the links between pages."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tenure.markdown.html import plain_text
from tenure.model.entries import Entry, Markdown, Person, Post, Project, Prose, Publication
from tenure.model.field_html import keep_field_html
from tenure.model.languages import Language
from tenure.model.people import person_page_path
from tenure.model.places import UNKNOWN_PLACE
from tenure.model.site import Collection, CvConfig, PageConfig, SectionConfig, Site
from tenure.plan.citations import CitationLibrary, check_citations
from tenure.plan.default_pages import (
    COLLECTION_PAGES,
    default_cv_sections,
    default_home_sections,
    default_pages,
    resolve_cvs,
    title_from_name,
)
from tenure.plan.markdown_lint import check_markdown
from tenure.plan.paths import is_web_url, normalize_path, report_invalid_path
from tenure.plan.related import PageLink, PageVersion, find_backlinks, find_similar, link_neighbouring_posts
from tenure.plan.sections import STATISTICS, ListItem, Section, has_source_file, make_section, suggest_repair
from tenure.plan.tags import (
    collect_tags,
    count_members,
    count_topics,
    person_page_sections,
    tag_page_sections,
)
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


def plan_pages(site: Site, problems: Problems, *, pdf_available: bool = False) -> Plan:
    """Plan all pages of a site and report pages that cannot be made. CVs are typeset if `pdf_available`."""
    page_configs = site.settings.pages
    planned = [
        _PlannedPages.from_config(site, config, problems)
        for config in (default_pages(site) if page_configs is None else page_configs)
    ]
    if not any(page.path == "/" for entry in planned for page in entry.pages):
        home = PageConfig(name="home", path="/", menu=not any(entry.pages for entry in planned))
        page = _make_page(site, home, default_home_sections(site), problems)
        planned = [_PlannedPages((page,), (_make_menu_item(site, page),) if home.menu else ()), *planned]
    menu = tuple(item for entry in planned for item in entry.menu_items)
    listed_pages = [page for entry in planned for page in entry.pages]
    other_pages = [
        *_plan_entry_pages(site, problems),
        *_plan_unlisted_pages(site, listed_pages, problems),
        *_plan_tag_pages(site, problems),
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
    pages = [*_link_neighbours(listed_pages, menu), *other_pages, _make_not_found_page(site)]
    item_urls = {
        (item.entry.source, item.entry.id): f"{page.path}#{item.id}"
        for page, item in reversed(list(_iterate_anchored_items(listed_pages)))
    }
    item_urls |= {(page.entry.source, page.entry.id): page.path for page in pages if page.entry}
    library = CitationLibrary.for_site(site, entry_page_path)
    check_citations(site, library, problems)
    check_markdown(site, problems)
    mentions_by_key = find_backlinks(site, item_urls, library, entry_page_path)
    related_by_id = find_similar(site)
    linked_pages = tuple(_link_related_items(page, mentions_by_key, related_by_id) for page in pages)
    return Plan(pages=linked_pages, menu=menu, cvs=cvs, pdf_links=pdf_links)


def _label_pdf(cv: CvConfig, cvs: Sequence[CvConfig]) -> Markdown:
    """The title of a CV, with the name of its language if another CV has the same title."""
    is_alone = [other.title for other in cvs].count(cv.title) == 1
    return Markdown(cv.title if is_alone or not cv.language else f"{cv.title}, {cv.language.native_name}")


class _PlannedPages(Record):
    """The pages and menu items of one entry of `pages` in site.yaml, which is a page or a group."""

    pages: tuple[Page, ...]
    menu_items: tuple[MenuItem, ...]

    @classmethod
    def from_config(cls, site: Site, config: PageConfig, problems: Problems) -> "_PlannedPages":
        """Plan a page or a group; report errors."""
        if config.pages is None and config.title and config.sections is None and is_web_url(config.path):
            language = config.language or site.settings.language
            item = MenuItem(title=config.title, path=config.path, language=language)
            return cls((), (item,) if config.menu else ())
        if config.pages is None:
            config, page = _plan_listed_page(site, config, problems)
            if page is None:
                return cls((), ())
            return cls((page,), (_make_menu_item(site, page),) if config.menu else ())
        _report_invalid_group(config, problems)
        entries = [cls.from_config(site, child, problems) for child in config.pages if child.pages is None]
        items = tuple(item for entry in entries for item in entry.menu_items)
        title = config.title or _title_from_path(config.name)
        group = MenuItem(title=title, path="", language=site.settings.language, items=items)
        return cls(
            tuple(p for entry in entries for p in entry.pages), (group,) if items and config.menu else ()
        )


def _report_invalid_group(group: PageConfig, problems: Problems) -> None:
    """Report keys that a group of the menu cannot have: a path, contents, or another group."""
    group_name = group.title or group.name
    if not group_name:
        problems.report("unknown-page", group.source, "a group of pages has no title", "add title: …")
    page_keys = {"path": group.path, "intro": group.intro, "sections": group.sections}
    for key in (key for key, value in page_keys.items() if value):
        message = f'the group "{group_name}" has "{key}", but a group is no page of its own'
        problems.report(
            "unknown-page", group.key_place_of(key), message, f"move {key} to a page in its pages"
        )
    for inner_group in (page for page in group.pages or () if page.pages is not None):
        message = f'the group "{inner_group.title or inner_group.name}" is within another group'
        problems.report("unknown-page", inner_group.source, message, "list its pages in the outer group")


def _link_neighbours(pages: Sequence[Page], menu: Sequence[MenuItem]) -> list[Page]:
    """The pages with links to the previous and the next page of the menu."""
    entries = [item for entry in menu for item in (entry.items or (entry,))]
    items = [item for item in entries if not is_web_url(item.path)]
    positions = {item.path: number for number, item in enumerate(items)}

    def find_neighbour(path: str, step: int) -> PageLink | None:
        number = positions[path] + step if path in positions else -1
        if not 0 <= number < len(items):
            return None
        return PageLink(title=Markdown(items[number].title), path=items[number].path)

    return [
        replace(page, previous=find_neighbour(page.path, -1), next=find_neighbour(page.path, 1))
        for page in pages
    ]


def _make_menu_item(site: Site, page: Page) -> MenuItem:
    if page.path == "/":
        title, language = site.active_theme.translations["page_home"], site.settings.language
        return MenuItem(title=title, path=page.path, language=language)
    return MenuItem(title=page.title, path=page.path, language=page.language)


def _plan_listed_page(site: Site, config: PageConfig, problems: Problems) -> tuple[PageConfig, Page | None]:
    """Plan the page of one entry of `pages`; None if the page is empty or the entry was reported."""
    if report_invalid_path(config.path, config.place_of("path"), problems):
        return config, None
    name = config.path.strip("/")
    config = _resolve_page_name(site, config, problems)
    if not config.name and config.sections is None and (name in site.collections or name in COLLECTION_PAGES):
        config = replace(config, name=name)
    text = _collect_texts(site).get(config.name)
    path = (
        config.path or (text.path if text else "") or ("/" if config.name == "home" else f"/{config.name}/")
    )
    if text and path == text.path and report_invalid_path(path, text.place_of("path"), problems):
        return config, None
    config = replace(config, path=normalize_path(path))
    if config.sections is not None:
        page = _make_page(site, config, config.sections, problems)
        return config, page if page.sections or page.intro or page.path == "/" else None
    if config.path == "/" or config.name == "home":
        return config, _make_page(site, replace(config, path="/"), default_home_sections(site), problems)
    if config.name == "cv":
        page = _make_page(site, config, default_cv_sections(site), problems)
        return config, page if page.sections else None
    if text is not None:
        return replace(config, menu=config.menu and text.menu), _make_text_page(site, config, text)
    if config.name in site.collections or config.name in (*COLLECTION_PAGES, STATISTICS):
        section_config = SectionConfig(name=config.name, title=Markdown(""), source=config.source)
        page = _make_page(site, config, (section_config,), problems)
        return config, page if page.sections else None
    _report_unknown_page(site, config, problems)
    return config, None


def _resolve_page_name(site: Site, config: PageConfig, problems: Problems) -> PageConfig:
    """Replace another name of a page ("CV", "Blog", or a label beside its path) with the program's name."""
    known_names = _list_page_names(site)
    if not config.name or config.name in known_names or config.sections is not None:
        return config
    wanted_name = _PAGE_NAME_ALIASES.get(config.name.casefold(), config.name.casefold())
    path = config.path.strip("/")
    name = next((name for name in sorted(known_names) if name.casefold() == wanted_name), "")
    title = config.title
    if path in known_names and config.path:
        name, title = path, config.title or Markdown(config.name)
    if not name:
        return config
    message = f'"{config.name}" in pages is read as the page "{name}"'
    problems.report("alias", config.place_of("name"), message, f'write "{name}"')
    return replace(config, name=name, title=title)


def _list_page_names(site: Site) -> set[str]:
    """The names that an entry of `pages` can have."""
    return {"home", "cv", *site.collections, *COLLECTION_PAGES, STATISTICS, *_collect_texts(site)}


_PAGE_NAME_ALIASES: Mapping[str, str] = {
    "blog": "posts",
    "resume": "cv",
    "résumé": "cv",
    "curriculum vitae": "cv",
    "papers": "publications",
    "start": "home",
    "index": "home",
    "main": "home",
    "courses": "teaching",
    "presentations": "talks",
}
"""The program's names of pages by other common names."""


def _report_unknown_page(site: Site, config: PageConfig, problems: Problems) -> None:
    """Report a page without content, unless its source file exists: an invalid file is reported already."""
    place, known_names = config.place_of("name"), _list_page_names(site)
    if not config.name:
        path_name = config.path.strip("/")
        hint = f"add sections: [{path_name if path_name in known_names else 'about'}]"
        if path_name.endswith(".pdf"):
            hint = "write cv: the page with your CV, which links to the PDF"
        problems.report("unknown-page", place, f"the page {config.path} has no sections", hint)
    elif not has_source_file(config.name, problems) and not any(
        w.name == config.name for w in site.settings.bib_sections
    ):
        by_path = f"write - path: {config.name}, and its sections below"
        hint = by_path if "/" in config.name else suggest_repair(config.name, known_names)
        if config.name in ("alumni", "former", "past-members") and site.people:
            hint = f"write {{path: {config.name}, sections: [people: {{show: past}}]}}"
        problems.report("unknown-page", place, f'there is no page "{config.name}"', hint)


def _make_page(
    site: Site, config: PageConfig, section_configs: Iterable[SectionConfig], problems: Problems
) -> Page:
    """Make a page with its sections; omit empty sections."""
    site = site.with_language(config.language or site.settings.language)
    name = config.name or config.path.strip("/")
    kind = "home" if config.path == "/" else name if name in ("cv", *COLLECTION_PAGES) else "page"
    page_sections: list[Section] = []
    for section_config in section_configs:
        new_section = make_section(site, section_config, kind, page_sections, problems)
        if new_section is not None:
            page_sections.append(new_section)
    contents = _collect_contents(page_sections) if kind == "projects" else ()
    collection = site.collections.get(name)
    title = config.title or (site.title if kind == "home" else _page_title(site, name, collection))
    return Page(
        path=config.path,
        kind=kind,
        title=title,
        heading=Markdown(keep_field_html(title, has_blocks=False)),
        description=_page_description(site, config, name, kind),
        intro=config.intro,
        sections=_drop_more_links(tuple(page_sections), kind),
        contents=contents,
        language=site.settings.language,
        source=config.source,
    )


def _drop_more_links(sections: tuple[Section, ...], kind: str) -> tuple[Section, ...]:
    """Remove links to the full list, except on the home page and on pages of the kind "page"."""
    if kind in ("home", "page"):
        return sections
    return tuple(replace(section, full_list_path="") for section in sections)


def _page_title(site: Site, name: str, collection: Collection | None) -> str:
    if collection and collection.title:
        return collection.title
    return (
        site.active_theme.translations.get(f"page_{name}")
        or site.active_theme.translations.get(f"section_{name}")
        or _title_from_path(name)
    )


def _title_from_path(path: str) -> str:
    return title_from_name(path.rpartition("/")[2].strip("-_ "))


def _page_description(site: Site, config: PageConfig, name: str, kind: str) -> str:
    """Description of a page for search engines, one sentence."""
    if config.intro:
        return _make_excerpt(site, config.intro)
    profile = site.profile
    if kind == "home":
        affiliations = ", ".join(a.name for a in profile.affiliation)
        role = plain_text(profile.role)
        return site.settings.description or ", ".join(
            part for part in (profile.name, role, affiliations) if part
        )
    return f"{config.title or _page_title(site, name, site.collections.get(name))} – {profile.name}"


def _make_excerpt(site: Site, text: str, *, cites: bool = True) -> str:
    """The beginning of a text, without links; citations are removed if `cites`."""
    library = CitationLibrary.for_site(site, entry_page_path) if cites and "@" in text else None
    source = library.render_without_links(text) if library else text
    excerpt = _shorten_text(plain_text(_first_paragraphs(source)))
    return excerpt if excerpt.endswith("…") else _shorten_text(plain_text(source))


def _first_paragraphs(text: str) -> str:
    """The paragraphs that an excerpt needs; all of a text with HTML, fenced code, or references defined at its end."""
    end = text.find("\n\n", 4 * MAX_EXCERPT_LENGTH)
    return text if end < 0 or any(mark in text for mark in ("<", "```", "~~~", "]:")) else text[:end]


def _shorten_text(text: str) -> str:
    folded_text = " ".join(text.split())
    if len(folded_text) <= MAX_EXCERPT_LENGTH:
        return folded_text
    return folded_text[: MAX_EXCERPT_LENGTH - 1].rsplit(" ", 1)[0] + "…"


def _collect_contents(sections: Sequence[Section]) -> tuple[PageLink, ...]:
    return tuple(
        PageLink(title=Markdown(item.entry.name), path=f"#{item.id}", when=item.entry.entry_period)
        for section in sections
        if section.kind == "projects"
        for item in section.items
        if item.id
    )


def _collect_texts(site: Site) -> dict[str, Prose]:
    """All texts that can have a page, by name; content/pages/ takes precedence over content/."""
    entries = (*site.iterate_entries("prose"), *site.entries_of("pages"))
    return {entry.id: entry for entry in entries if isinstance(entry, Prose)}


def _make_text_page(site: Site, config: PageConfig, text: Prose) -> Page:
    return Page(
        path=config.path,
        kind="page",
        title=config.title or plain_text(text.title) or _title_from_path(text.id),
        heading=Markdown(keep_field_html(config.title, has_blocks=False)) or text.title,
        description=_make_excerpt(site, text.summary or text.body)
        or f"{plain_text(text.title)} – {site.profile.name}",
        intro=config.intro,
        entry=text,
        language=config.language or text.language or site.settings.language,
        source=text.source,
    )


def _plan_unlisted_pages(site: Site, listed_pages: Sequence[Page], problems: Problems) -> Iterator[Page]:
    """Plan the files of content/pages/ that `pages` does not list; they are published, but not in the menu."""
    listed_sources = {page.entry.source for page in listed_pages if page.entry}
    for text in site.entries_of("pages"):
        if text.source not in listed_sources:
            page = _plan_listed_page(site, PageConfig(name=text.id, source=text.source), problems)[1]
            if page is not None:
                yield page


def _plan_entry_pages(site: Site, problems: Problems) -> Iterator[Page]:
    for collection in site.collections.values():
        title_counts = Counter(plain_text(entry.name) for entry in collection.entries)
        earlier, later = link_neighbouring_posts(collection.entries, entry_page_path)
        for entry in collection.entries:
            path = entry_page_path(entry)
            if path:
                title, heading = plain_text(entry.name), Markdown(entry.name)
                if title_counts[title] > 1:
                    start = entry.entry_period.start if entry.entry_period else None
                    heading, title = Markdown(""), f"{title} ({start.year if start else entry.id})"
                abstract, tagline = getattr(entry, "abstract", ""), getattr(entry, "tagline", "")
                description_text = abstract or entry.summary or tagline or entry.body
                yield Page(
                    path=path,
                    kind=_entry_page_kind(entry),
                    title=title,
                    heading=heading,
                    description=_make_excerpt(site, description_text, cites=collection.kind != "publications")
                    or f"{title} – {site.profile.name}",
                    entry=entry,
                    sections=_person_sections(site, entry, problems) if isinstance(entry, Person) else (),
                    previous=earlier.get(id(entry)),
                    next=later.get(id(entry)),
                    language=_entry_page_language(site, collection, entry),
                    source=entry.source,
                )


def _entry_page_kind(entry: Entry) -> str:
    kinds = {Publication: "publication", Project: "project", Person: "person"}
    return next((kind for cls, kind in kinds.items() if isinstance(entry, cls)), "post")


def _person_sections(site: Site, person: Person, problems: Problems) -> tuple[Section, ...]:
    """The sections of the page of a person: everything that names the person."""
    config = PageConfig(path=person_page_path(person))
    return _make_page(site, config, person_page_sections(site, person), problems).sections


def _entry_page_language(site: Site, collection: Collection, entry: Entry) -> Language:
    """Language of an entry's page; the page of a publication is always in the site's language."""
    language = "" if isinstance(entry, Publication) else entry.language or collection.language
    return Language(language) or site.settings.language


def _make_not_found_page(site: Site) -> Page:
    return Page(
        path="/404.html",
        kind="404",
        title=site.active_theme.translations["page_404"],
        description=site.title,
        language=site.settings.language,
    )


def _iterate_anchored_items(pages: Iterable[Page]) -> Iterator[tuple[Page, ListItem]]:
    for page in pages:
        for section in page.sections:
            yield from ((page, item) for item in section.items if item.id)


def _plan_tag_pages(site: Site, problems: Problems) -> Iterator[Page]:
    """Plan a page for each tag of posts and news."""
    for tag in collect_tags(site):
        title = site.active_theme.translations["page_tag"].format(tag=tag.name)
        config = PageConfig(path=tag.path, title=title)
        yield replace(_make_page(site, config, tag_page_sections(site, tag), problems), heading=Markdown(""))


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
