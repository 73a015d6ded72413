"""Markdown: the examples of CommonMark, pairs in tests/values/markdown/*.txt, highlighted code, and tags of HTML."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import pytest
from conftest import ROOT, run_process
from hypothesis import given, settings
from hypothesis import strategies as st
from pygments.token import STANDARD_TYPES, Comment, Keyword, Number, String

from tenure.markdown import html_tags
from tenure.markdown.blocks import ENGLISH_LABELS
from tenure.markdown.code import PLAIN_LANGUAGES, is_known_language, list_languages
from tenure.markdown.converter import convert_markdown
from tenure.markdown.html import make_slug, render_markdown
from tenure.markdown.html_tags import Tag, iterate_tags, rewrite_tags
from tenure.model.colors import contrast_ratio

EXAMPLES = Path(__file__).parent / "commonmark" / "examples.txt"

URL_AS_WRITTEN = "a URL stays as it is written: a build resolves links to files by their names"
BARE_URL = "a URL or an e-mail address is a link without angle brackets, as on GitHub"
HIGHLIGHTED = "code of a known language is highlighted"
FIGURE = "an image with a title, alone in its paragraph, is a figure with a caption"
DIFFERENT = {
    **dict.fromkeys((20, 32, 33, 195, 202, 206, 346, 489, 502, 503, 504, 507, 526, 538, 603), URL_AS_WRITTEN),
    **dict.fromkeys((142, 143), HIGHLIGHTED),
    572: FIGURE,
    **dict.fromkeys((608, 611, 612), BARE_URL),
}
"""The numbers of the examples with different HTML, with the reasons; docs/content/pages/text.md lists them too."""

BLOCKS = frozenset(
    {"p", "ul", "ol", "li", "blockquote", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "div"}
    | {"table", "thead", "tbody", "tr", "th", "td", "section", "figure", "br"}
)


@dataclass(frozen=True)
class Example:
    """An example of a specification: its number, its text and its HTML."""

    number: int
    text: str
    markup: str


def read_examples() -> list[Example]:
    source = EXAMPLES.read_text("utf-8").replace("→", "\t")
    matches = re.findall(r"^`{32} example\n(.*?)^\.\n(.*?)^`{32}$", source, re.DOTALL | re.MULTILINE)
    return [Example(number, text, markup) for number, (text, markup) in enumerate(matches, 1)]


class Normalizer(HTMLParser):
    """Normalizes HTML: attributes are sorted, and white space that a browser does not show is removed."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.is_verbatim = False
        self.ends_block = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._handle_tag(tag)
        self.is_verbatim = self.is_verbatim or tag == "pre"
        pairs = sorted((name, value or "") for name, value in attrs)
        self.parts.append(f"<{tag}{''.join(f' {name}={value!r}' for name, value in pairs)}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        self._handle_tag(tag)
        self.is_verbatim = self.is_verbatim and tag != "pre"
        self.parts.append(f"</{tag}>")

    def _handle_tag(self, tag: str) -> None:
        if tag in BLOCKS and not self.is_verbatim and self.parts and not self.parts[-1].startswith("<"):
            self.parts[-1] = self.parts[-1].rstrip()
        self.ends_block = tag in BLOCKS

    def handle_data(self, data: str) -> None:
        if not self.is_verbatim:
            data = re.sub(r"\s+", " ", data)
            data = data.lstrip() if self.ends_block else data
        if data:
            self.parts.append(data)
            self.ends_block = False

    def handle_comment(self, data: str) -> None:
        self.parts.append(f"<!--{data}-->")


def normalize_markup(markup: str) -> str:
    normalizer = Normalizer()
    normalizer.feed(markup)
    normalizer.close()
    return "".join(normalizer.parts).rstrip()


def convert_text(text: str) -> str:
    return convert_markdown(text, "blocks", ENGLISH_LABELS, make_slug)


def test_the_examples_of_commonmark_have_their_html() -> None:
    examples = read_examples()
    assert len(examples) == 652
    different = {
        example.number: example.text
        for example in examples
        if normalize_markup(convert_text(example.text)) != normalize_markup(example.markup)
    }
    numbers = different.keys() ^ DIFFERENT.keys()
    assert numbers == set(), {number: different.get(number) for number in numbers}
    assert len(different) <= 0.05 * len(examples)


def test_a_difference_of_html_is_noticed() -> None:
    assert normalize_markup("<p>a</p>\n<p> b</p>") == normalize_markup("<p>a</p><p>b </p>")
    assert normalize_markup("<p>a b</p>") != normalize_markup("<p>ab</p>")
    assert normalize_markup('<a href="x">a</a>') != normalize_markup('<a href="y">a</a>')
    assert normalize_markup("<pre>a  b</pre>") != normalize_markup("<pre>a b</pre>")


HERE = Path(__file__).parent / "markdown"
RULE = "~~~~"


@dataclass(frozen=True)
class Pair:
    """Markdown and its HTML; "[3]" before the title is the heading level of the text."""

    path: Path
    title: str
    level: int
    written: str
    made: str


def read_pairs(path: Path) -> Iterator[Pair]:
    for part in re.split(r"^=== ", path.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        title, _, remainder = part.partition("\n")
        written, rule, result = remainder.partition(f"\n{RULE}\n")
        assert rule, f"{path.name}: “{title}” has no line {RULE}"
        level = re.match(r"\[(\d)\] ", title)
        yield Pair(path, title, int(level[1]) if level else 2, written, result.strip("\n"))


PAIRS = [pair for path in sorted(HERE.glob("*.txt")) for pair in read_pairs(path)]


@pytest.mark.parametrize("pair", PAIRS, ids=[f"{pair.path.stem}-{pair.title}" for pair in PAIRS])
def test_markdown_gives_the_expected_html(pair: Pair, request: pytest.FixtureRequest) -> None:
    html = render_markdown(pair.written, pair.level).strip("\n")
    if request.config.getoption("--update"):
        text = pair.path.read_text("utf-8")
        start = text.index(f"\n{RULE}\n", text.index(f"=== {pair.title}\n")) + len(RULE) + 2
        end = text.find("\n=== ", start)
        pair.path.write_text(f"{text[:start]}{html}\n{text[end:] if end >= 0 else ''}", "utf-8")
        return
    assert html == pair.made


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


LINES = st.sampled_from(["a", "", "```", "````", "~~~", "```py", "    ```", "  ```", "> ```", ">", "> a", "- a", "    b",
                         "[^1]: a", "\t```", "> > ```", "1. ```", "> [!NOTE]", "| a |", "|---|"])  # fmt: skip


@settings(max_examples=300)
@given(st.lists(LINES, max_size=9))
def test_any_order_of_lines_makes_html_without_leftovers(lines: list[str]) -> None:
    rendered = render_markdown("\n".join(lines))
    assert "\x02" not in rendered
    assert "wzxhzdk" not in rendered
    assert len(re.findall(r"<pre\b", rendered)) == rendered.count("</pre>")


def test_a_tag_has_its_place_and_its_attributes_as_written() -> None:
    (tag,) = iterate_tags("""<p>\n<A href='x?a&amp;b="c"' hidden>d</a>""", "a")
    assert tag.attributes == {"href": "x?a&amp;b=&quot;c&quot;", "hidden": None}
    assert (tag.name, tag.start, tag.content_start) == ("a", 4, 4 + len(tag.text))


def test_a_script_is_a_whole_element() -> None:
    html_text = "<p><script async>if (a < b) '</p>'</script>c"
    (script,) = iterate_tags(html_text, "script")
    assert script.content == "if (a < b) '</p>'"
    assert html_text[script.content_start :].startswith(script.content)
    assert [tag.name for tag in iterate_tags(html_text)] == ["p", "script"]


def test_a_script_without_an_end_tag_goes_to_the_end_of_the_text() -> None:
    tags = [tag.text for tag in iterate_tags("<b><script><b><script>", "b", "script")]
    assert tags == ["<b>", "<script><b><script>"]
    assert html_tags.split_text("a<code>b<i>c", "code") == ["a", "<code>b<i>c", ""]


def test_only_the_wanted_tags_are_rewritten() -> None:
    html_text = "<!-- <b> --><b>x</b><script>'<b>'</script><br><b class=y>"

    def mark_tag(tag: Tag) -> str:
        return html_tags.format_tag("i", {"title": "z", **tag.attributes})

    marked = """<!-- <b> --><i title="z">x</b><script>'<b>'</script><br><i title="z" class="y">"""
    assert rewrite_tags(html_text, mark_tag, "b") == marked
    assert html_tags.rewrite_elements("<pre>a</pre><p>b</p>", lambda tag: tag.content, "pre") == "a<p>b</p>"


CODE_CSS = (ROOT / "themes/base/assets/code.css").read_text("utf-8")
LIGHT_GROUNDS = ("#ffffff", "#f0ede6")
DARK_GROUNDS = ("#000000", "#24282d")
"""The lightest and the darkest background that a theme may use for code, in each scheme."""


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


def test_colors_are_legible_in_both_schemes() -> None:
    faint = [
        token
        for token, light, dark in TOKENS
        if min(contrast_ratio(light, ground) for ground in LIGHT_GROUNDS) < 4.5
        or min(contrast_ratio(dark, ground) for ground in DARK_GROUNDS) < 4.5
    ]
    assert faint == []


def test_every_color_is_a_variable() -> None:
    assert len(TOKENS) == CODE_CSS.count("light-dark(") >= 8
    assert "#" not in CODE_CSS.partition(".code{")[2]


def test_theme_backgrounds_are_between_the_tested_ones() -> None:
    """The code colours are not tested on a darker background in the light scheme, or a lighter one in the dark scheme."""
    for sheet in (ROOT / "themes").glob("*/assets/*.css"):
        for light, dark in re.findall(
            r"--(?:panel|bg):light-dark\((#\w{6}),(#\w{6})\)", sheet.read_text("utf-8")
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
    result = run_process(sys.executable, "-c", script)
    assert result.stdout.splitlines() == ["False False", "True False", "True True"]
