"""`serve`: live preview of the site in a browser."""

import argparse
import contextlib
import gc
import os
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from tenure.cache.store import CacheStore, remove_unfinished_files
from tenure.cli.app import save_traceback
from tenure.cli.arguments import EXIT_OK, Call, UsageError, add_build_options
from tenure.cli.site_version import describe_other_version
from tenure.cli.targets import relocate_problem, select_target, summarize_problems
from tenure.server.access import KEY_PARAMETER, Access, EditorKey

if TYPE_CHECKING:
    from tenure.build import BuildResult, Exporter, PlanCallback
    from tenure.progress import ProgressCallback
    from tenure.server.late_documents import LateDocuments
    from tenure.server.server import BuildFunction
    from tenure.server.theme_panel import ThemePanel

DEFAULT_PORT = 8000
MAX_PORT = 65_535
"""The port without `--port`, and the largest that there is."""

GARBAGE_THRESHOLD = 100_000
"""
The number of new objects between two garbage collections. A build makes millions of objects and keeps most of
them; with Python's threshold of 700, the collections take a tenth of its time.
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `serve`."""
    add_build_options(parser)
    parser.add_argument("--open", action="store_true", help="open the site in the browser")
    parser.add_argument("--edit", action="store_true", help="open the editor in the browser")
    port_help = f"the port, or the next that is free (default: {DEFAULT_PORT})"
    parser.add_argument("--port", metavar="N", type=int, default=DEFAULT_PORT, help=port_help)
    parser.add_argument(
        "--host",
        action="store_true",
        help="also listen for other devices in the local network, "
        "which need the token in the URL that is shown",
    )


def run_command(call: Call) -> int:
    """Serve the site until Ctrl+C; returns the exit status."""
    target = select_target(call)
    sys.stderr.write(describe_other_version(target.root))
    if not 0 <= call.options.port <= MAX_PORT:
        reason = f"a number from 0 to {MAX_PORT}, not {call.options.port}"
        raise UsageError(f"--port is {reason}; 0 takes any free port")
    access = Access.for_network() if call.options.host else Access()
    key = EditorKey()
    gc.set_threshold(GARBAGE_THRESHOLD, 20, 20)

    from tenure.server.editor import SourceEditor
    from tenure.server.late_documents import LateDocuments
    from tenure.server.overlay import read_editor_link
    from tenure.server.server import Console, Preview, serve_preview
    from tenure.server.theme_panel import ThemePanel
    from tenure.server.watcher import SourceWatcher

    root = target.root.resolve()
    try:
        editor_link = read_editor_link(os.environ, root)
    except ValueError as error:
        raise UsageError(str(error)) from error

    panel = ThemePanel(root)
    documents = LateDocuments()
    preview = Preview(
        make_builder(root, target.theme, panel, call.exporters, documents),
        root,
        Console(_ProblemPrinter(target.root), save_traceback, _print_line),
        editor_link,
        SourceEditor(root, panel),
        documents,
    )

    def announce_urls(url: str, editor_url: str, network_urls: Sequence[str]) -> None:
        _print_line(f"Serving {root.name} at {url} (Ctrl+C ends it)")
        _print_line(f"Edit it in the browser: {editor_url}?{KEY_PARAMETER}={key.token}")
        for network_url in network_urls:
            _print_line(f"On other devices in this network: {network_url}")
        if access.token and not network_urls:
            _print_line(f"This machine has no address in a network. The token is {access.token}.")
        for is_wanted, address in ((call.options.open, url), (call.options.edit, editor_url)):
            if is_wanted:
                webbrowser.open(f"{address}?{KEY_PARAMETER}={key.make_ticket()}")

    try:
        serve_preview(preview, SourceWatcher(root), call.options.port, announce_urls, access, key)
    except OSError as error:
        raise UsageError(f"no port is free from {call.options.port} on: {error.strerror or error}") from error
    return EXIT_OK


def _print_line(line: str) -> None:
    _write_to_terminal(sys.stdout, f"{line}\n")


def _write_to_terminal(stream: TextIO, text: str) -> None:
    """Write a text to the terminal, if it can still be written."""
    # if it was closed or its disk is full, the browsers still get the pages and the problems
    with contextlib.suppress(OSError, ValueError):
        stream.write(text)
        stream.flush()


def make_builder(
    root: Path,
    theme: str,
    panel: "ThemePanel",
    exporters: "Sequence[Exporter] | None",
    documents: "LateDocuments",
) -> "BuildFunction":
    """A function that builds a site in memory, also with errors, with what earlier calls have read."""
    from tenure.build import EXPORTERS, build_site
    from tenure.exports.records import make_export_files
    from tenure.record import replace
    from tenure.site_folder import BuildOptions, LastContents

    remove_unfinished_files(root / ".cache")
    store = CacheStore(root / ".cache")
    last_contents = LastContents()
    own_exporters = [
        documents.make_records if exporter is make_export_files else exporter
        for exporter in (EXPORTERS if exporters is None else exporters)
    ]

    def build(on_plan: "PlanCallback", progress: "ProgressCallback") -> "BuildResult":
        options = BuildOptions(
            theme=theme, include_drafts=True, last_contents=last_contents, keeps_pages=True
        )
        trial = panel.trial
        if trial:
            options = replace(options, theme=trial.name, theme_options=trial.options)
        return build_site(
            root,
            own_exporters,
            options,
            store=store,
            make_cvs=documents.make_cvs,
            on_plan=on_plan,
            progress=progress,
        )

    return build


class _ProblemPrinter:
    """Prints all errors of each build, and the warnings that the previous build did not have."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._last_identities: frozenset[tuple[str, str, str, str]] = frozenset()

    def __call__(self, build: "BuildResult") -> str:
        """Print the problems of a build; returns their numbers in words, "" for none."""
        from tenure.problems import format_problem

        # An identity does not change if lines are added above the problem.
        identities = {p: (p.place.file, p.code, p.message, p.excerpt) for p in build.problems}
        for problem, identity in identities.items():
            if problem.level == "error" or identity not in self._last_identities:
                _write_to_terminal(sys.stderr, f"{format_problem(relocate_problem(problem, self._root))}\n")
        if self._last_identities and not identities:
            _write_to_terminal(sys.stderr, "No problems any more.\n")
        self._last_identities = frozenset(identities.values())
        return summarize_problems(build.problems) if identities else ""
