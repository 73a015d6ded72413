"""The archives of the page “Try it”: all modules compiled for the Python of Pyodide, in which pack.mjs runs this file."""

import os
import py_compile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

CLONE, WHEELS, PYODIDE, OUTPUT = map(Path, ("/clone", "/wheels", "/pyodide", "/output"))
Files = Iterable[tuple[str, bytes]]
"""The path of each file in an archive, and its bytes."""

ZIP_TIME = (1980, 1, 1, 0, 0, 0)
"""The time of each file in an archive, so that the same files give the same bytes."""

UNUSED_SUFFIXES = ("/", ".pyi", "/RECORD", "/WHEEL", "linux-gnu.so", "/top_level.txt", "/entry_points.txt")
"""What a build does not read of a wheel; METADATA stays, because versions are read there."""

UNUSED_FOLDERS = (
    "tenure/starter/",
    "tenure/server/server.",
    "tenure/server/watcher.",
    "tenure/server/access.",
)


def write_archive(name: str, files: Files) -> None:
    """Write an archive, with each module compiled."""
    path = OUTPUT / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, body in sorted(files):
            target, content = (
                (f"{name}c", compile_module(name, body)) if name.endswith(".py") else (name, body)
            )
            archive.writestr(zipfile.ZipInfo(target, ZIP_TIME), content, zipfile.ZIP_DEFLATED)
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


def compile_module(name: str, source: bytes) -> bytes:
    """The bytes of a compiled module without docstrings, valid without its source."""
    Path("/tmp/module.py").write_bytes(source)
    py_compile.compile(
        "/tmp/module.py",
        cfile="/tmp/module.pyc",
        dfile=name,
        doraise=True,
        optimize=2,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    return Path("/tmp/module.pyc").read_bytes()


def list_files(folder: Path, prefix: str) -> Iterator[tuple[str, bytes]]:
    """The files below a folder of the clone, without caches."""
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__" and not name.startswith(".")]
        for name in names:
            path = Path(parent, name)
            yield prefix + path.relative_to(folder).as_posix(), path.read_bytes()


def list_wheel(path: Path) -> Iterator[tuple[str, bytes]]:
    """The modules of a wheel, its licences and its METADATA."""
    with zipfile.ZipFile(path) as wheel:
        for name in wheel.namelist():
            if not name.endswith(UNUSED_SUFFIXES):
                yield name, wheel.read(name)


def pack_archives() -> None:
    """Write all archives."""
    with zipfile.ZipFile(PYODIDE / "python_stdlib.zip") as library:
        write_archive(
            "python_stdlib.zip", [(n, library.read(n)) for n in library.namelist() if not n.endswith("/")]
        )
    wheels = sorted(WHEELS.glob("*.whl"))
    typst = [path for path in wheels if path.name.startswith("typst-")]
    write_archive(
        "libraries.zip", [file for path in wheels if path not in typst for file in list_wheel(path)]
    )
    program = [*list_files(CLONE / "tenure", "tenure/"), *list_files(CLONE / "themes", "tenure/themes/")]
    program += [*list_files(CLONE / "tenure_import", "tenure_import/"), ("tenure/themes/__init__.py", b"")]
    program += [("engine.py", (CLONE / "browser/engine/engine.py").read_bytes())]
    fonts = [file for file in program if file[0].endswith(".ttf")]
    write_archive(
        "tenure.zip", [f for f in program if f not in fonts and not f[0].startswith(UNUSED_FOLDERS)]
    )
    write_archive("typst.zip", [*fonts, *(file for path in typst for file in list_wheel(path))])
    (OUTPUT / "examples").mkdir(exist_ok=True)
    for folder in sorted(path for path in (CLONE / "examples").iterdir() if (path / "site.yaml").is_file()):
        files = (file for file in list_files(folder, "") if not file[0].startswith("output/"))
        with zipfile.ZipFile(
            OUTPUT / "examples" / f"{folder.name}.zip", "w", zipfile.ZIP_DEFLATED
        ) as archive:
            for name, body in sorted(files):
                archive.writestr(zipfile.ZipInfo(name, ZIP_TIME), body, zipfile.ZIP_DEFLATED)


pack_archives()
