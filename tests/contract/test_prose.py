"""Texts on pages: the style sheet of code colours, tables of contents, e-mail addresses."""

from collections.abc import Callable

from conftest import ROOT, Sources
from matrix import build_sample_site

from tenure.html.filters import make_markdown_labels
from tenure.markdown.blocks import ADMONITION_TITLES, ENGLISH_LABELS

Make = Callable[[str], Sources]
CODE = "```python\nx = 1\n\ny = 2\n```\n"


def test_empty_lines_of_code_are_preserved(site: Make) -> None:
    page = site(f"-- content/posts/one.md --\n---\ntitle: One\n---\n{CODE}").build().read_page("/posts/one/")
    assert '<span class="mi">1</span>\n\n<span class="n">y</span>' in page


def test_texts_contain_no_inline_styles(site: Make) -> None:
    """A Content-Security-Policy may forbid inline styles."""
    text = (
        (ROOT / "docs/content/pages/text.md")
        .read_text(encoding="utf-8")
        .replace("[the slides](talk.pdf), ", "")
    )
    built = site(f"-- content/posts/one.md --\n---\ntitle: One\n---\n| a |\n|--:|\n| 1 |\n\n{text}").build()
    assert ' style="' not in built.read_page("/posts/one/")


def test_labels_in_texts_are_those_of_the_theme() -> None:
    built = build_sample_site("", "masters")
    assert built.site is not None
    assert make_markdown_labels(built.site.active_theme.translations) == ENGLISH_LABELS
    assert dict(ENGLISH_LABELS.admonition_titles) == dict(ADMONITION_TITLES)
