"""The whole program on one screen: files to Site, Site to Pages, Pages to Artifacts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import cast
from urllib.parse import unquote

from tenure.cache.store import CacheStore
from tenure.counts import format_count
from tenure.exports.cv.typst import is_typst_installed, is_typst_loaded
from tenure.exports.hosting import make_hosting_files, make_sitemap
from tenure.exports.records import make_export_files
from tenure.html.head import list_pictures
from tenure.html.link_check import check_links, find_linked_files, report_unlinked_files
from tenure.html.links import FinishedPage
from tenure.html.policy_check import check_policy
from tenure.html.redirects import make_redirects
from tenure.html.services import report_missing_pages
from tenure.html.theme import Theme, load_theme
from tenure.images.library import PictureLibrary
from tenure.markdown.html import use_store
from tenure.model.site import Site
from tenure.parallel import run_in_fork, run_in_thread
from tenure.plan.bibliography_links import unlink_missing_pages
from tenure.plan.kinds import resolve_cvs
from tenure.plan.languages import (
    CvDocuments,
    PlannedSite,
    check_language_folders,
    link_languages,
    list_documents,
)
from tenure.plan.pages import Page, Plan, plan_pages
from tenure.problems import Place, Problem, Problems
from tenure.progress import ProgressCallback, ignore_progress
from tenure.publish import Artifact, find_path_clashes
from tenure.record import Record, field, replace
from tenure.site_folder import BibCounts, BuildOptions, LoadedSite
from tenure.sources.load import load_site

Exporter = Callable[[Site, Plan], Iterable[Artifact]]
CvMaker = Callable[[CvDocuments, CacheStore, Problems, Sequence[Artifact]], Iterable[Artifact]]
"""Makes the PDFs of CVs with the files of content/."""

EXPORTERS: tuple[Exporter, ...] = (make_sitemap, make_hosting_files, make_export_files)
"""The exporters of a site in order, which create files besides the pages; a site's own build.py may add more."""


class BuildResult(Record):
    """
    The result of a build: the site, its files, problems and pages, and the counts of its .bib files.

    `problems` are errors and warnings; `notes` are the problems of level info, which only `check --info` lists; `untranslated`
    are the texts without a translation.
    `is_complete` is false if there is no site, or if a page could not be rendered; the preview shows only complete
    builds.
    """

    site: Site | None
    artifacts: tuple[Artifact, ...]
    problems: tuple[Problem, ...]
    bib_counts: Mapping[str, BibCounts] = field(default_factory=dict)
    pages: tuple[Page, ...] = ()
    notes: tuple[Problem, ...] = ()
    untranslated: tuple[Problem, ...] = ()
    is_complete: bool = False

    @property
    def has_errors(self) -> bool:
        """Whether there is an error; then the site cannot be published."""
        return any(problem.level == "error" for problem in self.problems)


PageRenderer = Callable[[Page], tuple[Artifact, ...]]
"""Renders one page, with the images and assets that it needs; returns nothing if its template has an error."""

PlanCallback = Callable[[Sequence[Page], PageRenderer], None]
"""Called with all planned pages before rendering; may render some of them early."""


def ignore_message(message: str) -> None:
    """Default of `log`: print nothing."""


def ignore_plan(planned_pages: Sequence[Page], render_page: PageRenderer) -> None:
    """Default of `on_plan`: render no page early."""


def typeset_cvs(
    documents: CvDocuments, store: CacheStore, problems: Problems, files: Sequence[Artifact]
) -> Iterable[Artifact]:
    """The CVs as PDF, by Typst."""
    from tenure.exports.cv.pdf import make_cv_pdfs

    return make_cv_pdfs(documents.site, documents.cvs, store, problems, files=files)


