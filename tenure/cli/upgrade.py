"""`upgrade`: move a site to the running Tenure; shows the changes, and writes them with --write."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from tenure.cli import check
from tenure.cli.app import create_parser
from tenure.cli.arguments import (
    PROGRAM_FOLDER,
    Call,
    UsageError,
    add_site_option,
    command_prefix,
    find_site,
    format_command,
    format_write_command,
    is_checkout,
)
from tenure.cli.requirements import (
    VENDOR_FOLDER,
    create_requirement_files,
    describe_ignored_wheel,
    merge_requirements,
)
from tenure.cli.schema import write_schemas
from tenure.cli.site_version import REQUIREMENTS_FILE, find_named_version
from tenure.cli.source_changes import format_diff
from tenure.cli.starter import STARTER_FOLDER, complete_gitignore
from tenure.cli.targets import display_path
from tenure.documentation import CHANGES_PAGE
from tenure.record import Record


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `upgrade`."""
    add_site_option(parser)
    parser.add_argument("--write", action="store_true", help="write what is shown")


def run_command(call: Call) -> int:
    """
    Show the new requirements and the report of `check`; write the requirements with `--write`.

    The default site is in the current folder, never in the folder of the running Tenure. Returns the exit
    status of `check`.
    """
    root = find_site(Call(call.options, Path.cwd()))
    if is_checkout() and root.resolve() == PROGRAM_FOLDER:
        reason = f"{display_path(root)} is a clone of Tenure, not a site"
        raise UsageError(f"{reason}; name your site: {command_prefix()} upgrade --site DIR")

    upgrade = _plan_upgrade(root)
    _show_upgrade(root, upgrade)
    if call.options.write:
        _write_upgrade(root, upgrade)
    status = check.run_command(Call(create_parser("check").parse_args([]), root, call.exporters))
    if upgrade.has_changes:
        versions = map(find_named_version, (upgrade.old_text, upgrade.new_text))
        change = " → ".join(filter(None, versions))
        print(f"Tenure {change}; what changed: {format_command('explain', CHANGES_PAGE)}")
        command = format_write_command(call.options.site, "upgrade")
        now = "Now build the site, look at it, commit, and push: before that, nothing of it is online."
        print(now if call.options.write else f"Nothing was written. To upgrade: {command}")
    return status


class Upgrade(Record):
    """The changes of a site: the text of requirements.txt, and the wheels to add and to delete."""

    old_text: str
    new_text: str
    added: Mapping[Path, bytes]
    deleted: Sequence[Path]

    @property
    def has_changes(self) -> bool:
        """Whether the site does not use the running Tenure yet."""
        return self.old_text != self.new_text or bool(self.added or self.deleted)


def _plan_upgrade(root: Path) -> Upgrade:
    """What the site needs to be built with the running Tenure."""
    path = root / REQUIREMENTS_FILE
    files = create_requirement_files()
    old_text = path.read_text(encoding="utf-8") if path.exists() else ""
    new_text = merge_requirements(old_text, str(files.pop(REQUIREMENTS_FILE)))

    wheels = {root / name: content for name, content in files.items() if isinstance(content, bytes)}
    old_wheels = sorted((root / VENDOR_FOLDER).glob("tenure-*.whl"))
    added = {wheel: content for wheel, content in wheels.items() if wheel not in old_wheels}
    return Upgrade(old_text, new_text, added, [wheel for wheel in old_wheels if wheel not in wheels])


def _show_upgrade(root: Path, upgrade: Upgrade) -> None:
    """Print the change of requirements.txt as a diff, and the wheels."""
    name = display_path(root / REQUIREMENTS_FILE)
    print(format_diff(name, upgrade.old_text, upgrade.new_text), end="")
    for wheel in upgrade.added:
        print(f"add {display_path(wheel)}")
    for wheel in upgrade.deleted:
        print(f"delete {display_path(wheel)}")
    if not upgrade.has_changes:
        hint = "To move it to a newer one, run upgrade from the newer one."
        print(f"The site uses this Tenure already. {hint}")


def _write_upgrade(root: Path, upgrade: Upgrade) -> None:
    """Write the new requirements, wheels and schemas, and the lines that .gitignore lacks."""
    for wheel, content in upgrade.added.items():
        wheel.parent.mkdir(exist_ok=True)
        wheel.write_bytes(content)
    (root / REQUIREMENTS_FILE).write_bytes(upgrade.new_text.encode("utf-8"))
    # the old wheel is deleted last: if the command is killed meanwhile, the site can still be built
    for wheel in upgrade.deleted:
        wheel.unlink()
    # letters/, which are private, came after the first sites
    ignored = (STARTER_FOLDER / "gitignore").read_text(encoding="utf-8")
    if added := complete_gitignore(root, {".gitignore": ignored}):
        print(f"added to {display_path(root / '.gitignore')}: {', '.join(added)}")
    print(describe_ignored_wheel(root), end="")
    write_schemas(root)
