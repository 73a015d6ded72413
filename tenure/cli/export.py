"""`export`: write a document that no build writes, or a CV, to a file or to stdout."""

import argparse
import os
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cli.arguments import EXIT_ERRORS, EXIT_OK, Call, UsageError, add_site_option, find_site
from tenure.cli.targets import ValidSite, display_path, format_problems, load_valid_site
from tenure.problems import format_count
from tenure.record import replace

if TYPE_CHECKING:
    from tenure.model.dates import Date
    from tenure.model.languages import Language
    from tenure.model.letters import Letter
    from tenure.model.site import Collection, CvConfig, Site
    from tenure.problems import Problem

FORMATS: Mapping[str, tuple[str, ...]] = {
    "pdf": ("cv",),
    "docx": ("cv",),
    "latex": ("cv",),
    "coauthors": ("since",),
    "year": ("name", "cv"),
    "letter": ("name",),
}
"""The formats, and the options that each takes besides --site and --output."""

ENDINGS: Mapping[str, str] = {
    ".pdf": "pdf",
    ".docx": "docx",
    ".tex": "latex",
}
"""The format of a CV, of the report of a year, and of a letter, by the ending of its file."""

FORMAT_NAMES: Mapping[str, str] = {
    "pdf": "a PDF",
    "docx": "a Word document",
    "latex": "LaTeX",
}
SOURCE_SUFFIXES = frozenset({".bib", ".md", ".yaml", ".yml"})
"""Suffixes of the source files of a site; an export never overwrites one."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `export`."""
    formats = ", ".join(FORMATS)
    parser.add_argument("format", metavar="FORMAT", type=_read_format, choices=[*FORMATS], help=formats)
    name_help = "the year of `export year`, or the name of `export letter`: letters/NAME.md"
    parser.add_argument("name", metavar="YEAR|NAME", nargs="?", default="", help=name_help)
    output_help = "the file to write (default: standard output)"
    parser.add_argument("--output", metavar="FILE", type=Path, dest="to", help=output_help)
    cv_help = "for pdf, docx, latex and year: which of cvs: (default: the first)"
    parser.add_argument("--cv", metavar="NAME", default="", help=cv_help)
    since_help = "for coauthors: 48mo, 4y or 2022-01"
    parser.add_argument("--since", metavar="TIME", default="", help=since_help)
    add_site_option(parser)


def _read_format(text: str) -> str:
    """The name of a format; raises ArgumentTypeError for one that an older version had."""
    if text == "service":
        raise argparse.ArgumentTypeError(
            "service is gone: cv.txt has it, and export year 2025 that of a year"
        )
    return text


def run_command(call: Call) -> int:
    """Create one document and write it; returns the exit status."""
    root = find_site(call)
    output: Path | None = call.options.to
    written = ENDINGS.get(output.suffix.casefold(), "") if output else ""
    _refuse_invalid_options(call.options, written)
    _refuse_unknown_letter(call.options, root)
    _refuse_source(output, root)
    since = parse_since(call.options.since) if call.options.since else None

    request = load_valid_site(root)
    if request is None:
        return EXIT_ERRORS
    reported_before = request.problems.sorted_problems()
    content = _make_document(request, call.options, since, written)
    _print_new_problems(request, reported_before)
    if not content:
        return EXIT_ERRORS

    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return EXIT_OK
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_bytes(data)
    print(f"wrote {display_path(output)}", file=sys.stderr)
    return EXIT_OK


def _refuse_invalid_options(arguments: argparse.Namespace, written: str) -> None:
    """
    Raise UsageError for options that do not apply to the format.

    `written` is the format that the name of the output asks for, "docx" of cv.docx, or "".
    """
    name = arguments.format
    for option in ("name", "cv", "since"):
        if getattr(arguments, option) and option not in FORMATS[name]:
            *others, last = (other for other, options in FORMATS.items() if option in options)
            formats = f"{', '.join(others)} and {last}" if others else last
            shown = f'"{arguments.name}"' if option == "name" else f"--{option}"
            raise UsageError(f"export {name} does not take {shown}, which is for {formats}")

    if name == "year" and not arguments.name.isdecimal():
        raise UsageError("which year? write: export year 2025")
    if name == "letter" and not written:
        raise UsageError("name the file of the letter: --output letter.pdf, letter.docx or letter.tex")
    if written and name not in (written, "year", "letter"):
        kind = FORMAT_NAMES[written]
        raise UsageError(f"{name} cannot be written as {kind}; only {written}, year and letter")
    if name in ("pdf", "docx") and arguments.to is None and sys.stdout.isatty():
        raise UsageError(f"{FORMAT_NAMES[name]} cannot be shown in a terminal: add --output cv.{name}")


