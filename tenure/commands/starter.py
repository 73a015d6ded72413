"""The files of a new site, written by `new` and `import`."""

import json
import re
from pathlib import Path

from tenure.commands.requirements import requirement_files

STARTER = Path(__file__).resolve().parent.parent / "starter"


def starter_files(answers: dict[str, str]) -> dict[str, str | bytes]:
    """Every file of a new site, by path; `answers` has name, url and theme, and optionally other keys of the profile."""
    from tenure.sources.json_schema import line_for, schema_files  # noqa: PLC0415 - loaded only if a site is written
    from tenure.sources.pages_cms import pages_cms_file  # noqa: PLC0415 - as above

    site = (
        line_for("site.yaml")
        + "schema: 1\n"
        + (f"url: {answers['url']}\n" if answers["url"] else "")
        + f"theme: {answers['theme']}\n"
    )
    profile = line_for("content/profile.yaml")
    for key in ("name", "role", "affiliation", "email", "photo"):
        if answers.get(key):
            profile += f"{key}: {_yaml(answers[key])}\n"
    starter = {
        "build.py": "build.txt",
        ".gitignore": "gitignore",
        ".github/workflows/check.yml": "workflows/check.yml",
        ".github/workflows/pages.yml": "workflows/pages.yml",
        "AGENTS.md": "AGENTS.md",
        "README.md": "README.md",
    }
    written = {name: (STARTER / source).read_text(encoding="utf-8") for name, source in starter.items()}
    return {
        "site.yaml": site,
        "content/profile.yaml": profile,
        "bib/papers.bib": "",
        **requirement_files(),
        **schema_files(STARTER),
        **pages_cms_file(),
        **written,
        "README.md": written["README.md"].replace("{name}", answers["name"]),
    }


def _yaml(words: str) -> str:
    """A text as YAML scalar: plain if it has no special characters, else a JSON string, which is valid YAML."""
    plain = re.fullmatch(r"[^\W\d_][\w .,()/+–’'@-]*", words) and words == words.strip()
    return words if plain else json.dumps(words, ensure_ascii=False)
