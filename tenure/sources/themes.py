"""Loads the settings of a theme: its folders, options, chosen values and translations."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tenure.frozen import dataclass
from tenure.model.languages import Language
from tenure.model.site import Look, ThemeWish
from tenure.problems import Place, Problems, suggestion
from tenure.sources.files import find, read_text, read_yaml
from tenure.sources.options import Option, complaint, flaw
from tenure.sources.overrides import tell_outdated
from tenure.sources.schema import decode
from tenure.sources.tree import Node
from tenure.sources.words import Dictionary

PACKAGE = Path(__file__).resolve().parent.parent
PACKAGED = PACKAGE / "themes" if (PACKAGE / "themes").is_dir() else PACKAGE.parent / "themes"
"""The folder of the packaged themes: inside the package if installed, next to it in the repository."""

TEXTS = (".html", ".css", ".js", ".typ")
"""Suffixes of the text files of a theme."""


@dataclass(frozen=True, slots=True)
class Lineage:
    """A theme and all themes that it extends: their folders, nearest first, and their combined options."""

    folders: tuple[Path, ...]
    description: str
    options: Mapping[str, Option]


def look(
    root: Path, wish: ThemeWish, language: Language, others: Iterable[Language], problems: Problems
) -> Look | None:
    """
    The theme that a site is configured to use; None and a report if no theme has this name.

    `language` is the language of the site. Existing translations for `page_languages` are loaded too.
    """
    place = Place.at(wish.source or "site.yaml")
    lineage = lineage_of(root, wish.name, problems, place)
    folders, options = lineage.folders, lineage.options
    if not folders:
        hint = suggestion(wish.name, themes_of(root))
        where = next(problems.places(rf"(?<=\s){re.escape(wish.name)}\b", place.file), place)
        problems.tell("unknown-theme", where, f'there is no theme called "{wish.name}"', hint)
        return None
    if not _are_texts(root, folders, problems):
        return None
    chosen = {name: option.value(option.usual) for name, option in options.items()}
    for name, value in wish.options.items():
        code, message, hint = complaint(name, value, options) or ("", "", "")
        if code in ("", "low-contrast"):
            chosen[name] = options[name].value(value)
        if code and not wish.tried:
            wrong = value if value and code != "unknown-option" else name
            where = next(problems.places(rf"(?<![\w-]){re.escape(wrong)}(?![\w-])", place.file), place)
            problems.tell(code, where, message, hint)
    tell_outdated(root, folders, problems)
    words = Dictionary(wish.name, folders, problems)
    return Look(
        name=wish.name,
        folders=folders,
        options=chosen,
        words=words.of_site(language),
        others=words.of_pages(sorted({*others} - {language, ""})),
    )


def lineage_of(root: Path, name: str, problems: Problems, place: Place) -> Lineage:
    """A theme with all that it extends; without folders if no theme has this name. `place` is used in reports."""
    wanted, description = name, ""
    folders: list[Path] = []
    options: dict[str, Option] = {}
    seen: set[str] = set()
    while name and name not in seen:
        seen.add(name)
        parent = ""
        for folder in own_folders(root, name):
            if not folder.is_dir():
                continue
            folders.append(folder)
            front = _theme_file(folder / "theme.yaml", problems)
            if front is None:
                continue
            for key, option in _options(front, problems):
                options.setdefault(key, option)
            if folder.name == wanted:
                description = description or front.entries.get("description", Node(None, front.place)).words
            parent = parent or front.entries.get("extends", Node(None, front.place)).words
        if not folders:
            break
        if not any(folder.name == name for folder in folders):
            where = next(problems.places(rf"extends:\s*({re.escape(name)})"), place)
            message = f'there is no theme called "{name}" to extend'
            problems.tell("unknown-theme", where, message, suggestion(name, themes_of(root)))
        name = parent or ("base" if name != "base" else "")
    return Lineage(tuple(folders), description, options)


def own_folders(root: Path, name: str) -> tuple[Path, ...]:
    """The possible folders of a theme, without the themes that it extends: the site's, then the packaged one."""
    return tuple(dict.fromkeys(((root / "themes" / name).resolve(), (PACKAGED / name).resolve())))


def _are_texts(root: Path, folders: Iterable[Path], problems: Problems) -> bool:
    """Whether all templates, styles and scripts of the site's themes are readable; each unreadable file is reported."""
    own = [folder for folder in folders if folder.parent == (root / "themes").resolve() != PACKAGED]
    files = [
        path
        for folder in own
        for path in find(folder, f"themes/{folder.name}", problems)
        if path.suffix in TEXTS
    ]
    read = [
        read_text(path, f"themes/{path.relative_to(own[0].parent).as_posix()}", problems) for path in files
    ]
    return None not in read


def _options(front: Node, problems: Problems) -> Iterator[tuple[str, Option]]:
    """The valid options in a theme.yaml; the others are reported."""
    for key, node in front.entries.get("options", Node(None, front.place)).entries.items():
        option = decode(node, Option, problems, f'option "{key}"')
        wrong = flaw(key, option) if option is not None else None
        if wrong:
            problems.tell(wrong[0], node.place, *wrong[1:])
        elif option is not None:
            yield key, option


KEYS = ("description", "extends", "options")


def _theme_file(path: Path, problems: Problems) -> Node | None:
    if not path.is_file():
        return None
    name = f"themes/{path.parent.name}/theme.yaml"
    text = read_text(path, name, problems)
    front = None if text is None else read_yaml(text, name, problems)
    for key in front.entries if front else ():
        if front and key not in KEYS:
            words = "write them in words/en.yaml in the same folder"
            hint = words if key in ("words", "strings") else suggestion(key, KEYS)
            problems.tell("unknown-key", front.key_place(key), f'unknown key "{key}" in {name}', hint)
    return front


def themes_of(root: Path) -> set[str]:
    """The names of all themes that are available to a site."""
    folders = (*PACKAGED.glob("*"), *(root / "themes").glob("*"))
    return {folder.name for folder in folders if (folder / "theme.yaml").is_file()}
