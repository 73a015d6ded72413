"""
The import of a folder into a folder.

`import_folder(Path("old"), Path("site"))` reads the source, names the owner, repairs the new site until it
builds, and writes it with an `ImportReport`. It asks nothing, and starts no process, so that a page in a
browser can call it.

What the reader of sources cannot use is commented out where it stands: the site builds, and nothing is lost.
A `Problem` has a place; what is removed there becomes a note of the report.
"""

import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from tenure.atomic import write_file
from tenure.build import build_site
from tenure.cache.store import CacheStore
from tenure.cli.against import find_missing_words, read_site_words
from tenure.cli.arguments import UsageError
from tenure.cli.starter import (
    WriteResult,
    complete_gitignore,
    create_starter_files,
    write_missing_files,
)
from tenure.cli.targets import display_path
from tenure.markdown.html import make_unique
from tenure.model.entries import Profile
from tenure.plan.language_versions import CvDocuments
from tenure.problems import Problem, Problems, format_count
from tenure.progress import ProgressCallback, ignore_progress
from tenure.publish import Artifact
from tenure.record import Record, field, replace
from tenure.site_folder import BuildOptions
from tenure.sources.bibtex.bib_text import split_entries
from tenure.sources.editing.edits import apply_edits
from tenure.sources.editing.json_schema import schema_modeline
from tenure.sources.editing.yaml_writer import format_yaml
from tenure.sources.load import load_site
from tenure.sources.publications.collect import count_possible_owner_spellings
from tenure_import.detect import SYSTEMS, detect_system, read_small_text
from tenure_import.importer import Import, ImportedSite
from tenure_import.owner import guess_name_from_host
from tenure_import.publications import fold_title, list_bib_titles
from tenure_import.samples import SAMPLE_NOTE
from tenure_import.source import (
    describe_entry,
    find_mistake,
    get_entries,
    get_items,
    get_mapping,
    get_text,
    parse_data,
)

Note = tuple[str, str]
"""A place, and what was changed there."""

MISSING_WORDS = "Words that are not on the site"
"""The title of a part of the report, which has them by their reasons."""

WARNINGS = "Warnings of `check`"
"""The title of a part of the report: the files of the source that have them."""


REFERENCE_FORMATS = {".ris": "RIS", ".enw": "EndNote", ".nbib": "PubMed"}
"""The formats of references that a reference manager converts, by the suffixes of their files."""

_SAVE_AS = "save it as .docx in Word or LibreOffice, and import that file"
DOCUMENT_ADVICE = {
    ".doc": _SAVE_AS,
    ".odt": _SAVE_AS,
    ".rtf": _SAVE_AS,
    ".pages": "in Pages, “File”, “Export To”, “Word…” writes a .docx file; import that file",
    ".pdf": "import the Word file that it was made from; Word can also open a PDF, and save it as .docx",
    ".tex": "pandoc can convert it to .docx; then import that file",
}
"""What to do with a CV of another format, by the suffix of its file."""


MIN_TITLE = 20
"""Letters and digits of a title that no other text has by chance."""

REPORT_FILE = "import-report.md"
PROFILE_FILE = "content/profile.yaml"

AskAboutSpellings = Callable[[Mapping[str, int]], Sequence[str]]
"""A question which of some names are the owner's; each name with the number of its entries in .bib files."""


class ImportReport(Record):
    """
    What an import did.

    `owner` is the name of the owner, `guessed_from` says where it comes from if the source does not give it;
    `text` is the report in Markdown, of `line_count` lines about what was not imported or was changed;
    it is in the `file`. `errors` are those that are left; `missing` are the words of a document that are not
    on the site; `added` are the keys and the lines that files of the folder got, by file.
    """

    system: str
    owner: str
    guessed_from: str
    text: str
    line_count: int
    written: WriteResult
    errors: Sequence[Problem]
    missing: Sequence[str] = ()
    file: str = REPORT_FILE
    added: Mapping[str, Sequence[str]] = field(default_factory=dict)


def import_folder(source: Path, folder: Path, name: str = "") -> ImportReport:
    """
    Import a file or a folder of another system into a folder, in which files that exist are not changed.

    `name` is the owner's, or "" to take it from the source. Raises UsageError if the source cannot be
    imported; then nothing is written.
    """
    return write_site(name_owner(read_source(source), source, name), folder)


