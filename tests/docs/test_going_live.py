"""The instructions of docs/content/pages/going-live.md work for each host, as far as a test can run them without the host."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import html5lib
import pytest
import yaml
from code_blocks import PAGES, read_blocks
from conftest import ROOT, Capture, Sources, read_folder, run_process, write_files
from matrix import LAB, build_sample_site

from tenure.cli.app import main
from tenure.publish import publish_artifacts

PAGE = PAGES / "going-live.md"
TEXT = PAGE.read_text("utf-8")


@pytest.fixture
def site_folder(tmp_path: Path) -> Path:
    """Create a new site with `new`."""
    assert main(["new", str(tmp_path / "site"), "--name", "Ada Example"]) == 0
    return tmp_path / "site"


def read_page_block(name: str) -> str:
    (text,) = (block.text for block in read_blocks(PAGE) if block.file == name)
    return text


def run_host_command(command: str, folder: Path, **variables: str) -> None:
    """Run a command of a host; its `python` has Tenure, as after the installation of requirements.txt."""
    tools = folder.parent / "bin"
    tools.mkdir(exist_ok=True)
    for name in ("python", "python3"):
        (tools / name).unlink(missing_ok=True)
        (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', "utf-8")
        (tools / name).chmod(0o755)
    bare = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", **variables}
    result = run_process("bash", "-e", "-c", command, folder=folder, variables=bare)
    assert result.returncode == 0, f"{command}\n{result.stdout}{result.stderr}"


def check_schema(name: str, path: Path) -> None:
    """Check a file with the schema that its host publishes."""
    tool = Path(sys.executable).parent / "check-jsonschema"
    result = run_process(tool, "--builtin-schema", f"vendor.{name}", path)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("path", [".github/workflows/release.yml", "tenure/starter/workflows/pages.yml"])
def test_workflows_are_valid_for_github(path: str) -> None:
    check_schema("github-workflows", ROOT / path)
    flow = yaml.safe_load((ROOT / path).read_text("utf-8"))
    assert flow["permissions"] == {}
    assert flow["jobs"]["deploy"]["permissions"] == {"pages": "write", "id-token": "write"}
    assert "${{" not in "".join(step.get("run", "") for step in flow["jobs"]["build"]["steps"])


def test_the_gitlab_recipe_builds_the_site(site_folder: Path) -> None:
    text = read_page_block(".gitlab-ci.yml")
    (site_folder / ".gitlab-ci.yml").write_text(text, "utf-8")
    check_schema("gitlab-ci", site_folder / ".gitlab-ci.yml")
    job = yaml.safe_load(text)["pages"]
    first, *others = job["script"]
    assert first == "pip install --requirement requirements.txt"
    run_host_command("\n".join(others), site_folder, CI_PAGES_URL="https://ada.gitlab.example.edu/site")
    (result,) = job["artifacts"]["paths"]
    sitemap = (site_folder / result / "sitemap.xml").read_text("utf-8")
    assert "https://ada.gitlab.example.edu/site/" in sitemap


def test_the_netlify_recipe_builds_the_site(site_folder: Path) -> None:
    settings = tomllib.loads(read_page_block("netlify.toml"))["build"]
    run_host_command(settings["command"], site_folder, URL="https://ada.netlify.app")
    result = site_folder / settings["publish"]
    assert "https://ada.netlify.app/" in (result / "sitemap.xml").read_text("utf-8")
    assert (result / "404.html").is_file()
    assert not (result / "CNAME").exists()


def test_the_cloudflare_recipe_builds_the_site(site_folder: Path) -> None:
    lines = [line for line in TEXT.splitlines() if line.startswith(("| Build ", "| Framework"))]
    rows = dict(line.strip("| ").split(" | ") for line in lines)
    run_host_command(rows["Build command"].strip("`"), site_folder)
    assert (site_folder / rows["Build output directory"].strip("`") / "index.html").is_file()


def test_a_domain_creates_the_cname_file(site_folder: Path) -> None:
    first, domain = (block.text for block in read_blocks(PAGE) if block.file == "site.yaml")
    for text, result in ((first, False), (domain, True)):
        Sources(site_folder).edit_files(f"-- site.yaml --\n{text}")
        assert main([], folder=site_folder) == 0
        assert (site_folder / "output/CNAME").is_file() == result
    assert (site_folder / "output/CNAME").read_text("utf-8") == "ada.example.org\n"


def test_the_first_push_works_as_printed(site_folder: Path) -> None:
    """Git uses a local folder as the host; the pushed files are those that `new` wrote."""
    host_repository = site_folder.parent / "there.git"
    subprocess.run(["git", "init", "--quiet", "--bare", host_repository], check=True)
    pairs = {
        f"url.{host_repository}.insteadOf": "https://github.com/ada/ada.github.io.git",
        "user.name": "Ada Example",
        "user.email": "name@example.edu",
    }
    variables = {"GIT_CONFIG_COUNT": str(len(pairs)), "GIT_CONFIG_GLOBAL": os.devnull}
    for n, (key, value) in enumerate(pairs.items()):
        variables |= {f"GIT_CONFIG_KEY_{n}": key, f"GIT_CONFIG_VALUE_{n}": value}
    (push,) = (block.text for block in read_blocks(PAGE) if "git push" in block.text)
    run_host_command(push, site_folder, **variables)
    listed = run_process(*"git ls-tree -r --name-only main".split(), folder=host_repository).stdout.split()
    assert {*"site.yaml .github/workflows/pages.yml requirements.txt .schemas/site.json".split()} <= {*listed}
    assert not [name for name in listed if name.startswith(("output/", ".cache/", ".venv/"))]


def test_the_rsync_recipe_copies_the_site(site_folder: Path, rsync: str) -> None:
    """Rsync connects to itself through a local shell."""
    assert rsync
    home = site_folder.parent / "home"
    write_files(
        home / "public_html", "-- old.html --\nold\n-- .htaccess --\nErrorDocument 404 /~ada/404.html\n"
    )
    shell = site_folder.parent / "shell"
    skip = 'while [ "$1" != rsync ]; do shift; done'
    shell.write_text(f'#!/bin/sh\n{skip}\ncd "{home}" && exec "$@"\n', "utf-8")
    shell.chmod(0o755)
    (copy,) = (block.text for block in read_blocks(PAGE) if "rsync" in block.text)
    run_host_command(copy, site_folder, RSYNC_RSH=str(shell))
    there, result = read_folder(home / "public_html"), read_folder(site_folder / "output")
    assert there.keys() == result.keys() | {".htaccess", "old.html"}
    assert 'href="/~ada/' in (home / "public_html/404.html").read_text("utf-8")
    assert oct((home / "public_html/index.html").stat().st_mode)[-3:] == "644"


def test_before_and_after_blocks_both_build(site_folder: Path, capsys: Capture) -> None:
    (commands,) = (block.text for block in read_blocks(PAGE) if "check --strict" in block.text)
    for line in commands.splitlines():
        assert main(line.split()[2:], folder=site_folder) == 0
    assert capsys.readouterr().out == "0 problems.\n" * 2


def test_every_code_block_is_tested() -> None:
    known = {"site.yaml", ".gitlab-ci.yml", "netlify.toml"}
    assert {block.file for block in read_blocks(PAGE) if block.language != "sh"} == known
    assert sum(block.language == "sh" for block in read_blocks(PAGE)) == 3


@pytest.mark.scheduled
def test_the_gallery_has_every_example_in_every_theme(tmp_path: Path) -> None:
    themes = ("classic", "plain")
    names = [path.parent.name for path in (ROOT / "examples").glob("*/site.yaml")]
    for theme in themes:
        for name in names:
            built = build_sample_site(theme, LAB if name == "group" else name)
            publish_artifacts(built.artifacts, tmp_path / theme / name)
    command = [sys.executable, str(ROOT / "examples/gallery.py"), str(tmp_path)]
    result = subprocess.run(command, env={**os.environ, "PATH": ""}, check=False)
    assert result.returncode == 0
    text = (tmp_path / "index.html").read_text("utf-8")
    html5lib.HTMLParser(strict=True).parse(text)
    for name in names:
        for theme in themes:
            assert text.count(f'"{theme}/{name}/index.html"') == 1
            assert (tmp_path / theme / name / "index.html").is_file()
        sources = (tmp_path / f"{name}-sources.html").read_text("utf-8")
        html5lib.HTMLParser(strict=True).parse(sources)
        assert f'"{name}-sources.html"' in text
        assert "<code>content/profile.yaml</code>" in sources
    first = ("systems-phd-2026", "historian", "group", "cajal")
    order = [text.index(f"<small>{name}</small>") for name in first]
    assert order == sorted(order), "a PhD student, a professor of history and a lab are the first"
    assert "<script" not in text
