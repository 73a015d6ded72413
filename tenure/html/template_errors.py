"""Explain template errors: find the position of the mistake and a repair for Jinja's message."""

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from pathlib import PurePosixPath
from typing import Any

from tenure.markdown.html_tags import iterate_elements
from tenure.markdown.math import BROKEN_FORMULA_CLASS
from tenure.problems import Place, Problems, find_similar_word
from tenure.record import Record

DOCUMENTED_FILTERS = (
    "asset",
    "bdi",
    "citation",
    "coins",
    "collated",
    "date",
    "downloads",
    "email",
    "embedded",
    "head",
    "headings",
    "inline",
    "json",
    "label",
    "lang",
    "markdown",
    "markup",
    "period",
    "plain",
    "services",
    "slug",
    "tagged",
    "title",
    "url",
)
FOREIGN_TAGS: Mapping[str, str] = {
    "elseif": "elif", "elsif": "elif", "assign": "set", "capture": "set", "unless": "if not", "case": "if",
    "endunless": "endif", "endcapture": "endset", "partial": "include", "render": "include", "range": "for",
}  # fmt: skip
"""The Jinja tag for each tag of Liquid and of Go templates."""

JINJA_TAGS = frozenset(
    [
        "block",
        "call",
        "extends",
        "filter",
        "for",
        "from",
        "if",
        "import",
        "include",
        "macro",
        "raw",
        "set",
        "with",
        "else",
        "elif",
    ]
)
PAIRED_TAGS = frozenset({"block", "call", "filter", "for", "if", "macro", "raw", "set", "with"})
TEMPLATE_GLOBALS = ("site", "page", "menu", "theme", "t", "kept")


class TemplateMistake(Record):
    """A mistake in a template: line, column (both from 1), length, message and hint."""

    line: int
    column: int
    length: int
    message: str
    hint: str = ""


class TemplateSource(Record, dict=True):
    """The text of a template, and the line (from 1) of Jinja's error."""

    text: str
    error_line: int

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def find_mistake(self, pattern: str, message: str, hint: str = "") -> TemplateMistake:
        """Return a mistake at the match of a pattern or of its first group, in the error line or in a line near it."""
        for line_number in (
            self.error_line,
            *range(self.error_line - 1, max(0, self.error_line - 4), -1),
            self.error_line + 1,
        ):
            line = self.lines[line_number - 1] if 0 < line_number <= len(self.lines) else ""
            match = re.search(pattern, line)
            if match:
                start, end = match.span(1 if match.re.groups else 0)
                return TemplateMistake(line_number, start + 1, end - start, message, hint)
        return TemplateMistake(self.error_line, 1, 1, message, hint)

    def find_open_tags(self) -> list[tuple[str, int]]:
        """Return the tags that are open at the end of the error line, outermost first, each with its offset."""
        open_tags: list[tuple[str, int]] = []
        end_offset = len("\n".join(self.lines[: self.error_line]))
        for match in re.finditer(r"\{#.*?#\}|\{%[-+]?\s*(\w+)(.*?)%\}", self.text[:end_offset], re.DOTALL):
            name = match[1] or ""
            if name.startswith("end") and open_tags and open_tags[-1][0] == name.removeprefix("end"):
                open_tags.pop()
            elif name in PAIRED_TAGS and not (name == "set" and "=" in match[2]):
                open_tags.append((name, match.start()))
        return open_tags

    def mistake_at(self, position: int, length: int, message: str, hint: str = "") -> TemplateMistake:
        """Return a mistake at an offset of the text."""
        line = self.text.count("\n", 0, position) + 1
        return TemplateMistake(line, position - self.text.rfind("\n", 0, position), length, message, hint)


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


