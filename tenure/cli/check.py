"""
`check`: report every problem, write nothing.

`check --against FILE` says what an existing CV has and the site does not, and the other way round.
"""

import argparse
import json
import re
import sys
import unicodedata
import zipfile
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from tenure.cli.arguments import (
    EXIT_ERRORS,
    EXIT_OK,
    Call,
    UsageError,
    add_build_options,
    add_strict_option,
    find_documentation,
)
from tenure.cli.source_changes import fix_site
from tenure.cli.targets import (
    build_site,
    display_path,
    format_problems,
    relocate_problem,
    select_target,
    summarize_problems,
)
from tenure.model.dates import parse_date
from tenure.problems import format_count

if TYPE_CHECKING:
    from tenure.build import BuildResult
    from tenure.problems import Problem
    from tenure.publish import Artifact


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `check`."""
    add_build_options(parser)
    format_help = "the format of the report (default: text)"
    parser.add_argument("--format", choices=("text", "json", "github"), default="text", help=format_help)
    info_help = (
        "also list what could be written better, such as other names of keys, and texts without a translation"
    )
    parser.add_argument("--info", action="store_true", help=info_help)

    fix_help = "show the repairs that are certain, as a diff; write nothing"
    parser.add_argument("--fix", action="store_true", help=fix_help)
    write_help = "with --fix: write these repairs into the sources"
    parser.add_argument("--write", action="store_true", help=write_help)
    add_strict_option(parser)

    against_help = (
        "list what this CV says and the site does not, and the other way round: text, Markdown, PDF or Word"
    )
    parser.add_argument("--against", metavar="FILE", type=Path, help=against_help)
    links_help = (
        "external also checks links to other sites, one request at a time for each host (default: site)"
    )
    parser.add_argument("--links", choices=("site", "external"), default="site", help=links_help)


def run_command(call: Call) -> int:
    """Report the problems of the site, or repair them with --fix; returns the exit status."""
    target = select_target(call)
    options = call.options
    _refuse_invalid_options(options)
    if options.fix:
        fix_site(target, call.exporters, write=options.write)
        if not options.write:
            return EXIT_OK

    build = build_site(target, call.exporters)
    problems = list(build.problems)
    if options.links == "external":
        from tenure.cli.external_links import check_external_links

        problems += check_external_links(build, target.root)
    if options.info:
        problems += [*build.notes, *build.untranslated]
    problems.sort()

    if options.format == "text":
        sys.stderr.write(format_problems(problems, target.root))
        sys.stderr.flush()
        print(_summarize_check(build, problems))
        if problems:
            print(_list_explanations(problems))
        if options.against:
            print("\n".join(compare_with_document(build.artifacts, options.against)))
    else:
        _print_report(options.format, build, problems, target.root)
    fatal_levels = ("error", "warning") if options.strict else ("error",)
    return EXIT_ERRORS if any(problem.level in fatal_levels for problem in problems) else EXIT_OK


def _refuse_invalid_options(options: argparse.Namespace) -> None:
    """Raise UsageError for options that do not go together."""
    if options.write and not options.fix:
        raise UsageError("--write needs --fix: check --fix --write")
    if options.fix and options.format != "text":
        raise UsageError("--fix shows a diff; --format json lists the same repairs as edits")
    if options.against and (options.fix or options.format != "text"):
        raise UsageError("--against compares the built site: use it without --fix and --format")


def _list_explanations(problems: "Sequence[Problem]") -> str:
    """Where the documentation explains the problems: More: …/problems.md#alias-info, #bad-date-error"""
    first, *others = dict.fromkeys(f"#{problem.code}-{problem.level}" for problem in problems)
    return ", ".join([f"More: {find_documentation(f'pages/problems.md{first}')}", *others])


def _print_report(
    report_format: str, build: "BuildResult", problems: "Sequence[Problem]", root: Path
) -> None:
    """Print the report as JSON, or as annotations of GitHub."""
    from tenure.problems import format_annotation, problem_as_json

    relocated = [relocate_problem(problem, root) for problem in problems]
    if isinstance(sys.stdout, TextIOWrapper):
        # the encoding of these formats, on Windows too
        sys.stdout.reconfigure(encoding="utf-8")
    if report_format == "github":
        print("".join(f"{format_annotation(problem)}\n" for problem in relocated), end="")
        return

    entry_counts = {
        display_path(root / file): {
            "found": count.entry_count,
            "shown": count.shown_count,
            "reported": count.reported_count,
        }
        for file, count in build.bib_counts.items()
    }
    page = find_documentation("pages/problems.md")
    listed = [
        {**problem_as_json(problem), "documentation": f"{page}#{problem.code}-{problem.level}"}
        for problem in relocated
    ]
    report = {"problems": listed, "entries": entry_counts}
    print(json.dumps(report, ensure_ascii=False, indent=2))


