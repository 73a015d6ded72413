"""Explain template errors: find the position of the mistake and a repair for Jinja's message."""

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import PurePosixPath

from tenure.formulas import BROKEN_FORMULA
from tenure.frozen import dataclass
from tenure.problems import Place, Problems, did_you_mean

FILTERS = (
    "asset",
    "authors",
    "bdi",
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
    "period",
    "plain",
    "services",
    "slug",
    "tagged",
    "title",
    "url",
)
ELSEWHERE: Mapping[str, str] = {
    "elseif": "elif", "elsif": "elif", "assign": "set", "capture": "set", "unless": "if not", "case": "if",
    "endunless": "endif", "endcapture": "endset", "partial": "include", "render": "include", "range": "for",
}  # fmt: skip
"""The Jinja tag for each tag of Liquid and of Go templates."""

TAGS = frozenset("block call extends filter for from if import include macro raw set with else elif".split())  # noqa: SIM905 - shorter than a list of strings
CLOSED = frozenset({"block", "call", "filter", "for", "if", "macro", "raw", "set", "with"})
NAMES = ("site", "page", "menu", "theme", "t", "kept")


@dataclass(frozen=True, slots=True)
class Fault:
    """A mistake in a template: line, column (both from 1), length, message and hint."""

    line: int
    column: int
    length: int
    message: str
    hint: str = ""


@dataclass(frozen=True)
class Source:
    """The text of a template, and the line (from 1) of Jinja's error."""

    text: str
    number: int

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def fault(self, pattern: str, message: str, hint: str = "") -> Fault:
        """Return a mistake at the match of a pattern or of its first group, in the error line or in a line near it."""
        for number in (self.number, *range(self.number - 1, max(0, self.number - 4), -1), self.number + 1):
            line = self.lines[number - 1] if 0 < number <= len(self.lines) else ""
            found = re.search(pattern, line)
            if found:
                start, end = found.span(1 if found.re.groups else 0)
                return Fault(number, start + 1, end - start, message, hint)
        return Fault(self.number, 1, 1, message, hint)

    def open_tags(self) -> list[tuple[str, int]]:
        """Return the tags that are open at the end of the error line, outermost first, each with its offset."""
        found: list[tuple[str, int]] = []
        end = len("\n".join(self.lines[: self.number]))
        for match in re.finditer(r"\{#.*?#\}|\{%[-+]?\s*(\w+)(.*?)%\}", self.text[:end], re.DOTALL):
            name = match[1] or ""
            if name.startswith("end") and found and found[-1][0] == name.removeprefix("end"):
                found.pop()
            elif name in CLOSED and not (name == "set" and "=" in match[2]):
                found.append((name, match.start()))
        return found

    def at(self, position: int, length: int, message: str, hint: str = "") -> Fault:
        """Return a mistake at an offset of the text."""
        line = self.text.count("\n", 0, position) + 1
        return Fault(line, position - self.text.rfind("\n", 0, position), length, message, hint)


def missing(source: Source, name: str, known: Iterable[str]) -> Fault:
    """Return the mistake for a template name that does not exist."""
    stems = {PurePosixPath(path).stem: path for path in sorted(known, key=len, reverse=True)}
    near = did_you_mean(PurePosixPath(name).stem, stems)
    hint = (
        f'did you mean "{stems[near]}"?'
        if near
        else "neither the theme nor a theme that it extends has this file"
    )
    return source.fault(re.escape(name), f'there is no template "{name}"', hint)


def syntax(source: Source, message: str, filters: Iterable[str]) -> Fault:
    """Return the mistake for a message of Jinja's parser."""
    for reader in (_unclosed_braces, _filter, _nesting, _tag, _single_equals):
        found = reader(source, message, filters)
        if found is not None:
            return found
    if message.startswith("expected name or number"):
        return source.fault(r"\{[{%].*?(\.)\s*[^\s\w]", "a field's name is missing after the dot")
    if "tag name expected" in message:
        return source.fault(r"\{%[-+]?\s*[^\w\s]", "a tag begins with its name", "write it like {% if … %}")
    sign = re.search(r"""(?:got|unexpected(?: char)?) (['"])(.+?)\1""", message)
    words = sign[2] if sign else ""
    inside = rf"\{{[{{%](?:(?![}}%]\}}).)*?({re.escape(words)})"
    if words in ("'", '"'):
        return source.fault(inside, "the quote that begins here is never closed", f"close it with {words}")
    if words.startswith("end of"):
        return source.fault(r"\{[{%].*", "a part of a statement is missing in this line")
    if words:
        return source.fault(inside, f"“{words}” is not allowed here", OPERATORS.get(words, ""))
    return source.fault(r"\{[{%].*", f"this cannot be read: {message.rstrip('.')}")


