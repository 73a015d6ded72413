r"""Chemical formulas of the package mhchem, such as "\ce{SO4^2-}", with subscripts and superscripts of LaTeX."""

import re

_FORMULA = re.compile(r"\\(?:ce|cee|chemform)\s*\{((?:[^{}]++|\{[^{}]*+\})*+)\}")
_PARTS = re.compile(
    r"\^\{(?P<raised>[^{}]*)\}|\^(?P<charge>\d*[+-]|\w)|_\{(?P<lowered>[^{}]*)\}|_(?P<sign>\w)"
    r"|(?<=[A-Za-z)\]])(?P<count>\d+)|(?<=[A-Za-z\d)\]])(?P<end>[+-])(?=[\s)\]]|$)|(?P<arrow><=>|<->|->|<-)"
)
ARROWS = {"->": "→", "<-": "←", "<->": "↔", "<=>": "⇌"}
"""Arrows of mhchem. Source: mhchem manual, "Reaction Arrows"."""


def convert_formulas(value: str) -> str:
    r"""A value with the formulas of mhchem in LaTeX: "\ce{H2O}" becomes "H\textsubscript{2}O"."""
    return _FORMULA.sub(lambda match: _PARTS.sub(_convert_part, match[1]), value) if "\\c" in value else value


def _convert_part(part: re.Match[str]) -> str:
    raised = part["raised"] or part["charge"] or part["end"]
    if raised:
        return rf"\textsuperscript{{{raised.replace('-', '−')}}}"
    lowered = part["lowered"] or part["sign"] or part["count"]
    return rf"\textsubscript{{{lowered}}}" if lowered else ARROWS.get(part["arrow"] or "", "")
