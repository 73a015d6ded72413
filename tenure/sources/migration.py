"""Updates the sources of an older schema version."""

import re
from pathlib import Path

from tenure.memo import Memo
from tenure.problems import Edit, Place, Problems
from tenure.project import Wishes
from tenure.sources.assembly import VERSION, load
from tenure.sources.edits import Change, Refusal, plan_changes
from tenure.sources.files import read_text, read_yaml


def plan_migration(root: Path) -> tuple[list[Change], list[Refusal]]:
    """The files of a site that migration would change, and those that it cannot; nothing is written."""
    problems = Problems()
    load(root, problems, Memo(), Wishes())
    renamed = [problem.edits for problem in problems.told() if problem.code == "deprecated-key"]
    return plan_changes(root, [*renamed, version_edits(root)])


def version_edits(root: Path) -> tuple[Edit, ...]:
    """The edit that sets `schema` in site.yaml to SCHEMA_VERSION; () if it has this version or a later one."""
    path, name, written = root / "site.yaml", "site.yaml", f"schema: {VERSION}\n"
    text = read_text(path, name, Problems()) if path.is_file() else ""
    node = read_yaml(text, name, Problems()) if text is not None else None
    if text is None or node is None or (node.value is not None and not node.entries):
        return ()
    if "schema" in node.entries:
        number = node.entries["schema"]
        is_older = re.fullmatch(r"-?\d+", number.words) and int(number.words) < VERSION
        return (Edit(number.place, str(VERSION)),) if is_older else ()
    lines = text.split("\n")
    first = min((place.line for place in node.keys.values()), default=0)
    if first == 0:
        last = lines[-1]
        return (Edit(Place(name, len(lines), len(last) + 1), f"\n{written}" if last else written),)
    return () if lines[first - 1].startswith("{") else (Edit(Place(name, first, 1), written),)
