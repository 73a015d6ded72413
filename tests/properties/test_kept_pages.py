"""After an edit of any field, a build that keeps pages of publications equals a clean build; and what is kept, and where."""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from conftest import Make, read_artifacts, run_process, split_files, write_files
from matrix import read_sources

from tenure.build import BuildResult, PageRenderer, build_site
from tenure.cache.store import CacheStore
from tenure.plan.pages import Page
from tenure.problems import format_problem
from tenure.site_folder import BuildOptions

SOURCES = read_sources("every-field/sources.txt")
FILES = split_files(SOURCES)
EDITED_FILES = [name for name in FILES if name.endswith((".yaml", ".bib", ".md"))]

VALUE = re.compile(
    r"""
    (?: (?P<key> [\w-]+) \s* [:=] \s* | ^(?=[A-Z]) )        # role: | year = | a line of a text
    [\[{("-]* \s*
    (?P<value> [^\s,\[\]{}"=:@-] [^,\[\]{}"=:\n]* )
    """,
    re.VERBOSE | re.MULTILINE,
)
"""The first value of a field: "Lamp" of `title: Lamp`, of `title: [Lamp, Rig]` and of `title = {Lamp}`."""


def list_edits(text: str) -> Iterator[str]:
    """The texts in which a field has another value, each field once: "year = {2014}" -> "year = {2015}"."""
    matches = {match["key"]: match for match in VALUE.finditer(text)}
    for match in matches.values():
        value = match["value"].rstrip()
        end = match.start("value") + len(value)
        if value in ("true", "false"):
            yield f"{text[: match.start('value')]}{'false' if value == 'true' else 'true'}{text[end:]}"
        elif value[-1].isdigit():
            yield f"{text[: end - 1]}{(int(value[-1]) + 1) % 10}{text[end:]}"
        else:
            yield f"{text[:end]}x{text[end:]}"


def build_with_pages(root: Path, store: CacheStore) -> BuildResult:
    return build_site(root, options=BuildOptions(keeps_pages=True), store=store, make_cvs=lambda *_: ())


def test_the_edits_are_enough() -> None:
    edits = [edit for name in EDITED_FILES for edit in list_edits(FILES[name])]
    assert len(edits) >= 300


@pytest.mark.scheduled
@pytest.mark.parametrize("name", EDITED_FILES)
def test_a_page_reads_nothing_that_its_key_does_not_have(name: str, tmp_path: Path) -> None:
    write_files(tmp_path, SOURCES)
    store = CacheStore(tmp_path / ".cache")
    build_with_pages(tmp_path, store)
    for text in [*list_edits(FILES[name]), f"\n{FILES[name]}"]:
        (tmp_path / name).write_text(text, "utf-8")
        kept = build_with_pages(tmp_path, store)
        clean = build_site(tmp_path, store=CacheStore(), make_cvs=lambda *_: ())
        assert read_artifacts(kept) == read_artifacts(clean)
        assert [*map(format_problem, kept.problems)] == [*map(format_problem, clean.problems)]
        assert [a.source for a in kept.artifacts] == [a.source for a in clean.artifacts]


PAPERS = "-- bib/papers.bib --\n" + "".join(
    f"@article{{p{n}, title = {{Lamp {n}}}, author = {{Example, Ada}}, year = {{{2000 + n}}}}}\n"
    for n in range(20)
)


def run_build(root: Path, **variables: str) -> dict[str, int]:
    """Build a site in a process of its own; return the files of kept pages with their sizes."""
    inherited = {name: value for name, value in os.environ.items() if name != "CI"}
    command = (sys.executable, "-m", "tenure", "build")
    run_process(*command, folder=root, variables=inherited | variables)
    return {path.name: path.stat().st_size for path in (root / ".cache").glob("pages-*")}


def test_an_edit_renders_what_changed(site: Make) -> None:
    root = site(PAPERS).root
    write_files(root, "-- .cache/pages-0 --\nof another version\n")
    ((name, size),) = run_build(root).items()
    papers = root / "bib/papers.bib"
    papers.write_text("\n" + papers.read_text("utf-8").replace("Lamp 7", "Candle"), "utf-8")
    assert size < run_build(root)[name] < 1.4 * size


def test_ci_and_a_site_with_own_templates_keep_nothing(site: Make) -> None:
    root = site(PAPERS).root
    assert run_build(root, CI="true") == {}
    write_files(root, "-- themes/classic/parts/venues.html --\n{% set tagged = false %}\n")
    assert run_build(root) == {}


def test_a_kept_page_that_is_shown_first_has_its_style_sheet(site: Make) -> None:
    root = site(PAPERS).root
    build_with_pages(root, CacheStore(root / ".cache"))
    shown: list[str] = []

    def show_first(pages: Sequence[Page], render_page: PageRenderer) -> None:
        paper = next(page for page in pages if page.kind == "publication")
        shown.extend(artifact.path for artifact in render_page(paper))

    store = CacheStore(root / ".cache")
    build_site(root, options=BuildOptions(keeps_pages=True), store=store, on_plan=show_first)
    assert any(path.endswith(".css") for path in shown)
