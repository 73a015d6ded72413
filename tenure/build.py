"""The whole program on one screen: files to Site, Site to Pages, Pages to Artifacts."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from urllib.parse import unquote

from tenure.cache.store import CacheStore
from tenure.exports.cv.typst import explain_missing_typst, is_typst_installed, is_typst_loaded
from tenure.exports.feeds import make_hosting_files, make_sitemap
from tenure.exports.records import make_export_files
from tenure.html.external_services import report_missing_pages
from tenure.html.head import list_pictures
from tenure.html.link_check import check_links, find_linked_files, find_unlinked_files, report_unlinked_files
from tenure.html.policy_check import check_policy
from tenure.html.source_places import SourcePlaces
from tenure.html.theme import Theme, load_theme
from tenure.html.unnamed_pdfs import report_unnamed_pdfs
from tenure.html.urls import FinishedPage, list_followed_links, make_redirects
from tenure.images.library import PictureLibrary
from tenure.markdown.html import use_store
from tenure.model.languages import Language
from tenure.model.site import Site
from tenure.parallel import run_in_fork, run_in_thread
from tenure.plan.kinds import resolve_cvs
from tenure.plan.language_versions import (
    CvDocuments,
    PlannedSite,
    drop_clashing_languages,
    link_languages,
    list_documents,
)
from tenure.plan.pages import Page, Plan, plan_pages, resolve_pages
from tenure.problems import Place, Problem, Problems, format_count
from tenure.progress import ProgressCallback, ignore_progress
from tenure.publish import Artifact, find_path_clashes
from tenure.record import Record, field, replace
from tenure.site_folder import BibCounts, BuildOptions, LoadedSite
from tenure.sources.load import load_site

Exporter = Callable[[Site, Plan], Iterable[Artifact]]
CvMaker = Callable[[CvDocuments, CacheStore, Problems, Sequence[Artifact]], Iterable[Artifact]]
"""Makes the PDFs of CVs with the files of content/."""

EXPORTERS: tuple[Exporter, ...] = (make_sitemap, make_hosting_files, make_export_files)
"""
The exporters of a site in order, which create files besides the pages; a site's own build.py may add more.
"""


class BuildResult(Record):
    """
    The result of a build: the site, its files, problems and pages, and the counts of its .bib files.

    `problems` are errors and warnings; `notes` are those of level info, which `check --info` lists;
    `untranslated` are the texts without a translation. `is_complete` is false if there is no site, or if a
    page could not be rendered; the preview shows only complete builds.
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
"""
Renders one page, with the images and assets that it needs; returns nothing if its template has an error.
"""

PlanCallback = Callable[[Sequence[Page], PageRenderer], None]
"""Called with all planned pages before rendering; may render some of them early."""


DEFAULT_OPTIONS = BuildOptions()
"""The options of a build that publishes the site as site.yaml says."""


def ignore_message(message: str) -> None:
    """Default of `log`: print nothing."""


def ignore_plan(planned_pages: Sequence[Page], render_page: PageRenderer) -> None:
    """Default of `on_plan`: render no page early."""


def write_cvs(
    documents: CvDocuments, store: CacheStore, problems: Problems, files: Sequence[Artifact]
) -> Iterable[Artifact]:
    """The CVs as PDF, Word and LaTeX."""
    from tenure.exports.cv.files import make_cv_files

    return make_cv_files(documents.site, documents.cvs, store, problems, files=files)