def build_site(
    root: Path,
    exporters: Sequence[Exporter] = EXPORTERS,
    *,
    base_url: str = "",
    theme: str = "",
    theme_options: Mapping[str, str] | None = None,
    include_drafts: bool = False,
    last_contents: dict[str, object] | None = None,
    store: CacheStore | None = None,
    make_cvs: CvMaker = typeset_cvs,
    on_plan: PlanCallback = ignore_plan,
    log: Callable[[str], None] = ignore_message,
    progress: ProgressCallback = ignore_progress,
) -> BuildResult:
    """
    Build all files of the site in a folder, without writing them.

    The options of the sources are those of BuildOptions. `store` is by default the site's .cache; `log` gets a line after
    each stage, `progress` the progress within a stage. An exception in `on_plan` or `progress` ends the build.
    """
    store = CacheStore(root / ".cache") if store is None else store
    use_store(store)
    problems = Problems()
    options = BuildOptions(base_url, theme, theme_options, include_drafts, last_contents)
    site_folder = load_site(root, problems, store, options)  # files -> Site
    if site_folder is None:
        return _attach_problems(BuildResult(None, (), ()), problems)
    log(f"Read {_describe_contents(site_folder.site)}.")
    versions = _plan_languages(root, site_folder, problems, store, options)  # Site -> Pages
    site, site_plan = versions[0].site, versions[0].plan
    pictures = site.files - site_folder.site.files
    site_folder = replace(site_folder, site=site)
    pages = tuple(page for version in versions for page in version.plan)
    _log_plan(site_plan, len(pages), log)
    pictures_of_pages = PictureLibrary(
        (*site_folder.static_files, *site_folder.optional_files), store, problems
    )
    themes = _load_themes(versions, root, last_contents, pictures_of_pages)
    site_theme = themes[""]
    maker = _DocumentMaker(
        site_folder, list_documents(versions), pictures, make_cvs, site_theme, store, problems, progress
    )
    wait_for_documents = maker.start()
    page_builder = _PageBuilder(site_folder, themes, problems, pictures_of_pages)
    on_plan(pages, page_builder)
    _check_sources(site_folder, site_plan, problems)
    rendered_pages = page_builder.render_all_pages(pages, progress)  # Pages -> Artifacts
    finished_pages = [page for page in rendered_pages if page is not None]
    finished_pages += make_redirects(site, site_plan, site_theme.urls, problems)
    artifacts = page_builder.collect_artifacts(finished_pages)
    artifacts += _create_search_files(site, pages, rendered_pages, themes, store)
    exported = _run_exporters(versions, exporters, progress)
    cvs, cards = wait_for_documents()
    artifacts += [*cards, *cvs, *exported]
    log(f"Rendered {format_count(len(artifacts), 'file')} with the theme {site.active_theme.name}.")
    _report_path_clashes(artifacts, problems)
    progress("checking links", 0, 0)
    if is_complete := None not in rendered_pages:
        report_unlinked_files(site_folder.optional_files, artifacts, problems)
        if len(cvs) == sum(len(document.cvs) for document in maker.documents):
            check_links(finished_pages, artifacts, site_theme.urls.files, problems, site)
        followed_links = {url for page in finished_pages for url in page.followed_links}
        artifacts = [*pictures_of_pages.make_files(artifacts, followed_links, progress)]
    store.save()
    result = BuildResult(site, tuple(artifacts), (), site_folder.bib_counts, pages, is_complete=is_complete)
    return _attach_problems(result, problems, site.settings.checks.ignore)


def _load_themes(
    versions: Sequence[PlannedSite],
    root: Path,
    last_contents: dict[str, object] | None,
    pictures: PictureLibrary,
) -> dict[str, Theme]:
    """The theme in each language of the site, by the folder of the language."""
    themes = {}
    for version in versions:
        if version.plan.pages:
            folder = version.plan.folder
            kept = None if last_contents is None else last_contents.setdefault(f"entries {folder}", {})
            themes[folder] = load_theme(
                version.site,
                version.plan,
                root / ".cache",
                pictures,
                cast("dict[object, object] | None", kept),
            )
    return themes


def _plan_languages(
    root: Path, site_folder: LoadedSite, problems: Problems, store: CacheStore, options: BuildOptions
) -> list[PlannedSite]:
    """
    The site and its plan in each of its languages, the main one first; in a language of a CV alone, the plan has no pages.

    A problem that is the same in all languages is reported once.
    """
    planned, cv_versions = [_plan_site(site_folder, problems)], list[PlannedSite]()
    settings = check_language_folders(planned[0], problems)
    cv_languages = tuple(cv.language for cv in settings.cvs or () if cv.language)
    for language in dict.fromkeys((*settings.all_languages, *cv_languages)):
        if language == settings.language:
            continue
        own_problems = Problems()
        contents = options.last_contents
        language_options = replace(
            options,
            language=language,
            original=site_folder.site,
            last_contents=None
            if contents is None
            else cast("dict[str, object]", contents.setdefault(f"language {language}", {})),
        )
        translated = load_site(root, own_problems, store, language_options)
        config = settings.translations.get(language)
        if translated is not None and config is not None:
            version = _plan_site(translated, own_problems)
            planned.append(replace(version, plan=replace(version.plan, folder=config.folder)))
        elif translated is not None:
            cv_versions.append(
                PlannedSite(translated.site, Plan(pages=(), menu=(), cvs=resolve_cvs(translated.site)))
            )
        problems.add_new(own_problems.sorted_problems(ignore=["untranslated"]))
        problems.add(
            replace(
                p,
                message=f"{p.message} into {language}",
                hint=p.hint or f"write {{{settings.language}: …, {language}: …}}",
            )
            for p in own_problems.sorted_problems()
            if p.code == "untranslated"
        )
    return [*link_languages(planned), *cv_versions]


