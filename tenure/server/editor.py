"""
The editor of `serve`: forms that change the sources on disk, one value at a time.

A browser reads a source with its version, the digest of its bytes, and sends this version with each edit. A
file that has changed since is changed all the same if the edited entry is still the same there
(`sources/editing/rebase.py`); else the edit is refused, and nothing is lost. Each step can be taken back
until the server ends.

    read readForm content/talks.yaml          -> {"version": "3f…", "result": {"entries": […]}}
    edit setValue content/talks.yaml 3f… …    -> {"version": "9a…"}
"""

import base64
import hashlib
import os
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from mimetypes import guess_type
from pathlib import Path
from typing import Any

from tenure.atomic import write_file
from tenure.build import BuildResult
from tenure.markdown.html import make_slug
from tenure.model.files import CONTENT_TYPES, PAPER_FOLDER, name_paper_file
from tenure.model.site import Site
from tenure.plan.clicks import Click, SiteFacts, describe_site, find_origin, find_page, list_papers
from tenure.plan.pages import Page
from tenure.problems import Problem, problem_as_json
from tenure.record import Record
from tenure.server.theme_panel import ThemePanel, list_new_lines
from tenure.source_paths import resolve_path
from tenure.sources.editing.edits import (
    UneditableError,
    decode_file_text,
    plan_file_change,
    read_writable_file,
)
from tenure.sources.editing.form_calls import FORM_EDITS, FORM_READS, TEXT_CALLS, remove_page
from tenure.sources.editing.forms import describe_undo
from tenure.sources.editing.json_schema import build_schemas
from tenure.sources.editing.rebase import rebase_edit
from tenure.sources.editing.unused_pictures import list_unused_pictures
from tenure.sources.editing.value_edits import Source

MAX_STEPS = 200
MAX_VERSIONS = 50
"""
The steps that can be taken back, and the texts that are kept to find what has changed in a file meanwhile.
"""

MAX_SOURCE_BYTES = 10_000_000
"""Maximum size of a source that the editor writes."""

_VISIBLE = r"[^/.\0][^/\0]*"
_SOURCE_NAME = re.compile(
    rf"""(?x)
    site\.yaml
    | content/ (?:{_VISIBLE}/)* {_VISIBLE} \. (?:ya?ml | md | markdown)   # content/pages/tools.md
    | bib/ {_VISIBLE} \.bib
    """
)
"""The sources that the editor reads and writes; nothing else is one, and nothing hidden."""


class FileKind(Record):
    """The files that may be put into a folder of content/: their endings by patterns of their first bytes."""

    endings: Mapping[bytes, str]
    hint: str


_PICTURES = FileKind(
    {
        rb"\xff\xd8\xff": "jpg",
        rb"\x89PNG\r\n\x1a\n": "png",
        rb"(?s)RIFF....WEBP": "webp",
        rb"(?s)\s*(?:<\?xml.{0,2000})?<svg": "svg",
        rb"(?s).{4}ftyp(?:iso|mp4|avc|M4V|dash|MSNV)": "mp4",
        rb"(?s)\x1a\x45\xdf\xa3.{0,60}webm": "webm",
    },
    "export it as JPEG, PNG, WebP, SVG, MP4 or WebM",
)
_PDFS = FileKind({rb"%PDF-": "pdf"}, "export it as PDF")
_FILE_KINDS: Mapping[str, FileKind] = {"images": _PICTURES, PAPER_FOLDER: _PDFS, "files": _PDFS}


class Change(Record):
    """A file before and after an edit; None where there was, or is, no file."""

    file: str
    path: Path
    old: bytes | None
    new: bytes | None

    def reverse(self) -> "Change":
        """The change that takes this one back."""
        return Change(self.file, self.path, self.new, self.old)


