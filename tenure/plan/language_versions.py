"""
The pages of a site in several languages: which of them belong together, and their paths.

The objects: a PlannedSite is the site in one language with its Plan; pages of two languages belong together
if they show the same entry, or have the same path in site.yaml.
"""

from collections.abc import Mapping, Sequence

from tenure.model.export_formats import EXPORT_FORMATS
from tenure.model.languages import Language, LanguagePaths
from tenure.model.site import CvConfig, LanguageConfig, Settings, Site
from tenure.plan.pages import Page, Plan, report_invalid_path
from tenure.plan.related import PageVersion
from tenure.plan.sections import Listing, Section
from tenure.problems import Problems
from tenure.record import Record, replace

PageKey = tuple[str, ...]


class PlannedSite(Record):
    """A site in one language, and its plan."""

    site: Site
    plan: Plan

    @property
    def language(self) -> Language:
        """The language of the site."""
        return self.site.settings.language


class CvDocuments(Record):
    """The CVs to write of a site in one language, and the folder of their files in the output."""

    site: Site
    cvs: tuple[CvConfig, ...]
    folder: str


def list_documents(versions: Sequence[PlannedSite]) -> list[CvDocuments]:
    """
    The CVs of all languages.

    A CV without `language` exists in each, any other once, beside those of the main language: cv.pdf and
    de/cv.pdf, but only lebenslauf.pdf. None without Typst.
    """
    main = versions[0]
    documents = [
        CvDocuments(main.site, tuple(cv for cv in main.plan.cvs if cv.language in ("", main.language)), "")
    ]
    for version in versions[1:]:
        own_cvs = tuple(cv for cv in version.plan.cvs if cv.language == version.language)
        shared_cvs = tuple(cv for cv in version.plan.cvs if not cv.language and version.plan.pages)
        documents += [
            CvDocuments(version.site, own_cvs, ""),
            CvDocuments(version.site, shared_cvs, version.plan.folder),
        ]
    return [document for document in documents if any(cv.formats for cv in document.cvs)]


def drop_clashing_languages(main: PlannedSite, problems: Problems) -> Settings:
    """The settings without languages whose folder is invalid or taken, which is reported."""
    settings = main.site.settings
    languages: dict[str, LanguageConfig] = {}
    pages = {page.path.casefold(): page for page in main.plan}

    for config in settings.translations.values():
        place = config.place_of("path")
        if report_invalid_path(config.folder, place, problems):
            continue
        folder = config.folder.casefold()
        if f"/{folder}" in pages:
            location = f"are in the folder /{config.folder}, which is the path of a page"
            message = f'the pages in "{config.language}" {location}'
            hint = f"write {{{config.language}: {{path: …}}}}, or give the page another path"
            problems.report("duplicate-path", place, message, hint)
            continue
        other = languages.setdefault(folder, config)
        if other is not config:
            both = f'"{config.language}" and "{other.language}"'
            message = f"the pages in {both} have the same folder /{config.folder}"
            problems.report("duplicate-path", place, message, "give one of the languages another path")

    return replace(settings, languages=tuple(languages.values()))


def link_languages(planned: Sequence[PlannedSite]) -> list[PlannedSite]:
    """
    The sites with links between the pages of all languages; the first one is in the main language.

    /talks/ and /de/vortraege/, which show one list, link to each other; links in a text lead to the page in
    the same language.
    """
    if len(planned) == 1:
        return list(planned)
    # a key is the same for /talks/ and /de/vortraege/
    pages_by_key = [_index_pages(version.plan) for version in planned]
    main_plan = planned[0].plan
    main_pages = pages_by_key[0]
    counterparts: dict[PageKey, dict[Language, Page]] = {}
    for version, own_pages in zip(planned, pages_by_key, strict=True):
        for key, page in own_pages.items():
            counterparts.setdefault(key, {})[version.language] = page
    paths = {version.language: _collect_paths(version, [*counterparts.values()]) for version in planned}

    # each site with its pages in their folder, /de/, and with the URLs of their versions
    linked = []
    for version, own_pages in zip(planned, pages_by_key, strict=True):
        folder = version.plan.folder
        pages = []
        for key, page in own_pages.items():
            page = replace(page, folder=folder)
            if page.kind != "404":
                links = (PageVersion(tag, f"/{tag}{other.path}") for tag, other in counterparts[key].items())
                main_sections = main_pages[key].sections if key in main_pages else ()
                sections = _keep_anchors(page.sections, main_sections)
                page = replace(page, versions=tuple(links), sections=sections)
            pages.append(page)
        site = replace(version.site, language_paths=LanguagePaths(version.language, paths))
        original_paths = main_plan.paths_by_source if folder else {}
        plan = replace(version.plan, pages=tuple(pages), original_paths=original_paths)
        linked.append(PlannedSite(site, plan))

    translations = tuple(version.plan for version in linked[1:])
    return [PlannedSite(linked[0].site, replace(linked[0].plan, translations=translations)), *linked[1:]]


def _index_pages(plan: Plan) -> dict[PageKey, Page]:
    """The pages by what is the same in all languages: the entry, the place in site.yaml, or else the path."""
    pages: dict[PageKey, Page] = {}
    for page in plan:
        key: PageKey = (page.path,)
        if page.entry:
            key = (page.kind, page.entry.id)
        elif page.source.line:
            key = (page.source.file, str(page.source.line), str(page.source.column))
        # a second page of an entry has its path alone
        pages[key if key not in pages else (page.path,)] = page
    return pages


def _collect_paths(version: PlannedSite, versions: Sequence[Mapping[Language, Page]]) -> dict[str, str]:
    """
    The path of each page, and of each file that each language has, by its paths in all languages.

    In German: {/vortraege/: /de/vortraege/, /talks/: /de/vortraege/, /cv.pdf: /de/cv.pdf}.
    """
    folder = version.plan.folder
    paths = {page.path: f"/{folder}{page.path[1:]}" for page in version.plan}
    if folder:
        files = {export.file.path for export in EXPORT_FORMATS.values() if export.is_translated}
        shared_cvs = (cv for cv in version.plan.cvs if not cv.language)
        files |= {name for cv in shared_cvs for name in cv.file_names}
        paths |= {f"/{file}": f"/{folder}{file}" for file in sorted(files - version.site.files)}
    for pages in versions:
        if version.language in pages:
            own_path = f"/{folder}{pages[version.language].path[1:]}"
            for page in pages.values():
                paths.setdefault(page.path, own_path)
    return paths


def _keep_anchors(sections: Sequence[Section], main_sections: Sequence[Section]) -> tuple[Section, ...]:
    """
    The sections of a page with the anchors that all of them have in the main language, #talks.

    If the page shows other sections, or a section other groups, nothing says which belong together: then they
    keep their own.
    """
    if [section.name for section in sections] != [section.name for section in main_sections]:
        return tuple(sections)
    kept = []
    for section, main in zip(sections, main_sections, strict=True):
        listings = section.listings
        if [len(listing.items) for listing in listings] == [len(listing.items) for listing in main.listings]:
            listings = tuple(map(_take_anchors, listings, main.listings))
        kept.append(replace(section, id=main.id, listings=listings))
    return tuple(kept)


def _take_anchors(listing: Listing, main: Listing) -> Listing:
    """A group with the anchors that it and its items have in the main language."""
    items = zip(listing.items, main.items, strict=True)
    return replace(listing, id=main.id, items=tuple(replace(own, id=other.id) for own, other in items))
