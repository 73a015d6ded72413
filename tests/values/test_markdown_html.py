"""Markdown converted to HTML, to one line of HTML, and to plain text; slugs."""

import re

from tenure.markdown.html import render_markdown

NOTED = "claim[^1] and again[^1], other[^b]\n\n[^1]: proof\n[^b]: more"


def test_footnotes_link_back_and_those_of_two_texts_do_not_collide() -> None:
    html, other = render_markdown(NOTED), render_markdown(NOTED.replace("proof", "another"))
    links = re.findall(r'\shref="#([^"]*)"', html)
    anchors, other_anchors = (set(re.findall(r'\sid="([^"]*)"', text)) for text in (html, other))
    assert len(links) == 6
    assert set(links) == anchors
    assert len(anchors) == len(other_anchors) == 5
    assert anchors.isdisjoint(other_anchors)


def test_texts_are_rendered_independently() -> None:
    render_markdown("a[^1] [x]\n\n[^1]: b\n\n[x]: http://x.org/\n\n*[CPU]: unit")
    assert render_markdown("c[^1] [x] CPU *d*") == "<p>c[^1] [x] CPU <em>d</em></p>"
