"""Finds the folders of the collections that the owner of a Jekyll site has added."""

import re

from tenure.importers.liquid_blocks import collection_for_name
from tenure.importers.session import ImportSession

DOCUMENT_SUFFIXES = (".md", ".markdown", ".html")
_KNOWN_FOLDERS = re.compile(
    r"_(?:pages|tabs|posts|drafts|publications|talks|presentations|teachings?|portfolio|projects|news|members|alumni|people|team"
    r"|data|includes|layouts|sass|plugins|site|bibliography|cite|scripts|books|ext|assets|config)"
)


def list_own_folders(session: ImportSession) -> dict[str, str]:
    """The folders of other collections with the list of Tenure that each one is by its name; "" for a list of its own."""
    names = (
        session.relative_path(path).partition("/") for path in session.find_files("", *DOCUMENT_SUFFIXES)
    )
    folders = {folder for folder, slash, _ in names if slash and folder.startswith("_")}
    return {
        folder: collection_for_name(folder)
        for folder in sorted(folders)
        if not _KNOWN_FOLDERS.fullmatch(folder)
    }
