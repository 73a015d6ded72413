"""The preview serves visible pages before the others, and cancels a build that is out of date."""

import itertools
from pathlib import Path
from types import SimpleNamespace

import pytest
from build_loop import BuildLoop
from conftest import write_files

from tenure.server import server

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
def build_loop(tmp_path: Path) -> BuildLoop:
    write_files(tmp_path, SITE)
    return BuildLoop(tmp_path)


def test_the_visible_page_is_served_before_the_others_are_rendered(build_loop: BuildLoop) -> None:
    build_loop.preview.record_request(TALKS)
    seen: list[tuple[bool, bool]] = []
    build_loop.meanwhile = itertools.repeat(
        lambda: seen.append(
            (
                "A new talk" in build_loop.read_page(TALKS),
                "A new talk" in build_loop.read_page("cv/index.html"),
            )
        )
    )
    build_loop.replace_text("content/talks.yaml", "A first talk", "A new talk")
    build_loop.preview.rebuild()
    assert seen == [(True, False), (True, True)]
    assert build_loop.browser_messages[0]["files"] == (TALKS,)
    last = build_loop.browser_messages[1]["files"]
    assert isinstance(last, tuple)
    assert "cv/index.html" in last
    assert TALKS not in last
    assert len({message["build"] for message in build_loop.browser_messages}) == 2


def test_the_reported_time_is_without_the_wait_for_more_changes(
    build_loop: BuildLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = [0.0]

    def wait_a_minute(delay: float) -> bool:
        del delay
        seconds[0] += 60
        return False

    clock = SimpleNamespace(perf_counter=lambda: seconds[0], monotonic=lambda: seconds[0])
    monkeypatch.setattr(server, "time", clock)
    monkeypatch.setattr(build_loop.preview._has_changes, "wait", wait_a_minute)
    build_loop.preview.record_request(TALKS)
    build_loop.replace_text("content/talks.yaml", "A first talk", "A new talk")
    build_loop.preview.rebuild()
    assert seconds == [60]
    assert build_loop.printed == ["content/talks.yaml: 0 ms"]


def test_a_page_that_no_browser_shows_is_served_with_all_others(build_loop: BuildLoop) -> None:
    build_loop.replace_text("content/talks.yaml", "A first talk", "A new talk")
    build_loop.preview.rebuild()
    assert len(build_loop.browser_messages) == 1
    assert "A new talk" in build_loop.read_page(TALKS)


def test_a_build_is_cancelled_by_another_change_and_no_edit_is_lost(build_loop: BuildLoop) -> None:
    build_loop.preview.record_request(TALKS)
    build_loop.meanwhile = iter([lambda: build_loop.replace_text("content/about.md", "first", "second")])
    build_loop.replace_text("content/talks.yaml", "A first talk", "A new talk")
    build_loop.preview.rebuild()
    assert "A new talk" in build_loop.read_page(TALKS)
    assert "The first words." in build_loop.read_page(HOME)
    assert build_loop.printed == []
    build_loop.preview.rebuild()
    assert "The second words." in build_loop.read_page(HOME)
    assert "A new talk" in build_loop.read_page("cv/index.html")
    assert [line.split(":")[0] for line in build_loop.printed] == ["content/about.md, content/talks.yaml"]


def test_a_build_is_cancelled_while_reading_files(build_loop: BuildLoop) -> None:
    build_loop.beside = iter([lambda: build_loop.replace_text("content/about.md", "first", "second")])
    build_loop.replace_text("content/talks.yaml", "A first talk", "A new talk")
    build_loop.preview.rebuild()
    assert (build_loop.browser_messages, build_loop.printed) == ([], [])
    build_loop.preview.rebuild()
    assert len(build_loop.browser_messages) == 1
    assert "The second words." in build_loop.read_page(HOME)
    assert "A new talk" in build_loop.read_page(TALKS)


def test_the_visible_page_is_served_early_also_with_errors(build_loop: BuildLoop) -> None:
    build_loop.preview.record_request(TALKS)
    build_loop.replace_text(
        "content/talks.yaml", "- {", "- {tilte: A typing error, date: 2023}\n- {event: A meeting, "
    )
    build_loop.preview.rebuild()
    assert build_loop.browser_messages[0]["files"] == (TALKS,)
    assert 'unknown key "tilte"' in str(build_loop.preview.report.local_data["errors"])
    assert "A meeting" in build_loop.read_page(TALKS)
    build_loop.replace_text("content/talks.yaml", "tilte", "title")
    build_loop.preview.rebuild()
    assert build_loop.preview.report.local_data["errors"] is None
    assert "A typing error" in build_loop.read_page(TALKS)


def test_no_page_is_served_early_if_its_template_has_an_error(build_loop: BuildLoop) -> None:
    build_loop.preview.record_request(TALKS)
    write_files(
        build_loop.root,
        "-- themes/classic/parts/talks.html --\n{% macro rows(part, listing, level) %}{{ site.tilte }}{% endmacro %}\n",
    )
    build_loop.preview.add_changes([str(build_loop.root / "themes/classic/parts/talks.html")])
    build_loop.preview.rebuild()
    assert [message["files"] for message in build_loop.browser_messages] == [()]
    assert "A first talk" in build_loop.read_page(TALKS)


def test_a_draft_is_listed_with_the_page_served_early(build_loop: BuildLoop) -> None:
    build_loop.preview.record_request(TALKS)
    drafts: list[object] = []
    build_loop.meanwhile = itertools.repeat(
        lambda: drafts.append(build_loop.preview.snapshot.drafts.get(TALKS))
    )
    build_loop.replace_text("content/talks.yaml", "2024", "2024, draft: true")
    build_loop.preview.rebuild()
    assert drafts == [("A first talk",), ("A first talk",)]
    build_loop.replace_text("content/talks.yaml", ", draft: true", "")
    build_loop.preview.rebuild()
    assert drafts[2] == ()


def test_the_browser_follows_edits_also_after_cancelled_builds(tmp_path: Path) -> None:
    write_files(tmp_path, SITE)
    build_loop = BuildLoop(tmp_path, follow=True)
    build_loop.preview.record_request(PAPER)
    build_loop.meanwhile = iter(
        [lambda: build_loop.replace_text("bib/papers.bib", "An abstract", "Another abstract")]
    )
    build_loop.replace_text("bib/papers.bib", "A first paper", "A new paper")
    build_loop.preview.rebuild()
    assert "page" not in build_loop.browser_messages[-1]
    build_loop.preview.rebuild()
    assert build_loop.browser_messages[-1]["page"] == f"/{PAPER.removesuffix('index.html')}"
    assert PAPER in str(build_loop.browser_messages[-1]["changed"])
    (tmp_path / "content/about.md").write_text("Other words.")
    build_loop.preview.add_changes([str(tmp_path / "content/about.md")])
    build_loop.preview.rebuild()
    assert build_loop.browser_messages[-1]["page"] == "/"
