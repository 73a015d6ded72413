"""Explain template errors: the place of the mistake, and a repair for Jinja's message."""

import html
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from tenure.markdown.html_tags import iterate_elements
from tenure.markdown.math import BROKEN_FORMULA_CLASS
from tenure.problems import Place, Problems, find_similar_word, suggest_word
from tenure.record import Record, replace

JINJA_TAGS = (
    *("block", "call", "filter", "for", "if", "macro", "raw", "set", "with", "extends", "from", "import", "include"),
    *("else", "elif", "endblock", "endcall", "endfilter", "endfor", "endif", "endmacro", "endraw", "endset", "endwith"),
)  # fmt: skip
TEMPLATE_GLOBALS = ("site", "page", "menu", "theme", "t", "once", "kept")
_WHOLE_TAG = r"\{[{%#].*"


class TemplateMistake(Record):
    """A mistake in a template: line, column (both from 1), length, message and hint."""

    line: int
    column: int
    length: int
    message: str
    hint: str = ""


class TemplateSource(Record):
    """The text of a template, and the line (from 1) of Jinja's error."""

    text: str
    error_line: int

    def find_mistake(self, pattern: str, message: str, hint: str = "") -> TemplateMistake:
        """The mistake at the first group or the whole of a match: in the error line, one of the three before it, or the next one."""
        lines = self.text.split("\n")
        number = self.error_line
        for line_number in (number, number - 1, number - 2, number - 3, number + 1):
            match = re.search(pattern, lines[line_number - 1]) if 0 < line_number <= len(lines) else None
            if match:
                start, end = match.span(match.re.groups and 1)
                return TemplateMistake(line_number, start + 1, end - start, message, hint)
        return TemplateMistake(number, 1, 1, message, hint)


def explain_missing_template(
    source: TemplateSource, name: str, template_paths: Iterable[str]
) -> TemplateMistake:
    """Return the mistake for a template name that does not exist."""
    paths_by_stem = {PurePosixPath(path).stem: path for path in sorted(template_paths, key=len, reverse=True)}
    similar = find_similar_word(PurePosixPath(name).stem, paths_by_stem)
    hint = (
        f'did you mean "{paths_by_stem[similar]}"?'
        if similar
        else "neither the theme nor a theme that it extends has this file"
    )
    return source.find_mistake(re.escape(name), f'there is no template "{name}"', hint)


def explain_syntax_error(
    source: TemplateSource, message: str, filters: Iterable[str], own_filters: Iterable[str]
) -> TemplateMistake:
    """Return the mistake for a message of Jinja's parser; `own_filters` are those that Jinja does not have."""
    if match := re.match(r"No (filter|test) named '(\w+)'", message):
        hint = suggest_word(match[2], filters, f"known here: {', '.join(sorted(own_filters))}")
        pattern = rf"(?:\||\bis|\bis not)\s*({match[2]})\b"
        return source.find_mistake(pattern, f'there is no {match[1]} called "{match[2]}"', hint)
    unknown_tag = re.search(r"Encountered unknown tag '(\w+)'", message)
    open_tag = re.search(r"The innermost block that needs to be closed is '(\w+)'", message)
    if open_tag and (unknown_tag is None or unknown_tag[1] in JINJA_TAGS):
        pattern = rf"\{{%[-+]?\s*{(unknown_tag or open_tag)[1]}\b.*?%\}}"
        place = "here" if unknown_tag else "at its end"
        hint = f"put {{% end{open_tag[1]} %}} {place}"
        return source.find_mistake(pattern, f"a {{% {open_tag[1]} %}} is not closed", hint)
    if unknown_tag:
        is_else_if = unknown_tag[1] in ("elseif", "elsif")
        similar = "elif" if is_else_if else find_similar_word(unknown_tag[1], JINJA_TAGS)
        hint = f"write {{% {similar} %}}" if similar else ""
        message = f'there is no tag called "{unknown_tag[1]}"'
        if similar == unknown_tag[1]:
            message, hint = f"{{% {similar} %}} closes nothing", "delete it"
        return source.find_mistake(rf"\{{%[-+]?\s*({unknown_tag[1]})\b", message, hint)
    message = re.sub(r"(?: at \d+)?\.?$", "", message)
    hint = "" if message.startswith("expected") else "check that each brace, tag and quote is closed"
    return source.find_mistake(_WHOLE_TAG, f"this cannot be read: {message}", hint)


def explain_undefined_name(
    source: TemplateSource,
    message: str,
    fields_of_type: Callable[[str], Iterable[str]],
    part_texts: Mapping[str, str],
) -> TemplateMistake:
    """
    Return the mistake for a name, a field or a macro that does not exist.

    `fields_of_type` returns the fields for a type name in Jinja's message ("tenure.model.entries.Award").
    `part_texts` has the text of each part by the name that a template imports it as.
    """
    if match := re.search(r"^'(\w+)' is undefined", message):
        name = match[1]
        known_names = {*TEMPLATE_GLOBALS, *re.findall(r"\b(?:as|set|for) (\w+)", source.text)} - {name}
        hint = suggest_word(name, known_names, f"a template has {', '.join(TEMPLATE_GLOBALS)}")
        if name in part_texts and re.search(rf"\b{name}\.\w+\(", source.text):
            hint = f'import it: {{% import "parts/{name}.html" as {name} with context %}}'
        return source.find_mistake(rf"\b{name}\b", f'"{name}" is not defined here', hint)
    match = re.search(r"'([^']*?)(?: object)?' has no attribute '([^']*)'", message) or re.search(
        r"(template) '[^']*'.*does not export the requested name '(\w+)'", message
    )
    if match is None:
        asset = re.search(r"“(.*?)”", message)
        summary, _, hint = message.partition("; ")
        return source.find_mistake(re.escape(asset[1]) if asset else _WHOLE_TAG, summary, hint)
    type_name, field = match[1], match[2]
    access = rf"(?:\.|\[[\"'])({re.escape(field)})\b"
    mistake = source.find_mistake(access, f'there is no "{field}"')
    owner_match = re.search(rf"([\w.]+){access}", source.text.split("\n")[mistake.line - 1])
    owner = owner_match[1] if owner_match else "this"
    if type_name == "None":
        message = f"“{owner}” can be empty; then it has no “{field}”"
        return replace(mistake, message=message, hint=f"check {{% if {owner} %}} first")
    fields = [*fields_of_type(type_name)] or [*fields_of_type(owner)]
    if owner in part_texts:
        fields = re.findall(r"\{%[-+]?\s*macro\s+(\w+)", part_texts[owner])
    hint = suggest_word(field, fields, f"it has {', '.join(fields[:14])}" if fields else "")
    return replace(mistake, message=f'“{owner}” has no "{field}"', hint=hint)


def explain_failure(
    source: TemplateSource, error: BaseException, filters: Mapping[str, Any], function_name: str
) -> TemplateMistake:
    """Return the mistake for an exception in an expression. `function_name` is the function that raised it, or ""."""
    if isinstance(error, RecursionError):
        hint = "to extend a file of the theme, write the name of one that the command theme lists"
        return source.find_mistake(
            r"\{%[-+]?\s*(?:extends|include|import).*?%\}", "this template includes itself", hint
        )
    for filter_name, function in filters.items():
        while isinstance(function, partial):
            function = function.func
        if function_name and getattr(function, "__name__", "") == function_name:
            message = f'the filter "{filter_name}" cannot take this value'
            return source.find_mistake(rf"\|\s*({filter_name})\b", message)
    return source.find_mistake(r"\{[{%].*?[%}]\}", f"this cannot be computed: {error}")


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
