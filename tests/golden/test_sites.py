"""Sites in other languages: the text of every page, and the attributes that name languages and directions."""

import re
from collections.abc import Iterator
from pathlib import Path

import html5lib
import pytest
from conftest import Built, Make, visible_text
from golden import outline_page

HERE = Path(__file__).parent
RULE = "\n~~~~\n"
FILES = sorted(HERE.glob("*.txt"))


def read_site_sources(path: Path) -> str:
    text = path.read_text("utf-8").split(RULE)[0]
    return text[text.index("-- ") :] + "\n"


def list_language_marks(page: str) -> Iterator[str]:
    """Yield every element with an attribute for its language or direction, with its first words."""
    for tag, attributes, words in re.findall(
        r"<(\w+)((?:\s[^<>]*)?\s(?:lang|dir)=[^<>]*)>(?=(.*?)</?\1\b)", page, re.DOTALL
    ):
        text = " ".join(re.findall(r'(?:lang|dir)="[\w-]*"', attributes))
        if tag not in ("html", "input"):
            yield f"<{tag} {text}> {' '.join(visible_text(f'<body>{words}').split()[:4])}"


def format_pages(built: Built) -> str:
    """Return the text of every page, and the elements with another language or direction."""
    parts = []
    for path in built.paths:
        if path.endswith(".html"):
            page = built.read_page(f"/{path}")
            (language,) = re.findall(r"<html( [^>]*)>", page)
            marks = "".join(f"  {line}\n" for line in list_language_marks(page))
            with_menu = path.endswith(("de/index.html", "ar/index.html", "lehre/index.html"))
            shown = (
                outline_page("index.html" if with_menu else path, page)
                if "hreflang" in page
                else f"{visible_text(page)}\n"
            )
            parts.append(f"## {path}{language}\n{shown}{marks}")
    return "\n".join(parts)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_site_is_in_its_language(path: Path, site: Make, request: pytest.FixtureRequest) -> None:
    built = site(read_site_sources(path)).build()
    assert built.problems == []
    actual = format_pages(built)
    if request.config.getoption("--update"):
        path.write_text(path.read_text("utf-8").split(RULE)[0] + RULE + actual, "utf-8")
        return
    assert actual == path.read_text("utf-8").split(RULE)[1]


@pytest.mark.parametrize("theme", ["base", "classic", "folio", "plain"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_html_is_valid(path: Path, theme: str, site: Make) -> None:
    built = site(read_site_sources(path)).build(theme=theme)
    for name in built.paths:
        if name.endswith(".html"):
            parser = html5lib.HTMLParser(strict=False)
            parser.parse(built.read_page(f"/{name}"))
            assert [(position, code) for position, code, _ in parser.errors] == [], name
