"""The house stands: who may import whom, one door for each library, sizes, names, docstrings."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from conftest import ROOT

PACKAGE = ROOT / "tenure"
FILES = sorted(PACKAGE.rglob("*.py"))
ROOMS = [path for path in FILES if path.name != "__init__.py"]
IDS = [path.relative_to(PACKAGE).as_posix() for path in ROOMS]
FORBIDDEN_NAMES = {"utils", "helpers", "common", "manager", "handler", "base"}


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_of(path: Path) -> set[str]:
    """Every module that a file imports, at the top or within a function."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules = {f"{node.module}.{alias.name}" for alias in node.names}
            ours = {m for m in modules if (ROOT / f"{m.replace('.', '/')}.py").is_file()}
            found |= ours or {node.module}
    return found


def ours(path: Path) -> set[str]:
    """Our own rooms that a room imports, as "sources/tree"."""
    return {m.removeprefix("tenure.").replace(".", "/") for m in imports_of(path) if m.startswith("tenure.")}


def libraries(path: Path) -> set[str]:
    tops = {module.partition(".")[0] for module in imports_of(path)}
    return {top for top in tops if top not in sys.stdlib_module_names and top not in ("tenure", "markupsafe")}


def test_packages_import_only_lower_packages() -> None:
    result = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout


def test_no_circle() -> None:
    arrows = {name_of(path): ours(path) for path in ROOMS}
    while arrows:
        free = [room for room, needed in arrows.items() if not needed & arrows.keys()]
        assert free, f"these import each other: {sorted(arrows)}"
        for room in free:
            del arrows[room]


def test_a_build_asks_no_other_host() -> None:
    """No room that a build can reach knows how to."""
    rooms = {name_of(path): path for path in ROOMS}
    reached, coming = set[str](), {"build", "cli/build"}
    while coming:
        room = coming.pop()
        reached.add(room)
        coming |= (ours(rooms[room]) & rooms.keys()) - reached
    assert "html/link_check" in reached
    network = {"urllib.request", "http.client", "socket", "ssl", "ftplib", "smtplib"}
    assert {room for room in reached if imports_of(rooms[room]) & network} == set()
    assert imports_of(rooms["cli/external_links"]) & network


def test_each_library_has_one_door() -> None:
    doors: dict[str, list[str]] = {}
    for path in ROOMS:
        for library in libraries(path):
            doors.setdefault(library, []).append(name_of(path))
    assert {library: rooms for library, rooms in doors.items() if len(rooms) > 1} == {}


@pytest.mark.parametrize("path", ROOMS, ids=IDS)
def test_sizes(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < 600
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 60, node.name


@pytest.mark.parametrize("path", ROOMS, ids=IDS)
def test_names(path: Path) -> None:
    assert path.stem not in FORBIDDEN_NAMES
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef):
            assert node.args.kwarg is None, (
                f"{node.name} takes **{node.args.kwarg.arg if node.args.kwarg else ''}"
            )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_public_things_say_what_they_are(path: Path) -> None:
    """Modules, public classes and public functions have a docstring; a property that only reads may do without."""
    assert ast.get_docstring(tree_of(path))
    for node in tree_of(path).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), node.name


def test_records_are_immutable() -> None:
    """Every record derives from Record, and none asks to be mutable."""
    assert {name_of(path) for path in ROOMS if "dataclasses" in imports_of(path)} == set()
    mutable = [
        f"{name_of(path)}.{node.name}"
        for path in ROOMS
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef)
        for keyword in node.keywords
        if keyword.arg == "frozen" and ast.unparse(keyword.value) != "True"
    ]
    assert mutable == []


def test_exceptions_are_not_swallowed() -> None:
    """A bare `except Exception` stands only at the last resort and where a library raises whatever it likes."""
    found = [
        name_of(path)
        for path in ROOMS
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or "Exception" in ast.unparse(node.type).split())
    ]
    assert sorted(found) == ["cli/app", "markdown/math"]


def test_templates_let_nothing_through_without_a_reason() -> None:
    for template in (ROOT / "themes").rglob("*.html"):
        for line in template.read_text(encoding="utf-8").splitlines():
            if re.search(r"\|\s*safe\b", line):
                assert "{#" in line, f"{template}: {line.strip()}"


def test_package_holds_no_template_and_themes_no_python() -> None:
    """Styles and scripts stand in themes; those of the preview, which is a part of the program, in `server/client/`."""
    web_files = [p for p in PACKAGE.rglob("*") if p.suffix in (".html", ".css", ".js")]
    assert {p.parent for p in web_files} == {PACKAGE / "server" / "client"}
    assert list((ROOT / "themes").rglob("*.py")) == []


@pytest.mark.parametrize(
    "command", [("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy",)], ids=" ".join
)
def test_code_is_clean(command: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_project_speaks_of_itself_alone() -> None:
    """No path of a workplace stands in the project."""
    for path in (*ROOT.glob("*.md"), *ROOT.glob("*.py"), *FILES, *(ROOT / "themes").rglob("*.html")):
        assert "/work/" not in path.read_text(encoding="utf-8"), path