def read_source(source: Path) -> ImportedSite:
    """The new site of a file or a folder; raises UsageError if it is not there, or its system is unknown."""
    if not source.exists():
        raise UsageError(f"{display_path(source)} does not exist")
    system = detect_system(source.resolve())
    if not system:
        raise UsageError(explain_refusal(source))
    site = Import(SYSTEMS[system], source).run()
    if site.files.keys() <= {"site.yaml"} and not site.profile:
        reasons = "; ".join(f"{place}: {text}" for place, text in site.notes[:3])
        raise UsageError(
            f"{display_path(source)} has nothing that can be imported: {reasons or 'it is empty'}"
        )
    return site


def explain_refusal(source: Path) -> str:
    """Why a file or a folder that exists cannot be imported, and what to do; "" if it can."""
    if detect_system(source.resolve()):
        return ""
    name = display_path(source)
    # a document of Pages may be a folder
    if advice := DOCUMENT_ADVICE.get(source.suffix.casefold()):
        return f"{name} cannot be imported: {advice}"
    paths = [source] if source.is_file() else sorted(source.iterdir())
    for path in paths:
        if reference_format := REFERENCE_FORMATS.get(path.suffix.casefold()):
            return (
                f"{display_path(path)} is a file in {reference_format}, which cannot be imported; "
                "convert it to BibTeX, for example in Zotero: “File”, “Import…” reads it, "
                f"and “File”, “Export Library…” with the format BibTeX writes {path.stem}.bib; "
                f"then import {path.stem}.bib"
            )
        if mistake := find_mistake(read_small_text(path), path.suffix.casefold()):
            return f"{display_path(path)} cannot be read: {mistake}"
    names = ", ".join(system.name for system in SYSTEMS.values())
    return (
        f"{name} has none of the formats that can be imported: sites of {names} "
        "(a CV must be a Word file, .docx; "
        "a reference manager such as Zotero converts RIS, EndNote and PubMed files to BibTeX)"
    )


def guess_owner(site: ImportedSite, source: Path) -> str:
    """The name in the host or the folder of a site whose source does not give the name of the owner."""
    url = re.search(r"^url: (\S+)", str(site.files.get("site.yaml", "")), re.MULTILINE)
    return guess_name_from_host(url[1] if url else "", source.resolve().name)


def name_owner(site: ImportedSite, source: Path, name: str) -> ImportedSite:
    """
    The site with the name of its owner: the given one, that of the source, or one that is reported.

    The last is a guess, by the authors of the .bib files or the name of the host; else "Your Name".
    """
    known = str(site.profile.get("name", ""))
    guessed_from = site.guessed_from if known else "the name of the host or the folder"
    owner = name or known or guess_owner(site, source) or "Your Name"
    profile = {"name": owner, **{key: value for key, value in site.profile.items() if key != "name"}}
    if name or not guessed_from:
        return replace(site, profile=profile, guessed_from="")
    note = (PROFILE_FILE, f"name: {owner} is {guessed_from}; correct it if it is not the owner")
    return replace(site, profile=profile, notes=(*site.notes, note), guessed_from=guessed_from)


def write_site(
    site: ImportedSite,
    folder: Path,
    progress: ProgressCallback = ignore_progress,
    ask: AskAboutSpellings | None = None,
) -> ImportReport:
    """
    Repair a site until it has no error, and write its files that do not exist yet, with the report.

    A profile of the folder that does not contradict the new one gets the keys that it lacks, and its
    .gitignore the lines.
    Without `ask`, the profile has a comment with the names that may be the owner's.
    """
    files, notes, errors = repair_site(site, folder / ".cache", progress, ask)
    notes = [*notes, *_list_repeated_papers(folder, files)]
    text = format_report(site.system, notes)
    report_file = _find_report_file(folder, text)
    added = {
        PROFILE_FILE: _complete_profile(folder, files),
        ".gitignore": complete_gitignore(folder, files),
    }
    written = write_missing_files(folder, {**files, report_file: text})
    return ImportReport(
        site.system,
        str(site.profile["name"]),
        site.guessed_from,
        text,
        text.count("\n- "),
        written,
        tuple(errors),
        [note for place, note in notes if place == MISSING_WORDS],
        report_file,
        added,
    )