def build_site(
    root: Path,
    exporters: Sequence[Exporter] = EXPORTERS,
    options: BuildOptions = DEFAULT_OPTIONS,
    *,
    store: CacheStore | None = None,
    make_cvs: CvMaker = write_cvs,
    on_plan: PlanCallback = ignore_plan,
    log: Callable[[str], None] = ignore_message,
    progress: ProgressCallback = ignore_progress,
) -> BuildResult:
    """
    Build all files of the site in a folder, without writing them.

    `store` is by default the site's .cache; `log` gets a line after each stage, `progress` the progress
    within a stage. An exception in `on_plan` or `progress` ends the build.
    """
    store = CacheStore(root / ".cache") if store is None else store
    use_store(store)
    problems = Problems()

    # files -> Site
    loaded = load_site(root, problems, store, options)
    if loaded is None:
        return attach_problems(BuildResult(None, (), ()), problems)
    log(f"Read {_describe_entries(loaded.site)}.")

    # Site -> Pages
    versions = _plan_languages(root, loaded, problems, store, options)
    # the main language is the first
    site = versions[0].site
    plan = versions[0].plan
    pages = tuple(page for version in versions for page in version.plan)
    log(f"The site has {format_count(len(pages), 'page')}.")
    if plan.cvs and not is_typst_installed():
        log(f"No PDF of the CV: {explain_missing_typst()}")

    library = PictureLibrary((*loaded.static_files, *loaded.optional_files), store, problems)
    themes = _load_themes(versions, root / ".cache", library, options, store if options.keeps_pages else None)
    renderer = _Renderer(loaded, themes, problems, library)
    documents = list_documents(versions)
    receive_documents = _start_documents(renderer, documents, make_cvs, store, progress)

    # a preview shows some pages now, before the rest of the work
    on_plan(pages, renderer.render_page)
    report_missing_pages(site.settings, plan, problems)
    # no page needs the doubts about entries, so they are looked for behind these pages
    loaded.lint_entries()

    # Pages -> Artifacts
    rendered = renderer.render_pages(pages, progress)
    finished = [page for page in rendered if page is not None]
    sources = SourcePlaces(problems, site)
    # themes[""] is that of the main language
    check_policy(finished, site.settings, themes[""].policy, sources, problems)
    finished += make_redirects(site, plan, themes[""].urls, problems)

    # a file that no page links to is published, unless it may be private
    unlinked = [*find_unlinked_files(finished, loaded.static_files, site.active_theme.style_sheet)]
    held_back = {file.artifact for file in unlinked if file.reason}
    published = [file for file in loaded.static_files if file not in held_back]
    artifacts = [*renderer.collect_files(finished, published)]
    if site.settings.search:
        artifacts += _make_search_files(pages, rendered, themes, store)
    artifacts += _run_exporters(exporters, versions, progress)

    progress("making CVs", 0, 0)
    cvs, cards, reported = receive_documents()
    problems.add(reported)
    artifacts += [*cards, *cvs]
    log(f"Rendered {format_count(len(artifacts), 'file')} with the theme {site.active_theme.name}.")
    _report_path_clashes(artifacts, problems)

    progress("checking links", 0, 0)
    # a page or a CV with a mistake is missing, and each link to it would be a second message for that mistake
    is_complete = None not in rendered
    if is_complete:
        report_unlinked_files(unlinked, problems)
        linked = find_linked_files(finished, loaded.optional_files)
        named_sources = frozenset(file.source.file for file in (*loaded.static_files, *linked))
        shown_files = [file.artifact for file in unlinked if not file.reason]
        report_unnamed_pdfs(shown_files, loaded.optional_files, named_sources, site.publications, problems)
        has_all_cvs = len(cvs) == sum(len(cv.file_names) for part in documents for cv in part.cvs)
        if has_all_cvs:
            check_links(finished, artifacts, themes[""].urls.files, problems, sources, site.settings.url)
        artifacts = [*library.make_files(artifacts, list_followed_links(finished), progress)]
    store.save()
    result = BuildResult(site, tuple(artifacts), (), loaded.bib_counts, pages, is_complete=is_complete)
    return attach_problems(result, problems, site.settings.checks.ignore)


def _describe_entries(site: Site) -> str:
    """How much has been read: "12 publications and 1 other entry"."""
    other_count = sum(len(collection.entries) for collection in site.collections.values())
    publications = format_count(len(site.publications), "publication")
    return f"{publications} and {format_count(other_count, 'other entry', 'other entries')}"


def _run_exporters(
    exporters: Sequence[Exporter], versions: Sequence[PlannedSite], progress: ProgressCallback
) -> Iterator[Artifact]:
    """The files of the exporters, and the records of each other language that has pages."""
    translated = (version for version in versions[1:] if version.plan.pages)
    calls = [(exporter, versions[0]) for exporter in exporters]
    calls += [(make_export_files, version) for version in translated]
    for exporter, version in calls:
        for artifact in exporter(version.site, version.plan):
            # a preview ends the build here if its sources have changed again
            progress("making records", 0, 0)
            yield artifact


def attach_problems(result: BuildResult, problems: Problems, ignore: Sequence[str] = ()) -> BuildResult:
    """A build result with its problems and notes, without the codes to ignore."""
    reported = problems.sorted_problems(ignore)
    infos = [problem for problem in reported if problem.level == "info"]
    return replace(
        result,
        problems=tuple(p for p in reported if p.level != "info"),
        notes=tuple(p for p in infos if p.code != "untranslated"),
        untranslated=tuple(p for p in infos if p.code == "untranslated"),
    )


