"""The packed program writes in Pyodide, without threads, processes and Pillow, the bytes that it writes here; the CV as PDF too."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT, read_files, run_in, select_daily

pytestmark = pytest.mark.scheduled
"""Packing the page needs Node and, after a change of it, the network."""

URL = "https://example.org/me/"
EXAMPLES = ("undergraduate", "masters", "systems-phd-2024")
"""Examples without pictures: those are not resized without Pillow."""

WITH_OTHER_LETTERS = "zh/cv.pdf"
"""A PDF whose Chinese letters are in no theme: its bytes depend on the fonts of a machine."""


@pytest.mark.parametrize("name", select_daily(EXAMPLES, lambda name: name == "undergraduate"))
def test_a_build_in_pyodide_has_the_same_bytes(
    name: str, node: str, packed_page: Path, tmp_path: Path
) -> None:
    site = tmp_path / name
    shutil.copytree(ROOT / "examples" / name, site, ignore=shutil.ignore_patterns("output", ".cache"))
    script = Path(__file__).with_name("build_sites.mjs")
    command = [node, str(script), str(packed_page), URL, str(site)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr[-2000:]
    assert run_in(site, "build", "--base-url", URL) == 0
    files = read_files(site / "output")
    digests = {path: hashlib.sha256(body).hexdigest() for path, body in files.items()}
    assert {"cv.pdf", "index.html", "preview.png"} <= digests.keys()

    digests_in_browser = json.loads(result.stdout)[name]
    assert digests_in_browser.keys() == digests.keys()
    for each in (digests, digests_in_browser):
        each.pop(WITH_OTHER_LETTERS, None)
    assert digests_in_browser == digests
