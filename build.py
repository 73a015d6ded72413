# -*- coding: utf-8 -*-
"""
`python3 build.py` runs Tenure for the site in this folder (Windows: `py build.py`).

The first call creates the virtual environment `.venv` beside this file with the packages that Tenure needs;
an incomplete one is created again. This file only uses the syntax of Python 2.7, so that an old Python
reports the needed version. To write other files, pass your own function in the last line:
`main(exporters=(*EXPORTERS, your_function), ...)`.
"""

import os
import sys

SITE_FOLDER = os.path.dirname(os.path.realpath(__file__))
VENV_FOLDER = os.path.join(SITE_FOLDER, ".venv")
if os.name == "nt":
    VENV_PYTHON = os.path.join(VENV_FOLDER, "Scripts", "python.exe")
    VENV_PACKAGES = os.path.join(VENV_FOLDER, "Lib", "site-packages")
else:
    VENV_PYTHON = os.path.join(VENV_FOLDER, "bin", "python")
    VENV_PACKAGES = os.path.join(VENV_FOLDER, "lib", "python%d.%d" % sys.version_info[:2], "site-packages")
READY_FILE = os.path.join(VENV_FOLDER, "tenure-ready")
PYPROJECT_FILE = os.path.join(SITE_FOLDER, "pyproject.toml")
REQUIREMENTS = os.path.join(SITE_FOLDER, ".github", "requirements.txt")
TEST_REQUIREMENTS = os.path.join(SITE_FOLDER, "tests", "requirements.txt")
MODULES = (
    "PIL bibtexparser jinja2 latex2mathml livereload markdown_it markdownify mdit_py_plugins msgspec pygments"
    " pylatexenc pypdf tornado urllib3 watchfiles yaml"
)
TEST_MODULES = " hypothesis mypy playwright pytest ruff typst xdist"


def ensure_packages(is_test):  # type: (bool) -> None
    """Continue with the packages of .venv, or of this interpreter if it has them; otherwise create .venv."""
    from importlib.util import find_spec

    if all(find_spec(name) for name in (MODULES + TEST_MODULES * is_test).split()):
        return
    recorded = read_text(READY_FILE)
    state = sys.version + read_text(PYPROJECT_FILE) + read_text(REQUIREMENTS)
    test_state = state + read_text(TEST_REQUIREMENTS)
    if recorded != test_state and (is_test or recorded != state):
        set_up_environment(is_test)
        with open(READY_FILE, "w", encoding="utf-8") as ready:
            ready.write(test_state if is_test else state)
    if is_test:
        from subprocess import call

        raise SystemExit(call([VENV_PYTHON, os.path.join(SITE_FOLDER, "build.py")] + sys.argv[1:]))
    sys.path.insert(0, VENV_PACKAGES)  # this Python created .venv, and can use the packages there itself


def set_up_environment(is_test):  # type: (bool) -> None
    """
    Create .venv, and install exactly the pinned packages, with their hashes, so that a site is built as the
    tests are.

    If they do not exist for this Python or machine, the newest ones that pyproject.toml allows are installed,
    and this is said. Tenure is imported from this folder. Its build backend is installed, so that `new` can
    build a wheel without a network.
    """
    import tomllib

    reason = explain_set_up(read_text(READY_FILE))
    sys.stderr.write("Setting up " + VENV_FOLDER + " (" + reason + "; this takes about a minute)\n")
    error = run_command([sys.executable, "-m", "venv", "--clear", VENV_FOLDER])
    if error:
        exit_with_error("cannot create .venv (" + error + "). Debian, Ubuntu: sudo apt install python3-venv")
    install = [VENV_PYTHON, "-m", "pip", "install", "--quiet", "--no-compile"]
    pinned = ["--require-hashes", "--only-binary=:all:", "-r", TEST_REQUIREMENTS if is_test else REQUIREMENTS]
    error = run_command(install + pinned)
    if is_test:
        error = error or run_command([VENV_PYTHON, os.path.join("tests", "harness", "npm_tools.py")])
    elif error and "HASHES" not in error:  # another hash is another file, and no reason to take any
        pyproject = tomllib.loads(read_text(PYPROJECT_FILE))
        packages = pyproject["project"]["dependencies"] + pyproject["build-system"]["requires"]
        pinned_error = error
        error = run_command(install + packages)
        if not error:
            sys.stderr.write(
                "The pinned packages cannot be installed (" + pinned_error + "): newer ones are used\n"
            )
    if error:
        exit_with_error("cannot install the packages; check the connection, and try again (" + error + ")")


def explain_set_up(recorded):  # type: (str) -> str
    """Why .venv is set up, from the text of READY_FILE: Python 3.12.1 made the last one, perhaps on another machine"""
    if not os.path.isdir(VENV_FOLDER):
        return "once"
    if not recorded:
        return "the last one is not complete"
    if not recorded.startswith(sys.version):
        return "Python " + recorded.split()[0] + " made the last one, perhaps on another machine"
    return "other packages are needed"


def read_text(path):  # type: (str) -> str
    """The text of a file; "" if there is none."""
    if not os.path.isfile(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def run_command(command):  # type: (list[str]) -> str
    """Run a command without output; returns "", or the error of a command that fails."""
    import subprocess

    environment = dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1")
    result = subprocess.run(
        command, cwd=SITE_FOLDER, env=environment, capture_output=True, text=True, errors="replace"
    )
    if result.returncode == 0:
        return ""
    lines = [line for line in (result.stdout + result.stderr).split("\n") if line.strip()] or ["no output"]
    return ([line for line in lines if line.upper().startswith("ERROR")] or lines)[-1].strip()


def exit_with_error(reason):  # type: (str) -> None
    """Print one line and exit with the status of a usage error."""
    sys.stderr.write("build.py: " + reason + "\n")
    raise SystemExit(2)


def require_python():  # type: () -> None
    """Exit if Python is too old, with the way to a newer one."""
    if sys.version_info < (3, 11):
        python = "python3"
        source = "https://www.python.org/downloads/"
        if os.name == "nt":
            python = "py"
        elif sys.platform == "darwin":
            source += " or, with Homebrew: brew install python"
        else:
            python = "python3.11"
            source = "sudo apt install python3.11 python3.11-venv, or " + source
        exit_with_error(
            "Tenure needs Python 3.11 or newer, and this is Python %s. "
            "Install a newer one (%s), then run: %s build.py" % (sys.version.split()[0], source, python)
        )


if __name__ == "__main__":
    require_python()
    sys.path.insert(0, SITE_FOLDER)
    try:
        from tenure.cache.up_to_date import replay_if_unchanged

        if replay_if_unchanged(SITE_FOLDER, sys.argv[1:]):
            raise SystemExit(0)
        ensure_packages(sys.argv[1:2] == ["test"] and not {"-h", "--help"} & set(sys.argv))
        from pathlib import Path

        from tenure.cli.app import exit_immediately, main
    except KeyboardInterrupt:
        raise SystemExit(130)
    exit_immediately(main(folder=Path(SITE_FOLDER)))
