"""A step of a release writes the URL of the repository into the pages that begin with a clone."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from conftest import ROOT, run_process

PAGES = ("README.md", "docs/content/pages/start.md")


def run_release_script(root: Path) -> subprocess.CompletedProcess[str]:
    return run_process(sys.executable, root / "tools/clone_line.py")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    for name in (*PAGES, "tools/clone_line.py", "pyproject.toml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    return tmp_path


@pytest.mark.parametrize(
    ("remote", "url"),
    [
        ("git@git.example.org:ada/tenure.git", "https://git.example.org/ada/tenure.git"),
        ("ssh://git@git.example.org/ada/tenure.git", "https://git.example.org/ada/tenure.git"),
        ("https://git.example.org/ada/tenure", "https://git.example.org/ada/tenure"),
    ],
)
def test_the_pages_contain_the_url_of_the_remote(clone: Path, remote: str, url: str) -> None:
    subprocess.run(["git", "-C", clone, "remote", "add", "origin", "https://old.example.org/x"], check=True)
    assert run_release_script(clone).returncode == 0
    subprocess.run(["git", "-C", clone, "remote", "set-url", "origin", remote], check=True)
    result = run_release_script(clone)
    assert result.returncode == 0, result.stderr
    for name in PAGES:
        text = (clone / name).read_text("utf-8")
        assert text.count("git clone ") == 1
        assert f"```sh\ngit clone {url} tenure\ncd tenure" in text
    project = tomllib.loads((clone / "pyproject.toml").read_text("utf-8"))["project"]
    page = url.removesuffix(".git")
    assert project["urls"] == {"Documentation": f"{page}/blob/HEAD/docs/content", "Repository": page}


def test_on_github_the_readme_links_to_the_published_site(clone: Path) -> None:
    remote = "git@github.com:Ada/tenure.git"
    subprocess.run(["git", "-C", clone, "remote", "add", "origin", remote], check=True)
    assert run_release_script(clone).returncode == run_release_script(clone).returncode == 0
    readme = (clone / "README.md").read_text("utf-8")
    links = "[**Try it in the browser**](https://ada.github.io/tenure/try/) · [Demonstration](https://ada.github.io/tenure/) · [Gallery](https://ada.github.io/tenure/examples/) ·\n"
    assert readme.count("[Demonstration]") == readme.count(links) == 1


def test_without_a_remote_nothing_is_written(clone: Path) -> None:
    result = run_release_script(clone)
    assert (result.returncode, result.stdout) == (1, "")
    assert "no remote called origin" in result.stderr
    assert [(clone / name).read_bytes() for name in PAGES] == [(ROOT / name).read_bytes() for name in PAGES]
