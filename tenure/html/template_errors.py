"""Explain template errors: Jinja's message, the word that it is about, and a similar word that exists."""

import html
import re
import sys
from collections.abc import Collection, Iterable
from pathlib import Path

from tenure.markdown.html_tags import iterate_elements
from tenure.markdown.math import BROKEN_FORMULA_CLASS
from tenure.model.places import SourceRecord
from tenure.model.site import Site
from tenure.problems import Place, Problems, find_similar_word
from tenure.record import Record, field_names
from tenure.source_paths import list_used_files

TEMPLATE_GLOBALS = ("site", "page", "menu", "theme", "t", "once", "keep_entry")

DROPPED_FILTERS = {"coins": "delete it; Zotero reads the page of each publication"}
"""What to write instead of a filter of an earlier version."""

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


def report_error(
    error: Exception,
    path: Path,
    line: int,
    site: Site,
    templates: Iterable[str],
    filters: Iterable[str],
    problems: Problems,
) -> None:
    """
    Report an exception of Jinja or of an expression at a line of a template.

    `templates` and `filters` are all names of these. The classes of Jinja, which html/theme.py alone imports, are known by their
    attributes: an error has a message, one of syntax a line, a missing template its names.
    """
    code, word, hint = "template-name", "", ""
    if hasattr(error, "templates"):
        code, word = "template-missing", str(getattr(error, "name", ""))
        message = f'there is no template "{word}"'
        paths = {name.rpartition("/")[2]: name for name in templates}
        similar = find_similar_word(word.rpartition("/")[2].removesuffix(".html"), [n[:-5] for n in paths])
        hint = f'did you mean "{paths[f"{similar}.html"]}"?' if similar else ""
    elif isinstance(error, RecursionError):
        message, word = "this template includes itself", "include"
    elif not hasattr(error, "message"):
        message = f"this cannot be computed: {error}"
    else:
        message, _, hint = str(error.message).rstrip(".").partition("; ")
        match = _WORD.search(message)
        words = {name: word for name, word in match.groupdict().items() if word} if match else {}
        type_name = words.pop("type", "")
        kind, word = next(iter(words.items()), ("", ""))
        if kind == "filter" or hasattr(error, "lineno"):
            code = "template-syntax"
        known: dict[str, Iterable[str]] = {"filter": filters, "name": TEMPLATE_GLOBALS}
        known |= dict.fromkeys(("field", "macro"), _list_fields(type_name, site))
        similar = find_similar_word(word, known.get(kind, ())) if word else ""
        hint = hint or DROPPED_FILTERS.get(word, f'did you mean "{similar}"?' if similar else "")
        # 'tenure.model.entries.Award object' -> Award
        message = re.sub(
            r"'(?:[\w.]+\.)?(\w+) object'", lambda found: TYPE_LABELS.get(found[1], found[1]), message
        )
    text = path.read_text(encoding="utf-8")
    folder = next((each for each in site.active_theme.folders if path.is_relative_to(each)), path.parent)
    file = f"themes/{folder.name}/{path.relative_to(folder).as_posix()}"
    problems.add_source(file, text)
    column = [*text.split("\n"), ""][line - 1].find(word) if word else -1
    place = Place(file, line, column + 1, len(word)) if column >= 0 else Place(file, line, 1, 1)
    problems.report(code, place, message, hint)


def _list_fields(type_name: str, site: Site) -> Collection[str]:
    """The names that a value has, by its type in Jinja's message: macros of the theme's parts, its options, or fields."""
    theme, (module, _, name) = site.active_theme, type_name.rpartition(".")
    if name in ("TemplateModule", ""):
        parts = [path for folder in theme.folders for path in list_used_files(folder, "parts/*.html")]
        texts = [path.read_text(encoding="utf-8") for path in parts]
        return [macro for text in texts for macro in re.findall(r"\{%[-+]?\s*macro\s+(\w+)", text)]
    if name in ("dict", "Translations"):
        return (*theme.options, *theme.translations)
    record_type = getattr(sys.modules.get(module), name, None)
    if not isinstance(record_type, type) or not issubclass(record_type, Record):
        return ()
    properties = [name for name in dir(record_type) if isinstance(getattr(record_type, name, None), property)]
    fields = [name for name in field_names(record_type) if name not in field_names(SourceRecord)]
    return (*fields, *properties)


def report_bad_formulas(page_html: str, source: Place, problems: Problems) -> None:
    """Report each formula of a page that could not be parsed."""
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
