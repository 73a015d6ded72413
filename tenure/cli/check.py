"""`check`: report every problem, write nothing."""

import argparse
import json
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cli.arguments import EXIT_ERRORS, EXIT_OK, UsageError
from tenure.cli.targets import (
    build_site,
    display_path,
    format_problems,
    relocate_problem,
    select_targets,
    site_prefix,
)
from tenure.counts import format_count
from tenure.record import replace

if TYPE_CHECKING:
    from tenure.build import BuildResult, Exporter
    from tenure.cli.targets import BuildTarget


def run_command(
    arguments: argparse.Namespace, default_folder: Path, exporters: "Sequence[Exporter] | None"
) -> int:
    """Report the problems of every target site, or repair them with --fix; returns the exit status."""
    targets = select_targets(arguments, default_folder)
    if arguments.write and not arguments.fix:
        raise UsageError("--write needs --fix: check --fix --write")
    if arguments.fix and arguments.format != "text":
        raise UsageError("--fix shows a diff; --format json lists the same repairs as edits")
    if arguments.fix:
        from tenure.cli.source_changes import fix_site  # noqa: PLC0415 - loaded only when called

        for target in targets:
            fix_site(target, arguments, exporters, multiple_sites=len(targets) > 1)
        if not arguments.write:
            return EXIT_OK
    builds = [(target, build_site(target, arguments.theme, exporters)) for target in targets]
    if arguments.links == "external":
        from tenure.cli.external_links import check_external_links  # noqa: PLC0415 - loaded only for --links external

        builds = [(target, check_external_links(build, target.root)) for target, build in builds]
    if arguments.info:
        builds = [(target, _include_notes(build)) for target, build in builds]
    if arguments.untranslated:
        from tenure.cli.translations import include_untranslated  # noqa: PLC0415 - loaded only for --untranslated

        builds = [(target, include_untranslated(build, target.root)) for target, build in builds]
    _print_report(arguments, builds)
    fatal_levels = ("error", "warning") if arguments.strict else ("error",)
    has_failed = any(problem.level in fatal_levels for _, build in builds for problem in build.problems)
    return EXIT_ERRORS if has_failed else EXIT_OK


def _include_notes(build: "BuildResult") -> "BuildResult":
    return replace(build, problems=tuple(sorted((*build.problems, *build.notes))))


def _print_report(arguments: argparse.Namespace, builds: "Sequence[tuple[BuildTarget, BuildResult]]") -> None:
    from tenure.problems import format_annotation, problem_as_json  # noqa: PLC0415 - loaded only when needed

    problems = [relocate_problem(problem, target) for target, build in builds for problem in build.problems]
    if arguments.format != "text" and isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # the encoding of these formats, on Windows too
    if arguments.format == "json":
        entry_counts = {
            display_path(target.root / file): {
                "found": count.entry_count,
                "shown": count.shown_count,
                "reported": count.reported_count,
            }
            for target, build in builds
            for file, count in build.bib_counts.items()
        }
        report = {"problems": [problem_as_json(problem) for problem in problems], "entries": entry_counts}
        print(json.dumps(report, ensure_ascii=False, indent=2))
    elif arguments.format == "github":
        for problem in problems:
            print(format_annotation(problem))
    else:
        for target, build in builds:
            sys.stderr.write(format_problems(build, target))
        sys.stderr.flush()
        for target, build in builds:
            print(
                f"{site_prefix(target, multiple_sites=len(builds) > 1)}{_summarize_build(build, notes_listed=arguments.info)}"
            )
            if arguments.untranslated:
                from tenure.cli.translations import count_untranslated  # noqa: PLC0415 - as above

                print(count_untranslated(build))


def _summarize_build(build: "BuildResult", *, notes_listed: bool) -> str:
    """The last line on a site: the number of problems, and how to see the notes and the repairs."""
    problems = build.problems
    counts = [
        format_count(sum(problem.level == level for problem in problems), noun)
        for level, noun in (("error", "error"), ("warning", "warning"), ("info", "note"))
        if any(problem.level == level for problem in problems)
    ]
    lines = [f"{', '.join(counts) or '0 problems'}."]
    if build.notes and not notes_listed:
        verb = "lists it" if len(build.notes) == 1 else "lists them"
        noun = "more note" if any(problem.level == "info" for problem in problems) else "note"
        lines.append(f"{format_count(len(build.notes), noun)}: check --info {verb}.")
    repairable = {problem for problem in (*problems, *build.notes) if problem.edits}
    if repairable:
        lines.append(
            f"{format_count(len(repairable), 'repair')} can be written for you: check --fix shows the changes."
        )
    return " ".join(lines)
