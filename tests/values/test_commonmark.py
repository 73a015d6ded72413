"""The examples of CommonMark 0.31.2, and our own examples for GitHub Flavored Markdown by its sections."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tenure.markdown.blocks import ENGLISH_LABELS
from tenure.markdown.converter import convert_markdown
from tenure.markdown.html import make_slug

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
    source = EXAMPLES.read_text(encoding="utf-8").replace("→", "\t")
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
    assert different.keys() == DIFFERENT.keys(), {
        number: different.get(number) for number in different.keys() ^ DIFFERENT.keys()
    }
    assert len(different) <= 0.05 * len(examples)


def test_a_difference_of_html_is_noticed() -> None:
    assert normalize_markup("<p>a</p>\n<p> b</p>") == normalize_markup("<p>a</p><p>b </p>")
    assert normalize_markup("<p>a b</p>") != normalize_markup("<p>ab</p>")
    assert normalize_markup('<a href="x">a</a>') != normalize_markup('<a href="y">a</a>')
    assert normalize_markup("<pre>a  b</pre>") != normalize_markup("<pre>a b</pre>")


def format_table(*rows: str) -> str:
    return f'<div aria-label="Table" class="scroll" role="group" tabindex="0"><table>{"".join(rows)}</table></div>'


HEAD = "<thead><tr><th>a</th><th>b</th></tr></thead>"
OPEN_TASK = '<li class="task-list-item"><span role="img" aria-label="to do">☐</span> a</li>'
GITHUB_EXAMPLES = [
    # Section 4.10, tables
    ("| a | b |\n| - | - |\n| c | d |", format_table(HEAD, "<tbody><tr><td>c</td><td>d</td></tr></tbody>")),
    ("a | b\n--|--\nc | d", format_table(HEAD, "<tbody><tr><td>c</td><td>d</td></tr></tbody>")),
    (
        "| a | b |\n| :-: | --: |\n| c | d |",
        format_table(
            '<thead><tr><th class="center">a</th><th class="right">b</th></tr></thead>',
            '<tbody><tr><td class="center">c</td><td class="right">d</td></tr></tbody>',
        ),
    ),
    ("| a\\|b |\n| - |\n| `c\\|d` |", format_table("<thead><tr><th>a|b</th></tr></thead>", "<tbody><tr><td><code>c|d</code></td></tr></tbody>")),
    ("| a | b |\n| - | - |\n> c", format_table(HEAD) + "<blockquote><p>c</p></blockquote>"),
    ("| a | b |\n| - | - |\n| c | d |\ne\n\nf", format_table(HEAD, "<tbody><tr><td>c</td><td>d</td></tr><tr><td>e</td><td></td></tr></tbody>") + "<p>f</p>"),
    ("| a | b |\n| - |\n| c |", "<p>| a | b | | - | | c |</p>"),
    ("| a | b |\n| - | - |\n| c |\n| d | e | f |", format_table(HEAD, "<tbody><tr><td>c</td><td></td></tr><tr><td>d</td><td>e</td></tr></tbody>")),
    ("| a | b |\n| - | - |", format_table(HEAD)),
    ("c\n| a | b |\n| - | - |", "<p>c</p>" + format_table(HEAD)),
    # Section 5.3, task list items: a symbol with a label takes the place of the check box
    ("- [ ] a\n- b", f'<ul class="contains-task-list">{OPEN_TASK}<li>b</li></ul>'),
    ("- [ ] a\n  - [ ] a", f'<ul class="contains-task-list">{OPEN_TASK[:-5]}<ul class="contains-task-list">{OPEN_TASK}</ul></li></ul>'),
    ("- [ ]a\n- \\[ ] b", "<ul><li>[ ]a</li><li>[ ] b</li></ul>"),
    # Section 6.5, strikethrough: one tilde is text, because it also means "about"
    ("~~a~~ b", "<p><del>a</del> b</p>"),
    ("~~a\n\nb~~", "<p>~~a</p><p>b~~</p>"),
    ("~a~ b", "<p>~a~ b</p>"),
    # Section 6.9, autolinks
    ("<https://a.example/b>", '<p><a href="https://a.example/b">https://a.example/b</a></p>'),
    ("https://a.example/b_c_d", '<p><a href="https://a.example/b_c_d">https://a.example/b_c_d</a></p>'),
    ("(www.a.example). a@b.example", '<p>(<a href="http://www.a.example">www.a.example</a>). <a href="mailto:a@b.example">a@b.example</a></p>'),
    ("build.py spaCy.io a:b https://a.example/b\\_c a\\_b@c.example", "<p>build.py spaCy.io a:b https://a.example/b_c a_b@c.example</p>"),
    # Section 6.11, raw HTML: the policy of the page decides what a browser executes
    ("a <em>b</em> <title>", "<p>a <em>b</em> <title></p>"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "markup"), GITHUB_EXAMPLES)
def test_the_extensions_of_github_have_their_html(text: str, markup: str) -> None:
    assert normalize_markup(convert_text(text)) == normalize_markup(markup)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[a](my talk.pdf)", '<p><a href="my talk.pdf">a</a></p>'),
        ("x ![a](my photo 2.png 'b')", '<p>x <img alt="a" src="my photo 2.png" title="b"></p>'),
        ("[a](my talk)", "<p>[a](my talk)</p>"),
        ("[a](b.c d)", "<p>[a](b.c d)</p>"),
    ],
)
def test_the_name_of_a_file_may_contain_spaces(text: str, line: str) -> None:
    assert convert_text(text) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("中文**“强调”**文字", "<p>中文<strong>“强调”</strong>文字</p>"),
        ("これは*「強調」*です。", "<p>これは<em>「強調」</em>です。</p>"),
        ("a**“b”**c", "<p>a**“b”**c</p>"),
    ],
)
def test_emphasis_can_stand_between_a_sign_and_a_letter_of_a_script_without_spaces(
    text: str, line: str
) -> None:
    assert convert_text(text) == line