def explain_syntax_error(source: TemplateSource, message: str, filters: Iterable[str]) -> TemplateMistake:
    """Return the mistake for a message of Jinja's parser."""
    for explain in (
        _explain_unclosed_braces,
        _explain_unknown_filter,
        _explain_unclosed_tag,
        _explain_unknown_tag,
        _explain_single_equals,
    ):
        mistake = explain(source, message, filters)
        if mistake is not None:
            return mistake
    if message.startswith("expected name or number"):
        return source.find_mistake(r"\{[{%].*?(\.)\s*[^\s\w]", "a field's name is missing after the dot")
    if "tag name expected" in message:
        return source.find_mistake(
            r"\{%[-+]?\s*[^\w\s]", "a tag begins with its name", "write it like {% if … %}"
        )
    match = re.search(r"""(?:got|unexpected(?: char)?) (['"])(.+?)\1""", message)
    token = match[2] if match else ""
    pattern = rf"\{{[{{%](?:(?![}}%]\}}).)*?({re.escape(token)})"
    if token in ("'", '"'):
        return source.find_mistake(
            pattern, "the quote that begins here is never closed", f"close it with {token}"
        )
    if token.startswith("end of"):
        return source.find_mistake(r"\{[{%].*", "a part of a statement is missing in this line")
    if token:
        return source.find_mistake(pattern, f"“{token}” is not allowed here", OPERATOR_HINTS.get(token, ""))
    return source.find_mistake(r"\{[{%].*", f"this cannot be read: {message.rstrip('.')}")


OPERATOR_HINTS: Mapping[str, str] = {
    "&": "write and",
    "|": "write or",
    "!": "write not",
    "?": "write: a if b else c",
}


def _explain_unclosed_braces(
    source: TemplateSource, message: str, filters: Iterable[str]
) -> TemplateMistake | None:
    del filters
    if "Encountered" in message or "Unexpected end" in message:
        return None
    line = source.lines[source.error_line - 1] if source.error_line <= len(source.lines) else ""
    for opening in re.finditer(r"\{([{%])(?:(?![}%]\}|\{[{%]).)*(?=$|\{[{%])", line):
        closing = "}}" if opening[1] == "{" else "%}"
        message = f"the {opening[0][:2]} that begins here is never closed"
        return TemplateMistake(source.error_line, opening.start() + 1, 2, message, f"close it with {closing}")
    return None


def _explain_unknown_filter(
    source: TemplateSource, message: str, filters: Iterable[str]
) -> TemplateMistake | None:
    match = re.match(r"No (filter|test) named '(\w+)'", message)
    if match is None:
        return None
    similar = find_similar_word(match[2], filters)
    hint = f'did you mean "{similar}"?' if similar else f"known here: {', '.join(DOCUMENTED_FILTERS)}"
    pattern = rf"\|\s*({match[2]})\b" if match[1] == "filter" else rf"\bis (?:not )?({match[2]})\b"
    return source.find_mistake(pattern, f'there is no {match[1]} called "{match[2]}"', hint)


def _explain_unclosed_tag(
    source: TemplateSource, message: str, filters: Iterable[str]
) -> TemplateMistake | None:
    """Return the mistake for a tag without its end tag, at the start of the tag."""
    del filters
    innermost = re.search(r"The innermost block that needs to be closed is '(\w+)'", message)
    unknown_tag = re.search(r"Encountered unknown tag '(\w+)'", message)
    if innermost is None or (
        unknown_tag
        and not (unknown_tag[1].startswith("end") and unknown_tag[1].removeprefix("end") in PAIRED_TAGS)
    ):
        return None
    open_offsets = [offset for name, offset in source.find_open_tags() if name == innermost[1]]
    if not open_offsets:
        return None
    place_hint = f" before the {{% {unknown_tag[1]} %}} of line {source.error_line}" if unknown_tag else ""
    description = f"the {{% {innermost[1]} %}} that begins here is never closed"
    length = source.text.find("%}", open_offsets[-1]) + 2 - open_offsets[-1]
    return source.mistake_at(
        open_offsets[-1], length, description, f"put {{% end{innermost[1]} %}}{place_hint or ' at its end'}"
    )


def _explain_unknown_tag(
    source: TemplateSource, message: str, filters: Iterable[str]
) -> TemplateMistake | None:
    del filters
    match = re.search(r"Encountered unknown tag '(\w+)'", message)
    if match is None:
        return None
    name = match[1]
    pattern = rf"\{{%[-+]?\s*({name})\b"
    if name.startswith("end") and name.removeprefix("end") in PAIRED_TAGS:
        hint = f"delete it, or put {{% {name.removeprefix('end')} … %}} before it"
        return source.find_mistake(pattern, f"{{% {name} %}} closes nothing", hint)
    similar = FOREIGN_TAGS.get(name) or find_similar_word(
        name, {*JINJA_TAGS, *(f"end{tag}" for tag in PAIRED_TAGS)}
    )
    hint = f"write {{% {similar} %}}" if similar else ""
    return source.find_mistake(pattern, f'there is no tag called "{name}"', hint)


