"""`schema`: write the JSON Schema of each source file, for editors."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cli.arguments import EXIT_OK, UsageError
from tenure.cli.targets import display_path, require_site_folder
from tenure.counts import format_count

if TYPE_CHECKING:
    from tenure.build import Exporter


def run_command(
    arguments: argparse.Namespace, default_folder: Path, exporters: "Sequence[Exporter] | None"
) -> int:
    """Write the schemas of a site into its folder; returns the exit status."""
    del exporters
    from tenure.sources.json_schema import SCHEMA_FOLDER, build_schema_files  # noqa: PLC0415 - loaded only if there is a site

    root = require_site_folder(arguments.folder or default_folder)
    files = build_schema_files(root)
    try:
        (root / SCHEMA_FOLDER).mkdir(exist_ok=True)
        for name, text in files.items():
            (root / name).write_bytes(text.encode("utf-8"))
    except OSError as error:
        raise UsageError(
            f"cannot write {display_path(root / SCHEMA_FOLDER)}: {error.strerror or error}"
        ) from error
    print(f"wrote {format_count(len(files), 'schema')} into {display_path(root / SCHEMA_FOLDER)}/")
    for name, line in _find_sources_without_schema(root):
        print(f"begin {display_path(root / name)} with: {line.rstrip()}")
    return EXIT_OK


def _find_sources_without_schema(root: Path) -> Iterator[tuple[str, str]]:
    """The source files that do not name their schema, each with the line to write."""
    from tenure.sources.json_schema import MODELINE_PREFIX, schema_modeline  # noqa: PLC0415 - as above

    content_files = sorted((root / "content").glob("*.y*ml"))
    theme_files = sorted((root / "themes").glob("*/theme.yaml"))
    for path in (root / "site.yaml", *content_files, *theme_files):
        name = path.relative_to(root).as_posix()
        line = schema_modeline(name)
        if not line or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if MODELINE_PREFIX not in text:
            yield name, line