def _attach_problems(result: BuildResult, problems: Problems, ignore: Sequence[str] = ()) -> BuildResult:
    """A build result with its problems and notes, without the codes to ignore."""
    reported = problems.sorted_problems(ignore)
    infos = [problem for problem in reported if problem.level == "info"]
    return replace(
        result,
        problems=tuple(p for p in reported if p.level != "info"),
        notes=tuple(p for p in infos if p.code != "untranslated"),
        untranslated=tuple(p for p in infos if p.code == "untranslated"),
    )


def _describe_contents(site: Site) -> str:
    """The numbers of publications and other entries, such as "1 publication and 2 other entries"."""
    other_count = sum(len(collection.entries) for collection in site.collections.values())
    return f"{format_count(len(site.publications), 'publication')} and {format_count(other_count, 'other entry', 'other entries')}"


def _plan_site(site_folder: LoadedSite, problems: Problems) -> PlannedSite:
    """The planned pages, and the site without links from .bib files to pages that are not among them."""
    pdf_available = is_typst_installed()
    pictures = list_pictures(site_folder.site) if pdf_available else frozenset()
    site = replace(site_folder.site, files=site_folder.site.files | pictures)
    site_plan = plan_pages(site, problems, pdf_available=pdf_available)
    copied_files = (*site_folder.static_files, *site_folder.optional_files)
    linked_site = unlink_missing_pages(site, site_plan, copied_files, problems)
    if linked_site is not site:
        site_plan = plan_pages(linked_site, problems, pdf_available=pdf_available)
    return PlannedSite(linked_site, site_plan)


def _check_sources(site_folder: LoadedSite, site_plan: Plan, problems: Problems) -> None:
    """Report doubtful values on which no page depends; a preview shows the visible pages before."""
    report_missing_pages(site_folder.site.settings, site_plan, problems)
    check_policy(site_folder.site, problems)
    site_folder.lint_entries()


def _log_plan(site_plan: Plan, page_count: int, log: Callable[[str], None]) -> None:
    """Log the number of pages, and that a CV has no PDF if Typst is missing."""
    log(f"The site has {format_count(page_count, 'page')}.")
    if site_plan.cvs and not site_plan.pdf_links:
        log('No PDF of the CV: Typst is not installed (pip install "typst>=0.15,<0.16")')


def _create_search_files(
    site: Site,
    pages: Sequence[Page],
    rendered_pages: Sequence[FinishedPage | None],
    themes: Mapping[str, Theme],
    store: CacheStore,
) -> list[Artifact]:
    """The files of the search in each language; none if the site has no search."""
    if not site.settings.search:
        return []
    from tenure.html.search_index import build_search_files

    artifacts: dict[str, Artifact] = {}
    for folder, theme in themes.items():
        own_pages = [
            (page, finished)
            for page, finished in zip(pages, rendered_pages, strict=True)
            if page.folder == folder
        ]
        files = build_search_files(
            own_pages,
            theme.assets,
            store,
            folder,
        )
        artifacts |= {file.path: file for file in files}
    return list(artifacts.values())


def _run_exporters(
    versions: Sequence[PlannedSite], exporters: Sequence[Exporter], progress: ProgressCallback
) -> list[Artifact]:
    """The artifacts of all exporters; for other languages than the main one, the files that are translated."""
    artifacts: list[Artifact] = []
    main, *translations = versions
    jobs = [(exporter, main) for exporter in exporters]
    jobs += [(make_export_files, version) for version in translations if version.plan.pages]
    for exporter, version in jobs:
        for artifact in exporter(version.site, version.plan):
            progress("making records", 0, 0)
            artifacts.append(artifact)
    return artifacts


