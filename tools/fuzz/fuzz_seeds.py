"""The sources that the fuzzer mutates: those of the tests, and tokens of each language."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2] / "tests"


TOKENS: Mapping[str, Sequence[str]] = {
    "bibtex": (
        *(
            "@article{",
            "@string{",
            "@comment{",
            "@preamble{",
            "}",
            "{",
            '"',
            "#",
            "=",
            ",",
            "%",
            "\\",
            "$",
            "$$",
            "~",
            "--",
        ),
        *(
            " and ",
            "others",
            "et al.",
            "{\\'e}",
            "\\emph{",
            "\\href{",
            "\\url{",
            "\\frac{",
            "\\ensuremath{",
            "\\begin{x}",
        ),
        *(
            "crossref = {",
            "xdata = {",
            "author = {",
            "title = {",
            "month = ",
            "date = {",
            "doi = {10.",
            "note = {Publisher: ",
        ),
        *(
            "author+an = {1=me}",
            "<b>",
            "<i ",
            "&amp;",
            "family=",
            "1999/2001",
            "..",
            "arXiv:2405.01234 [cs]",
            "http://[x",
            "9" * 40,
        ),
    ),
    "yaml": (
        *(
            ": ",
            "- ",
            "? ",
            "|\n",
            ">-\n",
            "&a ",
            "*a",
            "<<: ",
            "!!",
            "[",
            "]",
            "{",
            "}",
            "'",
            '"',
            "#",
            "---\n",
            "...\n",
            "\t",
            "%",
        ),
        *(
            "name: ",
            "date: ",
            "links: ",
            "url: https://[",
            "id: ",
            "pages: ",
            "redirects: ",
            "publications: ",
            "details:\n  - ",
        ),
        *(
            "2024-13-40",
            "present",
            "null",
            "~",
            "1e400",
            "0x1F",
            "yes",
            "../..",
            "//",
            "javascript:",
            "@",
            "`",
            "{{ x }}",
            "9" * 40,
        ),
    ),
    "markdown": (
        *(
            "*",
            "**",
            "_",
            "`",
            "```\n",
            "~~~",
            "[",
            "](",
            "![",
            "[^",
            "]:",
            "<",
            "<div>",
            "</div>",
            "<!--",
            "-->",
            "$",
            "$$",
            "\\(",
        ),
        *(
            "> ",
            "- ",
            "1. ",
            "    ",
            "# ",
            "---\n",
            "===\n",
            "|",
            "|---|\n",
            ":::",
            "{: .x}",
            "{#a}",
            "[@a]",
            "@a",
            "&",
            "&#0;",
            "\\",
        ),
        *(
            "http://",
            "<a href=",
            "javascript:",
            "\n\n",
            "  \n",
            "[ ]",
            ":x:",
            "==",
            "^",
            "~~",
            "*[A]: ",
            "![x](a.svg)",
            "<details>",
        ),
    ),
    "importers": (
        *(
            "{{< ",
            " >}}",
            "{{% ",
            "{% ",
            " %}",
            "{{ ",
            " }}",
            "{: .x}",
            "::: ",
            "+++\n",
            "---\n",
            "```{r}\n",
            "#| ",
            "<script>",
            "<p hidden>",
        ),
        *(
            "title: ",
            "date: ",
            "authors: ",
            "sections:\n",
            "- block: ",
            "[",
            "](",
            "{",
            "}",
            '"',
            "'",
            ": ",
            "\n",
            "\\begin{",
            "&nbsp;",
        ),
    ),
}
"""Tokens of each language."""

LINK_TOKENS = (
    *("../", "/../", "../#a", "https://", "https://[", "https://[x].org/", "mailto:", "//", "slides.pdf"),
    *(
        "$\\href{",
        "!\\href{",
        "\\href{../x}{x}",
        "$\\href{zotero:x}{x}$",
        "[x](../)",
        "![](x)",
        "<https://[x>",
    ),
)
"""Links that are not finished, lead out of the site, or cannot be linked; each target uses them."""

TOKENS_OF_ALL = (
    *LINK_TOKENS,
    "\u2028",
    "\u0085",
    "\ufeff",
    "\0",
    "\u202e",
    "\u200b",
    "e\u0301",
    "王",
    "😀",
    "\r",
    "\x1b",
    "\ud800",
    "\n",
    " ",
    "",
)


PART = re.compile(r"^-- (\S+) --\n", re.MULTILINE)
"""-- content/about.md --, the line above the text of a file."""

PROFILE = "-- content/profile.yaml --\nname: Ada Example\naliases: [A. Example]\n"


def make_seeds(target: str) -> list[str]:
    """Return the sources of a target; each is a whole site in a text of parts "-- path --"."""
    if target == "importers":
        return _make_import_seeds()
    paths = {
        "bibtex": ("tests/cases/bibtex.txt", "tests/cases/publications.txt", "tests/cases/cvs.txt"),
        "markdown": ("tests/cases/texts.txt", "tests/cases/links.txt"),
        "front-matter": ("tests/cases/frontmatter.txt", "tests/cases/yaml.txt"),
    }.get(target, ())
    catalogue = paths or [f"tests/cases/{path.name}" for path in sorted((TESTS / "cases").glob("*.txt"))]
    seeds = [seed for name in catalogue for seed in _read_catalogue(TESTS.parent / name)]

    if target == "bibtex":
        torture = (TESTS / "machine/torture.txt").read_text(encoding="utf-8").partition("~~~~")[0]
        seeds += [f"-- bib/papers.bib --\n{torture}"]
        seeds += [f"-- bib/papers.bib --\n{entry}" for entry in _list_bib_entries()]
    if target == "markdown":
        pages = sorted((TESTS.parent / "docs/content/pages").glob("*.md"))
        pages += [path for path in sorted((TESTS / "values/markdown").glob("*")) if path.is_file()]
        seeds += [f"-- content/about.md --\n{path.read_text(encoding='utf-8')[:6000]}" for path in pages]

    seeds = [seed if "-- content/profile.yaml --" in seed else PROFILE + seed for seed in seeds]
    return [seed for seed in seeds if PART.match(seed)]


def _read_catalogue(path: Path) -> list[str]:
    """
    Return the sources of the cases in a file of tests/cases, without their titles and messages.

    "=== a title\n-- site.yaml --\ntheme: x\n~~~~\na message\n" -> "-- site.yaml --\ntheme: x\n".
    """
    # what stands before the first case says what the file is for
    _, *cases = re.split(r"^=== .*\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [case.partition("\n~~~~\n")[0] + "\n" for case in cases]


def _list_bib_entries() -> list[str]:
    """Return the entries in the tests of .bib files."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((TESTS / "values").glob("test_*bib*.py"))]
    return [entry for text in texts for entry in re.findall(r"@\w+\{[^\n]*\}", text)]


def _make_import_seeds() -> list[str]:
    """Return the old sites in the tests of importers."""
    paths = sorted((TESTS / "import/sites").glob("*.txt"))
    return [path.read_text(encoding="utf-8") for path in paths if ".golden" not in path.name]
