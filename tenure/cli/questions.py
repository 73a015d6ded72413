"""The questions of `new`: prompts, parsers of the answers, and suggestions."""

import importlib
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from tenure.cli.arguments import IMPORT_MODULE
from tenure.model.files import IMAGE_SUFFIXES
from tenure.model.links import is_orcid_like, parse_email, parse_orcid
from tenure.problems import format_count
from tenure.record import Record

_DOMAIN_PATTERN = re.compile(r"(?:[\w-]+\.)+[^\W\d_]{2,}(?::\d+)?(?:/\S*)?|localhost(?::\d+)?(?:/\S*)?")
"""An address without https://: example.org:8000/a, localhost:8000."""

_GITHUB_REMOTE = re.compile(r"github\.com[:/]([\w.-]+)/([\w.-]+?)(?:\.git)?/?$")
"""git@github.com:ada/site.git -> ada and site."""


class AnswerError(Exception):
    """An answer is invalid; the message says why, and what to write."""


class Question(Record):
    """
    A question of `new`: the key of its answer, and its prompt.

    `parse` takes an answer as it was typed and returns its value; it raises AnswerError for an invalid one.
    `suggest` takes the folder of the new site.
    """

    key: str
    prompt: str
    parse: Callable[[str], str]
    suggest: Callable[[Path], str] = lambda _: ""


def parse_owner_name(answer: str) -> str:
    """The name of the owner; raises AnswerError for ""."""
    if not answer:
        raise AnswerError('a site needs the name of its owner, such as "Ada Lovelace"')
    return answer


def parse_email_answer(answer: str) -> str:
    """An e-mail address; "" for none."""
    address = parse_email(answer)
    if answer and not address:
        raise AnswerError(f'"{answer}" is not an e-mail address; write one such as name@example.edu')
    return address


def parse_site_url(answer: str) -> str:
    """The URL of the site; `janaweber.github.io` becomes `https://janaweber.github.io/`; "" for none."""
    if not answer or re.fullmatch(r"https?://[\w.-]+(?::\d+)?(?:/\S*)?", answer):
        return answer
    if _DOMAIN_PATTERN.fullmatch(answer):
        return f"https://{answer}" if "/" in answer else f"https://{answer}/"
    raise AnswerError(f'"{answer}" is not the URL of a site; write one such as https://janaweber.github.io/')


def parse_theme_name(answer: str) -> str:
    """The name of a packaged theme."""
    from tenure.problems import format_suggestion
    from tenure.sources.theme.theme_settings import PACKAGED_THEMES, list_themes

    themes = list_themes(PACKAGED_THEMES)
    if answer not in themes:
        raise AnswerError(f'there is no theme "{answer}"; {format_suggestion(answer, themes)}')
    return answer


def parse_path(suffixes: Sequence[str], reason: str, answer: str) -> str:
    """
    The absolute path of a file with one of these suffixes, or of any file or folder if there are none.

    "" for "". Accepts the quotes and backslashes that terminals add to a dropped file. Raises AnswerError if
    there is no such file.
    """
    if not answer:
        return ""

    unquoted = answer.strip("'\"") if answer[:1] in ("'", '"') else answer
    path = Path(unquoted).expanduser()
    # a terminal writes My\ CV.pdf for a file that is dropped on it
    if not path.exists() and "\\ " in unquoted:
        path = Path(unquoted.replace("\\ ", " ")).expanduser()

    if not path.exists():
        raise AnswerError(f"{answer} does not exist; a path is relative to {Path.cwd()}")
    if suffixes and not path.is_file():
        raise AnswerError(f"{answer} is a folder; name the file")
    if suffixes and path.suffix.casefold() not in suffixes:
        raise AnswerError(f"{answer} is {reason}")
    return str(path.resolve())


