"""One line of a terminal shows the progress of a long build."""

import contextlib
import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import write_files

from tenure.progress import ProgressLine

ROOT = Path(__file__).resolve().parents[2]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def seconds() -> list[float]:
    return [0.0]


@pytest.fixture
def terminal_and_line(seconds: list[float]) -> tuple[Terminal, ProgressLine]:
    terminal = Terminal()
    return terminal, ProgressLine(terminal, "ada: ", lambda: seconds[0])


def test_progress_is_shown_after_one_second(
    terminal_and_line: tuple[Terminal, ProgressLine], seconds: list[float]
) -> None:
    terminal, line = terminal_and_line
    seconds[0] = 0.9
    line("rendering pages", 10, 2000)
    line.clear()
    assert terminal.getvalue() == ""
    seconds[0] = 1.1
    line("rendering pages", 1500, 2000)
    assert terminal.getvalue() == "\rada: rendering pages: 1,500 of 2,000"


def test_a_long_build_shows_progress(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        "-- content/profile.yaml --\nname: Ada Example\n-- content/talks.yaml --\n- {title: A, date: 2024}\n",
    )
    program = "import tenure.progress as p; p.INITIAL_DELAY = p.REFRESH_INTERVAL = 0\nfrom tenure.cli.app import main; main(['build'])"
    terminal_end, process_end = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", program]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=process_end, stderr=process_end)
    os.close(process_end)
    pieces: list[bytes] = []
    with contextlib.suppress(OSError):  # Linux raises it when the terminal's other end is closed
        while piece := os.read(terminal_end, 4096):
            pieces.append(piece)
    os.close(terminal_end)
    assert process.wait() == 0
    output = b"".join(pieces).decode()
    for step in ("rendering pages: 0 of ", "making records", "making CVs", "writing files: 0 of "):
        assert step in output
    left = [line.rpartition("\r")[2] for line in output.replace("\r\n", "\n").split("\n")]
    assert [line.split()[0] for line in left if line][:2] == ["Read", "The"]
    assert not any("rendering pages:" in line or "writing files:" in line for line in left)
