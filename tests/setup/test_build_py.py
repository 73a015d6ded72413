"""`build.py` of a site and of the repository: it repairs an incomplete installation, and every Python can parse it."""

import ast
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT
from test_setup_errors import TIMEOUT, bare_python, call_command

SCRIPTS = (ROOT / "build.py", ROOT / "tenure/starter/build.txt")
PACKAGES = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
WHEEL = {
    "tenure/__init__.py": "",
    "tenure/cache/up_to_date.py": "def replay_if_unchanged(folder, arguments):\n    return False\n",
    "tenure/cli/app.py": "import needed\ndef main(folder):\n    print('built')\n    return 0\ndef exit_immediately(status):\n    raise SystemExit(status)\n",
    "needed.py": "",
    "tenure-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: tenure\nVersion: 1\n",
    "tenure-1.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
}
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


def start_build_script(site: Path) -> subprocess.Popen[str]:
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL"))}
    command = [bare_python(), str(site / "build.py")]
    return subprocess.Popen(command, env=bare, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_an_interrupted_first_run_is_repaired_by_the_next(site: Path) -> None:
    for moment in ("pyvenv.cfg", "bin/python", f"{PACKAGES}/tenure"):
        process = start_build_script(site)
        end = time.monotonic() + TIMEOUT
        while not (site / ".venv" / moment).exists() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=TIMEOUT)
        assert (site / ".venv" / moment).exists()
        assert not (site / ".venv/tenure-ready").exists(), moment
    result = call_command([bare_python(), "build.py"], site)
    assert (result.returncode, result.stdout) == (0, "built\n"), result.stderr
    assert "Setting up" in result.stderr
    again = call_command([bare_python(), "build.py"], site)
    assert (again.returncode, again.stdout, again.stderr) == (0, "built\n", "")


def test_a_python_without_pip_uses_the_pip_that_comes_with_python(site: Path) -> None:
    python = site.parent / "without-pip/bin/python"
    assert (
        call_command([bare_python(), "-m", "venv", "--without-pip", str(python.parents[1])], site).returncode
        == 0
    )
    result = call_command([str(python), "build.py"], site)
    assert (result.returncode, result.stdout) == (0, "built\n"), result.stderr


def test_missing_packages_are_installed_again(site: Path) -> None:
    assert call_command([bare_python(), "build.py"], site).returncode == 0
    (site / ".venv" / PACKAGES / "needed.py").unlink()
    result = call_command([bare_python(), "build.py"], site)
    assert (result.returncode, result.stdout) == (0, "built\n"), result.stderr


def test_an_environment_of_another_python_is_created_again(site: Path) -> None:
    assert call_command([bare_python(), "build.py"], site).returncode == 0
    ready = site / ".venv/tenure-ready"
    recorded = ready.read_text(encoding="utf-8")
    assert sys.version in recorded
    ready.write_text(recorded.replace(sys.version, "3.12.1 (main)"), encoding="utf-8")
    (site / ".venv" / PACKAGES).rename(site / ".venv/packages-of-3.12")
    result = call_command([bare_python(), "build.py"], site)
    assert (result.returncode, result.stdout) == (0, "built\n"), result.stderr
    assert "Setting up" in result.stderr
    assert sys.version in ready.read_text(encoding="utf-8")


def test_two_simultaneous_first_runs_both_succeed(site: Path) -> None:
    calls = [start_build_script(site), start_build_script(site)]
    results = [process.communicate(timeout=TIMEOUT) for process in calls]
    assert [(process.returncode, out) for process, (out, _) in zip(calls, results, strict=True)] == [
        (0, "built\n")
    ] * 2
    assert "".join(errors for _, errors in results).count("Setting up") == 1


def test_a_wheel_with_another_hash_is_refused(site: Path) -> None:
    (wheel,) = (site / "vendor").iterdir()
    with zipfile.ZipFile(wheel, "a") as file:
        file.writestr("other.py", "")
    result = call_command([bare_python(), "build.py"], site)
    assert result.returncode == 2
    last = result.stderr.splitlines()[-1]
    assert last.startswith("build.py: cannot install what requirements.txt lists")
    assert "DO NOT MATCH THE HASHES" in last


@pytest.mark.parametrize("script", SCRIPTS, ids=["repository", "site"])
def test_the_syntax_is_that_of_the_oldest_python(script: Path) -> None:
    """Python 2.7 can parse every construct of the file; the test lists those that it cannot parse."""
    text = script.read_text(encoding="ascii")
    newer = (
        ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Nonlocal, ast.Starred, ast.Match, ast.AsyncFunctionDef,
        ast.Await, ast.YieldFrom, ast.MatMult,
    )  # fmt: skip
    for node in ast.walk(ast.parse(text, feature_version=(3, 7))):
        assert not isinstance(node, newer), ast.dump(node)
        if isinstance(node, ast.FunctionDef):
            inner = node.args
            assert (node.returns, inner.kwonlyargs, inner.posonlyargs) == (None, [], []), node.name
            assert not any(argument.annotation for argument in inner.args), node.name
        if isinstance(node, ast.Raise):
            assert node.cause is None
        if isinstance(node, ast.Name):
            assert node.id != "print"


@pytest.mark.parametrize("script", SCRIPTS, ids=["repository", "site"])
@pytest.mark.parametrize(
    ("version", "system", "source", "command"),
    [
        ("3.9.18", ("darwin", "posix"), "brew install python", "python3 build.py"),
        ("3.8.18", ("linux", "posix"), "apt install python3.11", "python3.11 build.py"),
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
    bodies = [
        {
            node.name: ast.dump(node)
            for node in ast.parse(script.read_text()).body
            if isinstance(node, ast.FunctionDef)
        }
        for script in SCRIPTS
    ]
    shared = bodies[0].keys() & bodies[1].keys() - {"ensure_packages", "set_up_environment"}
    assert shared == bodies[1].keys() - {"ensure_packages", "set_up_environment"}
    assert len(shared) == 10
    assert all(bodies[0][name] == bodies[1][name] for name in shared)
