"""`check --links external`: report dead links to other sites at their place in the sources."""

import html
import re
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tenure.build import BuildResult
from tenure.cli.link_requests import LinkResult, check_urls
from tenure.problems import Place, Problem, Problems
from tenure.record import replace

_EXTERNAL_LINK = re.compile(r'<a\s[^>]*?href="(https?://[^"]+)"')


def check_external_links(build: BuildResult, root: Path) -> BuildResult:
    """A copy of a build with the problems of its external links; links with an unclear result are printed on stderr."""
    source_by_url = find_external_links(build)
    answers = check_urls(
        source_by_url,
        lambda checked_count: _show_progress(f"checked {checked_count} of {len(source_by_url)} links"),
    )
    for answer in answers:
        if answer.state == "unclear":
            _print_to_stderr(f"{answer.url} {answer.reason}: look yourself")
    dead_links = _report_dead_links(
        [answer for answer in answers if answer.state in ("gone", "silent")], source_by_url, root
    )
    ignored_codes = build.site.settings.checks.ignore if build.site is not None else ()
    return replace(
        build,
        problems=tuple(sorted((*build.problems, *(p for p in dead_links if p.code not in ignored_codes)))),
    )


def find_external_links(build: BuildResult) -> dict[str, str]:
    """Every URL on another site that a page links to, with the source file of the first such page."""
    site_url = build.site.settings.url.rstrip("/") if build.site is not None else ""
    source_by_url: dict[str, str] = {}
    for artifact in build.artifacts:
        if artifact.path.endswith(".html"):
            for href in _EXTERNAL_LINK.findall(artifact.read().decode("utf-8")):
                url = html.unescape(href).partition("#")[0]
                if not site_url or not f"{url.rstrip('/')}/".startswith(f"{site_url}/"):
                    source_by_url.setdefault(url, artifact.source.split(":")[0] or artifact.path)
    return source_by_url


def _report_dead_links(
    answers: list[LinkResult], source_by_url: dict[str, str], root: Path
) -> tuple[Problem, ...]:
    """The problems of dead links."""
    problems = Problems()
    for path in (root / "site.yaml", *sorted(root.glob("content/**/*")), *sorted(root.glob("bib/**/*.bib"))):
        if path.is_file() and path.suffix in (".yaml", ".yml", ".md", ".bib"):
            problems.add_source(
                path.relative_to(root).as_posix(), path.read_text(encoding="utf-8", errors="replace")
            )
    for answer in answers:
        is_gone = answer.state == "gone"
        message = f"{answer.url} is {'gone' if is_gone else 'silent'}: {answer.reason}"
        hint = (
            "correct the URL, or delete the link"
            if is_gone
            else "check whether the page still exists, or try again later"
        )
        for place in _find_places(answer.url, problems) or [Place(source_by_url[answer.url])]:
            problems.report("dead-link", place, message, hint)
    return problems.sorted_problems()


def _find_places(url: str, problems: Problems) -> list[Place]:
    """The places in the sources that have a URL, or else the DOI or user name in it."""
    path = unquote(urlsplit(url).path).strip("/")
    for spelling in dict.fromkeys((url, url.rstrip("/"), path, path.rpartition("/")[2])):
        places = [*problems.find_places(rf"(?<![\w/])({re.escape(spelling)})(?![\w-])")] if spelling else []
        if places:
            return places
    return []


def _show_progress(line: str) -> None:
    """Show the progress if stderr is a terminal; the next line overwrites it."""
    if sys.stderr.isatty():
        print(f"{line}\r", end="", file=sys.stderr, flush=True)


def _print_to_stderr(line: str) -> None:
    print(line, file=sys.stderr)
