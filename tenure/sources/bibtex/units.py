r"""Numbers, units and chemical formulas of the packages siunitx and mhchem: "\qty{5e-3}{\kilo\metre\per\second}" as "5 × 10⁻³ km s⁻¹"."""

import re
from collections.abc import Mapping

_BRACED = r"\s*+(?:\[[^\[\]{}]*+\]\s*+)?\{(?>(?:[^{}]++|\{[^{}]*+\})*)\}"
_QUANTITY = re.compile(
    rf"\\(?:(?:SIrange|qtyrange)(?P<range>{_BRACED * 3})|numrange(?P<numbers>{_BRACED * 2})|(?:SI|qty)(?P<quantity>{_BRACED * 2})"
    rf"|num(?P<number>{_BRACED})|ang(?P<angle>{_BRACED})|(?:si|unit)(?P<unit>{_BRACED}))"
)
"""The commands of siunitx, of version 2 and 3."""

_ARGUMENT = re.compile(r"(?:\[[^\[\]{}]*+\]\s*+)?\{((?>(?:[^{}]++|\{[^{}]*+\})*))\}")

UNITS: Mapping[str, str] = dict(
    pair.split(":")
    for pair in """metre:m meter:m gram:g second:s ampere:A kelvin:K mole:mol candela:cd becquerel:Bq celsius:°C degreeCelsius:°C
    coulomb:C farad:F gray:Gy hertz:Hz henry:H joule:J katal:kat lumen:lm lux:lx newton:N ohm:Ω pascal:Pa radian:rad siemens:S
    sievert:Sv steradian:sr tesla:T volt:V watt:W weber:Wb astronomicalunit:au bel:B dalton:Da day:d decibel:dB degree:°
    electronvolt:eV hectare:ha hour:h litre:L liter:L arcminute:′ minute:min arcsecond:″ neper:Np tonne:t angstrom:Å parsec:pc
    lightyear:ly bar:bar percent:\\% bit:bit byte:B um:µm us:µs ug:µg uL:µL
    quecto:q ronto:r yocto:y zepto:z atto:a femto:f pico:p nano:n micro:µ milli:m centi:c deci:d deca:da deka:da hecto:h kilo:k
    mega:M giga:G tera:T peta:P exa:E zetta:Z yotta:Y ronna:R quetta:Q kibi:Ki mebi:Mi gibi:Gi tebi:Ti""".split()  # noqa: SIM905 - a list of words
)
"""Units and their prefixes by their commands. Source: siunitx manual, "Units" and "Prefixes"."""

PREFIXES = frozenset(
    """quecto ronto yocto zepto atto femto pico nano micro milli centi deci deca deka hecto kilo mega giga tera peta exa zetta yotta
    ronna quetta kibi mebi gibi tebi""".split()  # noqa: SIM905 - a list of words
)
EARLIER_POWERS: Mapping[str, str] = {"square": "2", "cubic": "3"}
LATER_POWERS: Mapping[str, str] = {"squared": "2", "cubed": "3"}
"""Powers that are written before or after their unit."""

_SUPERSCRIPTS = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_UNIT_PART = re.compile(
    r"\\(?:tothe|raiseto)\s*\{(?P<power>[^{}]*)\}|\\(?P<command>[a-zA-Z]+)\s*|\^\{?(?P<raised>[+-]?\d+)\}?|(?P<text>[^\\^.~\s]+)|[.~\s]+"
)
_EXPONENT = re.compile(r"(?<=[\d.])\s*[eEdD]\s*([+-]?\d+)$|^[eEdD]([+-]?\d+)$")


def convert_quantities(value: str) -> str:
    r"""A value with the numbers and units of siunitx as text: "\qty{5}{\metre\squared}" becomes "5 m²"."""
    return _QUANTITY.sub(_convert_quantity, value) if "\\" in value else value