def _refuse_unknown_letter(arguments: argparse.Namespace, root: Path) -> None:
    """Raise UsageError for a letter that the site does not have."""
    from tenure.problems import format_suggestion
    from tenure.sources.letters import list_letters

    if arguments.format == "letter" and arguments.name not in (names := list_letters(root)):
        hint = format_suggestion(arguments.name, names) or "write it: letters/NAME.md"
        raise UsageError(f'there is no letter "{arguments.name}" in letters/; {hint}')


def _refuse_source(output: Path | None, root: Path) -> None:
    """Raise UsageError for an output file that is a source of the site."""
    if output is None or output.suffix not in SOURCE_SUFFIXES or not output.is_file():
        return
    sources = [root.resolve() / source for source in ("site.yaml", "bib", "content", "letters")]
    if any(output.resolve().is_relative_to(source) for source in sources):
        raise UsageError(f"{display_path(output)} is a source of the site; name another --output")


def _make_document(
    request: ValidSite, arguments: argparse.Namespace, since: "Date | None", written: str
) -> str | bytes:
    """The document of the format, of which the file is `written`; b"" if it cannot be typeset."""
    if arguments.format == "coauthors":
        return _make_coauthor_table(request.site, since)

    cv_by_name = {cv.name: cv for cv in request.pages.cvs}
    if arguments.cv and arguments.cv not in cv_by_name and cv_by_name:
        raise UsageError(f'there is no CV called "{arguments.cv}"; there are {", ".join(cv_by_name)}')
    cv = cv_by_name.get(arguments.cv) or next(iter(cv_by_name.values()), None)
    if arguments.format == "year":
        return _make_year_report(request, int(arguments.name), cv, written)
    if arguments.format == "letter":
        return _make_letter(request, arguments.name, written)
    if cv is not None:
        return _write_cv(request, _read_in_language(request, cv.language), cv, arguments.format)

    own_file: str = request.site.profile.cv
    if not own_file and "cv.pdf" in request.site.files:
        own_file = "cv.pdf"
    if own_file:
        reason = f"the CV of the site is your own file, {own_file}"
        raise UsageError(f"{reason}; to have one generated, set cvs: in site.yaml")
    raise UsageError("the site has no CV: it needs a page cv, or cvs: in site.yaml")


def _make_coauthor_table(site: "Site", since: "Date | None") -> str:
    """The table of co-authors; prints how many publications do not name all of their authors."""
    from tenure.exports import reports

    incomplete_count = sum(publication.authors.others for publication in site.publications)
    if incomplete_count:
        papers = format_count(incomplete_count, "publication")
        verb = "ends" if incomplete_count == 1 else "end"
        print(f"incomplete: {papers} {verb} in “and others”", file=sys.stderr)
    return reports.make_coauthor_table(site, since)


def _make_year_report(request: ValidSite, year: int, cv: "CvConfig | None", written: str) -> str | bytes:
    """The report of a year as text, or in a format of a CV and in its look."""
    from tenure.exports import reports
    from tenure.model.site import CvConfig

    collections = reports.select_year_collections(request.site, year)
    if not collections:
        raise UsageError(f"no entry has a date in {year}")
    if not written:
        return reports.make_year_report(request.site, year)
    site, year_cv = reports.plan_year_cv(request.site, year, cv or CvConfig())
    return _write_cv(request, site, year_cv, written, collections)