OPERATORS: Mapping[str, str] = {
    "&": "write and",
    "|": "write or",
    "!": "write not",
    "?": "write: a if b else c",
}


def _unclosed_braces(source: Source, message: str, filters: Iterable[str]) -> Fault | None:
    del filters
    if "Encountered" in message or "Unexpected end" in message:
        return None
    line = source.lines[source.number - 1] if source.number <= len(source.lines) else ""
    for opening in re.finditer(r"\{([{%])(?:(?![}%]\}|\{[{%]).)*(?=$|\{[{%])", line):
        sign = "}}" if opening[1] == "{" else "%}"
        message = f"the {opening[0][:2]} that begins here is never closed"
        return Fault(source.number, opening.start() + 1, 2, message, f"close it with {sign}")
    return None


def _filter(source: Source, message: str, filters: Iterable[str]) -> Fault | None:
    found = re.match(r"No (filter|test) named '(\w+)'", message)
    if found is None:
        return None
    near = did_you_mean(found[2], filters)
    hint = f'did you mean "{near}"?' if near else f"known here: {', '.join(FILTERS)}"
    pattern = rf"\|\s*({found[2]})\b" if found[1] == "filter" else rf"\bis (?:not )?({found[2]})\b"
    return source.fault(pattern, f'there is no {found[1]} called "{found[2]}"', hint)


def _nesting(source: Source, message: str, filters: Iterable[str]) -> Fault | None:
    """Return the mistake for a tag without its end tag, at the start of the tag."""
    del filters
    wanted = re.search(r"The innermost block that needs to be closed is '(\w+)'", message)
    tag = re.search(r"Encountered unknown tag '(\w+)'", message)
    if wanted is None or (tag and not (tag[1].startswith("end") and tag[1].removeprefix("end") in CLOSED)):
        return None
    opened = [position for name, position in source.open_tags() if name == wanted[1]]
    if not opened:
        return None
    before = f" before the {{% {tag[1]} %}} of line {source.number}" if tag else ""
    told = f"the {{% {wanted[1]} %}} that begins here is never closed"
    length = source.text.find("%}", opened[-1]) + 2 - opened[-1]
    return source.at(opened[-1], length, told, f"put {{% end{wanted[1]} %}}{before or ' at its end'}")


def _tag(source: Source, message: str, filters: Iterable[str]) -> Fault | None:
    del filters
    found = re.search(r"Encountered unknown tag '(\w+)'", message)
    if found is None:
        return None
    name = found[1]
    pattern = rf"\{{%[-+]?\s*({name})\b"
    if name.startswith("end") and name.removeprefix("end") in CLOSED:
        hint = f"delete it, or put {{% {name.removeprefix('end')} … %}} before it"
        return source.fault(pattern, f"{{% {name} %}} closes nothing", hint)
    near = ELSEWHERE.get(name) or did_you_mean(name, {*TAGS, *(f"end{tag}" for tag in CLOSED)})
    hint = f"write {{% {near} %}}" if near else ""
    return source.fault(pattern, f'there is no tag called "{name}"', hint)


def _single_equals(source: Source, message: str, filters: Iterable[str]) -> Fault | None:
    del filters
    pattern = r"\{%[-+]?\s*(?:el)?if\b(?:(?![}%]\}).)*?[^=!<>](=)(?!=)"
    if "got '='" not in message or not re.search(pattern, source.lines[source.number - 1]):
        return None
    return source.fault(pattern, "a single = does not compare", "write ==")


def undefined(
    source: Source, message: str, fields: Callable[[str], Iterable[str]], parts: Mapping[str, str]
) -> Fault:
    """
    Return the mistake for a name, a field or a macro that does not exist.

    `fields_of_type` returns the fields for a type name in Jinja's message ("tenure.model.entries.Award").
    `part_texts` has the text of each part by the name that a template imports it as.
    """
    name = re.search(r"^'(\w+)' is undefined", message)
    if name:
        near = did_you_mean(name[1], {*NAMES, *_locals(source)} - {name[1]})
        hint = f'did you mean "{near}"?' if near else f"a template has {', '.join(NAMES)}"
        called = re.search(rf"\b{name[1]}\.\w+\(", source.lines[source.number - 1])
        if name[1] in parts and (called or not near):
            hint = f'import it: {{% import "parts/{name[1]}.html" as {name[1]} with context %}}'
        return source.fault(rf"\b{name[1]}\b", f'"{name[1]}" is not defined here', hint)
    exported = re.search(
        r"the template '[^']*?(\w+)\.html'.*does not export the requested name '(\w+)'", message
    )
    if exported:
        message = f"'TemplateModule' has no attribute '{exported[2]}'"
    found = re.search(r"'([^']*?)(?: object)?' has no attribute '([^']*)'", message)
    if found is None:
        asset = re.search(r"“(.*?)”", message)
        pattern = re.escape(asset[1]) if asset else r"\{[{%].*"
        return source.fault(pattern, message.partition("; ")[0], message.partition("; ")[2])
    kind, field = found[1], found[2]
    pattern = rf"(?:\.|\[[\"'])({re.escape(field)})\b"
    owner = next(iter(_owners(source, field)), "")
    if kind == "None":
        return source.fault(
            pattern, f"“{owner}” can be empty; then it has no “{field}”", f"check {{% if {owner} %}} first"
        )
    known = [*fields(kind)]
    if "TemplateModule" in kind:
        known = re.findall(r"\{%[-+]?\s*macro\s+(\w+)", parts.get(owner, ""))
    elif kind in ("dict", "mappingproxy"):
        known = [*fields(owner)]
    near = did_you_mean(field, known)
    hint = f'did you mean "{near}"?' if near else f"it has {', '.join(known[:14])}" if known else ""
    return source.fault(pattern, _lacking(kind, owner, field), hint)


