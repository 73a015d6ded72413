"""`test`: run the project's own tests."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tenure.commands.calls import CallError


def test(here: Path, words: Sequence[str]) -> int:
    """
    Run pytest with these arguments; returns the exit status.

    All tests run in one process per processor; named tests run in a single process, which is faster for a few.
    """
    if not (here / "tests").is_dir() or not (here / "tenure").is_dir():
        raise CallError("the tests are in Tenure's own repository only")
    named = any((here / word.partition("::")[0]).exists() for word in words)
    spread = () if named else ("--numprocesses", "auto")
    return subprocess.run([sys.executable, "-m", "pytest", *spread, *words], cwd=here, check=False).returncode
