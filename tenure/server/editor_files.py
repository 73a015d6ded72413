"""The files of the editor, as a browser gets them, and their policy."""

from collections.abc import Mapping
from pathlib import Path

from tenure.record import Record

PICTURE_PATH = "/picture"
"""The path of the pictures of the site, for their fields."""

_CLIENT_FOLDER = Path(__file__).resolve().parent / "client"


class EditorFile(Record):
    """A file of the editor: its media type and its text."""

    media_type: str
    text: str


def _read_file(name: str) -> EditorFile:
    media_type = {"html": "text/html", "css": "text/css"}.get(name.rpartition(".")[2], "text/javascript")
    return EditorFile(media_type, (_CLIENT_FOLDER / name).read_text(encoding="utf-8"))


_NAMES = (
    "click.js",
    "edit.css",
    "edit.js",
    "elements.js",
    "fields.js",
    "forms.css",
    "forms.js",
    "links.js",
    "lists.js",
    "panels.js",
    "papers.js",
    "pictures.js",
    "preview.css",
    "sources.js",
    "texts.js",
)
EDITOR_FILES: Mapping[str, EditorFile] = {
    "/": _read_file("edit.html"),
    **{f"/{name}": _read_file(name) for name in _NAMES},
}
"""The files by their paths."""

DOI_HOSTS = (
    "https://doi.org",
    "https://api.crossref.org",
    "https://api.datacite.org",
    "https://data.crosscite.org",
    "https://data.crossref.org",
)
"""doi.org answers with an address of a registry, which answers with the BibTeX."""

EDITOR_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        f"connect-src 'self' {' '.join(DOI_HOSTS)}",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
    )
)
"""
The Content-Security-Policy without the frame of the site: nothing from elsewhere, and no page has the editor
in a frame.
"""
