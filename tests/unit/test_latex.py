"""LaTeX in a .bib file, converted to Markdown, plain text and URLs."""

import pytest

from tenure.markdown.html import plain_text, render_inline, render_markdown
from tenure.sources.bibtex.latex import latex_to_markdown, latex_to_text, latex_to_url

LETTERS = r"""
é  \'e | \'{e} | {\'e} | {\'{e}} | \' e
í  \'\i | \'{\i} | {\'{\i}}
š  \v{s} | \v s | {\v s} | {\v{s}}
à \`a
ô \^o
ñ \~n
ü \"u
ō \=o
ż \.z
ğ \u{g}
ő \H{o}
ç \c{c} | \c c
ḥ \d{h}
ḵ \b{k}
ů \r{u}
ą \k{a}
o͡o \t{oo}
ș \textcommabelow{s}
î \^{\i}
ế \'{\^e}
å \aa
Å \AA{}
ø {\o}
Ł \L
ß \ss{}
đ \dj
Þ \TH
~ \~{}
^ \^{}
École {\'E}cole
résumé r\'esum\'e
naïve na\"{\i}ve
Ångström \AA ngstr\"om
Øystein \O ystein
Nguyễn Nguy\~{\^e}n
"""


@pytest.mark.parametrize("line", LETTERS.strip().splitlines())
def test_accented_letters(line: str) -> None:
    letter, notations = line.split(maxsplit=1)
    for latex in notations.split(" | "):
        assert latex_to_text(latex).text == plain_text(latex_to_markdown(latex).text) == letter


@pytest.mark.parametrize(
    ("latex", "html"),
    [
        (r"\emph{a} b", "<em>a</em> b"),
        (r"\textit{a}", "<em>a</em>"),
        (r"\textbf{a}", "<strong>a</strong>"),
        (r"\textbf{\emph{a}}", "<strong><em>a</em></strong>"),
        (r"\emph{a \emph{b} c}", "<em>a <em>b</em> c</em>"),
        (r"\emph{a}\emph{b}", "<em>a</em><em>b</em>"),
        (r"\textbf{a}\emph{b}c", "<strong>a</strong><em>b</em>c"),
        (r"x\emph{ a }y", "x <em>a</em> y"),
        (r"\emph{a*b}", "<em>a*b</em>"),
        (r"\emph{}", ""),
        (r"{\em a} b", "<em>a</em> b"),
        (r"{a {\bf b} c}", "a <strong>b</strong> c"),
        (r"{\it a\/} {\em b}{\em c}", "<em>a</em> <em>b</em><em>c</em>"),
        (r"\texttt{a_b --flag}", "<code>a_b --flag</code>"),
        (r"\textsc{Abc}", '<span class="sc">Abc</span>'),
        (r"H\textsubscript{2}O\textsuperscript{+}", "H<sub>2</sub>O<sup>+</sup>"),
        (r"\underline{a}", "<u>a</u>"),
        (r"\enquote{a}", "“a”"),
        (r"\textrm{a} \mbox{b} {\sf c} \uppercase{d}", "a b c d"),
        (r"M35 \amp N, Venus\rsquo clouds", "M35 &amp; N, Venus’ clouds"),
        (r"\texorpdfstring{$x$}{x}", "x"),
        (r"{\noopsort{1973}}a\label{x} \hspace{2mm}\textcolor{red}{b}", "a b"),
        ("<i>a</i> <sub>2</sub>", "<i>a</i> <sub>2</sub>"),
        # quotes, dashes, spaces
        ("``a'' and `b'", "“a” and ‘b’"),
        ("it's", "it’s"),
        ("1990--1999 --- or so", "1990–1999 — or so"),
        ("a ---- b", "a ---- b"),
        (r"Figure~1, J.\,R., a\ b\\c", "Figure\u00a01, J.\u2009R., a b c"),
        ("a \t b\nc", "a b c"),
        (r"\ldots \dag \S 2 \copyright{} \textdegree C \texteuro 5", "…†§2 © °C €5"),
        (r"\LaTeX{} and \TeX", "LaTeX and TeX"),
        # escapes
        (r"50\% \& \#1 \_a\_ \{b\} \$5", "50% &amp; #1 _a_ {b} $5"),
        (r"\textbackslash a \textasciitilde b \textless c", r"\a ~b &lt;c"),
        # links
        (r"\url{https://x.org/a_b~c}", '<a href="https://x.org/a_b~c">https://x.org/a_b~c</a>'),
        (r"\url{www.x.org/a_b}", "www.x.org/a_b"),
        (r"\href{https://x.org/a\_b}{the \emph{site}}", '<a href="https://x.org/a_b">the <em>site</em></a>'),
        (r"\href{}{words}", "words"),
    ],
)
def test_formatting(latex: str, html: str) -> None:
    assert render_inline(latex_to_markdown(latex).text) == html
    assert latex_to_markdown(latex).unknown_commands == ()


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\emph{a} {\bf b} \texttt{c_d} \enquote{e}", "a b c_d “e”"),
        ("a*b_c[d]", "a*b_c[d]"),
        ("Figure~1", "Figure 1"),
        (r"$34.4\times$ and $\alpha$-stable $x^2_i$", "34.4× and α-stable x2i"),
        (r"Pan$^*$, Dai$^{\dagger}$, Li$^\ast$", "Pan*, Dai†, Li*"),
        (r"$\mathbb{P}^2$", "P2"),
        (r"\url{https://x.org/a_b} \href{https://x.org/}{b}", "https://x.org/a_b b"),
        ("a < b > c", "a < b > c"),
    ],
)
def test_plain_words(latex: str, text: str) -> None:
    assert latex_to_text(latex).text == text


