"""`test`: the project's own tests."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tenure.commands.calls import CallError


def test(here: Path, words: Sequence[str]) -> int:
    """Run the tests with what pytest is to be told; returns the exit status."""
    if not (here / "tests").is_dir() or not (here / "tenure").is_dir():
        raise CallError("the tests are in Tenure's own repository only")
    return subprocess.run([sys.executable, "-m", "pytest", *words], cwd=here, check=False).returncode
