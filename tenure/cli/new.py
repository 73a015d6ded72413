"""`new`: write a new site from the answers to a few questions."""

import argparse
import contextlib
import os
import sys
from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cli.arguments import EXIT_OK, UsageError
from tenure.cli.invocation import format_next_steps
from tenure.cli.questions import (
    NAME_QUESTION,
    PROFILE_QUESTIONS,
    SOURCE_QUESTION,
    AnswerError,
    Answers,
    Question,
    answer_without_asking,
    ask_question,
)
from tenure.cli.requirements import describe_ignored_wheel
from tenure.cli.starter import create_starter_files
from tenure.cli.targets import display_path
from tenure.model.links import parse_orcid

if TYPE_CHECKING:
    from tenure.build import Exporter

HARMLESS_PATTERNS = (
    *(".git", ".github", ".cache", ".gitignore", ".gitattributes", ".editorconfig", ".nojekyll", ".ds_store", ".idea", ".vscode"),
    *("readme*", "license*", "licence*", "copying*", "cname", "citation.cff", "contributing*", "code_of_conduct*"),
)  # fmt: skip
"""Patterns of file names (in lower case) that the folder may already contain, such as those of Git hosts and editors."""

QUESTIONS_INTRODUCTION = "Enter accepts the suggestion in [brackets], or skips the question. Ctrl+C ends; nothing is written before the last answer."


def run_command(
    arguments: argparse.Namespace, default_folder: Path, exporters: "Sequence[Exporter] | None"
) -> int:
    """Write a new site into a folder without files of another purpose; returns the exit status."""
    del default_folder, exporters
    folder: Path = arguments.folder
    refuse_used_folder(folder)
    option_values: dict[str, str | None] = {
        question.option: getattr(arguments, question.option)
        for question in (SOURCE_QUESTION, NAME_QUESTION, *PROFILE_QUESTIONS)
    }
    answers = (
        ask_questions(option_values, folder)
        if sys.stdin.isatty()
        else answer_from_options(option_values, folder)
    )
    if answers["import"]:
        from tenure.cli.import_ import import_site  # noqa: PLC0415 - loaded only for an import

        return import_site(Path(answers["import"]), folder, name=answers["name"])
    files = collect_missing_files(answers, folder)
    write_new_files(folder, files)
    folder_text = "this folder" if display_path(folder) == "." else f"{display_path(folder)}/"
    print(f"wrote {len(files)} files into {folder_text}. To see the site and every edit as you save it:")
    print(format_next_steps(display_path(folder), "serve --open"), end="")
    if "README.md" in files:
        print("To publish it, follow the README.md in that folder.")
    else:
        print(
            "To publish it, push it to GitHub and choose “GitHub Actions” in the repository's Settings under Pages."
        )
    print(describe_ignored_wheel(folder), end="")
    return EXIT_OK


