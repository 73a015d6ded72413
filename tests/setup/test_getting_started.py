"""The way from a clone to a published site: the tests run the printed commands with only Python and an index without Tenure."""

import html
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml
from conftest import ROOT, write_files
from package_index import Index, download_wheels, serve_index
from test_setup_errors import bare_python, copy_repository
from test_workflows import list_commands

sys.path += [str(ROOT / "tests/crawler"), str(ROOT / "tests/docs")]
from code_blocks import PAGES, read_blocks
from crawl import check_links, serve_folder

TIMEOUT = 600


@pytest.fixture
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    common = tmp_path_factory.getbasetemp()
    folder = (common.parent if os.environ.get("PYTEST_XDIST_WORKER") else common) / "wheels"
    with serve_index(download_wheels(folder)) as serving:
        yield serving


class Machine:
    """The account of a user: an empty home folder, Python, and the programs of every system."""

    def __init__(self, folder: Path, index: Index) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        (folder / "bin").mkdir()
        (folder / "bin/python3").symlink_to(bare_python())
        browser = folder / "bin/browser"
        browser.write_text(f'#!/bin/sh\necho "$1" >> "{folder}/opened"\n', encoding="utf-8")
        browser.chmod(0o755)
        self.opened = folder / "opened"
        path = f"{folder / 'bin'}:/usr/bin:/bin"
        self.variables = {"HOME": str(self.home), "PATH": path, "BROWSER": str(browser), **index.variables}

    def run_lines(self, lines: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run lines in a shell."""
        return subprocess.run(
            ["bash", "-e", "-c", lines],
            cwd=folder,
            env={**self.variables, **variables},
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT,
        )

    @contextmanager
    def typed_and_left_running(self, lines: str, folder: Path) -> Iterator[str]:
        """Run lines of which the last serves a site; yield the URL that the browser opened."""
        process = subprocess.Popen(
            ["bash", "-e", "-c", lines],
            cwd=folder,
            env=self.variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            end = time.monotonic() + TIMEOUT
            while not self.opened.exists() and process.poll() is None and time.monotonic() < end:
                time.sleep(0.1)
            assert self.opened.exists(), (
                process.communicate(timeout=10)[0] if process.poll() is not None else ""
            )
            yield self.opened.read_text(encoding="utf-8").split()[-1]
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
            process.communicate(timeout=30)
            self.opened.unlink(missing_ok=True)


def find_commands(expected: str) -> str:
    """Return the printed commands: the indented lines."""
    return "\n".join(line.strip() for line in expected.splitlines() if line.startswith("  "))


def test_the_printed_commands_lead_from_a_clone_to_a_published_site(tmp_path: Path, index: Index) -> None:
    machine = Machine(tmp_path, index)
    clone = copy_repository(machine.home / "tenure")
    new = machine.run_lines('python3 build.py new "../my site" --name "Ada Example"', clone)
    assert new.returncode == 0, new.stderr
    assert "Setting up" in new.stderr
    site = machine.home / "my site"
    assert find_commands(new.stdout) == "python3 build.py serve --site '../my site' --open"
    with machine.typed_and_left_running(find_commands(new.stdout), clone) as address:
        page = urllib.request.urlopen(address).read().decode()
        assert "Ada Example" in page
    assert not (site / ".venv").exists(), "the clone's packages show the site"
    assert machine.run_lines("python3 build.py", site).returncode == 0
    fresh = machine.run_lines("python3 build.py upgrade", site)
    assert (fresh.returncode, fresh.stdout.splitlines()[0][:23]) == (0, ". uses this Tenure alre"), (
        fresh.stdout
    )
    upgrade_site(machine, clone, site)
    shutil.rmtree(clone)
    write_files(site, "-- content/talks.yaml --\n- event: Seminar\n")
    address = run_workflow(machine, site)
    assert f"<loc>{address}/talks/</loc>" in (site / "output/sitemap.xml").read_text(encoding="utf-8")
    assert (site / "output/cv.pdf").is_file()
    (tmp_path / "host").mkdir()
    (site / "output").rename(tmp_path / "host/repo")
    with serve_folder(tmp_path / "host") as host:
        crawl_report = check_links(tmp_path, f"{host}/repo/")
    assert re.search(r"\b0 warnings found. 0 errors found", crawl_report), crawl_report
    assert "jinja2" in index.asked
    assert "tenure" not in index.asked


def upgrade_site(machine: Machine, clone: Path, site: Path) -> None:
    """Upgrade the site to a newer state of the clone with the printed commands."""
    (old,) = (site / "vendor").iterdir()
    write_files(clone, "-- tenure/counts_of_tomorrow.py --\n")
    preview = machine.run_lines("python3 ../tenure/build.py upgrade", site)
    assert (preview.returncode, preview.stderr) == (0, "")
    last = preview.stdout.splitlines()[-1]
    assert last == "Nothing was written. To upgrade: python3 ../tenure/build.py upgrade --write"
    result = machine.run_lines(last.partition("To upgrade: ")[2], site)
    assert result.returncode == 0, result.stderr
    (new,) = (site / "vendor").iterdir()
    assert new.name != old.name
    built = machine.run_lines("python3 build.py", site)
    assert built.returncode == 0, built.stderr
    assert [*(site / ".venv").glob("lib/*/site-packages/tenure/counts_of_tomorrow.py")]


def run_workflow(machine: Machine, site: Path) -> str:
    """Run the commands of the workflow in a fresh Python; return the URL for which they build."""
    address = "https://ada.github.io/repo"
    runner = site.parent / "runner"
    assert machine.run_lines(f'python3 -m venv "{runner}"', site).returncode == 0
    fresh = site.parent / "checked out"
    ignored = shutil.ignore_patterns(".venv", "output", ".cache")
    shutil.copytree(site, fresh, ignore=ignored)
    path = f"{runner / 'bin'}:/usr/bin:/bin"
    for command in list_commands(site / ".github/workflows/check.yml"):
        result = machine.run_lines(command, fresh, PATH=path)
        assert result.returncode == 0, f"{command}\n{result.stdout}{result.stderr}"
    assert_opens_from_a_disk(fresh / "output")
    for command in list_commands(site / ".github/workflows/pages.yml"):
        result = machine.run_lines(command, fresh, PATH=path, BASE_URL=address)
        assert result.returncode == 0, f"{command}\n{result.stdout}{result.stderr}"
    shutil.rmtree(site / "output")
    (fresh / "output").rename(site / "output")
    follow_other_hosts(machine, fresh, path)
    return address


def follow_other_hosts(machine: Machine, folder: Path, path: str) -> None:
    """Run the recipes of the documentation in the same Python, which has the packages of requirements.txt already."""
    recipes = {block.file: block.text for block in read_blocks(PAGES / "going-live.md") if block.file}
    gitlab = yaml.safe_load(recipes[".gitlab-ci.yml"])["pages"]["script"]
    netlify = tomllib.loads(recipes["netlify.toml"])["build"]["command"]
    page = (PAGES / "going-live.md").read_text(encoding="utf-8")
    cloudflare = re.findall(r"^\| Build command \| `(.*)` \|$", page, re.MULTILINE)
    install = "pip install --requirement requirements.txt"
    assert gitlab[0] == install
    assert len(cloudflare) == 1
    for command in (*gitlab, install, netlify, install, *cloudflare):
        urls = {"CI_PAGES_URL": "https://ada.gitlab.io/site", "URL": "https://ada.netlify.app"}
        result = machine.run_lines(command, folder, PATH=path, **urls)
        assert result.returncode == 0, f"{command}\n{result.stdout}{result.stderr}"
    assert (folder / "public/index.html").is_file()


def assert_opens_from_a_disk(folder: Path) -> None:
    """Every link within a built site is relative and leads to a file of the folder."""
    pages = [*folder.rglob("*.html")]
    assert folder / "index.html" in pages
    for page in pages:
        for link in re.findall(r'\b(?:href|src)="([^"#?]+)', page.read_text(encoding="utf-8")):
            if page.name != "404.html" and not re.match(r"[a-z]+:", link):
                assert not link.startswith("/"), f"{page}: {link}"
                assert (page.parent / html.unescape(unquote(link))).exists(), f"{page}: {link}"
