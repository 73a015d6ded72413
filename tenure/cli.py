"""Commands, and what they print."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tenure import __version__
from tenure.stamp import Stamp, inputs

if TYPE_CHECKING:
    from tenure.pipeline import Build, Outlet
    from tenure.problems import Problem

DONE, FAULTY, MISCALLED = 0, 1, 2
"""Exit statuses: done, the sources have errors, the call is wrong."""


@dataclass(frozen=True, slots=True)
class Job:
    """One site of a call: its folder, where its output goes, and its address if the call gives one."""

    root: Path
    output: Path
    base_url: str
    name: str


def main(
    arguments: Sequence[str] | None = None,
    *,
    folder: Path | None = None,
    outlets: "Sequence[Outlet] | None" = None,
) -> int:
    """Run a command; returns the exit status. `folder` is the site where the call names none."""
    words = _with_command(sys.argv[1:] if arguments is None else arguments)
    here = folder or Path.cwd()
    try:
        if words[0] == "test":
            return _test(here, words[1:])
        call = _parser().parse_args(words)
        jobs = _jobs(call, here)
        return _check(call, jobs, outlets) if call.command == "check" else _build(call, jobs, outlets)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else MISCALLED
    except CallError as error:
        print(f"tenure: {error}", file=sys.stderr)
        return MISCALLED
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001 - the last resort: a fault of ours is told in one line
        return _tell_fault(error)


def up_to_date(arguments: Sequence[str], folder: Path) -> bool:
    """Whether a build would change nothing; then it is said. Needs the standard library alone."""
    words = _with_command(arguments)
    if words[0] != "build" or "-h" in words or "--help" in words:
        return False
    try:
        call = _parser().parse_args(words)
        jobs = _jobs(call, folder)
        told = [_stamp(call, job).unchanged() for job in jobs]
    except (SystemExit, CallError):
        return False  # main() says what is wrong with the call
    if any(words is None for words in told):
        return False
    for job, said in zip(jobs, told, strict=True):
        _say_unchanged(job, said or "", several=len(jobs) > 1)
    return True


def _with_command(arguments: Sequence[str]) -> list[str]:
    """The words of a call; without a command it is build."""
    words = list(arguments)
    if not words or (words[0].startswith("-") and words[0] not in ("-h", "--help", "--version")):
        words.insert(0, "build")
    return words


class CallError(Exception):
    """The call is wrong; the message says how."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tenure",
        description="Build an academic homepage from YAML and BibTeX. Without a command: build.",
    )
    parser.add_argument("--version", action="version", version=f"tenure {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    build = commands.add_parser("build", help="build the site in this folder into output/")
    build.add_argument(
        "--output", metavar="DIR", type=Path, help="where the site goes (default: output/ in its folder)"
    )
    build.add_argument(
        "--base-url", metavar="URL", default="", help="the address the site will have, for this build"
    )
    check = commands.add_parser(
        "check", help="tell every mistake in sources, templates and links; write nothing"
    )
    check.add_argument(
        "--format",
        choices=("text", "json", "github"),
        default="text",
        help="how to tell them (default: text)",
    )
    for command in (build, check):
        command.add_argument(
            "--site",
            metavar="DIR",
            type=Path,
            action="append",
            help="a site's folder, or a folder of sites; repeatable",
        )
        command.add_argument(
            "--theme", metavar="NAME", default="", help="a theme instead of the one in site.yaml"
        )
        command.add_argument("--strict", action="store_true", help="warnings count as errors")
    commands.add_parser("test", help="run the project's own tests (in its repository only)", add_help=False)
    return parser


def _is_site(folder: Path) -> bool:
    return (folder / "content").is_dir() or (folder / "site.yaml").is_file()


def _jobs(call: argparse.Namespace, here: Path) -> list[Job]:
    """The sites of a call; a folder that is no site itself stands for the sites in it."""
    named = call.site or [here]
    roots: list[Path] = []
    several = len(named) > 1
    for folder in named:
        if not folder.is_dir():
            raise CallError(f"there is no folder {folder}")
        inside = (
            []
            if _is_site(folder)
            else sorted(path for path in folder.iterdir() if path.is_dir() and _is_site(path))
        )
        several = several or bool(inside)
        roots += inside or [folder]
    output: Path | None = getattr(call, "output", None)
    base = getattr(call, "base_url", "").rstrip("/")
    if not several:
        return [Job(roots[0], output or roots[0] / "output", base, roots[0].resolve().name)]
    names = [root.resolve().name for root in roots]
    for name in names:
        if names.count(name) > 1:
            raise CallError(f'two sites are called "{name}"; their folders must differ in name')
    target = output or Path("output")
    return [Job(r, target / n, f"{base}/{n}" if base else "", n) for r, n in zip(roots, names, strict=True)]


def _build(call: argparse.Namespace, jobs: Sequence[Job], outlets: "Sequence[Outlet] | None") -> int:
    results = [_build_one(call, job, outlets, several=len(jobs) > 1) for job in jobs]
    if len(jobs) > 1:
        failed = [job.name for job, sound in zip(jobs, results, strict=True) if not sound]
        tail = f"; with errors: {', '.join(failed)}" if failed else ""
        print(f"{len(jobs) - len(failed)} of {len(jobs)} sites built{tail}.")
    return DONE if all(results) else FAULTY


def _build_one(
    call: argparse.Namespace, job: Job, outlets: "Sequence[Outlet] | None", *, several: bool
) -> bool:
    """Build and publish one site; whether it could be."""
    started = time.perf_counter()
    stamp = _stamp(call, job)
    said = stamp.unchanged() if outlets is None else None
    if said is not None:
        _say_unchanged(job, said, several=several)
        return True
    before = inputs(job.root)
    label = _label(job, several)
    made = _make(job, call.theme, outlets, lambda line: print(f"{label}{line}"))
    told = _as_text(made, job)
    sys.stdout.flush()
    sys.stderr.write(told)
    sys.stderr.flush()
    if made.failed or (call.strict and made.problems):
        print(f"{label}{_counted(made)}; nothing was written.")
        return False
    published = _publish(job, made)
    if published is None:
        return False
    written, removed = published
    if outlets is None:
        stamp.keep(before, [artifact.path for artifact in made.artifacts], told)
    print(f"{label}wrote {_number(written, 'file')}, removed {removed}, kept {len(made.artifacts) - written}")
    took = time.perf_counter() - started
    print(f"{label}{_contents(made)} in {_seen(job.output)}/, {_counted(made)}, {took:.2f} s")
    return True


def _stamp(call: argparse.Namespace, job: Job) -> Stamp:
    return Stamp(job.root, job.output, (job.base_url, call.theme, str(call.strict)))


def _say_unchanged(job: Job, said: str, *, several: bool) -> None:
    sys.stderr.write(said)
    sys.stderr.flush()
    print(f"{_label(job, several)}Nothing has changed: {_seen(job.output)}/ is up to date.")


def _label(job: Job, several: bool) -> str:
    return f"{job.name}: " if several else ""


def _make(
    job: Job,
    theme: str,
    outlets: "Sequence[Outlet] | None",
    say: "Callable[[str], None] | None" = None,
    *,
    thorough: bool = False,
) -> "Build":
    from tenure.pipeline import OUTLETS, build, silent  # noqa: PLC0415 - an unchanged site is told before this is loaded

    wanted = OUTLETS if outlets is None else outlets
    return build(job.root, wanted, base_url=job.base_url, theme=theme, thorough=thorough, say=say or silent)


def _publish(job: Job, made: "Build") -> tuple[int, int] | None:
    """Write the files; how many were written and removed, None where the folder does not allow it."""
    from tenure.output import foreign, publish  # noqa: PLC0415 - as above
    from tenure.problems import Place, Problem, written  # noqa: PLC0415 - as above

    in_the_way = foreign(made.artifacts, job.output)
    for path in in_the_way:
        place = Place(f"{_seen(job.output)}/{path}")
        hint = "move it away, or build to another folder: --output DIR"
        sys.stderr.write(
            written(Problem(place, "error", "foreign-file", "this file was not written by Tenure", hint))
            + "\n"
        )
    if in_the_way:
        print("Nothing was written.")
        return None
    try:
        published = publish(made.artifacts, job.output)
    except OSError as error:
        raise CallError(f"cannot write to {_seen(job.output)}: {error.strerror or error}") from error
    return len(published.written), len(published.removed)


def _check(call: argparse.Namespace, jobs: Sequence[Job], outlets: "Sequence[Outlet] | None") -> int:
    import json  # noqa: PLC0415 - loaded only when needed

    from tenure.problems import as_annotation, as_json  # noqa: PLC0415 - loaded only when needed

    builds = [(job, _make(job, call.theme, outlets, thorough=True)) for job in jobs]
    found = [_placed(problem, job) for job, made in builds for problem in made.problems]
    if call.format == "json":
        counts = {
            _seen(job.root / file): {"found": count.found, "shown": count.shown, "told": count.told}
            for job, made in builds
            for file, count in made.counts.items()
        }
        report = {"problems": [as_json(problem) for problem in found], "entries": counts}
        print(json.dumps(report, ensure_ascii=False, indent=2))
    elif call.format == "github":
        for problem in found:
            print(as_annotation(problem))
    else:
        for job, made in builds:
            sys.stderr.write(_as_text(made, job))
        sys.stderr.flush()
        for job, made in builds:
            print(f"{_label(job, len(jobs) > 1)}{_counted(made)}.")
    failed = any(made.failed or (call.strict and made.problems) for _, made in builds)
    return FAULTY if failed else DONE


def _placed(problem: "Problem", job: Job) -> "Problem":
    """A problem with its file as seen from where the call was made."""
    return replace(problem, place=replace(problem.place, file=_seen(job.root / problem.place.file)))


def _seen(path: Path) -> str:
    """A path as short as it can be written from here."""
    full = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links and change what the user typed
    return full.relative_to(Path.cwd()).as_posix() if full.is_relative_to(Path.cwd()) else str(path)


def _as_text(made: "Build", job: Job) -> str:
    from tenure.problems import written  # noqa: PLC0415 - loaded only when needed

    return "".join(f"{written(_placed(problem, job))}\n" for problem in made.problems)


def _counted(made: "Build") -> str:
    errors = sum(problem.level == "error" for problem in made.problems)
    warnings = len(made.problems) - errors
    parts = [_number(n, word) for n, word in ((errors, "error"), (warnings, "warning")) if n]
    return ", ".join(parts) if parts else "0 problems"


def _contents(made: "Build") -> str:
    pages = sum(artifact.path.endswith(".html") for artifact in made.artifacts)
    papers = len(made.site.publications) if made.site else 0
    parts = [_number(pages, "page")] + ([_number(papers, "publication")] if papers else [])
    return ", ".join(parts)


def _number(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _test(here: Path, words: Sequence[str]) -> int:
    if not (here / "tests").is_dir() or not (here / "tenure").is_dir():
        raise CallError("the tests are in Tenure's own repository only")
    import subprocess  # noqa: PLC0415 - loaded only when needed

    return subprocess.run([sys.executable, "-m", "pytest", *words], cwd=here, check=False).returncode


def _tell_fault(error: Exception) -> int:
    """Save the trace of a fault of ours and say where."""
    import tempfile  # noqa: PLC0415 - loaded only when needed
    import traceback  # noqa: PLC0415 - loaded only when needed

    with tempfile.NamedTemporaryFile(
        "w", prefix="tenure-", suffix=".txt", delete=False, encoding="utf-8"
    ) as file:
        file.write("".join(traceback.format_exception(error)))
    print(
        f"tenure: a fault of its own ({type(error).__name__}: {error}); the trace is in {file.name}",
        file=sys.stderr,
    )
    return FAULTY
