"""
Loads the settings of a theme: its folders, options, chosen values and translations.

The objects: a Lineage is a theme with all that it extends, up to base;
an ActiveTheme is a Lineage with the values that a site has chosen.

A site may have copies of theme files: each has the digest of its original, and a changed original is
reported. The first line of a copy: {#- A copy of base/parts/talks.html (0123456789): … -#}
"""

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path, PurePosixPath

from tenure.model.languages import Language
from tenure.model.site import ActiveTheme, Settings, ThemeColor, ThemeConfig, ThemePalette
from tenure.problems import Place, Problems, format_suggestion
from tenure.record import Record
from tenure.source_paths import list_used_files, resolve_path
from tenure.sources.reading.files import find_files, read_source_text, read_yaml
from tenure.sources.reading.node import Node
from tenure.sources.schema.decode import decode_node
from tenure.sources.theme.labels import TranslationLoader
from tenure.sources.theme.options import (
    ThemeOption,
    check_option_definition,
    check_option_value,
    check_palette,
    color_palette,
    resolve_option_alias,
    use_grounds_of_palette,
)

PACKAGE_FOLDER = Path(__file__).resolve().parents[2]
PACKAGED_THEMES = (
    PACKAGE_FOLDER / "themes" if (PACKAGE_FOLDER / "themes").is_dir() else PACKAGE_FOLDER.parent / "themes"
)
"""The folder of the packaged themes: inside the package if installed, next to it in the repository."""


class Lineage(Record):
    """A theme and all themes that it extends: their folders, nearest first, and their combined options."""

    folders: tuple[Path, ...]
    description: str
    options: Mapping[str, ThemeOption]


def load_theme_settings(
    root: Path,
    settings: Settings,
    page_languages: Iterable[Language],
    problems: Problems,
) -> ActiveTheme | None:
    """
    The theme that a site is configured to use; None and a report if no theme has this name.

    Existing translations for `page_languages` are loaded too.
    """
    config = settings.theme
    place = config.place_of("name") if config.source.file else Place("site.yaml")
    names = list_themes(root)
    same_names = (name for name in sorted(names) if name.casefold() == config.name.casefold())
    lineage = read_lineage(root, next(same_names, config.name), problems, place)
    folders = lineage.folders
    if not folders:
        hint = format_suggestion(config.name, names)
        problems.report("unknown-theme", place, f'there is no theme called "{config.name}"', hint)
        return None
    if not _has_readable_files(root, folders, problems):
        return None

    # colors are checked for contrast with the page of the chosen palette
    options = use_grounds_of_palette(lineage.options, config.options)
    chosen = _choose_values(root, options, config, problems)
    report_outdated_copies(root, folders, problems)

    language = settings.language
    language_configs = (c for c in settings.languages if c.language == language)
    language_place = next(language_configs, settings).place_of("language")
    loader = TranslationLoader(folders[0].name, folders, problems)
    return ActiveTheme(
        name=folders[0].name,
        folders=folders,
        options=chosen,
        translations=loader.load_for_site(language, language_place),
        other_translations=loader.load_for_pages(sorted({*page_languages} - {language, ""})),
    )


def _choose_values(
    root: Path, options: Mapping[str, ThemeOption], config: ThemeConfig, problems: Problems
) -> dict[str, str | bool | ThemeColor]:
    """
    The value of each option for templates: that of the site, or the default; a wrong one is reported.

    {menu: side, tone: rust} -> {"menu": "side", "accent": ThemeColor(…), …}, where `tone` is an alias of
    `accent`. A color with little contrast is reported and used, and a palette that only another theme has is
    reported and not used. In a trial (`--theme folio`), the options in site.yaml are those of another theme,
    so nothing is reported.
    """
    chosen = {name: option.to_template_value(option.default_value) for name, option in options.items()}
    for name, value in config.options.items():
        key = resolve_option_alias(name, options)
        code, message, hint = check_option_value(key, value, options) or ("", "", "")
        if code in ("", "low-contrast"):
            chosen[key] = options[key].to_template_value(value)
        elif _is_palette_elsewhere(root, options.get(key), value):
            code = "unused-key"
            message = f"“{value}” is a palette of another theme; “{options[key].default_value}” is used"
        if code and not config.is_trial:
            # the mark stands below the value; below the key if that is wrong, or if there is no value
            place = config.key_place_of(name)
            if value and code != "unknown-option":
                place = config.place_of(name)
            problems.report(code, place, message, hint)

    # a theme may have both: its links then have the accent, and its band the hue of that
    accent = chosen.get("accent")
    if isinstance(accent, ThemeColor):
        palettes = {name: value for name, value in chosen.items() if isinstance(value, ThemePalette)}
        chosen |= {name: color_palette(palette, accent) for name, palette in palettes.items()}
    return chosen


