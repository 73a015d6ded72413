"""
The archives of the page “Try it”, written in Pyodide, in which pack.mjs runs this file: all modules compiled
for its Python.

python_stdlib.zip and start.zip have what builds of the examples load, late.zip everything else.
"""

import hashlib
import json
import marshal
import os
import py_compile
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

CLONE = Path("/clone")
WHEELS = Path("/wheels")
MODULES = Path("/modules")
OUTPUT = Path("/output")
STARTER = Path("/starter")
PACKAGES = Path("/lib/python3.14/site-packages")
Files = Mapping[str, bytes]
"""The bytes of each file of an archive, by its path."""

ZIP_TIME = (1980, 1, 1, 0, 0, 0)
"""The time of each file in an archive, so that the same files give the same bytes."""

UNUSED_SUFFIXES = ("/", ".pyi", "linux-gnu.so", "README.md", "LICENSE")

LICENCE_SUFFIXES = ("OFL.txt", "LICENSE.txt")
"""Licences of what the program has; licences.txt has them."""

UNUSED_FILES = (
    *(f"tenure/server/{name}." for name in ("server", "watcher", "access", "editor", "editor_files")),
    *(f"tenure/server/client/{name}." for name in "edit elements fields forms links lists papers".split()),
    *(f"tenure/server/client/{name}." for name in "pictures sources texts".split()),
)
"""What needs a server of its own, and its editor."""

SAMPLES = ("undergraduate", "masters", "systems-phd-2024")
"""The examples whose builds load what is loaded first."""

CACHE = Path("/cache/modules")
COMPILED: dict[bytes, bytes] = marshal.loads(CACHE.read_bytes()) if CACHE.is_file() else {}
"""The compiled modules of all packings with this Pyodide, by the digest of their names and sources."""

LATE_LIST = "late_modules.txt"

UNNEEDED_FILE = "typing_extensions.pyc"
"""A late module that msgspec uses only if it is there, so that its import loads nothing."""


def write_archive(name: str, files: Files) -> None:
    """Write an archive, which pack.mjs compresses as a whole; the same files give the same bytes."""
    path = OUTPUT / name
    path.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for file, body in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(file, ZIP_TIME), body)


def compile_modules(files: Iterable[tuple[str, bytes]]) -> dict[str, bytes]:
    """The files, with each module compiled, without its docstrings, and valid without its source."""
    source = Path("/tmp/module.py")
    target = Path("/tmp/module.pyc")
    compiled = {}
    for name, body in files:
        if not name.endswith(".py"):
            compiled[name] = body
            continue

        key = hashlib.sha256(f"{name}\0".encode() + body).digest()
        if key not in COMPILED:
            source.write_bytes(body)
            py_compile.compile(
                str(source),
                str(target),
                name,
                doraise=True,
                optimize=2,
                invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
            )
            COMPILED[key] = target.read_bytes()
        compiled[f"{name}c"] = COMPILED[key]
    return compiled


def list_files(folder: Path, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    """The files below a folder of the clone, without caches and built sites."""
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("__pycache__", "output", ".cache")]
        for name in names:
            path = Path(parent, name)
            yield prefix + path.relative_to(folder).as_posix(), path.read_bytes()


def list_wheel(path: Path) -> Iterator[tuple[str, bytes]]:
    """
    The modules of a wheel and its METADATA, because versions are read there; licences.txt has its licences.
    """
    with zipfile.ZipFile(path) as wheel:
        for name in wheel.namelist():
            is_module = ".dist-info/" not in name and not name.endswith(UNUSED_SUFFIXES)
            if name.endswith(".dist-info/METADATA"):
                # without the description
                yield name, wheel.read(name).partition(b"\n\n")[0]
            elif is_module:
                yield name, wheel.read(name)


def list_program() -> Iterator[tuple[str, bytes]]:
    """Tenure with its themes and its METADATA, the importers, and the engine of the page."""
    (own_wheel,) = STARTER.glob("vendor/tenure-*.whl")
    yield from (file for file in list_wheel(own_wheel) if file[0].endswith(".dist-info/METADATA"))
    yield from list_files(CLONE / "tenure", "tenure/")
    yield from list_files(CLONE / "tenure_import", "tenure_import/")
    yield from list_files(CLONE / "themes", "tenure/themes/")
    yield from ((name, body) for name, body in list_files(CLONE / "browser/engine") if name.endswith(".py"))


def list_library() -> Iterator[tuple[str, bytes]]:
    """The standard library of Python."""
    with zipfile.ZipFile(MODULES / "pyodide/python_stdlib.zip") as library:
        yield from ((name, library.read(name)) for name in library.namelist() if not name.endswith("/"))


