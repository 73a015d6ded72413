"""Texts of other systems: hidden text, emoji names, attributes in braces; code is unchanged."""

import re
from pathlib import Path

import pytest

from tenure.importers.session import ImportSession
from tenure.importers.source_html import is_hidden, remove_elements, rewrite_outside_code
from tenure.importers.text_converter import SourceTextConverter, replace_emoji_names

TEXTS = [
    ('A<div class="d-none">B<div>C</div>D</div>E', "AE"),
    ('A<span style="color: red; display:none">B</span>E', "AE"),
    ("A <p hidden>B</p> E", "A  E"),
    ('<div class="d-none d-md-block">A</div>', '<div class="d-none d-md-block">A</div>'),
    ('`<div class="d-none">A</div>`', '`<div class="d-none">A</div>`'),
    ("A <form> in `<form>`\n\n<script>x('</p>')</script>B <iframe src=a></iframe>C", "A  in `<form>`\n\nB C"),
    ("A <style>p {}", "A"),
    ("Write `<script>` here, and `:tada:`", "Write `<script>` here, and `:tada:`"),
    (
        "New :tada: at 10:30:45 :sparkles: :no_emoji_of_this_name:",
        "New 🎉 at 10:30:45 ✨ :no_emoji_of_this_name:",
    ),
    ("http://a.example/:tada:/b", "http://a.example/:tada:/b"),
    (":coffee::cookie: in std::vector::size", "☕🍪 in std::vector::size"),
    (
        '<div class="row">\n    <div class="col">A\n        <script>a</script>\n\n    </div>\n</div>\n\n# Head',
        '<div class="row">\n    <div class="col">A\n    </div>\n</div>\n\n# Head',
    ),
    ('<ol>\n  <li><img src="gone.png"></li>\n</ol>\n\n<a name="x"></a>[b](#x)', '<a name="x"></a>[b](#x)'),
    ("<p>A</p>\n\n    code", "<p>A</p>\n\n    code"),
    ('![a](https://a.example/a.png){width="40%" .left}', "![a](https://a.example/a.png)"),
    ('[a](https://a.example){target="_blank"}', "[a](https://a.example)"),
    ('Text.\n{style="text-align: justify;"}\nMore.', "Text.\n\nMore."),
    (
        "A\n\n<hr>\n<span style='x'>\nB [c](https://c.example)\n</span>",
        "A\n\n<hr>\n\n<span style='x'>B [c](https://c.example)\n</span>",
    ),
    ("<br>\n**A**", "<br>\n\n**A**"),
    ("<div>\n<span>\n**A**\n</span></div>", "<div>\n<span>\n**A**\n</span></div>"),
    ("## Head {.unnumbered}", "## Head"),
    ("## Head {#anchor}", "## Head {#anchor}"),
    ("$\\frac{a=b}{c}$", "$\\frac{a=b}{c}$"),
    ('<div id="x">A</div>', "<div>A</div>"),
    ('<div id="x">A</div> [up](#x)', '<div id="x">A</div> [up](#x)'),
    ("[gone](#nowhere)", "gone"),
    ("A [word][x] and [y][], a[1][2], ![p][q].", "A word and y, a[1][2], ![p][q]."),
    ("A [word][X].\n\n[x]: https://a.example/", "A [word][X].\n\n[x]: https://a.example/"),
]


@pytest.mark.parametrize(("source", "expected"), TEXTS)
def test_a_text_is_cleaned(source: str, expected: str, tmp_path: object) -> None:
    converter = SourceTextConverter(ImportSession(tmp_path), has_emoji_names=True)  # type: ignore[arg-type]
    assert converter.convert_body(source, "a.md:1") == expected


def test_emoji_names_stay_where_the_source_shows_them_as_text(tmp_path: object) -> None:
    converter = SourceTextConverter(ImportSession(tmp_path))  # type: ignore[arg-type]
    assert converter.convert_body("A :tada:", "a.md:1") == "A :tada:"


def test_emoji_names_are_those_of_github() -> None:
    lines = (Path(__file__).parent / "gemoji.txt").read_text(encoding="utf-8").splitlines()[1:]
    characters = {f":{name}:": line.split()[0] for line in lines for name in line.split()[1:]}
    different = {
        name: (replace_emoji_names(name), character)
        for name, character in characters.items()
        if replace_emoji_names(name) != name
        and replace_emoji_names(name).replace("\ufe0f", "") != character.replace("\ufe0f", "")
    }
    assert len(different) < 20, different
    assert sum(replace_emoji_names(name) != name for name in characters) > 900


def test_many_unclosed_elements_take_little_time() -> None:
    text = "<p hidden>" * 20_000
    assert remove_elements(text, is_hidden, lambda _, __: None) == ""
    attributes = "[a](b){" + "a=b.c" * 20_000
    assert rewrite_outside_code(attributes, lambda prose: re.sub("x", "", prose)) == attributes
