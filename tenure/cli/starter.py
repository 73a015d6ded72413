"""The files of a new site, and their writing: for `new` and `import`."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from tenure.atomic import write_file
from tenure.cli.arguments import UsageError, format_command
from tenure.cli.requirements import create_requirement_files
from tenure.cli.targets import display_path
from tenure.record import Record

STARTER_FOLDER = Path(__file__).resolve().parent.parent / "starter"
STARTER_FILES: Mapping[str, str] = {
    "build.py": "build.txt",
    ".gitignore": "gitignore",
    ".github/workflows/check.yml": "workflows/check.yml",
    ".github/workflows/pages.yml": "workflows/pages.yml",
    ".github/workflows/update.yml": "workflows/update.yml",
    "AGENTS.md": "AGENTS.md",
    "README.md": "README.md",
}
"""The files that are the same in every site, by their path there; README.md gets the name of the owner."""


_INNER_PATH = re.compile(
    r"""
    (?!\.\.?(?:/|$)) [^/\\:\0]+             # bib, not ..
    (?: / (?!\.\.?(?:/|$)) [^/\\:\0]+ )*    # /papers.bib
    """,
    re.VERBOSE,
)
"""A path that stays in its folder, on Windows too: bib/papers.bib"""


class WriteResult(Record):
    """The names of files: created, already present with the same bytes, already present with other bytes."""

    created: tuple[str, ...]
    identical: tuple[str, ...]
    different: tuple[str, ...]


def create_starter_files(name: str) -> dict[str, str | bytes]:
    """Every file of a new site, by path; `name` is the owner's."""
    from tenure.sources.editing.json_schema import build_schema_files, schema_modeline
    from tenure.sources.editing.yaml_writer import format_yaml

    copied_files = {
        path: (STARTER_FOLDER / source).read_text(encoding="utf-8") for path, source in STARTER_FILES.items()
    }
    readme = copied_files["README.md"].replace("{name}", name)
    return {
        "site.yaml": f"{schema_modeline('site.yaml')}schema: 1\n",
        "content/profile.yaml": schema_modeline("content/profile.yaml") + format_yaml({"name": name}),
        "bib/papers.bib": "",
        **create_requirement_files(),
        **build_schema_files(STARTER_FOLDER),
        **copied_files,
        "README.md": readme,
    }


def complete_gitignore(folder: Path, files: dict[str, str | bytes]) -> Sequence[str]:
    """
    Add the lines of a new site that another .gitignore of a folder lacks, and return them.

    Such a file is kept, so that it is no more among the new `files`.
    """
    path = folder / ".gitignore"
    own = path.read_bytes() if path.is_file() else b""
    own_lines = {line.strip(" /") for line in own.decode("utf-8", "replace").splitlines()}
    missing = [line for line in str(files[path.name]).splitlines() if line.strip("/") not in own_lines]
    if not own or own == str(files[path.name]).encode():
        return ()

    del files[path.name]
    if missing:
        path.write_bytes(b"\n".join([own.rstrip(), *map(str.encode, missing), b""]))
    return missing


def write_missing_files(folder: Path, files: Mapping[str, str | bytes]) -> WriteResult:
    """
    Write the files that do not exist yet; existing files are not changed.

    Raises UsageError if a name leads out of the folder; then nothing is written.
    """
    for name in files:
        if not _INNER_PATH.fullmatch(name):
            raise UsageError(f"{name} is not a file of a site, and nothing was written")

    created: list[str] = []
    identical: list[str] = []
    different: list[str] = []
    for name, content in files.items():
        path = folder / name
        data = content if isinstance(content, bytes) else content.encode("utf-8")
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, data)
            created.append(name)
        elif path.is_file() and path.read_bytes() == data:
            identical.append(name)
        else:
            different.append(name)
    return WriteResult(tuple(created), tuple(identical), tuple(different))


def print_next_steps(folder: Path) -> None:
    """Say where the site is, and what to type next; the running Tenure serves it, without a second .venv."""
    shown = display_path(folder)
    print("The site is in this folder." if shown == "." else f"The site is in {shown}/.")
    print_later_steps("--site", shown)


def print_later_steps(*site_option: str | Path) -> None:
    """How to see the site of these options and how to publish it."""
    print(f"To see it, and every edit as you save it: {format_command('serve', *site_option, '--open')}")
    print(f"To publish it: {format_command('explain', 'going-live')}")
