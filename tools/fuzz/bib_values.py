"""
Puts each hostile or odd value into each field of a .bib file, and reports errors, exceptions, and markup from
a value.

`python tools/fuzz/bib_values.py [THEME]`: a library for each value, with an entry for each field. The short
test in tests/properties/test_hostile_texts.py puts all values into one library, in which each entry has all
fields.
"""

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import html5lib

# ruff: noqa: E402 - the modules of the tests are no package

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests/harness")]

from hostile_site import find_injected_markup

from tenure.build import BuildResult, build_site
from tenure.cache.store import CacheStore
from tenure.site_folder import BuildOptions
from tenure.sources.bibtex.bib_fields import BIB_FIELDS

FIELDS = sorted({*(name for name, row in BIB_FIELDS.items() if row.role != "citation"), "file", "own"})
"""The fields of a .bib file that are shown, linked or name a file, and one of another program."""

VALUES = (
    # elements and attributes
    "<marker-x onmark=1>x</marker-x>", "<script>marker()</script>",
    "<script src=//marker.example/x.js></script>",
    "<img src=https://marker.example/i.gif onerror=onmark>", "<iframe src=https://marker.example/></iframe>",
    "<meta http-equiv=refresh content='0;url=//marker.example'>", "<base href=//marker.example/>",
    "<style>marker{}</style>",
    "<object data=//marker.example></object><embed src=//marker.example>", "<textarea>marker", "<plaintext>",
    "<!-- marker",
    "<b onmark=1>unclosed", "</p></div></main></body></html>",
    "<a href=javascript:marker onmark=1 target=_blank>x</a>",
    "<a href='https://marker.example/' onmark=1>x</a>", "<p style=position:fixed><ul><li>x",
    "<i class=x>one <b>two</i> three</b>",
    "<svg onload=marker><use href=//marker.example/a.svg#x></svg>",
    "<math><mi xlink:href=javascript:marker>x</mi></math>",
    "<form action=//marker.example><input name=x></form>", "<title>marker</title>",
    "<link rel=dns-prefetch href=//marker.example>",
    "]]><marker-x>", "&lt;marker-x onmark=1&gt;", "&#60;marker-x&#62;", r"{\textless}marker-x{\textgreater}",
    r"\textless marker-x\textgreater",
    '"onmark="1', "'onmark='1", "><marker-x \"'><!--", "<<marker-x>>", "<marker-x", "<sub>a<sup>b</sub>",
    "<br/><br><hr>",
    # links and images
    r"Wow!\href{https://marker.example/i.gif}{x}", r"{Wow!}{\href{https://marker.example/i.gif}{x}}",
    r"\textbackslash!\href{https://marker.example/}{x}",
    "![x](https://marker.example/i.gif)", "![x][y]", "[x](javascript:marker)",
    "[x](https://marker.example/){onmark=1}", r"\href{javascript:marker}{x}",
    r"\href{data:text/html,marker}{x}", r"\url{javascript:marker}", r"\href{../../x}{x}",
    r"\href{https://[x}{y}", r"\href{}{}", r"\href{x}", r"\url{}",
    r"$\href{javascript:marker}{x}$", r"$\href{zotero://select/1}{x}$",
    r"$!\href{https://marker.example/}{x}$", r"$\style{position:fixed}{x} \class{y}{z}$",
    "https://[x", "https://[anonymized].org/", "See https://[redacted]/x", "https://", "http://", "//",
    "//marker.example/x", "../", "../../etc/passwd", "/../", "..", ".", "/",
    "#a", "?a", "javascript:marker", "data:text/html,<b>x</b>", "vbscript:marker", "mailto:",
    "mailto:a@b.example", "tel:", "file:///etc/passwd",
    "zotero://select/1", "ftp://marker.example/x", "HTTPS://MARKER.EXAMPLE:99999/%zz?a=b&c#d#e",
    "https://marker.example/a b", "10.1000/<marker-x>", "x.pdf\\0",
    # LaTeX
    "{x", r"\textbf{x", "x}", "$x", "$$x$$", "$x_{$", r"$\frac{1}{$", r"\begin{itemize}\item x\end{itemize}",
    r"\input{/etc/passwd}", r"\newcommand{\x}{\x}\x",
    r"\verb|<marker-x>|", r"\unknown{x}[y]", r"\cite{nowhere}", "\\" * 30, "{" * 30 + "}" * 30, "~" * 9,
    "-" * 9, "*a **b _c `d", "# x", "- x", "1. x", "> x", "```", "!!! note", ":::", "[^1]", "|a|b|", "@one",
    "{{7*7}}", "{% raw %}", "%", "#",
    # numbers and characters
    "9" * 5000, "-1", "1e400", "0x1F", "NaN", "2024-13-40", "0000", "99999", "1999/2001", "true", "null",
    "\x01\x02\x1b[31m", "\x7f", "\u202e", "\u202eabc\u202c", "\u200b", "\ufeff",
    "\ufdd0\ufffe", "e\u0301" * 40, "\U0001f600", "\u738b\u5c0f\u660e", "a\u2028b\u2029c\x85d", "\t", " ",
    "x" * 3000, "x y " * 2000, "and", "and and and", ", , ,", "others", "=1+1", '#read("/etc/passwd")',
)  # fmt: skip
UNBALANCED = frozenset(
    value for value in VALUES if value.count("{") != value.count("}") or value[-1:] == "\\"
)

