"""`upgrade`: move a site to the running version of Tenure; shows the changes, and writes them with --write."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.commands import check, schema
from tenure.commands.calls import CallError, parser
from tenure.commands.changes import diff, show_changes, show_refusals, write_changes
from tenure.commands.distribution import VENDOR, is_checkout
from tenure.commands.invocation import again, program
from tenure.commands.requirements import FILE, describe_ignored_wheel, merge_requirements, requirement_files
from tenure.commands.sites import seen, site_in
from tenure.frozen import dataclass

if TYPE_CHECKING:
    from tenure.pipeline import Outlet


@dataclass(frozen=True, slots=True)
class RequirementChanges:
    """The changes of requirements.txt and vendor/: the old and the new text, wheels to add, and wheels to delete."""

    before: str
    after: str
    added: Mapping[str, bytes]
    deleted: Sequence[str]

    def __bool__(self) -> bool:
        return self.before != self.after or bool(self.added or self.deleted)


def run(call: argparse.Namespace, here: Path, outlets: "Sequence[Outlet] | None") -> int:
    """
    Show the new requirements, the changes of `migrate` and the report of `check`; write the changes with `--write`.

    The default site is in the current folder, never in the folder of the running Tenure. Returns the exit status of `check`.
    """
    del here
    from tenure.sources.migration import plan_migration  # noqa: PLC0415 - loaded only if there is a site

    current = Path.cwd()
    root = site_in(call.folder or current)
    if is_checkout() and (root / "pyproject.toml").is_file() and (root / "tenure").is_dir():
        raise CallError(
            f"{seen(root)} is a clone of Tenure, not a site; name your site: {program()} upgrade DIR"
        )
    requirements = find_changes(root)
    sources, refusals = plan_migration(root)
    _show_requirements(requirements, root)
    show_changes(root, sources)
    show_refusals(root, refusals)
    if call.write:
        write_requirements(requirements, root)
        write_changes(root, sources)
        print(describe_ignored_wheel(root), end="")
        schema.run(parser().parse_args(["schema", str(root)]), current, None)
    status = check.run(parser().parse_args(["check", "--site", str(root)]), current, outlets)
    if not call.write and (requirements or sources):
        print(f"Nothing was written. To upgrade: {again('upgrade', call.folder, '--write')}")
    return status


def find_changes(root: Path) -> RequirementChanges:
    """The changes of requirements.txt and vendor/ that the running Tenure needs."""
    files = requirement_files()
    path = root / FILE
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    written = files.pop(FILE)
    after = merge_requirements(before, written if isinstance(written, str) else written.decode("utf-8"))
    wheels = {name: content for name, content in files.items() if isinstance(content, bytes)}
    there = {f"{VENDOR}/{wheel.name}": wheel for wheel in sorted((root / VENDOR).glob("tenure-*.whl"))}
    added = {
        name: wheel
        for name, wheel in wheels.items()
        if name not in there or there[name].read_bytes() != wheel
    }
    return RequirementChanges(before, after, added, tuple(name for name in there if name not in wheels))


def write_requirements(changes: RequirementChanges, root: Path) -> None:
    """Write the new wheel and requirements.txt, and then delete the old wheel; raises UsageError if the folder is not writable."""
    try:
        for name, content in changes.added.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_bytes(content)
        (root / FILE).write_bytes(changes.after.encode("utf-8"))
        for name in changes.deleted:
            (root / name).unlink()
    except OSError as error:
        raise CallError(f"cannot write {seen(root)}: {error.strerror or error}") from error


def _show_requirements(changes: RequirementChanges, root: Path) -> None:
    """Print the new lines of requirements.txt as a diff, and the names of the wheels."""
    if not changes:
        print(
            f"{seen(root)} uses this Tenure already. To move it to a newer one, run upgrade from the newer one."
        )
        return
    print(diff(seen(root / FILE), changes.before, changes.after), end="")
    for name in changes.added:
        print(f"add {seen(root / name)}")
    for name in changes.deleted:
        print(f"delete {seen(root / name)}")
