"""
Calls of the program as text: what a user types in the folder of a site, and what is printed.

    === the title of a case
    -- content/talks.yaml --
    - title: A talk
    ~~~~
    $ tenure check --fix
    Nothing was written. …            "…" stands for any text in a line, and for any lines if it is a line
    [1]                               the exit status, if it is not 0
    $ cat content/talks.yaml          any other command of a shell; $ROOT is the repository
    - title: A talk

The messages of a command (stderr) come after its output. The sources and flags are those of tests/harness/cases.py.
"""

import os
import re
import shlex
from pathlib import Path

import pytest
from cases import Case, prepare_sources, read_cases
from conftest import ROOT, Capture, Make, run_in, run_process

CASES = [case for path in sorted(Path(__file__).parent.glob("*.txt")) for case in read_cases(path)]


def match_output(output: str, expected: str) -> bool:
    """Return whether an output is as expected, where "…" stands for any text or lines."""
    lines = (
        r"(?:.*\n)*?" if line == "…" else f"{re.escape(line).replace('…', '.*?')}\n"
        for line in expected.splitlines()
    )
    return bool(re.fullmatch("".join(lines), output))


@pytest.mark.parametrize("case", CASES, ids=[f"{case.file}-{case.title}" for case in CASES])
def test_each_call_prints_its_lines(case: Case, site: Make, capsys: Capture) -> None:
    root = prepare_sources(case, site(case.sources)).root
    transcript = case.expected.replace("$ROOT", str(ROOT))
    for step in re.split(r"^\$ ", transcript, flags=re.MULTILINE)[1:]:
        line, _, expected = step.partition("\n")
        if line.startswith("tenure"):
            status = run_in(root, *map(os.path.expanduser, shlex.split(line)[1:]))
            printed = capsys.readouterr()
            output = printed.out + printed.err
        else:
            result = run_process("sh", "-c", line, folder=root, variables={**os.environ, "LC_ALL": "C"})
            status, output = result.returncode, result.stdout + result.stderr
        output += f"[{status}]\n" if status else ""
        assert match_output(output, expected), f"$ {line}\n{output}"
