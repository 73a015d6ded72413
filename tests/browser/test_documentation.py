"""The documentation and the gallery meet the requirements for themes: axe, valid HTML, no horizontal scrolling."""

import json
import subprocess
from pathlib import Path

import pytest
from chromium import CHROMIUM, Server
from conftest import ROOT, load_module
from matrix import build_sample_site
from npm_tools import AXE, NU
from playwright.sync_api import Browser
from test_pages import CHECK, RULES, SETTLED
from test_valid_html import NOT_FOR_FILES

from tenure.build import build_site
from tenure.cache.store import CacheStore
from tenure.publish import Artifact, publish_artifacts
from tenure.site_folder import BuildOptions

PLACES = ((1280, "light"), (320, "dark"))


@pytest.fixture(scope="module")
def output_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the documentation at docs/, an example at examples/plain/masters/, and the gallery of examples."""
    folder = tmp_path_factory.mktemp("made")
    site_url = "https://tenure.example.org"
    documentation = build_site(
        ROOT / "docs", options=BuildOptions(base_url=f"{site_url}/docs"), store=CacheStore()
    )
    publish_artifacts(documentation.artifacts, folder / "docs")
    example = build_sample_site("plain", "masters")
    publish_artifacts(example.artifacts, folder / "examples/plain/masters")
    load_module("examples/gallery.py").write_gallery(folder / "examples", CHROMIUM)
    return folder


@pytest.mark.scheduled
def test_axe_reports_nothing_and_no_page_scrolls_sideways(
    output_folder: Path, chromium: Browser, server: Server
) -> None:
    paths = (path for path in output_folder.rglob("*") if path.is_file())
    files = [Artifact(path.relative_to(output_folder).as_posix(), path) for path in paths]
    home = server.add_site("documentation", files)
    page = chromium.new_page(reduced_motion="reduce", bypass_csp=True)
    reported: list[str] = []
    for path in (*sorted(output_folder.glob("docs/**/*.html")), output_folder / "examples/index.html"):
        page.goto(home + path.relative_to(output_folder).as_posix())
        page.add_script_tag(content=AXE.find_file().read_text(encoding="utf-8"))
        for width, scheme in PLACES:
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            page.evaluate(SETTLED)
            reported += [
                f"{path.relative_to(output_folder)} at {width}: {offenders}"
                for offenders in page.evaluate(CHECK, RULES)
            ]
            if page.evaluate("document.documentElement.scrollWidth") > width:
                reported.append(f"{path.relative_to(output_folder)} is wider than {width}")
    assert reported == [], "\n".join(reported)


@pytest.mark.scheduled
def test_the_nu_validator_reports_nothing(output_folder: Path, java: str) -> None:
    options = ["--format", "json", "--stdout", "--exit-zero-always", "--skip-non-html"]
    places = [str(output_folder / "docs"), str(output_folder / "examples/index.html")]
    result = subprocess.run(
        [java, "-jar", str(NU.find_file()), *options, *places], capture_output=True, text=True, check=False
    )
    data = [f"{m['url']}:{m.get('lastLine')}: {m['message']}" for m in json.loads(result.stdout)["messages"]]
    assert [line for line in data if NOT_FOR_FILES not in line] == []
