"""
Finds markup in the texts of a site that is shown as written, or not at all, and reports it at its place.

Also elements and comments of HTML that are never closed, and end tags that close nothing.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping

from tenure.markdown.html_tags import VOID_ELEMENTS
from tenure.model.entries import Publication
from tenure.model.site import Site
from tenure.plan.citations import iterate_markdown
from tenure.problems import Place, Problems, suggest_word
from tenure.record import Record

_CANDIDATE_SYNTAX = re.compile(r"```|~~~|\[\^|\{%|\{\{|\[\[|\\[A-Za-z]{2}")
r"""What a text must have for one of the issues: ```, [^1], {% tag %}, [[page]], \cite."""

_MARKUP = re.compile(
    r"""
      ^[ \t>]*(?P<fence>`{3,}|~{3,}) (?:[ \t]*\{?[ \t]*\.?(?P<language>[^\s{}`]+))? [^\n`]*\n   # ```python
          (?:.*?^[ \t>]*(?P=fence)[`~]*[ \t]*$ | .*)
    | (?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)                          # `code`
    | \$\$[^$]+\$\$ | \$[^$\n]+\$ | \\\[                                        # $$x$$, $x$, \[
    | (?P<tag>
          \{%[-\s]*\w(?:(?!\{%)[^\n])*?%\}                                    # {% include video.html %}
        | \{\{[<%][-\s]*/?\s*[\w/.-](?:(?!\{\{[<%])[^\n])*?[%>]\}\}           # {{< youtube x1 >}}
        | \{\{[-\s]*(?:site|page|post|layout|include|content)\b[^\n}]*\}\}    # {{ site.baseurl }}
      )
    | (?P<page>\[\[[^\[\]|\n]+(?:\|[^\[\]\n]+)?\]\])(?!\()                    # [[page|label]]
    | (?P<latex>\\(?:begin|end)\{\w+\*?\}|\\(?![a-zA-Z]*cite)[a-zA-Z]{2,}(?=\{))
    | ^[ \t]*(?P<definition>\[\^[^][\s]+\]:) | \[\^(?P<reference>[^][\s]+)\]     # [^1]: Text., [^1]
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_MEANING = "write what it means in Markdown or HTML"
_KINDS_OF_MARKUP: Mapping[str, tuple[str, str, str]] = {
    "tag": ("foreign-tag", "a tag of another site generator", _MEANING),
    "page": ("foreign-markup", "markup of another dialect of Markdown", "write [label](/page/)"),
    "latex": ("foreign-markup", "a command of LaTeX", _MEANING),
}
"""
The code of a problem, what the markup is, and the repair, by the group of the pattern.
Others are in fewer than 6 of 2,000 texts.
"""

MarkdownIssue = tuple[str, int, str, str, str]
"""A code, an offset in the text, the text to mark there, a message, and a repair."""


def check_markdown(site: Site, problems: Problems) -> None:
    """
    Report each unclosed element, unknown language of code,
    tag of another generator, and footnote that is not shown.
    """
    sources = dict(problems.source_texts())
    for file, text in sources.items():
        if not file.endswith(".md") or "<" not in text:
            continue
        # `tag.line` is counted from 0; a tag that is written in two lines has no column
        for tag in find_unclosed_tags(text):
            column = text.split("\n")[tag.line].find(tag.text) + 1
            place = Place(file, tag.line + 1, column, len(tag.text) if column else 0)
            problems.report("unclosed-tag", place, tag.message, tag.hint)

    for entry in site.iterate_entries():
        is_from_bib = isinstance(entry, Publication)
        entry_place = Place("content/publications.yaml") if is_from_bib else entry.source
        file = entry_place.file
        # the other texts of a publication are of the .bib file
        texts = (entry.body,) if isinstance(entry, Publication) else iterate_markdown(entry)
        for text in texts:
            if not _CANDIDATE_SYNTAX.search(text):
                continue
            # the offset of the text in its file, -1 if the file has it in another form
            text_start = sources.get(file, "").find(text)
            for code, start, marked_text, message, hint in _find_issues(text):
                place = problems.locate(file, text_start + start, text_start + start + len(marked_text))
                # such as with an indentation: the first place below the entry that has the marked text
                if text_start < 0:
                    pattern = rf"(?<!\w){re.escape(marked_text)}(?![\w-])"
                    lines = max(entry_place.line, 1), sys.maxsize
                    place = next(problems.find_places(pattern, file, lines), entry_place)
                problems.report(code, place, message, hint)


def _find_issues(text: str) -> Iterator[MarkdownIssue]:
    """The issues of one text: a tag of another generator, an unknown code language, an unused footnote."""
    from tenure.markdown.code import is_known_language, list_languages

    references: set[str] = set()
    definitions: dict[str, list[int]] = {}
    for match in _MARKUP.finditer(text):
        kind = next((name for name in _KINDS_OF_MARKUP if match[name]), "")
        if kind:
            code, description, hint = _KINDS_OF_MARKUP[kind]
            message = f"{match[kind]} is {description}, and is shown as it is written"
            yield code, match.start(kind), match[kind], message, hint
        elif match["language"] and not is_known_language(match["language"]):
            language = match["language"]
            hint = suggest_word(language, list_languages(), "write text if it has no language")
            message = f'the code language "{language}" is unknown; this code is not highlighted'
            yield "unknown-code-language", match.start("language"), language, message, hint
        elif match["definition"]:
            definitions.setdefault(match["definition"], []).append(match.start("definition"))
        elif match["reference"]:
            references.add(match["reference"])
    for marked_text, (first, *others) in definitions.items():
        # "[^1]:" -> "1"
        name = marked_text[2:-2]
        if name not in references:
            message = f"the footnote [^{name}] is never used, and is not shown"
            yield "footnote", first, marked_text, message, f"write [^{name}] where it belongs in the text"
        if others:
            message = f"the footnote [^{name}] is defined twice; the last one is shown"
            yield "footnote", others[0], marked_text, message, "keep one of the two"


OPTIONAL_ENDS = frozenset("p li dt dd tr td th thead tbody option html head body".split())
"""Elements whose end tag HTML lets out. Source: HTML Standard, 13.1.2.4 "Optional tags"."""

_RAW_ELEMENTS = "iframe|noembed|noframes|plaintext|script|style|template|textarea|title|xmp"
"""Elements with text alone; one without an end is reported with what the policy of its page blocks."""

_HTML_MARKUP = re.compile(
    rf"""
      <!-- (?: .*? (?P<comment_end>-->) | )                                 # a comment
    | <(?P<raw>{_RAW_ELEMENTS})\b [^<>]* > (?: .*? </(?P=raw)\s*> | .* )    # <script>if (a < b) c()</script>
    | (?<!\{{) < (?P<slash>/?) (?P<name>[a-z][\w:-]*)                       # <img
      (?P<attributes>(?:\s(?:[^<>"']|"[^"]*"|'[^']*')*)?) (?P<is_empty>/?) >  # alt="a > b"/>
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
MAX_TAGS = 20
"""So many tags of a file are reported."""

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*$", re.DOTALL | re.MULTILINE)
"""The lines from --- to --- at the beginning of a file."""


class UnclosedTag(Record):
    """A tag or the start of a comment, as it is written, with its line from 0, a message and a repair."""

    line: int
    text: str
    message: str
    hint: str


def find_unclosed_tags(text: str) -> list[UnclosedTag]:
    """
    The tags of a Markdown file that another one should close or open, outside of code.

    Most files have none, also with the tags in their code; only the others are parsed.
    """
    text = _FRONT_MATTER.sub(lambda match: "\n" * match[0].count("\n"), text)
    if not any(_match_tags([(0, text)])):
        return []
    return sorted(_match_tags(_list_html(text)), key=lambda tag: tag.line)[:MAX_TAGS]


def _list_html(text: str) -> Iterator[tuple[int, str]]:
    """The HTML in a text as the parser reads it, each part with its first line."""
    from tenure.markdown.parser import parse_blocks, parse_inline

    environment: dict[str, object] = {}
    tokens = parse_blocks(text, "page", environment)
    parse_inline(tokens, "page", environment)
    line = 0
    for token in tokens:
        line = token.map[0] if token.map else line
        if token.type == "html_block":
            yield line, token.content
        number = line
        for child in token.children or ():
            if child.type == "html_inline":
                yield number, child.content
            number += child.content.count("\n")
            if child.type in ("softbreak", "hardbreak"):
                number += 1


def _match_tags(parts: Iterable[tuple[int, str]]) -> Iterator[UnclosedTag]:
    """
    The tags in some parts of HTML that have no counterpart; those of one name are counted.

    Each part with its first line, from 0: (3, "<div>"), (7, "</p>") -> <div> is never closed, </p> closes
    nothing
    """
    # all parts as one text, and the line in the source of each of its lines
    lines: list[int] = []
    texts: list[str] = []
    for line, part in parts:
        texts += (part_lines := part.split("\n"))
        lines += range(line, line + len(part_lines))

    markup = "\n".join(texts)
    # up to which sign lines are counted, and their number
    position = 0
    number = 0
    open_tags: dict[str, list[UnclosedTag]] = {}
    for match in _HTML_MARKUP.finditer(markup):
        number += markup.count("\n", position, match.start())
        position = match.start()
        line = lines[number]
        name = (match["name"] or "").lower()

        if match[0].startswith("<!--") and not match["comment_end"]:
            yield UnclosedTag(
                line, "<!--", "this comment is never closed, and hides what follows", "end it with -->"
            )
            break
        # <path/> has no end tag within <svg> or <math>; <div/> is an open tag
        is_drawn = bool(open_tags.get("svg") or open_tags.get("math"))
        needs_no_end = name in VOID_ELEMENTS | OPTIONAL_ENDS or (match["is_empty"] and is_drawn)
        if not name or needs_no_end:
            continue
        if not match["slash"]:
            hint = f"close it: </{name}>, or write &lt; if it is text"
            tag = UnclosedTag(line, match[0].partition("\n")[0], f"<{name}> is never closed", hint)
            open_tags.setdefault(name, []).append(tag)
        elif open_tags.get(name):
            open_tags[name].pop()
        else:
            yield UnclosedTag(line, match[0], f"{match[0]} closes nothing", "delete it")
    for tags in open_tags.values():
        yield from tags
