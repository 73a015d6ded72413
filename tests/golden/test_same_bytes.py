"""Two builds of the same sources, and a build with a cache, give the same bytes; tests/commands compares environments."""

import shutil
from pathlib import Path

from conftest import ROOT

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
    clean = {a.path: a.read() for a in build_site(copy).artifacts}
    for file in (copy / ".cache").glob("*"):
        file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert {a.path: a.read() for a in build_site(copy).artifacts} == clean
