"""The preview serves visible pages before the others, and soon ends a build that is out of date."""

import itertools
from pathlib import Path

import pytest
from build_loop import BuildLoop
from conftest import read_site, write_files

from tenure.server import server, watcher
from tenure.server.snapshot import find_changed_element
from tenure.server.watcher import SourceWatcher

TALKS, HOME = "talks/index.html", "index.html"


@pytest.fixture
def build_loop(tmp_path: Path) -> BuildLoop:
    write_files(tmp_path, read_site("errors"))
    loop = BuildLoop(tmp_path)
    loop.preview.last_page = TALKS
    return loop


def test_the_visible_page_is_served_before_the_others_are_rendered(build_loop: BuildLoop) -> None:
    seen: list[list[bool]] = []
    pages = (TALKS, "cv/index.html")
    build_loop.meanwhile = itertools.repeat(
        lambda: seen.append(["A new talk" in build_loop.read_page(page) for page in pages])
    )
    build_loop.replace_text("content/talks.yaml", "A first talk", "A new talk")
    build_loop.preview.rebuild()
    assert seen == [[False, False], [True, False], [True, True]]
    messages = build_loop.browser_messages
    assert [message["building"] for message in messages] == [True, True, False]
    assert [message["files"] for message in messages[:2]] == [(), (TALKS,)]
    assert "cv/index.html" in str(messages[2]["files"])
    assert TALKS not in str(messages[2]["files"])
    build_loop.preview.last_page = ""
    build_loop.replace_text("content/talks.yaml", "A new talk", "A third talk")
    build_loop.preview.rebuild()
    assert len(messages) == 5, "without a visible page, all are served together"
    assert "A third talk" in build_loop.read_page(TALKS)


def test_a_build_ends_at_another_change_and_no_edit_is_lost(build_loop: BuildLoop) -> None:
    edits = [lambda: None, lambda: build_loop.replace_text("content/about.md", "first", "second")]
    build_loop.meanwhile = iter(edits)
    build_loop.replace_text("content/talks.yaml", "A first talk", "A new talk")
    build_loop.preview.rebuild()
    assert "A new talk" in build_loop.read_page(TALKS)
    assert "The first words." in build_loop.read_page(HOME)
    assert build_loop.printed == []
    build_loop.preview.rebuild()
    assert "The second words." in build_loop.read_page(HOME)
    assert "A new talk" in build_loop.read_page("cv/index.html")
    assert [line.split(":")[0] for line in build_loop.printed] == ["content/about.md, content/talks.yaml"]


def test_a_build_that_takes_long_shows_its_problems_also_if_a_save_follows(
    build_loop: BuildLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "SUPERSEDING_SECONDS", 0.0)
    build_loop.preview._build_seconds = 0.0
    build_loop.replace_text("content/talks.yaml", "title: A first", "tilte: A first")
    build_loop.preview.rebuild()
    assert build_loop.preview.overlay["errors"]
    build_loop.preview._build_seconds = 0.0
    build_loop.beside = iter([lambda: build_loop.replace_text("content/about.md", "first", "second")])
    build_loop.replace_text("content/talks.yaml", "tilte: A first", "title: A first")
    build_loop.preview.rebuild()
    assert build_loop.preview.overlay["errors"] is None
    assert build_loop.printed[-1].startswith("content/talks.yaml: ")


