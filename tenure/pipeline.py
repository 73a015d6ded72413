"""The whole program on one screen: files to Site, Site to Pages, Pages to Artifacts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tenure.counts import number
from tenure.frozen import dataclass
from tenure.memo import Memo
from tenure.model.site import Site
from tenure.outlets.feeds import hosting, sitemap
from tenure.outlets.printed import at_work, printable
from tenure.outlets.records import records
from tenure.output import Artifact, clashes
from tenure.problems import Place, Problem, Problems
from tenure.progress import Progress, unseen
from tenure.project import Count, Project, Wishes
from tenure.reading import Reading, begin
from tenure.spread import apart, awaited
from tenure.stamp import program
from tenure.web.blocked import check_policy
from tenure.web.finish import Finished
from tenure.web.kept import rendered
from tenure.web.links import check, linked
from tenure.web.pages import Page, Plan, plan
from tenure.web.preview import preview
from tenure.web.redirects import redirects
from tenure.web.services import report_missing_pages
from tenure.web.theme import Theme, load_theme

Outlet = Callable[[Site, Plan], Iterable[Artifact]]

OUTLETS: tuple[Outlet, ...] = (sitemap, hosting, records)
"""The exporters of a site in order, which create files besides the pages; a site's own build.py may add more."""


@dataclass(frozen=True, slots=True)
class Build:
    """
    The result of a build: the site, its files, problems and pages, and the counts of its .bib files.

    `problems` are errors and warnings; `notes` are the problems of level info, which only `check --info` lists.
    `is_complete` is false if there is no site, or if a page could not be rendered; the preview shows only complete
    builds.
    """

    site: Site | None
    artifacts: tuple[Artifact, ...]
    problems: tuple[Problem, ...]
    counts: Mapping[str, Count] = field(default_factory=dict)
    pages: tuple[Page, ...] = ()
    notes: tuple[Problem, ...] = ()
    is_complete: bool = False

    @property
    def failed(self) -> bool:
        """Whether there is an error; then the site cannot be published."""
        return any(problem.level == "error" for problem in self.problems)


Draw = Callable[[Page], tuple[Artifact, ...]]
"""Renders one page, with the images and assets that it needs; returns nothing if its template has an error."""

Ahead = Callable[[Sequence[Page], Draw], None]
"""Called with all planned pages before rendering; may render some of them early."""


def silent(line: str) -> None:
    """Default of `log`: print nothing."""


def unhurried(pages: Sequence[Page], draw: Draw) -> None:
    """Default of `on_plan`: render no page early."""


def build(  # noqa: PLR0913 - options by keyword
    root: Path,
    outlets: Sequence[Outlet] = OUTLETS,
    *,
    base_url: str = "",
    theme: str = "",
    thorough: bool = False,
    memo: Memo | None = None,
    reading: Reading | None = None,
    ahead: Ahead = unhurried,
    say: Callable[[str], None] = silent,
    progress: Progress = unseen,
) -> Build:
    """
    Build all files of the site in a folder, without writing them.

    `lint_bibliography` also reports doubtful BibTeX entries. `store` is by default a file in the site's .cache. `loader`
    is the result of start_loading() for the same folder and options, if loading was started before. `log` gets a line
    after each stage, `progress` the progress within a stage. An exception in `on_plan` or `progress` ends the build.
    """
    reading = reading or begin(root, Wishes(base_url, theme, thorough), memo)
    cache, kept = root / ".cache", memo or Memo(root / ".cache" / "pages", program())
    project, problems = reading()  # files -> Site
    if project is None:
        return _with_problems(Build(None, (), ()), problems)
    site = project.site
    say(f"Read {_contents(site)}.")
    pages = plan(site, problems, printable=printable())  # Site -> Pages
    _say_planned(pages, say)
    report_missing_pages(site.settings, pages, problems)
    check_policy(site, problems)
    printed = _printing(site, pages, cache, problems, progress)
    renderer = load_theme(site, pages, cache, kept)
    drawing = _Drawing(project, renderer, cache, problems, kept)
    ahead(pages.pages, drawing)
    served = rendered(renderer, pages.pages, problems, kept, progress)  # Pages -> Artifacts
    finished = [page for page in served if page is not None]
    finished += redirects(site, pages, renderer.files, problems)
    artifacts = drawing.files(finished)
    artifacts += _search(site, pages, served, renderer, kept)
    renderer.memo.save()
    kept.save()
    others = _made(site, pages, outlets, progress)
    cvs = printed()
    artifacts += [*cvs, *others]
    say(f"Rendered {number(len(artifacts), 'file')} with the theme {site.look.name}.")
    _tell_clashes(artifacts, problems)
    is_complete = None not in served
    if is_complete:
        if len(cvs) == len(pages.documents):
            check(finished, artifacts, renderer.files, problems)
        artifacts = _pictured(artifacts, site, cache, problems, progress)
    made = Build(site, tuple(artifacts), (), project.counts, pages.pages, is_complete=is_complete)
    return _with_problems(made, problems, site.settings.checks.ignore)


def _with_problems(made: Build, problems: Problems, ignore: Sequence[str] = ()) -> Build:
    """A build result with its problems and notes, without the codes to ignore."""
    reported = problems.told(ignore)
    notes = tuple(problem for problem in reported if problem.level == "info")
    return replace(made, problems=tuple(p for p in reported if p.level != "info"), notes=notes)


