"""The commands of the workflows run unchanged on a machine that has only Python and Git."""

import re
import shlex
from pathlib import Path

import pytest
import yaml
from conftest import ROOT
from crawl import check_links, serve_folder
from test_setup_errors import bare_python, call_command, copy_repository

from tenure.cli.app import create_parser


def list_commands(workflow: Path) -> list[str]:
    flow = yaml.safe_load(workflow.read_text(encoding="utf-8"))
    return [step["run"] for step in flow["jobs"]["build"]["steps"] if "run" in step]


def follow_workflow(workflow: Path, folder: Path, address: str, **variables: str) -> str:
    """Run a workflow's commands in a folder with its own Python; return their output."""
    home = folder.parent / "python"
    assert call_command([bare_python(), "-m", "venv", str(home)], folder).returncode == 0
    path = f"{home / 'bin'}:/usr/local/bin:/usr/bin:/bin"
    crawl_report = ""
    for command in list_commands(workflow):
        result = call_command(["bash", "-e", "-c", command], folder, PATH=path, BASE_URL=address, **variables)
        assert result.returncode == 0, f"{command}\n{result.stdout}{result.stderr}"
        crawl_report += result.stdout
    return crawl_report


def test_the_commands_of_this_repositorys_workflow_have_options_that_exist() -> None:
    commands = "\n".join(list_commands(ROOT / ".github/workflows/release.yml")).replace("\\\n", " ")
    programs = [shlex.split(line)[1:] for line in commands.splitlines() if line.strip().startswith("python ")]
    assert [program for program, *_ in programs if not (ROOT / program).is_file()] == []
    built = [arguments for program, *arguments in programs if program == "build.py"]
    assert len(built) >= 4
    for arguments in built:
        create_parser(arguments[0]).parse_args(arguments[1:])


@pytest.mark.scheduled
def test_the_workflow_of_this_repository_publishes_every_site(tmp_path: Path) -> None:
    clone = copy_repository(tmp_path / "clone")
    follow_workflow(clone / ".github/workflows/release.yml", clone, "https://example.github.io/tenure")
    public = clone / "public"
    homes = [path.parent.relative_to(public).as_posix() for path in public.glob("examples/*/*/index.html")]
    sites, themes = (len([*clone.glob(names)]) for names in ("examples/*/site.yaml", "themes/*/theme.yaml"))
    assert len(homes) == sites * (themes - 2), "base is below the others, and plain is a skeleton"
    (tmp_path / "host").mkdir()
    public.rename(tmp_path / "host/tenure")
    with serve_folder(tmp_path / "host") as home:
        crawl_report = check_links(
            tmp_path, *(f"{home}/tenure/{place}" for place in ("", "docs/", "examples/"))
        )
    assert re.search(r"\b0 warnings found. 0 errors found", crawl_report), crawl_report
