"""`upgrade`: move a site to the running version of Tenure; shows the changes, and writes them with --write."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cli import check, schema
from tenure.cli.arguments import UsageError, create_parser
from tenure.cli.distribution import VENDOR_FOLDER, is_checkout
from tenure.cli.invocation import command_prefix, format_write_command
from tenure.cli.requirements import (
    REQUIREMENTS_FILE,
    create_requirement_files,
    describe_ignored_wheel,
    merge_requirements,
)
from tenure.cli.source_changes import format_diff
from tenure.cli.targets import display_path, require_site_folder
from tenure.record import Record

if TYPE_CHECKING:
    from tenure.build import Exporter


class RequirementChanges(Record):
    """The changes of requirements.txt and vendor/: the old and the new text, wheels to add, and wheels to delete."""

    old_text: str
    new_text: str
    added: Mapping[str, bytes]
    deleted: Sequence[str]

    def __bool__(self) -> bool:
        return self.old_text != self.new_text or bool(self.added or self.deleted)


def run_command(
    arguments: argparse.Namespace, default_folder: Path, exporters: "Sequence[Exporter] | None"
) -> int:
    """
    Show the new requirements and the report of `check`; write the requirements with `--write`.

    The default site is in the current folder, never in the folder of the running Tenure. Returns the exit status of `check`.
    """
    del default_folder
    current_folder = Path.cwd()
    root = require_site_folder(arguments.folder or current_folder)
    if is_checkout() and (root / "pyproject.toml").is_file() and (root / "tenure").is_dir():
        raise UsageError(
            f"{display_path(root)} is a clone of Tenure, not a site; name your site: {command_prefix()} upgrade DIR"
        )
    requirement_changes = find_requirement_changes(root)
    _show_requirement_changes(requirement_changes, root)
    if arguments.write:
        write_requirements(requirement_changes, root)
        print(describe_ignored_wheel(root), end="")
        schema.run_command(create_parser().parse_args(["schema", str(root)]), current_folder, None)
    status = check.run_command(
        create_parser().parse_args(["check", "--site", str(root)]), current_folder, exporters
    )
    if not arguments.write and requirement_changes:
        print(f"Nothing was written. To upgrade: {format_write_command('upgrade', arguments.folder)}")
    return status


def find_requirement_changes(root: Path) -> RequirementChanges:
    """The changes of requirements.txt and vendor/ that the running Tenure needs."""
    files = create_requirement_files()
    path = root / REQUIREMENTS_FILE
    old_text = path.read_text(encoding="utf-8") if path.is_file() else ""
    new_text = merge_requirements(old_text, str(files.pop(REQUIREMENTS_FILE)))
    wheels = {name: content for name, content in files.items() if isinstance(content, bytes)}
    existing_wheels = {
        f"{VENDOR_FOLDER}/{wheel.name}": wheel
        for wheel in sorted((root / VENDOR_FOLDER).glob("tenure-*.whl"))
    }
    added = {
        name: wheel
        for name, wheel in wheels.items()
        if name not in existing_wheels or existing_wheels[name].read_bytes() != wheel
    }
    return RequirementChanges(
        old_text, new_text, added, tuple(name for name in existing_wheels if name not in wheels)
    )


def write_requirements(changes: RequirementChanges, root: Path) -> None:
    """Write the new wheel and requirements.txt, and then delete the old wheel; raises UsageError if the folder is not writable."""
    try:
        for name, content in changes.added.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_bytes(content)
        (root / REQUIREMENTS_FILE).write_bytes(changes.new_text.encode("utf-8"))
        for name in changes.deleted:
            (root / name).unlink()
    except OSError as error:
        raise UsageError(f"cannot write {display_path(root)}: {error.strerror or error}") from error


def _show_requirement_changes(changes: RequirementChanges, root: Path) -> None:
    """Print the new lines of requirements.txt as a diff, and the names of the wheels."""
    if not changes:
        print(
            f"{display_path(root)} uses this Tenure already. To move it to a newer one, run upgrade from the newer one."
        )
        return
    print(format_diff(display_path(root / REQUIREMENTS_FILE), changes.old_text, changes.new_text), end="")
    for name in changes.added:
        print(f"add {display_path(root / name)}")
    for name in changes.deleted:
        print(f"delete {display_path(root / name)}")
