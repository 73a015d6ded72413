"""`new`: write a new site from the answers to a few questions, or from an import and such answers."""

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path

from tenure.cli import serve
from tenure.cli.app import create_parser
from tenure.cli.arguments import EXIT_OK, Call, UsageError, format_command
from tenure.cli.questions import (
    NAME_QUESTION,
    PREVIEW_QUESTION,
    PROFILE_QUESTIONS,
    SOURCE_QUESTION,
    AnswerError,
    ask_about_spellings,
    ask_question,
    parse_import_source,
)
from tenure.cli.requirements import describe_ignored_wheel
from tenure.cli.starter import (
    complete_gitignore,
    create_starter_files,
    print_next_steps,
    write_missing_files,
)
from tenure.cli.targets import display_path

HARMLESS_PATTERNS = (
    *(".git", ".github", ".gitignore", ".gitattributes"),
    *(".cache", ".editorconfig", ".nojekyll", ".ds_store", ".idea", ".vscode"),
    *("readme*", "license*", "licence*", "copying*"),
    *("cname", "citation.cff", "contributing*", "code_of_conduct*"),
)
"""Patterns of file names, in lower case, that the folder may already contain: those of hosts and editors."""

QUESTIONS_INTRODUCTION = "Enter accepts the suggestion in [brackets], or skips the question. Ctrl+C ends."
IMPORT_REPORT = "import-report.md"
SITE_FILE = "site.yaml"
PROFILE_FILE = "content/profile.yaml"
FILE_OF_KEY = {
    **dict.fromkeys(("role", "affiliation", "email", "photo"), PROFILE_FILE),
    "url": SITE_FILE,
    "theme": SITE_FILE,
}
"""The file that gets the answer to a question as a line; the other answers are files to copy."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `new`."""
    folder_help = "an empty folder, or one that does not exist yet; Git and a README may be in it"
    parser.add_argument("folder", metavar="DIR", type=Path, help=folder_help)
    parser.add_argument("--name", default="", help="the owner of the site (default: the name that Git knows)")
    orcid_help = "your ORCID iD: your public record is imported"
    parser.add_argument("--orcid", metavar="ID", default="", help=orcid_help)


def run_command(call: Call) -> int:
    """Write a new site into a folder without files of another purpose; returns the exit status."""
    folder: Path = call.options.folder
    refuse_used_folder(folder)
    is_asked = sys.stdin.isatty()
    if is_asked:
        print(QUESTIONS_INTRODUCTION)
    name: str = call.options.name
    if not is_asked:
        name = name or NAME_QUESTION.suggest(folder)

    # None as long as nothing has been imported
    import_status: int | None = None
    try:
        source = _find_source(call.options.orcid, folder, is_asked=is_asked)
        if source:
            is_optional = is_asked or bool(name)
            import_status = _import_source(source, folder, call.options.name, is_optional=is_optional)

        files: dict[str, str | bytes]
        if import_status is not None:
            files = {file: (folder / file).read_text(encoding="utf-8") for file in (SITE_FILE, PROFILE_FILE)}
        else:
            name = name or _ask_name(folder, is_asked=is_asked)
            files = create_starter_files(name)
        answers = _ask_about_site(folder, files) if is_asked else {}
        aliases = _ask_about_authors(answers.get("bib", ""), str(files[PROFILE_FILE]))
    except AnswerError as error:
        raise UsageError(f"--orcid: {error}") from error
    except (EOFError, KeyboardInterrupt) as error:
        _print_end(folder, is_imported=import_status is not None)
        if isinstance(error, EOFError):
            raise UsageError("the input ended before the last answer") from error
        raise

    files = add_answers(files, answers, aliases)
    if import_status is None:
        _write_new_site(folder, files)
    else:
        # an import has written these files already: the answers are added to them
        _replace_files(folder, files)
    if import_status is not None:
        print(f"What was not imported or was changed: {display_path(folder / IMPORT_REPORT)}")
    print_next_steps(folder)
    if is_asked and _wants_preview(folder):
        options = create_parser("serve").parse_args(["--site", str(folder), "--open"])
        return serve.run_command(Call(options, folder))
    return import_status or EXIT_OK


def _wants_preview(folder: Path) -> bool:
    """Whether the user wants to see the new site now; the end of the input is a no."""
    try:
        return bool(ask_question(PREVIEW_QUESTION, folder))
    except EOFError:
        return False


def _find_source(orcid: str, folder: Path, *, is_asked: bool) -> str:
    """What the new site is imported from: the iD of --orcid, or an answer; "" for nothing."""
    source = parse_import_source(orcid)
    if not source and is_asked:
        source = ask_question(SOURCE_QUESTION, folder)
    return source


def _ask_name(folder: Path, *, is_asked: bool) -> str:
    """The name of the owner; raises UsageError if nobody can be asked."""
    if not is_asked:
        raise UsageError('a site needs the name of its owner: --name "Ada Lovelace"')
    return ask_question(NAME_QUESTION, folder)


