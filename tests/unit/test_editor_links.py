"""Links that open a source in an editor."""

from pathlib import Path, PureWindowsPath
from typing import cast

import pytest
from conftest import ROOT

from tenure.server.editor_links import EDITOR_LINK_TEMPLATES, find_link_template, format_editor_link


@pytest.mark.parametrize(
    ("editor", "link"),
    [
        ("vscode", "vscode://file/home/a%20b/site.yaml:3:5"),
        ("cursor", "cursor://file/home/a%20b/site.yaml:3:5"),
        ("zed", "zed://file/home/a%20b/site.yaml:3:5"),
        ("pycharm", "pycharm://open?file=/home/a%20b/site.yaml&line=3&column=5"),
        ("textmate", "txmt://open?url=file:///home/a%20b/site.yaml&line=3&column=5"),
        ("mine://{path}#{line}", "mine:///home/a%20b/site.yaml#3"),
        ("none", ""),
    ],
)
def test_an_editor_link_has_file_line_and_column(editor: str, link: str) -> None:
    assert format_editor_link(find_link_template(editor), Path("/home/a b/site.yaml"), 3, 5) == link


def test_an_unknown_line_is_the_first_and_a_windows_path_begins_with_a_slash() -> None:
    path = cast("Path", PureWindowsPath(r"C:\me\site.yaml"))
    assert (
        format_editor_link(EDITOR_LINK_TEMPLATES["vscode"], path, 0, 0) == "vscode://file/C:/me/site.yaml:1:1"
    )


def test_an_unknown_editor_is_reported_with_the_nearest() -> None:
    with pytest.raises(ValueError, match=r'no editor "vscod"; did you mean "vscode"\?'):
        find_link_template("vscod")


def test_every_editor_is_documented() -> None:
    page = (ROOT / "docs/content/pages/preview.md").read_text(encoding="utf-8")
    for name in EDITOR_LINK_TEMPLATES:
        assert f"`{name}`" in page
