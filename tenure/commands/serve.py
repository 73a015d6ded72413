"""`serve`: the site while it is being written, in a browser."""

import argparse
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.commands.calls import DONE, CallError, saved_fault
from tenure.commands.sites import Job, as_text, jobs_of, refuse_unknown_theme
from tenure.memo import Memo

if TYPE_CHECKING:
    from tenure.pipeline import Ahead, Build, Outlet
    from tenure.progress import Progress


def run(call: argparse.Namespace, here: Path, outlets: "Sequence[Outlet] | None") -> int:
    """Serve the site of the call until the keyboard interrupts; returns the exit status."""
    jobs = jobs_of(call, here)
    if len(jobs) > 1:
        raise CallError("one site at a time: --site DIR")
    refuse_unknown_theme(call.theme, jobs[0].root)
    from tenure.preview import Preview, Voice, serve  # noqa: PLC0415 - loaded only when called
    from tenure.sources.themes import PACKAGED  # noqa: PLC0415 - as above
    from tenure.watch import Watch  # noqa: PLC0415 - as above

    job = jobs[0]
    root = job.root.resolve()
    places = [root / "site.yaml", *(root / name for name in ("content", "bib", "themes"))]
    watch = Watch(dict.fromkeys([*places, PACKAGED]))
    voice = Voice(_Problems(job), saved_fault, _say)
    preview = Preview(_Maker(root, call.theme, outlets), root, voice, follow=call.follow)

    def opened(address: str) -> None:
        _say(f"Serving {job.name} at {address} (Ctrl+C ends it)")
        if call.open:
            webbrowser.open(address)

    try:
        serve(preview, watch, call.port, opened)
    except OSError as error:
        raise CallError(f"no port is free from {call.port} on: {error.strerror or error}") from error
    return DONE


def _say(line: str) -> None:
    print(line, flush=True)


class _Maker:
    """Builds the site in memory, each time with what the builds before it have kept."""

    def __init__(self, root: Path, theme: str, outlets: "Sequence[Outlet] | None") -> None:
        self._root = root
        self._theme = theme
        self._outlets = outlets
        self._memo = Memo()

    def __call__(self, changed: Sequence[str], ahead: "Ahead", progress: "Progress") -> "Build":
        """The site as it is; the program's own themes are a part of the program, so that nothing outlasts their change."""
        from tenure.pipeline import OUTLETS, build  # noqa: PLC0415 - loaded only when called
        from tenure.project import Wishes  # noqa: PLC0415 - as above
        from tenure.reading import begin  # noqa: PLC0415 - as above
        from tenure.sources.themes import PACKAGED  # noqa: PLC0415 - as above

        if any(Path(path).is_relative_to(PACKAGED) for path in changed):
            self._memo = Memo()
        reading = begin(self._root, Wishes(theme=self._theme, drafts=True), self._memo)
        outlets = OUTLETS if self._outlets is None else self._outlets
        return build(self._root, outlets, memo=self._memo, reading=reading, ahead=ahead, progress=progress)


class _Problems:
    """Tells the problems of a build on the terminal, unless they are those that were told last."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._last = ""

    def __call__(self, made: "Build") -> str:
        """The problems as lines."""
        told = as_text(made, self._job)
        if told != self._last:
            sys.stderr.write(told or "No problems any more.\n")
            sys.stderr.flush()
        self._last = told
        return told
