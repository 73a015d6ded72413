"""Names are plain technical English: functions are verbs with an object."""

import ast

from conftest import ROOT

MINIMUM_MEAN_LENGTH = 10
"""Characters of the name of a function, on average: a verb alone has fewer."""


def test_functions_have_verbs_with_an_object() -> None:
    names = [
        node.name.strip("_")
        for path in (ROOT / "tenure").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.endswith("__")
    ]
    mean = sum(map(len, names)) / len(names)
    assert mean >= MINIMUM_MEAN_LENGTH, f"{len(names)} functions, {mean:.1f} characters on average"
