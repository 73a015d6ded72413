"""Publishing into a folder: changed files, our own files, and only complete files."""

import contextlib
import json
import os
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest

from tenure import publish
from tenure.atomic import lock_folder
from tenure.cache.up_to_date import UNFINISHED_NAME
from tenure.cli.build import list_foreign_files
from tenure.publish import (
    MANIFEST_NAME,
    Artifact,
    PublishResult,
    find_foreign_files,
    find_path_clashes,
    publish_artifacts,
)


def make_artifacts(**files: str) -> list[Artifact]:
    """Return artifacts by path; "__" stands for a slash and "_" for a dot: index_html, talks__index_html."""
    return [Artifact(_decode_path(name), content.encode()) for name, content in files.items()]


def _decode_path(name: str) -> str:
    return name.replace("__", "/").replace("_", ".")


def read_files(folder: Path) -> dict[str, str]:
    """Return the content of every file in a folder except the manifest."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != MANIFEST_NAME
    }


def read_manifest(folder: Path) -> list[str]:
    return list(json.loads((folder / MANIFEST_NAME).read_text())["files"])


def age_files(folder: Path) -> dict[str, int]:
    """Set the modification time of every file to a fixed one; return the times by path."""
    for path in folder.rglob("*"):
        os.utime(path, ns=(10**18, 10**18))
    return read_times(folder)


def read_times(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def test_a_file_that_was_changed_is_written_again(tmp_path: Path) -> None:
    """The file is written again even if its size and its modification time are unchanged."""
    publish_artifacts(make_artifacts(a_html="A", b_html="B"), tmp_path)
    before = (tmp_path / "b.html").stat().st_mtime_ns
    (tmp_path / "b.html").write_text("X")
    os.utime(tmp_path / "b.html", ns=(0, before))
    assert publish_artifacts(make_artifacts(a_html="A", b_html="B"), tmp_path).written == ("b.html",)
    assert read_files(tmp_path) == {"a.html": "A", "b.html": "B"}


def test_writes_files_in_folders(tmp_path: Path) -> None:
    out = tmp_path / "a" / "output"
    changes = publish_artifacts(make_artifacts(index_html="A", talks__b__index_html="B", style_css="C"), out)
    assert changes == PublishResult(
        ("style.css", "index.html", "talks/b/index.html"), (), ()
    )  # assets before pages
    assert read_files(out) == {"index.html": "A", "talks/b/index.html": "B", "style.css": "C"}
    assert read_manifest(out) == ["index.html", "style.css", "talks/b/index.html"]


def test_copies_a_file_that_is_not_in_memory(tmp_path: Path) -> None:
    source = tmp_path / "photo.jpg"
    source.write_bytes(b"\xff\xd8")
    publish_artifacts([Artifact("files/photo.jpg", source)], tmp_path / "output")
    assert (tmp_path / "output/files/photo.jpg").read_bytes() == b"\xff\xd8"


def test_writes_only_what_differs(tmp_path: Path) -> None:
    publish_artifacts(make_artifacts(a_html="A", b_html="B"), tmp_path)
    before = age_files(tmp_path)
    changes = publish_artifacts(make_artifacts(a_html="A", b_html="C"), tmp_path)
    assert changes == PublishResult(("b.html",), ("a.html",), ())
    assert read_times(tmp_path)["a.html"] == before["a.html"]
    assert read_times(tmp_path)["b.html"] != before["b.html"]


def test_writes_again_what_was_edited_or_deleted(tmp_path: Path) -> None:
    publish_artifacts(make_artifacts(a_html="A", b_html="B"), tmp_path)
    (tmp_path / "a.html").write_text("X")
    (tmp_path / "b.html").unlink()
    assert publish_artifacts(make_artifacts(a_html="A", b_html="B"), tmp_path).written == ("a.html", "b.html")
    assert read_files(tmp_path) == {"a.html": "A", "b.html": "B"}


def test_removes_its_own_files_and_empty_folders(tmp_path: Path) -> None:
    publish_artifacts(make_artifacts(a_html="A", x__y__b_html="B", x__c_html="C"), tmp_path)
    assert publish_artifacts(make_artifacts(a_html="A", x__c_html="C"), tmp_path).removed == ("x/y/b.html",)
    assert read_files(tmp_path) == {"a.html": "A", "x/c.html": "C"}
    assert not (tmp_path / "x/y").exists()
    publish_artifacts(make_artifacts(a_html="A"), tmp_path)
    assert not (tmp_path / "x").exists()
    assert read_manifest(tmp_path) == ["a.html"]


def test_never_touches_a_foreign_file(tmp_path: Path) -> None:
    publish_artifacts(make_artifacts(a_html="A", x__b_html="B"), tmp_path)
    (tmp_path / "CNAME").write_text("mine")
    (tmp_path / "x/notes.txt").write_text("mine")
    publish_artifacts(make_artifacts(a_html="A"), tmp_path)
    publish_artifacts([], tmp_path)
    assert read_files(tmp_path) == {"CNAME": "mine", "x/notes.txt": "mine"}


def test_removes_nothing_without_a_manifest(tmp_path: Path) -> None:
    publish_artifacts(make_artifacts(a_html="A", b_html="B"), tmp_path)
    (tmp_path / MANIFEST_NAME).unlink()
    assert publish_artifacts(make_artifacts(a_html="A"), tmp_path).removed == ()
    assert read_files(tmp_path) == {"a.html": "A", "b.html": "B"}


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"files": []}',
        '{"files": null}',
        '"x"',
        "\x00",
        "[" * 10_000,
        '{"files": {"a.html": 3}}',
    ],
)
def test_a_damaged_manifest_is_ignored(tmp_path: Path, damage: str) -> None:
    publish_artifacts(make_artifacts(a_html="A", b_html="B"), tmp_path)
    (tmp_path / MANIFEST_NAME).write_text(damage)
    publish_artifacts(make_artifacts(b_html="B"), tmp_path)
    assert read_files(tmp_path)["b.html"] == "B"
    assert read_manifest(tmp_path) == ["b.html"]


@pytest.mark.parametrize(
    "path",
    ["../victim", "x/../../victim", "{root}/victim", "", ".", "/", "x", "a\x00b", "\ud800", "\ud800/x"],
)
def test_a_damaged_manifest_never_points_outside(tmp_path: Path, path: str) -> None:
    (tmp_path / "victim").write_text("safe")
    out = tmp_path / "output"
    publish_artifacts(make_artifacts(a_html="A", x__b_html="B"), out)
    outside = path.format(root=tmp_path)
    (out / MANIFEST_NAME).write_text(json.dumps({"files": {"a.html": "", outside: ""}}))
    assert publish_artifacts(make_artifacts(a_html="A"), out).removed == ()
    assert (tmp_path / "victim").read_text() == "safe"
    assert read_files(out) == {"a.html": "A", "x/b.html": "B"}


@pytest.mark.parametrize("after", range(6))
def test_a_failure_leaves_whole_files_and_the_next_run_repairs_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    old, new = (
        make_artifacts(a_html="A", b_css="B", gone_html="G"),
        make_artifacts(a_html="AA", b_css="BB", new__c_html="C"),
    )
    publish_artifacts(old, tmp_path)
    left = after
    replace = Path.replace

    def fail_later(self: Path, target: Path) -> Path:
        nonlocal left
        left -= 1
        if left < 0:
            raise PermissionError("locked")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", fail_later)
    with pytest.raises(PermissionError, match="locked") if after < 5 else contextlib.nullcontext():
        publish_artifacts(new, tmp_path)  # renames the manifest, three files, the manifest
    monkeypatch.undo()
    whole = {artifact.path: artifact.read().decode() for artifact in [*old, *new]}
    left_files = read_files(tmp_path)
    assert all(left_files[path] in {whole[path], "A", "B"} for path in left_files)
    assert find_foreign_files(new, tmp_path) == ()
    publish_artifacts(new, tmp_path)
    assert read_files(tmp_path) == {artifact.path: artifact.read().decode() for artifact in new}
    assert sorted(read_manifest(tmp_path)) == sorted(read_files(tmp_path))


@pytest.mark.parametrize("path", ["../x", "/x", "a/../../x", "a\0b"])
def test_no_artifact_is_written_outside_the_folder(tmp_path: Path, path: str) -> None:
    with pytest.raises(ValueError, match="not inside"):
        publish_artifacts([Artifact(path, b"X")], tmp_path / "output")
    assert read_files(tmp_path) == {}


@pytest.mark.parametrize("name", ["gone", "folder", "b.html"])
def test_nothing_is_written_if_a_file_cannot_be_read_or_replaced(tmp_path: Path, name: str) -> None:
    out = tmp_path / "output"
    publish_artifacts(make_artifacts(a_html="A", b_html="B"), out)
    (tmp_path / "folder").mkdir()
    unreadable = [Artifact("b.html", tmp_path / name)]
    if name == "b.html":
        (out / "b.html").unlink()
        (out / "b.html").mkdir()
        unreadable = make_artifacts(b_html="BB")
    with pytest.raises(OSError, match=name) as error:
        publish_artifacts([*make_artifacts(a_html="AA"), *unreadable], out)
    assert Path(error.value.filename).name == name
    assert read_files(out)["a.html"] == "A"
    assert not (out / UNFINISHED_NAME).exists()


def test_a_page_is_never_published_before_its_assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    replace, unlink = Path.replace, Path.unlink

    def record_replacement(self: Path, target: Path) -> Path:
        order.append(f"write {target.name}")
        return replace(self, target)

    def record_removal(self: Path, *, missing_ok: bool = False) -> None:
        order.append(f"remove {self.name}")
        unlink(self, missing_ok=missing_ok)

    publish_artifacts(make_artifacts(a_html="A", old_css="O"), tmp_path)
    monkeypatch.setattr(Path, "replace", record_replacement)
    monkeypatch.setattr(Path, "unlink", record_removal)
    publish_artifacts(make_artifacts(a_html="B", new_css="N"), tmp_path)
    names = ["new.css", "a.html", "old.css"]
    assert [step for step in order if step.split()[1] in names] == [
        "write new.css",
        "write a.html",
        "remove old.css",
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"notes": "A"}, {"notes__index_html": "B"}),
        ({"notes__index_html": "A", "notes__b_html": "B"}, {"notes": "C"}),
        ({"x__notes": "A"}, {"x__notes__y__z_html": "B"}),
        ({"Notes_html": "A"}, {"notes_html": "B"}),
    ],
)
def test_a_file_can_replace_a_removed_folder(
    tmp_path: Path, before: dict[str, str], after: dict[str, str]
) -> None:
    publish_artifacts(make_artifacts(**before), tmp_path)
    changes = publish_artifacts(make_artifacts(**after), tmp_path)
    assert read_files(tmp_path) == {_decode_path(name): content for name, content in after.items()}
    assert set(changes.removed) == {_decode_path(name) for name in before}


def test_a_file_of_another_case_is_removed_before_the_new_one_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a file system that ignores case, removing the old name afterwards would remove the new file."""
    order: list[str] = []
    publish_artifacts(make_artifacts(Notes_html="A"), tmp_path)
    unlink = Path.unlink

    def record_removal_and_notes(self: Path, *, missing_ok: bool = False) -> None:
        order.append(f"{self.name} {(tmp_path / 'notes.html').exists()}")
        unlink(self, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", record_removal_and_notes)
    publish_artifacts(make_artifacts(notes_html="B"), tmp_path)
    assert order == ["Notes.html False"]


def test_a_name_can_contain_any_character(tmp_path: Path) -> None:
    paths = ["files/Talk: part 1.pdf", "files/C:x", "a b/ü\\ö.txt", "files/\udce4.txt"]
    publish_artifacts([Artifact(path, b"A") for path in paths], tmp_path)
    changed = [Artifact(path, b"B") for path in paths]
    assert find_foreign_files(changed, tmp_path) == ()
    assert len(publish_artifacts(changed, tmp_path).written) == 4
    assert len(publish_artifacts([], tmp_path).removed) == 4


@pytest.fixture
def outside_folder(tmp_path: Path) -> Path:
    """Create a folder outside the output with a file that is not ours."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "a.html").write_text("mine")
    return folder


def test_a_symlink_to_a_folder_is_not_followed(tmp_path: Path, outside_folder: Path) -> None:
    out = tmp_path / "output"
    out.mkdir()
    (out / "talks").symlink_to(outside_folder)
    expected = make_artifacts(talks__a_html="A", talks__new__b_html="B")
    assert find_foreign_files(expected, out) == ("talks/a.html", "talks")
    with pytest.raises(OSError, match="points outside"):
        publish_artifacts(expected, out)
    assert read_files(outside_folder) == {"a.html": "mine"}


def test_nothing_is_removed_through_a_symlink(tmp_path: Path, outside_folder: Path) -> None:
    out = tmp_path / "output"
    publish_artifacts(make_artifacts(talks__a_html="A"), out)
    (out / "talks/a.html").unlink()
    (out / "talks").rmdir()
    (out / "talks").symlink_to(outside_folder)
    assert publish_artifacts([], out).removed == ()
    assert read_files(outside_folder) == {"a.html": "mine"}


def test_a_symlink_in_place_of_our_file_is_replaced_but_not_its_target(
    tmp_path: Path, outside_folder: Path
) -> None:
    out = tmp_path / "output"
    publish_artifacts(make_artifacts(a_html="A"), out)
    (out / "a.html").unlink()
    (out / "a.html").symlink_to(outside_folder / "a.html")
    assert publish_artifacts(make_artifacts(a_html="A"), out).written == ("a.html",)
    assert not (out / "a.html").is_symlink()
    assert read_files(outside_folder) == {"a.html": "mine"}


def test_the_output_folder_may_be_a_symlink(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "output").symlink_to(tmp_path / "real")
    publish_artifacts(make_artifacts(x__a_html="A"), tmp_path / "output")
    assert read_files(tmp_path / "real") == {"x/a.html": "A"}


def test_foreign_files_are_those_that_we_did_not_write(tmp_path: Path) -> None:
    publish_artifacts(make_artifacts(ours_html="A"), tmp_path)
    (tmp_path / "theirs.html").write_text("theirs")
    (tmp_path / "same.html").write_text("S")
    (tmp_path / "link.html").symlink_to("nowhere")
    expected = make_artifacts(ours_html="B", theirs_html="T", same_html="S", link_html="L", new_html="N")
    assert find_foreign_files(expected, tmp_path) == ("theirs.html", "link.html")
    assert find_foreign_files(expected, tmp_path / "new folder") == ()


@pytest.mark.parametrize(
    ("paths", "pairs"),
    [
        (["a.html", "b.html"], []),
        (["a.html", "a.html"], [("a.html", "a.html")]),
        (["a.html", "A.HTML"], [("a.html", "A.HTML")]),
        (["é.html", "e\u0301.html"], [("é.html", "e\u0301.html")]),
        (["straße/a", "STRASSE/A"], [("straße/a", "STRASSE/A")]),
        (["talks", "talks/index.html"], [("talks", "talks/index.html")]),
        (["talks/index.html", "Talks"], [("Talks", "talks/index.html")]),
        (["a/b/c", "a"], [("a", "a/b/c")]),
        (["talks.html", "talks/index.html"], []),
        (["a", "a", "a"], [("a", "a"), ("a", "a")]),
    ],
)
def test_clashing_paths_are_found(paths: list[str], pairs: list[tuple[str, str]]) -> None:
    actual = find_path_clashes(Artifact(path, b"") for path in paths)
    assert [(first.path, second.path) for first, second in actual] == pairs


def test_files_of_a_process_that_is_writing_are_not_foreign(tmp_path: Path) -> None:
    """The first build of another process into the same folder: its manifest is written last."""
    (tmp_path / "index.html").write_text("theirs", encoding="utf-8")
    artifacts = make_artifacts(index_html="ours")
    with ThreadPoolExecutor() as pool:
        with lock_folder(tmp_path):
            foreign_files = pool.submit(find_foreign_files, artifacts, tmp_path)
            foreign_names = pool.submit(list_foreign_files, tmp_path)
            wait([foreign_files], timeout=0.3)
            (tmp_path / MANIFEST_NAME).write_text('{"files": {"index.html": ""}}', encoding="utf-8")
        assert (foreign_files.result(), foreign_names.result()) == ((), [])


def test_a_large_file_is_copied_without_reading_it_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, out = tmp_path / "data.bin", tmp_path / "out"
    read_bytes = Path.read_bytes

    def refuse_large_file(path: Path) -> bytes:
        assert path.suffix != ".bin"
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", refuse_large_file)
    monkeypatch.setattr(publish, "PIECE_SIZE", 10)
    for content in ("a" * 95, "a" * 94 + "b", "a" * 100, ""):
        source.write_text(content, encoding="utf-8")
        assert find_foreign_files([Artifact("data.bin", source)], out) == ()
        assert publish_artifacts([Artifact("data.bin", source)], out).written == ("data.bin",)
        assert (out / "data.bin").read_text(encoding="utf-8") == content
        assert publish_artifacts([Artifact("data.bin", source)], out).unchanged == ("data.bin",)


def test_a_file_that_another_program_has_open_is_removed_by_the_next_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse_removal(*_: object, **__: object) -> None:
        raise PermissionError("in use")

    publish_artifacts(make_artifacts(a_html="A", b_html="B"), tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", refuse_removal)
        publish_artifacts(make_artifacts(a_html="A"), tmp_path)
    assert "b.html" in read_files(tmp_path)
    publish_artifacts(make_artifacts(a_html="A"), tmp_path)
    assert "b.html" not in read_files(tmp_path)


def test_the_feed_and_the_sitemap_are_written_with_the_pages_after_what_they_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    replace = Path.replace

    def record_name(self: Path, target: Path) -> Path:
        written.append(target.name)
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", record_name)
    publish_artifacts(make_artifacts(a_html="A", b_css="B", feed_xml="F", z_png="Z"), tmp_path)
    assert [name for name in written if not name.startswith(".")] == ["b.css", "z.png", "a.html", "feed.xml"]
