"""
The door: `python3 build.py` builds the site in this folder.

On a fresh machine it first makes `.venv` beside itself and installs what is needed there; then it goes on inside.
A site that wants a file made that no theme makes passes its own outlet: `main(outlets=(*OUTLETS, mine))`.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
READY = VENV / "tenure-ready"
PACKAGES = ("yaml", "jinja2", "bibtexparser", "latex2mathml", "markdown", "pylatexenc")
NEEDED = {"": PACKAGES, "test": (*PACKAGES, "pytest", "hypothesis", "mypy", "ruff", "html5lib")}


def enter(extra: str) -> None:
    """Go on in an interpreter that has the packages: this one, the one in .venv, or a new .venv."""
    if all(importlib.util.find_spec(name) for name in NEEDED[extra]):
        return
    if Path(sys.prefix).resolve() == VENV:
        stop("the packages in .venv are incomplete; delete the folder .venv and run this again")
    wanted = state(extra)
    if not (PYTHON.is_file() and READY.is_file() and wanted in READY.read_text().split()):
        set_up(extra)
        done = READY.read_text().split() if READY.is_file() else []
        READY.write_text("\n".join(sorted({*done, wanted, state("")})))
    arguments = [str(PYTHON), str(HERE / "build.py"), *sys.argv[1:]]
    sys.stdout.flush()
    if os.name == "nt":
        raise SystemExit(subprocess.run(arguments, check=False).returncode)
    os.execv(arguments[0], arguments)


def state(extra: str) -> str:
    """What .venv must have been made from."""
    project = (HERE / "pyproject.toml").read_bytes()
    return hashlib.sha256(project + extra.encode() + sys.version.encode()).hexdigest()[:20]


def set_up(extra: str) -> None:
    """Make .venv and install the project there; one clear line where that cannot be."""
    print(f"Setting up {VENV} (once; this takes a moment) …", file=sys.stderr, flush=True)
    uv = shutil.which("uv")
    if not PYTHON.is_file() or not READY.is_file():
        if not os.access(HERE, os.W_OK):
            stop(f"the folder {HERE} cannot be written; copy the project to a folder of your own")
        make = (
            [uv, "venv", "--clear", "--python", sys.executable]
            if uv
            else [sys.executable, "-m", "venv", "--clear"]
        )
        hint = "install it (Debian, Ubuntu: apt install python3-venv), or pip install . in an environment of your own"
        run(
            [*make, str(VENV)],
            f"Python cannot make a virtual environment here: venv or ensurepip is missing; {hint}",
        )
    wanted = f"{HERE}[{extra}]" if extra else str(HERE)
    install = [uv, "pip", "install", "--python", str(PYTHON)] if uv else [str(PYTHON), "-m", "pip", "install"]
    reason = "the packages cannot be installed; check the connection to the Python Package Index and run this again"
    run([*install, "--quiet", "--editable", wanted], reason)


def run(command: list[str], reason: str) -> None:
    """Run a command in silence, or stop with the reason and the last line it said."""
    quiet = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=quiet)
    except OSError as error:
        stop(f"{reason} ({error})")
    if done.returncode != 0:
        said = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        stop(f"{reason} ({said[-1]})" if said else reason)


def stop(reason: str) -> None:
    """Say why and end."""
    print(f"build.py: {reason}", file=sys.stderr)
    raise SystemExit(2)


if __name__ == "__main__":
    if sys.version_info < (3, 11):
        stop(f"Python 3.11 or newer is needed, and this is {sys.version.split()[0]}")
    enter("test" if sys.argv[1:2] == ["test"] else "")
    from tenure.cli import main

    raise SystemExit(main(folder=HERE))