def _list_repeated_papers(folder: Path, files: "Files") -> Iterator[Note]:
    """
    The lines of the lists below the publications with a title of bib/, in the new files and in the folder's.

    "Roth, Eva. *The Night in the Cities*. 2020." -> has the title of night-2020 in bib/papers.bib
    """
    paths = [*folder.glob("site.yaml"), *folder.glob("content/*.yaml"), *folder.glob("bib/*.bib")]
    own = {path.relative_to(folder).as_posix(): read_small_text(path) for path in paths}
    texts = {name: text for name, text in {**files, **own}.items() if isinstance(text, str)}

    places: dict[str, str] = {}
    for name in sorted(texts):
        if name.endswith(".bib"):
            entries = zip(list_bib_titles(texts[name]), split_entries(texts[name]), strict=True)
            places |= {fold_title(title): f"{entry.key} in {name}" for title, entry in entries}

    # a site.yaml of the folder is kept, and may lack the lists of the new one
    settings = [str(files["site.yaml"]), own.get("site.yaml", "")]
    sections = dict.fromkeys(section for text in settings for section in _list_paper_sections(text))
    for section in sections:
        name = f"content/{section}.yaml"

        for line in texts.get(name, "").split("\n"):
            folded = fold_title(line)
            found = [place for title, place in places.items() if len(title) >= MIN_TITLE and title in folded]
            if found:
                text = describe_entry(line.strip().removeprefix("- text: ").strip('"'))
                advice = "delete it if it is the same, or both are shown"
                yield name, f"{text} has the title of {found[0]}: {advice}"


def _list_paper_sections(settings: str) -> Iterator[str]:
    """The names of the sections on the page of publications in the text of site.yaml."""
    for page in get_entries(parse_data(settings, ".yaml"), "pages"):
        if get_text(page, "name") == "publications":
            for section in get_items(page, "sections"):
                # talks, or {talks: {title: …}}
                yield from [section] if isinstance(section, str) else map(str, section)


def _find_report_file(folder: Path, text: str) -> str:
    """The first of import-report.md, import-report-2.md, … that does not exist, or has this text."""
    others = {path.stem for path in folder.glob("import-report*.md") if read_small_text(path) != text}
    return f"{make_unique('import-report', others)}.md"


def _complete_profile(folder: Path, files: "Files") -> Sequence[str]:
    """
    Add to the profile of a folder the keys that only the new one has, and return them.

    A key with different values in both leaves the profile as it is, and the new one in `files`.
    """
    text = read_small_text(folder / PROFILE_FILE)
    own = get_mapping(parse_data(text, ".yaml"))
    new = get_mapping(parse_data(str(files[PROFILE_FILE]), ".yaml"))
    if not own or {**new, **own} != {**own, **new}:
        return ()

    del files[PROFILE_FILE]
    added = {key: value for key, value in new.items() if key not in own}
    if added:
        write_file(folder / PROFILE_FILE, f"{text.rstrip()}\n{format_yaml(added)}".encode())
    return tuple(added)


def repair_site(
    site: ImportedSite,
    cache_folder: Path,
    progress: ProgressCallback = ignore_progress,
    ask: AskAboutSpellings | None = None,
) -> tuple[dict[str, str | bytes], Sequence[Note], Sequence[Problem]]:
    """
    The files of the new site, repaired until it has no error, with all notes, and the errors that are left.

    The site is checked in a temporary folder, so that the files of the folder where it is written change
    nothing.
    """
    spellings = _count_spellings(site)
    aliases = ask(spellings) if ask and spellings else ()
    profile = dict(site.profile)
    if aliases:
        profile["aliases"] = [*_read_aliases(site), *aliases]

    files: dict[str, str | bytes] = {
        **create_starter_files(str(site.profile["name"])),
        **site.files,
        PROFILE_FILE: format_yaml(profile),
    }
    imported_names = [*site.files, PROFILE_FILE]
    # without the example of a new site
    if "bib/papers.bib" not in site.files:
        files.pop("bib/papers.bib", None)
    with tempfile.TemporaryDirectory(prefix="tenure-") as work_folder:
        checker = _SiteChecker(Path(work_folder), CacheStore(cache_folder), progress)
        files, notes, errors = repair_files(files, imported_names, checker.find_errors)
        torn = [(p.place.file, f"line {p.place.line}: {p.message}") for p in checker.torn_places]
        missing_words = _list_missing_words(site, checker.artifacts)
        notes = [*notes, *torn, *missing_words, *_count_warnings(checker.warnings, imported_names)]
    for name in imported_names:
        if isinstance(text := files.get(name), str):
            files[name] = schema_modeline(name) + text

    if spellings and not ask:
        names = ", ".join(f"{name} ({format_count(n, 'entry', 'entries')})" for name, n in spellings.items())
        line = f"aliases: {json.dumps([*_read_aliases(site), *spellings], ensure_ascii=False)}"
        text = f"{files[PROFILE_FILE]!s}# This may be you: {names}. If so, write {line}\n"
        files[PROFILE_FILE] = text
        note = f"{names} may be the owner, and is not marked; if so, write {line}"
        notes = [*notes, (PROFILE_FILE, note)]
    return files, (*site.notes, *notes), errors


