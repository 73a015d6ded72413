"""While the sources have errors, the preview shows the current state of everything that is valid."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from build_loop import BuildLoop
from conftest import Sources, write_files
from preview_process import start_preview

from tenure.cli.app import main

SITE = """-- site.yaml --
url: https://example.edu/~ada/
-- content/profile.yaml --
name: Ada Example
-- content/about.md --
The first words.
-- content/talks.yaml --
- {title: A first talk, date: 2024}
- {title: A second talk, date: 2023}
-- content/posts/first.md --
---
title: A first post
date: 2024
---
The text of the post.
-- bib/papers.bib --
@misc{one, title = {A first paper}, author = {Example, Ada}, year = 2024}
-- content/publications.yaml --
- {key: one, award: Best Paper}
"""
HOME, TALKS, POST, PAPER = (
    "index.html",
    "talks/index.html",
    "posts/first/index.html",
    "publications/one/index.html",
)


@pytest.fixture
def build_loop(tmp_path: Path) -> Iterator[BuildLoop]:
    write_files(tmp_path, SITE)
    yield (build_loop := BuildLoop(tmp_path))
    # After each test the sources are repaired; the preview must then be the same as a first build.
    write_files(tmp_path, SITE)
    shutil.rmtree(tmp_path / "themes", ignore_errors=True)
    build_loop.preview.add_changes([str(tmp_path / "content")])
    build_loop.preview.rebuild()
    assert build_loop.preview.report.local_data["errors"] is None
    assert read_bodies(build_loop) == read_bodies(BuildLoop(tmp_path))


def read_bodies(build_loop: BuildLoop) -> dict[str, bytes]:
    return {path: artifact.read() for path, artifact in build_loop.preview.snapshot.files.items()}


def edit_and_build(build_loop: BuildLoop, name: str, old: str, new: str) -> None:
    """Edit a source, and build."""
    build_loop.replace_text(name, old, new)
    build_loop.preview.rebuild()


def read_error_heading(build_loop: BuildLoop) -> str:
    errors = build_loop.preview.report.local_data["errors"]
    assert isinstance(errors, dict)
    return str(errors["heading"])


SHOWS_THE_REST = "1 error: the site cannot be published; the preview shows the rest"


def test_an_entry_with_a_wrong_value_is_shown_without_the_value(
    build_loop: BuildLoop,
) -> None:
    edit_and_build(build_loop, "content/talks.yaml", "date: 2024", "date: soon, event: A meeting")
    assert read_error_heading(build_loop) == SHOWS_THE_REST
    assert "A meeting" in build_loop.read_page(TALKS)
    assert "A second talk" in build_loop.read_page(TALKS)
    assert "2024" not in build_loop.read_page(TALKS).partition("<main")[2]
    assert build_loop.printed[-1].startswith("content/talks.yaml: ")
    assert " ms, " in build_loop.printed[-1]


def test_an_entry_that_cannot_be_decoded_is_omitted(build_loop: BuildLoop) -> None:
    edit_and_build(build_loop, "content/publications.yaml", "- {", "- {award: Second Prize}\n- {")
    assert read_error_heading(build_loop) == SHOWS_THE_REST
    assert "Best Paper" in build_loop.read_page(PAPER)


def test_other_edits_are_shown_while_an_error_remains(build_loop: BuildLoop) -> None:
    edit_and_build(build_loop, "content/talks.yaml", "title: A first", "tilte: A first")
    before = build_loop.preview.snapshot.number
    edit_and_build(build_loop, "content/about.md", "first", "second")
    assert read_error_heading(build_loop) == SHOWS_THE_REST
    assert "The second words." in build_loop.read_page(HOME)
    assert build_loop.preview.snapshot.number > before
    edit_and_build(build_loop, "content/talks.yaml", "tilte: A first", "title: A third")
    assert build_loop.preview.report.local_data["errors"] is None
    assert "A third talk" in build_loop.read_page(TALKS)
    assert "The second words." in build_loop.read_page(HOME)


def test_a_broken_link_is_an_error_and_its_text_is_shown(build_loop: BuildLoop) -> None:
    edit_and_build(build_loop, "content/about.md", "The first words.", "See [my music](/music/).")
    assert read_error_heading(build_loop) == SHOWS_THE_REST
    assert "content/about.md:1:" in str(build_loop.preview.report.local_data["errors"])
    assert "/music/" in str(build_loop.preview.report.local_data["errors"])
    assert "my music" in build_loop.read_page(HOME)


UNREADABLE = [
    ("content/talks.yaml", "- {title: A first", "- {title: [A first", TALKS, "A second talk"),
    (
        "content/talks.yaml",
        "- {title: A second talk",
        "<<<<<<< a\n=======\n>>>>>>> b\n- {a",
        TALKS,
        "A second talk",
    ),
    ("content/posts/first.md", "title: A first post", "title: [A first post", POST, "The text of the post."),
    ("content/about.md", "The first words.", "---\ntitle: [\n---\nOther words.", HOME, "The first words."),
    ("content/profile.yaml", "name: Ada", "nam: Ada", HOME, "Ada Example"),
    ("site.yaml", "url: https", "url: [https", HOME, "Ada Example"),
]
"""A file, the text to replace, its replacement, and a page with the text that must stay."""


@pytest.mark.parametrize("case", UNREADABLE, ids=[f"{name} {new[:7]}" for name, _, new, *_ in UNREADABLE])
def test_an_unreadable_file_keeps_its_last_readable_content(
    build_loop: BuildLoop, case: tuple[str, str, str, str, str]
) -> None:
    name, old, new, page, text = case
    before = build_loop.preview.snapshot.base_path, set(build_loop.preview.snapshot.files)
    edit_and_build(build_loop, name, old, new)
    assert "the preview shows the rest" in read_error_heading(build_loop)
    assert text in build_loop.read_page(page)
    assert (build_loop.preview.snapshot.base_path, set(build_loop.preview.snapshot.files)) == before
    write_files(build_loop.root, "-- content/news.yaml --\n- {date: 2024, text: Other news}\n")
    build_loop.preview.add_changes([str(build_loop.root / "content/news.yaml")])
    build_loop.preview.rebuild()
    assert text in build_loop.read_page(page)
    assert "Other news" in build_loop.read_page(HOME)
    (build_loop.root / "content/news.yaml").unlink()


def test_the_base_path_is_unchanged_while_the_url_is_wrong(build_loop: BuildLoop) -> None:
    edit_and_build(build_loop, "site.yaml", "https:", "ftp:")
    assert read_error_heading(build_loop) == SHOWS_THE_REST
    assert build_loop.preview.snapshot.base_path == "/~ada"


def test_a_template_error_keeps_the_last_version(build_loop: BuildLoop) -> None:
    write_files(build_loop.root, "-- themes/classic/parts/talks.html --\n{% macro rows(part, listing, level) %}{{ x }}{% endmacro %}\n")  # fmt: skip
    edit_and_build(build_loop, "content/about.md", "first", "second")
    assert (
        read_error_heading(build_loop)
        == "1 error: the site cannot be built; the preview shows the last version"
    )
    assert "The first words." in build_loop.read_page(HOME)
    assert "A first talk" in build_loop.read_page(TALKS)
    assert build_loop.printed[-1].startswith("content/about.md: not built, ")


@pytest.mark.parametrize("name", ["site.yaml", "content/profile.yaml"])
def test_a_site_that_was_never_readable_shows_only_the_errors(tmp_path: Path, name: str) -> None:
    write_files(tmp_path, SITE)
    (tmp_path / name).write_text("- [\n")
    build_loop = BuildLoop(tmp_path)
    assert read_error_heading(build_loop) == "1 error: the site cannot be built"
    assert not build_loop.preview.snapshot.files
    write_files(tmp_path, SITE)
    build_loop.preview.add_changes([str(tmp_path / name)])
    build_loop.preview.rebuild()
    assert read_bodies(build_loop) == read_bodies(BuildLoop(tmp_path))


def test_build_and_check_report_the_error_and_write_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, SITE)
    talks = tmp_path / "content/talks.yaml"
    talks.write_text(talks.read_text().replace("date: 2024", "date: soon"))
    for command in ("build", "check"):
        assert main([command, "--site", str(tmp_path)]) == 1
        assert "content/talks.yaml:1:31: error:" in capsys.readouterr().err
    assert not (tmp_path / "output").exists()
    talks.write_text("- {title: [\n")
    collections = Sources(tmp_path).build().build.site
    assert collections is not None
    assert "talks" not in collections.collections, "only the preview shows the last version"


def test_b15_build_and_check_report_the_same_warnings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, SITE)
    (tmp_path / "bib/more.bib").write_text(
        "@misc{two, title = {A second paper}, year = {soon}, url = {files/x.pdf}, note = {See \\cite{none}}}\n"
    )
    reports = []
    for command in ("build", "check"):
        assert main([command, "--site", str(tmp_path)]) == 0
        reports.append([line for line in capsys.readouterr().err.splitlines() if ": warning: " in line])
    assert len(reports[0]) == 3
    assert reports[0] == reports[1]


def test_the_server_serves_the_readable_part_of_a_site_with_errors(tmp_path: Path) -> None:
    write_files(tmp_path, SITE)
    (tmp_path / "content/talks.yaml").write_text(
        "- {tilte: Mistyped, date: 2021}\n- {title: A good talk, date: 2022}\n"
    )
    with start_preview(tmp_path) as preview:
        assert preview.send_request("/~ada/")[0] == 200
        status, _, body = preview.send_request("/~ada/talks/")
        assert (status, b"A good talk" in body, b"Mistyped" in body) == (200, True, False)
        facts = body.decode().split('data-preview="')[1].split('"')[0].replace("&quot;", '"')
        started = len(preview.printed)
        (tmp_path / "content/about.md").write_text("Other words.")
        assert " ms, 1 error" in preview.wait_for_line("content/about.md: ", started)
        assert b"Other words." in preview.send_request("/~ada/")[2]
        assert json.loads(facts)["build"] > 0
