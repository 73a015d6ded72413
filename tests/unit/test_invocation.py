"""Printed commands can be typed unchanged: they have the form of the user's call and the quotes of the system."""

import sys
from pathlib import Path

import pytest

from tenure.cli import invocation
from tenure.cli.invocation import command_prefix, format_next_steps, format_write_command


@pytest.fixture
def typed_command(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(sys, "argv", ["build.py", "new"])
    monkeypatch.setattr(sys, "orig_argv", ["python3", "build.py", "new"])
    return monkeypatch


@pytest.mark.parametrize(
    ("argv", "python", "expected", "in_site"),
    [
        ("build.py", "python3", "python3 build.py", "python3 build.py"),
        ("../my clone/build.py", "python3.12", "python3.12 '../my clone/build.py'", "python3.12 build.py"),
        ("/usr/bin/tenure", "/usr/bin/python3", "tenure", "tenure"),
        ("/lib/tenure/__main__.py", "python3", "python3 -m tenure", "python3 -m tenure"),
        ("build.py", "/opt/a b/python", "'/opt/a b/python' build.py", "'/opt/a b/python' build.py"),
    ],
)
def test_the_command_line_shown(
    typed_command: pytest.MonkeyPatch, argv: str, python: str, expected: str, in_site: str
) -> None:
    typed_command.setattr(sys, "argv", [argv])
    typed_command.setattr(sys, "orig_argv", [python, argv])
    assert command_prefix() == expected
    assert format_next_steps("me", "serve --open") == f"  cd me\n  {in_site} serve --open\n"


def test_a_relative_interpreter_is_written_so_that_it_works_in_the_sites_folder(
    typed_command: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    typed_command.chdir(tmp_path)
    typed_command.setattr(sys, "orig_argv", [".venv/bin/python", "build.py"])
    assert format_next_steps("me", "check") == f"  cd me\n  {tmp_path}/.venv/bin/python build.py check\n"


def test_folders_are_quoted_and_the_current_folder_is_omitted(typed_command: pytest.MonkeyPatch) -> None:
    assert typed_command
    assert format_next_steps("../my site", "check") == "  cd '../my site'\n  python3 build.py check\n"
    assert format_next_steps(".", "check") == "  python3 build.py check\n"
    assert format_write_command("upgrade", Path("it's")) == """python3 build.py upgrade 'it'"'"'s' --write"""
    assert format_write_command("upgrade", None) == "python3 build.py upgrade --write"


def test_on_windows_the_launcher_is_called_and_quotes_are_double(typed_command: pytest.MonkeyPatch) -> None:
    typed_command.setattr(sys, "orig_argv", [r"C:\Python313\python.exe", "build.py"])
    typed_command.setattr(invocation, "WINDOWS", True)
    assert (
        format_next_steps("../my site", "serve --open") == '  cd "../my site"\n  py build.py serve --open\n'
    )
    assert command_prefix() == "py build.py"