def _list_missing_words(site: ImportedSite, artifacts: Sequence[Artifact]) -> Iterator[Note]:
    """The words of a document that no page has, by the reasons that its importer knows."""
    known = read_site_words(artifacts) if site.document_lines else ()
    for reason, lines in site.document_lines.items():
        words = dict.fromkeys(word for line in lines for word in find_missing_words(line, known))
        if words:
            yield MISSING_WORDS, f"{reason}: {', '.join(words)}"


def _count_warnings(warnings: Sequence[Problem], names: Sequence[str]) -> Iterator[Note]:
    """The numbers of warnings in imported files: bib/papers.bib (7), bib/talks.bib (12)."""
    counts = Counter(problem.place.file for problem in warnings if problem.place.file in names)
    if counts:
        files = ", ".join(f"{name} ({count})" for name, count in counts.items())
        yield WARNINGS, f"what the source has and `check` reports: {files}"


def _count_spellings(site: ImportedSite) -> Mapping[str, int]:
    """The names in the .bib files that may be the owner's, with the numbers of entries; none for a group."""
    if site.profile.get("kind"):
        return {}
    texts = {
        name: text for name, text in site.files.items() if name.endswith(".bib") and isinstance(text, str)
    }
    profile = Profile(name=str(site.profile["name"]), aliases=tuple(_read_aliases(site)))
    return count_possible_owner_spellings(texts, profile)


def _read_aliases(site: ImportedSite) -> list[str]:
    """The other spellings of the owner's name."""
    aliases = site.profile.get("aliases", [])
    if isinstance(aliases, str):
        return [aliases]
    return [str(alias) for alias in aliases]


def make_empty_cvs(documents: CvDocuments, *_: object) -> Iterator[Artifact]:
    """Files in place of the CVs, which take longest to make, so that the links to them are checked."""
    return (Artifact(f"{config.name}.pdf", b"") for config in documents.cvs)


class _SiteChecker:
    """Checks the files of a site in a folder, of which it writes what has changed since the last check."""

    def __init__(self, folder: Path, store: CacheStore, progress: ProgressCallback) -> None:
        self._folder = folder
        self._store = store
        self._progress = progress
        self._written: dict[str, str | bytes] = {}
        self.torn_places: Sequence[Problem] = ()
        """What the .bib files have that is no BibTeX, in the last check."""
        self.warnings: Sequence[Problem] = ()
        self.artifacts: Sequence[Artifact] = ()
        """The files of the last build."""

    def find_errors(self, files: Mapping[str, str | bytes]) -> Sequence[Problem]:
        """The errors of the sources; if there are none, those of the whole site, which takes longer."""
        changed = {name: content for name, content in files.items() if self._written.get(name) != content}
        for name in self._written.keys() - (files.keys() - changed.keys()):
            (self._folder / name).unlink()
        write_missing_files(self._folder, changed)
        self._written = dict(files)

        problems = Problems()
        load_site(self._folder, problems, self._store, BuildOptions())
        found = problems.sorted_problems()
        self.torn_places = [problem for problem in found if problem.code == "bib-syntax"]
        errors = [problem for problem in found if problem.level == "error"]
        if errors:
            return errors
        built = build_site(self._folder, store=self._store, progress=self._progress, make_cvs=make_empty_cvs)
        self.artifacts = built.artifacts
        self.warnings = [problem for problem in built.problems if problem.level == "warning"]
        return [problem for problem in built.problems if problem.level == "error"]


MANY_FILES = 3
"""The number of files whose equal notes are one part of the report."""

GROUP_TITLES = {
    SAMPLE_NOTE: "Sample content of the template, left out",
    "not read": "Files that were not read",
}
"""The last parts of the report, which list files."""


