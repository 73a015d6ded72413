"""Footnotes and references in the margin: each comes once, after the place that it belongs to."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Sources, read_site, visible_text

from tenure.markdown.html import render_markdown
from tenure.markdown.sidenotes import place_footnotes_beside, place_references_beside

Make = Callable[[str], Sources]
TEXT = Path(__file__).with_name("footnotes.md").read_text(encoding="utf-8")
SITE = read_site("essay")


def test_each_short_footnote_follows_its_first_reference() -> None:
    markup = place_footnotes_beside(render_markdown(TEXT))
    notes = re.findall(
        r'</sup><span class="sidenote" id="(fn:[^"]*)" role="note"><sup>(\d)</sup> (.*?)<a', markup
    )
    assert [(name[-1], number, text.rstrip("\xa0&#160;")) for name, number, text in notes] == [
        ("a", "1", "One <em>note</em> with <code>code</code>."),
        ("e", "5", "Of a list, with a note of its own<sup id=" + notes[1][2].partition("<sup id=")[2]),
    ]
    rest = markup.partition('class="footnote"')[2]
    numbers = re.findall(r'<li id="fn:\w+-(\w)" value="(\d)">', rest)
    assert numbers == [("b", "2"), ("c", "3"), ("d", "4"), ("f", "6")]


def test_no_word_is_lost_or_repeated() -> None:
    before = render_markdown(TEXT)
    after = place_footnotes_beside(before)
    words = [sorted(re.findall(r"[a-z]{2,}", visible_text(markup))) for markup in (before, after)]
    assert words[0] == words[1]
    assert sorted(re.findall(r' id="([^"]*)"', before)) == sorted(re.findall(r' id="([^"]*)"', after))


def test_a_text_without_footnotes_is_not_changed() -> None:
    for text in ("Plain.", "# Title\n\nA [link](/a/).", '<section class="footnote">mine</section>'):
        markup = render_markdown(text)
        assert place_footnotes_beside(markup) == markup
        assert place_references_beside(markup, {}) == (markup, frozenset())


def test_references_are_beside_the_first_citation_and_in_the_list(site: Make) -> None:
    page = site(f"-- site.yaml --\ntheme: margin\n{SITE}").build().read_page("/essay/")
    cited = re.findall(r'<span class="sidenote cited" role="note">(.*?)</span>', page)
    assert [("First" in text, "Second" in text) for text in cited] == [(True, False), (False, True)]
    assert page.count('<li class="beside">') == 2
    assert page.count('class="sidenote"') == 1
    assert 'class="footnote"' not in page


@pytest.mark.parametrize("theme", ["margin, notes: end", "classic"])
def test_other_themes_have_footnotes_at_the_end(site: Make, theme: str) -> None:
    page = site(f"-- site.yaml --\ntheme: {{name: {theme}}}\n{SITE}").build().read_page("/essay/")
    assert "sidenote" not in page
    assert "beside" not in page
    assert page.count('class="footnote"') == page.count('class="references"') == 1