class SourceEditor:
    """The sources of a site and their edits; `show_build` gets each build. All calls come from one thread."""

    def __init__(self, root: Path, panel: ThemePanel) -> None:
        self._root = root.resolve()
        self._panel = panel
        # the server sets it: builds the site again, as no file on disk changes with a trial
        self.on_trial: Callable[[], None] = lambda: None
        self._steps: list[Sequence[Change]] = []
        self._undone: list[Sequence[Change]] = []
        self._added_files: list[Change] = []
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._site: Site | None = None
        self._described_site: Site | None = None
        self._facts: SiteFacts | None = None
        self._number = 0
        self._pages: Sequence[Page] = ()
        self._problems: Sequence[Problem] = ()
        self._calls: Mapping[str, Callable[..., Any]] = {
            "addFile": self.add_file,
            "deletePage": self.delete_page,
            "edit": self.edit_source,
            "describeUndo": self.describe_undo,
            "find": self.find_origin,
            "page": lambda *values: find_page(self._pages, *values),
            "papers": self.list_papers,
            "read": self.read_source,
            "redo": self.redo_step,
            "repair": self.repair_problem,
            "schemas": lambda: build_schemas(self._root),
            "state": self.read_state,
            "theme": self.choose_theme,
            "undo": self.undo_step,
            **TEXT_CALLS,
        }

    def show_build(self, build: BuildResult) -> None:
        """
        Take the site, the pages and the problems of a build; a site with an error keeps the pages of the last
        one.
        """
        self._problems = build.problems
        if build.site is not None:
            self._site = build.site
            self._pages = build.pages

    def answer_call(self, name: str, values: Sequence[Any]) -> Mapping[str, Any]:
        """
        What a call of the browser returns. Raises UneditableError, OSError and the errors of impossible
        values.
        """
        return {"result": self._calls[name](*values)}

    def read_state(self, known: Mapping[str, str], facts: int = -1) -> Mapping[str, Any]:
        """
        The names of all sources, those of the known versions that have changed, the problems, the file of the
        last step, and what forms know of the site, with its number, unless the browser has this number.
        """
        self._describe_site()
        found = [path for folder in ("content", "bib") for path in (self._root / folder).rglob("*")]
        names = [path.relative_to(self._root).as_posix() for path in found if path.is_file()]
        return {
            "files": ["site.yaml", *sorted(filter(self._is_source, names))],
            "changed": [file for file, version in known.items() if self._read_file(file)[1] != version],
            "problems": [{**problem_as_json(one), "length": one.place.length} for one in self._problems],
            "redo": bool(self._undone),
            "undo": ", ".join(change.file for step in self._steps[-1:] for change in step),
            "number": self._number,
            "facts": None if facts == self._number else self._facts,
        }

    def _describe_site(self) -> None:
        """Keep what forms know of the last build; it has another number only if it differs."""
        if self._site is None or self._site is self._described_site:
            return
        self._described_site = self._site
        facts = describe_site(self._site)
        if facts != self._facts:
            self._facts = facts
            self._number += 1

    def read_source(self, name: str, file: str, *values: Any) -> Mapping[str, Any]:
        """What a form shows of a source, with the version of the source."""
        text, version = self._read_file(file)
        return {"version": version, "result": FORM_READS[name](Source(file, text), *values)}

    def edit_source(self, name: str, file: str, version: str, *values: Any) -> Mapping[str, str]:
        """Change a source of which the browser has a version; the answer is the new version."""
        text, current_version = self._read_file(file)
        if current_version != version:
            if version not in self._texts:
                raise UneditableError(f"{file} has changed meanwhile; here is the new text")
            values = tuple(rebase_edit(name, Source(file, self._texts[version]), Source(file, text), values))
        source = Source(file, text)
        new_text = FORM_EDITS[name](source, *values)
        path = self._find_path(file)
        changes = [*self._added_files, Change(file, path, _read_bytes(path), new_text.encode())]
        if name == "setValue":
            # a picture that was there before may be the only copy
            added = {change.file for step in self._steps for change in step if change.old is None}
            unused = list_unused_pictures(self._root, source, values[0], new_text)
            for picture in sorted(added.intersection(unused)):
                picture_path = self._root / picture
                changes.append(Change(picture, picture_path, picture_path.read_bytes(), None))
        self._write_step(changes)
        return {"version": self._keep_version(new_text)}

    def delete_page(self, file: str) -> None:
        """Delete a page of content/pages/ with its entry in `pages` of site.yaml."""
        path = self._find_path(file)
        site_path = self._find_path("site.yaml")
        if not file.startswith("content/pages/"):
            raise UneditableError("it is no page")
        text, _ = self._read_file("site.yaml")
        changes = [Change(file, path, path.read_bytes(), None)]
        new_text = remove_page(text, path.stem)
        if new_text != text:
            changes.append(Change("site.yaml", site_path, text.encode(), new_text.encode()))
        self._write_step(changes)

    def undo_step(self) -> Sequence[str]:
        """Take the last step back; returns its files. Refused if one of them has changed since."""
        if not self._steps:
            return []
        step = [change.reverse() for change in reversed(self._steps[-1])]
        self._write_files(step)
        self._undone.append(self._steps.pop())
        return [change.file for change in step]

    def redo_step(self) -> Sequence[str]:
        """Do again what was taken back last; returns its files."""
        if not self._undone:
            return []
        self._write_files(self._undone[-1])
        self._steps.append(self._undone.pop())
        return [change.file for change in self._steps[-1]]

    def describe_undo(self) -> str:
        """What the next undo brings back, in the words of forms; "" if they have none."""
        for change in self._steps[-1] if self._steps else ():
            if change.new is None:
                return "it is back"
            if _SOURCE_NAME.fullmatch(change.file):
                texts = [(body or b"").decode() for body in (change.new, change.old)]
                return describe_undo(change.file, *texts)
        return ""

    def repair_problem(self, problem: Mapping[str, Any]) -> Sequence[str]:
        """Repair a problem of the last build; returns its file."""
        wanted = [problem[name] for name in ("file", "line", "column", "message")]
        for known in self._problems:
            place = known.place
            if [place.file, place.line, place.column, known.message] == wanted and known.edits:
                self._find_path(place.file)
                change = plan_file_change(self._root, place.file, [known.edits])
                self._write_step([Change(change.file, change.path, change.old_bytes, change.new_bytes)])
                return [place.file]
        raise UneditableError("this problem is no longer there")

    def add_file(self, folder: str, name: str, content: str) -> str:
        """
        Keep a picture or a PDF in a folder of content/ under a name that is free; returns its name for the
        sources.

        "images", "My Photo.JPG" -> "images/my-photo.jpg"; "papers", "Pan:2025.pdf" -> "papers/Pan-2025.pdf".
        It is taken back with the edit that names it.
        """
        body = base64.b64decode(content, validate=True)
        kind = _FILE_KINDS[folder]
        ending = next((ending for start, ending in kind.endings.items() if re.match(start, body)), "")
        if not ending:
            raise UneditableError(f"{name} cannot be used as it is; {kind.hint}")

        parent = (self._root / "content" / folder).resolve()
        if not parent.is_relative_to(self._root / "content"):
            raise UneditableError(f"content/{folder}/ lies outside the folder of the site, behind a link")

        stem = make_slug(name.rpartition(".")[0] or name)
        # a PDF in papers/ belongs to the publication whose key is its name, so that only signs are replaced
        # that a file may not have
        if folder == PAPER_FOLDER:
            stem = name_paper_file(name.removesuffix(".pdf"))
        file = _find_free_name(parent, stem or "file", ending, body)
        change = Change(f"content/{folder}/{file}", parent / file, _read_bytes(parent / file), body)
        self._write_files([change])
        self._added_files = [change]
        return f"{folder}/{file}"

    def choose_theme(self, choice: Any) -> Mapping[str, object]:
        """
        The state of the panel of themes after a choice, which is shown, or saved in site.yaml.

        None -> only the state. {"choice": {"name": "folio", "options": {…}}} -> this theme is on trial: the
        preview shows it, and site.yaml is unchanged. {"choice": None} -> the trial ends.
        {"choice": {…}, "save": True} -> written to site.yaml; "written" in the answer has the new lines.
        """
        if not choice:
            return {**self._panel.describe(), "written": ""}

        theme = choice["choice"]
        written = ""
        if choice.get("save"):
            written = self._save_theme(theme)
        else:
            self._panel.try_choice(theme)
        self.on_trial()
        return {**self._panel.describe(), "written": written}

    def _save_theme(self, choice: object) -> str:
        """Write a choice into site.yaml; returns its new lines."""
        change = self._panel.plan_choice(choice)
        self._write_step([Change(change.file, change.path, change.old_bytes, change.new_bytes)])
        return list_new_lines(change)

    def read_picture(self, name: str) -> tuple[str, bytes]:
        """
        The media type and the bytes of a picture in content/, for its field; ("text/plain", b"") if there is
        none.
        """
        folder = self._root / "content"
        for path in (folder / name, folder / "images" / name):
            media_type = CONTENT_TYPES.get(path.suffix.lower()) or guess_type(path.name)[0] or ""
            is_inside = "\0" not in name and path.resolve().is_relative_to(folder)
            if is_inside and media_type.startswith("image/") and path.is_file():
                return media_type, path.read_bytes()
        return "text/plain", b""

    def list_papers(self, file: str) -> Sequence[Record]:
        """The publications of a .bib file in the last build."""
        return list_papers(self._site, file) if self._site else ()

    def find_origin(self, page: str, ids: Sequence[str], section: str, part: str) -> Record | None:
        """
        The source of what was clicked; None before the first build, and for a source that the editor does not
        change.
        """
        if self._site is None:
            return None
        click = Click(str(page), tuple(map(str, ids)), str(section), str(part))
        origin = find_origin(self._site, self._pages, click)
        return origin if self._is_source(origin.file) else None

    def _find_path(self, file: str) -> Path:
        """
        The path of a source; raises UneditableError if it is none, or if a link leads to something else.
        """
        path = self._root
        if _SOURCE_NAME.fullmatch(file):
            path = resolve_path(self._root / file)
        is_inside = path.is_relative_to(self._root)
        if not is_inside or not _SOURCE_NAME.fullmatch(path.relative_to(self._root).as_posix()):
            raise UneditableError("it is not one of the sources of the site, or lies behind a link")
        return path

    def _is_source(self, file: str) -> bool:
        try:
            return bool(self._find_path(file))
        except UneditableError:
            return False

    def _read_file(self, file: str) -> tuple[str, str]:
        """The text of a source, "" if there is none, and its version."""
        text = decode_file_text(read_writable_file(self._find_path(file)))
        return text, self._keep_version(text)

    def _keep_version(self, text: str) -> str:
        """The version of a text, its digest; the text is kept, so that an edit of it can be rebased."""
        version = hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
        self._texts[version] = text
        self._texts.move_to_end(version)
        if len(self._texts) > MAX_VERSIONS:
            self._texts.popitem(last=False)
        return version

    def _write_step(self, changes: Sequence[Change]) -> None:
        """Write files, and keep what takes them back."""
        changed = [change for change in changes if change.old != change.new]
        self._write_files([change for change in changed if change not in self._added_files])
        self._added_files = []
        if changed:
            self._steps = [*self._steps[1 - MAX_STEPS :], changed]
            self._undone.clear()

    def _write_files(self, changes: Sequence[Change]) -> None:
        """
        Write or delete files; if one has changed since it was read, or cannot be written, no file is changed.
        """
        done: list[Change] = []
        for change in changes:
            if (_read_bytes(change.path) or b"") != (change.old or b""):
                raise UneditableError(f"{change.file} has changed meanwhile")
            if len(change.new or b"") > MAX_SOURCE_BYTES and change.file.endswith((".yaml", ".md", ".bib")):
                raise UneditableError(f"{change.file} would have more than {MAX_SOURCE_BYTES:,} bytes")
        try:
            for change in changes:
                _write_change(change)
                done.append(change)
        except OSError:
            for change in reversed(done):
                _write_change(change.reverse())
            raise


def _read_bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _find_free_name(folder: Path, stem: str, ending: str, body: bytes) -> str:
    """The first of "photo.jpg", "photo-2.jpg", … that no other file has."""
    names = [f"{stem}.{ending}", *(f"{stem}-{number}.{ending}" for number in range(2, 1000))]
    for name in names:
        if not os.path.lexists(folder / name) or _read_bytes(folder / name) == body:
            return name
    raise UneditableError("this folder has too many files of this name")


def _write_change(change: Change) -> None:
    """Write or delete a file; the mode of a file that exists stays."""
    if change.new is None:
        change.path.unlink()
        return
    mode = 0o644
    if change.path.exists():
        mode = change.path.stat().st_mode & 0o777
    change.path.parent.mkdir(parents=True, exist_ok=True)
    write_file(change.path, change.new, mode)
    change.path.chmod(mode)
