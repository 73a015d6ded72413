"""Reading the sources, by another process while this one loads what makes pages of them."""

from collections.abc import Callable
from pathlib import Path

from tenure.memo import Memo
from tenure.problems import Problems
from tenure.project import Project, Wishes
from tenure.spread import apart
from tenure.stamp import program

LIGHT = 500_000
"""Bytes of BibTeX from which on handing over what was read costs more than reading it beside saves."""

Reading = Callable[[], tuple[Project | None, Problems]]
"""Gives what was read, None where no site can be made of it, and the problems told on the way."""


def begin(root: Path, wishes: Wishes, memo: Memo | None = None) -> Reading:
    """
    Begin to read the sources in a folder.

    What is decoded is kept in `memo`, or in the site's .cache where none is given.
    """

    def read() -> tuple[Project | None, Problems]:
        from tenure.sources.assembly import load  # noqa: PLC0415 - loaded by the process that reads

        problems = Problems()
        kept = memo or Memo(root / ".cache" / "entries", program())
        project = load(root, problems, kept, wishes)
        if memo is None:
            kept.save()
        return project, problems

    weight = sum(path.stat().st_size for path in root.glob("bib/*.bib"))
    return apart(read) if memo is None and weight < LIGHT else read
