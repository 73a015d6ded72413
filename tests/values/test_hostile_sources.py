"""Values that no author intends: each is read or reported, and none stops the build."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Sources

from tenure.problems import Problems
from tenure.publish import publish_artifacts
from tenure.sources.files import find_files

Make = Callable[[str], Sources]
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{0}" viewBox="0 0 {0} 1e-300"/>'


@pytest.mark.parametrize("size", ["1e400", "1e308", "-1", "nan"])
def test_an_image_of_absurd_size_has_a_size(site: Make, tmp_path: Path, size: str) -> None:
    sources = site("-- content/about.md --\n![A line](a.svg)\n")
    (tmp_path / "content/a.svg").write_text(SVG.format(size))
    assert sources.build().problems == []


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


@pytest.mark.parametrize("text", ["", "\n", "---\ntitle: T\n---\n"])
def test_an_emptied_text_is_left_out(site: Make, text: str) -> None:
    built = site(f"-- content/about.md --\n{text}-- content/pages/x.md --\n{text}").build()
    assert "index.html" in built.paths
    assert set(built.codes) <= {"empty-text"}


THEME = (
    "-- themes/mine/theme.yaml --\nextends: classic\n-- bib/a.bib --\n-- content/about.md --\nText.\n"
    "-- themes/mine/cv.typ --\n-- themes/mine/parts/x.html --\n-- themes/mine/pages/x.html --\n-- themes/mine/assets/x.css --\n"
)


@pytest.mark.parametrize(
    "name",
    [
        *("bib/b.bib", "content/b.bib", "content/about.md", "content/profile.yaml", "site.yaml"),
        *("themes/mine/theme.yaml", "themes/mine/cv.typ", "themes/mine/pages/x.html", "themes/mine/assets/x.css"),
    ],
)  # fmt: skip
def test_m9_a_pipe_or_device_is_not_read(site: Make, tmp_path: Path, name: str) -> None:
    """Only root can make a device; the link to one works for every user."""
    sources = site(f"{THEME}-- site.yaml --\ntheme: mine\n")
    path = tmp_path / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    assert (
        f"{name}: error: this is a pipe, a socket or a device, and not a file\n     delete it"
        in sources.build().problems
    )
    path.unlink()
    path.symlink_to("/dev/zero")
    assert any(message.startswith(f"{name}: error: this ") for message in sources.build().problems)


@pytest.mark.parametrize(
    "name",
    """site.yaml content/profile.yaml content/publications.yaml content/coauthors.yaml
    themes/mine/theme.yaml""".split(),
)
def test_a_folder_in_place_of_a_file_is_one_error(site: Make, tmp_path: Path, name: str) -> None:
    sources = site(f"{THEME}-- site.yaml --\ntheme: mine\n")
    path = tmp_path / name
    path.unlink(missing_ok=True)
    path.mkdir()
    message = f"{name}: error: this is a folder, and not a file\n     rename it or delete it"
    assert message in sources.build().problems


def test_a_file_in_place_of_a_folder_is_one_error(site: Make, tmp_path: Path) -> None:
    sources = site("-- site.yaml --\nschema: 1\n")
    (tmp_path / "bib").write_text("x", "utf-8")
    hint = "rename the file, and make a folder with this name"
    assert f"bib: error: this is a file, and not a folder\n     {hint}" in sources.build().problems


def test_temporary_files_of_editors_and_systems_in_a_theme_are_ignored(site: Make, tmp_path: Path) -> None:
    """Emacs makes a link to nothing beside each file that it edits, macOS a binary file on some disks."""
    sources = site(f"{THEME}-- site.yaml --\ntheme: mine\n-- content/awards.yaml --\n- Prize\n")
    (tmp_path / "themes/mine/cv.typ").write_text('#import "/cv-parts.typ": *\n#show: document\n= CV\n')
    for file in [*(tmp_path / "themes/mine").rglob("*.*")]:
        file.with_name(f".#{file.name}").symlink_to("ada@host.123")
        file.with_name(f"._{file.name}").write_bytes(b"\0\5\x16\7\xff")
    assert {*sources.build().codes} <= {"unused-template"}


@pytest.mark.parametrize(
    "name",
    [
        *("site.yaml", "content/profile.yaml", "content/about.md", "content/a.jpg", "content/files", "bib/b.bib"),
        *("themes/mine", "themes/mine/theme.yaml", "themes/mine/cv.typ", "themes/mine/assets/x.css"),
    ],
)  # fmt: skip
def test_r11_a_link_to_itself_is_an_error(site: Make, tmp_path: Path, name: str) -> None:
    """Python before 3.13 raises RuntimeError for such a link."""
    sources = site(f"{THEME}-- site.yaml --\ntheme: mine\n")
    path = tmp_path / name
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.symlink_to(path.name)
    expected = 'there is no theme called "mine"' if name == "themes/mine" else f"{name}: error: "
    assert any(expected in message for message in sources.build().problems)


def test_r11_folders_that_link_to_each_other_are_an_error(site: Make, tmp_path: Path) -> None:
    sources = site("-- content/a/x.csv --\nx\n-- content/b/y.csv --\ny\n")
    (tmp_path / "content/a/b").symlink_to("../b")
    (tmp_path / "content/b/a").symlink_to("../a")
    assert [message.partition(": ")[0] for message in sources.build().problems] == [
        "content/a/b/a",
        "content/b/a/b",
    ]


def test_a_name_that_is_not_utf_8_is_reported(tmp_path: Path) -> None:
    problems = Problems()
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / os.fsdecode(b"caf\xe9.txt")).write_text("x")
    assert list(find_files(tmp_path / "content", "content", problems)) == []
    (problem,) = problems.sorted_problems(())
    assert problem.message == "the name of this file is not UTF-8"
    assert str(problem.place).encode()


def test_a_link_within_the_site_is_followed(site: Make, tmp_path: Path) -> None:
    sources = site("-- shared/notes.csv --\nWords.\n-- content/about.md --\nWords.\n")
    (tmp_path / "content/notes.csv").symlink_to(tmp_path / "shared/notes.csv")
    built = sources.build()
    assert built.problems == []
    assert "notes.csv" in built.paths