def find_loaded_modules(files: Files) -> set[str]:
    """
    The modules in an archive, by path, that builds of the samples load; for that, they are installed here.
    """
    for name, body in files.items():
        path = PACKAGES / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)

    import engine

    for sample in SAMPLES:
        engine.call("clear", [])
        engine.call("write", [dict(list_files(CLONE / "examples" / sample))])
        assert engine.call("build", [[]])["files"], f"{sample} cannot be built"

    origins = [getattr(module, "__file__", None) or "" for module in sys.modules.values()]
    names = [origin.removeprefix(f"{PACKAGES}/").removeprefix("/lib/python314.zip/") for origin in origins]
    return {f"{name.removesuffix('c')}c" for name in names}


def is_late(name: str, loaded: set[str], tops: set[str]) -> bool:
    """
    Whether a build can begin without a file: a module, or the data of a package, that it has not loaded.
    """
    if name.endswith(".pyc"):
        return name not in loaded or name == UNNEEDED_FILE
    top = name.partition("/")[0]
    return not top.endswith(".dist-info") and top not in tops


def write_licences(wheels: Iterable[Path]) -> None:
    """Write licences.txt: the licence of everything that the page is made of."""
    texts = [
        "The page “Try it” of Tenure (MIT) is made of these works.",
        "Pyodide: Mozilla Public License 2.0, https://www.mozilla.org/MPL/2.0/; "
        "its source is at https://github.com/pyodide/pyodide.",
        "Python: Python Software Foundation License 2, https://docs.python.org/3/license.html.",
    ]

    packages = sorted({*MODULES.glob("*/package.json"), *MODULES.glob("@*/*/package.json")})
    for path in packages:
        facts = json.loads(path.read_text(encoding="utf-8"))
        if facts["name"] not in ("esbuild", "@esbuild/linux-x64", "pyodide"):
            text = "\n".join(file.read_text(encoding="utf-8") for file in path.parent.glob("LICEN[CS]E*"))
            texts.append(f"{facts['name']} {facts['version']}: {facts.get('license', '')}\n\n{text}")

    for wheel in wheels:
        with zipfile.ZipFile(wheel) as files:
            names = [name for name in files.namelist() if "dist-info/" in name and "LICEN" in name.upper()]
            text = "\n".join(files.read(name).decode(errors="replace") for name in names)
            texts.append(f"{' '.join(wheel.name.split('-')[:2])}\n\n{text}")
    texts += [
        f"{path.parent.name}/{path.name}\n\n{path.read_text(encoding='utf-8')}"
        for path in sorted([*(CLONE / "themes").rglob("*OFL.txt"), *(CLONE / "tenure").rglob("*LICENSE.txt")])
    ]
    (OUTPUT / "licences.txt").write_text(f"\n\n{'-' * 72}\n\n".join(texts), encoding="utf-8")


def pack_archives() -> None:
    """Write all archives."""
    wheels = sorted(WHEELS.glob("*.whl"))
    program = [
        (name, body)
        for name, body in list_program()
        if not name.startswith(UNUSED_FILES) and not name.endswith(LICENCE_SUFFIXES)
    ]
    fonts = {name: body for name, body in program if name.endswith(".ttf")}
    libraries = [file for wheel in wheels if "typst-" not in wheel.name for file in list_wheel(wheel)]
    modules = compile_modules([*(file for file in program if file[0] not in fonts), *libraries])
    library = compile_modules(list_library())
    CACHE.write_bytes(marshal.dumps(COMPILED))

    # a package of the standard library is in one archive as a whole, because Python searches its modules in
    # one place
    loaded = find_loaded_modules(modules)
    tops = {name.partition("/")[0] for name in loaded}
    late = {name: body for name, body in modules.items() if is_late(name, loaded, tops)}
    late |= {name: body for name, body in library.items() if name.partition("/")[0] not in tops}
    start = {name: body for name, body in modules.items() if name not in late}

    write_archive("python_stdlib.zip", {name: body for name, body in library.items() if name not in late})
    write_archive("start.zip", start | {LATE_LIST: "\n".join(name_modules(late)).encode()})
    write_archive("late.zip", late)
    write_archive("fonts.zip", fonts)
    write_licences(wheels)
    write_archive("starter.zip", dict(list_files(STARTER)))
    for sample in sorted(path.parent for path in (CLONE / "examples").glob("*/site.yaml")):
        write_archive(f"examples/{sample.name}.zip", dict(list_files(sample)))


def name_modules(files: Iterable[str]) -> list[str]:
    """The names of compiled modules: tenure/cli/__init__.pyc -> tenure.cli"""
    paths = sorted(name for name in files if name.endswith(".pyc") and name != UNNEEDED_FILE)
    modules = [path.removesuffix(".pyc") for path in paths]
    return [name.removesuffix("/__init__").replace("/", ".") for name in modules]


pack_archives()