def test_nothing_is_built_after_an_installed_tenure_was_replaced(
    build_loop: BuildLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The running program would read new themes, or none: “there is no theme called plate”."""
    installed = build_loop.root / ".venv"
    monkeypatch.setattr(watcher, "PACKAGED_THEMES", installed / "themes")
    monkeypatch.setattr(watcher, "PACKAGE_FOLDER", installed)
    build_loop.replace_text("content/talks.yaml", "title: A first", "tilte: A first")
    build_loop.preview.add_changes([str(installed / "themes/plate")])
    build_loop.preview.build_forever()
    line = "Tenure has been installed anew: end serve with Ctrl+C, and start it again"
    assert build_loop.printed == [line]
    assert "installed anew" in str(build_loop.preview.overlay)
    assert build_loop.browser_messages


def test_cvs_and_records_are_made_when_somebody_asks_for_them_or_nobody_saves(build_loop: BuildLoop) -> None:
    preview = build_loop.preview

    def read_cv() -> tuple[bytes, str]:
        return preview.snapshot.files["cv.pdf"].read(), build_loop.read_page("cv.txt")

    first = read_cv()
    build_loop.replace_text("content/talks.yaml", "A first talk", "A new talk")
    preview.rebuild()
    assert "A new talk" in build_loop.read_page("cv/index.html")
    assert preview.documents.are_waiting("cv.pdf")
    assert preview.documents.are_waiting("cv.txt")
    assert read_cv() == first

    build_loop.replace_text("content/talks.yaml", "A new talk", "A third talk")
    preview.complete_documents()
    assert preview.documents.are_waiting(), "a save comes first"
    preview.rebuild()
    preview.complete_documents()
    assert not preview.documents.are_waiting()
    assert read_cv()[0] != first[0]
    assert "A third talk" in read_cv()[1]
    assert build_loop.browser_messages[-1]["files"] == ("cv.pdf", "cv.txt", "resume.json")
    build_loop.replace_text("content/talks.yaml", "A third talk", "A first talk")
    preview.rebuild()
    preview.complete_documents()
    assert read_cv() == first

    build_loop.replace_text("content/talks.yaml", "A first talk", "A last talk")
    preview.rebuild()
    papers = "@misc{one, title = {A first paper}, author = {Example, Ada}, year = 2024}"
    build_loop.replace_text("bib/papers.bib", papers, f"{papers}\n@misc{{two, title = {{New}}, year = 2025}}")
    preview.rebuild()
    assert "New" in build_loop.read_page("publications/two/two.bib"), "a page links to it"
    preview.complete_documents()
    assert "A last talk" in build_loop.read_page("cv.txt")
    assert "New" in build_loop.read_page("publications.bib")


PAGE = (
    '<head><script type="application/ld+json">{LD}</script></head><ul>\n<li id="a">First é</li>\n'
    '<li class="é" id="b"><h3>{TITLE}</h3><ul><li>x</li></ul></li>\n<li id="c">Last</li></ul><p>{END}</p>'
)


@pytest.mark.parametrize(
    ("old", "new", "is_found"),
    [
        (("Title", "1", ""), ("Other title", "22", ""), True),
        (("Tïtle", "", ""), ("Tîtle", "", ""), True),  # the first byte of both letters is the same
        (("Title", "", ""), ("", "", ""), True),
        (("same", "1", ""), ("same", "2", ""), False),  # nothing that a reader sees
        (("a", "", "1"), ("b", "", "2"), False),  # two places without an element around both
        (("a" * 70_000, "", ""), ("b", "", ""), False),
    ],
)
def test_the_only_changed_element_is_found(
    old: tuple[str, str, str], new: tuple[str, str, str], is_found: bool
) -> None:
    pages = [
        PAGE.replace("{TITLE}", title).replace("{LD}", data).replace("{END}", end)
        for title, data, end in (old, new)
    ]
    items = tuple(page[page.index('<li class="é"') : page.index('\n<li id="c"')] for page in pages)
    assert find_changed_element(*(page.encode() for page in pages)) == (items if is_found else None)


class FailingWatcher(SourceWatcher):
    """A watcher that fails three times, reports a change, and ends the test."""

    def __init__(self) -> None:
        self.is_polling: list[bool] = []

    def watch_anew(self, force_polling: bool) -> None:
        self.is_polling.append(force_polling)

    def wait(self) -> tuple[str, ...]:
        if len(self.is_polling) < 3:
            raise RuntimeError("this name cannot be read")
        if len(self.is_polling) == 3:
            self.is_polling.append(True)
            return ("content/talks.yaml",)
        raise SystemExit


def test_failures_of_the_watcher_are_shown_and_after_three_it_polls(
    build_loop: BuildLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "WATCH_RETRY_SECONDS", 0.0)
    preview, watcher = build_loop.preview, FailingWatcher()
    overlays: list[object] = []

    def build_meanwhile(seconds: float) -> None:
        del seconds
        preview.rebuild()
        overlays.append(preview.overlay["warnings"])

    monkeypatch.setattr("time.sleep", build_meanwhile)
    with pytest.raises(SystemExit):
        preview.watch_forever(watcher)
    preview.rebuild()
    overlays.append(preview.overlay["warnings"])

    message = "a change of the files could not be followed: this name cannot be read"
    polling = "From now on, all files are compared again and again; this needs more time."
    assert watcher.is_polling[:3] == [False, False, True]
    assert [line for line in build_loop.printed if "files" in line] == [message, message, message, polling]
    assert [message in str(overlay) for overlay in overlays] == [True, True, True, False]
