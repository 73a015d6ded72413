"""`build`: write the site into its output folder."""

import argparse
import gc
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cache.up_to_date import has_racy_file, input_states, replay_if_unchanged, save_call
from tenure.cli.arguments import EXIT_ERRORS, EXIT_OK, Call, UsageError, add_build_options, add_strict_option
from tenure.cli.targets import (
    BuildTarget,
    build_site,
    display_path,
    format_problems,
    select_target,
    summarize_problems,
)
from tenure.counts import format_count
from tenure.source_paths import SOURCE_NAMES, resolve_path

if TYPE_CHECKING:
    from tenure.build import BuildResult
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
    root = os.fspath(target.root)
    if call.exporters is None and replay_if_unchanged(root, call.options.words):
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
    messages = format_problems(build.problems, target.root)
    sys.stdout.flush()
    sys.stderr.write(messages)
    sys.stderr.flush()
    summary = summarize_problems(build.problems)
    if build.has_errors or (call.options.strict and build.problems):
        print(f"{summary}; nothing was written.")
        return EXIT_ERRORS
    changes = _publish_build(target, build, progress_line)
    if not changes:
        return EXIT_ERRORS
    if call.exporters is None and is_certain:
        record_folder = os.fspath(call.folder) if (call.folder / ".cache").is_dir() else root
        place = root, os.fspath(target.output)
        written_paths = [artifact.path for artifact in build.artifacts]
        printed = messages, f"Nothing has changed: {display_path(target.output)}/ is up to date."
        save_call(record_folder, call.options.words, place, source_states, written_paths, printed)
    publications = build.site.publications if build.site else ()
    counts = [format_count(len(build.pages), "page")]
    counts += [format_count(len(publications), "publication")] if publications else []
    unlinked = sum(note.code == "unlinked-file" for note in build.notes)
    counts += (
        [format_count(unlinked, "file that no page links to", "files that no page links to")]
        if unlinked
        else []
    )
    elapsed = time.perf_counter() - start_time
    print(changes)
    print(f"{', '.join(counts)} in {display_path(target.output)}/, {summary}, {elapsed:.2f} s")
    return EXIT_OK


def _refuse_wrong_output(target: BuildTarget, *, is_named: bool) -> None:
    """
    Raise UsageError for an output folder that contains a site, or is in its sources, or is the home folder, or, if the user
    named it, has other files: the next build would read the written files, or files of the user would lie between them.
    """
    folder, root = resolve_path(target.output), target.root.resolve()
    shown = display_path(folder)
    for name in SOURCE_NAMES[1:]:
        if folder.is_relative_to(root / name):
            raise UsageError(
                f"{shown}/ is in {display_path(root / name)}/, which is read; name another --output"
            )
    if root.is_relative_to(folder) or folder == Path.home().resolve():
        raise UsageError(
            f"{shown} holds other files than a site; name a folder of its own, such as --output public"
        )
    names = list_foreign_files(target.output) if is_named else []
    if names:
        listed_names = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        raise UsageError(
            f"{display_path(target.output)}/ contains files that Tenure did not write: {listed_names}; name another folder"
        )


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
    """Write the files; returns a sentence such as "Wrote 2 files; deleted 1 old file.", or "" if a file of the user is in the way."""
    from tenure import publish
    from tenure.problems import Place, Problem, format_problem

    if publish.WINDOWS:
        invalid_paths = publish.find_windows_reserved_paths(artifact.path for artifact in build.artifacts)
        if invalid_paths:
            raise UsageError(
                f"Windows cannot have a file {invalid_paths[0]}; give this entry another id, or the file another name"
            )
    try:
        foreign_paths = publish.find_foreign_files(build.artifacts, target.output)
        for path in foreign_paths:
            place = Place(f"{display_path(target.output)}/{path}")
            hint = "move it away; if you have put no file into this folder, delete the folder"
            problem = Problem(place, "error", "foreign-file", "this file was not written by Tenure", hint)
            sys.stderr.write(f"{format_problem(problem)}\n")
        if foreign_paths:
            print("Nothing was written.")
            return ""
        published = publish.publish_artifacts(build.artifacts, target.output, progress_line)
    finally:
        progress_line.clear()
    clauses = [f"Wrote {format_count(len(published.written), 'file')}"]
    unchanged_count = len(build.artifacts) - len(published.written)
    if unchanged_count:
        clauses.append(f"{unchanged_count:,} {'was' if unchanged_count == 1 else 'were'} up to date")
    if published.removed:
        clauses.append(f"deleted {format_count(len(published.removed), 'old file')}")
        if not (target.root / "site.yaml").exists():
            clauses.append("there is no site.yaml, so the site has the default pages")
    return f"{'; '.join(clauses)}."
