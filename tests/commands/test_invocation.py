"""Printed commands can be typed unchanged: they have the form of the user's call and the quotes of the system."""

import sys
from pathlib import Path

import pytest
from conftest import Patch

from tenure.cli import arguments
from tenure.cli.arguments import format_command, format_write_command


@pytest.mark.parametrize(
    ("argv", "python", "expected"),
    [
        ("build.py", "python3", "python3 build.py"),
        ("../my clone/build.py", "python3.12", "python3.12 '../my clone/build.py'"),
        ("/usr/bin/tenure", "/usr/bin/python3", "tenure"),
        ("/lib/tenure/__main__.py", "python3", "python3 -m tenure"),
        ("build.py", "/opt/a b/python", "'/opt/a b/python' build.py"),
        ("build.py", ".venv/bin/python", "{}/.venv/bin/python build.py"),
    ],
)
def test_a_command_is_printed_as_it_can_be_typed(
    monkeypatch: Patch, tmp_path: Path, argv: str, python: str, expected: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [argv])
    monkeypatch.setattr(sys, "orig_argv", [python, argv])
    program = expected.format(tmp_path)
    assert format_command("serve", "--site", "../my site") == f"{program} serve --site '../my site'"
    assert format_write_command(None, "upgrade") == f"{program} upgrade --write"
    assert format_write_command([Path("me")], "upgrade") == f"{program} upgrade --site me --write"


def test_a_python_that_is_found_by_its_name_is_printed_by_its_name(
    monkeypatch: Patch, tmp_path: Path
) -> None:
    path = tmp_path / "python3"
    path.write_text("", "utf-8")
    path.chmod(0o755)
    monkeypatch.setattr(sys, "argv", ["build.py"])
    monkeypatch.setattr(sys, "orig_argv", [str(path), "build.py"])
    monkeypatch.setenv("PATH", "/nowhere")
    assert format_command("check") == f"{path} build.py check"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert format_command("check") == "python3 build.py check"


def test_on_windows_the_launcher_is_called_and_quotes_are_double(monkeypatch: Patch) -> None:
    monkeypatch.setattr(sys, "argv", ["build.py"])
    monkeypatch.setattr(arguments, "WINDOWS", True)
    assert format_command("serve", "--site", "../my site") == 'py build.py serve --site "../my site"'
