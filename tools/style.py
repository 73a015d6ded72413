"""
Counts how heavy each package of the program is, and how its code reads.

    python3 tools/style.py [PROJECT] [--goals]     --goals: exit status 1 if a goal is not reached

Nodes are those of `ast.walk` without annotations, docstrings, imports and Load/Store marks. A string counts
one more for each word beyond six, so that a table in a string has no prize. A body is what follows the
docstring of a function. The cyclomatic number of a function counts if, conditional expressions, loops,
comprehensions, except, assert, match cases, and each further operand of `and` and `or`.
"""

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from pathlib import Path

GOALS = {  # the most that is allowed, but the least for comments
    "nodes": 192_000,
    "conditional expressions inside another, or over 12 nodes": 350,
    "parallel assignments of unrelated values": 0,
    "nested comprehensions": 20,
    "calls of re": 700,
    "lines over 110 columns": 0,
    "bodies of 15 lines without a blank line, %": 25,
    "comment lines": 450,
    "functions over 10, %": 10,
    "functions over 15": 30,
    "functions over 20": 0,
}
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
NOT_COUNTED = (ast.Import, ast.ImportFrom, ast.alias, ast.expr_context)
BRANCHES = (
    ast.If,
    ast.IfExp,
    ast.For,
    ast.While,
    ast.ExceptHandler,
    ast.comprehension,
    ast.Assert,
    ast.match_case,
)
RE_CALL = re.compile(r"\bre\.(?:compile|search|match|fullmatch|subn?|split|findall|finditer)\(")
"""re.compile(."""


def list_annotations(node: ast.AST) -> list[ast.expr | None]:
    """The annotations that a node has itself."""
    if isinstance(node, FUNCTIONS):
        return [node.returns]
    if isinstance(node, (ast.arg, ast.AnnAssign)):
        return [node.annotation]
    return []


def is_docstring(node: ast.AST) -> bool:
    """Whether a statement is only a string, such as the text below a constant."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def count_nodes(node: ast.AST) -> int:
    """The nodes of a tree that are logic."""
    if isinstance(node, NOT_COUNTED) or is_docstring(node):
        return 0
    number = 1
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        number += max(0, len(node.value.split()) - 6)
    annotations = list_annotations(node)
    return number + sum(
        count_nodes(child) for child in ast.iter_child_nodes(node) if child not in annotations
    )


def measure_branches(function: ast.AST) -> int:
    """One, and one for each branch."""
    number = 1
    for node in ast.walk(function):
        if isinstance(node, BRANCHES):
            number += 1
        elif isinstance(node, ast.BoolOp):
            number += len(node.values) - 1
    return number


def is_buried(condition: ast.IfExp, parent: ast.AST) -> bool:
    """Whether a conditional expression is neither a whole value nor a whole argument, or a long one."""
    is_whole = isinstance(parent, (ast.Assign, ast.AnnAssign, ast.Return, ast.keyword, ast.Call, ast.Lambda))
    return not is_whole or count_nodes(condition) > 12


def is_unrelated(assignment: ast.Assign) -> bool:
    """Whether `a, b = x, y` could be two statements: no name of the left side stands on the right side."""
    if not isinstance(assignment.targets[0], ast.Tuple) or not isinstance(assignment.value, ast.Tuple):
        return False
    left = {node.id for node in ast.walk(assignment.targets[0]) if isinstance(node, ast.Name)}
    right = {node.id for node in ast.walk(assignment.value) if isinstance(node, ast.Name)}
    return not left & right


def count_file(path: Path) -> Counter[str]:
    """The counts of one file."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    tree = ast.parse(text)
    counts = Counter(files=1, lines=len(lines), nodes=count_nodes(tree))
    counts["re"] = len(RE_CALL.findall(text))
    counts["long"] = sum(len(line) > 110 for line in lines)
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    counts["comments"] = sum(
        token.type == tokenize.COMMENT and token.line.lstrip().startswith("#") for token in tokens
    )
    for parent in ast.walk(tree):
        for node in ast.iter_child_nodes(parent):
            count_node(node, parent, lines, counts)
    return counts


