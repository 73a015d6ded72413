"""`build`: write the site into its output folder."""

import argparse
import gc
import os
import sys
import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cache.up_to_date import (
    SOURCE_NAMES,
    input_states,
    racy_checksums,
    resolve_path,
)
from tenure.cli.arguments import EXIT_ERRORS, EXIT_OK, UsageError
from tenure.cli.targets import (
    BuildTarget,
    build_site,
    create_up_to_date_check,
    describe_unchanged_site,
    display_path,
    format_problems,
    select_targets,
    site_prefix,
    summarize_problems,
)
from tenure.counts import format_count

if TYPE_CHECKING:
    from tenure.build import BuildResult, Exporter
    from tenure.cache.up_to_date import FileStates
    from tenure.progress import ProgressLine


def run_command(
    arguments: argparse.Namespace, default_folder: Path, exporters: "Sequence[Exporter] | None"
) -> int:
    """Build and write every target site; returns the exit status."""
    gc.disable()  # a build needs its objects until its end; garbage collection takes a tenth of its time
    targets = select_targets(arguments, default_folder)
    _refuse_output_in_sources(targets)
    if arguments.output is not None and not arguments.force:
        _refuse_used_output(targets)
    results = [
        _build_and_publish(arguments, target, exporters, multiple_sites=len(targets) > 1)
        for target in targets
    ]
    if len(targets) == 1 and all(results) and exporters is None:
        create_up_to_date_check(arguments, targets[0]).save_call(
            default_folder, arguments.words, describe_unchanged_site(targets[0], multiple_sites=False)
        )
    if len(targets) > 1:
        failed_names = [
            target.name for target, is_success in zip(targets, results, strict=True) if not is_success
        ]
        error_note = f"; with errors: {', '.join(failed_names)}" if failed_names else ""
        print(f"{len(targets) - len(failed_names)} of {len(targets)} sites built{error_note}.")
    return EXIT_OK if all(results) else EXIT_ERRORS


def _refuse_output_in_sources(targets: Sequence[BuildTarget]) -> None:
    """
    Raise UsageError for an output folder that contains a site, or is in its sources, or is the home folder.

    The next build would read the written files, and files of the user would lie between them.
    """
    for folder, root in product(
        (resolve_path(target.output) for target in targets), [target.root.resolve() for target in targets]
    ):
        name = next((n for n in SOURCE_NAMES[1:] if folder.is_relative_to(root / n)), None)
        if name is not None:
            raise UsageError(
                f"{display_path(folder)}/ is in {display_path(root / name)}/, which is read; name another --output"
            )
        if root.is_relative_to(folder) or folder == Path.home().resolve():
            raise UsageError(
                f"{display_path(folder)} holds other files than a site; name a folder of its own, such as --output public"
            )


