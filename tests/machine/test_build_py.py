"""`build.py` of a site and of the repository: it repairs an incomplete installation, and every Python can parse it."""

import ast
import hashlib
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT, read_site, split_files
from test_setup_errors import TIMEOUT, bare_python, call_command, list_bare_variables

SCRIPTS = (ROOT / "build.py", ROOT / "tenure/starter/build.txt")
PACKAGES = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
WHEEL = split_files(read_site("wheel"))
"""A replacement for Tenure that needs no other package, so that a test installs it in a second."""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Write a site's build.py, and requirements that need no index."""
    root = tmp_path / "my site"
    (root / "vendor").mkdir(parents=True)
    shutil.copyfile(SCRIPTS[1], root / "build.py")
    wheel = root / "vendor/tenure-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        for name, text in WHEEL.items():
            file.writestr(name, text)
        file.writestr("tenure-1.dist-info/RECORD", "".join(f"{name},,\n" for name in WHEEL))
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    (root / "requirements.txt").write_text(f"file:vendor/{wheel.name}#sha256={digest}\n", encoding="utf-8")
    return root


def test_an_interrupted_first_run_is_repaired_by_the_next(site: Path) -> None:
    command = [bare_python(), str(site / "build.py")]
    process = subprocess.Popen(command, env=list_bare_variables(), stderr=subprocess.DEVNULL)
    end = time.monotonic() + TIMEOUT
    while not (site / ".venv/bin/python").exists() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=TIMEOUT)
    assert (site / ".venv/bin/python").exists()
    result = call_command(command, site)
    assert (result.returncode, result.stdout) == (0, "built\n"), result.stderr
    assert "Setting up" in result.stderr
    assert "(the last one is not complete; this takes about a minute)" in result.stderr
    again = call_command(command, site)
    assert (again.returncode, again.stdout, again.stderr) == (0, "built\n", "")
    ready = site / ".venv/tenure-ready"
    ready.write_text(
        ready.read_text(encoding="utf-8").replace(sys.version, "3.12.1 (main)"), encoding="utf-8"
    )
    other_python = call_command(command, site)
    assert (other_python.returncode, other_python.stdout) == (0, "built\n")
    assert "(Python 3.12.1 made the last one, perhaps on another machine; this" in other_python.stderr


def run_installed(site: Path, version: str) -> subprocess.CompletedProcess[str]:
    """Call build.py with a Python that has another copy of the replacement."""
    packages = site.parent / "packages"
    for name, text in WHEEL.items():
        path = packages / name.replace("tenure-1", f"tenure-{version}")
        path.parent.mkdir(parents=True, exist_ok=True)
        changed = text.replace("Version: 1\n", f"Version: {version}\n").replace("'built'", "'installed'")
        path.write_text(changed, encoding="utf-8")
    return call_command([bare_python(), "build.py"], site, PYTHONPATH=str(packages))


def test_the_installed_tenure_builds_a_site_that_names_its_version(site: Path) -> None:
    result = run_installed(site, "1")
    assert (result.returncode, result.stdout, result.stderr) == (0, "installed\n", "")
    assert not (site / ".venv").exists()


def test_another_installed_tenure_does_not_build_the_site(site: Path) -> None:
    result = run_installed(site, "0.9.9")
    assert (result.returncode, result.stdout) == (0, "built\n"), result.stderr
    packages = site / ".venv" / PACKAGES
    assert {path.name for path in packages.iterdir()} >= {"tenure", "tenure-1.dist-info"}
    assert not [*packages.glob("pip*"), *packages.glob("setuptools*")], "nothing needs them any more"

    (site / "requirements.txt").write_text(
        (site / "requirements.txt").read_text("utf-8") + "# mine\n", "utf-8"
    )
    again = run_installed(site, "0.9.9")
    assert (again.returncode, again.stdout) == (0, "built\n"), "the next set-up has its own pip"
    assert "(other packages are needed; this" in again.stderr


@pytest.mark.scheduled
def test_a_wheel_with_another_hash_is_refused(site: Path) -> None:
    (wheel,) = (site / "vendor").iterdir()
    with zipfile.ZipFile(wheel, "a") as file:
        file.writestr("other.py", "")
    result = call_command([bare_python(), "build.py"], site)
    assert result.returncode == 2
    last = result.stderr.splitlines()[-1]
    assert last.startswith("build.py: cannot install the packages")
    assert "DO NOT MATCH THE HASHES" in last


NEWER = "JoinedStr AnnAssign NamedExpr Nonlocal Starred Match AsyncFunctionDef"


@pytest.mark.parametrize("script", SCRIPTS, ids=["repository", "site"])
def test_the_syntax_is_that_of_the_oldest_python(script: Path) -> None:
    """Python 2.7 can parse every construct of the file; the test lists those that it cannot parse."""
    newer = tuple(getattr(ast, name) for name in NEWER.split())
    for node in ast.walk(ast.parse(script.read_text(encoding="ascii"), feature_version=(3, 7))):
        assert not isinstance(node, newer), ast.dump(node)
        if isinstance(node, ast.FunctionDef):
            assert (node.returns, node.args.kwonlyargs, node.args.posonlyargs) == (None, [], []), node.name
            assert not any(argument.annotation for argument in node.args.args), node.name
        assert not (isinstance(node, ast.Raise) and node.cause)
        assert not (isinstance(node, ast.Name) and node.id == "print")


@pytest.mark.parametrize("script", SCRIPTS, ids=["repository", "site"])
@pytest.mark.parametrize(
    ("version", "system", "source", "command"),
    [
        ("3.9.18", ("darwin", "posix"), "brew install python", "python3 build.py"),
        ("3.6.9", ("linux", "posix"), "apt install python3.11", "python3.11 build.py"),
        ("2.7.18", ("win32", "nt"), "https://www.python.org/downloads/", "py build.py"),
    ],
)
def test_an_older_python_prints_the_required_version(
    script: Path, version: str, system: tuple[str, str], source: str, command: str
) -> None:
    numbers = tuple(int(part) for part in version.split("."))
    program = (
        "import os, sys\n"
        f"sys.version_info, sys.version, (sys.platform, os.name) = {numbers}, '{version} (main)', {system}\n"
        f"text = open({str(script)!r}).read()\n"
        "exec(compile(text, 'build.py', 'exec'), {'__name__': '__main__', '__file__': 'build.py'})\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"build.py: Tenure needs Python 3.11 or newer, and this is Python {version}. ")
    assert source in line
    assert line.endswith(command)


def test_both_launchers_have_the_same_code() -> None:
    """A change in one file must be made in the other too."""
    trees = [ast.parse(script.read_text()) for script in SCRIPTS]
    bodies = [{n.name: ast.dump(n) for n in tree.body if isinstance(n, ast.FunctionDef)} for tree in trees]
    shared = {"read_text", "run_command", "exit_with_error", "explain_set_up", "require_python"}
    assert bodies[0].keys() == shared | {"ensure_packages", "set_up_environment"}
    assert bodies[1].keys() - bodies[0].keys() == {"is_tenure_installed"}
    assert all(bodies[0][name] == bodies[1][name] for name in shared)
