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
from tenure_import.word_cv import WORD, WORD_FILE

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
    "word": WORD,
}
"""The systems by their names at the command line."""


def detect_system(path: Path) -> str:
    """The name of the system of a file or a folder, "" if it is unknown."""
    return detect_file(path) if path.is_file() else detect_folder(path)


def detect_file(path: Path) -> str:
    """The name of the system of a file, by its suffix and its text; "" if none of them fits."""
    suffix = path.suffix.casefold()
    if suffix in (".bib", ".bibtex"):
        return "bibtex"
    if suffix in (".html", ".htm"):
        return "html"
    if WORD_FILE.fullmatch(path.name):
        return "word"
    if suffix not in (".yaml", ".yml", ".json"):
        return ""

    text = read_small_text(path)
    is_json = suffix == ".json"
    if not is_json and re.search(r"^cv:", text, re.MULTILINE):
        return "rendercv"
    # in YAML at the start, or below `content:`
    person = r'"(?:basics|info)"\s*:\s*\{' if is_json else r"^(?:  )?basics:"
    if re.search(person, text, re.MULTILINE):
        return "json-resume"
    return "csl-json" if is_csl_json(text, suffix) else ""


def detect_folder(folder: Path) -> str:
    """
    The name of the system of a folder, by its configuration, its folders and its files; "" if it is unknown.

    _quarto.yml with `website:` -> "quarto"; a folder with a CV and .bib files is read as the CV.
    """
    quarto = read_small_text(folder / "_quarto.yml") or read_small_text(folder / "_quarto.yaml")
    if re.search(r"^(?:website|book):|type:\s*(?:website|book)", quarto, re.MULTILINE):
        return "quarto"
    if _has_any(folder, "_config.yml", "_config.yaml", "_publications", "_talks", "_pages"):
        return "jekyll"
    if _is_hugo(folder):
        return "hugo"

    # data files in the folder, or else in the folders of it; what they have is ranked at the end
    files = [path for path in sorted(folder.iterdir()) if path.suffix.casefold() in DATA_SUFFIXES]
    files = files or [*sorted(folder.glob("*/*.y*ml"))[:50], *sorted(folder.glob("*/*.json"))[:50]]
    found = {detect_file(path) for path in files if path.is_file()}
    if _has_any(folder, "index.html", "index.htm", "index.md"):
        found.add("html")
    if next(folder.rglob("*.bib"), None):
        found.add("bibtex")
    if any(WORD_FILE.fullmatch(path.name) for path in folder.iterdir()):
        found.add("word")
    order = ("rendercv", "json-resume", "html", "bibtex", "csl-json", "word")
    return next((system for system in order if system in found), "")


def _is_hugo(folder: Path) -> bool:
    """Whether a folder has a configuration of Hugo and content, or a folder that only its themes have."""
    stems = ("hugo", "config", *(f"config/_default/{stem}" for stem in ("hugo", "config", "params")))
    names = (f"{stem}.{suffix}" for stem in stems for suffix in ("toml", "yaml", "yml", "json"))
    if _has_any(folder, "content") and _has_any(folder, *names):
        return True
    folders = (f"content/{name}" for name in ("authors", "home", "publication", "publications"))
    return _has_any(folder, *folders, "data/authors")


def _has_any(folder: Path, *names: str) -> bool:
    return any((folder / name).exists() for name in names)


def read_small_text(path: Path) -> str:
    """The text of a small file; "" if it does not exist."""
    if not path.is_file() or path.stat().st_size > MAX_TEXT_SIZE:
        return ""
    return path.read_text("utf-8", "replace")