def _summarize_check(build: "BuildResult", problems: "Sequence[Problem]") -> str:
    """
    The last line: the number of problems, and how to see the notes and the repairs.

    "1 warning. 2 notes: check --info lists them. 1 repair can be written for you: …"
    """
    lines = [f"{summarize_problems(problems)}."]

    hidden_notes = {*build.notes, *build.untranslated}.difference(problems)
    if hidden_notes:
        verb = "lists it" if len(hidden_notes) == 1 else "lists them"
        # some notes are always listed: those here are more of them
        has_listed_notes = any(problem.level == "info" for problem in problems)
        noun = "more note" if has_listed_notes else "note"
        lines.append(f"{format_count(len(hidden_notes), noun)}: check --info {verb}.")

    repairable = {problem for problem in (*problems, *build.notes) if problem.edits}
    if repairable:
        count = format_count(len(repairable), "repair")
        lines.append(f"{count} can be written for you: check --fix shows the changes.")
    return " ".join(lines)


MAX_DOCUMENT_SIZE = 50_000_000
"""Bytes of the document, and of its text in a Word file, which is compressed."""

_WORD_NAMESPACE = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
"""The namespace of a paragraph in Word: ECMA-376, part 1, 17.3.1."""

_WORD_BREAKS = {f"{_WORD_NAMESPACE}tab", f"{_WORD_NAMESPACE}br"}
"""The elements of a paragraph that are a space: tabulators and line breaks."""

_WORD = re.compile(r"\w[\w@/.+'&-]*[\w+]|[^\W\d]")
"""
A word, also with inner marks: "white-box", "C++", "name@example.edu", "3.95/4.00".

A single digit is none, but a label such as [1].
"""

_MONTH = re.compile(
    r"""
    \b(?: (?P<name>[^\W\d_]{3,10}) (?:\.\s?|,?\s) (?P<year>(?:19|20)\d\d)   # Sept. 2023 -> 2023-09
        | (?:19|20)\d\d [./-] (?:0[1-9]|1[0-2]) (?![./-]?\d) )        # 2020.09 -> 2020-09
    """,
    re.VERBOSE,
)

SHOWN_CHARACTERS = 90
"""Characters of a line in the report."""

_HIDDEN_ELEMENTS = {"script", "style", "template"}
_INLINE_ELEMENTS = {"sup", "sub", "b", "strong", "em", "i", "bdi", "abbr", "mark", "span"}
"""Elements that do not end a word; between two others there is a space."""

_MARKS = re.compile(r"https?://|</?[a-z]+>|(?<!\w)[*_`]{1,3}(?=\w)|(?<=\w)[*_`]{1,3}(?!\w)")
"""What is no word: the scheme of a URL, tags, and the marks of Markdown around a word."""


def compare_with_document(artifacts: "Sequence[Artifact]", document: Path) -> list[str]:
    """
    Lines of a report: the lines of a document with words that no page has, then those of the CV that it
    lacks.

    Words are compared without case, accents of typography and hyphens, dates by month. The document is text,
    Markdown, PDF or Word (.docx). Raises UsageError if it cannot be read.
    """
    name = display_path(document)
    document_lines = read_document(document)
    document_words = _fold_text("\n".join(document_lines))

    # a word may be on any page, but the lines to compare are those of the CV
    site_words: set[str] = set()
    cv_lines: Sequence[str] = ()
    for artifact in artifacts:
        if artifact.path.endswith(".html"):
            site_words |= _fold_text(_read_page(artifact.read().decode()))
        elif artifact.path == "cv.txt":
            cv_lines = artifact.read().decode().splitlines()

    report = [f"{name}: the site does not have"]
    report += _list_missing(document_lines, site_words, name)
    report.append(f"cv.txt: {name} does not have")
    report += _list_missing(cv_lines, document_words, "cv.txt")
    return report


def split_words(text: str) -> list[str]:
    """The words of a text, months as year and number: `**White-box**, Sept. 2023` -> White-box, 2023-09."""
    text = unicodedata.normalize("NFKC", text).replace("\u00ad", "").replace("’", "'")
    text = _MONTH.sub(_format_month, _MARKS.sub("", text))
    return [word.strip(".'-") for word in _WORD.findall(text)]


