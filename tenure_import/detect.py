"""Which system a file or a folder belongs to."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tenure_import.bib_files import BIBTEX, CSL_JSON, is_csl_json
from tenure_import.cv import JSON_RESUME, RENDERCV
from tenure_import.engine import System
from tenure_import.html import HTML
from tenure_import.hugo import HUGO
from tenure_import.jekyll import JEKYLL
from tenure_import.quarto import QUARTO
from tenure_import.source import MAX_TEXT_SIZE

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

    if has("_quarto.yml", "_quarto.yaml") and re.search(
        r"^(?:website|book):|type:\s*(?:website|book)",
        _read_text(folder / "_quarto.yml") or _read_text(folder / "_quarto.yaml"),
        re.MULTILINE,
    ):
        return "quarto"
    if has("_config.yml", "_config.yaml", "_publications", "_talks", "_pages"):
        return "jekyll"
    config_names = (
        "hugo",
        "config",
        "config/_default/hugo",
        "config/_default/config",
        "config/_default/params",
    )
    has_config = has(
        *(f"{name}.{suffix}" for name in config_names for suffix in ("toml", "yaml", "yml", "json"))
    )
    if (has_config and has("content")) or has(
        *(f"content/{n}" for n in ("authors", "home", "publication", "publications")), "data/authors"
    ):
        return "hugo"
    files = sorted(path for path in folder.iterdir() if path.is_file())
    found = {
        path: detect_file(path)
        for path in files
        if path.suffix.casefold() in (".yaml", ".yml", ".json", ".bib")
    }
    deep = (
        {
            path: detect_file(path)
            for path in sorted(folder.glob("*/*.y*ml"))[:50] + sorted(folder.glob("*/*.json"))[:50]
        }
        if not found
        else {}
    )
    for system in ("rendercv", "json-resume"):
        if system in found.values() or system in deep.values():
            return system
    if has("index.html", "index.htm", "index.md"):
        return "html"
    kinds: Sequence[Callable[[], bool]] = (
        lambda: "bibtex" in found.values() or next(folder.rglob("*.bib"), None) is not None,
        lambda: "csl-json" in found.values(),
    )
    return next((name for name, is_kind in zip(("bibtex", "csl-json"), kinds, strict=True) if is_kind()), "")


def _read_text(path: Path) -> str:
    """The text of a small file; "" if it does not exist."""
    if not path.is_file() or path.stat().st_size > MAX_TEXT_SIZE:
        return ""
    return path.read_text("utf-8", "replace")
