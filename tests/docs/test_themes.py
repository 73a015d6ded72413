"""Every file of docs/content/pages/themes.md and writing-a-theme.md builds, every command runs, and every name exists."""

import contextlib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT, Built, Capture, Make, Sources
from reference_tables import BASE

from tenure.cli.app import main
from tenure.html import template_errors
from tenure.html.filters import ROLE_ELEMENTS
from tenure.html.theme import JINJA_FILTERS, load_theme
from tenure.model.site import Site
from tenure.plan.pages import MenuItem, Page, plan_pages
from tenure.plan.sections import Listing, ListItem, Section
from tenure.problems import Problems
from tenure.record import Record, field_names

THEMES, WRITING = ROOT / "docs/content/pages/themes.md", ROOT / "docs/content/pages/writing-a-theme.md"
TEXT = WRITING.read_text("utf-8")
SENTENCES = " ".join(TEXT.split())
CONTENT = (
    "-- bib/papers.bib --\n@article{x, title={One}, author={Example, Ada}, journal={J}, year=2024}\n"
    "-- content/awards.yaml --\n- title: Prize\n-- content/talks.yaml --\n- event: Seminar\n"
)


def follow_page(page: Path, sources: Sources, capsys: Capture) -> Iterator[tuple[str, Built]]:
    """Run the blocks of a page: write a file or call a command, and build; yield each language and build."""
    for language, block in re.findall(r"(?ms)^```(\w+)\n(.*?)^```$", page.read_text("utf-8")):
        if language == "sh":
            for line in block.splitlines():
                python, program, *arguments = shlex.split(line)
                assert (python, program) == ("python3", "build.py"), line
                with contextlib.chdir(sources.root):
                    assert main(arguments) == 0, line
                output = capsys.readouterr()
                assert output.err == "", line
                yield output.out, sources.build()
        else:
            path = re.match(r"(?:# |// |\{#- |/\* )(\S+)(?: -#\}| \*/)?\n", block)
            assert path, f"a block does not name its file: {block[:40]}"
            built = sources.edit_files(f"-- {path[1]} --\n{block}").build()
            assert built.problems == [], block
            yield block, built


def test_a_theme_from_nothing_step_by_step(site: Make, capsys: Capture) -> None:
    steps = [*follow_page(WRITING, site(CONTENT), capsys)]
    assert len(steps) >= 15
    printed = "".join(out for out, _ in steps)
    assert "* mine " in printed
    built = steps[-1][1]
    home = built.read_page("/")
    assert 'data-lines="close"' in home
    sheets = re.findall(r"assets/([\w.]+)\.\w{10}\.css", home)
    assert [sheet.partition(".")[0] for sheet in sheets] == ["style", "mine"]
    assert "Come in. Ada Example" in built.read_words("/")
    assert ">Welcome</a>" in built.read_page("/talks/")
    assert {"publications/index.html", "publications/x/index.html", "cv/index.html"} <= set(built.paths)


def test_overriding_one_part_step_by_step(site: Make, capsys: Capture) -> None:
    steps = [*follow_page(THEMES, site(CONTENT), capsys)]
    pages = {block: built.read_page("/talks/") for block, built in steps}
    assert any('rel="me" href="https://social' in page for page in pages.values())
    last = steps[-1][1]
    assert "Slides on request. Seminar" in last.read_words("/talks/")
    assert len(re.findall(r"assets/style\.\w{10}\.css", last.read_page("/"))) == 2
    assert "<style>" in last.read_page("/")
    copied = Path(last.site.active_theme.folders[0], "parts/awards.html").read_text("utf-8")
    assert "A copy of base/parts/awards.html" in copied


def read_cells(heading: str) -> dict[str, str]:
    """Return the rows of the table below a heading, from the first cell to the second."""
    table = re.search(rf"^\| {heading} \|.*?\n\|[-|]+\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
    assert table, heading
    return dict(re.findall(r"^\| (.*?) \| (.*?) \|$", table[1], re.MULTILINE))


def find_code_words(text: str) -> set[str]:
    return set(re.findall(r"`([\w-]+)`", text))


def list_attributes(cls: type) -> set[str]:
    assert issubclass(cls, Record)
    properties = {name for name in dir(cls) if isinstance(getattr(cls, name), property)}
    return {*field_names(cls)} | properties


def test_the_names_are_those_available_in_templates(site: Make) -> None:
    names = [name.strip("`") for name in read_cells("name")]
    assert names == list(template_errors.TEMPLATE_GLOBALS)
    loaded_site = site("").build().site
    environment = load_theme(loaded_site, plan_pages(loaded_site, Problems()), ROOT / ".cache").environment
    assert {*environment.globals, "page"} == set(names)


@pytest.mark.parametrize(
    ("cls", "text"),
    [
        (Site, read_cells("name")["`site`"]),
        (Page, read_cells("name")["`page`"]),
        (MenuItem, read_cells("name")["`menu`"]),
        (Section, SENTENCES.partition("A section of `page.sections` has ")[2].partition(". A listing ")[0]),
        (Listing, SENTENCES.partition(". A listing has ")[2].partition(".")[0]),
        (ListItem, SENTENCES.partition(". An item has ")[2].partition(".")[0]),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_fields_are_those_of_the_program(cls: type, text: str) -> None:
    assert find_code_words(text) == list_attributes(cls)


def test_filters_are_those_of_the_program(site: Make) -> None:
    documented = {name.strip("`") for name in read_cells("filter")}
    loaded_site = site("").build().site
    theme = load_theme(loaded_site, plan_pages(loaded_site, Problems()), ROOT / ".cache")
    assert documented == set(theme.environment.filters) - set(JINJA_FILTERS)


def list_css_classes() -> set[str]:
    """Return every class in the templates of base, literal or as a text in an expression, and the classes of phrases."""
    result = {name for _, css_class in ROLE_ELEMENTS.values() for name in css_class.split()}
    for path in BASE.rglob("*.html"):
        text = path.read_text("utf-8")
        for value in re.findall(r'(?<!\' )(?<!\')class(?:es)?="((?:[^"{]|\{\{.*?\}\}|\{%.*?%\})*)"', text):
            compared = re.sub(r"""(?:==|\bin|startswith) *\(?"[^"]*"(?:, *"[^"]*")*\)?""", "", value)
            literal_names = re.sub(
                r"\{[{%](.*?)[}%]\}", lambda m: " ".join(re.findall(r'"([^"]*)"', m[1])), compared
            )
            result |= {name for name in literal_names.split() if not name.endswith("-")}
    return result


def test_classes_are_those_of_the_templates() -> None:
    documented = set[str]().union(*(find_code_words(value) for value in read_cells("on").values()))
    assert documented == list_css_classes()
