"""Files that no author intends: pipes, devices, folders, links and names; each is read or reported."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Make, Sources, read_site

from tenure.problems import Problems
from tenure.publish import publish_artifacts
from tenure.sources.reading.files import find_files

THEME = read_site("theme")
FILES = """bib/b.bib content/b.bib content/about.md content/profile.yaml site.yaml themes/mine/theme.yaml
    themes/mine/cv.typ themes/mine/pages/x.html themes/mine/assets/x.css""".split()


def find_unreported(
    sources: Sources, names: list[str], put: Callable[[Path], object], expected: str
) -> list[str]:
    """Return the names of files in whose place something else has no problem with an expected text."""
    unreported = []
    for name in names:
        path, kept = sources.root / name, sources.root.parent / "kept"
        if path.exists():
            path.rename(kept)
        put(path)
        if not any(expected.format(name) in message for message in sources.build().problems):
            unreported.append(name)
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        if kept.exists():
            kept.rename(path)
    return unreported


def test_m9_a_pipe_or_device_is_not_read(site: Make) -> None:
    """Only root can make a device; the link to one works for every user."""
    pipe = "{}: error: this is a pipe, a socket or a device, and not a file\n     delete it"
    assert find_unreported(site(THEME), FILES, os.mkfifo, pipe) == []
    assert (
        find_unreported(site(THEME), FILES, lambda path: path.symlink_to("/dev/zero"), "{}: error: this ")
        == []
    )


def test_a_folder_in_place_of_a_file_is_one_error(site: Make) -> None:
    names = "site.yaml content/profile.yaml content/publications.yaml content/coauthors.yaml themes/mine/theme.yaml"
    message = "{}: error: this is a folder, and not a file\n     rename it or delete it"
    assert find_unreported(site(THEME), names.split(), Path.mkdir, message) == []


def test_a_file_in_place_of_a_folder_is_one_error(site: Make) -> None:
    repair = "rename the file, and make a folder with this name"
    message = f"{{}}: error: this is a file, and not a folder\n     {repair}"
    assert find_unreported(site("-- site.yaml --\n"), ["bib"], Path.touch, message) == []


def test_r11_a_link_to_itself_is_an_error(site: Make) -> None:
    """Python before 3.13 raises RuntimeError for such a link."""
    names = [*FILES[2:7], "content/a.jpg", "content/files", "bib/b.bib", "themes/mine/assets/x.css"]
    sources = site(THEME)
    assert find_unreported(sources, names, lambda path: path.symlink_to(path.name), "{}: error: ") == []
    missing = 'there is no theme called "mine"'
    assert find_unreported(sources, ["themes/mine"], lambda path: path.symlink_to(path.name), missing) == []


def test_r11_folders_that_link_to_each_other_are_an_error(site: Make, tmp_path: Path) -> None:
    sources = site("-- content/a/x.csv --\nx\n-- content/b/y.csv --\ny\n")
    (tmp_path / "content/a/b").symlink_to("../b")
    (tmp_path / "content/b/a").symlink_to("../a")
    places = [message.partition(": ")[0] for message in sources.build().problems]
    assert places == ["content/a/b/a", "content/b/a/b"]


def test_temporary_files_of_editors_and_systems_in_a_theme_are_ignored(site: Make, tmp_path: Path) -> None:
    """Emacs makes a link to nothing beside each file that it edits, macOS a binary file on some disks."""
    sources = site(f"{THEME}-- content/awards.yaml --\n- Prize\n")
    (tmp_path / "themes/mine/cv.typ").write_text('#import "/cv-parts.typ": *\n#show: document\n= CV\n')
    for file in [*(tmp_path / "themes/mine").rglob("*.*")]:
        file.with_name(f".#{file.name}").symlink_to("ada@host.123")
        file.with_name(f"._{file.name}").write_bytes(b"\0\5\x16\7\xff")
    assert sources.build().codes == []


def test_a_name_that_is_not_utf_8_is_reported(tmp_path: Path) -> None:
    problems = Problems()
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / os.fsdecode(b"caf\xe9.txt")).write_text("x")
    assert list(find_files(tmp_path / "content", "content", problems)) == []
    (problem,) = problems.sorted_problems(())
    assert problem.message == "the name of this file is not UTF-8"
    assert str(problem.place).encode()


def test_long_keys_titles_and_tags_have_short_paths(site: Make, tmp_path: Path) -> None:
    long = "k" * 300
    built = site(
        "-- bib/papers.bib --\n"
        f"@article{{{long}, title = {{T}}, author = {{Ada Example}}, year = 2020, journal = {{J}}}}\n"
        f"@article{{{long}2, title = {{U}}, author = {{Ada Example}}, year = 2021, journal = {{J}}}}\n"
        f"-- content/posts/a.md --\n---\ntitle: T\ndate: 2020\ntags: [{long}]\n---\n## {long}\n"
    ).build()
    assert built.problems == []
    assert publish_artifacts(built.build.artifacts, tmp_path / "output").written


@pytest.mark.parametrize("text", ["", "\n", "---\ntitle: T\n---\n"])
def test_an_emptied_text_is_left_out(site: Make, text: str) -> None:
    built = site(f"-- content/about.md --\n{text}-- content/pages/x.md --\n{text}").build()
    assert "index.html" in built.paths
    assert set(built.codes) <= {"empty-text"}
