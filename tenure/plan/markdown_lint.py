"""Finds malformed Markdown in the texts of a site, and reports it at its place."""

import re
import sys
from bisect import bisect_right
from collections.abc import Iterator, Mapping

from tenure.markdown.blocks import ADMONITION_TITLES
from tenure.markdown.fences import find_fences
from tenure.model.entries import Publication
from tenure.model.site import Site
from tenure.plan.citations import iterate_markdown
from tenure.problems import Edit, Place, Problems, find_similar_word, suggest_word
from tenure.record import Record

_CANDIDATE_SYNTAX = re.compile(r"```|~~~|\[!|\[\^|\{%|\{\{|\[\[|\\[A-Za-z]{2}")
_ADMONITION = re.compile(r"^ *> ?\[!([\w-]+)\]", re.MULTILINE)
_FOOTNOTE = re.compile(r"(?P<indent>^[ \t]*)?\[\^(?P<name>[^][\s]+)\](?P<colon>:)?", re.MULTILINE)
_CODE_OR_MATH = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|\$[^$\n]+\$|\\\[", re.DOTALL)

_FOREIGN_MARKUP = re.compile(
    r"""
    (?P<tag>
        \{%[-\s]*\w(?:(?!\{%)[^\n])*?%\}                                    # {% include video.html %}
        | \{\{[<%][-\s]*/?\s*[\w/.-](?:(?!\{\{[<%])[^\n])*?[%>]\}\}         # {{< youtube x1 >}}
        | \{\{[-\s]*(?:site|page|post|layout|include|content)\b[^\n}]*\}\}  # {{ site.baseurl }}
    )
    | (?P<page>\[\[[^\[\]|\n]+(?:\|[^\[\]\n]+)?\]\])(?!\()                  # [[page|label]]
    | (?P<latex>\\(?:begin|end)\{\w+\*?\}|\\(?![a-zA-Z]*cite)[a-zA-Z]{2,}(?=\{))
    """,
    re.VERBOSE,
)
_MEANING = "write what it means in Markdown or HTML"
_KINDS_OF_MARKUP: Mapping[str, tuple[str, str, str]] = {
    "tag": ("foreign-tag", "a tag of another site generator", _MEANING),
    "page": ("foreign-markup", "markup of another dialect of Markdown", "write [label](/page/)"),
    "latex": ("foreign-markup", "a command of LaTeX", _MEANING),
}
"""The code of a problem, what the markup is, and the repair, by the group of the pattern. Others are in fewer than 6 of 2,000 texts."""


class MarkdownIssue(Record):
    """A problem of the text from `start` on, with a repair; `missing_line` is certainly missing at the end of the text."""

    code: str
    start: int
    marked_text: str
    message: str
    hint: str
    missing_line: str = ""


def check_markdown(site: Site, problems: Problems) -> None:
    """Report each malformed fence, code language, admonition, foreign tag and footnote."""
    for collection in site.collections.values():
        for entry in collection.entries:
            is_from_bib = isinstance(entry, Publication)
            entry_place = Place("content/publications.yaml") if is_from_bib else entry.source
            for text in (entry.body,) if is_from_bib else iterate_markdown(entry):
                if _CANDIDATE_SYNTAX.search(text):
                    _report_issues(text, entry_place, problems)


def _report_issues(text: str, entry_place: Place, problems: Problems) -> None:
    """Report the issues of a text at their places in its file; at the entry itself if they are not found there."""
    file = entry_place.file
    lines = max(entry_place.line, 1), sys.maxsize
    text_place = next(problems.find_places(re.escape(text), file, lines), None)
    line_starts = [0, *(newline.end() for newline in re.finditer("\n", text))]
    places: dict[str, Iterator[Place]] = {}
    for issue in find_issues(text):
        if text_place:
            row = bisect_right(line_starts, issue.start) - 1
            column = issue.start - line_starts[row] + (1 if row else text_place.column)
            place = Place(file, text_place.line + row, column, len(issue.marked_text))
        else:  # the text is written in another way, for example with an indentation
            marked_text = issue.marked_text
            if marked_text not in places:
                pattern = rf"(?<!\w){re.escape(marked_text)}(?![\w-])"
                places[marked_text] = problems.find_places(pattern, file, lines)
            place = next(places[marked_text], entry_place)
        end = problems.find_end(file, text) if issue.missing_line and file.endswith(".md") else None
        new_line = "" if end and end.column == 1 else "\n"
        edits = (Edit(end, f"{new_line}{issue.missing_line}\n"),) if end else ()
        problems.report(issue.code, place, issue.message, issue.hint, edits)


def find_issues(text: str) -> Iterator[MarkdownIssue]:
    """The issues of one text."""
    from tenure.markdown.code import is_known_language, list_languages

    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for fence in find_fences(lines):
        line, start = lines[fence.first], starts[fence.first]
        marker = re.search(r"`{3,}|~{3,}", line)
        if not fence.closed and marker:
            is_last = fence.last == len(lines) - 1
            hint = f"add a line {marker[0]} at its end"
            if not is_last:
                hint += ", and begin each of its lines like this one"
            missing_line = f"{fence.margin}{marker[0]}" if is_last else ""
            message, marked_text = "the code that begins here is never closed", line.strip()
            yield MarkdownIssue(
                "unclosed-code", start + line.index(marked_text), marked_text, message, hint, missing_line
            )
        elif fence.language and not is_known_language(fence.language):
            hint = suggest_word(fence.language, list_languages(), "write text if it has no language")
            message = f'the code language "{fence.language}" is unknown; this code is not highlighted'
            start += line.find(fence.language)
            yield MarkdownIssue("unknown-code-language", start, fence.language, message, hint)
        for number in range(fence.first, fence.last + 1):
            lines[number] = " " * len(lines[number])
    text = "\n".join(lines)
    for match in _ADMONITION.finditer(text):
        kind = match[1]
        if kind.casefold() not in ADMONITION_TITLES:
            hint = suggest_word(kind, ADMONITION_TITLES, f"known here: {', '.join(ADMONITION_TITLES)}")
            message = f'there is no admonition "{kind}"'
            yield MarkdownIssue("unknown-admonition", match.start(1), kind, message, hint)
    text = _CODE_OR_MATH.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for match in _FOREIGN_MARKUP.finditer(text):
        kind = next(name for name in _KINDS_OF_MARKUP if match[name])
        code, description, hint = _KINDS_OF_MARKUP[kind]
        message = f"{match[kind]} is {description}, and is shown as it is written"
        yield MarkdownIssue(code, match.start(kind), match[kind], message, hint)
    yield from _check_footnotes(text)


def _check_footnotes(text: str) -> Iterator[MarkdownIssue]:
    """Footnotes that are undefined, unused or defined twice."""
    references: dict[str, int] = {}
    definitions: dict[str, list[int]] = {}
    for match in _FOOTNOTE.finditer(text):
        start = match.start("name") - 2
        if match["colon"] and match["indent"] is not None:
            definitions.setdefault(match["name"], []).append(start)
        else:
            references.setdefault(match["name"], start)
    for name, start in references.items():
        if name not in definitions:
            similar = find_similar_word(name, definitions)
            hint = f"write the footnote on its own line: [^{name}]: …"
            if similar:
                hint = f'did you mean "[^{similar}]"?'
            yield MarkdownIssue(
                "footnote", start, f"[^{name}]", f"the footnote [^{name}] is not defined", hint
            )
    for name, defined in definitions.items():
        marked_text = f"[^{name}]:"
        if name not in references:
            message = f"the footnote [^{name}] is never used, and is not shown"
            hint = f"write [^{name}] where it belongs in the text"
            yield MarkdownIssue("footnote", defined[0], marked_text, message, hint)
        if len(defined) > 1:
            message = f"the footnote [^{name}] is defined twice; the last one is shown"
            yield MarkdownIssue("footnote", defined[1], marked_text, message, "keep one of the two")
