"""The program in one screen: files to Site, Site to Pages, Pages to Artifacts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from tenure.memo import Memo
from tenure.model.site import Site
from tenure.outlets.cvs import print_cvs
from tenure.outlets.feeds import hosting, sitemap
from tenure.outlets.printed import at_work, printable
from tenure.outlets.records import records
from tenure.output import Artifact, clashes
from tenure.problems import Place, Problem, Problems
from tenure.project import Count, Wishes
from tenure.reading import Reading, begin
from tenure.spread import apart
from tenure.stamp import program
from tenure.web.kept import rendered
from tenure.web.links import check, linked
from tenure.web.pages import Page, Plan, plan
from tenure.web.preview import preview
from tenure.web.redirects import redirects
from tenure.web.theme import load_theme

Result = TypeVar("Result")

Outlet = Callable[[Site, Plan], Iterable[Artifact]]

OUTLETS: tuple[Outlet, ...] = (sitemap, hosting, records)
"""What is made beside the pages, in order; a site's own build.py may pass more."""


@dataclass(frozen=True, slots=True)
class Build:
    """What a build came to: the site, its files, its problems, the counts of its .bib files, and its pages."""

    site: Site | None
    artifacts: tuple[Artifact, ...]
    problems: tuple[Problem, ...]
    counts: Mapping[str, Count] = field(default_factory=dict)
    pages: tuple[Page, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether any problem forbids to publish."""
        return any(problem.level == "error" for problem in self.problems)


def silent(line: str) -> None:
    """Say nothing of a stage."""


def build(  # noqa: PLR0913 - what a build can be told, each by its name
    root: Path,
    outlets: Sequence[Outlet] = OUTLETS,
    *,
    base_url: str = "",
    theme: str = "",
    thorough: bool = False,
    memo: Memo | None = None,
    reading: Reading | None = None,
    say: Callable[[str], None] = silent,
) -> Build:
    """
    Make every file of the site in a folder; nothing is written.

    `thorough` tells as well what is only doubtful; `memo` is kept in the site's .cache where none is given;
    `reading` is what begin() gave for the same folder and wishes, if that was called before; `say` hears a line at the
    end of each stage.
    """
    reading = reading or begin(root, Wishes(base_url, theme, thorough), memo)
    kept = memo or Memo(root / ".cache" / "pages", program())
    project, problems = reading()  # files -> Site
    if project is None:
        return Build(None, (), problems.told())
    site = project.site
    say(f"read {len(site.publications)} publications and {len(site.collections)} collections")
    pages = plan(site, problems, printable=printable())  # Site -> Pages
    say(f"planned {len(pages.pages)} pages")
    beside = _begun(partial(_beside, site, pages, outlets, root / ".cache", problems))
    renderer = load_theme(site, pages, root / ".cache", kept)
    served = rendered(renderer, pages.pages, problems, kept)  # Pages -> Artifacts
    finished = [page for page in served if page is not None]
    finished += redirects(site, pages, renderer.files, problems)
    artifacts = [*renderer.assets.asked_for(finished), *project.static, *(page.artifact for page in finished)]
    artifacts += linked(finished, project.spare)
    artifacts += preview(site, renderer.colour(), site.look.folders, kept)
    renderer.memo.save()
    kept.save()
    cvs, others, told = beside()
    problems.add(told)
    artifacts += [*cvs, *others]
    if len(cvs) < len(pages.cvs) and not pages.documents:
        say('no PDF of the CV: Typst is not installed (pip install "tenure[pdf]")')
    say(f"rendered {len(artifacts)} files in the theme {site.look.name}")
    _tell_clashes(artifacts, problems)
    if None not in served and len(cvs) == len(pages.documents):
        check(finished, artifacts, renderer.files, problems)
        artifacts = _pictured(artifacts, site, root / ".cache/pictures", problems)
    return Build(
        site, tuple(artifacts), problems.told(site.settings.checks.ignore), project.counts, pages.pages
    )


def _begun(work: Callable[[], Result]) -> Callable[[], Result]:
    """A work that another process does while pages are rendered here, where one can."""
    return work if at_work() else apart(work)


def _beside(
    site: Site, pages: Plan, outlets: Sequence[Outlet], cache: Path, problems: Problems
) -> tuple[list[Artifact], list[Artifact], tuple[Problem, ...]]:
    """What is made beside the pages: CVs as PDF, other files, and what there is to tell of them."""
    before = problems.count()
    cvs = list(print_cvs(site, pages.cvs if pages.documents else (), cache, problems))
    others = [artifact for outlet in outlets for artifact in outlet(site, pages)]
    return cvs, others, problems.since(before)


def _tell_clashes(artifacts: Sequence[Artifact], problems: Problems) -> None:
    """Tell each two files that want one address."""
    for first, second in clashes(artifacts):
        where = Place.at(second.source)
        path = second.path.removesuffix("index.html")
        message = f"two sources want the address /{path}: {first.source} and {second.source}"
        problems.tell("duplicate-path", where, message, "give one of them another name, path or id")


def _pictured(artifacts: list[Artifact], site: Site, cache: Path, problems: Problems) -> list[Artifact]:
    """The artifacts with what their pictures need; a site without files of its own has none."""
    if not any(isinstance(artifact.body, Path) for artifact in artifacts):
        return artifacts
    from tenure.web.images import show  # noqa: PLC0415 - as it says

    return [*show(artifacts, cache, problems, urlsplit(site.settings.url).path)]
