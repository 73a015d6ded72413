"""Lines of markdown.txt: Markdown as HTML in its several forms, and the parts of a page."""

import html
import re

from tenure.html.embeds import lay_out_galleries
from tenure.html.filters import estimate_reading_minutes, keep_formulas_with_words
from tenure.markdown.code import highlight_code
from tenure.markdown.html import render_inline, render_markdown
from tenure.markdown.html_tags import iterate_elements, iterate_tags, split_text, strip_tags
from tenure.markdown.math import convert_to_mathml


def render_both(text: str) -> str:
    """Return the HTML of a line, which as a block only has <p> around it."""
    line = render_inline(text)
    assert render_markdown(text) == f"<p>{line}</p>"
    return line


def render_block_and_line(text: str) -> str:
    return f"{render_markdown(text)} / {render_inline(text)}"


def list_headings(text: str) -> str:
    """Return the headings of a Markdown text below those of a page: "level text"."""
    level, _, markdown = text.partition(" ")
    page = render_markdown(markdown, int(level))
    headings = re.findall(r"<(h\d)[^>]*>(?:<a [^>]*>)?(\w)(?:</a>)?</\1>", page)
    return " ".join(f"{tag} {title}" for tag, title in headings)


def list_sources(text: str) -> str:
    return " ".join(tag.attributes.get("src") or "" for tag in iterate_tags(text, "img"))


def show_formula(text: str) -> str:
    """Return the row of a formula as MathML."""
    row = convert_to_mathml(text)
    if row is None:
        return "-"
    return row.removeprefix('<math display="inline"><mrow>').removesuffix("</mrow></math>")


MATH = '<math display="inline"><mrow><mi>x</mi></mrow></math>'


def keep_formulas(text: str) -> str:
    """Return HTML after each formula is kept with its word; X is a formula."""
    return keep_formulas_with_words(text.replace("X", MATH)).replace(MATH, "X")


GALLERY_FILES = frozenset(
    "talks/b.jpg talks/a.PNG talks/notes.pdf talks/old/c.jpg other/b.jpg moving/a.apng moving/b.jfif".split()
)


def show_gallery(text: str) -> str:
    """Return the source, the alt text (or the name of the link) and the caption of each image."""
    markup = lay_out_galleries(text, GALLERY_FILES, "Close")
    figures = re.findall(
        r'<a href="([^"]*)" data-picture[^>]*?(?: aria-label="([^"]*)")?><img[^>]*alt="([^"]*)"[^>]*></a>'
        r"(?:<figcaption>(.*?)</figcaption>)?</figure>",
        markup,
    )
    shown = " ".join(f"{src}|{alt or f'({name})'}|{caption}" for src, name, alt, caption in figures)
    return shown if markup != text else "unchanged"


def list_elements(text: str) -> str:
    """Return the elements with given tags: "tag tag: HTML"."""
    tags, _, markup = text.partition(": ")
    return " | ".join(f"{tag.name} {tag.content}" for tag in iterate_elements(markup, *tags.split()))


def split_markup(text: str) -> str:
    """Return text and markup in turn, with whole elements of given tags: "tag tag: HTML"."""
    tags, _, markup = text.partition(": ")
    return " | ".join(split_text(markup, *tags.split()))


def count_minutes(text: str) -> str:
    count, _, word = text.partition(" ")
    return str(estimate_reading_minutes(word * int(count)))


def show_code(text: str) -> str:
    """Return code with marks: "language|code"; no sign of it is lost."""
    language, _, code = text.partition("|")
    highlighted = highlight_code(code, language)
    if highlighted is None:
        return "-"
    assert html.unescape(strip_tags(highlighted)) == code.removesuffix("\n")
    return highlighted
