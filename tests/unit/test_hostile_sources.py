"""Values that no author intends: each is read or reported, and none stops the build."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Sources

from tenure.problems import Place, Problems, format_problem
from tenure.publish import publish_artifacts
from tenure.sources.files import find_files

Make = Callable[[str], Sources]
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{0}" viewBox="0 0 {0} 1e-300"/>'


@pytest.mark.parametrize("size", ["1e400", "1e308", "-1", "nan"])
def test_an_image_of_absurd_size_has_a_size(site: Make, tmp_path: Path, size: str) -> None:
    sources = site("-- content/about.md --\n![A line](a.svg)\n")
    (tmp_path / "content/a.svg").write_text(SVG.format(size))
    assert sources.build().problems == []


@pytest.mark.parametrize("date", ["9999-12-31", "9999-12", "9999"])
def test_the_last_day_of_the_calendar_is_a_date(site: Make, date: str) -> None:
    built = site(f"-- content/talks.yaml --\n- title: T\n  date: {date}\n").build()
    assert built.problems == []


def test_a_line_end_in_a_url_begins_no_line_of_a_calendar(site: Make) -> None:
    built = site(
        '-- content/talks.yaml --\n- {title: T, date: 2024-01-02, url: "https://x.org/\\nATTACH:a\\r\\nX:y"}\n'
    ).build()
    (calendar,) = (a.read().decode() for a in built.build.artifacts if a.path.endswith(".ics"))
    assert "URL:https://x.org/ATTACH:aX:y" in calendar.replace("\r\n ", "")


def test_long_keys_titles_and_tags_have_short_paths(site: Make, tmp_path: Path) -> None:
    long = "k" * 300
    built = site(
        f"""\
-- bib/papers.bib --
@article{{{long}, title = {{T}}, author = {{Ada Example}}, year = 2020, journal = {{J}}}}
@article{{{long}2, title = {{U}}, author = {{Ada Example}}, year = 2021, journal = {{J}}}}
-- content/posts/a.md --
---
title: T
date: 2020
tags: [{long}]
---
## {long}
"""
    ).build()
    assert built.problems == []
    assert publish_artifacts(built.build.artifacts, tmp_path / "output").written


@pytest.mark.parametrize("name", [",", " , ,", "†"])
def test_a_name_without_letters_is_a_name(site: Make, name: str) -> None:
    built = site(
        f"""\
-- content/profile.yaml --
name: "{name}"
aliases: ["{name}"]
-- content/coauthors.yaml --
- {{name: "{name}", url: "https://example.org"}}
-- bib/papers.bib --
@article{{a, title = {{T}}, author = {{, and Ada Example}}, year = 2020, journal = {{J}}, author+an = {{{"1" * 5000}=me}}}}
"""
    ).build()
    assert set(built.codes) <= {"bib-name", "bib-owner-absent"}


@pytest.mark.parametrize("text", ["", "\n", "---\ntitle: T\n---\n"])
def test_an_emptied_text_is_left_out(site: Make, text: str) -> None:
    built = site(f"-- content/about.md --\n{text}-- content/pages/x.md --\n{text}").build()
    assert "index.html" in built.paths
    assert set(built.codes) <= {"empty-text"}


def test_the_case_of_a_suffix_does_not_matter(site: Make) -> None:
    built = site("-- content/about.MD --\nHello: *there*\n").build()
    assert "Hello: there" in built.words("/")


@pytest.mark.parametrize("folder", ["content", "bib"])
def test_a_pipe_is_not_read(site: Make, tmp_path: Path, folder: str) -> None:
    sources = site("-- bib/a.bib --\n-- content/about.md --\nWords.\n")
    os.mkfifo(tmp_path / folder / "b.bib")
    (message,) = sources.build().problems
    assert f"{folder}/b.bib: error: this is a pipe, a socket or a device" in message


@pytest.mark.parametrize("name", ["content/slides.pdf", "bib/b.bib", "content/talks.yaml"])
def test_m3_a_link_to_a_missing_file_is_an_error(site: Make, tmp_path: Path, name: str) -> None:
    sources = site("-- bib/a.bib --\n-- content/about.md --\nText.\n")
    (tmp_path / name).symlink_to(tmp_path / "gone")
    built = sources.build()
    assert any(f"{name}: error:" in message for message in built.problems), built.problems


def test_a_name_that_is_not_utf_8_is_reported(tmp_path: Path) -> None:
    problems = Problems()
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / os.fsdecode(b"caf\xe9.txt")).write_text("x")
    assert list(find_files(tmp_path / "content", "content", problems)) == []
    (problem,) = problems.sorted_problems(())
    assert problem.message == "the name of this file is not UTF-8"
    assert str(problem.place).encode()


def test_a_link_within_the_site_is_followed(site: Make, tmp_path: Path) -> None:
    sources = site("-- shared/notes.txt --\nWords.\n-- content/about.md --\nWords.\n")
    (tmp_path / "content/notes.txt").symlink_to(tmp_path / "shared/notes.txt")
    built = sources.build()
    assert built.problems == []
    assert "notes.txt" in built.paths


def test_a_message_has_no_control_characters() -> None:
    problems = Problems()
    problems.report("bad-path", Place("a\x1b[2J"), "the id “a\0b”", "write\x07 it")
    (problem,) = problems.sorted_problems(())
    assert format_problem(problem) == "a␛[2J: error: the id “a␀b”\n     write␇ it"
