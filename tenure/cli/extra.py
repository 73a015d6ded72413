"""Packages that only some commands need: the first command that needs one installs it."""

import importlib
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

from tenure.cli.arguments import UsageError
from tenure.cli.invocation import WINDOWS


def load_extra(module: str, requirement: str, purpose: str) -> ModuleType:
    """
    A module of an optional package; if it is missing, `requirement` ("pypdf>=5") is installed first.

    `purpose` says what it is for. Raises UsageError with the command to type if it cannot be installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        print(f"installing {requirement.partition('>')[0]}, which {purpose}", file=sys.stderr, flush=True)
    python = find_environment_python()
    uv = shutil.which("uv")  # an environment that it has made has no pip
    commands = [[uv, "pip", "install", "--quiet", "--python", python, requirement]] if uv else []
    for command in [*commands, [python, "-m", "pip", "install", "--quiet", requirement]]:
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:
            importlib.invalidate_caches()
            return importlib.import_module(module)
    raise UsageError(
        f'a package that {purpose} cannot be installed now: {python} -m pip install "{requirement}", then run the command again'
    )


def find_environment_python() -> str:
    """
    The interpreter of the virtual environment that has the packages of Tenure, or the running one.

    `build.py` uses the packages of `.venv` in the interpreter that made it, which may refuse to install packages itself.
    """
    spec = importlib.util.find_spec("jinja2")
    for folder in Path(spec.origin).parents if spec and spec.origin else ():
        if (folder / "pyvenv.cfg").is_file():
            return str(folder / ("Scripts/python.exe" if WINDOWS else "bin/python"))
    return sys.executable
