"""Highlighted code, and its colours on every background that a theme uses."""

import html
import re
import subprocess
import sys

import pytest
from conftest import ROOT
from pygments.token import STANDARD_TYPES, Comment, Keyword, Number, String

from tenure.markdown.code import PLAIN_LANGUAGES, highlight_code, is_known_language, list_languages
from tenure.model.colors import contrast_ratio

CODE_CSS = (ROOT / "themes/base/assets/code.css").read_text(encoding="utf-8")
LIGHT_GROUNDS = ("#ffffff", "#f0ede6")
DARK_GROUNDS = ("#000000", "#24282d")
"""The lightest and the darkest background that a theme may use for code, in each scheme."""


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        (
            "python",
            "def f(): pass",
            '<span class="k">def</span><span class="w"> </span><span class="nf">f</span><span class="p">():</span> <span class="k">pass</span>',
        ),
        ("Python", "None", '<span class="kc">None</span>'),
        ("diff", "-a\n+b", '<span class="gd">-a</span>\n<span class="gi">+b</span>'),
        ("html", "<b>&amp;</b>", None),
        ("bibtex", "@misc{a,}", None),
        ("text", "def", None),
        ("klingon", "Qapla'", None),
    ],
)
def test_code_is_highlighted(language: str, code: str, expected: str | None) -> None:
    highlighted = highlight_code(code, language)
    assert (
        highlighted == expected
        if expected or highlighted is None
        else html.unescape(re.sub("<[^>]*>", "", highlighted)) == code
    )


@pytest.mark.parametrize("code", ["", "\n", "a\n\nb", "  a", "\ta\n", "é < & > \" '", "def f(:\n'"])
def test_no_code_is_lost(code: str) -> None:
    highlighted = highlight_code(code, "python")
    assert highlighted is not None
    assert html.unescape(re.sub("<[^>]*>", "", highlighted)) == code.removesuffix("\n").replace("\t", "\t")


def test_known_languages() -> None:
    assert is_known_language("python")
    assert is_known_language("TEXT")
    assert not is_known_language("pyhton")
    assert {"python", "c++", "latex", *PLAIN_LANGUAGES} <= set(list_languages())


def test_the_sheet_styles_classes_of_pygments() -> None:
    styled = set(re.findall(r"\.(\w+)(?=[,{])", CODE_CSS.partition(".code{")[2]))
    assert styled <= set(STANDARD_TYPES.values())
    for kind in (Comment, Keyword, Number, String):
        assert {name for token, name in STANDARD_TYPES.items() if token[: len(kind)] == kind} <= styled


TOKENS = re.findall(r"--(code-\w+):light-dark\((#\w{6}),(#\w{6})\)", CODE_CSS)


@pytest.mark.parametrize(("token", "light", "dark"), TOKENS, ids=[token for token, *_ in TOKENS])
def test_colors_are_legible_in_both_schemes(token: str, light: str, dark: str) -> None:
    assert min(contrast_ratio(light, ground) for ground in LIGHT_GROUNDS) >= 4.5, token
    assert min(contrast_ratio(dark, ground) for ground in DARK_GROUNDS) >= 4.5, token


def test_every_color_is_a_variable() -> None:
    assert len(TOKENS) == CODE_CSS.count("light-dark(") >= 8
    assert "#" not in CODE_CSS.partition(".code{")[2]


def test_theme_backgrounds_are_between_the_tested_ones() -> None:
    """The code colours are not tested on a darker background in the light scheme, or a lighter one in the dark scheme."""
    for sheet in (ROOT / "themes").glob("*/assets/*.css"):
        for light, dark in re.findall(
            r"--(?:panel|bg):light-dark\((#\w{6}),(#\w{6})\)", sheet.read_text(encoding="utf-8")
        ):
            theme = sheet.parent.parent.name
            assert contrast_ratio(light, "#ffffff") <= contrast_ratio(LIGHT_GROUNDS[1], "#ffffff"), theme
            assert contrast_ratio(dark, "#000000") <= contrast_ratio(DARK_GROUNDS[1], "#000000"), theme


def test_the_code_style_sheet_is_small() -> None:
    assert len(CODE_CSS.encode()) <= 1_536


def test_the_libraries_are_loaded_only_for_texts_that_need_them() -> None:
    script = (
        "import sys; from tenure.markdown.html import render_markdown as render\n"
        "for text in ('a b', '```\\nb\\n```', '```python\\nb\\n```'):\n"
        "    render(text); print(*(name in sys.modules for name in ('markdown_it', 'pygments.lexers.python')))"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert result.stdout.splitlines() == ["False False", "True False", "True True"]
