"""Two builds of the same sources, and a build with a cache, give the same bytes; tests/commands compares environments."""

import shutil
from pathlib import Path

from conftest import ROOT, read_artifacts, write_files

from tenure.build import build_site
from tenure.cache.store import CacheStore
from tenure.publish import publish_artifacts

EXAMPLE = ROOT / "examples" / "systems-phd-2026"


def test_second_publication_writes_nothing(tmp_path: Path) -> None:
    store = CacheStore(tmp_path / ".cache")
    first = publish_artifacts(build_site(EXAMPLE, store=store).artifacts, tmp_path / "output")
    second = publish_artifacts(build_site(EXAMPLE, store=store).artifacts, tmp_path / "output")
    assert first.written
    assert second.written == ()
    assert second.removed == ()
    assert sorted(second.unchanged) == sorted(first.written)


def test_a_cached_build_equals_a_clean_build(tmp_path: Path) -> None:
    copy = tmp_path / "site"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns("output", ".cache"))
    clean = read_artifacts(build_site(copy))
    for file in (copy / ".cache").glob("*"):
        file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert read_artifacts(build_site(copy)) == clean


def test_links_follow_a_page_that_moves(tmp_path: Path) -> None:
    """A converted text in the cache does not keep the address of the page that it links to."""
    store = CacheStore(tmp_path / "memo")
    page = "-- content/pages/one.md --\n[two](tape.md).\n"
    write_files(tmp_path, f"-- content/profile.yaml --\nname: Ada\n{page}")
    for name in ("tape", "dappling"):
        write_files(tmp_path, f"-- content/projects/tape.md --\n---\ntitle: Tape\nid: {name}\n---\nA tape.\n")
        built = build_site(tmp_path, store=store)
        store.save()
        (page,) = (a.read().decode() for a in built.artifacts if a.path == "one/index.html")
        assert f'<a href="../projects/{name}/">two</a>' in page
