"""Explain template errors: the position of the mistake, and a repair for Jinja's message."""

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from tenure.markdown.html_tags import iterate_elements
from tenure.markdown.math import BROKEN_FORMULA_CLASS
from tenure.problems import Place, Problems, find_similar_word, suggest_word
from tenure.record import Record

FOREIGN_TAGS: Mapping[str, str] = {
    "elseif": "elif", "elsif": "elif", "assign": "set", "capture": "set", "unless": "if not", "case": "if",
    "endunless": "endif", "endcapture": "endset", "partial": "include", "render": "include", "range": "for",
}  # fmt: skip
"""The Jinja tag for each tag of Liquid and of Go templates."""

PAIRED_TAGS = ("block", "call", "filter", "for", "if", "macro", "raw", "set", "with")
JINJA_TAGS = (*PAIRED_TAGS, *(f"end{tag}" for tag in PAIRED_TAGS), "extends", "from", "import", "include", "else", "elif")  # fmt: skip
TEMPLATE_GLOBALS = ("site", "page", "menu", "theme", "t", "once", "kept")
TOKEN_HINTS: Mapping[str, str] = {
    "=": "write ==",
    "&": "write and",
    "|": "write or",
    "!": "write not",
    "?": "write: a if b else c",
    '"': 'close the quote that begins here with "',
    "'": "close the quote that begins here with '",
}
"""Repairs for tokens that Jinja's parser does not expect."""

FILTER_HINTS: Mapping[str, str] = {
    "date": "it takes a single date; for the dates of entries use |period",
    "period": "it takes a period, such as entry.period",
}
_WHOLE_TAG = r"\{[{%].*"


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

    def nearby_lines(self) -> Iterator[tuple[int, str]]:
        """The error line, the three lines before it and the next line, with their numbers."""
        lines = self.text.split("\n")
        earlier_lines = range(self.error_line - 1, self.error_line - 4, -1)
        for number in (self.error_line, *earlier_lines, self.error_line + 1):
            if 0 < number <= len(lines):
                yield number, lines[number - 1]

    def find_mistake(self, pattern: str, message: str, hint: str = "") -> TemplateMistake:
        """Return a mistake at the match of a pattern or of its first group, in the error line or in a line near it."""
        for number, line in self.nearby_lines():
            match = re.search(pattern, line)
            if match:
                start, end = match.span(1 if match.re.groups else 0)
                return TemplateMistake(number, start + 1, end - start, message, hint)
        return TemplateMistake(self.error_line, 1, 1, message, hint)


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
        return source.find_mistake(
            pattern, f"a {{% {open_tag[1]} %}} is not closed", f"put {{% end{open_tag[1]} %}} {place}"
        )
    if unknown_tag:
        return _explain_unknown_tag(source, unknown_tag[1])
    if message.startswith("Missing end of "):
        pattern, name, ending = (
            (r"\{%[-+]?\s*raw\b", "raw tag", "{% endraw %}")
            if "raw" in message
            else (r"\{#", "comment", "#}")
        )
        return source.find_mistake(
            pattern, f"the {name} that begins here is never closed", f"close it with {ending}"
        )
    for number, line in list(source.nearby_lines())[:1]:  # only the line of the error
        for opening in re.finditer(r"\{([{%])(?:(?![}%]\}|\{[{%]).)*(?=$|\{[{%])", line):
            message = f"the {opening[0][:2]} that begins here is never closed"
            hint = f"close it with {'}}' if opening[1] == '{' else '%}'}"
            return TemplateMistake(number, opening.start() + 1, 2, message, hint)
    match = re.search(r"""(?:got|unexpected(?: char)?) (['"])(.+?)\1""", message)
    if match is None or match[2].startswith("end of"):
        return source.find_mistake(_WHOLE_TAG, f"this cannot be read: {message.rstrip('.')}")
    pattern = rf"\{{[{{%](?:(?![}}%]\}}).)*?(?<![=!<>])({re.escape(match[2])})"
    return source.find_mistake(pattern, f"“{match[2]}” is not allowed here", TOKEN_HINTS.get(match[2], ""))


def _explain_unknown_tag(source: TemplateSource, name: str) -> TemplateMistake:
    pattern = rf"\{{%[-+]?\s*({name})\b"
    if name in JINJA_TAGS:
        return source.find_mistake(pattern, f"{{% {name} %}} closes nothing", "delete it")
    similar = FOREIGN_TAGS.get(name) or find_similar_word(name, JINJA_TAGS)
    hint = f"write {{% {similar} %}}" if similar else ""
    return source.find_mistake(pattern, f'there is no tag called "{name}"', hint)


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
        known_names = {*TEMPLATE_GLOBALS, *_local_names(source.text)} - {name}
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
    owners = (re.search(rf"([\w.]+){access}", line) for _, line in source.nearby_lines())
    owner = next((owner[1] for owner in owners if owner), "this")
    if type_name == "None":
        return source.find_mistake(
            access, f"“{owner}” can be empty; then it has no “{field}”", f"check {{% if {owner} %}} first"
        )
    fields = [*fields_of_type(type_name)] or [*fields_of_type(owner)]
    if owner in part_texts:
        fields = re.findall(r"\{%[-+]?\s*macro\s+(\w+)", part_texts[owner])
    hint = suggest_word(field, fields, f"it has {', '.join(fields[:14])}" if fields else "")
    return source.find_mistake(access, f'“{owner}” has no "{field}"', hint)


def _local_names(text: str) -> Iterator[str]:
    """Yield the names that a template defines: imports, variables, loop variables and parameters of macros."""
    for match in re.finditer(r"\b(?:as|set|for) (\w+)|\bmacro \w+\(([^)]*)\)", text):
        yield from [match[1]] if match[1] else re.findall(r"(\w+)(?=\s*[,=]|$)", match[2] or "")


def explain_failure(
    source: TemplateSource, error: BaseException, filters: Mapping[str, Any], function_name: str
) -> TemplateMistake:
    """Return the mistake for an exception in an expression. `function_name` is the function that raised it, or ""."""
    if isinstance(error, RecursionError):
        hint = (
            "to extend a file of the theme, write the name of one that the command theme lists; "
            "to repeat a part, write a macro, which can call itself"
        )
        pattern = r"\{%[-+]?\s*(?:extends|include|import).*?%\}"
        return source.find_mistake(pattern, "this template includes itself", hint)
    for filter_name, function in filters.items():
        while isinstance(function, partial):
            function = function.func
        if function_name and getattr(function, "__name__", "") == function_name:
            message = f'the filter "{filter_name}" cannot take this value'
            return source.find_mistake(rf"\|\s*({filter_name})\b", message, FILTER_HINTS.get(filter_name, ""))
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
