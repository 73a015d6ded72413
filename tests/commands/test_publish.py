"""Publishing into a folder: changed files, our own files, and only complete files."""

import contextlib
import json
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest
from conftest import Patch

from tenure import publish
from tenure.atomic import lock_folder
from tenure.cache.up_to_date import UNFINISHED_NAME
from tenure.cli.build import list_foreign_files
from tenure.publish import MANIFEST_NAME, Artifact, PublishResult, publish_artifacts


def make_artifacts(files: Mapping[str, str] | str) -> list[Artifact]:
    """Return artifacts by path; "a.html=A x/b.html=B" is a mapping."""
    pairs = files.items() if isinstance(files, Mapping) else (word.split("=") for word in files.split())
    return [Artifact(path, content.encode()) for path, content in pairs]


def write_site(folder: Path, files: Mapping[str, str] | str) -> PublishResult:
    return publish_artifacts(make_artifacts(files), folder)


def read_files(folder: Path) -> dict[str, str]:
    """Return the content of every file in a folder except the manifest."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != MANIFEST_NAME
    }


def read_manifest(folder: Path) -> list[str]:
    return list(json.loads((folder / MANIFEST_NAME).read_text())["files"])


def test_assets_are_written_before_pages_in_folders(tmp_path: Path) -> None:
    out = tmp_path / "a" / "output"
    files = {"index.html": "A", "talks/b/index.html": "B", "style.css": "C"}
    assert write_site(out, files) == PublishResult(("style.css", "index.html", "talks/b/index.html"), (), ())
    assert read_files(out) == files
    assert read_manifest(out) == ["index.html", "style.css", "talks/b/index.html"]


def test_a_file_that_is_not_in_memory_is_copied(tmp_path: Path) -> None:
    source = tmp_path / "photo.jpg"
    source.write_bytes(b"\xff\xd8")
    publish_artifacts([Artifact("files/photo.jpg", source)], tmp_path / "output")
    assert (tmp_path / "output/files/photo.jpg").read_bytes() == b"\xff\xd8"


def test_only_what_differs_is_written(tmp_path: Path) -> None:
    """A file that was edited is written again even if its size and its modification time are unchanged."""
    write_site(tmp_path, "a.html=A b.html=B c.html=C d.html=D e.html=E")
    for path in tmp_path.iterdir():
        os.utime(path, ns=(10**18, 10**18))
    (tmp_path / "c.html").write_text("X")
    os.utime(tmp_path / "c.html", ns=(0, 10**18))
    (tmp_path / "d.html").unlink()
    (tmp_path / "e.html").write_text("longer")
    changes = write_site(tmp_path, "a.html=A b.html=BB c.html=C d.html=D e.html=E")
    assert changes == PublishResult(("b.html", "c.html", "d.html", "e.html"), ("a.html",), ())
    assert [*read_files(tmp_path).values()] == ["A", "BB", "C", "D", "E"]
    kept = {path.name for path in tmp_path.glob("*.html") if path.stat().st_mtime_ns == 10**18}
    assert kept == {"a.html"}


def test_our_own_files_and_empty_folders_are_removed(tmp_path: Path) -> None:
    write_site(tmp_path, "a.html=A x/y/b.html=B x/c.html=C")
    assert write_site(tmp_path, "a.html=A x/c.html=C").removed == ("x/y/b.html",)
    assert read_files(tmp_path) == {"a.html": "A", "x/c.html": "C"}
    assert not (tmp_path / "x/y").exists()
    write_site(tmp_path, "a.html=A")
    assert not (tmp_path / "x").exists()
    assert read_manifest(tmp_path) == ["a.html"]


def test_a_foreign_file_is_never_touched(tmp_path: Path) -> None:
    write_site(tmp_path, "a.html=A x/b.html=B")
    (tmp_path / "CNAME").write_text("mine")
    (tmp_path / "x/notes.txt").write_text("mine")
    write_site(tmp_path, "a.html=A")
    write_site(tmp_path, "")
    assert read_files(tmp_path) == {"CNAME": "mine", "x/notes.txt": "mine"}


def test_nothing_is_removed_without_a_manifest(tmp_path: Path) -> None:
    write_site(tmp_path, "a.html=A b.html=B")
    (tmp_path / MANIFEST_NAME).unlink()
    assert write_site(tmp_path, "a.html=A").removed == ()
    assert read_files(tmp_path) == {"a.html": "A", "b.html": "B"}


DAMAGES = [
    "",
    "[" * 9999,
    *'{ | [] | {} | {"files": []} | {"files": null} | "x" | \0 | {"files": {"a.html": 3}}'.split(" | "),
]


@pytest.mark.parametrize("damage", DAMAGES, ids=range(len(DAMAGES)))
def test_a_damaged_manifest_is_ignored(tmp_path: Path, damage: str) -> None:
    write_site(tmp_path, "a.html=A b.html=B")
    (tmp_path / MANIFEST_NAME).write_text(damage)
    write_site(tmp_path, "b.html=B")
    assert read_files(tmp_path)["b.html"] == "B"
    assert read_manifest(tmp_path) == ["b.html"]


OUTSIDE = "../victim | x/../../victim | {root}/victim |  | . | / | x | a\0b | \ud800 | \ud800/x".split(" | ")


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_damaged_manifest_never_points_outside(tmp_path: Path, path: str) -> None:
    (tmp_path / "victim").write_text("safe")
    out = tmp_path / "output"
    write_site(out, "a.html=A x/b.html=B")
    outside = path.format(root=tmp_path)
    (out / MANIFEST_NAME).write_text(json.dumps({"files": {"a.html": "", outside: ""}}))
    assert write_site(out, "a.html=A").removed == ()
    assert (tmp_path / "victim").read_text() == "safe"
    assert read_files(out) == {"a.html": "A", "x/b.html": "B"}


@pytest.mark.parametrize("after", range(6))
def test_a_failure_leaves_whole_files_and_is_repaired(tmp_path: Path, monkeypatch: Patch, after: int) -> None:
    old = make_artifacts("a.html=A b.css=B gone.html=G")
    new = make_artifacts("a.html=AA b.css=BB new/c.html=C")
    publish_artifacts(old, tmp_path)
    left, replace = after, Path.replace

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
    whole = {(artifact.path, artifact.read().decode()) for artifact in (*old, *new)}
    assert {*read_files(tmp_path).items()} <= whole
    assert publish.find_foreign_files(new, tmp_path) == ()
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
    write_site(out, "a.html=A b.html=B")
    (tmp_path / "folder").mkdir()
    unreadable = [Artifact("b.html", tmp_path / name)]
    if name == "b.html":
        (out / "b.html").unlink()
        (out / "b.html").mkdir()
        unreadable = make_artifacts("b.html=BB")
    with pytest.raises(OSError, match=name) as error:
        publish_artifacts([*make_artifacts("a.html=AA"), *unreadable], out)
    assert Path(error.value.filename).name == name
    assert read_files(out)["a.html"] == "A"
    assert not (out / UNFINISHED_NAME).exists()


@pytest.fixture
def steps(monkeypatch: Patch) -> list[str]:
    """Return the list of files that are written or removed from now on, except the manifest and temporary files."""
    order: list[str] = []
    replace, unlink = Path.replace, Path.unlink

    def record_replacement(self: Path, target: Path) -> Path:
        order.extend([] if target.name.startswith(".") else [f"write {target.name}"])
        return replace(self, target)

    def record_removal(self: Path, *, missing_ok: bool = False) -> None:
        order.extend([] if self.name.startswith(".") else [f"remove {self.name}"])
        unlink(self, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "replace", record_replacement)
    monkeypatch.setattr(Path, "unlink", record_removal)
    return order


def test_pages_are_written_after_what_they_need_and_before_removals(tmp_path: Path, steps: list[str]) -> None:
    write_site(tmp_path, "a.html=A old.css=O")
    steps.clear()
    write_site(tmp_path, "a.html=B new.css=N feed.xml=F sitemap.xml=S z.png=Z")
    written = map("write {}".format, "new.css z.png a.html feed.xml sitemap.xml".split())
    assert steps == [*written, "remove old.css"]


def test_a_file_of_another_case_goes_before_the_new_one_is_written(tmp_path: Path, steps: list[str]) -> None:
    """On a file system that ignores case, removing the old name afterwards would remove the new file."""
    write_site(tmp_path, "Notes.html=A")
    steps.clear()
    write_site(tmp_path, "notes.html=B")
    assert steps == ["remove Notes.html", "write notes.html"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"notes": "A"}, {"notes/index.html": "B"}),
        ({"notes/index.html": "A", "notes/b.html": "B"}, {"notes": "C"}),
        ({"x/notes": "A"}, {"x/notes/y/z.html": "B"}),
        ({"Notes.html": "A"}, {"notes.html": "B"}),
    ],
)
def test_a_file_can_replace_a_folder(tmp_path: Path, before: dict[str, str], after: dict[str, str]) -> None:
    write_site(tmp_path, before)
    assert {*write_site(tmp_path, after).removed} == {*before}
    assert read_files(tmp_path) == after


def test_a_name_can_contain_any_character(tmp_path: Path) -> None:
    paths = ["files/Talk: part 1.pdf", "files/C:x", "a b/ü\\ö.txt", "files/\udce4.txt"]
    write_site(tmp_path, dict.fromkeys(paths, "A"))
    changed = make_artifacts(dict.fromkeys(paths, "B"))
    assert publish.find_foreign_files(changed, tmp_path) == ()
    assert len(publish_artifacts(changed, tmp_path).written) == 4
    assert len(write_site(tmp_path, "").removed) == 4


def test_no_symlink_in_the_output_is_followed(tmp_path: Path) -> None:
    out, outside = tmp_path / "output", tmp_path / "elsewhere"
    outside.mkdir()
    (outside / "a.html").write_text("mine")
    write_site(out, "a.html=A talks/a.html=A")
    (out / "talks/a.html").unlink()
    (out / "talks").rmdir()
    (out / "talks").symlink_to(outside)
    expected = make_artifacts("talks/a.html=A talks/new/b.html=B")
    assert publish.find_foreign_files(expected, out) == ("talks",)
    with pytest.raises(OSError, match="points outside"):
        publish_artifacts(expected, out)
    (out / "a.html").unlink()
    (out / "a.html").symlink_to(outside / "a.html")
    changes = write_site(out, "a.html=A")
    assert (changes.written, changes.removed) == (("a.html",), ())
    assert not (out / "a.html").is_symlink(), "the link is replaced, and not its target"
    assert read_files(outside) == {"a.html": "mine"}


def test_the_output_folder_may_be_a_symlink(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "output").symlink_to(tmp_path / "real")
    write_site(tmp_path / "output", "x/a.html=A")
    assert read_files(tmp_path / "real") == {"x/a.html": "A"}


def test_foreign_files_are_those_that_we_did_not_write(tmp_path: Path) -> None:
    write_site(tmp_path, "ours.html=A")
    (tmp_path / "theirs.html").write_text("theirs")
    (tmp_path / "same.html").write_text("S")
    (tmp_path / "link.html").symlink_to("nowhere")
    expected = make_artifacts("ours.html=B theirs.html=T same.html=S link.html=L new.html=N")
    assert publish.find_foreign_files(expected, tmp_path) == ("theirs.html", "link.html")
    assert publish.find_foreign_files(expected, tmp_path / "new folder") == ()


def test_clashing_paths_are_found() -> None:
    clashes = {
        ("a.html", "b.html"): [],
        ("a.html", "a.html"): [("a.html", "a.html")],
        ("a.html", "A.HTML"): [("a.html", "A.HTML")],
        ("é.html", "e\u0301.html"): [("é.html", "e\u0301.html")],
        ("straße/a", "STRASSE/A"): [("straße/a", "STRASSE/A")],
        ("talks", "talks/index.html"): [("talks", "talks/index.html")],
        ("talks/index.html", "Talks"): [("Talks", "talks/index.html")],
        ("a/b/c", "a"): [("a", "a/b/c")],
        ("talks.html", "talks/index.html"): [],
        ("a", "a", "a"): [("a", "a"), ("a", "a")],
    }
    actual = {paths: publish.find_path_clashes(Artifact(path, b"") for path in paths) for paths in clashes}
    assert {paths: [(a.path, b.path) for a, b in pairs] for paths, pairs in actual.items()} == clashes


def test_names_reserved_by_windows_are_detected() -> None:
    refused = ["projects/con/index.html", "AUX/index.html", "files/nul.txt", "com1/index.html", "lpt9.pdf"]
    refused += ["files/notes./a.pdf", "files/trailing /a.pdf", "files/a:b.pdf", "files/what?.pdf"]
    allowed = "concert/index.html auxiliary/nullable/index.html com10/index.html .well-known/x talks/index.html".split()
    assert publish.find_windows_reserved_paths([*refused, *allowed]) == refused


def test_files_of_a_process_that_is_writing_are_not_foreign(tmp_path: Path) -> None:
    """The first build of another process into the same folder: its manifest is written last."""
    (tmp_path / "index.html").write_text("theirs", "utf-8")
    artifacts = make_artifacts("index.html=ours")
    with ThreadPoolExecutor() as pool:
        with lock_folder(tmp_path):
            foreign_files = pool.submit(publish.find_foreign_files, artifacts, tmp_path)
            foreign_names = pool.submit(list_foreign_files, tmp_path)
            wait([foreign_files], timeout=0.3)
            (tmp_path / MANIFEST_NAME).write_text('{"files": {"index.html": ""}}', "utf-8")
        assert (foreign_files.result(), foreign_names.result()) == ((), [])


def test_a_large_file_is_copied_without_reading_it_as_a_whole(tmp_path: Path, monkeypatch: Patch) -> None:
    source, out, read_bytes = tmp_path / "data.bin", tmp_path / "out", Path.read_bytes

    def refuse_large_file(path: Path) -> bytes:
        assert path.suffix != ".bin"
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", refuse_large_file)
    monkeypatch.setattr(publish, "PIECE_SIZE", 10)
    for content in ("a" * 95, "a" * 94 + "b", "a" * 100, ""):
        source.write_text(content, "utf-8")
        assert publish.find_foreign_files([Artifact("data.bin", source)], out) == ()
        assert publish_artifacts([Artifact("data.bin", source)], out).written == ("data.bin",)
        assert (out / "data.bin").read_text("utf-8") == content
        assert publish_artifacts([Artifact("data.bin", source)], out).unchanged == ("data.bin",)


def test_a_file_that_another_program_has_open_is_removed_later(tmp_path: Path, monkeypatch: Patch) -> None:
    def refuse_removal(*_: object, **__: object) -> None:
        raise PermissionError(13, "Access is denied")

    write_site(tmp_path, "a.html=A talks/b.html=B")
    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", refuse_removal)
        assert write_site(tmp_path, "a.html=A").removed == ()
    assert "talks/b.html" in read_files(tmp_path)
    assert write_site(tmp_path, "a.html=A").removed == ("talks/b.html",)
    assert not (tmp_path / "talks").exists()
