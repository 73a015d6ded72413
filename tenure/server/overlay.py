"""The preview's overlay on a page: the problems of the site, and first steps for a new site."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from tenure.build import BuildResult
from tenure.model.site import Site
from tenure.problems import Problem, Problems, format_count, format_problem
from tenure.record import replace
from tenure.server.client_script import FIRST_STEPS
from tenure.server.documentation import find_section
from tenure.sources.reading.files import parse_yaml

MAX_STEPS = 5
"""The number of steps shown at once."""

EDITOR_VARIABLE = "TENURE_EDITOR"
VSCODE_LINK = "vscode://file{path}:{line}:{column}"
"""
The environment variable with the link to the editor, and its default.

Source: Visual Studio Code, "Command Line Interface", section "Opening VS Code with URLs".
"""

Overlay = Mapping[str, object]
"""The content of the overlay, a JSON object for the client script. It has no path of this machine."""

EMPTY_OVERLAY: Overlay = {
    "errors": None,
    "warnings": None,
    "lengths": None,
    "steps": (),
    "has_entries": False,
}
"""The content before the first build."""


def read_editor_link(environment: Mapping[str, str], root: Path) -> str:
    """
    The template of links to files of a site in the editor, with {file}, {line} and {column}; "none" makes no
    links.

    The variable has {path}, and may have {line} and {column}. Raises ValueError for anything else.
    """
    template = environment.get(EDITOR_VARIABLE, "") or VSCODE_LINK
    if template == "none":
        return ""
    if "{path}" in template and ":" in template.partition("{")[0]:
        # The path begins with a slash, also on Windows: /C:/site/site.yaml.
        folder = quote(f"/{root.as_posix().removeprefix('/')}", safe="/:")
        return template.replace("{path}", f"{folder}/{{file}}")
    raise ValueError(
        f'{EDITOR_VARIABLE} is no link with {{path}}; for Visual Studio Code it is "{VSCODE_LINK}"'
    )


def describe_build(build: BuildResult, *, has_previous_build: bool = False, notice: str = "") -> Overlay:
    """
    The errors, warnings, lengths with a limit, and first steps of a build.

    `has_previous_build` is true if the preview has already shown a build; `notice` is a warning of the
    preview itself.
    """
    errors = [problem for problem in build.problems if problem.level == "error"]
    warnings = [problem for problem in build.problems if problem.level == "warning"]
    lengths = [note for note in build.notes if note.code == "within-limit"]
    shown = "; the preview shows the last version" if has_previous_build else ""
    consequence = f"the site cannot be built{shown}"
    if build.is_complete:
        consequence = "the site cannot be published; the preview shows the rest"

    steps: Sequence[Mapping[str, str]] = ()
    if build.site is not None and not errors:
        steps = suggest_next_steps(build.site)
    warning_count = len(warnings) + 1 if notice else len(warnings)
    return {
        "errors": _describe_group(f"{format_count(len(errors), 'error')}: {consequence}", errors),
        "warnings": _describe_group(format_count(warning_count, "warning"), warnings, notice),
        "lengths": _describe_group(f"{format_count(len(lengths), 'text')} within the limit", lengths),
        "steps": steps,
        "has_entries": build.site is not None and bool(build.site.collections or build.site.publications),
    }


def describe_failure(heading: str, message: str) -> Overlay:
    """The content if the program cannot build."""
    item = {"place": "", "message": message}
    return {**EMPTY_OVERLAY, "errors": {"heading": heading, "items": [item]}}


def _describe_group(
    heading: str, problems: Sequence[Problem], notice: str = ""
) -> Mapping[str, object] | None:
    """The heading and the items of the errors or the warnings, the notice first; None if there are none."""
    items: list[Mapping[str, object]] = [{"place": "", "message": notice}] if notice else []
    items += [
        {
            "place": str(problem.place),
            "source": (problem.place.file, problem.place.line or 1, problem.place.column or 1),
            "message": problem.message,
            "excerpt": format_problem(replace(problem, hint="")).partition("\n")[2],
            "hint": problem.hint,
            "section": find_section(problem.code, problem.level),
        }
        for problem in problems
    ]
    return {"heading": heading, "items": items} if items else None


def suggest_next_steps(site: Site) -> tuple[Mapping[str, str], ...]:
    """
    The missing steps, most important first; empty if the site has a text about its owner, and a list or a
    publication.
    """
    contents = {
        "role": site.profile.role,
        "photo": site.profile.photo,
        "contact": site.profile.email or site.profile.links,
        "publications": site.publications,
        "url": site.settings.url,
        **site.collections,
    }

    has_list = bool(site.collections.keys() - {"about"} or site.publications)
    node = parse_yaml(FIRST_STEPS.replace("OWNER", site.profile.name), "first_steps.yaml", Problems())
    if node is None or (has_list and "about" in site.collections):
        return ()
    steps = [{key: value.text for key, value in step.mapping.items()} for step in node.items]
    return tuple(step for step in steps if not contents.get(step["adds"]))[:MAX_STEPS]
