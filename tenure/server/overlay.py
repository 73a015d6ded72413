"""The preview's overlay on a page: the problems of the site, and first steps for a new site."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tenure.build import BuildResult
from tenure.counts import format_count
from tenure.model.site import Site
from tenure.problems import Problem, format_problem
from tenure.record import Record, replace
from tenure.server.editor_links import format_editor_link
from tenure.sources.theme.theme import PACKAGED_THEMES

MAX_STEPS = 5
"""The number of steps shown at once."""


class FirstStep(Record):
    """One suggestion: its title, the file, the lines to copy (OWNER is the name in the profile), and a note on what else to do."""

    title: str
    file: str
    lines: str
    note: str = ""


def has_basic_content(site: Site) -> bool:
    """Whether a site has a text about its owner, and also a list or a publication."""
    lists = [name for name in site.collections if name != "about"]
    return _has_about_text(site) and bool(lists or site.publications)


def suggest_next_steps(site: Site) -> tuple[FirstStep, ...]:
    """The missing steps, most important first; empty if the site has basic content."""
    if has_basic_content(site):
        return ()
    steps = [step for is_done, step in _FIRST_STEPS if not is_done(site)][:MAX_STEPS]
    return tuple(replace(step, lines=step.lines.replace("OWNER", site.profile.name)) for step in steps)


def _has_about_text(site: Site) -> bool:
    return "about" in site.collections


_FIRST_STEPS: tuple[tuple[Callable[[Site], bool], FirstStep], ...] = (
    (
        _has_about_text,
        FirstStep(
            "A text about you",
            "content/about.md",
            "I am a PhD student. I work\non computers that need less\nenergy, with Prof. Bo Lee.",
        ),
    ),
    (
        lambda site: bool(site.profile.role and site.profile.photo),
        FirstStep(
            "Your role and a photo",
            "content/profile.yaml",
            "role: PhD student\nphoto: photo.jpg\nphoto_alt: Portrait of me",
            "Add these lines and put the picture into content/.",
        ),
    ),
    (
        lambda site: "education" in site.collections,
        FirstStep(
            "Your education",
            "content/education.yaml",
            "- institution: University X\n  degree: M.Sc. in Physics\n  period: 2022 - 2024",
        ),
    ),
    (
        lambda site: bool(site.publications),
        FirstStep(
            "Your publications",
            "bib/papers.bib",
            "@misc{lee2025, year = 2025,\n  author = {OWNER},\n  title = {The Title}}",
            "Or put a .bib file from your reference manager into bib/.",
        ),
    ),
    (
        lambda site: bool(site.settings.url),
        FirstStep(
            "The URL of the site",
            "site.yaml",
            "# or the one that you have\nurl: https://jana.github.io/",
            "Add the line.",
        ),
    ),
    (
        lambda site: bool(site.profile.email or site.profile.links),
        FirstStep(
            "How to reach you",
            "content/profile.yaml",
            "email: name@example.edu\nlinks:\n  github: user-name",
            "Add these lines.",
        ),
    ),
    (
        lambda site: "news" in site.collections,
        FirstStep("News", "content/news.yaml", "- date: May 2025\n  text: >-\n    I have started my PhD."),
    ),
    (
        lambda site: "experience" in site.collections,
        FirstStep(
            "Your experience",
            "content/experience.yaml",
            "- organization: Company X\n  role: Research intern\n  period: Jun - Sep 2024",
        ),
    ),
)
"""Pairs: whether a site has done the step, and the step."""


JsonObject = Mapping[str, object]
"""A JSON object for the client script of the preview."""


class OverlayReport(Record):
    """
    The overlay's content for a build, on this machine and on other devices.

    Other devices get no paths of this machine, and no links to its files.
    """

    local_data: JsonObject
    remote_data: JsonObject


class OverlayBuilder(Record):
    """Creates the overlay's content; `root` is the site's folder, `link_template` is for links to the editor ("": none)."""

    root: Path
    link_template: str = ""

    def report_build(self, build: BuildResult, *, has_previous_build: bool = False) -> OverlayReport:
        """The report of a build; `has_previous_build` is true if the preview has already shown a build."""
        return OverlayReport(
            self.describe_problems(build, has_previous_build=has_previous_build),
            OverlayBuilder(self.root).describe_problems(build, has_previous_build=has_previous_build),
        )

    def report_failure(self, message: str) -> OverlayReport:
        """The report of an internal error of the program."""
        item = {"place": "", "link": "", "message": message, "excerpt": "", "hint": ""}
        errors = {"heading": "Tenure has failed", "items": [item]}
        data: JsonObject = {"errors": errors, "warnings": None, "steps": ()}
        return OverlayReport(data, data)

    def describe_problems(self, build: BuildResult, *, has_previous_build: bool) -> JsonObject:
        """The errors, warnings and first steps of a build, with links if there is a link template."""
        errors = [problem for problem in build.problems if problem.level == "error"]
        warnings = [problem for problem in build.problems if problem.level == "warning"]
        steps = suggest_next_steps(build.site) if build.site is not None and not errors else ()
        return {
            "errors": self._describe_group(
                f"{format_count(len(errors), 'error')}: {_describe_consequence(build, has_previous_build)}",
                errors,
            ),
            "warnings": self._describe_group(format_count(len(warnings), "warning"), warnings),
            "steps": [self._describe_step(step) for step in steps],
        }

    def _describe_group(self, heading: str, problems: Sequence[Problem]) -> JsonObject | None:
        items = [self._describe_problem(problem) for problem in problems]
        return {"heading": heading, "items": items} if items else None

    def _describe_problem(self, problem: Problem) -> JsonObject:
        place = problem.place
        return {
            "place": str(place),
            "link": self._make_editor_link(place.file, place.line, place.column),
            "message": problem.message,
            "excerpt": format_problem(replace(problem, hint="")).partition("\n")[2],
            "hint": problem.hint,
        }

    def _describe_step(self, step: FirstStep) -> JsonObject:
        link = self._make_editor_link(step.file, 0, 0)
        return {"title": step.title, "file": step.file, "lines": step.lines, "note": step.note, "link": link}

    def _make_editor_link(self, file: str, line: int, column: int) -> str:
        """The editor link to a file of the site or of a packaged theme; "" if it does not exist."""
        packaged = (
            PACKAGED_THEMES / file.removeprefix("themes/") if file.startswith("themes/") else self.root / file
        )
        for path in (self.root / file, packaged):
            if self.link_template and path.is_file():
                return format_editor_link(self.link_template, path.resolve(), line, column)
        return ""


def _describe_consequence(build: BuildResult, has_previous_build: bool) -> str:
    if build.is_complete:
        return "the site cannot be published; the preview shows the rest"
    return "the site cannot be built" + ("; the preview shows the last version" if has_previous_build else "")


EMPTY_REPORT = OverlayReport(*2 * ({"errors": None, "warnings": None, "steps": ()},))
"""The report before the first build."""
