"""Edits change only the characters that they name, with every encoding and line end."""

import codecs
from pathlib import Path

import pytest

from tenure.problems import Edit, Place
from tenure.sources.edits import (
    UneditableError,
    apply_edits,
    plan_changes,
    plan_file_change,
)

FILE = "content/talks.yaml"


def create_edit(line: int, column: int, length: int, text: str) -> tuple[Edit, ...]:
    """Return a repair with one edit."""
    return (Edit(Place(FILE, line, column, length), text),)


@pytest.mark.parametrize(
    ("before", "repairs", "after"),
    [
        ("# x\r\n- school: A\r\n", [create_edit(2, 3, 6, "institution")], "# x\r\n- institution: A\r\n"),
        ("# x\r- school: A\r", [create_edit(2, 3, 6, "institution")], "# x\r- institution: A\r"),
        ('{"school":"A"}', [create_edit(1, 2, 8, "institution")], '{"institution":"A"}'),
        ("{school: A, from: 1}", [create_edit(1, 13, 4, "start"), create_edit(1, 2, 6, "x")], "{x: A, start: 1}"),
        ("- Zürich – 北京: A\n", [create_edit(1, 12, 2, "Beijing")], "- Zürich – Beijing: A\n"),
        ("a: 1\r\n", [create_edit(1, 1, 0, "s: 1\n"), create_edit(1, 1, 1, "b")], "s: 1\r\nb: 1\r\n"),
        ("\r\n\r\n---\r\n", [create_edit(1, 1, 2, "")], "---\r\n"),
    ],
)  # fmt: skip
def test_edits_change_only_their_range(before: str, repairs: list[tuple[Edit, ...]], after: str) -> None:
    assert apply_edits(before, repairs, is_yaml=True) == (after, len(repairs))


@pytest.mark.parametrize(
    ("before", "repair"),
    [
        ("&k school: A", create_edit(1, 1, 9, "institution")),
        ("!!str school: A", create_edit(1, 1, 12, "institution")),
        ("school: A", create_edit(2, 1, 1, "x")),
        ("school: A", create_edit(1, 5, 30, "x")),
        ("school: A", create_edit(0, 0, 0, "x")),
    ],
)
def test_an_edit_that_is_not_certain_is_left_out(before: str, repair: tuple[Edit, ...]) -> None:
    assert apply_edits(before, [repair], is_yaml=True) == (before, 0)


def test_the_first_of_two_overlapping_repairs_is_applied() -> None:
    first = create_edit(1, 1, 6, "x-y")
    second = (*create_edit(1, 4, 2, "z"), *create_edit(1, 9, 1, "B"))
    assert apply_edits("school: A", [second, first], is_yaml=True) == ("x-y: A", 1)


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_a_byte_order_mark_is_preserved(tmp_path: Path, mark: bytes) -> None:
    path = tmp_path / FILE
    path.parent.mkdir()
    path.write_bytes(mark + "- school: Zürich\r\n".encode())
    change = plan_file_change(tmp_path, FILE, [create_edit(1, 3, 6, "institution")])
    assert change.new_bytes == mark + "- institution: Zürich\r\n".encode()
    assert path.read_bytes() == change.old_bytes


def test_a_file_that_is_not_utf_8_is_unchanged(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / FILE).write_bytes(b"- school: Z\xfcrich")
    changes, (refusal,) = plan_changes(tmp_path, [create_edit(1, 3, 6, "institution")])
    assert changes == []
    assert "not certain" in refusal.reason


def test_a_file_with_two_kinds_of_line_ends_is_unchanged() -> None:
    with pytest.raises(UneditableError, match="line ends"):
        apply_edits("a: 1\r\nb: 2\n", [create_edit(1, 1, 1, "x")], is_yaml=True)


def test_a_line_separator_of_unicode_is_no_line_end(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / FILE).write_text("- title: A\u2028B\n- when: 2024\n", encoding="utf-8")
    change = plan_file_change(tmp_path, FILE, [create_edit(2, 3, 4, "date")])
    assert change.new_text == "- title: A\u2028B\n- date: 2024\n"


def test_files_outside_the_site_are_never_edited(tmp_path: Path) -> None:
    site, outside = tmp_path / "site", tmp_path / "outside"
    for folder in (site / "content", site / "vendor", outside):
        folder.mkdir(parents=True)
    (outside / "talks.yaml").write_text("school: A\n", encoding="utf-8")
    (site / FILE).symlink_to(outside / "talks.yaml")
    (site / "bib").symlink_to(outside)
    for name in (
        FILE,
        "bib/talks.yaml",
        "../outside/talks.yaml",
        "content/../../outside/talks.yaml",
        "vendor/a.yaml",
    ):
        repair = (Edit(Place(name, 1, 1, 6), "institution"),)
        changes, (refusal,) = plan_changes(site, [repair])
        assert (changes, refusal.file) == ([], name)


def test_a_read_only_file_is_unchanged(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / FILE).write_text("school: A\n", encoding="utf-8")
    (tmp_path / FILE).chmod(0o444)
    with pytest.raises(UneditableError, match="read-only"):
        plan_file_change(tmp_path, FILE, [create_edit(1, 1, 6, "institution")])
