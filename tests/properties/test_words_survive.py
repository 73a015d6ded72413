"""The words of a .bib file are the words on the page."""

import html
import re
import unicodedata

from conftest import scale_examples
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pieces import read_pieces

from tenure.markdown.html import plain_text, render_inline, render_markdown
from tenure.sources.latex.conversion import HTML_TAG, convert_markup, latex_to_markdown, latex_to_url

quick = settings(max_examples=scale_examples(600))

WORDS = "a|B|é|word|中|é|1|2024|1.|2)|.|,|;|:|!|?|%|@|/|===|!!!|!!! a|::|& |x&y|a.b@c.de".split("|")
TITLES = ("words survive: pieces", "words survive: pieces 2", "words survive: pieces 3")
PIECES = st.sampled_from([*WORDS, *(piece for title in TITLES for piece in read_pieces(title))])
VALUES = st.lists(PIECES, max_size=9).map("".join)
BLOCK_TAG = re.compile(r'</?p>|<a href="[^"<>]*">|</a>')


def normalize_typography(text: str) -> str:
    """Return a text without differences of typography: quotes, dots, the length of dashes, the width of spaces."""
    text = re.sub(r"[“”‘’`'\"]", "", text)
    text = re.sub(r"[-–—]+", "-", text).replace("~", " ").replace("…", "...")
    return " ".join(unicodedata.normalize("NFC", text).split())


def remove_tags(expected: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", expected))


@quick
@given(VALUES)
def test_a_value_without_commands_shows_its_own_words(value: str) -> None:
    assume(not re.search(HTML_TAG, value) and convert_markup(value, is_text=False) == value)
    markdown = latex_to_markdown(value)
    assert markdown.unknown_commands == ()
    assert normalize_typography(remove_tags(render_inline(markdown.text))) == normalize_typography(value)
    assert normalize_typography(plain_text(markdown.text)) == normalize_typography(value)


@quick
@given(VALUES)
def test_a_value_without_commands_gives_only_paragraphs_and_bare_links(value: str) -> None:
    assume(not re.search(HTML_TAG, value) and convert_markup(value, is_text=False) == value)
    rendered = render_markdown(latex_to_markdown(value).text, 3)
    assert normalize_typography(remove_tags(rendered)) == normalize_typography(value)
    assert "<" not in BLOCK_TAG.sub("", rendered)


LETTERS = st.sampled_from(["a", "b ", "é", "中", "1", "-", "*", "_", "[x]", "."])
STARTS = st.sampled_from(r"\emph{|\textbf{|\textsc{|\textsuperscript{|{\em |{\bf |{".split("|"))
FORMATTED = st.recursive(
    st.lists(LETTERS, min_size=1, max_size=3).map("".join),
    lambda inner: (
        st.builds("{}{}}}".format, STARTS, inner) | st.lists(inner, min_size=2, max_size=3).map("".join)
    ),
    max_leaves=5,
)
TAG_OF = {"\\emph{": "em", "{\\em ": "em", "\\textbf{": "strong", "{\\bf ": "strong"}


@quick
@given(FORMATTED)
def test_formatting_keeps_the_words(value: str) -> None:
    assume(convert_markup(value, is_text=False) == value)
    bare = re.sub(r"\\[a-z]+ ?|[{}]", "", value)
    assert normalize_typography(plain_text(latex_to_markdown(value).text)) == normalize_typography(bare)


@quick
@given(FORMATTED)
def test_every_emphasis_is_shown(value: str) -> None:
    assume(convert_markup(value, is_text=False) == value)
    rendered = render_inline(latex_to_markdown(value).text)
    for tag in ("em", "strong"):
        expected = sum(value.count(command) for command, name in TAG_OF.items() if name == tag)
        assert rendered.count(f"<{tag}>") == rendered.count(f"</{tag}>") == expected


ADDRESSES = st.text("abc019/:.?&=#%+,;@!~-_()'", min_size=1, max_size=30)


@quick
@given(ADDRESSES)
def test_a_url_is_never_changed(address: str) -> None:
    assert latex_to_url(address) == address
    assert latex_to_url(f"{{{address}}}") == address


@quick
@given(ADDRESSES)
def test_a_url_loses_only_its_escapes(address: str) -> None:
    assert latex_to_url(re.sub(r"([_&%#~])", r"\\\1", address)) == address
