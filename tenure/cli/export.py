"""`export`: write one document or record of a site to a file or to stdout."""

import argparse
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cache.store import CacheStore
from tenure.cli.arguments import EXIT_ERRORS, EXIT_OK, UsageError
from tenure.cli.targets import BuildTarget, display_path, relocate_problem, select_targets
from tenure.counts import format_count
from tenure.model.export_formats import EXPORT_FORMATS
from tenure.record import Record

if TYPE_CHECKING:
    from tenure.build import Exporter
    from tenure.model.dates import Date
    from tenure.model.site import Collection, CvConfig, Site
    from tenure.plan.pages import Plan
    from tenure.problems import Problems
    from tenure.publish import Artifact


class ExportRequest(Record):
    """The input of an export: the site, its pages, the options of the command, and the target."""

    site: "Site"
    pages: "Plan"
    files: "Sequence[Artifact]"
    since: "Date | None"
    year: int
    target: BuildTarget
    problems: "Problems"
    cv_name: str
    as_pdf: bool


def _create_record_exporter(name: str) -> Callable[[ExportRequest], str]:
    def export_record(request: ExportRequest) -> str:
        from tenure.exports.registry import EXPORT_WRITERS, ExportData  # noqa: PLC0415 - loaded only when called

        return EXPORT_WRITERS[name](ExportData(request.site, request.pages))

    return export_record


def _export_calendar(request: ExportRequest) -> str:
    """The calendar; the number of omitted talks is printed on stderr."""
    from tenure.exports.calendar_file import make_calendar, select_dated_talks  # noqa: PLC0415 - as above

    talk_count = len([*request.site.iterate_entries("talks")])
    undated_count = talk_count - len(select_dated_talks(request.site))
    if undated_count:
        print(f"left out: {undated_count} of {talk_count} talks without a known month", file=sys.stderr)
    return make_calendar(request.site)


def _export_atom_feed(request: ExportRequest) -> str:
    from tenure.exports.atom import collect_feed_entries, make_atom_feed  # noqa: PLC0415 - as above

    if not request.site.settings.url:
        raise UsageError("a feed needs the site's URL: set url: in site.yaml, or add --base-url")
    if not collect_feed_entries(request.site, request.pages):
        raise UsageError("the feed is empty: no post, news or publication has a date")
    return make_atom_feed(request.site, request.pages)


def _export_coauthors(request: ExportRequest) -> str:
    from tenure.exports.reports import make_coauthor_table  # noqa: PLC0415 - as above

    incomplete_count = sum(publication.authors.others for publication in request.site.publications)
    if incomplete_count:
        print(
            f"incomplete: {format_count(incomplete_count, 'publication')} end{'s' if incomplete_count == 1 else ''} in “and others”",
            file=sys.stderr,
        )
    return make_coauthor_table(request.site, request.since)


def _export_service(request: ExportRequest) -> str:
    from tenure.exports.reports import make_service_report  # noqa: PLC0415 - as above

    return make_service_report(request.site, request.since)


def _export_year(request: ExportRequest) -> str | bytes:
    """A report of one year, as Markdown, or as PDF if --output names a .pdf file."""
    from tenure.exports.reports import make_year_report, plan_year_cv, select_year_collections  # noqa: PLC0415 - as above
    from tenure.model.site import CvConfig  # noqa: PLC0415 - as above

    if not request.year:
        raise UsageError("which year? write: export year 2025")
    collections = select_year_collections(request.site, request.year)
    if not collections:
        raise UsageError(f"no entry has a date in {request.year}")
    if not request.as_pdf:
        return make_year_report(request.site, request.year)
    site, report = plan_year_cv(request.site, request.year, _select_cv(request) or CvConfig())
    return _typeset_pdf(request, site, report, collections)


def _export_cv(request: ExportRequest) -> bytes:
    cv_config = _select_cv(request)
    if cv_config is None:
        own_file = request.site.profile.cv or ("cv.pdf" if "cv.pdf" in request.site.files else "")
        if own_file:
            raise UsageError(
                f"the CV of the site is your own file, {own_file}; to have one generated, set cvs: in site.yaml"
            )
        raise UsageError("the site has no CV: it needs a page cv, or cvs: in site.yaml")
    return _typeset_pdf(request, request.site, cv_config)


