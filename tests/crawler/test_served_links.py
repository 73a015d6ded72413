"""One build works in every folder of a host, with every link and anchor, as an independent crawler reports."""

import html
import re
import shutil
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from conftest import ROOT
from crawl import check_links, serve_folder

from tenure.build import build_site
from tenure.cache.store import CacheStore
from tenure.cli.app import main
from tenure.html.links import link_index_files
from tenure.publish import publish_artifacts

EVERYWHERE = ("", "repo", "~ada")


@pytest.mark.scheduled
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


@pytest.mark.scheduled
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


def list_linked_files(page: Path) -> set[Path]:
    """Return what the links of a page lead to on a disk without JavaScript: files, and folders that would be listed."""
    links = re.findall(r'<a\s[^>]*?href="([^"#?]+)', page.read_text(encoding="utf-8"))
    return {
        (page.parent / unquote(html.unescape(link))).resolve()
        for link in links
        if not urlsplit(html.unescape(link)).scheme and not link.startswith("&")
    }


def test_the_links_of_a_site_on_a_disk_lead_to_files(tmp_path: Path) -> None:
    output = tmp_path / "my site"
    group = shutil.copytree(
        ROOT / "examples/group", tmp_path / "group", ignore=shutil.ignore_patterns(".cache", "output")
    )
    assert main(["build", "--site", str(group), "--for-disk", "--output", str(output)]) == 0
    home = output / "index.html"
    visited, waiting = {home}, [home]
    while waiting:
        targets = list_linked_files(waiting.pop())
        assert [target for target in targets if not target.is_file()] == []
        pages = {target for target in targets if target.suffix == ".html"} - visited
        visited |= pages
        waiting += pages
    assert visited == {*output.rglob("*.html")} - {*output.rglob("404.html")}


def test_only_links_to_folders_of_the_site_are_completed() -> None:
    page = (
        '<meta http-equiv="refresh" content="0; url=../new/#a">\n'
        '<a href="./">a</a><a class="x" href="../talks/?tag=a#b">b</a><a href="#top">c</a><a href="x.pdf">d</a>'
        '<a href="https://example.org/a/">e</a><a href="//example.org/">f</a><a href="/lab/talks/">g</a>'
        '<code>&lt;a href="./"&gt;</code><a data-href="./">h</a>'
    )
    completed = (
        page.replace("../new/#a", "../new/index.html#a")
        .replace('<a href="./"', '<a href="./index.html"')
        .replace("../talks/?", "../talks/index.html?")
    )
    assert link_index_files(page.encode()).decode() == completed


def test_the_crawler_finds_broken_links(tmp_path: Path) -> None:
    (tmp_path / "host").mkdir()
    (tmp_path / "host/index.html").write_text(
        '<!DOCTYPE html><title>x</title><a href="gone/">x</a>', encoding="utf-8"
    )
    with serve_folder(tmp_path / "host") as home:
        assert "1 error found" in check_links(tmp_path, f"{home}/")
