"""
Finds markup in the texts of a site that is shown as written, or not at all, and reports it at its place.
"""

import re
import sys
from collections.abc import Iterator, Mapping

from tenure.model.entries import Publication
from tenure.model.site import Site
from tenure.plan.citations import iterate_markdown
from tenure.plan.unclosed_tags import find_unclosed_tags
from tenure.problems import Place, Problems, suggest_word

_CANDIDATE_SYNTAX = re.compile(r"```|~~~|\[\^|\{%|\{\{|\[\[|\\[A-Za-z]{2}")
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
        for tag in find_unclosed_tags(text) if file.endswith(".md") and "<" in text else ():
            column = text.split("\n")[tag.line].find(tag.text) + 1
            place = Place(file, tag.line + 1, column, len(tag.text) if column else 0)
            problems.report("unclosed-tag", place, tag.message, tag.hint)

    for entry in site.iterate_entries():
        is_from_bib = isinstance(entry, Publication)
        entry_place = Place("content/publications.yaml") if is_from_bib else entry.source
        file = entry_place.file
        for text in (entry.body,) if is_from_bib else iterate_markdown(entry):
            if not _CANDIDATE_SYNTAX.search(text):
                continue
            text_start = sources.get(file, "").find(text)
            for code, start, marked_text, message, hint in _find_issues(text):
                place = problems.locate(file, text_start + start, text_start + start + len(marked_text))
                # the text is written in another way, for example with an indentation
                if text_start < 0:
                    pattern = rf"(?<!\w){re.escape(marked_text)}(?![\w-])"
                    lines = max(entry_place.line, 1), sys.maxsize
                    place = next(problems.find_places(pattern, file, lines), entry_place)
                problems.report(code, place, message, hint)


def _find_issues(text: str) -> Iterator[MarkdownIssue]:
    """The issues of one text."""
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
        name = marked_text[2:-2]
        if name not in references:
            message = f"the footnote [^{name}] is never used, and is not shown"
            yield "footnote", first, marked_text, message, f"write [^{name}] where it belongs in the text"
        if others:
            message = f"the footnote [^{name}] is defined twice; the last one is shown"
            yield "footnote", others[0], marked_text, message, "keep one of the two"
