"""`new`: a site with nothing in it but what one says of oneself."""

import argparse
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.commands.calls import DONE, CallError
from tenure.commands.sites import refuse_unknown_theme, seen
from tenure.commands.starter import STARTER, starter_files
from tenure.frozen import dataclass

if TYPE_CHECKING:
    from tenure.pipeline import Outlet

ADDRESS = re.compile(r"https?://[\w.-]+(?::\d+)?(?:/\S*)?")
BETWEEN = frozenset({".git"})
"""What may stand in a folder already."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A question of `new`: the option that answers it, what is asked, and what stands for no answer."""

    option: str
    question: str
    default: Callable[[], str]


def _of_git(key: str) -> str:
    """What Git knows of whoever is calling, or ""."""
    try:
        done = subprocess.run(["git", "config", "--get", key], capture_output=True, text=True, check=False)  # noqa: S607 - the Git that the caller uses
    except OSError:
        return ""
    return done.stdout.strip()


WISHES = (
    Wish("name", "Your name", lambda: _of_git("user.name")),
    Wish("affiliation", "Where you are (university, laboratory)", lambda: ""),
    Wish(
        "url",
        "The address that the site will have (https://…; empty where you do not know it yet)",
        lambda: "",
    ),
    Wish("theme", "Its theme (classic, folio, plain)", lambda: "classic"),
)
"""What is asked, in order."""


def run(call: argparse.Namespace, here: Path, outlets: "Sequence[Outlet] | None") -> int:
    """Write a new site into a folder that is not there or empty; returns the exit status."""
    del here, outlets
    folder = call.folder
    if folder.exists() and (not folder.is_dir() or {path.name for path in folder.iterdir()} - BETWEEN):
        raise CallError(f"{seen(folder)} is there already and not empty; name a folder that is not")
    answers = {wish.option: _answer(wish, getattr(call, wish.option)) for wish in WISHES}
    if not answers["name"]:
        raise CallError('a site needs a name: new DIR --name "Ada Lovelace"')
    if answers["url"] and not ADDRESS.fullmatch(answers["url"]):
        raise CallError(f'"{answers["url"]}" is no address of a site; write https://…')
    refuse_unknown_theme(answers["theme"], STARTER)
    files = starter_files(answers)
    try:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CallError(f"cannot write {seen(folder)}: {error.strerror or error}") from error
    print(f"wrote {len(files)} files into {seen(folder)}/. Next:")
    print(f"  cd {seen(folder)} && python3 build.py serve --open     # see every edit as you save it")
    print(
        "  git init && git add . && git commit -m Site             # then push to GitHub; README.md says the rest"
    )
    return DONE


def _answer(wish: Wish, given: str | None) -> str:
    """What the call says, or a person at a terminal; else the default."""
    if given is not None:
        return " ".join(given.split())
    default = wish.default()
    if not sys.stdin.isatty():
        return default
    told = input(f"{wish.question}{f' [{default}]' if default else ''}: ")
    return " ".join(told.split()) or default
