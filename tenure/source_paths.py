"""
Which files and folders of a site are sources, and where symbolic links lead.

is_ignored_name("paper.aux") and is_unread_folder("docs/node_modules") -> True. The check whether a build is
up to date asks this, so this module imports only what the interpreter has already loaded.
"""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

SOURCE_NAMES = ("site.yaml", "content", "bib", "themes")
"""The files and folders of a site that a build reads."""

PUBLISHED_HIDDEN_FOLDER = ".well-known"
"""The only hidden folder that is published (RFC 8615)."""

MADE_FOLDERS = frozenset({"output", "vendor"})
"""Folders at the top of a site that are made again."""

FOREIGN_FOLDERS = frozenset({"__macosx", "__pycache__", "node_modules", "venv"})
"""Folders of programs and systems, which are no sources anywhere."""

IGNORED_PREFIXES = (".", "#", "~$")

_SUFFIXES_OF_COPIES = ("~", ".swp", ".swo", ".tmp", ".bak", ".old", ".orig", ".rej", ".save")
_SUFFIXES_OF_DOWNLOADS = (".part", ".crdownload", ":zone.identifier")
_SUFFIXES_OF_SECRETS = (".env", ".pem", ".ppk", ".p12", ".pfx")
_SUFFIXES_OF_LATEX = (
    *(".aux", ".bbl", ".bcf", ".blg", ".fdb_latexmk", ".fls", ".log"),
    *(".nav", ".out", ".snm", ".synctex", ".synctex.gz", ".toc", ".vrb"),
)
IGNORED_SUFFIXES = (
    *_SUFFIXES_OF_COPIES,
    *_SUFFIXES_OF_DOWNLOADS,
    *_SUFFIXES_OF_SECRETS,
    *_SUFFIXES_OF_LATEX,
)
IGNORED_PARTS = ("conflicted copy", ".sync-conflict-", ".goutputstream-")

_PRIVATE_KEYS = ("id_rsa", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk")
# Vim tests with a file 4913 whether it can write a folder.
_FILES_OF_SYSTEMS = ("thumbs.db", "ehthumbs.db", "desktop.ini", "4913", "icon\r")
IGNORED_NAMES = FOREIGN_FOLDERS.union(_PRIVATE_KEYS, _FILES_OF_SYSTEMS)


def list_source_paths(root: "str | os.PathLike[str]") -> list[str]:
    """The files and folders of a site that a build reads."""
    return [os.path.join(root, name) for name in SOURCE_NAMES]


def is_ignored_name(name: str) -> bool:
    """
    Whether a file or folder is never a source: .git, paper.aux, id_rsa, ~$cv.docx, thumbs.db

    It is hidden, a private key, or left by an editor, LaTeX, an office program, a browser or a system.
    """
    if name == PUBLISHED_HIDDEN_FOLDER:
        return False
    folded_name = name.casefold()
    return (
        folded_name.startswith(IGNORED_PREFIXES)
        or folded_name.endswith(IGNORED_SUFFIXES)
        or folded_name in IGNORED_NAMES
        or any(part in folded_name for part in IGNORED_PARTS)
    )


def is_unread_folder(path: str) -> bool:
    """
    Whether a folder of a site is no source: output, docs/node_modules, .git

    Of the hidden ones only `.github` is a source, with the workflows, and `.well-known`.
    """
    names = path.casefold().split("/")
    is_hidden = any(
        name.startswith(".") and name not in (".github", PUBLISHED_HIDDEN_FOLDER) for name in names
    )
    return is_hidden or names[0] in MADE_FOLDERS or not FOREIGN_FOLDERS.isdisjoint(names)


def list_used_files(folder: "Path", pattern: str) -> "list[Path]":
    """The files in a folder that match a glob pattern, sorted, without pipes and what is never a source."""
    depth = len(folder.parts)
    return sorted(
        path
        for path in folder.glob(pattern)
        if not any(map(is_ignored_name, path.parts[depth:])) and path.is_file()
    )


def resolve_path(path: "Path") -> "Path":
    """The absolute path without symbolic links; a link to itself stays."""
    # Path.resolve() raises RuntimeError for a link to itself before Python 3.13
    return type(path)(os.path.realpath(path))


def is_symlink_loop(path: str) -> bool:
    """
    Whether a symbolic link leads to a folder by which it is reached, or to one that contains such a folder.

    content/a/here -> content: its files are also content/a/here/a/here/…
    """
    if not os.path.islink(path):
        return False
    target = os.path.join(os.path.realpath(path), "")
    parent = os.path.dirname(os.path.abspath(path))
    while not f"{os.path.realpath(parent)}{os.sep}".startswith(target):
        if parent == os.path.dirname(parent):
            return False
        parent = os.path.dirname(parent)
    return True


def is_followed_link(path: str, top: str) -> bool:
    """
    Whether a symbolic link below the folder `top` of a site is followed, such as content/photos -> photos.

    Not if it leads in a circle, to nothing, or to a folder outside of the site. A theme may be anywhere, as
    it is not published.
    """
    target = os.path.realpath(path)
    if not os.path.exists(target) or is_symlink_loop(path):
        return False
    if os.path.isfile(target) or os.path.basename(top) == "themes":
        return True
    site_folders = (os.path.realpath(top), os.path.realpath(os.path.dirname(top)))
    return any(target == folder or target.startswith(os.path.join(folder, "")) for folder in site_folders)
