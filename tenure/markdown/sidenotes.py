"""
Sidenotes: footnotes and references beside their place, so that a style sheet can set them in the margin.
"""

import re
from bisect import bisect
from collections.abc import Callable, Mapping

_FOOTNOTES = r'(?s)\n<(section|div) [^>]*class="footnote"[^>]*>\n<ol>\n(.*)</ol>\n</\1>'
"""The footnotes of a text: <section class="footnote"> with <ol>."""

_FOOTNOTE = r'(?s)<li id="(fn:[^"]*)">(.*?)</li>\n(?=<li id="fn:|\Z)'
"""<li id="fn:1">…</li>."""

_REFERENCE = r'<sup id="fnref:[^"]*"><a [^>]*href="#(fn:[^"]*)"[^>]*>(\d+)</a></sup>'
"""<sup id="fnref:1"><a href="#fn:1">1</a></sup>."""

_LINK = r'<a [^>]*?href="([^"]*)"[^>]*>[^<]*</a>'
_BLOCK_START = r"<(p|li|dd|h[1-6]|t[dh]|dt|figcaption|caption|summary)\b"
"""The start tag of a block that may have a note beside it."""

_ONE_PARAGRAPH = r"\s*<p>((?:[^<]|<(?!/?(?:p|div|pre|figure|ul|ol|table|blockquote)\b))*)</p>\s*"
"""A note that is one paragraph without blocks in it: <p>See <em>Looms</em>.</p>."""


def _find_paragraphs(markup: str) -> Callable[[int], bool]:
    """A function that says whether an offset is in a paragraph or a list item, and in no heading or table."""
    starts = list(re.finditer(_BLOCK_START, markup))
    offsets = [match.start() for match in starts]
    names = ["", *(match[1] for match in starts)]
    return lambda offset: names[bisect(offsets, offset)] in ("p", "li", "dd")


def place_footnotes_beside(markup: str) -> str:
    """
    Move each footnote of one paragraph after its first reference, as a <span>.

    A footnote of several blocks, or one of a heading or a table, stays at the end of the text.
    """
    section = re.search(_FOOTNOTES, markup)
    if section is None:
        return markup

    text = markup[: section.start()]
    is_in_paragraph = _find_paragraphs(text)
    notes = dict(re.findall(_FOOTNOTE, section[2]))
    moved: set[str] = set()

    def add_note(reference: re.Match[str]) -> str:
        # a second reference to the same footnote stays a link
        name, number = reference.groups()
        note = re.fullmatch(_ONE_PARAGRAPH, notes.get(name, ""))
        if name in moved or note is None or not is_in_paragraph(reference.start()):
            return reference[0]
        moved.add(name)
        text = f"<sup>{number}</sup> {note[1]}"
        return f'{reference[0]}<span class="sidenote" id="{name}" role="note">{text}</span>'

    # the notes that stay keep their numbers
    text = re.sub(_REFERENCE, add_note, text)
    rest = "".join(
        f'<li id="{name}" value="{number}">{note}</li>\n'
        for number, (name, note) in enumerate(notes.items(), 1)
        if name not in moved
    )
    if rest:
        text += section[0].replace(section[2], rest)
    return text + markup[section.end() :]


def place_references_beside(markup: str, references: Mapping[str, str]) -> tuple[str, frozenset[str]]:
    """
    Add the reference of a publication, by the path of its page, after the first link to it.

    Also returns the paths whose reference was added. The list of references remains, for narrow windows.
    """
    section = re.search(_FOOTNOTES, markup)
    end = section.start() if section else len(markup)
    is_in_paragraph = _find_paragraphs(markup)
    added: set[str] = set()

    # a second link to the same publication stays a link
    def add_reference(link: re.Match[str]) -> str:
        path = link[1]
        if path in added or path not in references or not is_in_paragraph(link.start()):
            return link[0]
        added.add(path)
        return f'{link[0]}<span class="sidenote cited" role="note">{references[path]}</span>'

    return re.sub(_LINK, add_reference, markup[:end]) + markup[end:], frozenset(added)
