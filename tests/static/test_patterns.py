"""The regular expressions are read alike by every supported Python."""

import re
from pathlib import Path

import pytest
from conftest import ROOT

FILES = sorted((ROOT / "tenure").rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_group_has_a_possessive_quantifier(path: Path) -> None:
    """Python 3.11.2, that of Debian 12, matches `(?:a|bc)*+` wrongly; `(?>(?:a|bc)*)` means the same."""
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if re.search(r"\)[*+?]\+(?!,;)", line)] == []
