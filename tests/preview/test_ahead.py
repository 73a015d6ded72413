"""Pages in sight come before the others, and a build that is not worth finishing is given up."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from conftest import write

from tenure.commands.serve import _Maker
from tenure.model.site import Site
from tenure.output import Artifact
from tenure.overlay import Overlay
from tenure.pipeline import OUTLETS
from tenure.preview import Preview, Voice
from tenure.problems import written
from tenure.web.pages import Plan

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


class Desk:
    """A preview without a server: what it told browsers and the terminal, and what happens when it tells."""

    def __init__(self, root: Path, *, follow: bool = False) -> None:
        self.root = root
        self.told: list[Mapping[str, object]] = []
        self.said: list[str] = []
        self.meanwhile: Iterator[Callable[[], None]] = iter(())
        self.beside: Iterator[Callable[[], None]] = iter(())
        voice = Voice(lambda made: "".join(map(written, made.problems)), repr, self.said.append)
        maker = _Maker(root, "", (*OUTLETS, self._outlet))
        self.preview = Preview(maker, Overlay(root), voice, follow=follow)
        self.preview.renew()
        self.preview.tell = self._hear

    def _hear(self, message: Mapping[str, object]) -> None:
        self.told.append(message)
        next(self.meanwhile, int)()

    def _outlet(self, site: Site, pages: Plan) -> Iterator[Artifact]:
        del pages
        for number in range(2):
            yield Artifact(f"{number}.txt", site.title.encode(), "site.yaml")
            next(self.beside, int)()

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.root / name
        words = path.read_text()
        assert old in words
        path.write_text(words.replace(old, new))
        self.preview.note([str(path)])

    def served(self, file: str) -> str:
        return self.preview.edition.files[file].read().decode()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    write(tmp_path, SITE)
    return Desk(tmp_path)


def test_a_page_in_sight_is_served_before_the_others_are_made(desk: Desk) -> None:
    desk.preview.asked_for(TALKS)
    seen: list[tuple[bool, bool]] = []
    desk.meanwhile = itertools.repeat(
        lambda: seen.append(
            ("A new talk" in desk.served(TALKS), "A new talk" in desk.served("cv/index.html"))
        )
    )
    desk.edit("content/talks.yaml", "A first talk", "A new talk")
    desk.preview.renew()
    assert seen == [(True, False), (True, True)]
    assert desk.told[0]["files"] == (TALKS,)
    last = desk.told[1]["files"]
    assert isinstance(last, tuple)
    assert "cv/index.html" in last
    assert TALKS not in last
    assert len({message["build"] for message in desk.told}) == 2


def test_a_page_that_nobody_looks_at_comes_with_all_others(desk: Desk) -> None:
    desk.edit("content/talks.yaml", "A first talk", "A new talk")
    desk.preview.renew()
    assert len(desk.told) == 1
    assert "A new talk" in desk.served(TALKS)


def test_a_build_is_given_up_where_a_source_changes_again_and_no_edit_is_lost(desk: Desk) -> None:
    desk.preview.asked_for(TALKS)
    desk.meanwhile = iter([lambda: desk.edit("content/about.md", "first", "second")])
    desk.edit("content/talks.yaml", "A first talk", "A new talk")
    desk.preview.renew()
    assert "A new talk" in desk.served(TALKS)
    assert "The first words." in desk.served(HOME)
    assert desk.said == []
    desk.preview.renew()
    assert "The second words." in desk.served(HOME)
    assert "A new talk" in desk.served("cv/index.html")
    assert [line.split(":")[0] for line in desk.said] == ["content/about.md, content/talks.yaml"]


def test_a_build_is_given_up_in_the_middle_of_its_files(desk: Desk) -> None:
    desk.beside = iter([lambda: desk.edit("content/about.md", "first", "second")])
    desk.edit("content/talks.yaml", "A first talk", "A new talk")
    desk.preview.renew()
    assert (desk.told, desk.said) == ([], [])
    desk.preview.renew()
    assert len(desk.told) == 1
    assert "The second words." in desk.served(HOME)
    assert "A new talk" in desk.served(TALKS)


def test_nothing_is_served_ahead_of_a_mistake_and_the_next_save_heals(desk: Desk) -> None:
    desk.preview.asked_for(TALKS)
    desk.edit("content/talks.yaml", "title: A first", "titel: A new")
    desk.preview.renew()
    assert [message["files"] for message in desk.told] == [()]
    assert 'unknown key "titel"' in str(desk.preview.report.here["errors"])
    assert "A first talk" in desk.served(TALKS)
    desk.edit("content/talks.yaml", "titel", "title")
    desk.preview.renew()
    assert desk.preview.report.here["errors"] is None
    assert "A new talk" in desk.served(TALKS)


def test_a_draft_is_named_with_the_page_that_is_served_ahead(desk: Desk) -> None:
    desk.preview.asked_for(TALKS)
    drafts: list[object] = []
    desk.meanwhile = itertools.repeat(lambda: drafts.append(desk.preview.edition.drafts.get(TALKS)))
    desk.edit("content/talks.yaml", "2024", "2024, draft: true")
    desk.preview.renew()
    assert drafts == [("A first talk",), ("A first talk",)]
    desk.edit("content/talks.yaml", ", draft: true", "")
    desk.preview.renew()
    assert drafts[2] == ()


def test_what_is_edited_is_followed_to_also_where_builds_were_given_up(tmp_path: Path) -> None:
    write(tmp_path, SITE)
    desk = Desk(tmp_path, follow=True)
    desk.preview.asked_for(PAPER)
    desk.meanwhile = iter([lambda: desk.edit("bib/papers.bib", "An abstract", "Another abstract")])
    desk.edit("bib/papers.bib", "A first paper", "A new paper")
    desk.preview.renew()
    assert "page" not in desk.told[-1]
    desk.preview.renew()
    assert desk.told[-1]["page"] == f"/{PAPER.removesuffix('index.html')}"
    assert PAPER in str(desk.told[-1]["changed"])
    (tmp_path / "content/about.md").write_text("Other words.")
    desk.preview.note([str(tmp_path / "content/about.md")])
    desk.preview.renew()
    assert desk.told[-1]["page"] == "/"
