"""The files of a new site, written by `new` and `import`."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from tenure.cli.invocation import DOCUMENTATION_PLACE, find_documentation, format_command
from tenure.cli.requirements import create_requirement_files
from tenure.cli.targets import display_path

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
"""The files that are the same in every site, by their path in the site; README.md gets the name of the owner."""


def create_starter_files(name: str) -> dict[str, str | bytes]:
    """Every file of a new site, by path; `name` is the owner's."""
    from tenure.sources.json_schema import build_schema_files, schema_modeline

    copied_files = {
        path: (STARTER_FOLDER / source).read_text(encoding="utf-8") for path, source in STARTER_FILES.items()
    }
    readme = copied_files["README.md"].replace("{name}", name)
    # README.md is published; it must not contain a path of this machine.
    documentation = find_documentation()
    if "://" not in documentation:  # a path of this computer means nothing to others
        documentation = f"{DOCUMENTATION_PLACE}/about.md in the repository of Tenure"
    return {
        "site.yaml": f"{schema_modeline('site.yaml')}schema: 1\n",
        "content/profile.yaml": schema_modeline("content/profile.yaml") + format_yaml_line("name", name),
        "bib/papers.bib": "",
        **create_requirement_files(),
        **build_schema_files(STARTER_FOLDER),
        **copied_files,
        "README.md": readme.replace("{documentation}", documentation),
    }


def print_next_steps(folder: Path) -> None:
    """Print what to type next; the running Tenure serves the new site, so that no second .venv is needed."""
    print("To see the site, and every edit as you save it:")
    print(f"  {format_command('serve', '--site', display_path(folder), '--open')}")
    print(f"To publish it: README.md in {display_path(folder)}. The documentation: {find_documentation()}")


def format_yaml_line(key: str, text: str) -> str:
    """A key with a text in YAML: plain if it has no special characters, else a JSON string, which is valid YAML."""
    is_plain = re.fullmatch(r"(?!\s)[^\W\d_][\w .,()/+–’'@-]*(?<!\s)|https?://[\w./~-]+", text)
    return f"{key}: {text if is_plain else json.dumps(text, ensure_ascii=False)}\n"