def _is_palette_elsewhere(root: Path, option: ThemeOption | None, value: str) -> bool:
    """Whether the value of an option of a theme is a palette that another theme has."""
    if option is None or option.type != "palette":
        return False
    place = Place("site.yaml")
    themes = (read_lineage(root, name, Problems(), place) for name in sorted(list_themes(root)))
    others = (other for theme in themes for other in theme.options.values() if other.type == "palette")
    return any(other.find_choice(value) for other in others)


def read_lineage(root: Path, name: str, problems: Problems, place: Place) -> Lineage:
    """
    A theme with all that it extends; without folders if no theme has this name. `place` is used in reports.

    "folio" -> the folders of folio, of the theme that its theme.yaml extends, and of base. A site may have a
    folder of the same name, which goes first.
    """
    wanted_name = name
    description = ""
    folders: list[Path] = []
    option_nodes: dict[str, Node] = {}
    visited: set[str] = set()
    while name and name not in visited:
        visited.add(name)
        nodes: list[Node] = []
        for folder in filter(os.path.isdir, theme_folders(root, name)):
            folders.append(folder)
            node = _read_theme_yaml(folder / "theme.yaml", problems)
            if node is not None:
                nodes.append(node)
                _inherit_options(option_nodes, node)
                if folder.name == wanted_name:
                    description = description or node.child("description").text

        if not folders:
            break
        if not any(folder.name == name for folder in folders):
            message = f'there is no theme called "{name}" to extend'
            problems.report("unknown-theme", place, message, format_suggestion(name, list_themes(root)))
        parent = _find_parent(nodes, visited, problems)
        # a theme that extends none extends base
        if parent is not None:
            name = parent.text
            place = parent.place
        else:
            name = "" if name == "base" else "base"
    return Lineage(tuple(folders), description, dict(_read_theme_options(option_nodes, problems)))


def _inherit_options(option_nodes: dict[str, Node], theme_node: Node) -> None:
    """
    Add the options of a theme to those of the themes that extend it, and its keys to theirs.

    own/theme.yaml:   options: {menu: {default: side}}
    base/theme.yaml:  options: {menu: {type: choice, default: top, choices: [top, side]}}
    -> {menu: {type: choice, default: side, choices: [top, side]}}
    An option with a `type` of its own inherits nothing.
    """
    for key, node in theme_node.child("options").mapping.items():
        nearer = option_nodes.setdefault(key, node)
        if nearer.mapping and "type" not in nearer.mapping:
            keys = {**node.keys, **nearer.keys}
            option_nodes[key] = Node({**node.mapping, **nearer.mapping}, nearer.place, keys)


def _find_parent(nodes: Iterable[Node], visited: Set[str], problems: Problems) -> Node | None:
    """The name of the theme that a theme extends, with its place; a circle is reported."""
    for node in nodes:
        parent = node.child("extends")
        if parent.text in visited:
            message = f'"{parent.text}" is this theme, or a theme that extends it'
            problems.report("unknown-theme", parent.place, message, "write extends: base")
        elif parent.text:
            return parent
    return None


def theme_folders(root: Path, name: str) -> tuple[Path, ...]:
    """The possible folders of a theme, without those that it extends: the site's, then the packaged one."""
    # no file has such a name
    if "\0" in name:
        return ()
    return tuple(dict.fromkeys(map(resolve_path, (root / "themes" / name, PACKAGED_THEMES / name))))


TEXT_SUFFIXES = (".html", ".css", ".js", ".typ")
"""Suffixes of the text files of a theme."""


def _has_readable_files(root: Path, folders: Iterable[Path], problems: Problems) -> bool:
    """Whether all templates, styles and scripts of the site's themes are readable; each other is reported."""
    earlier_count = problems.count()
    for folder in folders:
        if folder.parent == resolve_path(root / "themes") != PACKAGED_THEMES:
            name = f"themes/{folder.name}"
            for path in find_files(folder, name, problems):
                if path.suffix in TEXT_SUFFIXES:
                    read_source_text(path, f"{name}/{path.relative_to(folder).as_posix()}", problems)
    return problems.count() == earlier_count


def _read_theme_options(
    option_nodes: Mapping[str, Node], problems: Problems
) -> Iterator[tuple[str, ThemeOption]]:
    """The valid options of a theme; the others are reported."""
    for key, node in option_nodes.items():
        option = decode_node(node, ThemeOption, problems, f'option "{key}"')
        if option is None:
            continue
        if problem := check_option_definition(key, option):
            code, message, hint = problem
            problems.report(code, node.place, message, hint)
            continue
        choices = node.child("choices").items
        for choice, (name, palette) in zip(choices, option.palettes.items(), strict=False):
            for code, message, hint in check_palette(name, palette, option.tint):
                problems.report(code, choice.place, message, hint)
        yield key, option


THEME_KEYS = ("description", "extends", "options")


