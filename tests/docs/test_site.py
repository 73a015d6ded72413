"""Tenure builds the documentation; every source that it shows builds, every command runs."""

import re
import sys
from pathlib import Path

import pytest
from code_blocks import CONTENT, PAGES, add_images, blocks_of, read_blocks, run_line
from conftest import ROOT, Built, Make, Patch, Sources
from reference_tables import MARKED, TYPES, update_page
from word_files import write_word_file

from tenure.build import build_site
from tenure.cache.store import CacheStore
from tenure.cli import questions
from tenure.model.entries import Entry
from tenure.sources.schema.spec import read_spec

BIB = (ROOT / "examples/systems-phd-2026/bib/papers.bib").read_text("utf-8")
ALL_PAGES = sorted(PAGES.glob("*.md"))
TESTED_ELSEWHERE = {
    "text": "test_text_page.py",
    "problems": "test_problem_codes.py; its blocks are what to write and what not to",
    "themes": "test_themes.py",
    "writing-a-theme": "test_themes.py",
    "start": "test_a_newcomer_follows_the_first_page",
    "going-live": "test_going_live.py",
    "how-do-i": "test_each_answer_works_alone",
}
"""Pages whose blocks have a test of their own, and its file."""

FOLLOWED = [page for page in ALL_PAGES if page.stem not in TESTED_ELSEWHERE]


def test_the_documentation_builds_without_a_problem() -> None:
    built = build_site(ROOT / "docs", store=CacheStore())
    assert [problem.message for problem in built.problems] == []
    assert built.site is not None
    ids = sorted(entry.id for entry in built.site.collections["pages"].entries)
    assert ids == [page.stem for page in ALL_PAGES]


def test_pages_have_the_paths_of_the_site() -> None:
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"decisions.md"}
    assert pages == set(), "the place of a page is docs/content/pages/"


def test_the_homepage_links_to_every_page() -> None:
    home = (ROOT / "docs/content/about.md").read_text("utf-8")
    assert sorted(re.findall(r"\]\(([\w-]+)\.md\)", home)) == [page.stem for page in ALL_PAGES]


@pytest.mark.parametrize(
    "page", [p for p in ALL_PAGES if MARKED.search(p.read_text("utf-8"))], ids=lambda p: p.stem
)
def test_generated_tables_are_up_to_date(page: Path, request: pytest.FixtureRequest) -> None:
    """`pytest tests/docs --update` writes it again."""
    expected = update_page(page)
    if request.config.getoption("--update"):
        page.write_text(expected, "utf-8")
    assert page.read_text("utf-8") == expected


