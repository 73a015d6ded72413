"""Formats publications with the text of a CSL style. Only this module imports citeproc-py, and only for a site that has such a style."""

import io
import re
import warnings
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any, Literal, NamedTuple

CSL_NAMESPACE = "http://purl.org/net/xbiblio/csl"
INSTALL_HINT = "add the line citeproc-py>=0.9 to the end of requirements.txt"

_START_MARKS: Mapping[str, "TextForm"] = {"\ue000": "emphasis", "\ue001": "strong"}
_END_MARK = "\ue002"
_MARK = re.compile("([\ue000-\ue002])")
_PUNCTUATION = ".,;:!? "
"""Characters that are not repeated where two parts of a line meet."""

TextForm = Literal["", "emphasis", "strong"]


class CslRun(NamedTuple):
    """A part of a formatted line: its text, and how it is emphasized."""

    text: str
    form: TextForm = ""


class CslFormatError(Exception):
    """The style cannot format a publication; the message is that of the library."""


def is_citeproc_installed() -> bool:
    """Whether .csl files can be used."""
    return find_spec("citeproc") is not None


def format_csl_entry(style_text: str, language: str, item: Mapping[str, Any]) -> tuple[CslRun, ...]:
    """
    One line of a bibliography for a CSL-JSON item, without its number; raises CslFormatError.

    `language` is used if the style has no `default-locale`.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about variables and terms that the library does not know
            line = _format_line(style_text, language, item)
    except Exception as error:  # the library can raise any exception for an invalid style
        raise CslFormatError(f"{type(error).__name__}: {error}") from error
    return _split_runs(line)


def _format_line(style_text: str, language: str, item: Mapping[str, Any]) -> str:
    from citeproc import Citation, CitationItem, CitationStylesBibliography  # noqa: PLC0415 - see the docstring of the module
    from citeproc.source.json import CiteProcJSON  # noqa: PLC0415 - as above

    source = CiteProcJSON([{**item, "id": "item"}])
    bibliography = CitationStylesBibliography(_parse_style(style_text, language), source, _create_formatter())
    bibliography.register(Citation([CitationItem("item")]))
    return "".join(map(str, bibliography.bibliography()))


@lru_cache(maxsize=8)
def _parse_style(style_text: str, language: str) -> Any:
    """The style without the numbers of entries, which Tenure writes itself."""
    from citeproc import CitationStylesStyle  # noqa: PLC0415 - as above

    style = CitationStylesStyle(io.BytesIO(style_text.encode()), validate=False)
    for tag in ("text", "number"):
        for element in list(style.root.iter(f"{{{CSL_NAMESPACE}}}{tag}")):
            if element.get("variable") == "citation-number":
                element.getparent().remove(element)
    if style.root.get("default-locale") is None:
        style.root.set_locale_list(language, validate=False)
    return style


@lru_cache(maxsize=1)
def _create_formatter() -> SimpleNamespace:
    """A formatter for citeproc-py, which marks emphasis by characters that no text has, so that no text is read as markup."""

    def mark_with(start: str) -> Callable[[str], str]:
        return lambda text: f"{start}{text}{_END_MARK}"

    emphasis, strong = map(mark_with, _START_MARKS)
    plain_forms = dict.fromkeys(("Light", "Underline", "Superscript", "Subscript", "SmallCaps"), str)
    return SimpleNamespace(
        preformat=lambda text: text, Italic=emphasis, Oblique=emphasis, Bold=strong, **plain_forms
    )


def _split_runs(line: str) -> tuple[CslRun, ...]:
    """The parts of a line by their innermost emphasis; if two equal punctuation marks meet, one is written."""
    runs: list[CslRun] = []
    open_forms: list[TextForm] = []
    last = " "
    for part in _MARK.split(line.rstrip()):
        if part in _START_MARKS:
            open_forms.append(_START_MARKS[part])
        elif part == _END_MARK:
            del open_forms[-1:]
        elif text := part[part[:1] == last and last in _PUNCTUATION :]:
            runs.append(CslRun(text.lstrip() if not runs else text, open_forms[-1] if open_forms else ""))
            last = text[-1]
    return tuple(runs)
