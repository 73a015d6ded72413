"""One build works in every folder of a host, with every link and anchor, as an independent crawler reports."""

import re
from pathlib import Path

import pytest
from conftest import ROOT
from crawl import check_links, serve_folder

from tenure.build import build_site
from tenure.cache.store import CacheStore
from tenure.publish import publish_artifacts

pytestmark = pytest.mark.scheduled
EVERYWHERE = ("", "repo", "~ada")


def test_every_link_and_anchor_has_a_target(tmp_path: Path) -> None:
    """The repository's workflow runs the same test for the documentation and all examples."""
    built = build_site(ROOT / "examples/systems-phd-2026", store=CacheStore())
    assert not built.has_errors
    for place in EVERYWHERE:
        publish_artifacts(built.artifacts, tmp_path / "host" / place if place else tmp_path / "host")
    with serve_folder(tmp_path / "host") as home:
        crawl_report = check_links(
            tmp_path, *(f"{home}/{place}/" if place else f"{home}/" for place in EVERYWHERE)
        )
    assert re.search(r"\b0 warnings found. 0 errors found", crawl_report), crawl_report
    pages = [artifact for artifact in built.artifacts if artifact.path.endswith("index.html")]
    checked = re.search(r"(\d+) links in \d+ URLs checked", crawl_report)
    assert checked
    assert int(checked[1]) > len(EVERYWHERE) * len(pages)


def test_the_links_of_a_site_with_two_languages_have_targets(tmp_path: Path) -> None:
    """Each page links to the same page in the other language, in every folder of a host."""
    built = build_site(ROOT / "examples/group", store=CacheStore())
    assert built.problems == ()
    for place in ("", "repo"):
        publish_artifacts(built.artifacts, tmp_path / "host" / place if place else tmp_path / "host")
    with serve_folder(tmp_path / "host") as home:
        crawl_report = check_links(tmp_path, f"{home}/", f"{home}/repo/")
    assert re.search(r"\b0 warnings found. 0 errors found", crawl_report), crawl_report
    checked = re.search(r"(\d+) links in (\d+) URLs checked", crawl_report)
    assert checked
    pages = [artifact for artifact in built.artifacts if artifact.path.endswith("index.html")]
    assert len([page for page in pages if page.path.startswith("de/")]) == len(pages) / 2
    assert int(checked[2]) >= 2 * len(pages)


def test_the_crawler_finds_broken_links(tmp_path: Path) -> None:
    (tmp_path / "host").mkdir()
    (tmp_path / "host/index.html").write_text(
        '<!DOCTYPE html><title>x</title><a href="gone/">x</a>', encoding="utf-8"
    )
    with serve_folder(tmp_path / "host") as home:
        assert "1 error found" in check_links(tmp_path, f"{home}/")