def _contents(site: Site) -> str:
    """The numbers of publications and other entries, such as "1 publication and 2 other entries"."""
    others = sum(len(collection.entries) for collection in site.collections.values())
    return f"{number(len(site.publications), 'publication')} and {number(others, 'other entry', 'other entries')}"


def _say_planned(pages: Plan, say: Callable[[str], None]) -> None:
    """Log the number of pages, and that a CV has no PDF if Typst is missing."""
    say(f"The site has {number(len(pages.pages), 'page')}.")
    if pages.cvs and not pages.documents:
        say('No PDF of the CV: Typst is not installed (pip install "typst>=0.15,<0.16")')


def _printing(
    site: Site, pages: Plan, cache: Path, problems: Problems, progress: Progress
) -> Callable[[], list[Artifact]]:
    """Start rendering the CVs, in another process if possible; the returned function waits for them."""
    if not pages.documents:
        return list
    work = partial(_printed, site, pages, cache, problems, progress)
    begun = work if at_work() else apart(work)

    def ended() -> list[Artifact]:
        progress("making CVs", 0, 0)
        cvs, told = begun()
        problems.add(told)
        return cvs

    return ended


def _printed(
    site: Site, pages: Plan, cache: Path, problems: Problems, progress: Progress
) -> tuple[list[Artifact], tuple[Problem, ...]]:
    """The CVs as PDF, and the problems reported for them."""
    from tenure.outlets.cvs import print_cvs  # noqa: PLC0415 - only loaded by the process that renders CVs

    before = problems.count()

    def print_all() -> list[Artifact]:
        return list(print_cvs(site, pages.cvs, cache, problems))

    # Typst takes a second for a long CV; meanwhile `progress` can end a build whose sources have changed again.
    cvs = awaited(print_all, partial(progress, "making CVs", 0, 0)) if at_work() else print_all()
    return cvs, problems.since(before)


def _search(
    site: Site, pages: Plan, served: Sequence[Finished | None], renderer: Theme, kept: Memo
) -> list[Artifact]:
    """The files of the search; none if the site has no search."""
    if not site.settings.search:
        return []
    from tenure.web.search import search_files  # noqa: PLC0415 - only needed by a site with a search

    return search_files(pages.pages, served, renderer.assets, kept)


def _made(site: Site, pages: Plan, outlets: Sequence[Outlet], progress: Progress) -> list[Artifact]:
    """The artifacts of all exporters."""
    made: list[Artifact] = []
    for outlet in outlets:
        for artifact in outlet(site, pages):
            progress("making records", 0, 0)
            made.append(artifact)
    return made


@dataclass(frozen=True, slots=True)
class _Drawing:
    """Renders single pages of a build, and collects the files that pages need."""

    project: Project
    renderer: Theme
    cache: Path
    problems: Problems
    kept: Memo

    def files(self, pages: Sequence[Finished]) -> list[Artifact]:
        """The files of all pages, with assets, copied files and the social card."""
        site = self.project.site
        card = preview(site, self.renderer.colour(), site.look.folders, self.kept)
        own = [page.artifact for page in pages]
        copied = [*self.project.static, *own, *linked(pages, self.project.spare)]
        return [*self.renderer.assets.asked_for(pages), *copied, *card]

    def __call__(self, page: Page) -> tuple[Artifact, ...]:
        """The rendered page, with the assets and images that it needs."""
        made = [one for one in rendered(self.renderer, [page], self.problems, self.kept) if one is not None]
        if not made:
            return ()
        names = {unquote(link).rpartition("/")[2] for one in made for link in one.links}
        files = [*self.project.static, *linked(made, self.project.spare)]
        beside = [file for file in files if file.path.rpartition("/")[2] in names]
        wanted = [*(one.artifact for one in made), *beside]
        pictured = _pictured(wanted, self.project.site, self.cache, self.problems)
        return (*self.renderer.assets.asked_for(made), *pictured)


def _tell_clashes(artifacts: Sequence[Artifact], problems: Problems) -> None:
    """Report each pair of artifacts with the same URL; a page that site.yaml does not name has no line of its own."""
    told: set[str] = set()
    for first, second in sorted(clashes(artifacts), key=lambda pair: pair[0].source == pair[1].source):
        mine, other = (first, second) if second.source == "site.yaml" else (second, first)
        path = second.path.removesuffix("index.html")
        message = f"two sources have the same URL /{path}: {first.source} and {second.source}"
        if other.source in ("site.yaml", mine.source):
            if path in told:
                continue
            message = f"another page of the site has the URL /{path}"
        told.add(path)
        where = Place.at(mine.source)
        problems.tell("duplicate-path", where, message, "give one of them another name, path or id")


def _pictured(
    artifacts: list[Artifact], site: Site, cache: Path, problems: Problems, progress: Progress = unseen
) -> list[Artifact]:
    """Process the images among the artifacts; there are none if no artifact is a copied file."""
    if not any(isinstance(artifact.body, Path) for artifact in artifacts):
        return artifacts
    from tenure.web.images import show  # noqa: PLC0415 - only needed by a site with files to copy

    return [*show(artifacts, cache / "pictures", problems, urlsplit(site.settings.url).path, progress)]
