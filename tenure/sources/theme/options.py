"""Options of a theme: their definitions, the check of chosen values, and the values that templates receive."""

from collections.abc import Mapping
from typing import Literal

from tenure.model.colors import MIN_CONTRAST, find_legible_colors, lowest_contrast, parse_colors
from tenure.model.site import ThemeColor
from tenure.problems import format_suggestion, suggest_word
from tenure.record import Record
from tenure.sources.schema.decode import BOOLEAN_VALUES


class ThemeOption(Record, kw_only=True):
    """
    An option of a theme: its type, its default and a line of help.

    A choice of type `colour` is a name with its colors for the light and the dark scheme ("rust a03c14 f0a27c"). A site
    may write one or two colors instead. They must be legible on the `grounds` of the theme, which are backgrounds, each
    with its colors for the two schemes ("fdfcfb 16181b"), the page first. They must also be legible on the page after the
    theme has mixed `tint` percent of the color into it. A choice of a palette has the two colors of its ground behind
    those of the text ("ocean 0b5fa5 8cc3f5 f8fafc 11171f"), and is checked on this ground; a third pair is a band of
    color, on which the theme writes in the colors of `ink`.
    """

    type: Literal["choice", "boolean", "text", "colour"] = "text"
    """the type of the option: choice, boolean, text or colour"""
    default: str = ""
    """the value if the site does not set the option; without it, the theme decides"""
    aliases: tuple[str, ...] = ()
    """other names of the option"""
    choices: tuple[str, ...] = ()
    """the possible values; for a colour, each name with its light and its dark colour"""
    grounds: tuple[str, ...] = ()
    """the backgrounds behind a colour, light and dark, for the contrast check: fdfcfb 16181b"""
    tint: int = 0
    """the percentage of the colour that the theme mixes into the background"""
    ink: str = ""
    """the colours of the text on the band of a palette, light and dark: ffffff ffffff"""
    help: str = ""
    """one line that explains the option"""

    @property
    def choice_names(self) -> tuple[str, ...]:
        """The names of the possible values; () if any text is possible."""
        if self.type == "colour":
            return tuple(choice.partition(" ")[0] for choice in self.choices)
        return self.choices if self.type == "choice" else ("true", "false") if self.type == "boolean" else ()

    @property
    def default_value(self) -> str:
        """The default; "false" for a boolean without one."""
        return self.default or ("false" if self.type == "boolean" else "")

    def is_allowed(self, text: str) -> bool:
        """Whether a value is one of the choices, in any case, or any text is possible."""
        if self.type == "boolean":
            return text.casefold() in BOOLEAN_VALUES
        return not self.choice_names or self._find_choice(text) is not None

    def _find_choice(self, text: str) -> str | None:
        """The name of the choice that a value means."""
        return next((name for name in self.choice_names if name.casefold() == text.casefold()), None)

    def to_template_value(self, text: str) -> str | bool | ThemeColor:
        """The value that templates receive; `check_option_value` must have found no error in the text."""
        if self.type == "boolean":
            return BOOLEAN_VALUES.get(text.casefold(), False)
        choice = self._find_choice(text) or text
        if self.type != "colour" or not text:
            return choice
        if site_colors := parse_colors(text):
            return _find_chosen_and_legible_color(self, site_colors)[1]
        name_and_colors = (option.partition(" ") for option in self.choices)
        return next(_parse_color_pair(colors) for name, _, colors in name_and_colors if name == choice)


OptionProblem = tuple[str, str, str]
"""A problem's code, message and hint."""


def resolve_option_alias(name: str, options: Mapping[str, ThemeOption]) -> str:
    """The name of the option that has this alias; the name itself if none has it."""
    aliases = {alias: key for key, option in options.items() for alias in option.aliases}
    return name if name in options else aliases.get(name, name)


def check_option_value(name: str, value: str, options: Mapping[str, ThemeOption]) -> OptionProblem | None:
    """The problem of a chosen value, or None."""
    option = options.get(name)
    if option is None:
        return "unknown-option", f'the theme has no option "{name}"', format_suggestion(name, options)
    site_colors = parse_colors(value) if option.type == "colour" else ()
    if site_colors:
        return _check_color_contrast(name, option, site_colors)
    if not option.is_allowed(value):
        expected = "true or false" if option.type == "boolean" else f"one of {', '.join(option.choice_names)}"
        if option.type == "colour":
            expected += ', or a colour in quotes: "#0b5fa5"'
        problem = f"“{value}” is not a possible value" if value else "no value is given"
        hint = suggest_word(value, option.choice_names, f"write {expected}")
        return "bad-choice", f'{problem} for the option "{name}"', hint
    return None


