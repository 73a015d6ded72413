"""
The panel of the editor that tries themes and their options, and writes the chosen ones into site.yaml.

A choice on trial is shown by the preview, and site.yaml is unchanged:
{"name": "folio", "options": {"menu": "side"}}
A swatch is a small picture of a palette: its ground, which is the color of the page, its links, and its band.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tenure.model.site import ThemePalette
from tenure.problems import Place, Problems
from tenure.record import Record
from tenure.sources.editing.edits import (
    FileChange,
    UneditableError,
    decode_file_text,
    read_writable_file,
    resolve_source_path,
)
from tenure.sources.editing.value_edits import find_value, read_data, set_value
from tenure.sources.settings import read_settings
from tenure.sources.theme.options import ThemeOption, check_option_value, resolve_option_alias
from tenure.sources.theme.theme_settings import list_themes, read_lineage

SITE_FILE = "site.yaml"


class ThemeChoice(Record):
    """A theme and the options that differ from its defaults."""

    name: str
    options: Mapping[str, str]


class ThemePanel:
    """
    The themes of a site, and the choice that the preview shows instead of that in site.yaml.

    The choice ends as soon as site.yaml changes, so that the preview shows what the user has written there.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._trial: ThemeChoice | None = None
        self._trial_text = b""

    @property
    def trial(self) -> ThemeChoice | None:
        """The choice that the preview shows; None if it shows that of site.yaml."""
        return self._trial if self._trial_text == self._read_site() else None

    def describe(self) -> Mapping[str, object]:
        """The themes with their options, and the current choice."""
        theme = read_settings(self._root, Problems()).theme
        saved = ThemeChoice(theme.name, dict(theme.options))
        choice = self.trial or saved
        themes = {name: self._list_options(name) for name in sorted(list_themes(self._root) - {"base"})}
        return {
            "themes": themes,
            "name": choice.name,
            "options": choice.options,
            "is_saved": choice == saved,
        }

    def try_choice(self, data: object) -> None:
        """Show a choice in the preview; raises UneditableError if it is not possible. None ends the trial."""
        self._trial = None if data is None else self._check_choice(data)
        self._trial_text = self._read_site()

    def plan_choice(self, data: object) -> FileChange:
        """The change of site.yaml for a choice; raises UneditableError if it is not possible."""
        return plan_theme_change(self._root, self._check_choice(data))

    def _read_site(self) -> bytes:
        path = self._root / SITE_FILE
        return path.read_bytes() if path.is_file() else b""

    def _list_options(self, name: str) -> Sequence[Mapping[str, object]]:
        """The options of a theme, as the panel shows them, with the colors of its palettes."""
        lineage = read_lineage(self._root, name, Problems(), Place(SITE_FILE))
        return [
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

    def _check_choice(self, data: object) -> ThemeChoice:
        """The choice in a request, without options that have their default; raises UneditableError."""
        values = data if isinstance(data, dict) else {}
        name = values.get("name")
        options = values.get("options")
        if not isinstance(name, str) or name not in list_themes(self._root) or not isinstance(options, dict):
            raise UneditableError("this theme does not exist")
        lineage = read_lineage(self._root, name, Problems(), Place(SITE_FILE))
        return ThemeChoice(name, dict(_check_options(options, lineage.options)))


def _list_colors(palette: ThemePalette) -> Mapping[str, tuple[str, str]]:
    """The colors of a swatch, light and dark: its ground, its links, and its band, else its links."""
    colors = {"ground": palette.ground, "links": palette, "band": palette.band or palette}
    return {name: (color.light, color.dark) for name, color in colors.items()}


def _check_options(
    values: Mapping[object, object], options: Mapping[str, ThemeOption]
) -> Iterator[tuple[str, str]]:
    """The chosen values that differ from the defaults; raises UneditableError for an impossible one."""
    for key, value in values.items():
        if not isinstance(key, str) or not isinstance(value, str):
            raise UneditableError("an option is a name with a text")
        name = resolve_option_alias(key, options)
        if name in options and value == options[name].default_value:
            continue
        code, message, hint = check_option_value(name, value, options) or ("", "", "")
        if code not in ("", "low-contrast"):
            raise UneditableError(f"{message}; {hint}" if hint else message)
        yield name, value


def _make_theme_value(choice: ThemeChoice) -> str | Mapping[str, str]:
    """The shortest value of `theme` for a choice."""
    if choice.options:
        return {"name": choice.name, **choice.options}
    return choice.name


def list_new_lines(change: FileChange) -> str:
    """The lines that a change writes, for a message."""
    old_lines = change.old_text.splitlines()
    return "\n".join(line for line in change.new_text.splitlines() if line not in old_lines)


def plan_theme_change(root: Path, choice: ThemeChoice) -> FileChange:
    """
    The change of site.yaml for a choice; every other value of the file, and every comment, stays.

    Raises UneditableError if the file has an error, or if a value elsewhere would change.
    """
    path = resolve_source_path(root, SITE_FILE)
    old_bytes = read_writable_file(path)
    old_text = decode_file_text(old_bytes)
    is_mapping = isinstance(find_value(read_data(old_text), ("theme",)), dict)
    value = {"name": choice.name, **choice.options} if is_mapping else _make_theme_value(choice)
    new_text = set_value(old_text, ("theme",), value)
    return FileChange(SITE_FILE, path, old_bytes, new_text.encode(), old_text, new_text)
