"""While the sources have errors, the preview shows the current state of everything that is valid."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from build_loop import BuildLoop
from conftest import read_site, write_files

SITE = read_site("errors")
HOME, TALKS = "index.html", "talks/index.html"
POST, PAPER = "posts/first/index.html", "publications/one/index.html"


@pytest.fixture
def build_loop(tmp_path: Path) -> Iterator[BuildLoop]:
    write_files(tmp_path, SITE)
    yield (build_loop := BuildLoop(tmp_path))
    # After each test the sources are repaired; the preview must then be the same as a first build.
    write_files(tmp_path, SITE)
    shutil.rmtree(tmp_path / "themes", ignore_errors=True)
    build_loop.preview.add_changes([str(tmp_path / "content")])
    build_loop.preview.rebuild()
    assert build_loop.preview.overlay["errors"] is None
    assert read_bodies(build_loop) == read_bodies(BuildLoop(tmp_path))


def read_bodies(build_loop: BuildLoop) -> dict[str, bytes]:
    return {path: artifact.read() for path, artifact in build_loop.preview.snapshot.files.items()}


def list_pages(build_loop: BuildLoop) -> set[str]:
    return {path for path in build_loop.preview.snapshot.files if path.endswith(".html")}


def edit_and_build(build_loop: BuildLoop, name: str, old: str, new: str) -> None:
    """Edit a source, and build."""
    build_loop.replace_text(name, old, new)
    build_loop.preview.rebuild()


def read_error_heading(build_loop: BuildLoop) -> str:
    errors = build_loop.preview.overlay["errors"]
    assert isinstance(errors, dict)
    return str(errors["heading"])


ERRORS = [
    ("content/talks.yaml", "date: 2024", "date: soon, event: A meeting", TALKS, "A meeting"),
    ("content/talks.yaml", "title: A first", "tilte: A first", TALKS, "A second talk"),
    ("content/publications.yaml", "- {", "- {award: Second Prize}\n- {", PAPER, "Best Paper"),
    ("content/about.md", "The first words.", "See [my music](/music/).", HOME, "my music"),
    ("content/talks.yaml", "- {title: A first", "- {title: [A first", TALKS, "A second talk"),
    ("content/talks.yaml", "- {title: A se", "<<<<<<< a\n=======\n>>>>>>> b\n- {a", TALKS, "A second talk"),
    ("content/posts/first.md", "title: A first post", "title: [A first post", POST, "The text of the post."),
    ("content/about.md", "The first words.", "---\ntitle: [\n---\nOther words.", HOME, "The first words."),
    ("content/profile.yaml", "name: Ada", "nam: Ada", HOME, "Ada Example"),
    ("site.yaml", "url: https", "url: [https", HOME, "Ada Example"),
    ("site.yaml", "https:", "ftp:", HOME, "Ada Example"),
]
"""A file, the text to replace, its replacement, and a page with the text that must be shown; unreadable files keep their last content."""


@pytest.mark.parametrize("case", ERRORS, ids=[f"{name} {new[:7]}" for name, _, new, *_ in ERRORS])
def test_valid_content_and_other_edits_are_shown_while_an_error_remains(
    build_loop: BuildLoop, case: tuple[str, str, str, str, str]
) -> None:
    name, old, new, page, text = case
    before = build_loop.preview.snapshot.base_path, list_pages(build_loop)
    edit_and_build(build_loop, name, old, new)
    assert "the preview shows the rest" in read_error_heading(build_loop)
    assert text in build_loop.read_page(page)
    assert (build_loop.preview.snapshot.base_path, list_pages(build_loop)) == before
    assert " ms, " in build_loop.printed[-1]
    write_files(build_loop.root, "-- content/news.yaml --\n- {date: 2024, text: Other news}\n")
    build_loop.preview.add_changes([str(build_loop.root / "content/news.yaml")])
    build_loop.preview.rebuild()
    assert text in build_loop.read_page(page)
    assert "Other news" in build_loop.read_page(HOME)
    (build_loop.root / "content/news.yaml").unlink()


def test_a_template_error_keeps_the_last_version(build_loop: BuildLoop) -> None:
    part = "{% macro rows(part, listing, level) %}{{ x }}{% endmacro %}\n"
    write_files(build_loop.root, f"-- themes/classic/parts/talks.html --\n{part}")
    edit_and_build(build_loop, "content/about.md", "first", "second")
    heading = "1 error: the site cannot be built; the preview shows the last version"
    assert read_error_heading(build_loop) == heading
    assert "The first words." in build_loop.read_page(HOME)
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
