"""Names are plain technical English: functions are verbs with an object, classes are nouns, no word has two meanings."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from conftest import ROOT

FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef
IRREGULAR_PARTICIPLES = {
    "told",
    "kept",
    "made",
    "found",
    "shown",
    "given",
    "led",
    "written",
    "said",
    "begun",
    "done",
    "seen",
    "taken",
    "gone",
    "held",
    "met",
    "built",
    "sent",
    "lost",
    "drawn",
    "known",
    "thrown",
    "spoken",
    "broken",
    "chosen",
    "hidden",
    "grown",
    "torn",
    "worn",
    "sought",
    "bought",
    "brought",
    "caught",
    "taught",
    "thought",
}
MINIMUM_MEAN_LENGTH = 10
MAXIMUM_PARTICIPLES_PERCENT = 4

FORBIDDEN_WORDS = [
    "told",
    "wish",
    "wishes",
    "sameness",
    "memo",
    "slips",
    "breach",
    "breaches",
    "misdated",
    "moments",
    "gathering",
    "proses",
    "outlet",
    "outlets",
    "vita",
    "curriculum",
    "heirs",
    "shelf",
    "begun",
    "awaited",
    "raster",
    "stands",
    "house",
    "remark",
    "faults",
    "film",
    "films",
]
"""Metaphors and words with two meanings; CONTRIBUTING.md lists the words to use instead."""

STANDARD_TERMS: frozenset[tuple[str, str]] = frozenset()


def python_files(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def names_in(tree: ast.Module) -> Iterator[str]:
    """Return the names that a module defines: functions, classes, parameters, variables and fields."""
    for node in ast.walk(tree):
        if isinstance(node, FUNCTION | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr


def function_names() -> list[str]:
    return [
        node.name.strip("_")
        for path in python_files("tenure")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, FUNCTION) and not node.name.endswith("__")
    ]


def is_participle(name: str) -> bool:
    return "_" not in name and (
        name in IRREGULAR_PARTICIPLES or re.fullmatch(r"[a-z]+[^e]ed", name) is not None
    )


def test_functions_have_verbs_with_an_object() -> None:
    names = function_names()
    mean = sum(map(len, names)) / len(names)
    participles = sorted(filter(is_participle, names))
    percent = 100 * len(participles) / len(names)
    figures = f"{len(names)} functions, {mean:.1f} characters on average, {percent:.1f} % participles: {participles}"
    assert mean >= MINIMUM_MEAN_LENGTH, figures
    assert percent <= MAXIMUM_PARTICIPLES_PERCENT, figures


def test_no_class_name_is_used_twice() -> None:
    files: dict[str, list[str]] = defaultdict(list)
    for path in python_files("tenure"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                files[node.name.lstrip("_")].append(path.relative_to(ROOT).as_posix())
    assert {name: paths for name, paths in files.items() if len(paths) > 1} == {}


def test_no_forbidden_word_is_in_a_name() -> None:
    offenders = []
    for path in [*python_files("tenure"), *python_files("tests")]:
        file = path.relative_to(ROOT).as_posix()
        for name in names_in(ast.parse(path.read_text(encoding="utf-8"))):
            parts = {name.lower(), *name.lower().split("_")}
            offenders += [f"{file}: {name}" for word in FORBIDDEN_WORDS if word in parts]
    assert sorted(set(offenders)) == [], f"{len(offenders)} names have forbidden words"


def test_no_forbidden_word_is_in_themes_and_documentation() -> None:
    pattern = re.compile(rf"(?<![\w-])({'|'.join(FORBIDDEN_WORDS)})(?![\w-])")
    files = [
        *(ROOT / "themes").rglob("*.html"),
        *(ROOT / "themes").rglob("*.css"),
        *(ROOT / "docs" / "content" / "pages").glob("*.md"),
        *(ROOT / name for name in ("README.md", "ARCHITECTURE.md")),
    ]
    offenders = [
        f"{path.relative_to(ROOT).as_posix()}:{number}: {match[1]}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for match in pattern.finditer(re.sub(r"`[^`]*`", "", line))
    ]
    assert offenders == [], f"{len(offenders)} forbidden words"