def _make_letter(request: ValidSite, name: str, written: str) -> bytes:
    """A letter in the look of its CV and in its language; b"" if it has errors."""
    from tenure.exports.cv.letter import plan_letter
    from tenure.model.site import CvConfig
    from tenure.problems import format_suggestion
    from tenure.sources.letters import read_letter

    letter = read_letter(request.root, name, request.problems)
    cv_by_name = {cv.name: cv for cv in request.pages.cvs}
    if letter and letter.cv and letter.cv not in cv_by_name:
        message = f'there is no CV called "{letter.cv}"'
        hint = format_suggestion(letter.cv, cv_by_name) or "delete this line"
        request.problems.report("bad-value", letter.place_of("cv"), message, hint)
    if letter is None or request.problems.has_errors:
        return b""

    cv = cv_by_name.get(letter.cv) or next(iter(cv_by_name.values()), CvConfig())
    site = _read_in_language(request, letter.language or cv.language)
    return _write_cv(request, site, plan_letter(letter, cv), written, letter=letter)


def _read_in_language(request: ValidSite, language: "Language") -> "Site":
    """The site in a language; without one, in its main language."""
    if language in ("", request.site.settings.language):
        return request.site
    from tenure.cache.store import CacheStore
    from tenure.plan.pages import resolve_pages
    from tenure.site_folder import BuildOptions
    from tenure.sources.load import load_site

    store = CacheStore(request.root / ".cache")
    options = BuildOptions(language=language, original=request.site)
    loaded = load_site(request.root, request.problems, store, options)
    store.save()
    return resolve_pages(loaded.site, request.problems) if loaded else request.site


def _write_cv(
    request: ValidSite,
    site: "Site",
    cv: "CvConfig",
    written: str,
    collections: "Mapping[str, Collection] | None" = None,
    letter: "Letter | None" = None,
) -> bytes:
    """A document in a format of CVs; b"" if there are errors."""
    from tenure.cache.store import CacheStore
    from tenure.exports.cv.files import make_cv_files
    from tenure.exports.cv.typst import explain_missing_typst, is_typst_installed

    if written == "pdf" and not is_typst_installed():
        raise UsageError(f"no PDF can be made: {explain_missing_typst()}")
    if written == "latex" and site.settings.language.direction == "rtl":
        raise UsageError("lines from right to left are not for LaTeX: write export pdf or export docx")

    store = CacheStore(request.root / ".cache")
    cvs = [replace(cv, formats=(written,))]
    files = make_cv_files(
        site, cvs, store, request.problems, collections=collections, files=request.files, letter=letter
    )
    made = [*files]
    store.save()
    return made[0].read() if made and not request.problems.has_errors else b""


def _print_new_problems(request: ValidSite, reported_before: "Sequence[Problem]") -> None:
    """Print the errors and warnings that were not reported before, on stderr."""
    reported = request.problems.sorted_problems(request.site.settings.checks.ignore)
    new_problems = [p for p in reported if p not in reported_before and p.level != "info"]
    sys.stderr.write(format_problems(new_problems, request.root))


def parse_since(text: str) -> "Date":
    """The date of "48mo", "4y" or "2022-01"; a length counts back from today."""
    from tenure.model.dates import Date, days_in_month, parse_date

    match = re.fullmatch(r"(\d{1,4})\s*(mo|months?|y|yr|years?)", text.strip().casefold())
    if match is None:
        date = parse_date(text)
        if date is None or date.year is None:
            reason = "is neither a length of time nor a date; write 48mo, 4y or 2022-01"
            raise UsageError(f"--since {text} {reason}")
        return date

    months = int(match[1])
    if not match[2].startswith("mo"):
        months *= 12
    today = _find_today()
    year, month = divmod(today.year * 12 + today.month - 1 - months, 12)
    if year < 1:
        raise UsageError(f"--since {text} goes back too far")
    return Date(year, month + 1, min(today.day, days_in_month(year, month + 1)))


def _find_today() -> datetime:
    """Today, or the time of SOURCE_DATE_EPOCH, with which a build is made again as it was."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not epoch:
        return datetime.now(UTC)
    try:
        return datetime.fromtimestamp(int(epoch), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise UsageError(f"SOURCE_DATE_EPOCH is {epoch}, which is not a number of seconds") from error
