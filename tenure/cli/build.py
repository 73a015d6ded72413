"""`build`: write the site into its output folder."""

import argparse
import gc
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cache.up_to_date import has_racy_file, input_states, replay_if_unchanged, save_call
from tenure.cli.arguments import EXIT_ERRORS, EXIT_OK, Call, UsageError, add_build_options, add_strict_option
from tenure.cli.site_version import describe_other_version
from tenure.cli.targets import (
    BuildTarget,
    build_site,
    display_path,
    format_explain_line,
    format_problems,
    select_target,
    summarize_problems,
)
from tenure.problems import format_count
from tenure.source_paths import SOURCE_NAMES, resolve_path

if TYPE_CHECKING:
    from tenure.build import BuildResult
    from tenure.cache.up_to_date import FileStates
    from tenure.progress import ProgressLine


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `build`."""
    add_build_options(parser)
    output_help = "the output folder (default: output/ in the site's folder)"
    parser.add_argument("--output", metavar="DIR", type=Path, help=output_help)
    parser.add_argument(
        "--base-url", metavar="URL", default="", help="the URL of the published site, for this build"
    )
    add_strict_option(parser)


def run_command(call: Call) -> int:
    """Build and write the site; returns the exit status."""
    start_time = time.perf_counter()
    gc.disable()  # a build needs its objects until its end; garbage collection takes a tenth of its time
    target = select_target(call)
    _refuse_wrong_output(target, is_named=call.options.output is not None)
    if call.exporters is None and replay_if_unchanged(os.fspath(target.root), call.options.words):
        return EXIT_OK

    from tenure.atomic import remove_abandoned_files
    from tenure.cache.store import remove_unfinished_files
    from tenure.progress import ProgressLine

    remove_unfinished_files(target.root / ".cache")
    remove_abandoned_files(target.root)
    source_states = input_states(target.root)
    is_certain = not has_racy_file(source_states)
    progress_line = ProgressLine(sys.stderr)
    build = build_site(target, call.exporters, progress_line)
    progress_line.clear()

    messages = describe_other_version(target.root) + format_problems(build.problems, target.root)
    sys.stdout.flush()
    sys.stderr.write(messages)
    sys.stderr.flush()
    if build.has_errors or (call.options.strict and build.problems):
        print(f"{summarize_problems(build.problems)}; nothing was written.")
        print(format_explain_line(build.problems))
        return EXIT_ERRORS

    is_first = sys.stdout.isatty() and not target.output.exists()
    changes = _publish_build(target, build, progress_line)
    if not changes:
        return EXIT_ERRORS
    # functions of the site's own build.py, and files of this moment, may change without a trace
    if call.exporters is None and is_certain:
        _save_build(call, target, build, source_states, messages)
    print(changes)
    print(_summarize_build(target, build, time.perf_counter() - start_time))
    if is_first:
        from tenure.cli.starter import print_later_steps

        print_later_steps(*(("--site", call.options.site[0]) if call.options.site else ()))
    return EXIT_OK


def _save_build(
    call: Call, target: BuildTarget, build: "BuildResult", source_states: "FileStates", messages: str
) -> None:
    """Save what the same call prints if nothing has changed, so that it can be repeated at once."""
    record_folder = call.folder if (call.folder / ".cache").is_dir() else target.root
    place = os.fspath(target.root), os.fspath(target.output)
    written_paths = [artifact.path for artifact in build.artifacts]
    printed = messages, f"Nothing has changed: {display_path(target.output)}/ is up to date."
    save_call(os.fspath(record_folder), call.options.words, place, source_states, written_paths, printed)


def _summarize_build(target: BuildTarget, build: "BuildResult", elapsed: float) -> str:
    """12 pages, 3 publications in output/, 1 warning, 0.41 s"""
    publications = build.site.publications if build.site else ()
    # a PDF in bib/ that no line names is listed too, and is not published
    published = [note for note in build.notes if note.place.file.startswith("content/")]
    unlinked = sum(note.code == "unlinked-file" for note in published)
    counts = [format_count(len(build.pages), "page")]
    if publications:
        counts.append(format_count(len(publications), "publication"))
    if unlinked:
        counts.append(format_count(unlinked, "file that no page links to", "files that no page links to"))

    summary = summarize_problems(build.problems)
    return f"{', '.join(counts)} in {display_path(target.output)}/, {summary}, {elapsed:.2f} s"


def _refuse_wrong_output(target: BuildTarget, *, is_named: bool) -> None:
    """
    Raise UsageError for an output folder that is in the sources, or that has other files than a site.

    The next build would read the written files, or files of the user would lie between them. A folder that
    the user did not name may have such files, which are reported when they are in the way.
    """
    folder = resolve_path(target.output)
    root = target.root.resolve()
    shown = display_path(folder)
    for name in SOURCE_NAMES[1:]:
        if folder.is_relative_to(root / name):
            source = display_path(root / name)
            raise UsageError(f"{shown}/ is in {source}/, which is read; name another --output")
    if root.is_relative_to(folder) or folder == Path.home().resolve():
        hint = "name a folder of its own, such as --output public"
        raise UsageError(f"{shown} holds other files than a site; {hint}")

    names = list_foreign_files(target.output) if is_named else []
    if names:
        listed_names = ", ".join(names[:3])
        if len(names) > 3:
            listed_names += f" and {len(names) - 3} more"
        reason = f"contains files that Tenure did not write: {listed_names}"
        raise UsageError(f"{display_path(target.output)}/ {reason}; name another folder")


def list_foreign_files(folder: Path) -> list[str]:
    """Sorted names of the files, but `.git`, in a folder that Tenure has never written to."""
    from tenure.atomic import lock_folder
    from tenure.publish import MANIFEST_NAME

    if not folder.is_dir():
        return []
    with lock_folder(folder):  # another process that writes the folder writes its manifest last
        names = sorted(path.name for path in folder.iterdir() if path.name != ".git")
        return [] if MANIFEST_NAME in names else names


def _publish_build(target: BuildTarget, build: "BuildResult", progress_line: "ProgressLine") -> str:
    """
    Write the files; returns a sentence such as "Wrote 2 files; deleted 1 old file."

    "" if a file of the user is in the way; then nothing is written.
    """
    from tenure import publish

    if publish.WINDOWS:
        invalid_paths = publish.find_windows_reserved_paths(artifact.path for artifact in build.artifacts)
        if invalid_paths:
            hint = "give this entry another id, or the file another name"
            raise UsageError(f"Windows cannot have a file {invalid_paths[0]}; {hint}")
    try:
        foreign_paths = publish.find_foreign_files(build.artifacts, target.output)
        if foreign_paths:
            _print_foreign_files(target, foreign_paths)
            return ""
        published = publish.publish_artifacts(build.artifacts, target.output, progress_line)
    finally:
        progress_line.clear()

    clauses = [f"Wrote {format_count(len(published.written), 'file')}"]
    unchanged_count = len(build.artifacts) - len(published.written)
    if unchanged_count:
        verb = "was" if unchanged_count == 1 else "were"
        clauses.append(f"{unchanged_count:,} {verb} up to date")
    if published.removed:
        clauses.append(f"deleted {format_count(len(published.removed), 'old file')}")
        if not (target.root / "site.yaml").exists():
            clauses.append("there is no site.yaml, so the site has the default pages")
    return f"{'; '.join(clauses)}."


def _print_foreign_files(target: BuildTarget, paths: "Sequence[str]") -> None:
    """Report each file of the user that is in the way of the site."""
    from tenure.problems import Place, Problem, format_problem

    hint = "move it away; if you have put no file into this folder, delete the folder"
    for path in paths:
        place = Place(f"{display_path(target.output)}/{path}")
        problem = Problem(place, "error", "foreign-file", "this file was not written by Tenure", hint)
        sys.stderr.write(f"{format_problem(problem)}\n")
    print("Nothing was written.")
