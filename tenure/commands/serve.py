"""`serve`: live preview of the site in a browser."""

import argparse
import os
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.access import Access
from tenure.commands.calls import DONE, CallError, saved_fault
from tenure.commands.sites import Job, counted, jobs_of, placed, refuse_unknown_theme
from tenure.editors import DEFAULT, template_of
from tenure.memo import Memo

if TYPE_CHECKING:
    from tenure.pipeline import Ahead, Build, Outlet
    from tenure.problems import Problem
    from tenure.progress import Progress

EDITOR_VARIABLE = "TENURE_EDITOR"
"""The environment variable with the editor, used without --editor."""


def run(call: argparse.Namespace, here: Path, outlets: "Sequence[Outlet] | None") -> int:
    """Serve the site until Ctrl+C; returns the exit status."""
    jobs = jobs_of(call, here)
    if len(jobs) > 1:
        raise CallError("one site at a time: --site DIR")
    refuse_unknown_theme(call.theme, jobs[0].root)
    from tenure.overlay import Overlay  # noqa: PLC0415 - loaded only when called
    from tenure.preview import Preview, Voice, serve  # noqa: PLC0415 - loaded only when called
    from tenure.sources.themes import PACKAGED  # noqa: PLC0415 - as above
    from tenure.watch import Watch  # noqa: PLC0415 - as above

    job, access, template = jobs[0], _access_at(call.host), _template_of(call.editor)
    root = job.root.resolve()
    places = [root / "site.yaml", *(root / name for name in ("content", "bib", "themes"))]
    watch = Watch(dict.fromkeys([*places, PACKAGED]))
    voice = Voice(_Problems(job), saved_fault, _say)
    overlay = Overlay(root, template)
    preview = Preview(_Maker(root, call.theme, outlets), overlay, voice, follow=call.follow)

    def opened(address: str, others: Sequence[str]) -> None:
        _say(f"Serving {job.name} at {address} (Ctrl+C ends it)")
        for other in others:
            _say(f"On other devices in this network: {other}")
        if access.token and not others:
            _say(f"This machine has no address in a network. The token is {access.token}.")
        if call.open:
            webbrowser.open(address)

    try:
        serve(preview, watch, call.port, opened, access)
    except OSError as error:
        raise CallError(f"no port is free from {call.port} on: {error.strerror or error}") from error
    return DONE


def _access_at(host: str) -> Access:
    """Who may open the preview, from the option --host; raises UsageError for an invalid address."""
    try:
        return Access.at(host)
    except (ValueError, OSError) as error:
        raise CallError(
            f"this machine has no IP address {host}; write one that it has, or --host alone for all of them"
        ) from error


def _template_of(editor: str) -> str:
    """The template of links to an editor: from --editor, the environment, or the default."""
    try:
        return template_of(editor or os.environ.get(EDITOR_VARIABLE, "") or DEFAULT)
    except ValueError as error:
        raise CallError(str(error)) from error


def _say(line: str) -> None:
    print(line, flush=True)


class _Maker:
    """Builds the site in memory, with the cache of earlier builds."""

    def __init__(self, root: Path, theme: str, outlets: "Sequence[Outlet] | None") -> None:
        self._root = root
        self._theme = theme
        self._outlets = outlets
        self._memo = Memo()

    def __call__(self, changed: Sequence[str], ahead: "Ahead", progress: "Progress") -> "Build":
        """Build the site, also with errors. A change of a packaged theme is a change of the program and clears the cache."""
        from tenure.pipeline import OUTLETS, build  # noqa: PLC0415 - loaded only when called
        from tenure.project import Wishes  # noqa: PLC0415 - as above
        from tenure.reading import begin  # noqa: PLC0415 - as above
        from tenure.sources.themes import PACKAGED  # noqa: PLC0415 - as above

        if any(Path(path).is_relative_to(PACKAGED) for path in changed):
            self._memo = Memo()
        reading = begin(self._root, Wishes(theme=self._theme, drafts=True, keep_last=True), self._memo)
        outlets = OUTLETS if self._outlets is None else self._outlets
        return build(self._root, outlets, memo=self._memo, reading=reading, ahead=ahead, progress=progress)


class _Problems:
    """Prints all errors of each build, and the warnings that the previous build did not have."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._last: frozenset[tuple[str, str, str, str]] = frozenset()

    def __call__(self, build: "Build") -> str:
        """Print the problems of a build; returns their numbers in words, "" for none."""
        from tenure.problems import written  # noqa: PLC0415 - loaded only when needed

        keys = {problem: _key(problem) for problem in build.problems}
        for problem, key in keys.items():
            if problem.level == "error" or key not in self._last:
                sys.stderr.write(f"{written(placed(problem, self._job))}\n")
        if self._last and not keys:
            sys.stderr.write("No problems any more.\n")
        sys.stderr.flush()
        self._last = frozenset(keys.values())
        return counted(build) if keys else ""


def _key(problem: "Problem") -> tuple[str, str, str, str]:
    """A key of a problem that does not change if lines are added above it."""
    return problem.place.file, problem.code, problem.message, problem.excerpt
