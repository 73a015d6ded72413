"""Texts on pages: the style sheet of code colours, tables of contents, e-mail addresses."""

import re
from collections.abc import Callable

import pytest
from conftest import ROOT, Sources
from matrix import build_sample_site

from tenure.html.filters import make_markdown_labels
from tenure.markdown.blocks import ADMONITION_TITLES, ENGLISH_LABELS

Make = Callable[[str], Sources]
CODE = "```python\nx = 1\n\ny = 2\n```\n"
LONG = "".join(f"## Part {n}\n\nWords.\n\n" for n in range(1, 5))


def test_empty_lines_of_code_are_preserved(site: Make) -> None:
    page = site(f"-- content/posts/one.md --\n---\ntitle: One\n---\n{CODE}").build().read_page("/posts/one/")
    assert '<span class="mi">1</span>\n\n<span class="n">y</span>' in page


@pytest.mark.parametrize("name", ["posts", "projects", "pages"])
def test_a_long_page_begins_with_a_table_of_contents(site: Make, name: str) -> None:
    file = f"-- content/{name}/one.md --\n---\ntitle: One\n---\n"
    path = "/one/" if name == "pages" else f"/{name}/one/"
    page = site(f"{file}{LONG}").build().read_page(path)
    contents = page.partition('<nav class="toc"')[2].partition("</nav>")[0]
    assert re.findall(r'href="(#[\w-]+)"><span>([^<]*)<', contents) == [
        (f"#part-{n}", f"Part {n}") for n in range(1, 5)
    ]
    assert '<nav class="toc"' not in site(f"{file}{LONG.replace('## Part 4', 'Part 4')}").build().read_page(
        path
    )


def test_the_contents_of_a_project_are_on_its_own_page(site: Make) -> None:
    built = site(f"-- content/projects/one.md --\n---\ntitle: One\n---\n{LONG}").build()
    assert built.problems == []
    assert 'href="#part-1"' not in built.read_page("/projects/")
    assert built.read_page("/projects/one/").count('<nav class="toc"') == 1


def test_email_urls_are_obfuscated(site: Make) -> None:
    files = "-- content/profile.yaml --\nname: Ada\nemail: ada@example.edu\n-- content/about.md --\nWrite <ada@example.edu> or [me](mailto:ada@example.edu).\n"
    built = site(files).build()
    assert built.problems == []
    page = built.read_page("/")
    assert "ada@" not in page
    assert "mailto:" not in page
    assert built.read_words("/").count("ada@example.edu") == 2


def test_bare_addresses_are_links_in_a_text_and_text_in_a_title(site: Make) -> None:
    text = "See https://a.example/b_c, www.b.example. Mail ada@example.edu, run build.py with spaCy.io."
    post = f"-- content/posts/one.md --\n---\ntitle: On https://c.example\n---\n{text}\n"
    page = site(post).build().read_page("/posts/one/")
    assert (
        '<a href="https://a.example/b_c">https://a.example/b_c</a>, <a href="http://www.b.example">www'
        in page
    )
    assert "run build.py with spaCy.io." in page
    assert "ada@example.edu" not in page.partition("<main")[2]
    assert 'href="https://c.example' not in page


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