TEMPLATE = {"title": "Tapes", "author": "Example, Ada and Berg, Jo", "year": "2024", "journal": "Journal"}
RUNS_CODE = re.compile(r"a href=\s*(?:javascript|data|vbscript|file):", re.IGNORECASE)
"""A link that would run code."""

PROFILE = "name: Ada Example\n"


def format_entry(key: str, fields: dict[str, str]) -> str:
    """Return a BibTeX entry with the fields, and those that an entry needs."""
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in {**TEMPLATE, **fields}.items())
    return f"@article{{{key},\n{lines}}}\n"


def make_library(value: str, fields: Sequence[str] = FIELDS) -> str:
    """Return a library with an entry for each field, which has the value."""
    return "\n".join(format_entry(f"key-{field}", {field: value}) for field in fields)


def make_square() -> str:
    """Return a library with as many entries as values, in which each field has each value once."""
    values = [value for value in VALUES if value not in UNBALANCED and len(value) < 500]
    left_out = {"crossref", "xdata", "preprint_of"}  # they copy other entries
    fields = [field for field in FIELDS if field not in left_out]
    return "\n".join(
        format_entry(
            f"key{number}",
            {field: values[(number + index) % len(values)] for index, field in enumerate(fields)},
        )
        for number in range(len(values))
    )


def build_library(library: str, theme: str = "") -> BuildResult:
    """Build a site with a library and all records."""
    with tempfile.TemporaryDirectory(prefix="tenure-") as name:
        root = Path(name)
        for path, text in (("content/profile.yaml", PROFILE), ("bib/papers.bib", library)):
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_bytes(text.encode())
        return build_site(root, options=BuildOptions(theme=theme), store=CacheStore())


def find_markup_and_errors(result: BuildResult) -> Iterator[str]:
    """
    Yield each error of a build, each invalid address, and each element and attribute that only a value can
    have made.
    """
    for problem in result.problems:
        if problem.level == "error":
            yield f"error {problem.code} {problem.place}: {problem.message}"
    for artifact in result.artifacts:
        if artifact.path.endswith(".html"):
            document = html5lib.parse(artifact.read().decode(), namespaceHTMLElements=False)
            for markup in find_injected_markup(document):
                is_address = markup.startswith("a href=") and not RUNS_CODE.match(markup)
                yield f"{'address' if is_address else 'markup'} {artifact.path}: {markup}"
            # an element that a value leaves open has <main> and <footer> in it, which are parts of <body>
            body = document.find("body")
            if body is None or not any(element.tag in ("footer", "main") for element in body):
                yield f"markup {artifact.path}: an element is not closed"


def main() -> int:
    """Build a library for each value, and print what is wrong."""
    theme = sys.argv[1] if len(sys.argv) > 1 else "plain"
    causes: Counter[str] = Counter()
    for number, value in enumerate(VALUES, 1):
        try:
            findings = [*find_markup_and_errors(build_library(make_library(value), theme))]
        except Exception as error:  # each exception is a finding
            findings = [f"exception {type(error).__name__}: {error}"]
        for finding in findings:
            print(f"{number} {value[:60]!r}: {finding[:200]}", flush=True)
            causes[finding.partition(" ")[0]] += 1
    print(f"{len(FIELDS)} fields, {len(VALUES)} values: {dict(causes) or 'nothing found'}")
    return 1 if causes else 0


if __name__ == "__main__":
    sys.exit(main())
