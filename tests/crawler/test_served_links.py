"""One build works in whatever folder of a host it is put, with every link and anchor, as a crawler of others finds."""

import re
from pathlib import Path

import pytest
from conftest import ROOT
from crawl import crawled, served

from tenure.build import build_site
from tenure.cache.store import CacheStore
from tenure.publish import publish_artifacts

EVERYWHERE = ("", "repo", "~ada")


@pytest.mark.parametrize(("name", "places"), [("docs", ("repo",)), ("examples/systems-phd-2026", EVERYWHERE)])
def test_every_link_and_anchor_has_a_target(name: str, places: tuple[str, ...], tmp_path: Path) -> None:
    built = build_site(ROOT / name, store=CacheStore())
    assert not built.has_errors
    for place in places:
        publish_artifacts(built.artifacts, tmp_path / "host" / place if place else tmp_path / "host")
    with served(tmp_path / "host") as home:
        crawl_report = crawled(tmp_path, *(f"{home}/{place}/" if place else f"{home}/" for place in places))
    assert re.search(r"\b0 warnings found. 0 errors found", crawl_report), crawl_report
    pages = [artifact for artifact in built.artifacts if artifact.path.endswith("index.html")]
    checked = re.search(r"(\d+) links in \d+ URLs checked", crawl_report)
    assert checked
    assert int(checked[1]) > len(places) * len(pages)


def test_the_crawler_finds_broken_links(tmp_path: Path) -> None:
    (tmp_path / "host").mkdir()
    (tmp_path / "host/index.html").write_text(
        '<!DOCTYPE html><title>x</title><a href="gone/">x</a>', encoding="utf-8"
    )
    with served(tmp_path / "host") as home:
        assert "1 error found" in crawled(tmp_path, f"{home}/")
