"""`import`: create a site from the sources of another system, with a report of what was imported."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.commands.calls import DONE, FAULTY, CallError
from tenure.commands.invocation import again, steps_in
from tenure.commands.requirements import FILE, describe_ignored_wheel
from tenure.commands.sites import counted, seen
from tenure.commands.starter import starter_files
from tenure.counts import number
from tenure.frozen import dataclass

if TYPE_CHECKING:
    from tenure.importers.gathering import Imported
    from tenure.pipeline import Outlet

REPORT = "import-report.md"
HEADINGS: Sequence[tuple[str, str]] = (
    ("left", "Not imported"),
    ("changed", "Changed"),
    ("moved", "Old addresses"),
    ("came", "Imported"),
)


@dataclass(frozen=True, slots=True)
class Written:
    """The files of an import by name: created, already present with the same bytes, already present with different bytes."""

    new: tuple[str, ...]
    same: tuple[str, ...]
    kept: tuple[str, ...]


def run(call: argparse.Namespace, here: Path, outlets: "Sequence[Outlet] | None") -> int:
    """Import a source into a folder without changing existing files; returns the exit status."""
    del here, outlets
    return import_site(call.source, call.folder, call.system or "", call.name or "")


def import_site(source: Path, folder: Path, system: str = "", name: str = "") -> int:
    """
    Import a file or a folder of another system into a folder, and report what was imported; returns the exit status.

    `system` is a key of IMPORTERS, or "" to detect it from the files; `name` is the owner's, or "" to take it from the
    source. Raises UsageError if the source does not exist or if its system is unknown.
    """
    from tenure.importers.systems import SYSTEMS, system_of  # noqa: PLC0415 - loaded only if a source exists

    if not source.exists():
        raise CallError(f"{seen(source)} does not exist")
    system = system or system_of(source.resolve())
    if not system:
        raise CallError(
            f"{seen(source)} has none of the formats that can be imported: {', '.join(SYSTEMS)} "
            "(a CV in PDF or LaTeX cannot be imported); if it has one of them, name it: --from NAME"
        )
    imported = SYSTEMS[system](source.resolve())
    files = files_of(imported, name)
    written = write_beside(folder, files)
    _say(imported, written, folder)
    return _checked(folder)


def files_of(imported: "Imported", name: str) -> dict[str, str | bytes]:
    """Every file of the new site: the files of `new`, replaced by the imported ones, and the report."""
    from tenure.importers.yaml_text import scalar  # noqa: PLC0415 - loaded only if a site is written
    from tenure.sources.json_schema import line_for  # noqa: PLC0415 - as above

    called = name or imported.owner
    if not called:
        why = "".join(f"{p.place}: {p.message} ({p.hint}); so " for p in imported.unreadable[:1])
        raise CallError(
            f'{why}the source does not give the name of the owner: import SOURCE --name "Ada Lovelace"'
        )
    profile = f"name: {scalar(called)}\n{imported.profile}"
    answers = {"name": called, "affiliation": "", "url": "", "theme": "classic"}
    files: dict[str, str | bytes] = {
        **starter_files(answers),
        **imported.files,
        "content/profile.yaml": profile,
    }
    own = (*imported.files, "content/profile.yaml")
    files |= {name: line_for(name) + text for name in own if isinstance(text := files[name], str)}
    if "bib/papers.bib" not in imported.files:
        del files["bib/papers.bib"]
    files[REPORT] = report(imported)
    return files


def report(imported: "Imported") -> str:
    """The report in Markdown: what was imported, changed and skipped, each with its place in the source."""
    lines = [f"# Import from {imported.system}", ""]
    for fate, heading in HEADINGS:
        notes = [note for note in imported.notes if note.fate == fate]
        if notes:
            lines += [f"## {heading} ({len(notes)})", "", *(f"- `{n.place}`: {n.words}" for n in notes), ""]
    return "\n".join(lines)


def write_beside(folder: Path, files: Mapping[str, str | bytes]) -> Written:
    """Write the files that do not exist yet; existing files are not changed. Raises UsageError if the folder is not writable."""
    new: list[str] = []
    same: list[str] = []
    kept: list[str] = []
    try:
        for name, content in files.items():
            path, data = folder / name, content if isinstance(content, bytes) else content.encode("utf-8")
            if path.exists():
                (same if path.is_file() and path.read_bytes() == data else kept).append(name)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            new.append(name)
    except OSError as error:
        raise CallError(f"cannot write {seen(folder)}: {error.strerror or error}") from error
    return Written(tuple(new), tuple(same), tuple(kept))


def _say(imported: "Imported", written: Written, folder: Path) -> None:
    counts = {fate: sum(note.fate == fate for note in imported.notes) for fate, _ in HEADINGS}
    print(
        f"{imported.system}: {counts['came']} imported, {counts['changed']} changed, {counts['left']} left out; "
        f"{seen(folder / REPORT)} names each with its place"
    )
    print(
        f"wrote {number(len(written.new), 'file')} into {seen(folder)}/; {len(written.same)} were already there"
    )
    print(describe_ignored_wheel(folder), end="")
    for name in written.kept:
        if name == FILE:
            print(
                f"kept {seen(folder / name)}: it does not list this Tenure. To add it: {again('upgrade', folder, '--write')}"
            )
            continue
        print(
            f"kept {seen(folder / name)}: it differs from the imported file; to replace it, delete it and import again"
        )


def _checked(folder: Path) -> int:
    """Print the errors of the new site and the next commands; returns the exit status."""
    from tenure.pipeline import build  # noqa: PLC0415 - loaded only if a site was written
    from tenure.problems import written as told  # noqa: PLC0415 - loaded only if a site was written

    made = build(folder, thorough=True)
    errors = [problem for problem in made.problems if problem.level == "error"]
    for problem in errors:
        print(told(problem))
    print(f"check: {counted(made)}. Next:")
    print(steps_in(seen(folder), "check", "serve --open"), end="")
    return FAULTY if errors else DONE
