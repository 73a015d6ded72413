"""`export`: write one document or record of a site to a file or to stdout."""

import argparse
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.commands.calls import DONE, FAULTY, CallError
from tenure.commands.sites import Job, jobs_of, placed, seen
from tenure.counts import number
from tenure.frozen import dataclass

if TYPE_CHECKING:
    from tenure.model.dates import Date
    from tenure.model.site import Collection, CvWish, Site
    from tenure.pipeline import Outlet
    from tenure.problems import Problems
    from tenure.web.pages import Plan


@dataclass(frozen=True, slots=True)
class Export:
    """The input of an export: the site, its pages, the options of the command, and the target."""

    site: "Site"
    pages: "Plan"
    since: "Date | None"
    year: int
    job: Job
    problems: "Problems"
    cv: str
    as_pdf: bool


def _record(name: str) -> Callable[[Export], str]:
    def make(export: Export) -> str:
        from tenure.outlets.writers import WRITERS, Stock  # noqa: PLC0415 - loaded only when called

        return {str(record): writer for record, writer in WRITERS.items()}[name](
            Stock(export.site, export.pages)
        )

    return make


def _calendar(export: Export) -> str:
    """The calendar; the number of omitted talks is printed on stderr."""
    from tenure.outlets.cards import calendar, dated_talks  # noqa: PLC0415 - as above

    talks = sum(len(c.entries) for c in export.site.collections.values() if c.kind == "talks")
    left = talks - len(dated_talks(export.site))
    if left:
        print(f"left out: {left} of {talks} talks without a known month", file=sys.stderr)
    return calendar(export.site)


def _atom(export: Export) -> str:
    from tenure.outlets.atom import feed, novelties  # noqa: PLC0415 - as above

    if not export.site.settings.url:
        raise CallError("a feed needs the site's URL: set url: in site.yaml, or add --base-url")
    if not novelties(export.site, export.pages):
        raise CallError("the feed is empty: no post, news or publication has a date")
    return feed(export.site, export.pages)


def _coauthors(export: Export) -> str:
    from tenure.outlets.reports import coauthors  # noqa: PLC0415 - as above

    cut = sum(paper.authors.others for paper in export.site.publications)
    if cut:
        print(
            f"incomplete: {number(cut, 'publication')} end{'s' if cut == 1 else ''} in “and others”",
            file=sys.stderr,
        )
    return coauthors(export.site, export.since)


def _service(export: Export) -> str:
    from tenure.outlets.reports import service  # noqa: PLC0415 - as above

    return service(export.site, export.since)


def _year(export: Export) -> str | bytes:
    """A report of one year, as Markdown, or as PDF if --output names a .pdf file."""
    from tenure.model.site import CvWish  # noqa: PLC0415 - as above
    from tenure.outlets.reports import happened, year, year_printed  # noqa: PLC0415 - as above

    if not export.year:
        raise CallError("which year? write: export year 2025")
    shown = happened(export.site, export.year)
    if not shown:
        raise CallError(f"no entry has a date in {export.year}")
    if not export.as_pdf:
        return year(export.site, export.year)
    site, report = year_printed(export.site, export.year, _cv(export) or CvWish())
    return _printed(export, site, report, shown)


def _pdf(export: Export) -> bytes:
    """A typeset CV."""
    wish = _cv(export)
    if wish is None:
        own = export.site.profile.cv or ("cv.pdf" if "cv.pdf" in export.site.files else "")
        if own:
            raise CallError(
                f"the CV of the site is your own file, {own}; to have one generated, set cvs: in site.yaml"
            )
        raise CallError("the site has no CV: it needs a page cv, or cvs: in site.yaml")
    return _printed(export, export.site, wish)


def _cv(export: Export) -> "CvWish | None":
    """The CV of --cv, else the first; None if the site has no CV. Raises UsageError for an unknown name."""
    cvs = {cv.name: cv for cv in export.pages.cvs}
    if export.cv and export.cv not in cvs and cvs:
        raise CallError(f'there is no CV called "{export.cv}"; there are {", ".join(cvs)}')
    return cvs.get(export.cv) or next(iter(cvs.values()), None)


def _printed(
    export: Export, site: "Site", cv: "CvWish", shown: "Mapping[str, Collection] | None" = None
) -> bytes:
    """A document as PDF; prints its problems on stderr, and exits if there are errors."""
    from tenure.outlets.cvs import print_cvs  # noqa: PLC0415 - as above
    from tenure.outlets.printed import printable  # noqa: PLC0415 - as above
    from tenure.problems import written  # noqa: PLC0415 - as above

    if not printable():
        raise CallError('a PDF needs Typst: pip install "typst>=0.15,<0.16"')
    before = export.problems.told()
    made = list(print_cvs(site, [cv], export.job.root / ".cache", export.problems, shown))
    for problem in export.problems.told(export.site.settings.checks.ignore):
        if problem not in before:
            print(written(placed(problem, export.job)), file=sys.stderr)
    if not made:
        raise SystemExit(FAULTY)
    return made[0].read()


FORMATS: Mapping[str, Callable[[Export], str | bytes]] = {
    **{
        name: _record(name)
        for name in ("bibtex", "ris", "csl-json", "markdown", "text", "json-resume", "vcard")
    },
    "pdf": _pdf,
    "calendar": _calendar,
    "atom": _atom,
    "llms": _record("llms"),
    "coauthors": _coauthors,
    "service": _service,
    "year": _year,
}
"""The function of each format, by its name on the command line; binary formats return bytes."""

