"""The functions that run with each mutated source: a build, a rebuild, an import, or one parser."""

import json
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from fuzz_seeds import PART, PROFILE

from tenure.build import BuildResult, build_site
from tenure.cache.store import CacheStore
from tenure.cli.arguments import UsageError
from tenure.markdown.html import plain_text, render_markdown
from tenure.model.dates import parse_date, parse_period
from tenure.problems import Place, Problem, Problems
from tenure.sources.bibtex.reader import read_bibtex
from tenure.sources.latex.conversion import latex_to_markdown, latex_to_url
from tenure.sources.publications.author_names import parse_authors
from tenure.sources.reading.files import parse_markdown_file, parse_yaml
from tenure_import.detect import detect_system
from tenure_import.folder_import import import_folder
from tenure_import.source import split_front_matter

UNSAFE_URL = re.compile(
    rb"""<[a-z][^<>]*\s(?:href|src)\s*=\s*["']?\s*(?:javascript|vbscript|data:text)""", re.IGNORECASE
)
"""<a href="javascript:x()">."""


class WrongResultError(Exception):
    """A build ended, but its files or messages are wrong."""


def write_parts(root: Path, source: str) -> None:
    """Write the files of a site in a text; ignore a path that the file system refuses."""
    parts = PART.split(source)
    for name, content in zip(parts[1::2], parts[2::2], strict=True):
        path = root / name
        if ".." in path.parts or not path.is_relative_to(root):
            continue
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode("utf-8", "surrogatepass"))
        except (OSError, ValueError):
            continue


MAX_REMOVALS = 6
"""
The number of builds after each of which the entries with errors are removed; before the last ones, their
files.
"""

FILE_CODES = ("encoding", "unreadable", "merge-marks", "duplicate-path")
"""Errors of a whole .bib file; its values only cause warnings."""


