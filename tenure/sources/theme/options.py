"""
Options of a theme: their definitions, the check of chosen values, and the values that templates receive.

The objects: a ThemeOption is defined in theme.yaml; a pair is two colors, "a03c14 f0a27c",
for the light and the dark scheme; templates receive a ThemeColor for a pair, and a ThemePalette for several.

A ground is a color behind text: that of the page, of a panel, of a band. A band is a bar of color at the top
of the pages, with text in the color `ink`. An accent is the color of links that a site chooses.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Literal

from tenure.model.colors import (
    MIN_CONTRAST,
    contrast_ratio,
    lighten_color,
    lowest_contrast,
    mix_colors,
    parse_colors,
    turn_hue,
)
from tenure.model.site import ThemeColor, ThemePalette
from tenure.problems import format_suggestion, suggest_word
from tenure.record import Record, replace
from tenure.sources.schema.value_forms import BOOLEAN_VALUES

PANEL_SHARE = 0.05
"""The share of the text's color in a panel: `--panel` of themes/base/assets/themed.css."""


class ThemeOption(Record, kw_only=True):
    """
    An option of a theme: its type, its default and a line of help.

    A choice of type `colour` is a name with a pair of colors, for the light and the dark scheme: "rust a03c14
    f0a27c". One of type `palette` has the pairs of links and of the ground, and may have one of a band:
    "ocean 0b5fa5 8cc3f5 f2f7fc 0f1721".
    """

    type: Literal["choice", "boolean", "text", "colour", "palette"] = "text"
    """the type of the option: choice, boolean, text, colour or palette"""
    default: str = ""
    """the value if the site does not set the option; without it, the theme decides"""
    aliases: tuple[str, ...] = ()
    """other names of the option"""
    choices: tuple[str, ...] = ()
    """
    the possible values; for a colour, each name with its light and its dark colour;
    a palette also has those of its ground, and of its band
    """
    grounds: tuple[str, ...] = ()
    """the backgrounds behind a colour, light and dark, for the contrast check: fdfcfb 16181b"""
    tint: int = 0
    """the percentage of the colour that the theme mixes into the background"""
    text: str = ""
    """the colours of the text of a palette, light and dark: 1d2125 e6e7e8"""
    ink: str = ""
    """the colours of the text on the band of a palette, if others"""
    help: str = ""
    """one line that explains the option"""

    @property
    def choice_names(self) -> tuple[str, ...]:
        """The names of the possible values; () if any text is possible."""
        if self.type in ("colour", "palette"):
            return tuple(choice.partition(" ")[0] for choice in self.choices)
        if self.type == "boolean":
            return ("true", "false")
        return self.choices if self.type == "choice" else ()

    @property
    def default_value(self) -> str:
        """The default; "false" for a boolean without one."""
        return self.default or ("false" if self.type == "boolean" else "")

    def is_allowed(self, text: str) -> bool:
        """Whether a value is one of the choices, in any case, or any text is possible."""
        if self.type == "boolean":
            return text.casefold() in BOOLEAN_VALUES
        return not self.choice_names or self.find_choice(text) is not None

    def find_choice(self, text: str) -> str | None:
        """The name of the choice that a value means."""
        return next((name for name in self.choice_names if name.casefold() == text.casefold()), None)

    def to_template_value(self, text: str) -> str | bool | ThemeColor:
        """The value that templates receive; `check_option_value` must have found no error in the text."""
        if self.type == "boolean":
            return BOOLEAN_VALUES.get(text.casefold(), False)
        choice = self.find_choice(text) or text
        if self.type == "palette" and text:
            return self.palettes[choice]
        if self.type != "colour" or not text:
            return choice
        if site_colors := parse_colors(text):
            return self.complete_color(site_colors)
        return next(_parse_pair(_list_pairs(row)[0]) for row in self.choices if row.split()[0] == choice)

    def complete_color(self, site_colors: Sequence[str]) -> ThemeColor:
        """
        The color of a site for light and for dark pages;
        from one color, a lighter one is made for dark pages.
        """
        light = site_colors[0]
        dark = site_colors[-1]
        if len(site_colors) == 1:
            dark_grounds = tuple(_parse_pair(ground).dark for ground in self.grounds)
            dark = lighten_color(light, dark_grounds, self.tint / 100)
        return ThemeColor(light=light, dark=dark)

    @property
    def palettes(self) -> Mapping[str, ThemePalette]:
        """
        The palettes of an option of this type, by their names.

        "rust a03c14 f0a27c fdfcfb 16181b": links in light and dark, the ground in both, and perhaps a band.
        """
        palettes: dict[str, ThemePalette] = {}
        if self.type != "palette":
            return palettes
        for choice in self.choices:
            links, ground, *band = map(_parse_pair, _list_pairs(choice))
            palettes[choice.split()[0]] = ThemePalette(
                light=links.light,
                dark=links.dark,
                ground=ground,
                text=_parse_pair(self.text),
                band=band[0] if band else None,
                ink=_parse_pair(self.ink or self.text),
            )
        return palettes


