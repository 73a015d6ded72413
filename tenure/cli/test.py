"""`test`: run the project's own tests."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tenure.cli.arguments import UsageError


def run_tests(repository: Path, pytest_arguments: Sequence[str]) -> int:
    """
    Run pytest with these arguments; returns the exit status.

    All tests run in one process per processor; named tests run in a single process, which is faster for a few.
    """
    if not (repository / "tests").is_dir() or not (repository / "tenure").is_dir():
        raise UsageError("the tests are in Tenure's own repository only")
    names_tests = any((repository / argument.partition("::")[0]).exists() for argument in pytest_arguments)
    parallel_options = () if names_tests else ("--numprocesses", "auto")
    return subprocess.run(
        [sys.executable, "-m", "pytest", *parallel_options, *pytest_arguments], cwd=repository, check=False
    ).returncode