@pytest.mark.parametrize(
    ("latex", "markdown"),
    [
        ("$x^2$", "$x^2$"),
        (r"a $34.4\times$ b", r"a $34.4\times$ b"),
        (r"$a_1 * b_2 \\ [c]$", r"$a_1 * b_2 \\ [c]$"),
        ("$x\n  + y$", "$x + y$"),
        ("($x$)-stable", "($x$)-stable"),
        (r"\(x\) and \[y\]", "$x$ and $y$"),
        (r"$$x$$", "$x$"),
        (r"\ensuremath{x}", "$x$"),
        (r"CO$_2$, 10$^5$, $\sim$10", r"CO$_2$, 10$^5$, $\sim$10"),
        # beside letters and digits, in braces, so that no dollar looks like money
        ("$k$NN", "$k$NN"),
        ("a$k$", "a${k}$"),
        ("$k$2", "${k}$2"),
        ("$a$$b$", "${a}$${b}$"),
        # a dollar alone, and money
        ("costs $5", r"costs \$5"),
        ("$1,000 and $2,000", r"\$1,000 and \$2,000"),
        ("$5 million to $6 million for $n$", r"\$5 million to \$6 million for $n$"),
    ],
)
def test_formulas_are_unchanged(latex: str, markdown: str) -> None:
    assert latex_to_markdown(latex).text == markdown


@pytest.mark.parametrize(
    ("latex", "expected", "unknown"),
    [
        (r"\foo", "foo", (r"\foo",)),
        (r"a \foo b", "a foo b", (r"\foo",)),
        (r"\foo{x} b", "x b", (r"\foo",)),
        (r"\foo{\'e}{\bar} \foo{}", "é bar foo", (r"\bar", r"\foo")),
        (r"\foo[2]{x}", "x", (r"\foo",)),
        (r"\foo1", "foo1", (r"\foo",)),
        (r"\loud so \endloud", "loud so", (r"\loud",)),
        (r"\today", "today", (r"\today",)),  # the date of the build is not text of a source
        ("a\\", "a\\", ()),
    ],
)
def test_unknown_commands_are_reported_and_their_text_is_shown(
    latex: str, expected: str, unknown: tuple[str, ...]
) -> None:
    for decoded in (latex_to_markdown(latex), latex_to_text(latex)):
        assert sorted(decoded.unknown_commands) == sorted(unknown)
    assert plain_text(latex_to_markdown(latex).text) == expected
    assert latex_to_text(latex).text == expected


@pytest.mark.parametrize(
    ("latex", "expected"),
    [(r"\alpha{}-stable", "α{}-stable"), (r"a \pm b", "a ±b"), (r"\ast", "∗"), (r"\lim", "lim")],
)
def test_math_symbols_outside_formulas(latex: str, expected: str) -> None:
    assert latex_to_text(latex).text == expected.replace("{}", "")
    assert latex_to_text(latex).unknown_commands == ()


@pytest.mark.parametrize(
    "latex", ["{a", "a}", "{{{a", "a}}}", r"\emph{a", r"\textbf{{a}", r"a\(", r"a$", "$$a", r"\url{a"]
)
def test_unclosed_groups_lose_no_word(latex: str) -> None:
    assert "a" in plain_text(latex_to_markdown(latex).text)
    assert "a" in latex_to_text(latex).text


def test_blank_lines_separate_paragraphs() -> None:
    assert latex_to_markdown("a\n b\n\n  c\\par d").text == "a b\n\nc\n\nd"


@pytest.mark.parametrize(
    "start", ["1. a", "2024. a", "- a", "+ a", "# a", "> a", "--- a", ": a", "!!! a", "* a", "_ a"]
)
def test_a_paragraph_never_becomes_another_block(start: str) -> None:
    html = render_markdown(latex_to_markdown(f"x\n\n{start}").text)
    assert html.startswith("<p>x</p>\n<p>")
    assert html.count("<") == 4


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("https://x.org/a_b~c%20d#e&f=g", "https://x.org/a_b~c%20d#e&f=g"),
        ("https://x.org/a--b''c``d", "https://x.org/a--b''c``d"),
        ("10.1145/3600006.3613163", "10.1145/3600006.3613163"),
        (r"10.1145/12345\_67", "10.1145/12345_67"),
        (r"https://x.org/\~{}pan", "https://x.org/~pan"),
        (r"https://x.org/\~pan", "https://x.org/~pan"),
        (r"https://x.org/{\textasciitilde}pan", "https://x.org/~pan"),
        (r"https://x.org/\textasciitilde{}pan", "https://x.org/~pan"),
        (r"https://x.org/\textasciitilde pan", "https://x.org/~pan"),
        (r"a{\_}b\%20c\#d\&e", "a_b%20c#d&e"),
        (r"a\textunderscore{}b", "a_b"),
        ("{https://x.org/}", "https://x.org/"),
        ("{{ https://x.org/ }}", "https://x.org/"),
        (r"\url{https://x.org/a_b}", "https://x.org/a_b"),
        (r"{\url{https://x.org/a\_b}}", "https://x.org/a_b"),
        ("{https://x.org/{\\_}a}", "https://x.org/_a"),
        (" https://x.org/\n a ", "https://x.org/ a"),
        ("{a}/{b}", "{a}/{b}"),
        ("", ""),
    ],
)
def test_urls_change_only_in_escapes(written: str, address: str) -> None:
    assert latex_to_url(written) == address


@pytest.mark.parametrize(
    "value", ["{" * 5000, "\\'" * 5000, "\\emph" * 2000, "\\ensuremath{" * 2000, "\\href{a}" * 2000]
)
def test_nesting_depth_is_limited(value: str) -> None:
    assert isinstance(latex_to_markdown(value).text, str)
    assert latex_to_text(f"{value} end").text.endswith("nd")