def _list_pairs(choice: str) -> list[str]:
    """The pairs of colors in a choice: "ocean 0b5fa5 8cc3f5 f2f7fc 0f1721"."""
    words = choice.split()[1:]
    return [" ".join(words[i : i + 2]) for i in range(0, len(words), 2)]


def _parse_pair(text: str) -> ThemeColor:
    light, dark = parse_colors(text)
    return ThemeColor(light=light, dark=dark)


OptionProblem = tuple[str, str, str]
"""A problem's code, message and hint."""


def resolve_option_alias(name: str, options: Mapping[str, ThemeOption]) -> str:
    """The name of the option that has this alias; the name itself if none has it."""
    aliases = {alias: key for key, option in options.items() for alias in option.aliases}
    return name if name in options else aliases.get(name, name)


_HINTS: Mapping[str, str] = {
    "density": "delete it: each theme has its own distances",
    "venue_tags": "delete it: folio, plate and stage show venues as tags, the other themes do not",
    "previous_next": "delete it: with menu: side, each page ends with these links",
}
"""The hints for options that themes had before."""


def check_option_value(name: str, value: str, options: Mapping[str, ThemeOption]) -> OptionProblem | None:
    """The problem of a chosen value, as its code, message and hint; None for a value that is possible."""
    option = options.get(name)
    if option is None:
        hint = _HINTS.get(name) or format_suggestion(name, options)
        return "unknown-option", f'the theme has no option "{name}"', hint
    site_colors = parse_colors(value) if option.type == "colour" else ()
    if site_colors:
        return _check_color_contrast(name, option, site_colors)

    if not option.is_allowed(value):
        expected = "true or false" if option.type == "boolean" else f"one of {', '.join(option.choice_names)}"
        if option.type == "colour":
            expected += ', or a colour in quotes: "#0b5fa5"'
        problem = f"“{value}” is not a possible value" if value else "no value is given"
        hint = suggest_word(value, option.choice_names, f"write {expected}")
        return "bad-value", f'{problem} for the option "{name}"', hint

    return None


def check_option_definition(name: str, option: ThemeOption) -> OptionProblem | None:
    """The problem of an option's definition in its theme, or None."""
    if option.type in ("colour", "palette"):
        problem = _check_choices_of_colors(name, option)
        if problem is not None:
            return problem
    if option.default and not option.is_allowed(option.default):
        message = f'the default “{option.default_value}” is not a possible value for the option "{name}"'
        return "bad-value", message, f"write default: {option.choice_names[0]}"
    return None