def test_sources_is_short_and_has_one_line_for_each_key() -> None:
    text = (PAGES / "sources.md").read_text("utf-8")
    assert len(re.sub(r"<!--.*?-->", "", text).split()) <= 2600
    common = set(read_spec(Entry).fields)
    for _, name, lines, _ in MARKED.findall(text):
        kind = TYPES.get(name.removeprefix("fields_"))
        keys = [
            key for head in re.findall(r"^- (`.*?):", lines, re.M) for key in re.findall(r"`(\w+)`", head)
        ]
        if kind:
            expected = {field.name for field in read_spec(kind).fields.values() if not field.key.extra}
            known = common if issubclass(kind, Entry) and kind is not Entry else set()
            assert expected - known <= set(keys), name
            first = re.findall(r"^- `(\w+)`", lines, re.M)
            assert len(first) == len(set(first)), name


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: Patch) -> Path:
    """Return a home folder that has a site of another system."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "old-site").mkdir()
    (folder / "old-site/papers.bib").write_text(BIB, "utf-8")
    monkeypatch.setenv("HOME", str(folder))
    return folder


def list_mistakes(built: Built) -> list[str]:
    """Return the problems of a site; an example of `pages` names only the lists that it is about."""
    return [problem for problem in built.problems if "no page shows the list" not in problem]


@pytest.mark.parametrize("page", FOLLOWED, ids=lambda page: page.stem)
@pytest.mark.usefixtures("home")
def test_code_blocks_run(page: Path, site: Make, monkeypatch: Patch) -> None:
    """Run the blocks in order in one site: each file is written and the site builds without a problem, each command is called."""
    sources = site(CONTENT.format(bib=BIB))
    add_images(sources.root)
    (sources.root.parent / "cv.md").write_text("Ada Example", "utf-8")
    write_word_file(sources.root / "cv.docx", "Title> Ada Example\nHeading 1> Talks\nLamps, 2019")
    monkeypatch.chdir(sources.root)
    for block in read_blocks(page):
        if block.language == "sh":
            for line in block.text.splitlines():
                run_line(line, sources.root)
        elif block.language not in ("text", "python"):  # test_an_exporter_of_the_site_works runs the latter
            assert block.file or "yaml-language-server" in block.text, block.text[:40]
            name = block.file or "content/talks.yaml"
            assert list_mistakes(sources.edit_files(f"-- {name} --\n{block.source}").build()) == []


ANSWERS = re.split(r"^### ", (PAGES / "how-do-i.md").read_text("utf-8"), flags=re.MULTILINE)[1:]


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.partition("\n")[0])
def test_each_answer_works_alone(answer: str, site: Make) -> None:
    """A site with only the files of one answer builds without a problem."""
    answer_blocks = [block for block in blocks_of(answer) if block.language != "text"]
    sources = site(CONTENT.format(bib=BIB))
    add_images(sources.root)
    has_cv = "cvs:" in answer
    before = sources.build(pdf=has_cv)
    assert list_mistakes(before) == []
    for block in answer_blocks:
        assert block.file, f"a block names no file: {block.text[:40]}"
        sources.edit_files(f"-- {block.file} --\n{block.source}")
    after = sources.build(pdf=has_cv)
    assert list_mistakes(after) == []
    if answer_blocks:
        assert files_of(before) != files_of(after), "what an answer shows changes the site"
    else:
        assert len(answer.split()) > 15, "an answer without an example says what to do"


def files_of(built: Built) -> dict[str, bytes]:
    """Return the bytes of the files of a built site, by path."""
    return {artifact.path: artifact.read() for artifact in built.build.artifacts}


def test_a_newcomer_follows_the_first_page(tmp_path: Path, monkeypatch: Patch) -> None:
    """A person starts with an empty folder, follows only the page, and has a site."""
    answers = iter("|Ada Example|PhD student|University of Example||ada.example.edu||||n".split("|"))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    monkeypatch.setattr(questions, "query_git", lambda *_, **__: "")
    folder = tmp_path
    (tmp_path / "tenure").mkdir()
    for block in read_blocks(PAGES / "start.md"):
        if block.language == "sh":
            for line in block.text.splitlines():
                folder = run_line(line, folder)
        elif block.language != "text":  # what a command prints
            Sources(folder).edit_files(f"-- {block.file} --\n{block.source}")
            assert Sources(folder).build().problems == []
    assert folder.name == "site"
    html = (folder / "output/index.html").read_text("utf-8")
    for text in ("Ada Example", "University of Example", "Caching for Hybrid Models", "I build systems"):
        assert text in html
    assert (folder / "output/cv.pdf").is_file()
    table = (PAGES / "start.md").read_text("utf-8")
    names = {path.name for path in folder.iterdir()} - {".cache", "output", "content", "bib", ".github"}
    assert [name for name in names if f"`{name}" not in table] == []


def test_an_exporter_of_the_site_works(site: Make, monkeypatch: Patch) -> None:
    sources = site("-- content/talks.yaml --\n- One\n- Two\n")
    (block,) = (block for block in read_blocks(PAGES / "commands.md") if block.language == "python")
    monkeypatch.setattr(sys, "argv", ["build.py"])
    with pytest.raises(SystemExit) as end:
        exec(compile(block.text, "build.py", "exec"), {"SITE_FOLDER": sources.root})
    assert end.value.code == 0
    assert (sources.root / "output/talks.txt").read_text("utf-8") == "One\nTwo"
