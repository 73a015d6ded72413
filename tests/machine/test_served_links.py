"""One build works in every folder of a host, with every link and anchor, as an independent crawler reports."""

import re
from pathlib import Path

import pytest
from conftest import ROOT, write_files
from crawl import check_links, serve_folder

from tenure.build import build_site
from tenure.cache.store import CacheStore
from tenure.publish import publish_artifacts

pytestmark = pytest.mark.scheduled
EVERYWHERE = ("", "repo/", "~ada/")


@pytest.mark.parametrize("name", ["systems-phd-2026", "group"])
def test_every_link_and_anchor_has_a_target(name: str, tmp_path: Path) -> None:
    """
    One of the sites has two languages, with a link from each page to the same page in the other.

    The repository's workflow runs the same test for the documentation and all examples.
    """
    built = build_site(ROOT / "examples" / name, store=CacheStore())
    assert not built.has_errors
    for place in EVERYWHERE:
        publish_artifacts(built.artifacts, tmp_path / "host" / place)
    with serve_folder(tmp_path / "host") as home:
        crawl_report = check_links(tmp_path, *(f"{home}/{place}" for place in EVERYWHERE))
    assert re.search(r"\b0 warnings found. 0 errors found", crawl_report), crawl_report
    pages = [artifact.path for artifact in built.artifacts if artifact.path.endswith("index.html")]
    assert name != "group" or len([path for path in pages if path.startswith("de/")]) == len(pages) / 2
    checked = re.search(r"\d+ links in (\d+) URLs checked", crawl_report)
    assert checked
    assert int(checked[1]) > len(EVERYWHERE) * len(pages)


def test_the_crawler_finds_broken_links(tmp_path: Path) -> None:
    write_files(tmp_path, '-- host/index.html --\n<!DOCTYPE html><title>x</title><a href="gone/">x</a>')
    with serve_folder(tmp_path / "host") as home:
        assert "1 error found" in check_links(tmp_path, f"{home}/")
