"""`check`: report every problem, write nothing."""

import argparse
import json
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cli.against import compare_with_document
from tenure.cli.arguments import (
    EXIT_ERRORS,
    EXIT_OK,
    Call,
    UsageError,
    add_build_options,
    add_strict_option,
    find_published_page,
)
from tenure.cli.site_version import describe_other_version
from tenure.cli.source_changes import fix_site
from tenure.cli.targets import (
    build_site,
    display_path,
    format_explain_line,
    format_problems,
    relocate_problem,
    select_target,
    summarize_problems,
)
from tenure.documentation import name_anchor
from tenure.problems import format_count, order_problems

if TYPE_CHECKING:
    from tenure.build import BuildResult
    from tenure.problems import Problem


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
    sys.stderr.write(describe_other_version(target.root))
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
    problems = order_problems(problems)

    if options.format == "text":
        sys.stderr.write(format_problems(problems, target.root))
        sys.stderr.flush()
        print(_summarize_check(build, problems))
        if problems:
            print(format_explain_line(problems))
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


def _print_report(
    report_format: str, build: "BuildResult", problems: "Sequence[Problem]", root: Path
) -> None:
    """Print the report as JSON, or as annotations of GitHub."""
    from tenure.problems import format_annotation, problem_as_json

    relocated = [relocate_problem(problem, root) for problem in problems]
    page = find_published_page("pages/problems.md")
    addresses = [f"{page}#{name_anchor(one.code, one.level)}" if page else "" for one in problems]
    if isinstance(sys.stdout, TextIOWrapper):
        # the encoding of these formats, on Windows too
        sys.stdout.reconfigure(encoding="utf-8")
    if report_format == "github":
        annotations = map(format_annotation, relocated, addresses)
        print("".join(f"{annotation}\n" for annotation in annotations), end="")
        return

    entry_counts = {
        display_path(root / file): {
            "found": count.entry_count,
            "shown": count.shown_count,
            "reported": count.reported_count,
        }
        for file, count in build.bib_counts.items()
    }
    listed = [
        {**problem_as_json(problem), "documentation": address}
        for problem, address in zip(relocated, addresses, strict=True)
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
