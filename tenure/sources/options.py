"""Options of a theme: their definitions, the check of chosen values, and the values that templates receive."""

from collections.abc import Mapping
from typing import Literal

from tenure.frozen import dataclass
from tenure.model.site import Colour
from tenure.problems import did_you_mean, suggestion
from tenure.sources.colours import LEAST, legibility, legible, read_colour
from tenure.sources.schema import TRUTH


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """
    An option of a theme: its type, its default and a line of help.

    A choice of type `colour` is a name with its colors for the light and the dark scheme ("rust a03c14 f0a27c"). A site
    may write one or two colors instead. They must be legible on the `grounds` of the theme (each "fdfcfb 16181b", the
    page first), and on the page tinted with `tint` percent of the color.
    """

    type: Literal["choice", "boolean", "text", "colour"] = "text"
    default: str = ""
    choices: tuple[str, ...] = ()
    grounds: tuple[str, ...] = ()
    tint: int = 0
    help: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the possible values; () if any text is possible."""
        if self.type == "colour":
            return tuple(choice.partition(" ")[0] for choice in self.choices)
        return self.choices if self.type == "choice" else ("true", "false") if self.type == "boolean" else ()

    @property
    def usual(self) -> str:
        """The default; "false" for a boolean without one."""
        return self.default or ("false" if self.type == "boolean" else "")

    def allows(self, words: str) -> bool:
        """Whether a value is one of the choices, or any text is possible."""
        known = TRUTH if self.type == "boolean" else self.names
        return not known or words.casefold() in known

    def value(self, words: str) -> str | bool | Colour:
        """The value that templates receive; `check_option_value` must have found no error in the text."""
        if self.type == "boolean":
            return TRUTH.get(words.casefold(), False)
        if self.type == "colour":
            own = read_colour(words)
            return _legible(self, own)[0] if own else _named(self)[words.casefold()]
        return words


Complaint = tuple[str, str, str]
"""A problem's code, message and hint."""


def complaint(name: str, value: str, options: Mapping[str, Option]) -> Complaint | None:
    """The problem of a chosen value, or None."""
    option = options.get(name)
    if option is None:
        return "unknown-option", f'the theme has no option "{name}"', suggestion(name, options)
    own = read_colour(value) if option.type == "colour" else ()
    if own:
        return _faint(name, option, own)
    if not option.allows(value):
        near = did_you_mean(value, option.names)
        names = "true or false" if option.type == "boolean" else f"one of {', '.join(option.names)}"
        if option.type == "colour":
            names += ', or a colour in quotes: "#0b5fa5"'
        hint = f'did you mean "{near}"?' if near else f"write {names}"
        message = (
            f"“{value}” is not a possible value for the option"
            if value
            else "no value is given for the option"
        )
        return "bad-choice", f'{message} "{name}"', hint
    return None


def flaw(name: str, option: Option) -> Complaint | None:
    """The problem of an option's definition in its theme, or None."""
    if option.type == "colour":
        pairs = (*(choice.partition(" ")[2] for choice in option.choices), *option.grounds)
        wrong = next((pair for pair in pairs if len(read_colour(pair)) != 2), None)
        if wrong is not None or not option.choices or not option.grounds:
            message = f'the option "{name}" needs two colors, not “{wrong or ""}”'
            hint = "write choices: [rust a03c14 f0a27c] and grounds: [fdfcfb 16181b], in light and in dark"
            return "bad-choice", message, hint
    if not option.allows(option.usual):
        message = f'the default “{option.usual}” is not a possible value for the option "{name}"'
        return "bad-choice", message, f"write default: {option.names[0]}"
    return None


def _faint(name: str, option: Option, own: tuple[str, ...]) -> Complaint | None:
    """The problem of a site's color with too little contrast on the pages of the theme, or None."""
    colour, near = _legible(option, own)
    for scheme in ("light", "dark"):
        chosen, better = getattr(colour, scheme), getattr(near, scheme)
        if chosen != better:
            grounds = tuple(getattr(ground, scheme) for ground in _grounds(option))
            found = legibility(chosen, grounds, option.tint / 100)
            message = (
                f'“{chosen}” for "{name}" has a contrast of {found:.1f} on {scheme} pages; text needs {LEAST}'
            )
            pair = len(own) == 2 or near.dark == own[0]
            return "low-contrast", message, f'write "{near.light}{f" {near.dark}" if pair else ""}"'
    return None


def _legible(option: Option, own: tuple[str, ...]) -> tuple[Colour, Colour]:
    """A site's color, and the nearest legible one on the pages of the theme."""
    return legible(own, _grounds(option), option.tint / 100)


def _grounds(option: Option) -> tuple[Colour, ...]:
    return tuple(_pair(ground) for ground in option.grounds)


def _named(option: Option) -> dict[str, Colour]:
    return {choice.partition(" ")[0]: _pair(choice.partition(" ")[2]) for choice in option.choices}


def _pair(words: str) -> Colour:
    light, dark = read_colour(words)
    return Colour(light=light, dark=dark)