def _explain_single_equals(
    source: TemplateSource, message: str, filters: Iterable[str]
) -> TemplateMistake | None:
    del filters
    pattern = r"\{%[-+]?\s*(?:el)?if\b(?:(?![}%]\}).)*?[^=!<>](=)(?!=)"
    if "got '='" not in message or not re.search(pattern, source.lines[source.error_line - 1]):
        return None
    return source.find_mistake(pattern, "a single = does not compare", "write ==")


def explain_undefined_name(
    source: TemplateSource,
    message: str,
    fields_of_type: Callable[[str], Iterable[str]],
    part_texts: Mapping[str, str],
) -> TemplateMistake:
    """
    Return the mistake for a name, a field or a macro that does not exist.

    `fields_of_type` returns the fields for a type name in Jinja's message ("tenure.model.bibtex_text.Award").
    `part_texts` has the text of each part by the name that a template imports it as.
    """
    name_match = re.search(r"^'(\w+)' is undefined", message)
    if name_match:
        similar = find_similar_word(
            name_match[1], {*TEMPLATE_GLOBALS, *_local_names(source)} - {name_match[1]}
        )
        hint = f'did you mean "{similar}"?' if similar else f"a template has {', '.join(TEMPLATE_GLOBALS)}"
        is_called = re.search(rf"\b{name_match[1]}\.\w+\(", source.lines[source.error_line - 1])
        if name_match[1] in part_texts and (is_called or not similar):
            hint = f'import it: {{% import "parts/{name_match[1]}.html" as {name_match[1]} with context %}}'
        return source.find_mistake(rf"\b{name_match[1]}\b", f'"{name_match[1]}" is not defined here', hint)
    export_match = re.search(
        r"the template '[^']*?(\w+)\.html'.*does not export the requested name '(\w+)'", message
    )
    if export_match:
        message = f"'TemplateModule' has no attribute '{export_match[2]}'"
    match = re.search(r"'([^']*?)(?: object)?' has no attribute '([^']*)'", message)
    if match is None:
        asset_match = re.search(r"“(.*?)”", message)
        pattern = re.escape(asset_match[1]) if asset_match else r"\{[{%].*"
        return source.find_mistake(pattern, message.partition("; ")[0], message.partition("; ")[2])
    type_name, field = match[1], match[2]
    pattern = rf"(?:\.|\[[\"'])({re.escape(field)})\b"
    owner = next(iter(_possible_owners(source, field)), "")
    if type_name == "None":
        return source.find_mistake(
            pattern, f"“{owner}” can be empty; then it has no “{field}”", f"check {{% if {owner} %}} first"
        )
    known_names = [*fields_of_type(type_name)]
    if "TemplateModule" in type_name:
        known_names = re.findall(r"\{%[-+]?\s*macro\s+(\w+)", part_texts.get(owner, ""))
    elif type_name in ("dict", "mappingproxy"):
        known_names = [*fields_of_type(owner)]
    similar = find_similar_word(field, known_names)
    hint = (
        f'did you mean "{similar}"?'
        if similar
        else f"it has {', '.join(known_names[:14])}"
        if known_names
        else ""
    )
    return source.find_mistake(pattern, _missing_field_message(type_name, owner, field), hint)


def _local_names(source: TemplateSource) -> Iterator[str]:
    """Yield the names that a template defines: imports, variables, loop variables and parameters of macros."""
    for match in re.finditer(r"\b(?:as|set|for) (\w+)|\bmacro \w+\(([^)]*)\)", source.text):
        yield from [match[1]] if match[1] else re.findall(r"(\w+)(?=\s*[,=]|$)", match[2] or "")


def _possible_owners(source: TemplateSource, field: str) -> Iterator[str]:
    for line_number in (source.error_line, source.error_line - 1, source.error_line - 2):
        if 0 < line_number <= len(source.lines):
            match = re.search(rf"([\w.]+)(?:\.|\[[\"']){re.escape(field)}\b", source.lines[line_number - 1])
            if match:
                yield match[1]