def _plan_languages(
    root: Path, loaded: LoadedSite, problems: Problems, store: CacheStore, options: BuildOptions
) -> list[PlannedSite]:
    """
    The site and its plan in each of its languages, the main one first.

    In a language that only a CV has, the plan has no pages. A language that cannot be read is dropped; its
    problems are reported.
    """
    planned = [_plan_site(loaded, problems)]
    cv_versions: list[PlannedSite] = []
    settings = drop_clashing_languages(planned[0], problems)
    cv_languages = [cv.language for cv in settings.cvs or () if cv.language]
    languages = dict.fromkeys([*settings.all_languages, *cv_languages])
    languages.pop(settings.language, None)

    for language in languages:
        own_problems = Problems()
        contents = options.find_last_contents(f"language {language}")
        own_options = replace(options, language=language, original=loaded.site, last_contents=contents)
        translated = load_site(root, own_problems, store, own_options)
        # None for a language that only a CV has
        config = settings.translations.get(language)

        if translated is not None and config is not None:
            version = _plan_site(translated, own_problems)
            planned.append(replace(version, plan=replace(version.plan, folder=config.folder)))
        elif translated is not None:
            cvs_site = resolve_pages(translated.site, own_problems)
            cvs = resolve_cvs(cvs_site, own_problems, pdf_available=is_typst_installed())
            cv_versions.append(PlannedSite(translated.site, Plan(pages=(), menu=(), cvs=cvs)))
        _add_translation_problems(problems, own_problems, settings.language, language)
    return [*link_languages(planned), *cv_versions]


def _add_translation_problems(
    problems: Problems, own_problems: Problems, main_language: Language, language: Language
) -> None:
    """
    Add the problems of the site in another language; one that is the same in all languages is reported once.
    """
    for file, text in own_problems.source_texts():
        problems.add_source(file, text)
    problems.add_new(own_problems.sorted_problems(ignore=["untranslated"]))

    hint = f"write {{{main_language}: …, {language}: …}}"
    problems.add(
        replace(problem, message=f"{problem.message} into {language}", hint=problem.hint or hint)
        for problem in own_problems.sorted_problems()
        if problem.code == "untranslated"
    )


def _plan_site(loaded: LoadedSite, problems: Problems) -> PlannedSite:
    """The planned pages, and the site with the pictures that are drawn for it."""
    pdf_available = is_typst_installed()
    pictures = list_pictures(loaded.site) if pdf_available else frozenset()
    site = replace(loaded.site, files=loaded.site.files | pictures)
    return PlannedSite(site, plan_pages(site, problems, pdf_available=pdf_available))


def _load_themes(
    versions: Sequence[PlannedSite],
    cache_folder: Path,
    library: PictureLibrary,
    options: BuildOptions,
    page_store: CacheStore | None,
) -> dict[str, Theme]:
    """
    The theme in each language of the site, by the folder of the language: "", "de/".

    A language that only a CV has needs none. In a preview, a theme finds the entries of lists that the last
    build has rendered with it.
    """
    themes = {}
    for plan, site in ((version.plan, version.site) for version in versions if version.plan.pages):
        last_build = options.find_last_contents(f"entries {plan.folder}")
        rendered_entries = last_build.values if last_build else None
        themes[plan.folder] = load_theme(site, plan, cache_folder, library, rendered_entries, page_store)
    return themes


