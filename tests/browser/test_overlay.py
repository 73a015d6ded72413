"""What the preview shows over a page: the steps that it proposes for a new site, links to the editor, the choice of a theme."""

from collections.abc import Callable
from pathlib import Path, PureWindowsPath
from typing import Any, cast

import pytest
from conftest import Sources, run_in
from PIL import Image

from tenure.server.overlay import describe_build, read_editor_link, suggest_next_steps
from tenure.server.theme_panel import ThemeChoice, plan_theme_change
from tenure.sources.editing.edits import UneditableError

Make = Callable[[str], Sources]


def list_steps(sources: Sources) -> list[str]:
    return [step["adds"] for step in suggest_next_steps(sources.build().site)]


def test_the_steps_of_a_new_site_are_done_one_after_the_other(tmp_path: Path) -> None:
    """The lines of all steps give a site without a problem, and what the site has is not proposed."""
    assert run_in(tmp_path, "new", "site", "--name", "Ada Example") == 0
    root = tmp_path / "site"
    Image.new("RGB", (60, 80), "teal").save(root / "content/photo.jpg")
    assert list_steps(Sources(root)) == ["about", "role", "photo", "education", "publications"]
    completed: list[str] = []
    while steps := suggest_next_steps(Sources(root).build().site):
        # The text is written last: with it the site has content, and no step is proposed.
        step = next((step for step in steps if step["adds"] != "about"), steps[0])
        with (root / step["file"]).open("a", encoding="utf-8") as file:
            file.write(f"{step['lines']}\n")
        assert Sources(root).build().problems == [], step["adds"]
        completed.append(step["adds"])
    assert len(completed) == len(set(completed)) == 9


@pytest.mark.parametrize(
    ("variable", "link"),
    [
        ("", "vscode://file/home/a%20b/{file}:{line}:{column}"),
        ("mine://open?file={path}&at={line}", "mine://open?file=/home/a%20b/{file}&at={line}"),
        ("none", ""),
    ],
)
def test_the_editor_is_set_by_the_environment(variable: str, link: str) -> None:
    assert read_editor_link({"TENURE_EDITOR": variable}, Path("/home/a b")) == link


def test_windows_paths_begin_with_a_slash_and_other_names_of_editors_are_refused() -> None:
    root = cast("Path", PureWindowsPath(r"C:\me"))
    assert read_editor_link({}, root) == "vscode://file/C:/me/{file}:{line}:{column}"
    with pytest.raises(ValueError, match="TENURE_EDITOR is no link with"):
        read_editor_link({"TENURE_EDITOR": "vscod"}, root)


def test_the_preview_lists_lengths_within_their_limits(site: Make) -> None:
    text = "-- content/about.md --\nHello there.\n-- site.yaml --\npages: [home]\n"
    sources = site(f"{text}cvs: {{cv: {{words: 1, characters: 99, sections: [about]}}}}\n")
    overlay: Any = describe_build(sources.build(pdf=True).build)
    assert [item["message"] for item in overlay["warnings"]["items"]] == ["“cv” has 2 words; the limit is 1"]
    assert overlay["lengths"]["heading"] == "1 text within the limit"
    assert overlay["lengths"]["items"][0]["message"] == "“cv” has 12 characters; the limit is 99"


FLOW, BLOCK = ('{name: folio, accent: "#7a2d2d"}', '\n  name: folio\n  accent: "#7a2d2d"')


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", f"theme:{BLOCK}\n"),
        ("title: A", f"title: A\ntheme:{BLOCK}\n"),
        ("theme:\nsearch: true\n", f"theme:{BLOCK}\nsearch: true\n"),
        ("theme: {name: plain,\n  accent: teal}  # kept\n", f"theme: {FLOW}  # kept\n"),
        ("theme:\n  name: folio\n  photo: circle\n\n# end\n", f"theme:{BLOCK}\n\n# end\n"),
        ("theme:\r\n  accent: teal\r\n", f"theme:{BLOCK}\n".replace("\n", "\r\n")),
        ("theme: &look folio\ntitle: *look\n", None),
        ("title: [\n", None),
    ],
)
def test_only_the_theme_of_the_file_changes(tmp_path: Path, before: str, after: str | None) -> None:
    (tmp_path / "site.yaml").write_bytes(before.encode())
    choice = ThemeChoice("folio", {"accent": "#7a2d2d"})
    if after is None:
        with pytest.raises(UneditableError):
            plan_theme_change(tmp_path, choice)
        return
    change = plan_theme_change(tmp_path, choice)
    assert change.new_bytes.decode() == after
    (tmp_path / "site.yaml").write_bytes(change.new_bytes)
    assert plan_theme_change(tmp_path, choice).new_bytes == change.new_bytes
