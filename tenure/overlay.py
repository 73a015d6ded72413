"""The preview's overlay on a page: the problems of the site, and first steps for a new site."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tenure.counts import number
from tenure.editors import link_to
from tenure.first_steps import Step, next_steps
from tenure.frozen import dataclass
from tenure.pipeline import Build
from tenure.problems import Problem, written
from tenure.sources.themes import PACKAGED

Data = Mapping[str, object]
"""A JSON object for the client script of the preview."""


@dataclass(frozen=True, slots=True)
class Report:
    """
    The overlay's content for a build, on this machine and on other devices.

    Other devices get no paths of this machine, and no links to its files.
    """

    here: Data
    elsewhere: Data


@dataclass(frozen=True, slots=True)
class Overlay:
    """Creates the overlay's content; `root` is the site's folder, `link_template` is for links to the editor ("": none)."""

    root: Path
    template: str = ""

    def of_build(self, build: Build, *, has_earlier: bool = False) -> Report:
        """The report of a build; `has_previous_build` is true if the preview has already shown a build."""
        return Report(
            self.describe(build, has_earlier=has_earlier),
            Overlay(self.root).describe(build, has_earlier=has_earlier),
        )

    def of_fault(self, message: str) -> Report:
        """The report of an internal error of the program."""
        item = {"place": "", "link": "", "message": message, "excerpt": "", "hint": ""}
        errors = {"heading": "Tenure has failed", "items": [item]}
        data: Data = {"errors": errors, "warnings": None, "steps": ()}
        return Report(data, data)

    def describe(self, build: Build, *, has_earlier: bool) -> Data:
        """The errors, warnings and first steps of a build, with links if there is a link template."""
        errors = [problem for problem in build.problems if problem.level == "error"]
        warnings = [problem for problem in build.problems if problem.level == "warning"]
        steps = next_steps(build.site) if build.site is not None and not errors else ()
        return {
            "errors": self._group(
                f"{number(len(errors), 'error')}: {_consequence(build, has_earlier)}", errors
            ),
            "warnings": self._group(number(len(warnings), "warning"), warnings),
            "steps": [self._step(step) for step in steps],
        }

    def _group(self, heading: str, problems: Sequence[Problem]) -> Data | None:
        items = [self._item(problem) for problem in problems]
        return {"heading": heading, "items": items} if items else None

    def _item(self, problem: Problem) -> Data:
        place = problem.place
        return {
            "place": str(place),
            "link": self._link(place.file, place.line, place.column),
            "message": problem.message,
            "excerpt": written(replace(problem, hint="")).partition("\n")[2],
            "hint": problem.hint,
        }

    def _step(self, step: Step) -> Data:
        link = self._link(step.file, 0, 0)
        return {"title": step.title, "file": step.file, "lines": step.lines, "note": step.note, "link": link}

    def _link(self, file: str, line: int, column: int) -> str:
        """The editor link to a file of the site or of a packaged theme; "" if it does not exist."""
        packaged = PACKAGED / file.removeprefix("themes/") if file.startswith("themes/") else self.root / file
        for path in (self.root / file, packaged):
            if self.template and path.is_file():
                return link_to(self.template, path.resolve(), line, column)
        return ""


def _consequence(build: Build, has_earlier: bool) -> str:
    """The consequence of errors for the site and the preview."""
    if build.is_complete:
        return "the site cannot be published; the preview shows the rest"
    return "the site cannot be built" + ("; the preview shows the last version" if has_earlier else "")


NOTHING = Report(*2 * ({"errors": None, "warnings": None, "steps": ()},))
"""The report before the first build."""