PRINTED = ("pdf", "year")
"""Formats that can be written as PDF."""


SOURCES = frozenset({".bib", ".md", ".yaml", ".yml"})
"""Suffixes of the source files of a site; an export never overwrites one."""


def run(call: argparse.Namespace, here: Path, outlets: "Sequence[Outlet] | None") -> int:
    """Create one document and write it; returns the exit status."""
    del outlets
    if call.format not in FORMATS:
        from tenure.problems import did_you_mean  # noqa: PLC0415 - loaded only for wrong usage

        near = did_you_mean(call.format, FORMATS)
        hint = f'did you mean "{near}"?' if near else f"the formats are {', '.join(FORMATS)}"
        raise CallError(f'there is no format "{call.format}"; {hint}')
    jobs = jobs_of(call, here)
    if len(jobs) > 1:
        raise CallError("one site at a time: --site DIR")
    if _is_pdf(call.to) and call.format not in PRINTED:
        raise CallError(f"{call.format} cannot be written as a PDF; only {' and '.join(PRINTED)}")
    if call.format == "pdf" and call.to is None and sys.stdout.isatty():
        raise CallError("a PDF cannot be shown in a terminal: add --output cv.pdf")
    _refuse(call, jobs[0])
    since = since_of(call.since) if call.since else None
    export = _read(jobs[0], call, since)
    if export is None:
        return FAULTY
    made = FORMATS[call.format](export)
    body = made.encode("utf-8", "replace") if isinstance(made, str) else made
    if call.to is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(body)
        sys.stdout.flush()
        return DONE
    try:
        call.to.parent.mkdir(parents=True, exist_ok=True)
        call.to.write_bytes(body)
    except OSError as error:
        raise CallError(f"cannot write {seen(call.to)}: {error.strerror or error}") from error
    print(f"wrote {seen(call.to)}", file=sys.stderr)
    return DONE


def _refuse(call: argparse.Namespace, job: Job) -> None:
    """Raise UsageError for options that do not apply to the format, and for an output file that is a source."""
    for wish, given, formats in (
        ("a year", call.year, ("year",)),
        ("--cv", call.cv, PRINTED),
        ("--since", call.since, ("coauthors", "service")),
    ):
        if given and call.format not in formats:
            raise CallError(
                f"export {call.format} does not take {wish}, which is for {' and '.join(formats)}"
            )
    if call.to is not None and call.to.suffix in SOURCES and call.to.is_file():
        target, root = call.to.resolve(), job.root.resolve()
        if target == root / "site.yaml" or any(
            target.is_relative_to(root / name) for name in ("bib", "content")
        ):
            raise CallError(f"{seen(call.to)} is a source of the site; name another --output")


def _is_pdf(file: Path | None) -> bool:
    return file is not None and file.suffix.casefold() == ".pdf"


def _read(job: Job, call: argparse.Namespace, since: "Date | None") -> Export | None:
    """Load the site and plan its pages; prints its errors and returns None if there are any."""
    from tenure.problems import written  # noqa: PLC0415 - loaded only when called
    from tenure.project import Wishes  # noqa: PLC0415 - as above
    from tenure.reading import begin  # noqa: PLC0415 - as above

    reading = begin(job.root, Wishes(job.base_url))
    from tenure.web.pages import plan  # noqa: PLC0415 - while the sources are read

    project, problems = reading()
    pages = plan(project.site, problems) if project is not None else None
    errors = [problem for problem in problems.told() if problem.level == "error"]
    for problem in errors:
        print(written(placed(problem, job)), file=sys.stderr)
    if project is None or pages is None or errors:
        return None
    return Export(project.site, pages, since, call.year or 0, job, problems, call.cv, _is_pdf(call.to))


def since_of(words: str) -> "Date":
    """The date of "48mo", "4y" or "2022-01"; a length counts back from today, or from SOURCE_DATE_EPOCH."""
    from tenure.model.dates import Date, days_in, read_date  # noqa: PLC0415 - loaded only when called

    length = re.fullmatch(r"(\d{1,4})\s*(mo|months?|y|yr|years?)", words.strip().casefold())
    if length is None:
        date = read_date(words)
        if date is None or date.year is None:
            raise CallError(
                f"--since {words} is neither a length of time nor a date; write 48mo, 4y or 2022-01"
            )
        return date
    months = int(length[1]) * (1 if length[2].startswith("mo") else 12)
    today = _today()
    year, month = divmod(today.year * 12 + today.month - 1 - months, 12)
    if year < 1:
        raise CallError(f"--since {words} goes back too far")
    return Date(year, month + 1, min(today.day, days_in(year, month + 1)))


def _today() -> datetime:
    """Now, or the time of SOURCE_DATE_EPOCH (reproducible-builds.org), in UTC."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch:
        try:
            return datetime.fromtimestamp(int(epoch), UTC)
        except (ValueError, OverflowError, OSError) as error:
            raise CallError(f"SOURCE_DATE_EPOCH is {epoch}, which is not a number of seconds") from error
    return datetime.now(UTC)
