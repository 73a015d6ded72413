"""Pages in sight come before the others, and a build that is not worth finishing is given up."""

import itertools
from pathlib import Path

import pytest
from conftest import write
from desk import Desk

SITE = """-- content/profile.yaml --
name: Ada Example
-- content/about.md --
The first words.
-- content/talks.yaml --
- {title: A first talk, date: 2024}
-- bib/papers.bib --
@misc{one, title = {A first paper}, author = {Example, Ada}, year = 2024, abstract = {An abstract.}}
"""
TALKS, HOME, PAPER = "talks/index.html", "index.html", "publications/one/index.html"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    write(tmp_path, SITE)
    return Desk(tmp_path)


def test_a_page_in_sight_is_served_before_the_others_are_made(desk: Desk) -> None:
    desk.preview.record_request(TALKS)
    seen: list[tuple[bool, bool]] = []
    desk.meanwhile = itertools.repeat(
        lambda: seen.append(
            ("A new talk" in desk.served(TALKS), "A new talk" in desk.served("cv/index.html"))
        )
    )
    desk.edit("content/talks.yaml", "A first talk", "A new talk")
    desk.preview.rebuild()
    assert seen == [(True, False), (True, True)]
    assert desk.told[0]["files"] == (TALKS,)
    last = desk.told[1]["files"]
    assert isinstance(last, tuple)
    assert "cv/index.html" in last
    assert TALKS not in last
    assert len({message["build"] for message in desk.told}) == 2


def test_a_page_that_nobody_looks_at_comes_with_all_others(desk: Desk) -> None:
    desk.edit("content/talks.yaml", "A first talk", "A new talk")
    desk.preview.rebuild()
    assert len(desk.told) == 1
    assert "A new talk" in desk.served(TALKS)


def test_a_build_is_given_up_where_a_source_changes_again_and_no_edit_is_lost(desk: Desk) -> None:
    desk.preview.record_request(TALKS)
    desk.meanwhile = iter([lambda: desk.edit("content/about.md", "first", "second")])
    desk.edit("content/talks.yaml", "A first talk", "A new talk")
    desk.preview.rebuild()
    assert "A new talk" in desk.served(TALKS)
    assert "The first words." in desk.served(HOME)
    assert desk.said == []
    desk.preview.rebuild()
    assert "The second words." in desk.served(HOME)
    assert "A new talk" in desk.served("cv/index.html")
    assert [line.split(":")[0] for line in desk.said] == ["content/about.md, content/talks.yaml"]


def test_a_build_is_given_up_in_the_middle_of_its_files(desk: Desk) -> None:
    desk.beside = iter([lambda: desk.edit("content/about.md", "first", "second")])
    desk.edit("content/talks.yaml", "A first talk", "A new talk")
    desk.preview.rebuild()
    assert (desk.told, desk.said) == ([], [])
    desk.preview.rebuild()
    assert len(desk.told) == 1
    assert "The second words." in desk.served(HOME)
    assert "A new talk" in desk.served(TALKS)


def test_a_page_in_sight_is_served_ahead_also_with_errors(desk: Desk) -> None:
    desk.preview.record_request(TALKS)
    desk.edit("content/talks.yaml", "- {", "- {titel: A typing error, date: 2023}\n- {event: A meeting, ")
    desk.preview.rebuild()
    assert desk.told[0]["files"] == (TALKS,)
    assert 'unknown key "titel"' in str(desk.preview.report.local_data["errors"])
    assert "A meeting" in desk.served(TALKS)
    desk.edit("content/talks.yaml", "titel", "title")
    desk.preview.rebuild()
    assert desk.preview.report.local_data["errors"] is None
    assert "A typing error" in desk.served(TALKS)


def test_no_page_is_served_ahead_whose_template_has_an_error(desk: Desk) -> None:
    desk.preview.record_request(TALKS)
    write(
        desk.root,
        "-- themes/classic/parts/talks.html --\n{% macro rows(part, listing, level) %}{{ site.titel }}{% endmacro %}\n",
    )
    desk.preview.add_changes([str(desk.root / "themes/classic/parts/talks.html")])
    desk.preview.rebuild()
    assert [message["files"] for message in desk.told] == [()]
    assert "A first talk" in desk.served(TALKS)


def test_a_draft_is_named_with_the_page_that_is_served_ahead(desk: Desk) -> None:
    desk.preview.record_request(TALKS)
    drafts: list[object] = []
    desk.meanwhile = itertools.repeat(lambda: drafts.append(desk.preview.snapshot.drafts.get(TALKS)))
    desk.edit("content/talks.yaml", "2024", "2024, draft: true")
    desk.preview.rebuild()
    assert drafts == [("A first talk",), ("A first talk",)]
    desk.edit("content/talks.yaml", ", draft: true", "")
    desk.preview.rebuild()
    assert drafts[2] == ()


def test_what_is_edited_is_followed_to_also_where_builds_were_given_up(tmp_path: Path) -> None:
    write(tmp_path, SITE)
    desk = Desk(tmp_path, follow=True)
    desk.preview.record_request(PAPER)
    desk.meanwhile = iter([lambda: desk.edit("bib/papers.bib", "An abstract", "Another abstract")])
    desk.edit("bib/papers.bib", "A first paper", "A new paper")
    desk.preview.rebuild()
    assert "page" not in desk.told[-1]
    desk.preview.rebuild()
    assert desk.told[-1]["page"] == f"/{PAPER.removesuffix('index.html')}"
    assert PAPER in str(desk.told[-1]["changed"])
    (tmp_path / "content/about.md").write_text("Other words.")
    desk.preview.add_changes([str(tmp_path / "content/about.md")])
    desk.preview.rebuild()
    assert desk.told[-1]["page"] == "/"
