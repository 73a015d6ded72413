"""Markdown converted to HTML, to one line of HTML, and to plain text; slugs."""

import re

import pytest

from tenure.counts import format_count
from tenure.markdown.html import make_slug, plain_text, render_inline, render_markdown
from tenure.markdown.math import BROKEN_FORMULA_CLASS


def format_math(row: str, display: str = "inline") -> str:
    return f'<math display="{display}"><mrow>{row}</mrow></math>'


X = format_math("<mi>x</mi>")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("words", "words"),
        ("*a* **b** `c`", "<em>a</em> <strong>b</strong> <code>c</code>"),
        ("[a](b.pdf)", '<a href="b.pdf">a</a>'),
        ("![a](b.png)", '<img alt="a" src="b.png">'),
        ("<https://a.b/x_y>", '<a href="https://a.b/x_y">https://a.b/x_y</a>'),
        # characters without a special meaning at their place
        ("C# and F#, 5 < 6 & 7 > 2", "C# and F#, 5 &lt; 6 &amp; 7 &gt; 2"),
        ("snake_case, x^2, [a], a~b", "snake_case, x^2, [a], a~b"),
        (r"\*a\* \_b\_ \{c\}", "*a* _b_ {c}"),
        # character references are characters, and HTML tags are unchanged
        ("&copy; H<sub>2</sub>O", "© H<sub>2</sub>O"),
        ('<abbr title="x">y</abbr>', '<abbr title="x">y</abbr>'),
        ("a<br>b", "a<br>b"),
    ],
)
def test_plain_text_is_the_same_inline_and_as_block(text: str, line: str) -> None:
    assert render_inline(text) == line
    assert render_markdown(text) == f"<p>{line}</p>"


@pytest.mark.parametrize(
    ("text", "block", "line"),
    [
        ("", "", ""),
        (" \n ", "", ""),
        ("# a", '<h2 id="a"><a class="self" href="#a">a</a></h2>', "# a"),
        ("1. a", "<ol>\n<li>a</li>\n</ol>", "1. a"),
        ("- a", "<ul>\n<li>a</li>\n</ul>", "- a"),
        ("+ a", "<ul>\n<li>a</li>\n</ul>", "+ a"),
        ("> a", "<blockquote>\n<p>a</p>\n</blockquote>", "&gt; a"),
        ("    a", "<pre><code>a\n</code></pre>", "a"),
        ("\ta", "<pre><code>a\n</code></pre>", "a"),
        ("***", "<hr>", "***"),
        ("a\n\nb", "<p>a</p>\n<p>b</p>", "a\nb"),
        ("a  \nb", "<p>a<br>\nb</p>", "a\nb"),
        ("a\n: b", "<dl>\n<dt>a</dt>\n<dd>b</dd>\n</dl>", "a\n: b"),
        ("- a\n    - b", "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>", "- a\n- b"),
        ("<div>*a*</div>", "<div>*a*</div>", "<div><em>a</em></div>"),
    ],
)
def test_block_markup_is_text_in_inline_markdown(text: str, block: str, line: str) -> None:
    assert render_markdown(text) == block
    assert render_inline(text) == line


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("> [!NOTE]\n> a", '<div class="admonition note" role="note">.*<p>a</p>'),
        ("| a |\n|---|\n| 1 |", "<table>.*<th>a</th>.*<td>1</td>"),
        ("```\nx = '1'\n```", "<pre><code>x = '1'\n</code></pre>"),
        ('<div markdown="1">\n*a*\n</div>\nb', "<div>\n<p><em>a</em></p>\n</div>\n<p>b</p>"),
    ],
)
def test_blocks_of_several_lines(text: str, pattern: str) -> None:
    assert re.search(pattern, render_markdown(text), re.DOTALL)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it's", "it’s"),
        ("the students' work", "the students’ work"),
        ('"a" and "b"', "“a” and “b”"),
        ("'a' and 'b'", "‘a’ and ‘b’"),
        ('("a")', "(“a”)"),
        ('"*a*"', "“a”"),
        ('*"a"*', "“a”"),
        ("\"'a' b\"", "“‘a’ b”"),
        ("MLSys '23", "MLSys ’23"),
        ("the '90s", "the ’90s"),
        ("`vLLM`'s and $x$'s", "vLLM’s and x’s"),
        ("1990--1999", "1990–1999"),
        ("a -- b", "a – b"),
        ("a---b", "a—b"),
        ("a ---- b", "a ---- b"),
        # places where typography would be wrong
        ('`it\'s -- "x"`', 'it\'s -- "x"'),
        ("<https://a.b/x--y>", "https://a.b/x--y"),
        ("see http://a.b/x--y --z", "see http://a.b/x--y –z"),
    ],
)
def test_typography(text: str, expected: str) -> None:
    assert plain_text(text) == expected


def test_typography_does_not_change_tags() -> None:
    assert render_inline("[a](b--c 'it is')") == '<a href="b--c" title="it is">a</a>'


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("$x$", X),
        ("a $x$, b", f"a {X}, b"),
        ("($x$)", f"({X})"),
        (r"$34.4\times$ better", format_math('<mn>34.4</mn><mo lspace="0" rspace="0">×</mo>') + " better"),
        ("$a<b$ *c*", format_math("<mi>a</mi><mo>&lt;</mo><mi>b</mi>") + " <em>c</em>"),
        (
            "$a_1*b_2$",
            format_math("<msub><mi>a</mi><mn>1</mn></msub><mo>*</mo><msub><mi>b</mi><mn>2</mn></msub>"),
        ),
        ("CO$_2$", "CO" + format_math("<msub><mi /><mn>2</mn></msub>")),
        ("10$^5$ times", "10" + format_math("<msup><mi /><mn>5</mn></msup>") + " times"),
        (r"2$\times$2", "2" + format_math('<mo lspace="0" rspace="0">×</mo>') + "2"),
        ("$$x$$", format_math("<mi>x</mi>", "block")),
        # money
        ("$1,000 and $2,000", None),
        ("from $5 to $6", None),
        ("US$5 and US$6", None),
        ("$5-$10", None),
        ("costs $5", None),
        ("$x and y$5", None),
        ("$ x $", None),
        (r"\$5 and \$6", "$5 and $6"),
        (r"\$x\$", "$x$"),
        # code is not a formula
        ("`$x$`", "<code>$x$</code>"),
        # an invalid formula is shown as written, and marked
        (r"$\foo{$", rf'<code class="{BROKEN_FORMULA_CLASS}">\foo{{</code>'),
    ],
)
def test_formulas_and_money(text: str, line: str | None) -> None:
    assert render_inline(text) == (text if line is None else line)


