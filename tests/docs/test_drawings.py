"""The drawings of the demonstration sites are the output of the scripts in examples/."""

import subprocess
import sys
from pathlib import Path

from conftest import ROOT


def test_the_neurons_are_computed(tmp_path: Path) -> None:
    """If this fails, run `python examples/neuron_drawings.py examples/cajal/content/dibujos`."""
    subprocess.run([sys.executable, ROOT / "examples/neuron_drawings.py", tmp_path], check=True)
    drawings = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    assert len(drawings) == 6
    for name, text in drawings.items():
        assert (ROOT / "examples/cajal/content/dibujos" / name).read_text("utf-8") == text, name


def test_the_drawings_are_computed(tmp_path: Path) -> None:
    """If this fails, run `python examples/turing_drawings.py content/images`."""
    subprocess.run([sys.executable, ROOT / "examples/turing_drawings.py", tmp_path], check=True)
    drawings = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    assert len(drawings) == 30
    for name, text in drawings.items():
        assert (ROOT / "content/images" / name).read_text("utf-8") == text, name
