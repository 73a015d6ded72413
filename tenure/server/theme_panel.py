"""The panel of the preview that tries themes and their options, and writes the chosen ones into site.yaml."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from tenure.model.site import ThemePalette
from tenure.problems import Edit, Place, Problems
from tenure.record import Record
from tenure.sources.edits import FileChange, UneditableError, plan_file_change, write_change
from tenure.sources.files import parse_yaml
from tenure.sources.node import Node
from tenure.sources.settings import read_settings
from tenure.sources.theme.options import ThemeOption, check_option_value, resolve_option_alias
from tenure.sources.theme.theme import list_themes, read_lineage

SITE_FILE = "site.yaml"


class PanelError(Exception):
    """A choice that cannot be shown or written; the message is for the user."""


class ThemeChoice(Record):
    """A theme and the options that differ from its defaults."""

    name: str
    options: Mapping[str, str]

    @property
    def setting(self) -> Mapping[str, str]:
        """The keys below `theme` in site.yaml."""
        return {"name": self.name, **self.options}


class ThemePanel:
    """
    The themes of a site, and the choice that the preview shows instead of that in site.yaml.

    The choice ends as soon as site.yaml changes, so that the preview shows what the user has written there.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._trial: ThemeChoice | None = None
        self._trial_digest = ""

    @property
    def trial(self) -> ThemeChoice | None:
        """The choice that the preview shows; None if it shows that of site.yaml."""
        if self._trial and self._trial_digest != self._digest():
            self._trial = None
        return self._trial

    def describe(self) -> Mapping[str, object]:
        """The themes with their options, the current choice, and the digest of site.yaml."""
        saved = self._read_saved_choice()
        choice = self.trial or saved
        themes = {name: self._describe_theme(name) for name in sorted(list_themes(self._root) - {"base"})}
        return {
            "themes": themes,
            "name": choice.name,
            "options": choice.options,
            "is_saved": choice == saved,
            "digest": self._digest(),
        }

    def try_choice(self, data: object) -> None:
        """Show a choice in the preview; raises PanelError if it is not possible. None ends the trial."""
        choice = None if data is None else self._check_choice(data)
        self._trial, self._trial_digest = choice, self._digest()

    def save_choice(self, data: object, digest: object) -> str:
        """Write a choice into site.yaml and return the new lines; raises PanelError if the file has changed or cannot be written."""
        choice = self._check_choice(data)
        if digest != self._digest():
            raise PanelError("site.yaml has changed meanwhile and was not written; look at the page again")
        try:
            change = plan_theme_change(self._root, choice)
            write_change(change)
        except UneditableError as error:
            raise PanelError(f"site.yaml was not written: {error}") from error
        except OSError as error:
            raise PanelError(f"site.yaml was not written: {error.strerror or error}") from error
        self._trial = None
        old_lines = change.old_text.splitlines()
        return "\n".join(line for line in change.new_text.splitlines() if line not in old_lines)

    def _read_saved_choice(self) -> ThemeChoice:
        theme = read_settings(self._root, Problems()).theme
        return ThemeChoice(theme.name, dict(theme.options))

    def _describe_theme(self, name: str) -> Mapping[str, object]:
        lineage = read_lineage(self._root, name, Problems(), Place(SITE_FILE))
        options = [
            {
                "name": key,
                "type": option.type,
                "values": option.choice_names,
                "default": option.default_value,
                "help": option.help,
                "swatches": {name: _list_colors(palette) for name, palette in option.palettes.items()},
            }
            for key, option in lineage.options.items()
        ]
        return {"description": lineage.description, "options": options}

    def _check_choice(self, data: object) -> ThemeChoice:
        """The choice in a request, without options that have their default; raises PanelError."""
        name = data.get("name") if isinstance(data, dict) else None
        options = data.get("options") if isinstance(data, dict) else None
        if not isinstance(name, str) or name not in list_themes(self._root) or not isinstance(options, dict):
            raise PanelError("this theme does not exist")
        lineage = read_lineage(self._root, name, Problems(), Place(SITE_FILE))
        return ThemeChoice(name, dict(_check_options(options, lineage.options)))

    def _digest(self) -> str:
        try:
            data = (self._root / SITE_FILE).read_bytes()
        except OSError:
            data = b""
        return hashlib.blake2b(data, digest_size=16).hexdigest()


def _list_colors(palette: ThemePalette) -> Mapping[str, tuple[str, str]]:
    """The colors of a swatch, light and dark: its ground, its links, and its band, else its links."""
    colors = {"ground": palette.ground, "links": palette, "band": palette.band or palette}
    return {name: (color.light, color.dark) for name, color in colors.items()}


def _check_options(
    values: Mapping[object, object], options: Mapping[str, ThemeOption]
) -> Iterator[tuple[str, str]]:
    """The chosen values that differ from the defaults; raises PanelError for an impossible one."""
    for key, value in values.items():
        if not isinstance(key, str) or not isinstance(value, str):
            raise PanelError("an option is a name with a text")
        name = resolve_option_alias(key, options)
        if name in options and value == options[name].default_value:
            continue
        code, message, hint = check_option_value(name, value, options) or ("", "", "")
        if code not in ("", "low-contrast"):
            raise PanelError(f"{message}; {hint}" if hint else message)
        yield name, value


