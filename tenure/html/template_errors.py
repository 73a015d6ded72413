"""Explain template errors: Jinja's message, the word that it is about, and a similar word that exists."""

import html
import re
import sys
from collections.abc import Iterable
from typing import NamedTuple

from tenure.markdown.html_tags import iterate_elements
from tenure.markdown.math import BROKEN_FORMULA_CLASS
from tenure.model.places import SourceRecord
from tenure.problems import Place, Problems, find_similar_word
from tenure.record import Record, field_names

TEMPLATE_GLOBALS = ("site", "page", "menu", "theme", "t", "once", "keep_entry")

_TYPE_NAME = re.compile(r"'(?:[\w.]+\.)?(\w+) object'")
"""The type of a value in Jinja's message: 'tenure.model.entries.Award object'."""

TYPE_LABELS = {"dict": "theme", "Translations": "t", "TemplateModule": "this part"}

_WORD = re.compile(
    r"""
    No\ (?:filter|test)\ named\ '(?P<filter>\w+)'
    | unknown\ tag\ '(?P<tag>\w+)'
    | '(?P<name>\w+)'\ is\ undefined
    | '(?P<type>[^']*?)(?:\ object)?'\ has\ no\ attribute\ '(?P<field>[^']*)'
    | requested\ name\ '(?P<macro>\w+)'
    | “(?P<asset>[^”]*)”
    """,
    re.VERBOSE,
)
"""The word that Jinja does not know, in its message: "'Award object' has no attribute 'titel'"."""


class TemplateMistake(NamedTuple):
    """A mistake: the code of its problem, its message, the word to mark in its line, and a hint."""

    code: str
    message: str
    word: str
    hint: str = ""


def explain_error(
    error: Exception,
    templates: Iterable[str],
    filters: Iterable[str],
    keys: Iterable[str],
    macros: Iterable[str],
) -> TemplateMistake:
    """
    The mistake behind an exception of Jinja or of an expression.

    `keys` are the options of the theme and the labels, `macros` those of its parts. The classes of Jinja, which html/theme.py alone
    imports, are known by their attributes: an error has a message, one of syntax a line, a missing template its names.
    """
    if hasattr(error, "templates"):
        name = str(getattr(error, "name", ""))
        stems = {path.rpartition("/")[2].removesuffix(".html"): path for path in templates}
        similar = find_similar_word(name.rpartition("/")[2].removesuffix(".html"), stems)
        hint = f'did you mean "{stems[similar]}"?' if similar else ""
        return TemplateMistake("template-missing", f'there is no template "{name}"', name, hint)
    if isinstance(error, RecursionError):
        return TemplateMistake("template-name", "this template includes itself", "include")
    if not hasattr(error, "message"):
        return TemplateMistake("template-name", f"this cannot be computed: {error}", "")
    message, _, hint = str(error.message).rstrip(".").partition("; ")
    match = _WORD.search(message)
    words = {name: word for name, word in match.groupdict().items() if word} if match else {}
    type_name = words.pop("type", "")
    kind, word = next(iter(words.items()), ("", ""))
    fields = macros if type_name.endswith("TemplateModule") else _list_fields(type_name, keys)
    known = {"filter": filters, "name": TEMPLATE_GLOBALS, "field": fields, "macro": macros}
    similar = find_similar_word(word, known.get(kind, ())) if word else ""
    is_syntax = hasattr(error, "lineno") or kind == "filter"
    return TemplateMistake(
        "template-syntax" if is_syntax else "template-name",
        _TYPE_NAME.sub(lambda found: TYPE_LABELS.get(found[1], found[1]), message),
        word,
        hint or (f'did you mean "{similar}"?' if similar else ""),
    )


def _list_fields(type_name: str, keys: Iterable[str]) -> Iterable[str]:
    """The fields and properties of a record by the type name in Jinja's message; `keys` for the options and labels."""
    module, _, name = type_name.rpartition(".")
    if name in ("dict", "Translations"):
        return keys
    record_type = getattr(sys.modules.get(module), name, None)
    if not isinstance(record_type, type) or not issubclass(record_type, Record):
        return ()
    properties = [name for name in dir(record_type) if isinstance(getattr(record_type, name, None), property)]
    fields = [name for name in field_names(record_type) if name not in field_names(SourceRecord)]
    return (*fields, *properties)


def report_bad_formulas(page_html: str, source: Place, problems: Problems) -> None:
    """Report each formula of a page that could not be parsed."""
    if BROKEN_FORMULA_CLASS not in page_html:
        return
    lines_of_bad_entries = {
        (problem.place.file, problem.place.line)
        for problem in problems.sorted_problems()
        if problem.code == "bib-syntax"
    }
    for code in iterate_elements(page_html, "code"):
        if code.attributes.get("class") != BROKEN_FORMULA_CLASS:
            continue
        formula = html.unescape(code.content)
        place = problems.find_text(f"${formula}$") or problems.find_text(formula) or source
        if (place.file, place.line) in lines_of_bad_entries:
            continue  # the missing brace is already reported
        unescaped = re.sub(r"\\\\.", "", formula)
        is_balanced = unescaped.count("{") == unescaped.count("}")
        hint = "check its commands, and what they need" if is_balanced else "give each { its }"
        problems.report("bad-formula", place, f"the formula ${formula}$ cannot be read", hint)
