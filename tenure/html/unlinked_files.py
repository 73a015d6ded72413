"""The files of content/ that no page links to: most are published, and none without a word."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import cast
from urllib.parse import unquote

from tenure.html.head import SOCIAL_CARD_FILE
from tenure.html.link_check import resolve_target
from tenure.html.urls import FinishedPage, split_url
from tenure.model.file_types import IMAGE_SUFFIXES
from tenure.problems import Problems
from tenure.publish import Artifact
from tenure.record import Record
from tenure.source_paths import PUBLISHED_HIDDEN_FOLDER

PAGE_SUFFIXES = (".html", ".htm", ".xhtml")
SERVED_SUFFIXES = frozenset(
    (
        *PAGE_SUFFIXES,
        *(".css", ".js", ".mjs", ".wasm", ".map"),
        *(".woff", ".woff2", ".ttf", ".otf", ".eot"),
        *IMAGE_SUFFIXES,
        *(".bmp", ".ico", ".tif", ".tiff"),
        ".pdf",
        *(".m4a", ".m4v", ".mov", ".mp3", ".mp4", ".ogg", ".ogv", ".opus", ".vtt", ".wav", ".webm"),
        *(".csv", ".json", ".webmanifest", ".xml", ".zip"),
    )
)
"""The endings of files that a website serves; a file with another one is more often a draft or a note."""

CREDENTIAL_FILES = frozenset({"credentials.json"})
"""Names of credentials with such an ending."""

HOST_FILES = frozenset(
    [
        *("CNAME", "_headers", "_redirects"),
        *("ads.txt", "humans.txt", "keybase.txt", "llms.txt", "robots.txt", "security.txt"),
        SOCIAL_CARD_FILE,
    ]
)
"""Files that hosts, machines and link previews read at a fixed path."""

_SEARCH_ENGINE_KEY = r"[0-9a-f]{32}\.txt"
"""The name of a key by which a search engine knows the owner of a site (indexnow.org)."""

KEY_SIZE = 4096
"""The number of first bytes in which a private key is looked for."""


class UnlinkedFile(Record):
    """A file of content/ that no page links to, and why it is not published; "" if it is."""

    artifact: Artifact
    reason: str = ""
    hint: str = "link to it from a page, or move it out of content/"


def find_linked_files(pages: Iterable[FinishedPage], candidates: Sequence[Artifact]) -> tuple[Artifact, ...]:
    """The candidates that a page links to or shows."""
    # a URL from the root, "/files/a.pdf", is the same file on each page
    urls = {("" if url[:1] == "/" else page.artifact.path, url) for page in pages for url in page.links}
    paths = {resolve_target(file, unquote(split_url(url)[0])).casefold() for file, url in urls}
    return tuple(artifact for artifact in candidates if artifact.path.casefold() in paths)


def find_unlinked_files(
    pages: Iterable[FinishedPage], files: Sequence[Artifact], style_sheet: str
) -> Iterator[UnlinkedFile]:
    """
    The files of content/ that neither a page nor the style sheet of the site names.

    Files for hosts, and files beside own HTML, which may name them, count only if they hold a private key.
    """
    linked_sources = {file.source.file for file in find_linked_files(pages, files)}
    # content/demo/index.html -> demo; beside one at the root, all files would be left out
    own_folders = {path.parent for path in map(_read_path, files) if path.suffix in PAGE_SUFFIXES}
    own_folders.discard(PurePosixPath())

    for file in files:
        path = _read_path(file)
        # Tenure itself publishes it at another path: bib/a.pdf as files/a.pdf
        is_published_elsewhere = file.source.file != f"content/{file.path}"
        is_named = file.source.file in linked_sources or PurePosixPath(file.path).name in style_sheet
        if is_published_elsewhere or is_named:
            continue

        if _holds_private_key(file):
            yield UnlinkedFile(file, "this file may hold a private key", "move it out of content/")
        elif not _is_for_host(file.path) and own_folders.isdisjoint(path.parents):
            is_served = path.suffix in SERVED_SUFFIXES and path.name not in CREDENTIAL_FILES
            yield UnlinkedFile(file, "" if is_served else "no page links to this file")


def report_unlinked_files(files: Iterable[UnlinkedFile], problems: Problems) -> None:
    """Report the files that no page links to, and whether they are published."""
    for file in files:
        place = file.artifact.source
        if file.reason:
            hint = file.hint
            if re.search(r"\.(?:ya?ml|md|bib)\.txt$", place.file):
                hint = f"rename it to {PurePosixPath(place.file).stem}"
            problems.report("unknown-file", place, f"{file.reason}, so it is not published", hint)
        else:
            message = "no page links to this file, and it is published"
            hint = "if it is private, move it out of content/"
            problems.report("unlinked-file", place, message, hint)


def _read_path(file: Artifact) -> PurePosixPath:
    """The path of a file with its letters in lower case, because "Letter.PDF" is a PDF."""
    return PurePosixPath(file.path.casefold())


def _is_for_host(path: str) -> bool:
    """Whether a host or a search engine looks for a file at its path: "CNAME", ".well-known/x"."""
    is_hidden = path.startswith(f"{PUBLISHED_HIDDEN_FOLDER}/")
    return is_hidden or path in HOST_FILES or re.fullmatch(_SEARCH_ENGINE_KEY, path) is not None


def _holds_private_key(file: Artifact) -> bool:
    """Whether a file begins with a key, as id_rsa and *.pem do: -----BEGIN PRIVATE KEY-----."""
    try:
        with open(cast("Path", file.body), "rb") as stream:
            return b"PRIVATE KEY" in stream.read(KEY_SIZE)
    except OSError:
        # tenure.publish reports the unreadable file
        return False