def count_node(node: ast.AST, parent: ast.AST, lines: list[str], counts: Counter[str]) -> None:
    """Add what one node shows."""
    if isinstance(node, ast.IfExp):
        counts["buried"] += is_buried(node, parent)
    elif isinstance(node, ast.Assign):
        counts["parallel"] += is_unrelated(node)
    elif isinstance(node, COMPREHENSIONS):
        inner = (child for child in ast.walk(node) if child is not node)
        counts["nested"] += any(isinstance(child, COMPREHENSIONS) for child in inner)
    elif isinstance(node, FUNCTIONS):
        count_function(node, lines, counts)


def count_function(
    function: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[str], counts: Counter[str]
) -> None:
    """Add the counts of one function."""
    number = measure_branches(function)
    counts["functions"] += 1
    for limit in (10, 15, 20):
        counts[f"over {limit}"] += number > limit
    body = function.body[1:] if is_docstring(function.body[0]) else function.body
    # a single loop or condition is one paragraph, and the fields of an object are a list
    is_one_statement = len(body) == 1 and not isinstance(body[0], (ast.Return, ast.Expr, ast.Assign))
    if not body or is_one_statement or function.name == "__init__":
        return
    body_lines = lines[body[0].lineno - 1 : function.end_lineno]
    if len(body_lines) >= 15:
        counts["bodies"] += 1
        counts["gapless"] += all(line.strip() for line in body_lines)


def list_figures(counts: Counter[str]) -> dict[str, float]:
    """The figures in the order of the goals."""
    values = [
        counts["nodes"],
        counts["buried"],
        counts["parallel"],
        counts["nested"],
        counts["re"],
        counts["long"],
        round(100 * counts["gapless"] / max(1, counts["bodies"])),
        counts["comments"],
        round(100 * counts["over 10"] / max(1, counts["functions"]), 1),
        counts["over 15"],
        counts["over 20"],
    ]
    return dict(zip(GOALS, values, strict=True))


def name_package(parts: tuple[str, ...]) -> str:
    """
    The row of ARCHITECTURE.md that a file belongs to.

    ("tenure", "cli", "app.py") -> "cli"; ("tenure", "build.py") and ("tenure", "cache", "store.py") ->
    "build.py"
    """
    if parts[0] != "tenure":
        return parts[0]
    if len(parts) == 2 or parts[1] == "cache":
        return "build.py"
    return parts[1]


def count_packages(root: Path) -> dict[str, Counter[str]]:
    """The counts of each package of a project, and of "all"."""
    packages: dict[str, Counter[str]] = {}
    total: Counter[str] = Counter()
    for top in ("tenure", "tenure_import"):
        for path in sorted((root / top).rglob("*.py")):
            counts = count_file(path)
            name = name_package(path.relative_to(root).parts)
            packages.setdefault(name, Counter()).update(counts)
            total.update(counts)

    return packages | {"all": total}


def is_missed(name: str, value: float) -> bool:
    """Whether a figure does not reach its goal: the least for comments, the most for all others."""
    if name == "comment lines":
        return value < GOALS[name]
    return value > GOALS[name]


def main(arguments: list[str]) -> int:
    """Print the figures; returns the exit status."""
    root = Path(next((text for text in arguments if not text.startswith("--")), "."))
    packages = count_packages(root)

    for name, counts in packages.items():
        shown = ", ".join(f"{label} {value}" for label, value in list_figures(counts).items())
        print(f"{name}: {counts['files']} files, {counts['lines']} lines; {shown}")
    if "--goals" not in arguments:
        return 0

    total = packages["all"]
    figures = list_figures(total)
    missed = [f"{name} {value} ({GOALS[name]})" for name, value in figures.items() if is_missed(name, value)]
    print(f"{total['lines']} lines in {total['files']} files; not reached: {'; '.join(missed) or 'none'}")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
