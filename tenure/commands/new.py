"""`new`: write a new site from the answers to a few questions."""

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.commands.calls import DONE, CallError
from tenure.commands.invocation import steps_in
from tenure.commands.questions import (
    NAME,
    PROFILE,
    SOURCE,
    AnswerError,
    Answers,
    Question,
    answer_without_asking,
    ask,
)
from tenure.commands.requirements import describe_ignored_wheel
from tenure.commands.sites import seen
from tenure.commands.starter import starter_files

if TYPE_CHECKING:
    from tenure.pipeline import Outlet

HARMLESS = (
    *(".git", ".github", ".gitignore", ".gitattributes", ".editorconfig", ".nojekyll", ".ds_store", ".idea", ".vscode"),
    *("readme*", "license*", "licence*", "copying*", "cname", "citation.cff", "contributing*", "code_of_conduct*"),
)  # fmt: skip
"""Patterns of file names (in lower case) that the folder may already contain, such as those of Git hosts and editors."""

NOTE = "Enter accepts the suggestion in [brackets], or skips the question. Ctrl+C ends; nothing is written before the last answer."


def run(call: argparse.Namespace, here: Path, outlets: "Sequence[Outlet] | None") -> int:
    """Write a new site into a folder without files of another purpose; returns the exit status."""
    del here, outlets
    folder: Path = call.folder
    refuse_used_folder(folder)
    given: dict[str, str | None] = {
        question.option: getattr(call, question.option) for question in (SOURCE, NAME, *PROFILE)
    }
    answers = ask_all(given, folder) if sys.stdin.isatty() else answer_all(given, folder)
    if answers["import"]:
        from tenure.commands.import_ import import_site  # noqa: PLC0415 - loaded only for an import

        return import_site(Path(answers["import"]), folder, name=answers["name"])
    files = new_files(answers, folder)
    write_new_files(folder, files)
    where = "this folder" if seen(folder) == "." else f"{seen(folder)}/"
    print(f"wrote {len(files)} files into {where}. To see the site and every edit as you save it:")
    print(steps_in(seen(folder), "serve --open"), end="")
    if "README.md" in files:
        print("To publish it, follow the README.md in that folder.")
    else:
        print(
            "To publish it, push it to GitHub and choose “GitHub Actions” in the repository's Settings under Pages."
        )
    print(describe_ignored_wheel(folder), end="")
    return DONE


def refuse_used_folder(folder: Path) -> None:
    """Raise UsageError for a file, and for a folder with files other than HARMLESS_PATTERNS."""
    if folder.exists() and not folder.is_dir():
        raise CallError(f"{seen(folder)} is a file; name a folder")
    names = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    foreign = [name for name in names if not any(fnmatch(name.lower(), pattern) for pattern in HARMLESS)]
    if foreign:
        shown = ", ".join(foreign[:3]) + (f" and {len(foreign) - 3} more" if len(foreign) > 3 else "")
        raise CallError(
            f"{seen(folder)} is not empty: it contains {shown}; name an empty folder, or one that does not exist yet"
        )


def ask_all(given: Mapping[str, str | None], folder: Path) -> Answers:
    """
    The answers by option; asks at the terminal each question that no option answers.

    Raises UsageError if the input ends before the last answer.
    """
    if any(answer is None for answer in given.values()):
        print(NOTE)
    answers = dict.fromkeys(given, "")
    try:
        if given["import"] is not None or not _is_described(given):
            answers["import"] = ask(SOURCE, given["import"], folder)
        for question in _questions_after(answers["import"], given):
            answers[question.option] = ask(question, given[question.option], folder)
    except EOFError as error:
        print()
        raise CallError("the input ended before the last answer; nothing was written") from error
    except KeyboardInterrupt:
        print("\nNothing was written.")
        raise
    return answers


