"""How a site begins in the page “Try it”, and the zips in which it is taken home."""

import contextlib
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from tenure.build import build_site
from tenure.source_paths import is_unread_folder
from tenure.sources.editing.json_schema import schema_modeline
from tenure.sources.editing.yaml_writer import format_yaml

Files = Mapping[str, bytes]
"""The bytes of files by their path."""

MAX_UNPACKED = 200_000_000
"""Bytes that a zip may have when it is unpacked: a small zip can hold more than any memory."""

MAX_FILES = 5_000
ZIP_TIME = (1980, 1, 1, 0, 0, 0)


def read_zip(body: bytes) -> Files:
    """
    The files of a zip by their path; raises ValueError for no zip, a large one, and a path out of its folder.
    """
    try:
        with ZipFile(BytesIO(body)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            size = sum(entry.file_size for entry in entries)
            if size > MAX_UNPACKED or len(entries) > MAX_FILES:
                limit = f"{MAX_FILES} files of {MAX_UNPACKED / 1e6:.0f} MB"
                raise ValueError(
                    f"the zip has {len(entries)} files of {size / 1e6:.0f} MB; this page takes {limit}"
                )
            for entry in entries:
                path = PurePosixPath(entry.filename)
                if path.is_absolute() or ".." in path.parts or "\\" in entry.filename:
                    raise ValueError(f"the zip has a file outside its folder: {entry.filename}")
            return {entry.filename: archive.read(entry) for entry in entries}
    except (BadZipFile, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"this zip cannot be read: {error}") from error


def write_zip(files: Files) -> bytes:
    """A zip of files; the same files give the same bytes."""
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name, body in sorted(files.items()):
            archive.writestr(ZipInfo(name, ZIP_TIME), body, ZIP_DEFLATED)
    return buffer.getvalue()


def begin_empty(name: str) -> Files:
    """The sources of an empty site of a person."""
    profile = schema_modeline("content/profile.yaml") + format_yaml({"name": name.strip()})
    site = f"{schema_modeline('site.yaml')}schema: 1\n"
    return {"site.yaml": site.encode(), "content/profile.yaml": profile.encode(), "bib/papers.bib": b""}


def begin_from_files(files: Files, name: str) -> Mapping[str, Any]:
    """
    The sources of a site from what somebody has: a site of Tenure, or anything that can be imported.

    `name` is that of the zip or the folder. `hasTemplates` says that the site has templates of its own;
    `report` is that of an import. Raises UsageError if nothing can be imported.
    """
    # a zip often has one folder with all files
    tops = {name.partition("/")[0] for name in files}
    prefix = ""
    if len(tops) == 1 and all("/" in name for name in files):
        prefix = f"{tops.pop()}/"
    named = {name.removeprefix(prefix): body for name, body in files.items()}
    kept = {name: body for name, body in named.items() if not is_unread_folder(name.rpartition("/")[0])}

    if "content/profile.yaml" in kept:
        has_templates = any(name.startswith("themes/") for name in kept)
        return {"sources": kept, "hasTemplates": has_templates}
    return {"hasTemplates": False, **_import_files(named, name)}


def _import_files(files: Files, name: str) -> Mapping[str, Any]:
    from tenure_import.folder_import import import_folder

    # messages name a file by its path in the current folder
    with tempfile.TemporaryDirectory() as temporary, contextlib.chdir(temporary):
        target = Path(temporary, "new", "site")
        source = Path("old", PurePosixPath(name).name or "site")
        for path, body in files.items():
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            (source / path).write_bytes(body)
        # a file, such as a CV, and no site
        is_file = len(files) == 1
        os.chdir(source if is_file else source.parent)
        report = import_folder(Path(next(iter(files)) if is_file else source.name), target)
        paths = [path for path in target.rglob("*") if path.is_file()]
        sources = {path.relative_to(target).as_posix(): path.read_bytes() for path in paths}
    return _describe_import(sources, report.system, report.text)


def _describe_import(files: Files, system: str, text: str) -> Mapping[str, Any]:
    """
    The sources among the files of an import, and the report: the numbers of what came, and the text of
    import-report.md.

    The zip of the sources gets the files that every site has from the packed ones.
    """
    from tenure_import.publications import list_bib_titles

    is_source = re.compile(r"(?:content|bib|themes)/|site\.yaml$").match
    sources = {name: body for name, body in files.items() if is_source(name)}
    counts = Counter[str]()
    for name, body in sorted(sources.items()):
        path = PurePosixPath(name)
        if path.suffix == ".bib":
            counts["publications"] += len(list_bib_titles(body.decode()))
        elif path.suffix == ".yaml":
            is_list = path.stem not in ("profile", "site")
            counts[path.stem] += is_list and len(re.findall(rb"(?m)^- ", body))
        else:
            counts["texts" if path.suffix == ".md" else "pictures and other files"] += 1
    return {"sources": sources, "report": {"system": system, "counts": +counts, "text": text}}


def import_orcid_record(text: str, answers: Mapping[str, bytes | None]) -> Mapping[str, Any]:
    """
    The sources of a site from an ORCID record, or the requests that the page must make first.

    The page calls it again with their answers, until nothing is missing: first there is a request for the
    record, which says what to ask next. `answers` are the bodies by "URL media type"; None for a request
    without an answer. Raises ValueError.
    """
    from tenure.fetch.client import Client, FetchError
    from tenure.fetch.import_orcid import import_orcid
    from tenure.model.links import parse_orcid
    from tenure.progress import ignore_progress
    from tenure_import.folder_import import format_report, repair_site
    from tenure_import.importer import ImportedSite

    orcid = parse_orcid(text)
    if not orcid:
        raise ValueError(f"{text} is not an ORCID iD: its last character does not fit the others")

    requests: list[Mapping[str, str]] = []

    class PageClient(Client):
        """Answers with what the page has asked, and notes what it must ask."""

        def get(self, url: str, accept: str, *, max_age: float = 0) -> bytes:
            del max_age
            key = f"{url} {accept}"
            body = answers.get(key)
            if key not in answers:
                requests.append({"url": url, "accept": accept})
            if body is None:
                raise FetchError(f"{url} does not answer", is_temporary=key not in answers)
            return bytes(body)

    try:
        record = import_orcid(orcid, PageClient(None, ""), ignore_progress)
    except FetchError as error:
        if not requests:
            raise ValueError(str(error)) from error
    if requests:
        return {"requests": requests}

    site = ImportedSite("ORCID", record.files, record.profile, record.notes)
    files, notes, _ = repair_site(site, Path(tempfile.gettempdir()) / "orcid")
    bodies = {name: text if isinstance(text, bytes) else text.encode() for name, text in files.items()}
    return _describe_import(bodies, "ORCID", format_report("ORCID", notes))


def pack_site(root: Path) -> bytes:
    """A zip of the site as it is published; raises ValueError if it has errors."""
    build = build_site(root)
    # the folder is in the memory of the browser
    shutil.rmtree(root / ".cache", ignore_errors=True)
    errors = [problem for problem in build.problems if problem.level == "error"]
    if errors:
        raise ValueError(
            f"The site has an error, and cannot be published before it is repaired: {errors[0].message}"
        )
    return write_zip({artifact.path: artifact.read() for artifact in build.artifacts})
