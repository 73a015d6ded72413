"""`schema`: write the JSON Schema of each source file, for editors."""

import argparse
from pathlib import Path

from tenure.cli.arguments import EXIT_OK, Call, add_site_option, find_site
from tenure.cli.targets import display_path
from tenure.problems import format_count


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `schema`."""
    add_site_option(parser)


def run_command(call: Call) -> int:
    """Write the schemas of a site into its folder; returns the exit status."""
    root = find_site(call)
    write_schemas(root)
    print_missing_lines(root)
    return EXIT_OK


def write_schemas(root: Path) -> None:
    """Write the schemas of a site, and print how many."""
    from tenure.sources.editing.json_schema import SCHEMA_FOLDER, build_schema_files

    files = build_schema_files(root)
    folder = root / SCHEMA_FOLDER
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (root / name).write_bytes(text.encode("utf-8"))
    print(f"wrote {format_count(len(files), 'schema')} into {display_path(folder)}/")


def print_missing_lines(root: Path) -> None:
    """Print which source files do not name their schema, each with the line to write."""
    from tenure.sources.editing.json_schema import MODELINE_PREFIX, schema_modeline

    content_files = sorted((root / "content").glob("*.y*ml"))
    for path in filter(Path.is_file, (root / "site.yaml", *content_files)):
        line = schema_modeline(path.relative_to(root).as_posix())
        text = path.read_text(encoding="utf-8", errors="replace")
        if line and MODELINE_PREFIX not in text:
            print(f"begin {display_path(path)} with: {line.rstrip()}")
