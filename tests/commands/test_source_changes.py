"""Edits change only the characters that they name, with every encoding and line end, and only in sources of the site."""

import codecs
from pathlib import Path

import pytest
from conftest import Capture, Make, Patch

from tenure.cli import targets
from tenure.cli.app import main
from tenure.problems import Edit, Place
from tenure.sources.editing.edits import apply_edits, plan_changes, plan_file_change

FILE = "content/talks.yaml"
Change = tuple[int, int, int, str]


def create_repairs(*changes: Change, file: str = FILE) -> list[tuple[Edit, ...]]:
    """Return repairs with one edit each: its line, its column, its length and the new text."""
    return [(Edit(Place(file, line, column, length), text),) for line, column, length, text in changes]


@pytest.mark.parametrize(
    ("before", "changes", "after"),
    [
        ("# x\r\n- school: A\r\n", [(2, 3, 6, "institution")], "# x\r\n- institution: A\r\n"),
        ("a: 1\nb: 2\nc: 3\n", [(3, 1, 1, "third"), (2, 1, 1, "second")], "a: 1\nsecond: 2\nthird: 3\n"),
        ('{"school":"A"}', [(1, 2, 8, "institution")], '{"institution":"A"}'),
        ("{school: A, from: 1}", [(1, 13, 4, "start"), (1, 2, 6, "x")], "{x: A, start: 1}"),
        ("- Zürich – 北京: A\n", [(1, 12, 2, "Beijing")], "- Zürich – Beijing: A\n"),
        ("a: 1\r\n", [(1, 1, 0, "s: 1\n"), (1, 1, 1, "b")], "s: 1\r\nb: 1\r\n"),
        ("\n\n---\nx: 1\n", [(1, 1, 2, "")], "---\nx: 1\n"),
        ("&k school: A", [(1, 1, 9, "institution")], "&k school: A"),
        ("school: A", [(1, 5, 30, "x"), (2, 1, 1, "x"), (0, 0, 0, "x")], "school: A"),
    ],
)
def test_edits_change_only_their_range(before: str, changes: list[Change], after: str) -> None:
    count = len(changes) if before != after else 0
    assert apply_edits(before, create_repairs(*changes), is_yaml=True) == (after, count)


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_a_byte_order_mark_is_preserved(tmp_path: Path, mark: bytes) -> None:
    path = tmp_path / FILE
    path.parent.mkdir()
    path.write_bytes(mark + "- school: Zürich\r\n".encode())
    change = plan_file_change(tmp_path, FILE, create_repairs((1, 3, 6, "institution")))
    assert change.new_bytes == mark + "- institution: Zürich\r\n".encode()
    assert path.read_bytes() == change.old_bytes


def test_files_outside_the_site_and_in_other_encodings_are_never_edited(tmp_path: Path) -> None:
    site, outside = tmp_path / "site", tmp_path / "outside"
    for folder in (site / "content", site / "vendor", outside):
        folder.mkdir(parents=True)
    (outside / "talks.yaml").write_text("school: A\n", "utf-8")
    (site / "content/latin.yaml").write_bytes(b"school: Z\xfcrich")
    (site / FILE).symlink_to(outside / "talks.yaml")
    (site / "bib").symlink_to(outside)
    for name in (FILE, "bib/talks.yaml", "../outside/talks.yaml", "vendor/a.yaml", "content/latin.yaml"):
        changes, (refusal,) = plan_changes(site, create_repairs((1, 1, 6, "institution"), file=name))
        assert (changes, refusal.file) == ([], name)


def test_a_file_saved_during_the_check_is_unchanged(site: Make, monkeypatch: Patch, capsys: Capture) -> None:
    root, build = site("-- content/talks.yaml --\n- title: Caches: a view\n").root, targets.build_site

    def build_then_save(*arguments: object) -> object:
        built = build(*arguments)  # type: ignore[arg-type]
        (root / FILE).write_text("- title: Caches: yours\n", "utf-8")
        return built

    monkeypatch.setattr("tenure.cli.source_changes.build_site", build_then_save)
    assert main(["check", "--fix"], folder=root) == 2
    assert "has changed since it was read" in capsys.readouterr().err
