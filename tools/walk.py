"""
Follows the title of one publication through a build, and prints the functions and files of each package that
it meets.

    python3 tools/walk.py [PROGRAM]

A function meets the title if it is called with it in an argument. PROGRAM is the folder of another version of
the program.
"""

import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
TITLE = "Quixotic Prefix Caching"
FILES = {
    "content/profile.yaml": "name: Ada Example\nemail: ada@example.edu\n",
    "content/about.md": "I study caches.\n",
    "site.yaml": "url: https://ada.example.edu\n",
    "bib/papers.bib": f"@article{{key2024, title = {{{TITLE}}}, author = {{Example, Ada}},"
    " journal = {Journal}, year = 2024}\n",
}


def has_title(value: object) -> bool:
    """Whether a value is a text with the title, or a record, list or mapping that contains it."""
    if isinstance(value, str):
        return TITLE in value
    is_container = isinstance(value, (tuple, list, dict)) or type(value).__module__.startswith("tenure.")
    try:
        return is_container and TITLE in repr(value)
    except (AttributeError, RecursionError):  # an object whose fields are not all set yet
        return False


def list_met_functions(program: Path) -> set[tuple[str, str]]:
    """The file and name of each function of a program that gets the title while a site is built."""
    sys.path.insert(0, str(program))
    from tenure.build import build_site

    met: set[tuple[str, str]] = set()
    package = f"{program}/tenure/"

    def note_call(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(package) or code.co_name.startswith("<"):
            return
        function = (code.co_filename.removeprefix(package), code.co_qualname)
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        if function not in met and any(has_title(frame.f_locals.get(name)) for name in names):
            met.add(function)

    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        sys.setprofile(note_call)
        build_site(Path(folder))
        sys.setprofile(None)
    return met


def main() -> None:
    program = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT
    functions: dict[str, int] = defaultdict(int)
    files: dict[str, set[str]] = defaultdict(set)
    for file, _ in list_met_functions(program):
        package = file.rpartition("/")[0] or "(top)"
        functions[package] += 1
        files[package].add(file)
    for package in sorted(functions):
        sys.stdout.write(f"{package:24} {functions[package]:4} functions {len(files[package]):3} files\n")
    sys.stdout.write(
        f"{'sum':24} {sum(functions.values()):4} functions {sum(map(len, files.values())):3} files\n"
    )


if __name__ == "__main__":
    main()
