"""The origin of the running Tenure, and the line of requirements.txt that installs the same Tenure again."""

import base64
import csv
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path

from tenure.commands.calls import CallError
from tenure.frozen import dataclass

PACKAGE = Path(__file__).resolve().parents[1]
CHECKOUT = PACKAGE.parent
"""The repository, if this Tenure runs from a clone of it; otherwise the folder of installed packages."""

VENDOR = "vendor"
"""The folder of a site that holds the wheel of its Tenure."""

SOURCES = ("pyproject.toml", "README.md", "LICENSE", "tenure", "themes")
"""What a wheel is built from."""

NOT_PACKED = frozenset({"RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json"})
"""Files that an installer adds to `*.dist-info`; a wheel does not contain them."""

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every file in a wheel, so that the same Tenure gives the same bytes. 1980 is the first year of the zip format."""

BUILD = """
import os, sys
sys.path.insert(0, sys.argv[1])
os.umask(0o022)
from setuptools import build_meta
build_meta.build_wheel(sys.argv[2])
"""


@dataclass(frozen=True, slots=True)
class Release:
    """One line of requirements.txt that requires a Tenure, and the files that the line needs, by their path in the site."""

    requirement: str
    files: Mapping[str, bytes]


def is_checkout() -> bool:
    """Whether this Tenure runs from a clone of its repository, as by `python3 build.py` or an editable installation."""
    return (CHECKOUT / "pyproject.toml").is_file() and (CHECKOUT / "themes" / "base").is_dir()


def find_release() -> Release:
    """
    The requirement that installs the running Tenure again.

    A clone, a folder or a wheel file gives a wheel in `vendor/`; a version control system gives its URL at the commit; a package
    index gives the exact version. The origin is recorded in `direct_url.json` (PEP 610); a package without that file is
    from an index. Raises UsageError if no wheel can be built.
    """
    if is_checkout():
        return _vendored(*_build_wheel())
    installed = _installed()
    match json.loads(installed.read_text("direct_url.json") or "null"):
        case None:
            return Release(f"tenure[pdf]=={installed.version}", {})
        case {"url": str(url), "vcs_info": {"vcs": str(vcs), "commit_id": str(commit)}, **rest} if (
            not url.startswith("file:")
        ):
            folder = f"#subdirectory={rest['subdirectory']}" if "subdirectory" in rest else ""
            return Release(f"tenure[pdf] @ {vcs}+{url}@{commit}{folder}", {})
    return _vendored(*pack_wheel(installed))


def requirements_of_release() -> list[str]:
    """The dependencies of the running Tenure as PEP 508 strings, with those of its extras and their markers."""
    if not is_checkout():
        return list(_installed().requires or ())
    import tomllib  # noqa: PLC0415 - loaded only if a site is written

    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pdf = (f'{requirement}; extra == "pdf"' for requirement in project["optional-dependencies"]["pdf"])
    return [*project["dependencies"], *pdf]


def pack_wheel(installed: metadata.Distribution) -> tuple[str, bytes]:
    """
    The name and the bytes of a wheel with the files of an installed distribution (pure Python only).

    The original wheel or folder may be deleted or changed. Raises UsageError if the installer wrote no list of files.
    """
    if installed.files is None:
        raise CallError("this Tenure has no list of its files (RECORD); install it again with pip")
    info = f"tenure-{installed.version}.dist-info"
    left_out = {f"{info}/{name}" for name in NOT_PACKED}
    paths = [
        path
        for path in sorted(installed.files)
        if ".." not in path.parts and path.suffix != ".pyc" and path.as_posix() not in left_out
    ]
    packed, rows = io.BytesIO(), io.StringIO()
    record = csv.writer(rows, lineterminator="\n")
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path in paths:
            content = Path(str(installed.locate_file(path))).read_bytes()
            _add_to_wheel(wheel, path.as_posix(), content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.writerow((path.as_posix(), f"sha256={digest}", len(content)))
        record.writerow((f"{info}/RECORD", "", ""))
        _add_to_wheel(wheel, f"{info}/RECORD", rows.getvalue().encode())
    return f"tenure-{installed.version}-py3-none-any.whl", packed.getvalue()


def _add_to_wheel(wheel: zipfile.ZipFile, path: str, content: bytes) -> None:
    """Add a file with a fixed time and mode."""
    entry = zipfile.ZipInfo(path, EPOCH)
    entry.external_attr = 0o100644 << 16
    wheel.writestr(entry, content, zipfile.ZIP_DEFLATED)


def _installed() -> metadata.Distribution:
    """The installed distribution of Tenure; raises UsageError if it is not installed."""
    try:
        return metadata.distribution("tenure")
    except metadata.PackageNotFoundError:
        raise CallError(
            f"{PACKAGE} is neither installed nor in a clone of Tenure; install it with pip, or call build.py of a clone"
        ) from None


def _vendored(name: str, content: bytes) -> Release:
    """
    A requirement for a wheel in `vendor/`.

    The hash is the fragment of the URL: pip verifies it for this file only, while `--hash` would demand hashes of all other
    requirements. The path is relative to the folder that pip runs in, the folder of the site.
    """
    path = f"{VENDOR}/{name}"
    return Release(f"file:{path}#sha256={hashlib.sha256(content).hexdigest()}", {path: content})


def _build_wheel() -> tuple[str, bytes]:
    """
    The name and the bytes of a wheel of the running clone.

    Its version ends in a digest of its sources: two states of a clone have different versions, so that pip upgrades from
    one to the other. Built wheels are cached in `.cache/wheels/` of the clone.
    """
    sources = {path.relative_to(CHECKOUT).as_posix(): path.read_bytes() for path in _source_files()}
    digest = hashlib.sha256()
    for name, content in sorted(sources.items()):
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    label = digest.hexdigest()[:8]
    cache = CHECKOUT / ".cache" / "wheels"
    for wheel in cache.glob(f"tenure-*+{label}-*.whl"):
        return wheel.name, wheel.read_bytes()
    with tempfile.TemporaryDirectory(prefix="tenure-") as temporary:
        folder, target = Path(temporary) / "source", Path(temporary) / "wheel"
        for name, content in sources.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        target.mkdir()
        (folder / "setup.cfg").write_text(f"[egg_info]\ntag_build = +{label}\n", encoding="utf-8")
        _run_builder(folder, target)
        (wheel,) = target.glob("*.whl")
        content = wheel.read_bytes()
        _keep_wheel(wheel, cache)
        return wheel.name, content


def _source_files() -> Iterator[Path]:
    """Every source file of a wheel of the clone."""
    for name in SOURCES:
        path = CHECKOUT / name
        if path.is_file():
            yield path
        for inner in sorted(path.rglob("*")):
            parts = inner.relative_to(CHECKOUT).parts
            if inner.is_file() and "__pycache__" not in parts and not any(p.startswith(".") for p in parts):
                yield inner


def _run_builder(folder: Path, target: Path) -> None:
    """
    Build a wheel of a folder with its build backend, in a separate process.

    setuptools is called directly if it is installed, as in the `.venv` of a clone: that needs no network. Otherwise uv or
    pip download it. Raises UsageError with the last line of the tool's output.
    """
    uv = shutil.which("uv")
    if backend := _setuptools_folder():
        command = [sys.executable, "-I", "-c", BUILD, backend, str(target)]
    elif uv:
        command = [uv, "build", "--quiet", "--wheel", "--out-dir", str(target)]
    else:
        command = [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--wheel-dir",
            str(target),
            ".",
        ]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "315532800", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode or not [*target.glob("*.whl")]:
        lines = (done.stdout + done.stderr).strip().splitlines() or ["no output"]
        raise CallError(f"cannot build a wheel of {CHECKOUT}: {lines[-1].strip()}")


def _setuptools_folder() -> str:
    """The folder of packages with setuptools 77 or later, "" if it is not installed."""
    try:
        setuptools = metadata.distribution("setuptools")
    except metadata.PackageNotFoundError:
        return ""
    major = setuptools.version.partition(".")[0]
    return str(setuptools.locate_file("")) if major.isdigit() and int(major) >= 77 else ""


def _keep_wheel(wheel: Path, cache: Path) -> None:
    """Store a wheel for the next call and delete older ones; a write error is ignored, the wheel is then built again."""
    part = cache / f".{wheel.name}.{os.getpid()}"
    try:
        cache.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(wheel, part)
        part.replace(cache / wheel.name)
        for old in {*cache.glob("*.whl")} - {cache / wheel.name}:
            old.unlink(missing_ok=True)
    except OSError:
        return