def _check_choices_of_colors(name: str, option: ThemeOption) -> OptionProblem | None:
    """The problem of the pairs of colors in the definition of a colour or a palette, or None."""
    is_palette = option.type == "palette"
    # a pair is a color for light pages and one for dark ones: "a03c14 f0a27c"
    choices = [_list_pairs(choice) for choice in option.choices]
    others = (option.text, option.ink or option.text) if is_palette else option.grounds
    pairs = [*chain.from_iterable(choices), *others]
    invalid_pair = next((pair for pair in pairs if len(parse_colors(pair)) != 2), None)
    # a palette has links, ground and perhaps a band; a choice of a colour has itself
    counts = (2, 3) if is_palette else (1,)
    is_complete = choices and others and all(len(choice) in counts for choice in choices)
    if invalid_pair is None and is_complete:
        return None

    needed = "choices and grounds"
    example = "[rust a03c14 f0a27c] and grounds: [fdfcfb 16181b]"
    if is_palette:
        needed = "choices with the colors of links and of the ground, and text"
        example = "[rust a03c14 f0a27c fdfcfb 16181b] and text: 1d2125 e6e7e8"
    if invalid_pair:
        needed = f"two colors, not “{invalid_pair}”"
    hint = f"write choices: {example}, in light and in dark"
    return "bad-value", f'the option "{name}" needs {needed}', hint


def check_palette(name: str, palette: ThemePalette, tint: int) -> Iterator[OptionProblem]:
    """The links and texts of a palette that have too little contrast on its page, panels, tags or band."""
    for scheme in ("light", "dark"):
        links, ground, text, ink = (
            getattr(part, scheme) for part in (palette, palette.ground, palette.text, palette.ink)
        )
        grounds = (ground, mix_colors(text, ground, PANEL_SHARE))
        ratios = {
            "links": lowest_contrast(links, grounds, tint / 100),
            "text": lowest_contrast(text, grounds, 0),
        }
        if palette.band:
            ratios["text on its band"] = contrast_ratio(ink, getattr(palette.band, scheme))

        for part, ratio in ratios.items():
            if ratio < MIN_CONTRAST:
                contrast = f"a contrast of {ratio:.1f} on {scheme} pages"
                message = f"the palette “{name}” has {part} with {contrast}"
                yield "low-contrast", message, f"text needs {MIN_CONTRAST}"


def use_grounds_of_palette(
    options: Mapping[str, ThemeOption], values: Mapping[str, str]
) -> Mapping[str, ThemeOption]:
    """
    The options of a theme; the first two `grounds` of a colour are the page and the panel of the palette.
    """
    # the chosen palette of each option that has palettes, or else its default
    chosen = (
        option.palettes.get(option.find_choice(values.get(name, "")) or option.default)
        for name, option in options.items()
    )
    palette = next(filter(None, chosen), None)
    # a theme without palettes has the grounds that its options say
    if palette is None:
        return options

    ground = palette.ground
    text = palette.text
    panel = [mix_colors(getattr(text, s), getattr(ground, s), PANEL_SHARE) for s in ("light", "dark")]
    pairs = (f"{ground.light} {ground.dark}", " ".join(panel))
    return {
        name: replace(option, grounds=(*pairs, *option.grounds[2:])) if option.type == "colour" else option
        for name, option in options.items()
    }


def color_palette(palette: ThemePalette, accent: ThemeColor) -> ThemePalette:
    """A palette with links in the colors of an accent, which also gives the band its hue."""
    band = palette.band and ThemeColor(
        light=turn_hue(palette.band.light, accent.light), dark=turn_hue(palette.band.dark, accent.dark)
    )
    return replace(palette, light=accent.light, dark=accent.dark, band=band)


def _check_color_contrast(
    name: str, option: ThemeOption, site_colors: tuple[str, ...]
) -> OptionProblem | None:
    """The problem of a site's color with too little contrast on the pages of the theme, or None."""
    chosen = option.complete_color(site_colors)
    for scheme, change in (("light", "darker"), ("dark", "lighter")):
        color = getattr(chosen, scheme)
        grounds = [getattr(_parse_pair(ground), scheme) for ground in option.grounds]
        ratio = lowest_contrast(color, grounds, option.tint / 100)
        if ratio < MIN_CONTRAST:
            contrast = f"a contrast of {ratio:.1f} on {scheme} pages; text needs {MIN_CONTRAST}"
            return "low-contrast", f'“{color}” for "{name}" has {contrast}', f"write a {change} colour"
    return None
