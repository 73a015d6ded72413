"""`schema`: write the JSON Schema of each source file, for editors."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.commands.calls import DONE, CallError
from tenure.commands.sites import seen, site_in
from tenure.counts import number

if TYPE_CHECKING:
    from tenure.pipeline import Outlet


def run(call: argparse.Namespace, here: Path, outlets: "Sequence[Outlet] | None") -> int:
    """Write the schemas of a site into its folder; returns the exit status."""
    del outlets
    from tenure.sources.json_schema import FOLDER, schema_files  # noqa: PLC0415 - loaded only if there is a site
    from tenure.sources.pages_cms import FILE as PAGES_CMS  # noqa: PLC0415 - as above
    from tenure.sources.pages_cms import pages_cms_file  # noqa: PLC0415 - as above

    root = site_in(call.folder or here)
    files = {**schema_files(root), **pages_cms_file()}
    try:
        (root / FOLDER).mkdir(exist_ok=True)
        for name, text in files.items():
            (root / name).write_bytes(text.encode("utf-8"))
    except OSError as error:
        raise CallError(f"cannot write {seen(root / FOLDER)}: {error.strerror or error}") from error
    print(
        f"wrote {number(len(files) - 1, 'schema')} into {seen(root / FOLDER)}/, and {seen(root / PAGES_CMS)}"
    )
    for name, line in _without_line(root):
        print(f"begin {seen(root / name)} with: {line.rstrip()}")
    return DONE


def _without_line(root: Path) -> Iterator[tuple[str, str]]:
    """The source files that do not name their schema, each with the line to add."""
    from tenure.sources.json_schema import MODELINE, line_for  # noqa: PLC0415 - as above

    lists, themes = sorted((root / "content").glob("*.y*ml")), sorted((root / "themes").glob("*/theme.yaml"))
    for path in (root / "site.yaml", *lists, *themes):
        name = path.relative_to(root).as_posix()
        line = line_for(name)
        if line and path.is_file() and MODELINE not in path.read_text(encoding="utf-8", errors="replace"):
            yield name, line