def build_source(source: str) -> None:
    """
    Build a site, and check its files and the places of its messages.

    Then its entries with errors are removed, and it is built again, until it has no error: so the last stages
    are reached too.
    """
    root = Path(tempfile.mkdtemp(prefix="tenure-fuzz-"))
    try:
        write_parts(root, source)
        for count in range(MAX_REMOVALS):
            result = build_site(root)
            check_result(root, result)
            errors = [problem.place for problem in result.problems if problem.level == "error"]
            if not errors:
                break
            remove_errors(root, errors, whole_files=count >= MAX_REMOVALS // 2)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def remove_errors(root: Path, places: Sequence[Place], *, whole_files: bool) -> None:
    """
    Remove the line of each error, of a YAML file the whole block; without a line, the file.

    A site without a profile cannot be built, so that one is written in its place.
    """
    for file in dict.fromkeys(place.file for place in places):
        path = root / file
        numbers = [place.line - 1 for place in places if place.file == file]
        if not path.is_file():
            continue
        if whole_files or min(numbers) < 0:
            path.unlink()
            continue

        lines = path.read_bytes().split(b"\n")
        removed = set(numbers)
        if path.suffix in (".yaml", ".yml"):
            removed = {index for number in numbers for index in find_block(lines, number)} | removed
        path.write_bytes(b"\n".join(line for index, line in enumerate(lines) if index not in removed))
    if not (root / "content/profile.yaml").is_file():
        write_parts(root, PROFILE)


def find_block(lines: Sequence[bytes], number: int) -> range:
    """The lines from the last one without indentation to the next one."""
    starts = [index for index, line in enumerate(lines) if line[:1].strip()]
    first = max((start for start in starts if start <= number), default=0)
    return range(first, min((start for start in starts if start > number), default=len(lines)))


def check_result(root: Path, result: BuildResult) -> None:
    """Raise WrongResultError for an invalid file, and for a message that `check_problem` refuses."""
    for artifact in result.artifacts:
        if artifact.path.endswith(".json"):
            json.loads(artifact.read())
        elif artifact.path.endswith(".xml"):
            ET.fromstring(artifact.read())
        if result.has_errors:
            continue  # nothing is written
        if artifact.path.startswith("/") or ".." in artifact.path.split("/"):
            raise WrongResultError(f"the path of a file is {artifact.path}")
        if artifact.path.endswith(".html") and UNSAFE_URL.search(artifact.read()):
            raise WrongResultError("a page has a URL that may run code")
    for problem in (*result.problems, *result.notes):
        check_problem(root, problem)


def check_problem(root: Path, problem: Problem) -> None:
    """Raise WrongResultError for a message that names a theme or no line, or an error in another's file."""
    file = problem.place.file
    line = problem.place.line
    path = root / file

    if path.is_file() and line > path.read_bytes().count(b"\n") + 1 + path.read_bytes().count(b"\r"):
        raise WrongResultError(f"{problem.code} names a line after the end of the file")
    if (root / "themes").exists():
        return
    if problem.code.startswith(("cv-template", "cv-warning", "template")):
        raise WrongResultError(f"a value is blamed on the theme: {problem.code} {problem.message[:60]}")
    if problem.level != "error" or problem.code in FILE_CODES or (root / "build.py").exists():
        return
    if file.endswith(".bib") or file.startswith("members/"):
        raise WrongResultError(f"a value of another's file is an error: {problem.code}")
    if not line and problem.code in ("broken-link", "bad-address", "wrong-case"):
        raise WrongResultError(f"a link is reported without its line: {file}")


def rebuild_source(source: str) -> None:
    """Build a site, edit one file, and compare the second build with one that has no cache."""
    root = Path(tempfile.mkdtemp(prefix="tenure-fuzz-"))
    try:
        first, _, second = source.partition("-- edited --\n")
        store = CacheStore()
        write_parts(root, first)
        build_site(root, store=store)
        write_parts(root, second)

        cached = build_site(root, store=store)
        clean = build_site(root)
        messages = [problem.message for problem in clean.problems]
        if [problem.message for problem in cached.problems] != messages:
            raise WrongResultError("the messages of the second build differ from those of a clean build")
        files = {artifact.path: artifact.read() for artifact in clean.artifacts}
        if {artifact.path: artifact.read() for artifact in cached.artifacts} != files:
            raise WrongResultError("the files of the second build differ from those of a clean build")
    finally:
        shutil.rmtree(root, ignore_errors=True)


def import_source(source: str) -> None:
    """Import an old site as `import` does; the new site must build."""
    root = Path(tempfile.mkdtemp(prefix="tenure-fuzz-"))
    try:
        write_parts(root, source)
        if detect_system(root / "old"):
            import_folder(root / "old", root / "site", "Ada Example")
            errors = [problem for problem in build_site(root / "site").problems if problem.level == "error"]
            if errors:
                raise WrongResultError(
                    f"the imported site has an error: {errors[0].code} {errors[0].message[:60]}"
                )
    except UsageError:
        pass  # a message to the user
    finally:
        shutil.rmtree(root, ignore_errors=True)


TARGETS: Mapping[str, Callable[[str], None]] = {
    "bibtex": build_source,
    "yaml": build_source,
    "markdown": build_source,
    "front-matter": build_source,
    "importers": import_source,
    "preview": rebuild_source,
}
"""The functions that run with a mutated source, by target."""


def read_latex(text: str) -> None:
    """Convert a value of a .bib file to every format."""
    latex_to_markdown(text, True)
    latex_to_url(text)
    parse_authors(text)


def read_dates(text: str) -> None:
    """Parse a date and a period."""
    parse_date(text)
    parse_period(text)


GROWTH: Mapping[str, Mapping[str, Callable[[str], object]]] = {
    "bibtex": {
        "a .bib file": lambda text: read_bibtex(text, "a.bib", Problems()),
        "a value of a .bib file": read_latex,
    },
    "yaml": {"a YAML file": lambda text: parse_yaml(text, "a.yaml", Problems()), "a date": read_dates},
    "markdown": {"a text": render_markdown, "a text without markup": plain_text},
    "front-matter": {
        "a document": lambda text: parse_markdown_file(text, "a.md", Problems()),
        "an imported document": split_front_matter,
    },
}
"""The parsers of each target whose time is measured with repeated pieces."""
