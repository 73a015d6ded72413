"""`fetch`: show what other services know about the publications of a site, and write it with --write."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.atomic import write_file
from tenure.cli.arguments import (
    EXIT_ERRORS,
    EXIT_OK,
    Call,
    UsageError,
    add_site_option,
    find_site,
    format_write_command,
)
from tenure.cli.source_changes import show_changes, write_changes
from tenure.cli.targets import display_path, load_valid_site
from tenure.model.links import email_url

if TYPE_CHECKING:
    from tenure.model.site import Site
    from tenure.sources.editing.edits import FileChange


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `fetch`."""
    add_site_option(parser)
    parser.add_argument("--write", action="store_true", help="write what is shown")


def run_command(call: Call) -> int:
    """Show the changes and the findings, and write them with --write; returns the exit status."""
    from tenure.fetch.client import Client
    from tenure.fetch.plan import format_report, plan_fetch, summarize_plan
    from tenure.progress import ProgressLine

    root = find_site(call)
    valid_site = load_valid_site(root)
    if valid_site is None:
        return EXIT_ERRORS
    site = valid_site.site
    config = site.settings.fetch
    if not (config.orcid or config.dois or config.members.urls or config.counts):
        raise UsageError("site.yaml names no source. Write for example: fetch: {orcid: 0000-0002-1825-0097}")

    progress_line = ProgressLine(sys.stderr)
    with Client(root / ".cache", _choose_contact(site)) as client:
        plan = plan_fetch(root, site, client, progress_line)
    progress_line.clear()

    changes = [_build_change(root, file, body) for file, body in plan.contents.items()]
    show_changes(root, changes)
    report = format_report(plan)
    if report:
        print(f"{report}\n{summarize_plan(plan)}.")
    else:
        print("The services know nothing new.")
    if call.options.write:
        # first the report: if the command is killed meanwhile, it has the findings
        _write_report(root, report)
        write_changes(root, changes)
    elif changes:
        write_command = format_write_command(call.options.site, "fetch")
        print(f"Nothing was written. To write the changes: {write_command}")
    return EXIT_ERRORS if plan.failures else EXIT_OK


def _choose_contact(site: "Site") -> str:
    """The contact in the requests: the public e-mail address of the owner, or the ORCID iD."""
    url = next(filter(None, map(email_url, site.profile.email)), "")
    if url:
        return url
    orcids = site.settings.fetch.orcid
    return f"https://orcid.org/{orcids[0]}" if orcids else site.profile.name


def _build_change(root: Path, file: str, body: bytes) -> "FileChange":
    """The change of a file; raises UsageError if the file is not a source of the site."""
    from tenure.sources.editing.edits import (
        FileChange,
        UneditableError,
        read_writable_file,
        resolve_source_path,
    )

    try:
        path = resolve_source_path(root, file)
        old_bytes = read_writable_file(path)
    except UneditableError as error:
        raise UsageError(f"{display_path(root / file)} is left as it is: {error}") from error
    old_text, new_text = (data.decode("utf-8", "replace") for data in (old_bytes, body))
    return FileChange(file, path, old_bytes, body, old_text, new_text)


def _write_report(root: Path, report: str) -> None:
    """Write the report; delete that of an earlier call if there is nothing to report."""
    from tenure.fetch.plan import REPORT_FILE

    path = root / REPORT_FILE
    if report:
        write_file(path, f"{report.rstrip()}\n".encode())
        print(f"wrote {display_path(path)}")
    else:
        path.unlink(missing_ok=True)