def answer_all(given: Mapping[str, str | None], folder: Path) -> Answers:
    """The answers by option, without asking; raises UsageError for an invalid one."""
    answers = dict.fromkeys(given, "")
    question = SOURCE
    try:
        answers["import"] = SOURCE.read(given["import"] or "")
        for question in _questions_after(answers["import"], given):
            if question is NAME and answers["import"] and given["name"] is None:
                continue  # the source has the name
            answers[question.option] = answer_without_asking(question, given[question.option], folder)
    except AnswerError as error:
        raise CallError(f"--{question.option}: {error}") from error
    return answers


def _is_described(given: Mapping[str, str | None]) -> bool:
    """Whether an option describes the site itself, so that nothing is imported."""
    return any(given[question.option] is not None for question in PROFILE)


def _questions_after(source: str, given: Mapping[str, str | None]) -> Sequence[Question]:
    """The questions after that for the import source; raises UsageError for an option that an import ignores."""
    if not source:
        return (NAME, *PROFILE)
    for question in PROFILE:
        if given[question.option] is not None:
            raise CallError(
                f"--{question.option} cannot be combined with --import; change the imported files afterwards"
            )
    return (NAME,)


def new_files(answers: Answers, folder: Path) -> dict[str, str | bytes]:
    """The files of the new site that the folder does not have yet, by path; missing lines are added to a .gitignore."""
    photo, bib = answers["photo"], answers["bib"]
    picture = f"photo{Path(photo).suffix.lower()}" if photo else ""
    files: dict[str, str | bytes] = {**starter_files({**answers, "photo": picture})}
    try:
        if photo:
            files[f"content/{picture}"] = Path(photo).read_bytes()
        if bib:
            del files["bib/papers.bib"]
            files[f"bib/{Path(bib).name}"] = Path(bib).read_bytes()
    except OSError as error:
        raise CallError(f"cannot read {error.filename}: {error.strerror or error}") from error
    ignored = folder / ".gitignore"
    if ignored.is_file():
        files[".gitignore"] = _with_lines(ignored.read_text(encoding="utf-8"), str(files[".gitignore"]))
    kept = [name for name in files if name != ".gitignore" and _has_file(folder, name)]
    for name in kept:
        print(f"kept {seen(folder / name)}, which exists already")
    return {name: content for name, content in files.items() if name not in kept}


def _has_file(folder: Path, name: str) -> bool:
    """Whether a folder has a file of this name, or a README in another format."""
    if name == "README.md" and folder.is_dir():
        return any(path.name.lower().startswith("readme") for path in folder.iterdir())
    return (folder / name).exists()


def _with_lines(text: str, wanted: str) -> str:
    """A text, and those lines of the required text that are not in it."""
    lines = [line for line in wanted.splitlines() if line not in text.splitlines()]
    return "\n".join([text.rstrip("\n"), *lines, ""]) if lines else text


def write_new_files(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """
    Write all files or none: after an error or an interruption, the folder is restored.

    Raises UsageError if a file cannot be written.
    """
    root = Path(os.path.abspath(folder))  # noqa: PTH100 - resolve() would follow links
    undo = contextlib.ExitStack()
    try:
        with undo:
            for name, content in files.items():
                path = root / name
                for parent in _missing_folders(path):
                    parent.mkdir()
                    undo.callback(_remove_folder, parent)
                before = path.read_bytes() if path.exists() else None
                undo.callback(_restore, path, before)
                path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
            undo.pop_all()
    except OSError as error:
        raise CallError(
            f"cannot write {seen(folder)}: {error.strerror or error}; nothing was written"
        ) from error


def _missing_folders(path: Path) -> Iterator[Path]:
    """The parent folders of a path that do not exist, outermost first."""
    yield from reversed([parent for parent in path.parents if not parent.exists()])


def _remove_folder(folder: Path) -> None:
    """Remove a folder unless it contains files."""
    with contextlib.suppress(OSError):
        folder.rmdir()


def _restore(path: Path, before: bytes | None) -> None:
    """Write the old content of a file; None removes the file."""
    if before is None:
        path.unlink(missing_ok=True)
    else:
        path.write_bytes(before)
