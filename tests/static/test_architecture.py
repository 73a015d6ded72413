"""The structure of the code: which package imports which, one module for each library, sizes, names, docstrings."""

import ast
import re
import sys
from functools import cache
from pathlib import Path

import pytest
from conftest import ROOT, run_process

PACKAGE = ROOT / "tenure"
FILES = sorted(PACKAGE.rglob("*.py"))
MODULES = [path for path in FILES if path.name != "__init__.py"]
FORBIDDEN_NAMES = {"utils", "helpers", "common", "manager", "handler", "base"}


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return every node of a file; no test walks through it again."""
    return tuple(ast.walk(tree_of(path)))


@cache
def imports_of(path: Path) -> set[str]:
    """Return every module that a file imports, at its top or within a function."""
    results: set[str] = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            results |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules = {f"{node.module}.{alias.name}" for alias in node.names}
            ours = {m for m in modules if (ROOT / f"{m.replace('.', '/')}.py").is_file()}
            results |= ours or {node.module}
    return results


def list_own_imports(path: Path) -> set[str]:
    """Return the modules of Tenure that a file imports, such as "sources/tree"."""
    return {m.removeprefix("tenure.").replace(".", "/") for m in imports_of(path) if m.startswith("tenure.")}


def list_libraries(path: Path) -> set[str]:
    tops = {module.partition(".")[0] for module in imports_of(path)}
    return {top for top in tops if top not in sys.stdlib_module_names and top not in ("tenure", "markupsafe")}


def test_packages_import_only_lower_packages() -> None:
    result = run_process(Path(sys.executable).with_name("lint-imports"), "--no-cache")
    assert result.returncode == 0, result.stdout


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    arrows = {name_of(path): list_own_imports(path) for path in MODULES}
    while arrows:
        free = [room for room, needed in arrows.items() if not needed & arrows.keys()]
        assert free, f"these import each other: {sorted(arrows)}"
        for room in free:
            del arrows[room]


def test_a_build_cannot_use_the_network() -> None:
    """No module that a build can import uses the network."""
    modules = {name_of(path): path for path in MODULES}
    reached, coming = set[str](), {"build", "cli/build"}
    while coming:
        room = coming.pop()
        reached.add(room)
        coming |= (list_own_imports(modules[room]) & modules.keys()) - reached
    assert "html/link_check" in reached
    network = {"urllib.request", "urllib3", "http.client", "socket", "ssl", "ftplib", "smtplib"}
    assert {room for room in reached if imports_of(modules[room]) & network} == set()
    requesting = {"urllib.request", "urllib3", "http.client"}
    assert {name for name, path in modules.items() if imports_of(path) & requesting} == {"fetch/client"}
    commands = {name: list_own_imports(path) for name, path in modules.items() if name.startswith("cli/")}
    fetching = {name for name, modules in commands.items() if "fetch/client" in modules}
    assert fetching == {"cli/external_links", "cli/fetch"}


def test_each_library_is_imported_in_one_module() -> None:
    doors: dict[str, list[str]] = {}
    for path in MODULES:
        for library in list_libraries(path):
            doors.setdefault(library, []).append(name_of(path))
    assert {library: modules for library, modules in doors.items() if len(modules) > 1} == {}


def test_files_and_functions_are_short() -> None:
    long_files = [name_of(path) for path in MODULES if len(path.read_text("utf-8").splitlines()) >= 900]
    long_functions = [
        f"{name_of(path)}.{node.name}"
        for path in MODULES
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= 90
    ]
    assert long_files + long_functions == []


def test_no_vague_module_names_and_no_keyword_catch_alls() -> None:
    vague_modules = [name_of(path) for path in MODULES if path.stem in FORBIDDEN_NAMES]
    catch_alls = [
        f"{name_of(path)}.{node.name}"
        for path in MODULES
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef) and node.args.kwarg is not None
    ]
    assert vague_modules + catch_alls == []


def test_public_functions_and_classes_have_docstrings() -> None:
    """Modules, public classes and public functions have a docstring; properties and methods may have none."""
    undocumented = [
        f"{path.relative_to(PACKAGE)}: {getattr(node, 'name', 'module')}"
        for path in FILES
        for node in [tree_of(path), *tree_of(path).body]
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and not getattr(node, "name", "").startswith("_")
        and not ast.get_docstring(node)
    ]
    assert undocumented == []


def test_records_are_immutable() -> None:
    """Every record derives from Record, and none is mutable."""
    assert {name_of(path) for path in MODULES if "dataclasses" in imports_of(path)} == set()
    mutable = [
        f"{name_of(path)}.{node.name}"
        for path in MODULES
        for node in nodes_of(path)
        if isinstance(node, ast.ClassDef)
        for keyword in node.keywords
        if keyword.arg == "frozen" and ast.unparse(keyword.value) != "True"
    ]
    assert mutable == []


def test_exceptions_are_not_swallowed() -> None:
    """`except Exception` is only in the last handler of the program, and around libraries that can raise any exception."""
    actual = [
        name_of(path)
        for path in MODULES
        for node in nodes_of(path)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or "Exception" in ast.unparse(node.type).split())
    ]
    assert sorted(actual) == ["cli/against", "cli/app", "markdown/math", "server/server"]


def test_each_safe_filter_in_a_template_has_a_reason() -> None:
    for template in (ROOT / "themes").rglob("*.html"):
        for line in template.read_text("utf-8").splitlines():
            if re.search(r"\|\s*safe\b", line):
                assert "{#" in line, f"{template}: {line.strip()}"


def test_the_package_has_no_templates_and_themes_have_no_python() -> None:
    """Style sheets and scripts are in themes; those of the preview are in `server/client/`, as it is a part of the program."""
    web_files = [p for p in PACKAGE.rglob("*") if p.suffix in (".html", ".css", ".js")]
    assert {p.parent for p in web_files} == {PACKAGE / "server" / "client"}
    assert list((ROOT / "themes").rglob("*.py")) == []


@pytest.mark.parametrize("command", ["ruff check .", "ruff format --check .", "mypy"])
def test_code_is_clean(command: str) -> None:
    result = run_process(sys.executable, "-m", *command.split())
    assert result.returncode == 0, result.stdout + result.stderr


def test_no_path_of_a_development_machine_is_in_the_project() -> None:
    """No file contains a path of a development machine."""
    for path in (*ROOT.glob("*.md"), *ROOT.glob("*.py"), *FILES, *(ROOT / "themes").rglob("*.html")):
        assert "/work/" not in path.read_text("utf-8"), path


def test_functions_have_verbs_with_an_object() -> None:
    """The name of a function has 10 characters on average: a verb alone has fewer."""
    names = [
        node.name.strip("_")
        for path in FILES
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.endswith("__")
    ]
    mean = sum(map(len, names)) / len(names)
    assert mean >= 10, f"{len(names)} functions, {mean:.1f} characters on average"


def test_no_group_of_a_pattern_has_a_possessive_quantifier() -> None:
    """Python 3.11.2, that of Debian 12, matches `(?:a|bc)*+` wrongly; `(?>(?:a|bc)*)` means the same."""
    lines = [line for path in FILES for line in path.read_text("utf-8").splitlines()]
    assert [line for line in lines if re.search(r"\)[*+?]\+(?!,;)", line)] == []
