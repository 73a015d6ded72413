"""`check --links external`: report dead links to other sites at their place in the sources."""

import html
import re
import sys
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tenure.outside import Answer, tried
from tenure.pipeline import Build
from tenure.problems import Place, Problem, Problems

_LINK = re.compile(r'<a\s[^>]*?href="(https?://[^"]+)"')


def with_outside(made: Build, root: Path) -> Build:
    """A copy of a build with the problems of its external links; links with an unclear result are printed on stderr."""
    sources = addresses(made)
    answers = tried(sources, lambda done: _progress(f"checked {done} of {len(sources)} links"))
    for answer in answers:
        if answer.state == "unclear":
            _say(f"{answer.address} {answer.words}: look yourself")
    told = _told([answer for answer in answers if answer.state in ("gone", "silent")], sources, root)
    ignored = made.site.settings.checks.ignore if made.site is not None else ()
    return replace(
        made, problems=tuple(sorted((*made.problems, *(p for p in told if p.code not in ignored))))
    )


def addresses(made: Build) -> dict[str, str]:
    """Every URL on another site that a page links to, with the source file of the first such page."""
    own = made.site.settings.url.rstrip("/") if made.site is not None else ""
    found: dict[str, str] = {}
    for artifact in made.artifacts:
        if artifact.path.endswith(".html"):
            for written in _LINK.findall(artifact.read().decode("utf-8")):
                address = html.unescape(written).partition("#")[0]
                if not own or not f"{address.rstrip('/')}/".startswith(f"{own}/"):
                    found.setdefault(address, artifact.source.split(":")[0] or artifact.path)
    return found


def _told(answers: list[Answer], sources: dict[str, str], root: Path) -> tuple[Problem, ...]:
    """The problems of dead links."""
    problems = Problems()
    for path in (root / "site.yaml", *sorted(root.glob("content/**/*")), *sorted(root.glob("bib/**/*.bib"))):
        if path.is_file() and path.suffix in (".yaml", ".yml", ".md", ".bib"):
            problems.know(
                path.relative_to(root).as_posix(), path.read_text(encoding="utf-8", errors="replace")
            )
    for answer in answers:
        gone = answer.state == "gone"
        message = f"{answer.address} is {'gone' if gone else 'silent'}: {answer.words}"
        hint = (
            "correct the URL, or delete the link"
            if gone
            else "check whether the page still exists, or try again later"
        )
        for place in _places(answer.address, problems) or [Place(sources[answer.address])]:
            problems.tell("dead-link", place, message, hint)
    return problems.told()


def _places(address: str, problems: Problems) -> list[Place]:
    """The places in the sources that have a URL, or else the DOI or user name in it."""
    path = unquote(urlsplit(address).path).strip("/")
    for words in dict.fromkeys((address, address.rstrip("/"), path, path.rpartition("/")[2])):
        found = [*problems.places(rf"(?<![\w/])({re.escape(words)})(?![\w-])")] if words else []
        if found:
            return found
    return []


def _progress(line: str) -> None:
    """Show the progress if stderr is a terminal; the next line overwrites it."""
    if sys.stderr.isatty():
        print(f"{line}\r", end="", file=sys.stderr, flush=True)


def _say(line: str) -> None:
    print(line, file=sys.stderr)
