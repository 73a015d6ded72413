"""The importer of each system, and the detection of the system of a source."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from tenure.importers.academicpages import academicpages
from tenure.importers.al_folio import al_folio
from tenure.importers.bibliographies import SUFFIXES, bib_files, bibliographies
from tenure.importers.csl_json import csl_json, is_csl, items_in
from tenure.importers.gathering import Imported
from tenure.importers.hugo import hugo
from tenure.importers.json_resume import json_resume, resume_in
from tenure.importers.rendercv import cvs_in, rendercv

Importer = Callable[[Path], Imported]
"""An importer takes a folder or a file; it writes nothing."""

SYSTEMS: Mapping[str, Importer] = {
    "bibtex": bibliographies,
    "csl-json": csl_json,
    "json-resume": json_resume,
    "rendercv": rendercv,
    "al-folio": al_folio,
    "academicpages": academicpages,
    "hugo": hugo,
}
"""The importers by the name of the system."""


def system_of(source: Path) -> str:
    """The name of the system of a file or a folder, "" if it is unknown."""
    if source.is_file():
        return _of_file(source)
    settings = source / "_config.yml"
    told = settings.read_text("utf-8", "replace") if settings.is_file() else ""
    if re.search(r"^scholar:|al[-_]folio", told, re.MULTILINE) or (
        told and (source / "_bibliography").is_dir()
    ):
        return "al-folio"
    if told or any((source / name).is_dir() for name in ("_publications", "_talks", "_pages")):
        return "academicpages"
    if is_hugo(source):
        return "hugo"
    if cvs_in(source):
        return "rendercv"
    if resume_in(source) is not None:
        return "json-resume"
    if bib_files(source):
        return "bibtex"
    return "csl-json" if items_in(source) else ""


def _of_file(path: Path) -> str:
    if path.suffix.casefold() in SUFFIXES:
        return "bibtex"
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix.casefold() == ".json":
        return "json-resume" if '"basics"' in text else "csl-json" if is_csl(path) else ""
    return "rendercv" if re.search(r"^cv:", text, re.MULTILINE) else ""


def is_hugo(folder: Path) -> bool:
    """Whether a folder has a Hugo configuration and content, or the folders of Hugo Blox."""
    configs = ("hugo", "config", "config/_default/hugo", "config/_default/config", "config/_default/params")
    settings = any(
        (folder / f"{name}.{end}").is_file() for name in configs for end in ("toml", "yaml", "yml", "json")
    )
    texts = any(
        (folder / "content" / name).is_dir() for name in ("authors", "home", "publication", "publications")
    )
    return (settings and (folder / "content").is_dir()) or texts or (folder / "data/authors").is_dir()