def plan_theme_change(root: Path, choice: ThemeChoice) -> FileChange:
    """
    The change of site.yaml for a choice; every other character of the file, and every comment, stays.

    Raises UneditableError if the result would change anything else about the site.
    """
    change = plan_file_change(root, SITE_FILE, ())
    plain_text = re.sub(r"\r\n?", "\n", change.old_text)
    settings = _parse_settings(plain_text)
    edits = tuple(_list_edits(plain_text, settings, choice.setting))
    change = plan_file_change(root, SITE_FILE, (edits,) if edits else ())
    new_settings = _parse_settings(re.sub(r"\r\n?", "\n", change.new_text))
    old_values, new_values = settings.mapping, new_settings.mapping
    if _describe_theme_node(new_values.get("theme")) != choice.setting or any(
        _describe_value(new_values.get(key)) != _describe_value(old_values.get(key))
        for key in (old_values.keys() | new_values.keys()) - {"theme"}
    ):
        line = f"theme: {_format_flow_mapping(choice.setting)}"
        raise UneditableError(f"its theme has a form that only an editor can change; write {line}")
    return change


def _parse_settings(text: str) -> Node:
    node = parse_yaml(text, SITE_FILE, Problems())
    if node is None or (node.value is not None and not node.mapping):
        raise UneditableError("it has an error")
    return node


def _list_edits(text: str, settings: Node, setting: Mapping[str, str]) -> Iterator[Edit]:
    lines = text.split("\n")
    node = settings.mapping.get("theme")
    short_form = setting["name"] if len(setting) == 1 else _format_flow_mapping(setting)
    if node is None:
        separator = "" if not lines[-1] else "\n"
        end = Place(SITE_FILE, len(lines), len(lines[-1]) + 1)
        yield Edit(end, f"{separator}theme: {short_form}\n")
    elif not node.mapping:
        place = node.place if isinstance(node.value, str) else Place(SITE_FILE, 0)
        if place.length:
            yield Edit(place, short_form)
        else:
            key_place = settings.key_place("theme")
            colon_end = key_place.column + key_place.length + 1
            yield Edit(Place(SITE_FILE, key_place.line, colon_end), f" {short_form}")
    else:
        yield from _list_mapping_edits(lines, node, settings.key_place("theme"), setting)


def _list_mapping_edits(
    lines: list[str], node: Node, theme_place: Place, setting: Mapping[str, str]
) -> Iterator[Edit]:
    """The edits of the keys of a mapping: of a block with one key in a line, or in braces."""
    pairs = [(key, node.key_place(key), value.place) for key, value in node.mapping.items()]
    _, first_place, _ = pairs[0]
    is_block = lines[first_place.line - 1][: first_place.column - 1].strip(" ") == "" and (
        node.place.line != theme_place.line
    )
    for index, (key, key_place, value_place) in enumerate(pairs):
        if key in setting:
            if node.mapping[key].text != setting[key] and value_place.length:
                yield Edit(value_place, _format_scalar(setting[key]))
        elif is_block:
            yield Edit(Place(SITE_FILE, key_place.line, 1, len(lines[key_place.line - 1]) + 1), "")
        elif index:
            _, _, previous_place = pairs[index - 1]
            column = previous_place.column + previous_place.length
            length = value_place.column + value_place.length - column
            yield Edit(Place(SITE_FILE, previous_place.line, column, length), "")
        else:
            length = pairs[1][1].column - key_place.column if len(pairs) > 1 else 0
            yield Edit(Place(SITE_FILE, key_place.line, key_place.column, length), "")
    added = [f"{key}: {_format_scalar(value)}" for key, value in setting.items() if key not in node.mapping]
    if not added:
        return
    indent = " " * (first_place.column - 1)
    name_place = next((value_place for key, _, value_place in pairs if key == "name"), None)
    if name_place is None:
        start = Place(SITE_FILE, first_place.line, 1 if is_block else first_place.column)
        text = "".join(f"{indent}{line}\n" if is_block else f"{line}, " for line in added)
    else:
        column = len(lines[name_place.line - 1]) + 1 if is_block else name_place.column + name_place.length
        start = Place(SITE_FILE, name_place.line, column)
        text = "".join(f"\n{indent}{line}" if is_block else f", {line}" for line in added)
    yield Edit(start, text)


def _format_flow_mapping(setting: Mapping[str, str]) -> str:
    return f"{{{', '.join(f'{key}: {_format_scalar(value)}' for key, value in setting.items())}}}"


def _format_scalar(text: str) -> str:
    """A text as YAML; in quotes unless it is a simple word."""
    return text if re.fullmatch(r"[A-Za-z0-9_][\w-]*", text) else json.dumps(text, ensure_ascii=False)


def _describe_theme_node(node: Node | None) -> Mapping[str, object]:
    """The value of `theme` in site.yaml as a mapping; a name alone becomes one."""
    if node is not None and node.mapping:
        return {key: value.text for key, value in node.mapping.items()}
    return {"name": node.text if node is not None else ""}


def _describe_value(node: Node | None) -> object:
    """The value of a Node without its places."""
    if node is None:
        return None
    if node.mapping:
        return {key: _describe_value(value) for key, value in node.mapping.items()}
    return [_describe_value(item) for item in node.items] if node.items else node.value
