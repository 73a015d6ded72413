"""One build works in whatever folder of a host it is put, with every link and anchor, as a crawler of others finds."""

import re
from pathlib import Path

import pytest
from conftest import ROOT
from crawled import crawled, served

from tenure.build import build_site
from tenure.cache.store import CacheStore
from tenure.publish import publish_artifacts

EVERYWHERE = ("", "repo", "~ada")


@pytest.mark.parametrize(("name", "places"), [("docs", ("repo",)), ("examples/systems-phd-2026", EVERYWHERE)])
def test_every_link_and_anchor_leads_somewhere(name: str, places: tuple[str, ...], tmp_path: Path) -> None:
    made = build_site(ROOT / name, store=CacheStore())
    assert not made.has_errors
    for place in places:
        publish_artifacts(made.artifacts, tmp_path / "host" / place if place else tmp_path / "host")
    with served(tmp_path / "host") as home:
        said = crawled(tmp_path, *(f"{home}/{place}/" if place else f"{home}/" for place in places))
    assert re.search(r"\b0 warnings found. 0 errors found", said), said
    pages = [artifact for artifact in made.artifacts if artifact.path.endswith("index.html")]
    checked = re.search(r"(\d+) links in \d+ URLs checked", said)
    assert checked
    assert int(checked[1]) > len(places) * len(pages)


def test_the_crawler_finds_what_is_broken(tmp_path: Path) -> None:
    (tmp_path / "host").mkdir()
    (tmp_path / "host/index.html").write_text(
        '<!DOCTYPE html><title>x</title><a href="gone/">x</a>', encoding="utf-8"
    )
    with served(tmp_path / "host") as home:
        assert "1 error found" in crawled(tmp_path, f"{home}/")