def _read_theme_yaml(path: Path, problems: Problems) -> Node | None:
    """
    The settings of a theme; None if the file does not exist or cannot be read. Unknown keys are reported.
    """
    if not os.path.lexists(path):
        return None
    name = f"themes/{path.parent.name}/theme.yaml"
    node = read_yaml(path, name, problems)
    if node is None:
        return None
    for key in node.mapping:
        if key not in THEME_KEYS:
            hint = format_suggestion(key, THEME_KEYS)
            if key in ("words", "strings", "translations", "labels"):
                hint = "write them in translations/en.yaml in the same folder"
            problems.report("unknown-key", node.key_place(key), f'unknown key "{key}" in {name}', hint)
    return node


def list_themes(root: Path) -> set[str]:
    """The names of all themes that are available to a site."""
    folders = (*PACKAGED_THEMES.glob("*"), *(root / "themes").glob("*"))
    return {folder.name for folder in folders if os.path.isfile(folder / "theme.yaml")}


_COMMENT_SIGNS = {
    ".html": ("{#- ", " -#}"),
    ".css": ("/* ", " */"),
    ".js": ("/* ", " */"),
    ".svg": ("<!-- ", " -->"),
    ".tex": ("% ", ""),
    ".typ": ("// ", ""),
}
"""Start and end of a comment, by file suffix, for files that can have one in the first line."""

FILE_KINDS = ("parts", "pages", "assets")


class OverridableFile(Record):
    """A file of a theme: its path within the theme ("parts/talks.html") and its path on disk."""

    name: str
    path: Path

    @property
    def full_name(self) -> str:
        """The path with the name of the theme: "base/parts/talks.html"."""
        return f"{self.path.parents[self.name.count('/')].name}/{self.name}"

    @property
    def digest(self) -> str:
        """The BLAKE2b digest of the file, ten hexadecimal digits."""
        return hashlib.blake2b(self.path.read_bytes(), digest_size=5).hexdigest()


def list_theme_files(folders: Sequence[Path]) -> dict[str, OverridableFile]:
    """Every file that a site may override, by its path in the theme, of the first folder; no licences."""
    files: dict[str, OverridableFile] = {}
    patterns = (*(f"{kind}/**/*" for kind in FILE_KINDS), "*.typ", "cv.tex", "cv-word/*.xml")
    for folder in folders:
        for path in sorted(path for pattern in patterns for path in list_used_files(folder, pattern)):
            name = path.relative_to(folder).as_posix()
            if path.suffix != ".txt":
                files.setdefault(name, OverridableFile(name, path))
    return files


def match_file_name(file_name: str, known_names: Sequence[str]) -> str:
    """The theme file with this path, end of path or bare name; parts have priority. "" if none matches."""
    wanted = file_name.strip("/").removeprefix("./")
    order = {folder: number for number, folder in enumerate(FILE_KINDS)}
    matches = [
        (order.get(name.partition("/")[0], len(order)), name)
        for name in known_names
        if wanted in (name, name.partition("/")[2], name.rpartition(".")[0], PurePosixPath(name).stem)
    ]
    return min(matches, default=(0, ""))[1]


def build_marked_copy(original: OverridableFile) -> bytes:
    """
    The bytes of a site's copy of a file,
    with the digest of the original in a comment if the file type has comments.
    """
    body = original.path.read_bytes()
    comment_signs = _COMMENT_SIGNS.get(original.path.suffix)
    if comment_signs is None or body.startswith(b"<?xml"):
        return body
    note = f"A copy of {original.full_name} ({original.digest}): check tells when that has changed since."
    return f"{comment_signs[0]}{note}{comment_signs[1]}\n".encode() + body


def report_outdated_copies(root: Path, folders: Sequence[Path], problems: Problems) -> None:
    """Report each copy in the themes of a site whose original has changed or no longer exists."""
    for number, folder in enumerate(folders):
        if folder.parent != resolve_path(root / "themes"):
            continue
        originals = list_theme_files(folders[number + 1 :])
        for name, copy in list_theme_files([folder]).items():
            # other files have no comment, and no digest
            if copy.path.suffix in _COMMENT_SIGNS:
                _check_copy(copy, originals.get(name), problems)


def _check_copy(copy: OverridableFile, original: OverridableFile | None, problems: Problems) -> None:
    """Report a copy if its original has another digest than its first line, or does not exist."""
    text = copy.path.read_text(encoding="utf-8", errors="replace")
    note = re.search(r"A copy of \S+ \(([0-9a-f]{10})\)", text.partition("\n")[0])
    is_current = note is not None and original is not None and original.digest == note[1]
    # a file without the note is the site's own
    if note is None or is_current:
        return
    message = f'no theme has the file "{copy.name}" any longer'
    hint = "delete this file; if one of your templates uses it, delete this line only"
    if original:
        message = f"{original.full_name} has changed since it was copied here"
        hint = f"copy the changes that you want, then write {original.digest}"
    file = f"themes/{copy.full_name}"
    problems.add_source(file, text)
    problems.report("outdated-copy", Place(file, 1, note.start(1) + 1, 10), message, hint)