def _describe_file_error(target: BuildTarget, error: OSError) -> UsageError:
    """The error of a file that cannot be read or written, with its name if the system gives it."""
    path = Path(os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else target.output
    verb = "write" if resolve_path(path).is_relative_to(resolve_path(target.output)) else "read"
    return UsageError(f"cannot {verb} {display_path(path)}: {error.strerror or error}")


def _refuse_used_output(targets: Sequence[BuildTarget]) -> None:
    """Raise UsageError for an output folder that holds files but no manifest of Tenure."""
    for target in targets:
        names = list_foreign_files(target.output)
        if names:
            listed_names = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
            raise UsageError(
                f"{display_path(target.output)}/ contains files that Tenure did not write: {listed_names}; name another folder, "
                "or write the site between them: --force"
            )


def list_foreign_files(folder: Path) -> list[str]:
    """
    Sorted names of the files in a folder that Tenure has never written to; `.git` is ignored.

    Empty for a folder with Tenure's manifest, and for a folder that does not exist.
    """
    from tenure.atomic import lock_folder  # noqa: PLC0415 - loaded only for --output
    from tenure.publish import MANIFEST_NAME  # noqa: PLC0415 - as above

    if not folder.is_dir() or (folder / MANIFEST_NAME).is_file():
        return []
    with lock_folder(
        folder
    ):  # another process that writes the folder has written its manifest when it has ended
        if (folder / MANIFEST_NAME).is_file():
            return []
        return sorted(path.name for path in folder.iterdir() if path.name != ".git")


def _build_and_publish(
    arguments: argparse.Namespace,
    target: BuildTarget,
    exporters: "Sequence[Exporter] | None",
    *,
    multiple_sites: bool,
) -> bool:
    """Build and publish one site; returns whether it was written."""
    start_time = time.perf_counter()
    up_to_date_check = create_up_to_date_check(arguments, target)
    saved_messages = up_to_date_check.messages_if_unchanged() if exporters is None else None
    if saved_messages is not None:
        sys.stderr.write(saved_messages)
        sys.stderr.flush()
        print(describe_unchanged_site(target, multiple_sites=multiple_sites))
        return True
    from tenure.atomic import remove_abandoned_files  # noqa: PLC0415 - not needed for an unchanged site
    from tenure.cache.store import remove_unfinished_files  # noqa: PLC0415 - not needed for an unchanged site
    from tenure.progress import ProgressLine  # noqa: PLC0415 - not needed for an unchanged site

    remove_unfinished_files(target.root / ".cache")
    remove_abandoned_files(target.root)
    source_states = input_states(target.root)
    checksums = racy_checksums(source_states)
    prefix = site_prefix(target, multiple_sites=multiple_sites)
    progress_line = ProgressLine(sys.stderr, prefix)
    build = build_site(target, arguments.theme, exporters, progress_line)
    if arguments.for_disk:
        build = _complete_page_links(build)
    progress_line.clear()
    messages = format_problems(build, target)
    sys.stdout.flush()
    sys.stderr.write(messages)
    sys.stderr.flush()
    if build.has_errors or (arguments.strict and build.problems):
        print(f"{prefix}{summarize_problems(build)}; nothing was written.")
        return False
    file_counts = _publish_build(target, build, progress_line, up_to_date_check.last_outputs())
    if file_counts is None:
        return False
    written_count, removed_count = file_counts
    if exporters is None:
        written_paths = [artifact.path for artifact in build.artifacts]
        up_to_date_check.save_build(source_states, checksums, written_paths, messages)
    print(f"{prefix}{_describe_changes(written_count, len(build.artifacts) - written_count, removed_count)}")
    elapsed = time.perf_counter() - start_time
    print(
        f"{prefix}{_describe_contents(build)} in {display_path(target.output)}/, {summarize_problems(build)}, {elapsed:.2f} s"
    )
    return True


def _complete_page_links(build: "BuildResult") -> "BuildResult":
    """A build whose pages link to the files of other pages, and not to their folders; HTML files of the user are unchanged."""
    from tenure.html.links import link_index_files  # noqa: PLC0415 - only needed for --for-disk
    from tenure.record import replace  # noqa: PLC0415 - as above

    artifacts = tuple(
        replace(artifact, body=link_index_files(artifact.body))
        if artifact.path.endswith(".html") and isinstance(artifact.body, bytes)
        else artifact
        for artifact in build.artifacts
    )
    return replace(build, artifacts=artifacts)


def _publish_build(
    target: BuildTarget, build: "BuildResult", progress_line: "ProgressLine", last_outputs: "FileStates"
) -> tuple[int, int] | None:
    """Write the files; returns the numbers of written and removed files, None if foreign files are in the folder."""
    from tenure import publish  # noqa: PLC0415 - not needed for an unchanged site
    from tenure.problems import Place, Problem, format_problem  # noqa: PLC0415 - not needed for an unchanged site
    from tenure.publish import find_foreign_files, find_windows_reserved_paths, publish_artifacts  # noqa: PLC0415 - not needed for an unchanged site

    invalid_paths = (
        find_windows_reserved_paths(artifact.path for artifact in build.artifacts) if publish.WINDOWS else []
    )
    if invalid_paths:
        raise UsageError(
            f"Windows cannot have a file {invalid_paths[0]}; give this entry another id, or the file another name"
        )
    try:
        foreign_paths = find_foreign_files(build.artifacts, target.output)
    except OSError as error:
        raise _describe_file_error(target, error) from error
    for path in foreign_paths:
        place = Place(f"{display_path(target.output)}/{path}")
        hint = "move it away, or build to another folder: --output DIR"
        problem = Problem(place, "error", "foreign-file", "this file was not written by Tenure", hint)
        sys.stderr.write(f"{format_problem(problem)}\n")
    if foreign_paths:
        print("Nothing was written.")
        return None
    try:
        published = publish_artifacts(build.artifacts, target.output, progress_line, last_outputs)
    except OSError as error:
        raise _describe_file_error(target, error) from error
    finally:
        progress_line.clear()
    return len(published.written), len(published.removed)


def _describe_changes(written_count: int, unchanged_count: int, removed_count: int) -> str:
    """A sentence such as "Wrote 2 files; 40 were up to date; deleted 1 old file."."""
    clauses = [f"Wrote {format_count(written_count, 'file')}"]
    if unchanged_count:
        clauses.append(f"{unchanged_count:,} {'was' if unchanged_count == 1 else 'were'} up to date")
    if removed_count:
        clauses.append(f"deleted {format_count(removed_count, 'old file')}")
    return f"{'; '.join(clauses)}."


def _describe_contents(build: "BuildResult") -> str:
    page_count = format_count(len(build.pages), "page")
    publications = build.site.publications if build.site else ()
    return f"{page_count}, {format_count(len(publications), 'publication')}" if publications else page_count