@pytest.mark.parametrize(
    ("text", "level", "headings"),
    [
        ("# A\n\n## B", 2, ["h2 A", "h3 B"]),
        ("### A\n\n#### B\n\n### C", 2, ["h2 A", "h3 B", "h2 C"]),
        ("# A\n\n#### B", 3, ["h3 A", "h4 B"]),
        ("## A\n\n# B", 4, ["h5 A", "h4 B"]),
        ("# A\n\n## B\n\n### C", 5, ["h5 A", "h6 B", "h6 C"]),
        ("A\n===\n\nB\n---", 2, ["h2 A", "h3 B"]),
        ("<h1>A</h1>", 3, ["h3 A"]),
    ],
)
def test_headings_are_below_those_of_the_page(text: str, level: int, headings: list[str]) -> None:
    html = render_markdown(text, level)
    assert [
        f"{tag} {title}" for tag, title in re.findall(r"<(h\d)[^>]*>(?:<a [^>]*>)?(\w)(?:</a>)?</\1>", html)
    ] == headings


def test_only_a_text_that_is_a_page_has_anchors_at_its_headings() -> None:
    assert (
        render_markdown("# Part one", 2)
        == '<h2 id="part-one"><a class="self" href="#part-one">Part one</a></h2>'
    )
    assert render_markdown("# Part one", 3) == "<h3>Part one</h3>"


def test_an_explicit_anchor_is_preserved() -> None:
    assert render_markdown("# Part one {#one}", 4) == '<h4 id="one">Part one</h4>'


def test_braces_without_attributes_are_text() -> None:
    html = render_markdown(
        "# The set {a, b}\n\n| x {y} |\n|---|\n| *m*{n} |\n\nWords\n{k}\n\n[s](w){.t} {u}\n{: #v }\n", 2
    )
    assert re.sub(r"<[^>]*>", "", html).split() == "The set {a, b} x {y} m{n} Words {k} s {u}".split()
    assert '<p id="v"><a class="t" href="w">s</a> {u}</p>' in html


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("a  b\n c", "a b c"),
        ("*a* **b** `c` [d](e)", "a b c d"),
        ("# A\n\nb", "A b"),
        ("a<br>b", "a b"),
        ("5 < 6 &amp; 7 &eacute;", "5 < 6 & 7 é"),
        ("$34.4\\times$", "34.4×"),
        ("1. a", "1. a"),
        ("<b>a</b>", "a"),
        ("http://a.b/c--d", "http://a.b/c--d"),
    ],
)
def test_plain(text: str, expected: str) -> None:
    assert plain_text(text) == expected


SLUGS = """
    Heterogeneity-Aware LLM Routing = heterogeneity-aware-llm-routing
    John's  C++_code! = johns-c-code
    --a-- = a
    Élan Übung naïve = elan-ubung-naive
    Việt Nam, İstanbul, Straße = viet-nam-istanbul-strasse
    ﬁne x² = fine-x2
    日本語 テスト = 日本語-テスト
    がぎ = がぎ
    한국어 = 한국어
    Лев Толстой = лев-толстой
    Ελληνικά = ελληνικά
    हिन्दी में = हिन्दी-में
    ภาษาไทย ที่ = ภาษาไทย-ที่
    العربية = العربية
    I ❤️ U = i-u
"""


@pytest.mark.parametrize("row", SLUGS.strip().split("\n"))
def test_slug(row: str) -> None:
    text, slug = row.strip().split(" = ")
    assert make_slug(f" {text} ") == slug


def test_signs_of_zero_width_are_not_part_of_a_slug() -> None:
    assert make_slug("می\u200cخواهم") == "میخواهم"
    assert make_slug("***") == make_slug("") == ""


def test_a_count_has_its_plural() -> None:
    assert [format_count(n, "entry", "entries") for n in (0, 1, 2)] == ["0 entries", "1 entry", "2 entries"]
    assert [format_count(n, "page") for n in (1, 11)] == ["1 page", "11 pages"]


@pytest.mark.parametrize("opening", ["[", "![", "[^", "[[](", "[a](", "[@a"])
def test_thousands_of_open_brackets_are_text(opening: str) -> None:
    """An earlier version searched the rest of the text for the end of each bracket: seconds for 4 KB."""
    text = opening * 1000
    assert (
        render_markdown(f"x {text}\n\n[y](/z/)")
        == f"<p>x {text.rstrip()}</p>\n" + '<p><a href="/z/">y</a></p>'
    )
    assert render_inline(f"x {text}") == f"x {text.rstrip()}"


@pytest.mark.parametrize("opening", ["{% in ", "{{ x "])
def test_thousands_of_open_template_tags_are_text(opening: str) -> None:
    """An earlier version searched the rest of the text for the end of each tag: 7 seconds for 128 KB."""
    text = (opening * 20_000).strip()
    assert plain_text(text) == text