class _Renderer:
    """
    Renders the pages of a build, and collects the files that they need.

    `themes` are by the folder of their language.
    """

    def __init__(
        self, loaded: LoadedSite, themes: Mapping[str, Theme], problems: Problems, library: PictureLibrary
    ) -> None:
        self.loaded = loaded
        self.themes = themes
        self.problems = problems
        self.library = library

    def collect_files(
        self, pages: Sequence[FinishedPage], static_files: Sequence[Artifact]
    ) -> Iterator[Artifact]:
        """
        The assets of some pages, these pages, the static files, and the optional files that pages link to.
        """
        yield from self.themes[""].assets.referenced_files(pages)
        yield from static_files
        yield from (page.artifact for page in pages)
        yield from find_linked_files(pages, self.loaded.optional_files)

    def render_pages(self, pages: Sequence[Page], progress: ProgressCallback) -> list[FinishedPage | None]:
        """All pages of the site by language; None is a page with a template mistake."""
        rendered: list[FinishedPage | None] = []
        for folder, theme in self.themes.items():
            own_pages = [page for page in pages if page.folder == folder]
            rendered += theme.render_pages(own_pages, self.problems, progress)
        return rendered

    def render_page(self, page: Page) -> tuple[Artifact, ...]:
        """The rendered page, with the assets and images that it needs."""
        finished = self.themes[page.folder].render_page(page, self.problems)
        if finished is None:
            return ()
        names = {unquote(link).rpartition("/")[2] for link in finished.links}
        named = [file for file in self.loaded.static_files if file.path.rpartition("/")[2] in names]
        return tuple(self.library.make_files(self.collect_files([finished], named), finished.followed_links))


def _make_search_files(
    pages: Sequence[Page],
    rendered: Sequence[FinishedPage | None],
    themes: Mapping[str, Theme],
    store: CacheStore,
) -> Iterable[Artifact]:
    """The files of the search in each language."""
    from tenure.html.search_index import build_search_files

    files: dict[str, Artifact] = {}
    for folder, theme in themes.items():
        own_pages = [pair for pair in zip(pages, rendered, strict=True) if pair[0].folder == folder]
        files |= {file.path: file for file in build_search_files(own_pages, theme.assets, store, folder)}
    return files.values()


Documents = tuple[list[Artifact], list[Artifact], tuple[Problem, ...]]
"""The CVs as PDF, the drawn pictures, and the problems reported for them."""


def _start_documents(
    renderer: _Renderer,
    documents: Sequence[CvDocuments],
    make_cvs: CvMaker,
    store: CacheStore,
    progress: ProgressCallback,
) -> Callable[[], Documents]:
    """
    Start to make the files that depend on no page, in another process if possible.

    The returned function waits for them.
    """
    theme = renderer.themes[""]
    loaded = renderer.loaded
    problems = renderer.problems

    def make_all_cvs(own_store: CacheStore) -> list[Artifact]:
        return [
            replace(cv, path=f"{part.folder}{cv.path}")
            for part in documents
            for cv in make_cvs(part, own_store, problems, loaded.static_files)
        ]

    def make_documents() -> Documents:
        from tenure.exports.card import draw_pictures

        # another process has its own copy of the store and the problems: it saves the one itself, and
        # returns what it has added to the others
        own_store = CacheStore(store.folder)
        reported_count = problems.count()
        if is_typst_loaded():
            # Typst takes a second for a long CV; meanwhile `progress` can end a build whose sources have
            # changed again
            wait = partial(progress, "making CVs", 0, 0)
            cvs = run_in_thread(partial(make_all_cvs, own_store), wait)
        else:
            cvs = make_all_cvs(own_store)

        # `_plan_site` has added the names of the pictures to draw
        names = theme.site.files - loaded.site.files
        pictures = draw_pictures(
            theme.site, names, theme.icon_color(), own_store, problems, loaded.static_files
        )
        result = cvs, list(pictures), problems.added_since(reported_count)
        own_store.save()
        return result

    # a process is forked for the CVs, unless Typst has started its threads already
    return make_documents if is_typst_loaded() or not documents else run_in_fork(make_documents)


def _report_path_clashes(artifacts: Sequence[Artifact], problems: Problems) -> None:
    """
    Report each pair of artifacts with the same URL, at that of the two which has a line in the sources.

    A pair without two places is not reported if another pair says the same of its URL.
    """
    reported_paths: set[str] = set()
    # pairs with two places first, because their message says more
    clashes = sorted(find_path_clashes(artifacts), key=lambda pair: pair[0].source == pair[1].source)
    for first, second in clashes:
        # a page that site.yaml does not name has no line of its own
        reported = first if second.source == Place("site.yaml") else second
        other = second if reported is first else first
        path = second.path.removesuffix("index.html")

        message = f"two sources have the same URL /{path}: {first.source} and {second.source}"
        is_unplaced = other.source in (Place("site.yaml"), reported.source)
        if is_unplaced:
            if path in reported_paths:
                continue
            message = f"another page of the site has the URL /{path}"
        reported_paths.add(path)
        problems.report(
            "duplicate-path", reported.source, message, "give one of them another name, path or id"
        )