def _select_cv(request: ExportRequest) -> "CvConfig | None":
    """The CV of --cv, else the first; None if the site has no CV. Raises UsageError for an unknown name."""
    cv_by_name = {cv.name: cv for cv in request.pages.cvs}
    if request.cv_name and request.cv_name not in cv_by_name and cv_by_name:
        raise UsageError(f'there is no CV called "{request.cv_name}"; there are {", ".join(cv_by_name)}')
    return cv_by_name.get(request.cv_name) or next(iter(cv_by_name.values()), None)


def _typeset_pdf(
    request: ExportRequest,
    site: "Site",
    cv: "CvConfig",
    collections: "Mapping[str, Collection] | None" = None,
) -> bytes:
    """A document as PDF; prints its problems on stderr, and exits if there are errors."""
    from tenure.exports.cv.pdf import make_cv_pdfs  # noqa: PLC0415 - as above
    from tenure.exports.cv.typst import is_typst_installed  # noqa: PLC0415 - as above
    from tenure.problems import format_problem  # noqa: PLC0415 - as above

    if not is_typst_installed():
        raise UsageError('a PDF needs Typst: pip install "typst>=0.15,<0.16"')
    reported_before = request.problems.sorted_problems()
    store = CacheStore(request.target.root / ".cache")
    pdfs = [*make_cv_pdfs(site, [cv], store, request.problems, collections=collections, files=request.files)]
    store.save()
    for problem in request.problems.sorted_problems(request.site.settings.checks.ignore):
        if problem not in reported_before:
            print(format_problem(relocate_problem(problem, request.target)), file=sys.stderr)
    if not pdfs:
        raise SystemExit(EXIT_ERRORS)
    return pdfs[0].read()


FORMAT_EXPORTERS: Mapping[str, Callable[[ExportRequest], str | bytes]] = {
    **{name: _create_record_exporter(name) for name in EXPORT_FORMATS},
    "pdf": _export_cv,
    "calendar": _export_calendar,
    "atom": _export_atom_feed,
    "coauthors": _export_coauthors,
    "service": _export_service,
    "year": _export_year,
}
"""The function of each format, by its name on the command line; binary formats return bytes."""

PDF_FORMATS = ("pdf", "year")
"""Formats that can be written as PDF."""


SOURCE_SUFFIXES = frozenset({".bib", ".md", ".yaml", ".yml"})
"""Suffixes of the source files of a site; an export never overwrites one."""


def run_command(
    arguments: argparse.Namespace, default_folder: Path, exporters: "Sequence[Exporter] | None"
) -> int:
    """Create one document and write it; returns the exit status."""
    del exporters
    if arguments.format not in FORMAT_EXPORTERS:
        from tenure.problems import suggest_word  # noqa: PLC0415 - loaded only for wrong usage

        formats = f"the formats are {', '.join(FORMAT_EXPORTERS)}"
        hint = suggest_word(arguments.format, FORMAT_EXPORTERS, formats)
        raise UsageError(f'there is no format "{arguments.format}"; {hint}')
    targets = select_targets(arguments, default_folder)
    if len(targets) > 1:
        raise UsageError("one site at a time: --site DIR")
    if _is_pdf_path(arguments.to) and arguments.format not in PDF_FORMATS:
        raise UsageError(f"{arguments.format} cannot be written as a PDF; only {' and '.join(PDF_FORMATS)}")
    if arguments.format == "pdf" and arguments.to is None and sys.stdout.isatty():
        raise UsageError("a PDF cannot be shown in a terminal: add --output cv.pdf")
    _refuse_invalid_options(arguments, targets[0])
    since = parse_since(arguments.since) if arguments.since else None
    request = _load_export_request(targets[0], arguments, since)
    if request is None:
        return EXIT_ERRORS
    content = FORMAT_EXPORTERS[arguments.format](request)
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    if arguments.to is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return EXIT_OK
    try:
        arguments.to.parent.mkdir(parents=True, exist_ok=True)
        arguments.to.write_bytes(data)
    except OSError as error:
        raise UsageError(f"cannot write {display_path(arguments.to)}: {error.strerror or error}") from error
    print(f"wrote {display_path(arguments.to)}", file=sys.stderr)
    return EXIT_OK