def _locals(source: Source) -> Iterator[str]:
    """Yield the names that a template defines: imports, variables, loop variables and parameters of macros."""
    for found in re.finditer(r"\b(?:as|set|for) (\w+)|\bmacro \w+\(([^)]*)\)", source.text):
        yield from [found[1]] if found[1] else re.findall(r"(\w+)(?=\s*[,=]|$)", found[2] or "")


def _owners(source: Source, field: str) -> Iterator[str]:
    for number in (source.number, source.number - 1, source.number - 2):
        if 0 < number <= len(source.lines):
            found = re.search(rf"([\w.]+)(?:\.|\[[\"']){re.escape(field)}\b", source.lines[number - 1])
            if found:
                yield found[1]


def _lacking(kind: str, owner: str, field: str) -> str:
    if "TemplateModule" in kind:
        return f'the part "{owner}" has no macro "{field}"'
    if owner == "theme":
        return f'the theme has no option "{field}"'
    if owner == "t":
        return f'the theme has no label "{field}"'
    if kind in ("dict", "mappingproxy"):
        return f'nothing is kept under "{field}"'
    called = kind.rpartition(".")[2]
    return f'{"an" if called[:1] in "AEIOU" else "a"} {called.casefold()} has no field "{field}"'


def failed(source: Source, error: BaseException, filters: Iterable[str], inside: str) -> Fault:
    """Return the mistake for an exception in an expression. `filter_name` is the filter that raised it, or ""."""
    if isinstance(error, RecursionError):
        hint = "put the repeated part into a macro; a macro can call itself"
        return source.fault(
            r"\{%[-+]?\s*(?:extends|include|import).*?%\}", "this template includes itself", hint
        )
    macro = re.match(r"macro '(\w+)' takes (.*)", str(error))
    if macro:
        takes = re.sub(r"^not more than (\d+) argument\(s\)", r"at most \1 values", macro[2])
        takes = takes.replace("at most 0 values", "no values")
        return source.fault(rf"\b{macro[1]}\b", f'"{macro[1]}" gets too many values', f"it takes {takes}")
    wanted = re.match(r"(?:sync_)?(?:do_)?_?(\w+)\(\) got an unexpected keyword argument '(\w+)'", str(error))
    if wanted:
        return source.fault(rf"\b{wanted[2]}\b", f'"{wanted[1]}" has no parameter "{wanted[2]}"')
    if inside in filters:
        message = f'the filter "{inside}" cannot take this value'
        return source.fault(rf"\|\s*({inside})\b", message, TAKES.get(inside, ""))
    if re.search("concatenate|unsupported operand|not supported between", str(error)):
        return source.fault(
            r"\{[{%].*?[%}]\}", "a text and a number cannot be combined here", "join texts with ~"
        )
    return source.fault(r"\{[{%].*?[%}]\}", f"this cannot be computed: {error}")


TAKES: Mapping[str, str] = {
    "date": "it takes a single date; for the dates of entries use |period",
    "period": "it takes a period, such as entry.period",
    "authors": "it takes authors, such as paper.authors",
}


def tell_formulas(made: str, source: str, problems: Problems) -> None:
    """Report each formula of a page that could not be parsed."""
    for words in re.findall(rf'<code class="{BROKEN_FORMULA}">(.*?)</code>', made):
        formula = html.unescape(words)
        place = problems.where(f"${formula}$") or problems.where(formula) or Place.at(source)
        if any(
            p.code == "bib-syntax" and (p.place.file, p.place.line) == (place.file, place.line)
            for p in problems.told()
        ):
            continue  # the missing brace is already reported
        bare = re.sub(r"\\\\.", "", formula)
        even = bare.count("{") == bare.count("}")
        hint = "check its commands, and what they need" if even else "give each { its }"
        problems.tell("bad-formula", place, f"the formula ${formula}$ cannot be read", hint)
