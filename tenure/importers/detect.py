"""The importer of each system, and the detection of the system of a source."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from tenure.importers.bibliography.bib_files import BIB_SUFFIXES, find_bib_files, import_bib_files
from tenure.importers.bibliography.csl_json import find_item_files, import_csl_json, is_csl_json
from tenure.importers.hugo.site import import_hugo
from tenure.importers.jekyll.academicpages import import_academicpages
from tenure.importers.jekyll.al_folio import import_al_folio
from tenure.importers.quarto.site import import_quarto, is_quarto_site
from tenure.importers.resume.json_resume import find_resume, has_basics, import_json_resume
from tenure.importers.resume.rendercv import find_cv_files, import_rendercv
from tenure.importers.session import ImportResult

Importer = Callable[[Path], ImportResult]
"""An importer takes a folder or a file; it writes nothing."""

IMPORTERS: Mapping[str, Importer] = {
    "bibtex": import_bib_files,
    "csl-json": import_csl_json,
    "json-resume": import_json_resume,
    "rendercv": import_rendercv,
    "al-folio": import_al_folio,
    "academicpages": import_academicpages,
    "hugo": import_hugo,
    "quarto": import_quarto,
    "html": partial(import_academicpages, system="html"),
}
"""The importers by the name of the system."""


def detect_system(source: Path) -> str:
    """The name of the system of a file or a folder, "" if it is unknown."""
    if source.is_file():
        return _detect_system_of_file(source)
    config_paths = (source / name for name in ("_config.yml", "_config.yaml"))
    config_text = next((path.read_text("utf-8", "replace") for path in config_paths if path.is_file()), "")
    has_scholar = re.search(r"^scholar:", config_text, re.MULTILINE) or (source / "_bibliography").is_dir()
    names_al_folio = re.search(r"al[-_]folio|^(?:first|last)_name:", config_text, re.MULTILINE)
    if names_al_folio or (config_text and has_scholar and (source / "_pages").is_dir()):
        return "al-folio"
    if config_text or any((source / name).is_dir() for name in ("_publications", "_talks", "_pages")):
        return "academicpages"
    if is_quarto_site(source):
        return "quarto"
    if is_hugo_site(source):
        return "hugo"
    if find_cv_files(source):
        return "rendercv"
    if find_resume(source) is not None:
        return "json-resume"
    if any((source / name).is_file() for name in ("index.html", "index.htm", "index.md")):
        return "html"
    if find_bib_files(source):
        return "bibtex"
    return "csl-json" if find_item_files(source) else ""


def _detect_system_of_file(path: Path) -> str:
    suffix = path.suffix.casefold()
    if suffix in BIB_SUFFIXES:
        return "bibtex"
    text = path.read_text(encoding="utf-8", errors="replace")
    if suffix != ".json" and re.search(r"^cv:", text, re.MULTILINE):
        return "rendercv"
    is_resume = '"basics"' in text if suffix == ".json" else suffix in (".yaml", ".yml") and has_basics(path)
    return "json-resume" if is_resume else "csl-json" if is_csl_json(path) else ""


def is_hugo_site(folder: Path) -> bool:
    """Whether a folder has a Hugo configuration and content, or the folders of Hugo Blox."""
    config_names = ("hugo", "config", *(f"config/_default/{name}" for name in ("hugo", "config", "params")))
    has_config = any(
        (folder / f"{name}.{suffix}").is_file()
        for name in config_names
        for suffix in ("toml", "yaml", "yml", "json")
    )
    has_content_folders = any(
        (folder / "content" / name).is_dir() for name in ("authors", "home", "publication", "publications")
    )
    has_content = has_config and (folder / "content").is_dir()
    return has_content or has_content_folders or (folder / "data/authors").is_dir()
