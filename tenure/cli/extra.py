"""Packages that only some commands need: the first command that needs one installs it."""

import importlib
import shutil
import subprocess
import sys
from types import ModuleType

from tenure.cli.arguments import UsageError


def load_extra(module: str, requirement: str, purpose: str) -> ModuleType:
    """
    A module of an optional package; if it is missing, `requirement` ("pypdf>=5") is installed first.

    `purpose` says what it is for. Raises UsageError with the command to type if it cannot be installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        base_python = getattr(sys, "_base_executable", sys.executable)
        commands = [
            [sys.executable, "-m", "pip", "install", "--quiet", requirement],
            [base_python, "-m", "pip", "--python", sys.executable, "install", "--quiet", requirement],
        ]
        if uv := shutil.which("uv"):
            commands.insert(0, [uv, "pip", "install", "--quiet", "--python", sys.executable, requirement])
        print(f"installing {requirement.partition('>')[0]}, which {purpose}", file=sys.stderr, flush=True)
        for command in commands:
            if subprocess.run(command, capture_output=True, check=False).returncode == 0:
                importlib.invalidate_caches()
                return importlib.import_module(module)
    raise UsageError(
        f'a package that {purpose} cannot be installed now: pip install "{requirement}", then run the command again'
    )
