"""While the sources have errors, the preview shows the current state of everything that can be shown."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Sources, write
from desk import Desk
from running import running

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
def desk(tmp_path: Path) -> Iterator[Desk]:
    write(tmp_path, SITE)
    yield (desk := Desk(tmp_path))
    # Whatever the test did: repaired sources give what a first build of them gives.
    write(tmp_path, SITE)
    shutil.rmtree(tmp_path / "themes", ignore_errors=True)
    desk.preview.add_changes([str(tmp_path / "content")])
    desk.preview.rebuild()
    assert desk.preview.report.local_data["errors"] is None
    assert bodies(desk) == bodies(Desk(tmp_path))


def bodies(desk: Desk) -> dict[str, bytes]:
    return {path: artifact.read() for path, artifact in desk.preview.snapshot.files.items()}


def edit(desk: Desk, name: str, old: str, new: str) -> None:
    """Edit a source, and build."""
    desk.edit(name, old, new)
    desk.preview.rebuild()


def heading(desk: Desk) -> str:
    errors = desk.preview.report.local_data["errors"]
    assert isinstance(errors, dict)
    return str(errors["heading"])


SHOWS_THE_REST = "1 error: the site cannot be published; the preview shows the rest"


def test_an_entry_with_a_wrong_value_is_shown_without_it_and_the_others_as_they_are(desk: Desk) -> None:
    edit(desk, "content/talks.yaml", "date: 2024", "date: soon, event: A meeting")
    assert heading(desk) == SHOWS_THE_REST
    assert "A meeting" in desk.served(TALKS)
    assert "A second talk" in desk.served(TALKS)
    assert "2024" not in desk.served(TALKS).partition("<main")[2]
    assert desk.said[-1].startswith("content/talks.yaml: ")
    assert " ms, " in desk.said[-1]


def test_an_entry_that_cannot_be_made_is_left_out(desk: Desk) -> None:
    edit(desk, "content/publications.yaml", "- {", "- {award: Second Prize}\n- {")
    assert heading(desk) == SHOWS_THE_REST
    assert "Best Paper" in desk.served(PAPER)


def test_an_edit_elsewhere_is_shown_while_the_error_is_still_there(desk: Desk) -> None:
    edit(desk, "content/talks.yaml", "title: A first", "titel: A first")
    before = desk.preview.snapshot.number
    edit(desk, "content/about.md", "first", "second")
    assert heading(desk) == SHOWS_THE_REST
    assert "The second words." in desk.served(HOME)
    assert desk.preview.snapshot.number > before
    edit(desk, "content/talks.yaml", "titel: A first", "title: A third")
    assert desk.preview.report.local_data["errors"] is None
    assert "A third talk" in desk.served(TALKS)
    assert "The second words." in desk.served(HOME)


def test_a_broken_link_is_an_error_and_its_text_is_shown(desk: Desk) -> None:
    edit(desk, "content/about.md", "The first words.", "See [my music](/music/).")
    assert heading(desk) == SHOWS_THE_REST
    assert "content/about.md:1:" in str(desk.preview.report.local_data["errors"])
    assert "/music/" in str(desk.preview.report.local_data["errors"])
    assert "my music" in desk.served(HOME)


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
"""A file, what is replaced in it by what, and a page with the words that stay."""


@pytest.mark.parametrize("case", UNREADABLE, ids=[f"{name} {new[:7]}" for name, _, new, *_ in UNREADABLE])
def test_a_file_that_cannot_be_read_is_shown_as_it_last_was(
    desk: Desk, case: tuple[str, str, str, str, str]
) -> None:
    name, old, new, page, words = case
    before = desk.preview.snapshot.base_path, set(desk.preview.snapshot.files)
    edit(desk, name, old, new)
    assert "the preview shows the rest" in heading(desk)
    assert words in desk.served(page)
    assert (desk.preview.snapshot.base_path, set(desk.preview.snapshot.files)) == before
    write(desk.root, "-- content/news.yaml --\n- {date: 2024, text: Other news}\n")
    desk.preview.add_changes([str(desk.root / "content/news.yaml")])
    desk.preview.rebuild()
    assert words in desk.served(page)
    assert "Other news" in desk.served(HOME)
    (desk.root / "content/news.yaml").unlink()


def test_the_path_of_the_site_stays_while_its_url_is_wrong(desk: Desk) -> None:
    edit(desk, "site.yaml", "https:", "ftp:")
    assert heading(desk) == SHOWS_THE_REST
    assert desk.preview.snapshot.base_path == "/~ada"


def test_with_an_error_in_a_template_the_last_version_stays(desk: Desk) -> None:
    write(desk.root, "-- themes/classic/parts/talks.html --\n{% macro rows(part, listing, level) %}{{ x }}{% endmacro %}\n")  # fmt: skip
    edit(desk, "content/about.md", "first", "second")
    assert heading(desk) == "1 error: the site cannot be built; the preview shows the last version"
    assert "The first words." in desk.served(HOME)
    assert "A first talk" in desk.served(TALKS)
    assert desk.said[-1].startswith("content/about.md: not built, ")


@pytest.mark.parametrize("name", ["site.yaml", "content/profile.yaml"])
def test_a_site_that_never_could_be_read_has_only_the_list_of_errors(tmp_path: Path, name: str) -> None:
    write(tmp_path, SITE)
    (tmp_path / name).write_text("- [\n")
    desk = Desk(tmp_path)
    assert heading(desk) == "1 error: the site cannot be built"
    assert not desk.preview.snapshot.files
    write(tmp_path, SITE)
    desk.preview.add_changes([str(tmp_path / name)])
    desk.preview.rebuild()
    assert bodies(desk) == bodies(Desk(tmp_path))


def test_build_and_check_report_the_error_and_write_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, SITE)
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


def test_the_server_answers_with_the_rest_of_a_site_that_begins_with_an_error(tmp_path: Path) -> None:
    write(tmp_path, SITE)
    (tmp_path / "content/talks.yaml").write_text(
        "- {titel: Mistyped, date: 2021}\n- {title: A good talk, date: 2022}\n"
    )
    with running(tmp_path) as preview:
        assert preview.ask("/~ada/")[0] == 200
        status, _, body = preview.ask("/~ada/talks/")
        assert (status, b"A good talk" in body, b"Mistyped" in body) == (200, True, False)
        facts = body.decode().split('data-preview="')[1].split('"')[0].replace("&quot;", '"')
        begun = len(preview.said)
        (tmp_path / "content/about.md").write_text("Other words.")
        assert " ms, 1 error" in preview.until("content/about.md: ", begun)
        assert b"Other words." in preview.ask("/~ada/")[2]
        assert json.loads(facts)["build"] > 0
