"""The way from a clone to a published site: the tests run the printed commands with only Python and an index without Tenure."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from conftest import ROOT, write_files
from test_setup_errors import bare_python, copy_repository
from test_workflows import list_commands

from tenure.cli.requirements import pin_dependencies

TIMEOUT = 600


def download_wheels(folder: Path) -> dict[str, str]:
    """Download a wheel of each dependency; return the variables with which pip knows only these, and asks no index for Tenure."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    pins = pin_dependencies([*project["project"]["dependencies"], *project["build-system"]["requires"]])
    command = [sys.executable, *"-m pip wheel --quiet --no-deps --wheel-dir".split(), str(folder), *pins]
    subprocess.run(command, check=True)
    return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder), "PIP_CONFIG_FILE": os.devnull}


class Machine:
    """The account of a user: an empty home folder, Python, and the programs of every system."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        for name in ("home", "bin"):
            (folder / name).mkdir()
        (folder / "bin/python3").symlink_to(bare_python())
        path = f"{folder / 'bin'}:/usr/bin:/bin"
        self.variables = {"HOME": str(self.home), "PATH": path, **download_wheels(folder / "wheels")}

    def run_lines(self, lines: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run lines in a shell."""
        command, environment = ["bash", "-e", "-c", lines], {**self.variables, **variables}
        return subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=TIMEOUT
        )


@pytest.mark.scheduled
def test_the_printed_commands_lead_from_a_clone_to_a_published_site(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    clone = copy_repository(machine.home / "tenure")
    new = machine.run_lines('python3 build.py new "../my site" --name "Ada Example"', clone)
    assert new.returncode == 0, new.stderr
    assert "Setting up" in new.stderr
    site = machine.home / "my site"
    assert ": python3 build.py serve --site '../my site' --open\n" in new.stdout
    assert machine.run_lines("python3 build.py check --site '../my site'", clone).returncode == 0
    assert not (site / ".venv").exists(), "the packages of the clone are enough"
    assert machine.run_lines("python3 build.py", site).returncode == 0
    fresh = machine.run_lines("python3 build.py upgrade", site)
    assert fresh.returncode == 0
    assert fresh.stdout.startswith("The site uses this Tenure already")
    upgrade_site(machine, clone, site)
    shutil.rmtree(clone)
    write_files(site, "-- content/talks.yaml --\n- event: Seminar\n")
    address = run_workflow(machine, site)
    assert f"<loc>{address}/talks/</loc>" in (site / "output/sitemap.xml").read_text(encoding="utf-8")
    assert (site / "output/cv.pdf").is_file()


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
    for command in list_commands(site / ".github/workflows/pages.yml"):
        result = machine.run_lines(command, fresh, PATH=path, BASE_URL=address)
        assert result.returncode == 0, f"{command}\n{result.stdout}{result.stderr}"
    shutil.rmtree(site / "output")
    (fresh / "output").rename(site / "output")
    return address