def _replace_files(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files, also in place of others."""
    for file, content in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))


def _print_end(folder: Path, *, is_imported: bool) -> None:
    """Say what is left if the user ends the questions."""
    result = "Nothing was written."
    if is_imported:
        result = f"The imported site is in {display_path(folder)}."
    print(f"\n{result}")


def refuse_used_folder(folder: Path) -> None:
    """Raise UsageError for a file, and for a folder with files other than HARMLESS_PATTERNS."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise UsageError(f"{display_path(folder)} is a file; name a folder")

    names = sorted(path.name for path in folder.iterdir() if not _is_harmless(path.name.lower()))
    if names:
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        raise UsageError(
            f"{display_path(folder)} is not empty: it contains {', '.join(names[:3])}{more}; "
            "name an empty folder, or one that does not exist yet"
        )


def _is_harmless(name: str) -> bool:
    """Whether a file may be in the folder of a new site: .git, readme.md"""
    return any(fnmatch(name, pattern) for pattern in HARMLESS_PATTERNS)


def _import_source(source: str, folder: Path, name: str, *, is_optional: bool) -> int | None:
    """Import a source; returns the exit status, or None if an optional ORCID record cannot be had."""
    from tenure.cli.import_ import import_site

    if not name and sys.stdin.isatty() and Path(source).suffix.casefold() == ".bib":
        name = ask_question(NAME_QUESTION, folder)  # a list of publications has many names
    try:
        return import_site(Path(source), folder, name)
    except UsageError as error:
        if Path(source).exists() or not is_optional:
            raise
        later = format_command("import", source, "--to", display_path(folder))
        print(f"{error}. The site is made without the record. To add it later: {later}")
        return None


def _ask_about_site(folder: Path, files: Mapping[str, str | bytes]) -> Mapping[str, str]:
    """The answers by key; what the files, or an import into the folder, have already is not asked."""
    text = f"{files[SITE_FILE]!s}\n{files[PROFILE_FILE]!s}"
    # "affiliations:" answers the question "affiliation"
    known_keys = set(re.findall(r"^(\w+?)s?:", text, re.MULTILINE))
    if any((folder / "bib").glob("*.bib")):
        known_keys.add("bib")
    return {
        question.key: ask_question(question, folder)
        for question in PROFILE_QUESTIONS
        if question.key not in known_keys
    }


def _ask_about_authors(bib: str, profile: str) -> list[str]:
    """The other spellings of the name in a profile in a .bib file, as the user says; none without a file."""
    if not bib:
        return []
    from tenure.model.entries import Profile
    from tenure.problems import Problems
    from tenure.sources.publications.collect import count_possible_owner_spellings
    from tenure.sources.reading.files import parse_yaml, read_source_text

    text = read_source_text(Path(bib), bib, Problems()) or ""
    node = parse_yaml(profile, PROFILE_FILE, Problems())
    name = node.mapping["name"].text if node else ""
    return ask_about_spellings(count_possible_owner_spellings({bib: text}, Profile(name=name)))


def add_answers(
    files: Mapping[str, str | bytes], answers: Mapping[str, str], aliases: Sequence[str] = ()
) -> dict[str, str | bytes]:
    """
    The files with the answers: lines of site.yaml and the profile, copies of the photo and the .bib file.
    """
    from tenure.sources.editing.yaml_writer import format_yaml

    completed = dict(files)
    photo = answers.get("photo", "")
    bib = answers.get("bib", "")
    photo_name = f"photo{Path(photo).suffix.lower()}" if photo else ""
    for key, file in FILE_OF_KEY.items():
        value = photo_name if key == "photo" else answers.get(key, "")
        if value:
            completed[file] = f"{completed[file]!s}{format_yaml({key: value})}"

    if aliases:
        profile = str(completed[PROFILE_FILE])
        completed[PROFILE_FILE] = f"{profile}{format_yaml({'aliases': list(aliases)})}"
    if photo:
        completed[f"content/{photo_name}"] = Path(photo).read_bytes()
    if bib:
        completed.pop("bib/papers.bib", None)
        completed[f"bib/{Path(bib).name}"] = Path(bib).read_bytes()
    return completed


def _write_new_site(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write the files that the folder does not have; missing lines are added to its .gitignore."""
    existing: set[str] = set()
    if folder.is_dir():
        existing = {path.name for path in folder.iterdir()}
    readmes = [name for name in existing if name.lower().startswith("readme")]
    new_files = {name: content for name, content in files.items() if not readmes or name != "README.md"}
    added_lines = complete_gitignore(folder, new_files)
    written = write_missing_files(folder, new_files)
    for name in (*written.identical, *written.different, *readmes):
        print(f"kept {display_path(folder / name)}, which exists already")
    if added_lines:
        print(f"added to {display_path(folder / '.gitignore')}: {', '.join(added_lines)}")
    print(describe_ignored_wheel(folder), end="")