def _missing_field_message(type_name: str, owner: str, field: str) -> str:
    if "TemplateModule" in type_name:
        return f'the part "{owner}" has no macro "{field}"'
    if owner == "theme":
        return f'the theme has no option "{field}"'
    if owner == "t":
        return f'the theme has no label "{field}"'
    if type_name in ("dict", "mappingproxy"):
        return f'nothing is kept under "{field}"'
    class_name = type_name.rpartition(".")[2]
    return f'{"an" if class_name[:1] in "AEIOU" else "a"} {class_name.casefold()} has no field "{field}"'


def explain_failure(
    source: TemplateSource, error: BaseException, filters: Mapping[str, Any], function_name: str
) -> TemplateMistake:
    """Return the mistake for an exception in an expression. `function_name` is the function that raised it, or ""."""
    filter_names = _filter_names_by_function(filters)
    if isinstance(error, RecursionError):
        hint = "put the repeated part into a macro; a macro can call itself"
        return source.find_mistake(
            r"\{%[-+]?\s*(?:extends|include|import).*?%\}", "this template includes itself", hint
        )
    macro_match = re.match(r"macro '(\w+)' takes (.*)", str(error))
    if macro_match:
        expected = re.sub(r"^not more than (\d+) argument\(s\)", r"at most \1 values", macro_match[2])
        expected = expected.replace("at most 0 values", "no values")
        return source.find_mistake(
            rf"\b{macro_match[1]}\b", f'"{macro_match[1]}" gets too many values', f"it takes {expected}"
        )
    keyword_match = re.match(r"(?:\w+\.)*(\w+)\(\) got an unexpected keyword argument '(\w+)'", str(error))
    if keyword_match:
        called = filter_names.get(keyword_match[1], keyword_match[1])
        return source.find_mistake(
            rf"\b{keyword_match[2]}\b", f'"{called}" has no parameter "{keyword_match[2]}"'
        )
    filter_name = filter_names.get(function_name)
    if filter_name:
        message = f'the filter "{filter_name}" cannot take this value'
        return source.find_mistake(rf"\|\s*({filter_name})\b", message, FILTER_HINTS.get(filter_name, ""))
    if re.search("concatenate|unsupported operand|not supported between", str(error)):
        return source.find_mistake(
            r"\{[{%].*?[%}]\}", "a text and a number cannot be combined here", "join texts with ~"
        )
    return source.find_mistake(r"\{[{%].*?[%}]\}", f"this cannot be computed: {error}")


def _filter_names_by_function(filters: Mapping[str, Any]) -> dict[str, str]:
    """Map the name of each filter's Python function to the filter's name in templates."""
    names: dict[str, str] = {}
    for filter_name, function in filters.items():
        while isinstance(function, partial):
            function = function.func  # noqa: PLW2901 - the function inside
        names.setdefault(getattr(function, "__name__", ""), filter_name)
    return names


FILTER_HINTS: Mapping[str, str] = {
    "date": "it takes a single date; for the dates of entries use |period",
    "period": "it takes a period, such as entry.period",
    "authors": "it takes authors, such as paper.authors",
}


def report_bad_formulas(page_html: str, source: str, problems: Problems) -> None:
    """Report each formula of a page that could not be parsed."""
    if BROKEN_FORMULA_CLASS not in page_html:
        return
    for code in iterate_elements(page_html, "code"):
        if code.attributes.get("class") != BROKEN_FORMULA_CLASS:
            continue
        formula = html.unescape(code.content)
        place = problems.find_text(f"${formula}$") or problems.find_text(formula) or Place.from_source(source)
        if any(
            problem.code == "bib-syntax"
            and (problem.place.file, problem.place.line) == (place.file, place.line)
            for problem in problems.sorted_problems()
        ):
            continue  # the missing brace is already reported
        unescaped = re.sub(r"\\\\.", "", formula)
        is_balanced = unescaped.count("{") == unescaped.count("}")
        hint = "check its commands, and what they need" if is_balanced else "give each { its }"
        problems.report("bad-formula", place, f"the formula ${formula}$ cannot be read", hint)
