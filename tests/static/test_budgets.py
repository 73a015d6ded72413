"""ARCHITECTURE.md names every package with its budget of lines, and no package grows beyond what its row allows."""

import re
from pathlib import Path

from conftest import ROOT

TEXT = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
ROW = re.compile(r"^\| (`.+?|all|files|words) \|.* \| ([\d,]+) \| ([\d,]*) ?\|$", re.MULTILINE)
"""A row of the table: | `cli/` | the commands | 1,650 | 2,631 |"""


DOCUMENTS = ("README.md", "CHANGELOG.md", "ARCHITECTURE.md", ".github/CONTRIBUTING.md", "docs/**/*.md")
CODE = re.compile(r"^(`{3,}).*?^\1$", re.MULTILINE | re.DOTALL)


def count_words() -> int:
    """Return the words of the documentation outside of code blocks: what has a letter or a digit."""
    texts = [path.read_text("utf-8") for pattern in DOCUMENTS for path in sorted(ROOT.glob(pattern))]
    return sum(bool(re.search(r"\w", word)) for text in texts for word in CODE.sub("", text).split())


def count_lines(paths: list[Path]) -> int:
    return sum(len(path.read_text("utf-8").splitlines()) for path in paths)


def list_package_files() -> dict[str, list[Path]]:
    """Return the modules of each row: a package below tenure/ alone, and the files at the top with cache/ and build.py."""
    files = sorted((ROOT / "tenure").rglob("*.py"))
    packages: dict[str, list[Path]] = {"tenure_import/": sorted((ROOT / "tenure_import").rglob("*.py"))}
    for path in files:
        parts = path.relative_to(ROOT / "tenure").parts
        name = f"{parts[0]}/" if len(parts) > 1 and parts[0] != "cache" else "build.py"
        packages.setdefault(name, []).append(path)
    packages["build.py"].append(ROOT / "build.py")
    return packages


def test_no_package_grows_beyond_its_budget_or_its_last_figure() -> None:
    packages = list_package_files()
    actual = {name: count_lines(paths) for name, paths in packages.items()}
    actual |= {"all": sum(actual.values()), "files": sum(map(len, packages.values())), "words": count_words()}
    actual["tests/"] = count_lines(sorted((ROOT / "tests").rglob("*.py")))
    rows = {re.sub(r"`(.+?)`.*", r"\1", name): (budget, last) for name, budget, last in ROW.findall(TEXT)}
    assert set(rows) == set(actual)
    too_large = [
        f"{name}: {actual[name]}, budget {budget}, at most {last or budget}"
        for name, (budget, last) in rows.items()
        if actual[name] > max(int(figure.replace(",", "")) for figure in (budget, last or "0"))
    ]
    assert too_large == []


def test_every_path_in_the_text_exists() -> None:
    places = (ROOT, ROOT / "tenure")
    paths = set(re.findall(r"`((?:\w+/)[\w/.]*|\w+\.py)`", TEXT)) - {"output/", "assets/", "translations/"}
    assert {path for path in paths if not any((place / path).exists() for place in places)} == set()
