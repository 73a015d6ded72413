"""Updates the sources of an older schema version."""

import re
from pathlib import Path

from tenure.problems import Edit, Place, Problems
from tenure.sources.edits import FileChange, RefusedFile, plan_changes
from tenure.sources.files import parse_yaml, read_source_text
from tenure.sources.settings import SCHEMA_VERSION


def plan_migration(root: Path) -> tuple[list[FileChange], list[RefusedFile]]:
    """The files of a site that migration would change, and those that it cannot; nothing is written."""
    return plan_changes(root, [build_version_edits(root)])


def build_version_edits(root: Path) -> tuple[Edit, ...]:
    """The edit that sets `schema` in site.yaml to SCHEMA_VERSION; () if it has this version or a later one."""
    path, name, version_line = root / "site.yaml", "site.yaml", f"schema: {SCHEMA_VERSION}\n"
    text = read_source_text(path, name, Problems()) if path.is_file() else ""
    node = parse_yaml(text, name, Problems()) if text is not None else None
    if text is None or node is None or (node.value is not None and not node.mapping):
        return ()
    if "schema" in node.mapping:
        version_node = node.mapping["schema"]
        is_older = re.fullmatch(r"-?\d+", version_node.text) and int(version_node.text) < SCHEMA_VERSION
        return (Edit(version_node.place, str(SCHEMA_VERSION)),) if is_older else ()
    lines = text.split("\n")
    first_line = min((place.line for place in node.keys.values()), default=0)
    if first_line == 0:
        last_line = lines[-1]
        return (
            Edit(
                Place(name, len(lines), len(last_line) + 1),
                f"\n{version_line}" if last_line else version_line,
            ),
        )
    return () if lines[first_line - 1].startswith("{") else (Edit(Place(name, first_line, 1), version_line),)
