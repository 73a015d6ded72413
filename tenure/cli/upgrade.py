"""`upgrade`: move a site to the running version of Tenure; shows the changes, and writes them with --write."""

import argparse
from pathlib import Path

from tenure.cli import check
from tenure.cli.app import create_parser
from tenure.cli.arguments import Call, UsageError, add_site_option, find_site
from tenure.cli.invocation import PROGRAM_FOLDER, command_prefix, format_write_command, is_checkout
from tenure.cli.requirements import (
    REQUIREMENTS_FILE,
    VENDOR_FOLDER,
    create_requirement_files,
    describe_ignored_wheel,
    merge_requirements,
)
from tenure.cli.schema import write_schemas
from tenure.cli.source_changes import format_diff
from tenure.cli.targets import display_path


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `upgrade`."""
    add_site_option(parser)
    parser.add_argument("--write", action="store_true", help="write what is shown")


def run_command(call: Call) -> int:
    """
    Show the new requirements and the report of `check`; write the requirements with `--write`.

    The default site is in the current folder, never in the folder of the running Tenure. Returns the exit status of `check`.
    """
    root = find_site(Call(call.options, Path.cwd()))
    if is_checkout() and root.resolve() == PROGRAM_FOLDER:
        reason = f"{display_path(root)} is a clone of Tenure, not a site"
        raise UsageError(f"{reason}; name your site: {command_prefix()} upgrade --site DIR")
    path, vendor = root / REQUIREMENTS_FILE, root / VENDOR_FOLDER
    files = create_requirement_files()
    old_text = path.read_text(encoding="utf-8") if path.exists() else ""
    new_text = merge_requirements(old_text, str(files.pop(REQUIREMENTS_FILE)))
    wheels = {root / name: content for name, content in files.items() if isinstance(content, bytes)}
    old_wheels = sorted(vendor.glob("tenure-*.whl"))
    added = {wheel: content for wheel, content in wheels.items() if wheel not in old_wheels}
    deleted = [wheel for wheel in old_wheels if wheel not in wheels]
    is_changed = old_text != new_text or bool(added or deleted)
    print(format_diff(display_path(path), old_text, new_text), end="")
    for verb, names in (("add", [*added]), ("delete", deleted)):
        for name in names:
            print(f"{verb} {display_path(name)}")
    if not is_changed:
        print(
            f"{display_path(root)} uses this Tenure already. To move it to a newer one, run upgrade from the newer one."
        )
    if call.options.write:
        for wheel, content in added.items():
            wheel.parent.mkdir(exist_ok=True)
            wheel.write_bytes(content)
        path.write_bytes(new_text.encode("utf-8"))
        for wheel in deleted:
            wheel.unlink()
        print(describe_ignored_wheel(root), end="")
        write_schemas(root)
    status = check.run_command(Call(create_parser("check").parse_args([]), root, call.exporters))
    if is_changed and not call.options.write:
        print(f"Nothing was written. To upgrade: {format_write_command(call.options.site, 'upgrade')}")
    return status