class _DocumentMaker(Record):
    """Makes the files that depend on no page: the CVs as PDF, the social card and the icon."""

    loaded_site: LoadedSite
    documents: Sequence[CvDocuments]
    pictures: frozenset[str]
    make_cvs: CvMaker
    theme: Theme
    store: CacheStore
    problems: Problems
    progress: ProgressCallback

    def start(self) -> Callable[[], tuple[list[Artifact], list[Artifact]]]:
        """Start in another process if possible; the returned function waits for the CVs and the pictures."""
        receive_files = (
            self._make_files if is_typst_loaded() or not self.documents else run_in_fork(self._make_files)
        )

        def wait_for_files() -> tuple[list[Artifact], list[Artifact]]:
            self.progress("making CVs", 0, 0)
            cvs, pictures, reported = receive_files()
            self.problems.add(reported)
            return cvs, pictures

        return wait_for_files

    def _make_files(self) -> tuple[list[Artifact], list[Artifact], tuple[Problem, ...]]:
        """The CVs, the pictures, and the problems reported for them."""
        store, reported_count = CacheStore(self.store.folder), self.problems.count()
        make_cvs = partial(self._make_cvs, store)
        # Typst takes a second for a long CV; meanwhile `progress` can end a build whose sources have changed again.
        cvs = (
            run_in_thread(make_cvs, partial(self.progress, "making CVs", 0, 0))
            if is_typst_loaded()
            else make_cvs()
        )
        from tenure.exports.card import draw_pictures

        site, files = self.loaded_site.site, self.loaded_site.static_files
        pictures = list(
            draw_pictures(site, self.pictures, self.theme.icon_color(), store, self.problems, files)
        )
        store.save()
        return cvs, pictures, self.problems.added_since(reported_count)

    def _make_cvs(self, store: CacheStore) -> list[Artifact]:
        files = self.loaded_site.static_files
        return [
            replace(cv, path=f"{part.folder}{cv.path}")
            for part in self.documents
            for cv in self.make_cvs(part, store, self.problems, files)
        ]


class _PageBuilder(Record):
    """Renders single pages of a build, and collects the files that pages need."""

    loaded_site: LoadedSite
    themes: Mapping[str, Theme]
    """The theme of each language, by its folder."""

    problems: Problems
    pictures: PictureLibrary

    def render_all_pages(
        self, pages: Sequence[Page], progress: ProgressCallback
    ) -> list[FinishedPage | None]:
        """The pages of all languages in order; None for one whose template has an error."""
        return [
            page
            for folder, theme in self.themes.items()
            for page in theme.render_pages(
                [page for page in pages if page.folder == folder], self.problems, progress
            )
        ]

    def collect_artifacts(self, pages: Sequence[FinishedPage]) -> list[Artifact]:
        """The files of all pages, with assets and copied files."""
        page_artifacts = [page.artifact for page in pages]
        copied_files = [
            *self.loaded_site.static_files,
            *page_artifacts,
            *find_linked_files(pages, self.loaded_site.optional_files),
        ]
        return [*self.themes[""].assets.referenced_files(pages), *copied_files]

    def __call__(self, page: Page) -> tuple[Artifact, ...]:
        """The rendered page, with the assets and images that it needs."""
        theme = self.themes[page.folder]
        finished_pages = [
            finished for finished in theme.render_pages([page], self.problems) if finished is not None
        ]
        if not finished_pages:
            return ()
        names = {unquote(link).rpartition("/")[2] for finished in finished_pages for link in finished.links}
        files = [
            *self.loaded_site.static_files,
            *find_linked_files(finished_pages, self.loaded_site.optional_files),
        ]
        linked_files = [file for file in files if file.path.rpartition("/")[2] in names]
        page_artifacts = [finished.artifact for finished in finished_pages]
        assets = theme.assets.referenced_files(finished_pages)
        followed_links = {url for finished in finished_pages for url in finished.followed_links}
        return (*assets, *page_artifacts, *self.pictures.make_files(linked_files, followed_links))


def _report_path_clashes(artifacts: Sequence[Artifact], problems: Problems) -> None:
    """Report each pair of artifacts with the same URL; a page that site.yaml does not name has no line of its own."""
    reported_paths: set[str] = set()
    for first, second in sorted(
        find_path_clashes(artifacts), key=lambda pair: pair[0].source == pair[1].source
    ):
        reported, other_artifact = (first, second) if second.source == Place("site.yaml") else (second, first)
        path = second.path.removesuffix("index.html")
        message = f"two sources have the same URL /{path}: {first.source} and {second.source}"
        if other_artifact.source in (Place("site.yaml"), reported.source):
            if path in reported_paths:
                continue
            message = f"another page of the site has the URL /{path}"
        reported_paths.add(path)
        problems.report(
            "duplicate-path", reported.source, message, "give one of them another name, path or id"
        )
