"""The first call on a machine that has only Python, and the wheel outside the repository."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, write_files

TIMEOUT = 600


def list_bare_variables() -> dict[str, str]:
    """Return the variables of the environment that do not name a Python."""
    return {k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME")}


def call_command(command: list[str], folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**list_bare_variables(), **variables}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=TIMEOUT
    )


def bare_python() -> str:
    """Return the path of the Python interpreter outside any virtual environment."""
    return str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())


def copy_repository(folder: Path) -> Path:
    """Copy the repository's own files to a folder, as a clone has them."""
    listed = call_command(["git", "ls-files", "-co", "--exclude-standard"], ROOT)
    assert listed.returncode == 0, listed.stderr
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file() and (not name.startswith("tests/") or name == "tests/requirements.txt"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


@pytest.mark.scheduled
def test_without_network_one_clear_line_is_printed(tmp_path: Path) -> None:
    folder = copy_repository(tmp_path / "clone")
    variables = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": ""}
    result = call_command([bare_python(), "-I", "build.py"], folder, **variables)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    last = result.stderr.strip().splitlines()[-1]
    said = "build.py: cannot install the packages; check the connection, and try again (ERROR: "
    assert last.startswith(said)


def test_without_venv_one_clear_line_is_printed(tmp_path: Path) -> None:
    folder = copy_repository(tmp_path / "clone")
    script = (
        "import sys, runpy, importlib.util as u; u.find_spec = lambda name, *rest: None\n"
        "import subprocess; run = subprocess.run\n"
        "subprocess.run = lambda c, **k: run([c[0], '-c', 'raise SystemExit(\"No module named ensurepip\")'], **k)\n"
        "sys.argv = ['build.py']; runpy.run_path('build.py', run_name='__main__')\n"
    )
    result = call_command([bare_python(), "-c", script], folder)
    assert result.returncode == 2
    expected = "build.py: cannot create .venv (No module named ensurepip). Debian, Ubuntu: sudo apt install python3-venv"
    assert result.stderr.splitlines()[1:] == [expected]


@pytest.mark.scheduled
def test_the_wheel_builds_a_site_outside_the_repository(tmp_path: Path) -> None:
    folder = copy_repository(tmp_path / "clone")
    wheel_command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    result = call_command([*wheel_command, "-w", str(tmp_path / "dist"), "."], folder)
    assert result.returncode == 0, result.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    home = tmp_path / "venv"
    assert call_command([bare_python(), "-m", "venv", str(home)], tmp_path).returncode == 0
    install = [str(home / "bin" / "python"), "-m", "pip", "install", "--quiet", str(wheel)]
    installed = call_command(install, tmp_path)
    assert installed.returncode == 0, installed.stderr
    site = tmp_path / "site"
    write_files(site, "-- content/profile.yaml --\nname: Ada\n-- content/talks.yaml --\n- event: Seminar\n")
    built = call_command([str(home / "bin" / "tenure")], site)
    assert built.returncode == 0, built.stderr
    explained = call_command([str(home / "bin" / "tenure"), "explain", "text", "bad-date"], site)
    assert "![A tape with a head" in explained.stdout, "an example of a picture"
    assert "### `bad-date` (error)" in explained.stdout
    assert "Seminar" in (site / "output" / "talks" / "index.html").read_text(encoding="utf-8")
    fonts = list((site / "output" / "assets").rglob("*.woff2"))
    assert fonts, "the theme's fonts are in the wheel"
