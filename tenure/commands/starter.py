"""The files of a new site, which `new` and `import` write."""

import json
import re
from pathlib import Path

from tenure.commands.requirements import requirement_files

STARTER = Path(__file__).resolve().parent.parent / "starter"


def starter_files(answers: dict[str, str]) -> dict[str, str | bytes]:
    """Every file of a new site: its path and its content; `answers` has name, url, theme, and what else is known."""
    from tenure.sources.json_schema import line_for, schema_files  # noqa: PLC0415 - loaded when there is a site to write
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
    """Words as a YAML scalar: bare where nothing in them is a sign of YAML, else quoted as JSON, which YAML reads."""
    plain = re.fullmatch(r"[^\W\d_][\w .,()/+–’'@-]*", words) and words == words.strip()
    return words if plain else json.dumps(words, ensure_ascii=False)