def format_report(system: str, notes: Sequence[Note]) -> str:
    """The report in Markdown: what was not imported or changed, by the file and the key of the source."""
    # what many files have is one heading with its files; other notes stand below their file
    by_text: dict[str, list[str]] = {}
    for place, text in dict.fromkeys(notes):
        by_text.setdefault(text, []).append(place)
    common = [text for text, places in by_text.items() if len(places) >= MANY_FILES]
    grouped = [text for text in common if text not in GROUP_TITLES]
    grouped += [text for text in GROUP_TITLES if text in by_text]

    parts: dict[str, list[str]] = {}
    for place, text in dict.fromkeys(notes):
        if text not in grouped:
            parts.setdefault(place, []).append(text)
    for text in grouped:
        parts[GROUP_TITLES.get(text, text)] = _group_by_folder(by_text[text])

    lines = [
        f"# Import from {system}",
        "",
        "This file lists what was not imported, or was changed. "
        "Delete it after reading: it can contain private data.",
        "",
    ]
    for title, texts in parts.items():
        lines += [f"## {title}", "", *(f"- {text}" for text in texts), ""]
    return "\n".join(lines)


def _group_by_folder(names: Sequence[str]) -> list[str]:
    """Names by folder: "img/: a.png, b.png"; of more than eight, the number."""
    folders: dict[str, list[str]] = {}
    for name in sorted(names):
        folder, slash, file = name.rpartition("/")
        folders.setdefault(folder + slash, []).append(file)
    shown = {
        folder: ", ".join(files) if len(files) < 9 else f"{len(files)} files, such as {files[0]}"
        for folder, files in folders.items()
    }
    return [f"`{folder}`: {text}" if folder else text for folder, text in shown.items()]


# The repair of files


Files = dict[str, str | bytes]

FindErrors = Callable[[Mapping[str, str | bytes]], Sequence[Problem]]

MAX_ROUNDS = 9
"""A site with errors after so many repairs is written as it is, and its errors are printed."""


def repair_files(
    files: Files, names: Iterable[str], find_errors: FindErrors
) -> tuple[Files, list[Note], Sequence[Problem]]:
    """
    Repair the imported files until the site has no error: by the edit of a problem, else by a comment.

    `names` are the files that may be changed.
    Returns the files, a note for each line or picture that was removed, and the errors that are left.
    """
    files = dict(files)
    imported_names = frozenset(names)
    notes: list[Note] = []

    for number in range(MAX_ROUNDS):
        errors = find_errors(files)
        problems = [problem for problem in errors if problem.place.file in imported_names]
        if not problems or number == MAX_ROUNDS - 1:
            break
        for name in sorted({problem.place.file for problem in problems}):
            text = files[name]
            found = [problem for problem in problems if problem.place.file == name]
            if isinstance(text, str):
                files[name] = _repair_file(name, text, found, notes)
            else:
                # an image that cannot be read
                del files[name]
                notes.append((name, found[0].message))

    return files, notes, errors


def _repair_file(name: str, text: str, problems: Sequence[Problem], notes: list[Note]) -> str:
    """The text of a file with all certain edits; if there are none, without the places of its problems."""
    edits = [problem.edits for problem in problems if problem.edits]
    if edits:
        repaired, count = apply_edits(text, edits, is_yaml=not name.endswith(".bib"))
        if count:
            return repaired

    # a report at a text that only has the same word is wrong
    exact = {problem.message for problem in problems if _is_value(text, problem)}
    problems = [p for p in problems if p.message not in exact or _is_value(text, p)]

    # from the last to the first, so that the places of the others stay right
    removed_lines: set[int] = set()
    for problem in sorted(problems, key=lambda problem: problem.place, reverse=True):
        line = problem.place.line
        if not line or line in removed_lines:
            continue
        removed_lines.add(line)
        text, removed = remove_place(name, text, problem)
        notes.append((name, f"{problem.message}: {removed}"))
    return text


def _is_value(text: str, problem: Problem) -> bool:
    """Whether the place of a problem is a whole value, as in "image: x", and not a word in it."""
    line = [*text.split("\n"), ""][problem.place.line - 1]
    end = problem.place.column - 1 + problem.place.length
    return bool(problem.place.line and problem.place.length) and not line[end:].strip("\"' ")


ENTRY_CODES = frozenset({"missing-key", "wrong-shape", "duplicate-id"})
"""Problems of a whole entry, which are reported at its first line."""


