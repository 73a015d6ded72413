"""The files of a new site, written by `new` and `import`."""

import json
import re
from pathlib import Path

from tenure.cli.requirements import create_requirement_files

STARTER_FOLDER = Path(__file__).resolve().parent.parent / "starter"


def create_starter_files(answers: dict[str, str]) -> dict[str, str | bytes]:
    """Every file of a new site, by path; `answers` has name, url and theme, and optionally other keys of the profile."""
    from tenure.sources.json_schema import build_schema_files, schema_modeline  # noqa: PLC0415 - loaded only if a site is written

    site = (
        schema_modeline("site.yaml")
        + "schema: 1\n"
        + (f"url: {answers['url']}\n" if answers["url"] else "")
        + f"theme: {answers['theme']}\n"
    )
    profile = schema_modeline("content/profile.yaml")
    for key in ("name", "role", "affiliation", "email", "photo"):
        if answers.get(key):
            profile += f"{key}: {_format_yaml_scalar(answers[key])}\n"
    template_paths = {
        "build.py": "build.txt",
        ".gitignore": "gitignore",
        ".github/workflows/check.yml": "workflows/check.yml",
        ".github/workflows/pages.yml": "workflows/pages.yml",
        ".github/workflows/update.yml": "workflows/update.yml",
        "AGENTS.md": "AGENTS.md",
        "README.md": "README.md",
    }
    copied_files = {
        name: (STARTER_FOLDER / source).read_text(encoding="utf-8") for name, source in template_paths.items()
    }
    return {
        "site.yaml": site,
        "content/profile.yaml": profile,
        "bib/papers.bib": "",
        **create_requirement_files(),
        **build_schema_files(STARTER_FOLDER),
        **copied_files,
        "README.md": copied_files["README.md"].replace("{name}", answers["name"]),
    }


def _format_yaml_scalar(text: str) -> str:
    """A text as YAML scalar: plain if it has no special characters, else a JSON string, which is valid YAML."""
    is_plain = re.fullmatch(r"[^\W\d_][\w .,()/+–’'@-]*", text) and text == text.strip()
    return text if is_plain else json.dumps(text, ensure_ascii=False)
