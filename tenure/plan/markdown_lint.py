"""Finds malformed Markdown in the texts of a site, and reports it at its place."""

import re
from collections import Counter
from collections.abc import Iterator

from tenure.markdown.blocks import ADMONITION_TITLES
from tenure.markdown.fences import find_fences
from tenure.model.entries import Publication
from tenure.model.site import Site
from tenure.plan.citations import iterate_markdown
from tenure.problems import Edit, Place, Problems, find_similar_word, suggest_word
from tenure.record import Record

_CANDIDATE_SYNTAX = re.compile(
    r"```|~~~|!!!|\[!|\[\^|\{%|\{\{|==|\[\[|\{:|\\[A-Za-z]{2}|\w[~^]\w|\*\[|\[TOC\]|\nTable: |\|[ ]*\n[> ]*\|"
)
_ALERT_LINE = re.compile(r" *> ?\[!(?P<kind>[\w-]+)\].*")
_OTHER_KINDS = {
    **dict.fromkeys(("info", "abstract", "summary"), "note"),
    **dict.fromkeys(("hint", "success"), "tip"),
    **dict.fromkeys(("danger", "error", "bug", "failure"), "caution"),
    **dict.fromkeys(("faq", "help"), "question"),
    "attention": "warning",
}
"""Kinds of boxes of other tools, with the kind to use here."""

