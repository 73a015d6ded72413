"""Which system a file or a folder belongs to."""

import re
from collections.abc import Mapping
from pathlib import Path

from tenure_import.bib_files import BIBTEX, CSL_JSON, is_csl_json
from tenure_import.cv import JSON_RESUME, RENDERCV
from tenure_import.html_pages import HTML
from tenure_import.hugo import HUGO
from tenure_import.importer import System
from tenure_import.jekyll import JEKYLL
from tenure_import.quarto import QUARTO
from tenure_import.source import MAX_TEXT_SIZE

DATA_SUFFIXES = frozenset({".yaml", ".yml", ".json", ".bib"})

SYSTEMS: Mapping[str, System] = {
    "bibtex": BIBTEX,
    "csl-json": CSL_JSON,
    "json-resume": JSON_RESUME,
    "rendercv": RENDERCV,
    "jekyll": JEKYLL,
    "hugo": HUGO,
    "quarto": QUARTO,
    "html": HTML,
}
"""The systems by their names at the command line."""


def detect_system(path: Path) -> str:
    """The name of the system of a file or a folder, "" if it is unknown."""
    return detect_file(path) if path.is_file() else detect_folder(path)


def detect_file(path: Path) -> str:
    """The name of the system of a file, by its suffix and its text."""
    suffix = path.suffix.casefold()
    if suffix in (".bib", ".bibtex"):
        return "bibtex"
    text = _read_text(path)
    if suffix in (".yaml", ".yml", ".json"):
        if suffix != ".json" and re.search(r"^cv:", text, re.MULTILINE):
            return "rendercv"
        if re.search(
            r'"(?:basics|info)"\s*:\s*\{' if suffix == ".json" else r"^(?:  )?basics:", text, re.MULTILINE
        ):
            return "json-resume"
        return "csl-json" if is_csl_json(text, suffix) else ""
    return "html" if suffix in (".html", ".htm") else ""


def detect_folder(folder: Path) -> str:
    """The name of the system of a folder, by its configuration, its folders and its files."""

    def has(*names: str) -> bool:
        return any((folder / name).exists() for name in names)

    quarto = _read_text(folder / "_quarto.yml") or _read_text(folder / "_quarto.yaml")
    if re.search(r"^(?:website|book):|type:\s*(?:website|book)", quarto, re.MULTILINE):
        return "quarto"
    if has("_config.yml", "_config.yaml", "_publications", "_talks", "_pages"):
        return "jekyll"
    stems = ("hugo", "config", *(f"config/_default/{stem}" for stem in ("hugo", "config", "params")))
    has_config = has(*(f"{stem}.{suffix}" for stem in stems for suffix in ("toml", "yaml", "yml", "json")))
    folders = (f"content/{name}" for name in ("authors", "home", "publication", "publications"))
    if (has_config and has("content")) or has(*folders, "data/authors"):
        return "hugo"
    files = [path for path in sorted(folder.iterdir()) if path.suffix.casefold() in DATA_SUFFIXES]
    files = files or [*sorted(folder.glob("*/*.y*ml"))[:50], *sorted(folder.glob("*/*.json"))[:50]]
    found = {detect_file(path) for path in files if path.is_file()}
    found |= {"html"} if has("index.html", "index.htm", "index.md") else set()
    found |= {"bibtex"} if next(folder.rglob("*.bib"), None) else set()
    order = ("rendercv", "json-resume", "html", "bibtex", "csl-json")
    return next((system for system in order if system in found), "")


def _read_text(path: Path) -> str:
    """The text of a small file; "" if it does not exist."""
    if not path.is_file() or path.stat().st_size > MAX_TEXT_SIZE:
        return ""
    return path.read_text("utf-8", "replace")