def refuse_used_folder(folder: Path) -> None:
    """Raise UsageError for a file, and for a folder with files other than HARMLESS_PATTERNS."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{display_path(folder)} is a file; name a folder")
    names = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    foreign_names = [
        name for name in names if not any(fnmatch(name.lower(), pattern) for pattern in HARMLESS_PATTERNS)
    ]
    if foreign_names:
        listed_names = ", ".join(foreign_names[:3]) + (
            f" and {len(foreign_names) - 3} more" if len(foreign_names) > 3 else ""
        )
        raise UsageError(
            f"{display_path(folder)} is not empty: it contains {listed_names}; name an empty folder, or one that does not exist yet"
        )


def ask_questions(option_values: Mapping[str, str | None], folder: Path) -> Answers:
    """
    The answers by option; asks at the terminal each question that no option answers.

    Raises UsageError if the input ends before the last answer.
    """
    if any(answer is None for answer in option_values.values()):
        print(QUESTIONS_INTRODUCTION)
    answers = dict.fromkeys(option_values, "")
    try:
        describes_site = any(option_values[question.option] is not None for question in PROFILE_QUESTIONS)
        if option_values["import"] is not None or not describes_site:  # else nothing is imported
            answers["import"] = ask_question(SOURCE_QUESTION, option_values["import"], folder)
        for question in _remaining_questions(answers["import"], option_values):
            answers[question.option] = ask_question(question, option_values[question.option], folder)
    except EOFError as error:
        print()
        raise UsageError("the input ended before the last answer; nothing was written") from error
    except KeyboardInterrupt:
        print("\nNothing was written.")
        raise
    return answers


def answer_from_options(option_values: Mapping[str, str | None], folder: Path) -> Answers:
    """The answers by option, without asking; raises UsageError for an invalid one."""
    answers = dict.fromkeys(option_values, "")
    question = SOURCE_QUESTION
    try:
        answers["import"] = SOURCE_QUESTION.parse(option_values["import"] or "")
        for question in _remaining_questions(answers["import"], option_values):
            if question is NAME_QUESTION and answers["import"] and option_values["name"] is None:
                continue  # the source has the name
            answers[question.option] = answer_without_asking(question, option_values[question.option], folder)
    except AnswerError as error:
        raise UsageError(f"--{question.option}: {error}") from error
    return answers


def _remaining_questions(source: str, option_values: Mapping[str, str | None]) -> Sequence[Question]:
    """The questions after that for the import source; raises UsageError for an option that an import ignores."""
    if not source:
        return (NAME_QUESTION, *PROFILE_QUESTIONS)
    for question in PROFILE_QUESTIONS:
        if option_values[question.option] is not None:
            raise UsageError(
                f"--{question.option} cannot be combined with --import; change the imported files afterwards"
            )
    has_name = bool(parse_orcid(source)) and option_values["name"] is None
    return () if has_name else (NAME_QUESTION,)


def collect_missing_files(answers: Answers, folder: Path) -> dict[str, str | bytes]:
    """The files of the new site that the folder does not have yet, by path; missing lines are added to a .gitignore."""
    photo, bib = answers["photo"], answers["bib"]
    photo_name = f"photo{Path(photo).suffix.lower()}" if photo else ""
    files: dict[str, str | bytes] = {**create_starter_files({**answers, "photo": photo_name})}
    try:
        if photo:
            files[f"content/{photo_name}"] = Path(photo).read_bytes()
        if bib:
            del files["bib/papers.bib"]
            files[f"bib/{Path(bib).name}"] = Path(bib).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {error.filename}: {error.strerror or error}") from error
    gitignore = folder / ".gitignore"
    if gitignore.is_file():
        old_text = gitignore.read_text(encoding="utf-8")
        files[".gitignore"] = _append_missing_lines(old_text, str(files[".gitignore"]))
    existing = [name for name in files if name != ".gitignore" and _has_equivalent_file(folder, name)]
    for name in existing:
        print(f"kept {display_path(folder / name)}, which exists already")
    return {name: content for name, content in files.items() if name not in existing}


def _has_equivalent_file(folder: Path, name: str) -> bool:
    """Whether a folder has a file of this name, or a README in another format."""
    if name == "README.md" and folder.is_dir():
        return any(path.name.lower().startswith("readme") for path in folder.iterdir())
    return (folder / name).exists()


def _append_missing_lines(text: str, required_text: str) -> str:
    lines = [line for line in required_text.splitlines() if line not in text.splitlines()]
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
                for parent in [folder for folder in reversed(path.parents) if not folder.exists()]:
                    parent.mkdir()
                    undo.callback(_remove_empty_folder, parent)
                old_content = path.read_bytes() if path.exists() else None
                undo.callback(_restore_file, path, old_content)
                path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
            undo.pop_all()
    except OSError as error:
        raise UsageError(
            f"cannot write {display_path(folder)}: {error.strerror or error}; nothing was written"
        ) from error


def _remove_empty_folder(folder: Path) -> None:
    """Remove a folder unless it contains files."""
    with contextlib.suppress(OSError):
        folder.rmdir()


def _restore_file(path: Path, old_content: bytes | None) -> None:
    """Write the old content of a file; None removes the file."""
    if old_content is None:
        path.unlink(missing_ok=True)
    else:
        path.write_bytes(old_content)
