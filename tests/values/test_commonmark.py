"""The examples of CommonMark 0.31.2, and our own examples for GitHub Flavored Markdown by its sections."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

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
