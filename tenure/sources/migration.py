"""Sources of an older version as this one writes them."""

import re
from collections.abc import Iterable
from pathlib import Path

from tenure.memo import Memo
from tenure.problems import Problem, Problems
from tenure.project import Wishes
from tenure.sources.assembly import VERSION, load
from tenure.sources.files import read_yaml

Change = tuple[str, str]
"""The text of a file before and after."""


def migrated(root: Path) -> dict[str, Change]:
    """Every file of a site that would change, by its name; nothing is written."""
    problems = Problems()
    load(root, problems, Memo(), Wishes())
    keys = [problem for problem in problems.told() if problem.code == "deprecated-key"]
    files = sorted({problem.place.file for problem in keys} | {"site.yaml"})
    found: dict[str, Change] = {}
    for file in files:
        before = read(root / file)
        after = _renamed(before, [problem for problem in keys if problem.place.file == file])
        after = _of_version(after) if file == "site.yaml" else after
        if after != before:
            found[file] = before, after
    return found


def read(path: Path) -> str:
    """The text of a file with its own line ends, "" where it is not there."""
    return path.read_bytes().decode("utf-8") if path.is_file() else ""


def _renamed(text: str, problems: Iterable[Problem]) -> str:
    """A text with each key that was told put as its repair says; the last of a line first, as places move."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    lines = text.removeprefix(mark).split("\n")
    for problem in sorted(problems, reverse=True):
        place, name = problem.place, problem.hint.split('"')[1]
        line = lines[place.line - 1]
        start = place.column - 1
        lines[place.line - 1] = line[:start] + name + line[start + place.length :]
    return mark + "\n".join(lines)


def _of_version(text: str) -> str:
    """The text of site.yaml with the version of its sources."""
    end = "\r\n" if "\r\n" in text else "\n"
    written = f"schema: {VERSION}"
    node = read_yaml(text.removeprefix("\ufeff").replace("\r\n", "\n"), "site.yaml", Problems())
    if node is None or (node.value is not None and not node.entries):
        return text
    if "schema" in node.entries:
        return re.sub(r"(?m)^schema:[ \t]*-?\d+", lambda found: _no_later(found[0], written), text, count=1)
    first = min((place.line for place in node.keys.values()), default=0)
    lines = text.split("\n")
    if first == 0:
        return text + ("" if not text or text.endswith("\n") else end) + written + end
    if lines[first - 1].lstrip("\ufeff").startswith("{"):
        return text
    mark = "\ufeff" if first == 1 and text.startswith("\ufeff") else ""
    lines[first - 1] = f"{mark}{written}{end}{lines[first - 1].removeprefix(mark)}"
    return "\n".join(lines)


def _no_later(line: str, written: str) -> str:
    """The line of an older version as this one writes it; that of a later one as it is."""
    return written if int(line.partition(":")[2]) < VERSION else line