def _convert_quantity(match: re.Match[str]) -> str:
    arguments = _ARGUMENT.findall(match[match.lastindex or 0])
    if match["unit"]:
        return _format_unit(arguments[0])
    if match["angle"]:
        signs = zip(arguments[0].split(";"), "°′″", strict=False)
        return "".join(f"{_format_number(number)}{sign}" for number, sign in signs if number.strip())
    has_unit = match["quantity"] or match["range"]
    unit = _format_unit(arguments.pop()) if has_unit else ""
    number = "–".join(map(_format_number, arguments))
    space = "" if not unit or (unit[0] in "°′″" and unit != "°C") else "\u00a0"
    return f"{number}{space}{unit}"


def _format_number(number: str) -> str:
    """A number: "5e-3" is "5 × 10⁻³", "2 +- 1" is "2 ± 1"."""
    text = re.sub(r"\s*(?:\+-|\\pm)\s*", " ± ", number.strip())
    exponent = _EXPONENT.search(text)
    if exponent:
        power = f"10{(exponent[1] or exponent[2]).translate(_SUPERSCRIPTS)}"
        factor = text[: exponent.start()].strip()
        text = f"{factor}\u00a0×\u00a0{power}" if factor else power
    return re.sub(r"^-|(?<=\s)-(?=\d)", "−", text)


def _format_unit(unit: str) -> str:
    r"""A unit: "\kilo\metre\per\second" is "km s⁻¹"; an unknown command, such as "\GeV", is shown by its name."""
    factors: list[tuple[str, str]] = []
    prefix, sign, power = "", "", ""
    for part in _UNIT_PART.finditer(unit):
        command = part["command"] or ""
        later_power = part["power"] or part["raised"] or LATER_POWERS.get(command, "")
        if later_power and factors:
            text, exponent = factors[-1]
            factors[-1] = text, ("-" if exponent.startswith("-") else "") + later_power
        elif command == "per":
            sign = "-"
        elif command in EARLIER_POWERS:
            power = EARLIER_POWERS[command]
        elif command in PREFIXES:
            prefix += UNITS[command]
        elif command or part["text"]:
            text = f"{prefix}{UNITS.get(command) or command or part['text']}"
            factors.append((text, f"{sign}{power or ('1' if sign else '')}"))
            prefix, sign, power = "", "", ""
    return "\u00a0".join(text + exponent.translate(_SUPERSCRIPTS) for text, exponent in factors)


_FORMULA = re.compile(r"\\(?:ce|cee|chemform)\s*\{((?>(?:[^{}]++|\{[^{}]*+\})*))\}")
_FORMULA_PART = re.compile(
    r"\^\{(?P<raised>[^{}]*)\}|\^(?P<charge>\d*[+-]|\w)|_\{(?P<lowered>[^{}]*)\}|_(?P<sign>\w)"
    r"|(?<=[A-Za-z)\]])(?P<count>\d+)|(?<=[A-Za-z\d)\]])(?P<end>[+-])(?=[\s)\]]|$)|(?P<arrow><=>|<->|->|<-)"
)
ARROWS = {"->": "→", "<-": "←", "<->": "↔", "<=>": "⇌"}
"""Arrows of mhchem. Source: mhchem manual, "Reaction Arrows"."""


def convert_formulas(value: str) -> str:
    r"""A value with the formulas of mhchem in LaTeX: "\ce{H2O}" becomes "H\textsubscript{2}O"."""
    if "\\c" not in value:
        return value
    return _FORMULA.sub(lambda match: _FORMULA_PART.sub(_convert_part, match[1]), value)


def _convert_part(part: re.Match[str]) -> str:
    raised = part["raised"] or part["charge"] or part["end"]
    if raised:
        return rf"\textsuperscript{{{raised.replace('-', '−')}}}"
    lowered = part["lowered"] or part["sign"] or part["count"]
    return rf"\textsubscript{{{lowered}}}" if lowered else ARROWS.get(part["arrow"] or "", "")
