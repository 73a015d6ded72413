"""Finds malformed Markdown in the texts of a site, and reports it at its place."""

import re
from collections import Counter
from collections.abc import Iterator

from tenure.blocks import ADMONITIONS, ALERT, ELSEWHERE, MARKED, fences
from tenure.frozen import dataclass
from tenure.model.scholar import Publication
from tenure.model.site import Site
from tenure.problems import Edit, Place, Problems, did_you_mean
from tenure.web.citations import texts_of

_SIGNS = re.compile(r"```|~~~|!!!|\[!|\[\^|\{%|\{\{")
_NOTE = re.compile(r"\[\^([^\]\s]+)\](?P<defined>:)?")
_CODE = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|\$[^$\n]+\$|\\\[", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Slip:
    """
    A problem of `marked_text`, at its `occurrence` (from 0) in the source, with a repair.

    `preceding_pattern` matches the text before it on the line. `replacement` is the text that is certainly right;
    `missing_line` is a line that is certainly missing at the end of the text.
    """

    code: str
    words: str
    message: str
    hint: str
    nth: int = 0
    before: str = ""
    instead: str = ""
    after: str = ""


def check_texts(site: Site, problems: Problems) -> None:
    """Report each malformed fence, code language, admonition, foreign tag and footnote."""
    for collection in site.collections.values():
        for entry in collection.entries:
            from_bib = isinstance(entry, Publication)
            at = Place("content/publications.yaml") if from_bib else Place.at(entry.source)
            for text in (entry.body,) if from_bib else texts_of(entry):
                if _SIGNS.search(text):
                    for slip in slips(text):
                        _tell(slip, at, text, problems)


def _tell(slip: Slip, at: Place, text: str, problems: Problems) -> None:
    """Report an issue at its place in the file of an entry; at the entry itself if the text is not found there."""
    found = problems.places(rf"(?m){slip.before}({re.escape(slip.words)})(?![\w-])", at.file)
    places = [place for place in found if place.line >= at.line]
    place = places[min(slip.nth, len(places) - 1)] if places else at
    edits: tuple[Edit, ...] = ()
    if slip.instead and place.length:
        edits = (Edit(place, slip.instead),)
    end = problems.end_of(at.file, text) if slip.after and at.file.endswith(".md") else None
    if end is not None:
        edits = (Edit(end, f"{slip.after}\n" if end.column == 1 else f"\n{slip.after}"),)
    problems.tell(slip.code, place, slip.message, slip.hint, edits)


def slips(text: str) -> Iterator[Slip]:
    """The issues of one text."""
    lines = text.split("\n")
    opened: Counter[str] = Counter()
    for fence in fences(lines):
        line = lines[fence.first].strip()
        if not fence.closed:
            message = "the code that begins here is never closed"
            sign = re.search(r"`{3,}|~{3,}", line)
            hint = f"add a line {sign[0] if sign else '```'} at its end"
            is_last = fence.last == len(lines) - 1 and sign is not None
            after = f"{fence.margin}{sign[0]}" if is_last and sign else ""
            yield Slip("unclosed-code", line, message, hint, opened[line], r"^[ \t>]*", after=after)
        elif fence.language:
            yield from _language(fence.language, opened[fence.language])
            opened[fence.language] += 1
        opened[line] += 1
        for number in range(fence.first, fence.last + 1):
            lines[number] = ""
    for line in lines:
        yield from _admonition(line)
    bare = _CODE.sub("", "\n".join(lines))
    yield from _foreign_tags(bare)
    yield from _notes(bare)


def _language(language: str, nth: int) -> Iterator[Slip]:
    from tenure.highlight import is_known, languages  # noqa: PLC0415 - only for texts with such code

    if is_known(language):
        return
    near = did_you_mean(language, languages())
    hint = f'did you mean "{near}"?' if near else "write text if it has no language"
    message = f'the code language "{language}" is unknown; this code is not highlighted'
    yield Slip(
        "unknown-code-language", language, message, hint, nth, r"^[ \t>]*(?:`{3,}|~{3,})[ \t]*\{?\s*\.?"
    )


def _admonition(line: str) -> Iterator[Slip]:
    found = (MARKED.fullmatch(line) if "!!!" in line else None) or (
        ALERT.fullmatch(line) if "[!" in line else None
    )
    if found is None or found["kind"].casefold() in ADMONITIONS:
        return
    kind = found["kind"]
    near = ELSEWHERE.get(kind.casefold()) or did_you_mean(kind, ADMONITIONS)
    known = f"known here: {', '.join(ADMONITIONS)}"
    hint = f'did you mean "{near.upper() if kind.isupper() else near}"?' if near else known
    other = ELSEWHERE.get(kind.casefold(), "")
    right = other.upper() if kind.isupper() else other
    message = f'there is no admonition "{kind}"'
    yield Slip("unknown-admonition", kind, message, hint, 0, r"(?:!!! ?|\[!)", right)


_FOREIGN_TAG = re.compile(
    r"\{%[-\s]*(?P<liquid>\w+)[^\n]*?%\}|\{\{[<%][-\s]*(?P<hugo>/?\s*[\w/.-]+)[^\n]*?[%>]\}\}"
    r"|\{\{[-\s]*(?P<value>(?:site|page|post|layout|include|content)\b[^\n}]*?)\s*\}\}"
)
"""A tag of Liquid or Jinja, a shortcode of Hugo, or a variable of one of them."""


def _foreign_tags(text: str) -> Iterator[Slip]:
    """Tags that another site generator would replace; Tenure shows them as they are."""
    seen: Counter[str] = Counter()
    for match in _FOREIGN_TAG.finditer(text):
        system = "Hugo" if match["hugo"] else "Jekyll or another generator"
        message = f"this is a tag of {system}, and is shown as it is written"
        yield Slip(
            "foreign-tag", match[0], message, "write what it means in Markdown or HTML", seen[match[0]]
        )
        seen[match[0]] += 1


def _notes(text: str) -> Iterator[Slip]:
    """Footnotes that are undefined, unused or defined twice."""
    named: Counter[str] = Counter()
    written: Counter[str] = Counter()
    for found in _NOTE.finditer(text):
        begins = not text[text.rfind("\n", 0, found.start()) + 1 : found.start()].strip()
        (written if found["defined"] and begins else named)[found[1]] += 1
    for name in named:
        if name not in written:
            near = did_you_mean(name, written)
            hint = (
                f'did you mean "[^{near}]"?' if near else f"write the footnote on its own line: [^{name}]: …"
            )
            yield Slip("unknown-footnote", f"[^{name}]", f"the footnote [^{name}] is not defined", hint)
    for name, count in written.items():
        if name not in named:
            message = f"the footnote [^{name}] is never used"
            yield Slip(
                "unused-footnote",
                f"[^{name}]:",
                message,
                f"write [^{name}] where it belongs in the text",
                0,
                "^[ ]*",
            )
        if count > 1:
            message, hint = (
                f"the footnote [^{name}] is defined twice; the last one is shown",
                "keep one of the two",
            )
            yield Slip("duplicate-footnote", f"[^{name}]:", message, hint, 1, "^[ ]*")