def remove_place(name: str, text: str, problem: Problem) -> tuple[str, str]:
    """
    The text without the place of a problem, and what was removed.

    A YAML key becomes a comment, "# date: soon", a link its label, and so does a line of a .bib file: "% …".
    """
    lines = text.split("\n")
    index = min(problem.place.line, len(lines)) - 1
    line = lines[index]
    start = max(0, problem.place.column - 1)
    marked = line[start : start + problem.place.length]
    is_text = not name.endswith(".bib") and not _is_yaml(name, text, index)

    removed = line.strip()[:90]
    # "see [my CV](cv.pdf)" -> "see my CV"
    new_line = _remove_link(line, marked, problem.code)
    if new_line == line and is_text:
        new_line = _remove_address(line, marked)
    # a key of YAML that would lose its whole value becomes a comment instead
    if new_line != line and (is_text or _has_value(line, new_line)):
        lines[index] = new_line
        if new_line:
            removed = f"{marked} is text now"
    elif name.endswith(".bib"):
        lines[index] = f"% {line}"
    else:
        removed = _comment_out(lines, index, is_entry=problem.code in ENTRY_CODES)
    return "\n".join(lines), removed


def _is_yaml(name: str, text: str, index: int) -> bool:
    """Whether a line is YAML, of a file or of the front matter of a page, and not a text of several lines."""
    head = text.find("\n---\n", 3) if text.startswith("---\n") else -1
    is_in_head = head > 0 and index <= text.count("\n", 0, head)
    return (name.endswith(".yaml") or is_in_head) and not _is_in_block(text.split("\n"), index)


_CITATION = r"\[([^\[\]]*@[^\[\]]*)\](?!\()"
"""[see @lee2020]; [@lee2020](url) is a link."""


def _remove_link(line: str, marked: str, code: str) -> str:
    """The line with the label of a link in place of the link; a citation as text: "[@lee]" -> "(lee)"."""
    if code == "unknown-citation":
        return re.sub(_CITATION, lambda match: f"({match[1].replace('@', '')})", line)
    if not marked:
        return line
    url = rf"[^()]*{re.escape(marked)}[^()]*"
    tag = rf"<(?:img|source|embed)\b[^<>]*{re.escape(marked)}[^<>]*>"
    return re.sub(rf"!?\[([^\[\]]*)\]\(<?{url}\)|{tag}", lambda match: match[1] or "", line)


def _remove_address(line: str, marked: str) -> str:
    """The line of HTML without the attribute of a wrong address; "" if it has none."""
    attribute = rf"\s(?:id|href|src|poster)=\"[^\"]*{re.escape(marked)}[^\"]*\""
    new_line, count = re.subn(attribute, "", line)
    return new_line if count else ""


def _has_value(line: str, new_line: str) -> bool:
    """Whether a line of YAML still says something: "- title: Talk", and any line that is no key."""
    value = new_line.strip(" -").partition(":")[2].strip(" \"'")
    return bool(value) or not re.match(r"[ -]*[\w-]+:", line)


def _is_in_block(lines: Sequence[str], index: int) -> bool:
    """Whether a line of YAML is part of a text in several lines: "text: |-"."""
    indent = _measure_indent(lines[index])
    for line in reversed(lines[:index]):
        if line.strip() and _measure_indent(line) < indent:
            return re.search(r"[:-] [|>][+-]?$", line) is not None
    return False


def _comment_out(lines: list[str], index: int, *, is_entry: bool) -> str:
    """
    Make a key with its value, or a whole entry, a comment; return its first line.

    ["- title: A", "  date: x"], 1 -> ["- title: A", "#   date: x"]; with `is_entry`, both lines are comments.
    If the first key of an entry goes, its hyphen moves to the next key: 0 -> ["# - title: A", "- date: x"].
    """
    # the entry of a key begins at a hyphen
    while is_entry and index and lines[index].startswith(" ") and not _has_hyphen(lines[index]):
        index -= 1

    line = lines[index]
    hyphen = _measure_indent(line)
    is_first_key = _has_hyphen(line) and not is_entry
    indent = hyphen + 2 if is_first_key else hyphen
    end = _find_end(lines, index, indent)

    following = lines[end] if end < len(lines) else ""
    if is_first_key and following.startswith(" " * indent) and following.strip():
        lines[end] = f"{line[:hyphen]}- {following[indent:]}"
    lines[index:end] = [f"# {text}" for text in lines[index:end]]
    return line.strip()[:90]


def _find_end(lines: Sequence[str], start: int, indent: int) -> int:
    """The line after a value: an empty one, or one that is not deeper than `indent`."""
    # the items of a list may stand as deep as its key
    may_have_items = not _has_hyphen(lines[start])
    for end in range(start + 1, len(lines)):
        depth = _measure_indent(lines[end])
        is_item = depth == indent and may_have_items and _has_hyphen(lines[end])
        if not lines[end].strip() or (depth <= indent and not is_item):
            return end
    return len(lines)


def _measure_indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _has_hyphen(line: str) -> bool:
    return line.lstrip().startswith("- ")