def parse_import_source(answer: str) -> str:
    """The path of a file or folder that `import` reads, or an ORCID iD; "" for none."""
    if is_orcid_like(answer) and not Path(answer).exists():
        if not parse_orcid(answer):
            raise AnswerError(f"{answer} is not an ORCID iD: its last character does not fit the others")
        return parse_orcid(answer)
    path = parse_path((), "", answer)
    reason = importlib.import_module(IMPORT_MODULE).explain_refusal(Path(path)) if path else ""
    if reason:
        raise AnswerError(reason)
    return path


def parse_yes(answer: str) -> str:
    """ "yes", or "" for no; raises AnswerError for another word."""
    if answer.casefold() not in ("y", "yes", "n", "no"):
        raise AnswerError(f'"{answer}" is neither yes nor no')
    return "yes" if answer.casefold().startswith("y") else ""


def query_git(*arguments: str, folder: Path | None = None) -> str:
    """The output of a Git command in a folder (default: the current one), "" if it fails."""
    command = ["git", *arguments]
    try:
        process = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except OSError:
        return ""
    return process.stdout.strip() if process.returncode == 0 else ""


def suggest_email(folder: Path) -> str:
    """The e-mail address in the configuration of Git, unless it is a noreply address."""
    del folder
    address = query_git("config", "--get", "user.email")
    if "noreply" in address or not parse_email(address):
        return ""
    return address


def suggest_url(folder: Path) -> str:
    """The GitHub Pages URL of the repository of which a folder is the root; "" if there is none."""
    if not (folder / ".git").exists():
        return ""
    match = _GITHUB_REMOTE.search(query_git("remote", "get-url", "origin", folder=folder))
    if match is None:
        return ""

    site = f"{match[1].lower()}.github.io"
    name = match[2]
    return f"https://{site}/" if name.lower() == site else f"https://{site}/{name}/"


SOURCE_QUESTION = Question(
    "source",
    "Your ORCID iD, or a site, a CV in Word or a list of publications to import (file or folder)",
    parse_import_source,
)
PREVIEW_QUESTION = Question("preview", "Show it now?", parse_yes, lambda _: "Y")
NAME_QUESTION = Question(
    "name", "Your name", parse_owner_name, lambda _: query_git("config", "--get", "user.name")
)
PROFILE_QUESTIONS = (
    Question("role", "Your role, such as PhD student", str),
    Question("affiliation", "Your university or institute", str),
    Question(
        "email", "Your e-mail address; the site hides it from robots", parse_email_answer, suggest_email
    ),
    Question("url", "The URL of the site, such as janaweber.github.io", parse_site_url, suggest_url),
    Question(
        "theme",
        "Its theme: classic, folio, margin, plate, stage, or plain, a skeleton",
        parse_theme_name,
        lambda _: "classic",
    ),
    Question(
        "bib",
        "A .bib file with your publications",
        partial(parse_path, (".bib",), "not a .bib file; export your publications as BibTeX"),
    ),
    Question(
        "photo",
        "A photo of you",
        partial(parse_path, IMAGE_SUFFIXES, "not a picture that browsers show; save it as JPEG or PNG"),
    ),
)
"""The questions about a site; what an import has found is not asked."""


def ask_about_spellings(counts: Mapping[str, int]) -> list[str]:
    """The names in a .bib file that the user says are the owner's; `counts` are the entries of each."""
    questions = {
        spelling: Question(
            "aliases",
            f"Is {spelling} you? ({format_count(count, 'entry', 'entries')})",
            parse_yes,
            lambda _: "no",
        )
        for spelling, count in counts.items()
    }
    return [spelling for spelling, question in questions.items() if ask_question(question, Path())]


def ask_question(question: Question, folder: Path) -> str:
    """
    The answer that the user types; after an invalid one, the question is asked again.

    Raises EOFError at the end of the input.
    """
    suggestion = question.suggest(folder)
    shown = f" [{suggestion}]" if suggestion else ""
    while True:
        typed = input(f"{question.prompt}{shown}: ")
        try:
            return question.parse(" ".join(typed.split()) or suggestion)
        except AnswerError as error:
            print(f"  {error}")