_FOOTNOTE = re.compile(r"\[\^([^][\s]+)\](?P<defined>:)?")
_CODE_OR_MATH = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|\$[^$\n]+\$|\\\[", re.DOTALL)


class MarkdownIssue(Record):
    """
    A problem of `marked_text`, at its `occurrence` (from 0) in the source, with a repair.

    `preceding_pattern` matches the text before it on the line. `replacement` is the text that is certainly right;
    `missing_line` is a line that is certainly missing at the end of the text.
    """

    code: str
    marked_text: str
    message: str
    hint: str
    occurrence: int = 0
    preceding_pattern: str = ""
    replacement: str = ""
    missing_line: str = ""


def check_markdown(site: Site, problems: Problems) -> None:
    """Report each malformed fence, code language, admonition, foreign tag and footnote."""
    for collection in site.collections.values():
        for entry in collection.entries:
            is_from_bib = isinstance(entry, Publication)
            entry_place = Place("content/publications.yaml") if is_from_bib else entry.source
            for text in (entry.body,) if is_from_bib else iterate_markdown(entry):
                if _CANDIDATE_SYNTAX.search(text):
                    for issue in find_issues(text):
                        _report_issue(issue, entry_place, text, problems)


def _report_issue(issue: MarkdownIssue, entry_place: Place, text: str, problems: Problems) -> None:
    """Report an issue at its place in the file of an entry; at the entry itself if the text is not found there."""
    matches = problems.find_places(
        rf"(?m){issue.preceding_pattern}({re.escape(issue.marked_text)})(?![\w-])", entry_place.file
    )
    places = [place for place in matches if place.line >= entry_place.line]
    place = places[min(issue.occurrence, len(places) - 1)] if places else entry_place
    edits: tuple[Edit, ...] = ()
    if issue.replacement and place.length:
        edits = (Edit(place, issue.replacement),)
    is_completable = issue.missing_line and entry_place.file.endswith(".md")
    end = problems.find_end(entry_place.file, text) if is_completable else None
    if end is not None:
        edits = (Edit(end, f"{issue.missing_line}\n" if end.column == 1 else f"\n{issue.missing_line}"),)
    problems.report(issue.code, place, issue.message, issue.hint, edits)


def find_issues(text: str) -> Iterator[MarkdownIssue]:
    """The issues of one text."""
    lines = text.split("\n")
    occurrences: Counter[str] = Counter()
    for fence in find_fences(lines):
        line = lines[fence.first].strip()
        if not fence.closed:
            message = "the code that begins here is never closed"
            fence_marker = re.search(r"`{3,}|~{3,}", line)
            is_last = fence.last == len(lines) - 1 and fence_marker is not None
            hint = f"add a line {fence_marker[0] if fence_marker else '```'} at its end"
            if not is_last:
                hint += ", and begin each of its lines like this one"
            missing_line = f"{fence.margin}{fence_marker[0]}" if is_last and fence_marker else ""
            start = r"^[ \t>]*"
            yield MarkdownIssue(
                "unclosed-code", line, message, hint, occurrences[line], start, missing_line=missing_line
            )
        elif fence.language:
            yield from _check_code_language(fence.language, occurrences[fence.language])
            occurrences[fence.language] += 1
        occurrences[line] += 1
        for number in range(fence.first, fence.last + 1):
            lines[number] = ""
    for line in lines:
        yield from _check_admonition(line)
    yield from _find_foreign_lines("\n".join(lines))
    text_without_code = _CODE_OR_MATH.sub("", "\n".join(lines))
    yield from _find_foreign_tags(text_without_code)
    yield from _find_foreign_markup(text_without_code)
    yield from _check_footnotes(text_without_code)


def _check_code_language(language: str, occurrence: int) -> Iterator[MarkdownIssue]:
    from tenure.markdown.code import is_known_language, list_languages

    if is_known_language(language):
        return
    hint = suggest_word(language, list_languages(), "write text if it has no language")
    message = f'the code language "{language}" is unknown; this code is not highlighted'
    fence_start = r"^[ \t>]*(?:`{3,}|~{3,})[ \t]*\{?\s*\.?"
    yield MarkdownIssue("unknown-code-language", language, message, hint, occurrence, fence_start)


def _check_admonition(line: str) -> Iterator[MarkdownIssue]:
    match = _ALERT_LINE.fullmatch(line) if "[!" in line else None
    if match is None or match["kind"].casefold() in ADMONITION_TITLES:
        return
    kind = match["kind"]
    equivalent = _OTHER_KINDS.get(kind.casefold(), "")
    suggestion = equivalent or find_similar_word(kind, ADMONITION_TITLES)
    if kind.isupper():
        suggestion, equivalent = suggestion.upper(), equivalent.upper()
    hint = f'did you mean "{suggestion}"?' if suggestion else f"known here: {', '.join(ADMONITION_TITLES)}"
    message = f'there is no admonition "{kind}"'
    yield MarkdownIssue("unknown-admonition", kind, message, hint, 0, r"\[!", equivalent)


MAX_REPEATED_TAGS = 50
"""So many places of one tag in a text are reported; the search for each place reads the text from its start."""

_FOREIGN_TAG = re.compile(
    r"\{%[-\s]*(?P<liquid>\w+)(?:(?!\{%)[^\n])*?%\}|\{\{[<%][-\s]*(?P<hugo>/?\s*[\w/.-]+)(?:(?!\{\{[<%])[^\n])*?[%>]\}\}"
    r"|\{\{[-\s]*(?P<value>(?:site|page|post|layout|include|content)\b[^\n}]*?)\s*\}\}"
)
"""A tag of Liquid or Jinja, a shortcode of Hugo, or a variable of one of them."""


def _find_foreign_tags(text: str) -> Iterator[MarkdownIssue]:
    """Tags that another site generator would replace; Tenure shows them as they are."""
    occurrences: Counter[str] = Counter()
    for match in _FOREIGN_TAG.finditer(text):
        if occurrences[match[0]] == MAX_REPEATED_TAGS:
            continue
        system = "Hugo" if match["hugo"] else "Jekyll or another generator"
        message = f"this is a tag of {system}, and is shown as it is written"
        yield MarkdownIssue(
            "foreign-tag", match[0], message, "write what it means in Markdown or HTML", occurrences[match[0]]
        )
        occurrences[match[0]] += 1


_FOREIGN_LINE = re.compile(
    r"""
    ^[ ]{0,3}(?P<box>!!![ ]?(?P<kind>[\w-]+))(?:[ ]+"(?P<title>[^\n]*)")?[ ]*$           # !!! note "A title"
    | ^[ ]{0,3}(?P<term>\*\[(?P<short>[^][\n]+)\][ ]?:)[ \t]*(?P<meaning>[^\n]+)      # *[HTML]: Hypertext Markup Language
    | ^[ ]{0,3}(?P<contents>\[TOC\])[ ]*$                                           # [TOC]
    | \|[^\n|]*\n[ ]*\n(?P<caption>Table:)[ ]                                        # the caption after a table
    | (?:\A|\n[ ]*\n)[ ]{0,3}(?P<row>\|[^\n]*\|)[ ]*\n                               # | a | b |, and a second line,
      [ ]{0,3}\|(?![ \t:|-]*(?:\n|\Z))[^\n]*\|[ ]*$                                  # which is not |---|---|
    """,
    re.VERBOSE | re.MULTILINE,
)


def _find_foreign_lines(text: str) -> Iterator[MarkdownIssue]:
    """Boxes, abbreviations, captions and `[TOC]` of other dialects, and tables without a line of dashes."""
    occurrences: Counter[str] = Counter()
    for match in _FOREIGN_LINE.finditer(text):
        marked_text = match["box"] or match["term"] or match["contents"] or match["caption"] or match["row"]
        message = f"{marked_text} is markup of another dialect of Markdown, and is shown as it is written"
        hint = "write the caption in a paragraph, without Table:"
        if match["box"]:
            kind = match["kind"].casefold()
            known = kind if kind in ADMONITION_TITLES else _OTHER_KINDS.get(kind, "note")
            title = f" {match['title']}" if match["title"] else ""
            hint = f"write > [!{known.upper()}]{title}, and begin each line of the box with >"
        elif match["term"]:
            hint = f'write <abbr title="{match["meaning"].strip()}">{match["short"]}</abbr> in the text'
        elif match["contents"]:
            hint = "delete it; a page with four headings begins with a table of contents"
        elif match["row"]:
            message = "this table has no line of dashes, and is shown as text"
            hint = f"add a line |{'---|' * (marked_text.count('|') - 1)} below it"
        start = r"^[ \t]*"
        yield MarkdownIssue("foreign-markup", marked_text, message, hint, occurrences[marked_text], start)
        occurrences[marked_text] += 1


_FOREIGN_MARKUP = re.compile(
    r"(?<![=\w])==(?P<mark>[^\s=](?:[^=\n]*[^\s=])?)==(?![=\w])|(?<!\w)(?P<script>\w++(?:([~^])[\w+-]{1,8}\3\w*)+)(?![~^])"
    r"|\[\[(?P<page>[^\[\]|\n]+)(?:\|(?P<label>[^\[\]\n]+))?\]\](?!\()|(?P<attributes>\{:[ ]?[.#\w][^{}\n]*\})"
    r"|(?P<latex>\\(?:begin|end)\{\w+\*?\}|\\(?![a-zA-Z]*cite)[a-zA-Z]{2,}(?=\{))"
)
"""Highlighted text, subscripts and superscripts of Pandoc, links of wikis, attributes of kramdown, and commands of LaTeX."""


def _find_foreign_markup(text: str) -> Iterator[MarkdownIssue]:
    """Markup of other dialects, which is shown as it is written."""
    occurrences: Counter[str] = Counter()
    for match in _FOREIGN_MARKUP.finditer(text):
        if occurrences[match[0]] == MAX_REPEATED_TAGS:
            continue
        replacement = ""
        if match["mark"]:
            replacement = f"<mark>{match['mark']}</mark>"
        elif match["script"]:
            subscripts = re.sub(r"~([\w+-]+)~", r"<sub>\1</sub>", match["script"])
            replacement = re.sub(r"\^([\w+-]+)\^", r"<sup>\1</sup>", subscripts)
        hint = f"write {replacement}" if replacement else "write what it means in Markdown or HTML"
        if match["page"]:
            path = match["page"].strip().casefold().replace(" ", "-")
            hint = f"write [{match['label'] or match['page']}](/{path}/)"
        elif match["attributes"]:
            hint = "delete it, or write HTML"
        name = "a command of LaTeX" if match["latex"] else "markup of another dialect of Markdown"
        message = f"{match[0]} is {name}, and is shown as it is written"
        yield MarkdownIssue(
            "foreign-markup", match[0], message, hint, occurrences[match[0]], replacement=replacement
        )
        occurrences[match[0]] += 1


def _check_footnotes(text: str) -> Iterator[MarkdownIssue]:
    """Footnotes that are undefined, unused or defined twice."""
    references: Counter[str] = Counter()
    definitions: Counter[str] = Counter()
    for match in _FOOTNOTE.finditer(text):
        is_at_line_start = not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip()
        (definitions if match["defined"] and is_at_line_start else references)[match[1]] += 1
    for name in references:
        if name not in definitions:
            suggestion = find_similar_word(name, definitions)
            hint = (
                f'did you mean "[^{suggestion}]"?'
                if suggestion
                else f"write the footnote on its own line: [^{name}]: …"
            )
            yield MarkdownIssue("footnote", f"[^{name}]", f"the footnote [^{name}] is not defined", hint)
    for name, count in definitions.items():
        if name not in references:
            message = f"the footnote [^{name}] is never used, and is not shown"
            hint = f"write [^{name}] where it belongs in the text"
            yield MarkdownIssue("footnote", f"[^{name}]:", message, hint, 0, "^[ ]*")
        if count > 1:
            message = f"the footnote [^{name}] is defined twice; the last one is shown"
            marked_text, hint = f"[^{name}]:", "keep one of the two"
            yield MarkdownIssue("footnote", marked_text, message, hint, 1, "^[ ]*")