def check_option_definition(name: str, option: ThemeOption) -> OptionProblem | None:
    """The problem of an option's definition in its theme, or None."""
    if option.type == "colour":
        colors = [choice.split()[1:] for choice in option.choices]
        parts = [words[i : i + 2] for words in colors for i in range(0, max(len(words), 1), 2)]
        pairs = (*map(" ".join, parts), *option.grounds, *([option.ink] if option.ink else ()))
        invalid_pair = next((pair for pair in pairs if len(parse_colors(pair)) != 2), None)
        if invalid_pair is not None or not option.choices or not option.grounds:
            needed = f"two colors, not “{invalid_pair}”" if invalid_pair else "choices and grounds"
            message = f'the option "{name}" needs {needed}'
            hint = "write choices: [rust a03c14 f0a27c] and grounds: [fdfcfb 16181b], in light and in dark"
            return "bad-choice", message, hint
        for choice in option.choices:
            if problem := _check_palette(name, option, choice):
                return problem
    if option.default and not option.is_allowed(option.default):
        message = f'the default “{option.default_value}” is not a possible value for the option "{name}"'
        return "bad-choice", message, f"write default: {option.choice_names[0]}"
    return None


def _check_palette(name: str, option: ThemeOption, choice: str) -> OptionProblem | None:
    """The problem of a palette whose text has too little contrast on its ground or on its band, or None."""
    palette = _parse_color_pair(choice.partition(" ")[2])
    ink = _parse_color_pair(option.ink) if option.ink else None
    for text, ground, part, tint in (
        (palette, palette.ground, "ground", option.tint),
        (ink, palette.band, "band", 0),
    ):
        for scheme in ("light", "dark") if text and ground else ():
            ratio = lowest_contrast(getattr(text, scheme), [getattr(ground, scheme)], tint / 100)
            if ratio < MIN_CONTRAST:
                message = f'the choice “{choice}” of "{name}" has a contrast of {ratio:.1f} on its {scheme} {part}'
                return "low-contrast", message, f"text needs {MIN_CONTRAST}"
    return None


def _check_color_contrast(
    name: str, option: ThemeOption, site_colors: tuple[str, ...]
) -> OptionProblem | None:
    """The problem of a site's color with too little contrast on the pages of the theme, or None."""
    chosen, legible = _find_chosen_and_legible_color(option, site_colors)
    for scheme in ("light", "dark"):
        chosen_color, legible_color = getattr(chosen, scheme), getattr(legible, scheme)
        if chosen_color != legible_color:
            grounds = tuple(getattr(ground, scheme) for ground in _parse_grounds(option))
            ratio = lowest_contrast(chosen_color, grounds, option.tint / 100)
            message = f'“{chosen_color}” for "{name}" has a contrast of {ratio:.1f} on {scheme} pages; text needs {MIN_CONTRAST}'
            # The dark color is written if the site has one, and if its only color is right for the dark scheme: from
            # the new light color alone, another dark one would be computed.
            suggests_both = len(site_colors) == 2 or legible.dark == site_colors[0]
            colors = f"{legible.light} {legible.dark}" if suggests_both else legible.light
            return "low-contrast", message, f'write "{colors}"'
    return None


def _find_chosen_and_legible_color(
    option: ThemeOption, site_colors: tuple[str, ...]
) -> tuple[ThemeColor, ThemeColor]:
    """The color that a site chose, and the nearest one that is legible on the pages of the theme."""
    return find_legible_colors(site_colors, _parse_grounds(option), option.tint / 100)


def _parse_grounds(option: ThemeOption) -> tuple[ThemeColor, ...]:
    return tuple(_parse_color_pair(ground) for ground in option.grounds)


def _parse_color_pair(text: str) -> ThemeColor:
    """
    The colors of a choice: "a03c14 f0a27c".

    In a palette, its ground and its band follow: "2238c9 a9b6ff fcfcff 0f1119 1b2fbe 1a2680".
    """
    words = text.split()
    light, dark = parse_colors(" ".join(words[:2]))
    ground, band = (_parse_color_pair(" ".join(pair)) if pair else None for pair in (words[2:4], words[4:]))
    return ThemeColor(light=light, dark=dark, ground=ground, band=band)
