"""A theme's settings and words: which folders to look in, which options there are, and what is chosen."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tenure.model.site import Look, ThemeWish
from tenure.problems import Place, Problems, suggestion
from tenure.sources.files import read_text, read_yaml
from tenure.sources.schema import decode
from tenure.sources.tree import Node

PACKAGE = Path(__file__).resolve().parent.parent
PACKAGED = PACKAGE / "themes" if (PACKAGE / "themes").is_dir() else PACKAGE.parent / "themes"
"""The themes that come with the package: inside it when installed, beside it in the repository."""

TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option of a theme: its type, its default and a line of help."""

    type: Literal["choice", "boolean", "text"] = "text"
    default: str = ""
    choices: tuple[str, ...] = ()
    help: str = ""


def look(root: Path, wish: ThemeWish, language: str, problems: Problems) -> Look | None:
    """The theme that a site wishes for; told and None where there is none of that name."""
    place = Place.at(wish.source or "site.yaml")
    folders, options, words = _chain(root, wish.name, problems, place)
    if not folders:
        names = {
            p.name
            for p in (*PACKAGED.glob("*"), *(root / "themes").glob("*"))
            if (p / "theme.yaml").is_file()
        }
        hint = suggestion(wish.name, names)
        problems.tell("unknown-theme", place, f'there is no theme called "{wish.name}"', hint)
        return None
    del language  # the words of other languages come with the themes that have them
    chosen = {name: _typed(option, option.default) for name, option in options.items()}
    for name, value in wish.options.items():
        complaint = _complaint(name, value, options)
        if complaint is None:
            chosen[name] = _typed(options[name], value)
        else:
            code, message, hint = complaint
            problems.tell(code, problems.where(f"{name}:", place.file) or place, message, hint)
    return Look(name=wish.name, folders=folders, options=chosen, words=words)


def _complaint(name: str, value: str, options: Mapping[str, Option]) -> tuple[str, str, str] | None:
    """What is wrong with an option as (code, message, hint), or None."""
    option = options.get(name)
    if option is None:
        return "unknown-option", f'the theme has no option "{name}"', suggestion(name, options)
    choices = option.choices if option.type == "choice" else TRUTH if option.type == "boolean" else ()
    if choices and value.casefold() not in choices:
        return "bad-choice", f"“{value}” is no choice for the option {name}", suggestion(value, choices)
    return None


def _typed(option: Option, value: str) -> str | bool:
    return TRUTH.get(value.casefold(), False) if option.type == "boolean" else value


def _chain(
    root: Path, name: str, problems: Problems, place: Place
) -> tuple[tuple[Path, ...], dict[str, Option], dict[str, str]]:
    """The folders of a theme and of all it extends, nearest first, with their options and words together."""
    folders: list[Path] = []
    options: dict[str, Option] = {}
    words: dict[str, str] = {}
    seen: set[str] = set()
    while name and name not in seen:
        seen.add(name)
        parent = ""
        for folder in dict.fromkeys(((root / "themes" / name).resolve(), (PACKAGED / name).resolve())):
            if not folder.is_dir():
                continue
            folders.append(folder)
            front = _theme_file(folder / "theme.yaml", problems)
            if front is None:
                continue
            for key, node in front.entries.get("options", Node(None, front.place)).entries.items():
                option = decode(node, Option, problems, f'option "{key}"')
                if option is not None:
                    options.setdefault(key, option)
            for key, node in front.entries.get("words", Node(None, front.place)).entries.items():
                words.setdefault(key, node.words)
            parent = parent or front.entries.get("extends", Node(None, front.place)).words
        if not folders or (len(seen) > 1 and not any(f.name == name for f in folders)):
            if folders:
                problems.tell("unknown-theme", place, f'a theme extends "{name}", which is not there')
            break
        name = parent or ("base" if name != "base" else "")
    return tuple(folders), options, words


def _theme_file(path: Path, problems: Problems) -> Node | None:
    if not path.is_file():
        return None
    name = f"themes/{path.parent.name}/theme.yaml"
    text = read_text(path, name, problems)
    return None if text is None else read_yaml(text, name, problems)