def fold_word(word: str) -> set[str]:
    """The forms in which a word is compared: `White-box` -> {"whitebox", "white", "box"}."""
    folded = word.casefold()
    return {folded.replace("-", ""), *(part for part in re.split(r"[\W_]+", folded) if part)}


def _fold_text(text: str) -> set[str]:
    return {form for word in split_words(text) for form in fold_word(word)}


def read_document(path: Path) -> list[str]:
    """The lines of a text, Markdown, PDF or Word file; raises UsageError if there is no text in it."""
    name = display_path(path)
    try:
        if path.stat().st_size > MAX_DOCUMENT_SIZE:
            raise UsageError(f"{name} is larger than {MAX_DOCUMENT_SIZE // 1_000_000} MB")
        lines = _read_lines(path)
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror or error}") from error
    except UsageError:
        raise
    except Exception as error:  # what the readers of a damaged PDF or Word file raise has no common class
        hint = "save it as text, Markdown, PDF or .docx"
        raise UsageError(f"cannot read the text of {name} ({error}); {hint}") from error

    if not any(line.strip() for line in lines):
        raise UsageError(f"there is no text in {name}; a scan must be copied as text first")
    return lines


def _read_lines(path: Path) -> list[str]:
    """The lines of a file by its suffix; raises whatever the reader of a damaged file raises."""
    suffix = path.suffix.casefold()
    if suffix == ".docx":
        return list(_read_word_file(path))
    if suffix != ".pdf":
        return path.read_text(encoding="utf-8-sig").splitlines()

    import pypdf

    text = "\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages)
    # a word that is hyphenated at the end of a line: "recon-\nstruction of" -> "reconstruction\nof"
    return re.sub(r"(\w)-\n(\w+) ?", r"\1\2\n", text).splitlines()


def _read_word_file(path: Path) -> Iterator[str]:
    """
    The paragraphs of a Word file, with those of its header, footer and footnotes (ECMA-376, part 1, 11.3).
    """
    parts = re.compile(r"word/(?:header\d*|document|footnotes|footer\d*)\.xml")
    with zipfile.ZipFile(path) as archive:
        for info in sorted(archive.infolist(), key=lambda part: part.filename):
            if not parts.fullmatch(info.filename):
                continue
            if info.file_size > MAX_DOCUMENT_SIZE:
                raise ValueError(f"{info.filename} is too large")
            for paragraph in ElementTree.fromstring(archive.read(info)).iter(f"{_WORD_NAMESPACE}p"):
                yield "".join(map(_read_word_run, paragraph.iter()))


def _read_word_run(element: ElementTree.Element) -> str:
    """The text of an element of a paragraph; a space for a tabulator or a line break."""
    if element.tag == f"{_WORD_NAMESPACE}t":
        return element.text or ""
    return " " if element.tag in _WORD_BREAKS else ""


class _PageText(HTMLParser):
    """Collects the visible text, the alt texts and the addresses of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden += tag in _HIDDEN_ELEMENTS
        for name, value in attrs:
            if name in ("href", "alt") and value:
                self.parts.append(f" {re.sub(r'^(?:mailto:|tel:|https?://)', '', value)} ")
        if tag not in _INLINE_ELEMENTS:
            self.parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in _HIDDEN_ELEMENTS
        if tag not in _INLINE_ELEMENTS:
            self.parts.append(" ")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.parts.append(data)


def _read_page(html: str) -> str:
    parser = _PageText()
    parser.feed(html)
    return " ".join("".join(parser.parts).split())


def _format_month(match: re.Match[str]) -> str:
    """A month as year and number: "Sep 2020", "2020.09" -> "2020-09"; other words are unchanged."""
    date = parse_date(match[0])
    return date.iso if date and date.month else match[0]


def _list_missing(lines: Sequence[str], known: set[str], name: str) -> list[str]:
    """For each line with words that are not known: its number, these words, and its beginning."""
    found = []
    for number, line in enumerate(lines, 1):
        missing = dict.fromkeys(word for word in split_words(line) if not _is_known(word, known))
        if missing:
            found.append(f"  {name}:{number}: {', '.join(missing)} | {line.strip()[:SHOWN_CHARACTERS]}")
    return found or ["  nothing is missing"]


def _is_known(word: str, known: set[str]) -> bool:
    """
    Whether a word is known as a whole, without its hyphens, or by parts: "3.95/4.00" as 3, 95, 4 and 00.
    """
    whole = word.casefold().replace("-", "")
    parts = fold_word(word) - {whole}
    return whole in known or bool(parts) and parts <= known