def _refuse_invalid_options(arguments: argparse.Namespace, build_target: BuildTarget) -> None:
    """Raise UsageError for options that do not apply to the format, and for an output file that is a source."""
    for option_name, value, formats in (
        ("a year", arguments.year, ("year",)),
        ("--cv", arguments.cv, PDF_FORMATS),
        ("--since", arguments.since, ("coauthors", "service")),
    ):
        if value and arguments.format not in formats:
            raise UsageError(
                f"export {arguments.format} does not take {option_name}, which is for {' and '.join(formats)}"
            )
    if arguments.to is not None and arguments.to.suffix in SOURCE_SUFFIXES and arguments.to.is_file():
        output_path, root = arguments.to.resolve(), build_target.root.resolve()
        if output_path == root / "site.yaml" or any(
            output_path.is_relative_to(root / name) for name in ("bib", "content")
        ):
            raise UsageError(f"{display_path(arguments.to)} is a source of the site; name another --output")


def _is_pdf_path(path: Path | None) -> bool:
    return path is not None and path.suffix.casefold() == ".pdf"


def _load_export_request(
    target: BuildTarget, arguments: argparse.Namespace, since: "Date | None"
) -> ExportRequest | None:
    """Load the site and plan its pages; prints its errors and returns None if there are any."""
    from tenure.plan.pages import plan_pages  # noqa: PLC0415 - loaded only when called
    from tenure.problems import Problems, format_problem  # noqa: PLC0415 - as above
    from tenure.site_folder import BuildOptions  # noqa: PLC0415 - as above
    from tenure.sources.load import load_site  # noqa: PLC0415 - as above

    problems = Problems()
    store = CacheStore(target.root / ".cache")
    project = load_site(target.root, problems, store, BuildOptions(target.base_url))
    store.save()
    pages = plan_pages(project.site, problems) if project is not None else None
    errors = [problem for problem in problems.sorted_problems() if problem.level == "error"]
    for problem in errors:
        print(format_problem(relocate_problem(problem, target)), file=sys.stderr)
    if project is None or pages is None or errors:
        return None
    options = since, arguments.year or 0, target, problems, arguments.cv, _is_pdf_path(arguments.to)
    return ExportRequest(project.site, pages, project.static_files, *options)


def parse_since(text: str) -> "Date":
    """The date of "48mo", "4y" or "2022-01"; a length counts back from today, or from SOURCE_DATE_EPOCH."""
    from tenure.model.dates import Date, days_in_month, parse_date  # noqa: PLC0415 - loaded only when called

    match = re.fullmatch(r"(\d{1,4})\s*(mo|months?|y|yr|years?)", text.strip().casefold())
    if match is None:
        date = parse_date(text)
        if date is None or date.year is None:
            reason = "is neither a length of time nor a date; write 48mo, 4y or 2022-01"
            raise UsageError(f"--since {text} {reason}")
        return date
    months = int(match[1]) * (1 if match[2].startswith("mo") else 12)
    today = _current_date()
    year, month = divmod(today.year * 12 + today.month - 1 - months, 12)
    if year < 1:
        raise UsageError(f"--since {text} goes back too far")
    return Date(year, month + 1, min(today.day, days_in_month(year, month + 1)))


def _current_date() -> datetime:
    """Now, or the time of SOURCE_DATE_EPOCH (reproducible-builds.org), in UTC."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch:
        try:
            return datetime.fromtimestamp(int(epoch), UTC)
        except (ValueError, OverflowError, OSError) as error:
            raise UsageError(f"SOURCE_DATE_EPOCH is {epoch}, which is not a number of seconds") from error
    return datetime.now(UTC)
