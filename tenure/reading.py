"""Load the sources in another process, while this one imports the modules that render pages."""

from collections.abc import Callable
from pathlib import Path

from tenure.memo import Memo
from tenure.problems import Problems
from tenure.project import Project, Wishes
from tenure.spread import apart
from tenure.stamp import program

LIGHT = 500_000
"""Bytes of BibTeX from which the transfer between processes takes longer than parallel loading saves."""

Reading = Callable[[], tuple[Project | None, Problems]]
"""Returns the loaded folder (None if there is no valid site) and the reported problems."""


def begin(root: Path, wishes: Wishes, memo: Memo | None = None) -> Reading:
    """
    Start loading the sources in a folder; the returned function waits for the result.

    Decoded entries are cached in `store`, by default a file in the site's .cache.
    """

    def read() -> tuple[Project | None, Problems]:
        from tenure.sources.assembly import load  # noqa: PLC0415 - only loaded by the process that needs it

        problems = Problems()
        kept = memo or Memo(root / ".cache" / "entries", program())
        project = load(root, problems, kept, wishes)
        if memo is None:
            kept.save()
        return project, problems

    weight = sum(path.stat().st_size for path in root.glob("bib/*.bib"))
    return apart(read) if memo is None and weight < LIGHT else read
