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

from tenure.atomic import write_file
from tenure.cli.arguments import UsageError
from tenure.record import Record

PACKAGE_FOLDER = Path(__file__).resolve().parents[1]
CHECKOUT_FOLDER = PACKAGE_FOLDER.parent
"""The repository, if this Tenure runs from a clone of it; otherwise the folder of installed packages."""

VENDOR_FOLDER = "vendor"
"""The folder of a site that holds the wheel of its Tenure."""

WHEEL_SOURCES = ("pyproject.toml", "README.md", "LICENSE", "tenure", "themes")
"""The files and folders from which a wheel is built."""

INSTALLER_FILES = frozenset({"RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json"})
"""Files that an installer adds to `*.dist-info`; a wheel does not contain them."""

WHEEL_TIMESTAMP = (1980, 1, 1, 0, 0, 0)
"""The time of every file in a wheel, so that the same Tenure gives the same bytes. 1980 is the first year of the zip format."""

BUILD_WHEEL_SCRIPT = """
import os, sys
sys.path.insert(0, sys.argv[1])
os.umask(0o022)
from setuptools import build_meta
build_meta.build_wheel(sys.argv[2])
"""


class Release(Record):
    """One line of requirements.txt that requires a Tenure, and the files that the line needs, by their path in the site."""

    requirement: str
    files: Mapping[str, bytes]


def is_checkout() -> bool:
    """Whether this Tenure runs from a clone of its repository, as by `python3 build.py` or an editable installation."""
    return (CHECKOUT_FOLDER / "pyproject.toml").is_file() and (CHECKOUT_FOLDER / "themes" / "base").is_dir()


def find_release() -> Release:
    """
    The requirement that installs the running Tenure again.

    A clone, a folder or a wheel file gives a wheel in `vendor/`; a version control system gives its URL at the commit; a package
    index gives the exact version. The origin is recorded in `direct_url.json` (PEP 610); a package without that file is
    from an index. Raises UsageError if no wheel can be built.
    """
    if is_checkout():
        return _create_vendored_release(*_build_wheel())
    distribution = _find_distribution()
    match json.loads(distribution.read_text("direct_url.json") or "null"):
        case None:
            return Release(f"tenure[pdf]=={distribution.version}", {})
        case {"url": str(url), "vcs_info": {"vcs": str(vcs), "commit_id": str(commit)}, **rest} if (
            not url.startswith("file:")
        ):
            folder = f"#subdirectory={rest['subdirectory']}" if "subdirectory" in rest else ""
            return Release(f"tenure[pdf] @ {vcs}+{url}@{commit}{folder}", {})
    return _create_vendored_release(*repack_wheel(distribution))


def list_release_requirements() -> list[str]:
    """The dependencies of the running Tenure as PEP 508 strings, with those of its extras and their markers."""
    if not is_checkout():
        return list(_find_distribution().requires or ())
    import tomllib  # noqa: PLC0415 - loaded only if a site is written

    project = tomllib.loads((CHECKOUT_FOLDER / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pdf_requirements = (
        f'{requirement}; extra == "pdf"' for requirement in project["optional-dependencies"]["pdf"]
    )
    return [*project["dependencies"], *pdf_requirements]


def repack_wheel(distribution: metadata.Distribution) -> tuple[str, bytes]:
    """
    The name and the bytes of a wheel with the files of an installed distribution (pure Python only).

    The original wheel or folder may be deleted or changed. Raises UsageError if the installer wrote no list of files.
    """
    if distribution.files is None:
        raise UsageError("this Tenure has no list of its files (RECORD); install it again with pip")
    info_folder = f"tenure-{distribution.version}.dist-info"
    excluded = {f"{info_folder}/{name}" for name in INSTALLER_FILES}
    paths = [
        path
        for path in sorted(distribution.files)
        if ".." not in path.parts and path.suffix != ".pyc" and path.as_posix() not in excluded
    ]
    wheel_buffer, record_text = io.BytesIO(), io.StringIO()
    record_writer = csv.writer(record_text, lineterminator="\n")
    with zipfile.ZipFile(wheel_buffer, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path in paths:
            content = Path(str(distribution.locate_file(path))).read_bytes()
            _add_file_to_wheel(wheel, path.as_posix(), content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record_writer.writerow((path.as_posix(), f"sha256={digest}", len(content)))
        record_writer.writerow((f"{info_folder}/RECORD", "", ""))
        _add_file_to_wheel(wheel, f"{info_folder}/RECORD", record_text.getvalue().encode())
    return f"tenure-{distribution.version}-py3-none-any.whl", wheel_buffer.getvalue()


def _add_file_to_wheel(wheel: zipfile.ZipFile, path: str, content: bytes) -> None:
    """Add a file with a fixed time and mode."""
    entry = zipfile.ZipInfo(path, WHEEL_TIMESTAMP)
    entry.external_attr = 0o100644 << 16
    wheel.writestr(entry, content, zipfile.ZIP_DEFLATED)


def _find_distribution() -> metadata.Distribution:
    """The installed distribution of Tenure; raises UsageError if it is not installed."""
    try:
        return metadata.distribution("tenure")
    except metadata.PackageNotFoundError:
        raise UsageError(
            f"{PACKAGE_FOLDER} is neither installed nor in a clone of Tenure; install it with pip, or call build.py of a clone"
        ) from None


def _create_vendored_release(name: str, content: bytes) -> Release:
    """
    A requirement for a wheel in `vendor/`.

    The hash is the fragment of the URL: pip verifies it for this file only, while `--hash` would demand hashes of all other
    requirements. The path is relative to the folder that pip runs in, the folder of the site.
    """
    path = f"{VENDOR_FOLDER}/{name}"
    return Release(f"file:{path}#sha256={hashlib.sha256(content).hexdigest()}", {path: content})


def _build_wheel() -> tuple[str, bytes]:
    """
    The name and the bytes of a wheel of the running clone.

    Its version ends in a digest of its sources: two states of a clone have different versions, so that pip upgrades from
    one to the other. Built wheels are cached in `.cache/wheels/` of the clone.
    """
    sources = {
        path.relative_to(CHECKOUT_FOLDER).as_posix(): path.read_bytes() for path in _find_wheel_sources()
    }
    digest = hashlib.sha256()
    for name, content in sorted(sources.items()):
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    version_label = digest.hexdigest()[:8]
    cache = CHECKOUT_FOLDER / ".cache" / "wheels"
    for wheel in cache.glob(f"tenure-*+{version_label}-*.whl"):
        return wheel.name, wheel.read_bytes()
    with tempfile.TemporaryDirectory(prefix="tenure-") as temporary:
        source_folder, wheel_folder = Path(temporary) / "source", Path(temporary) / "wheel"
        for name, content in sources.items():
            (source_folder / name).parent.mkdir(parents=True, exist_ok=True)
            (source_folder / name).write_bytes(content)
        wheel_folder.mkdir()
        (source_folder / "setup.cfg").write_text(
            f"[egg_info]\ntag_build = +{version_label}\n", encoding="utf-8"
        )
        _run_build_backend(source_folder, wheel_folder)
        (wheel,) = wheel_folder.glob("*.whl")
        content = wheel.read_bytes()
        _cache_wheel(wheel, cache)
        return wheel.name, content


def _find_wheel_sources() -> Iterator[Path]:
    """Every source file of a wheel of the clone."""
    for name in WHEEL_SOURCES:
        path = CHECKOUT_FOLDER / name
        if path.is_file():
            yield path
        for source_file in sorted(path.rglob("*")):
            relative_parts = source_file.relative_to(CHECKOUT_FOLDER).parts
            if (
                source_file.is_file()
                and "__pycache__" not in relative_parts
                and not any(p.startswith(".") for p in relative_parts)
            ):
                yield source_file


def _run_build_backend(folder: Path, wheel_folder: Path) -> None:
    """
    Build a wheel of a folder with its build backend, in a separate process.

    setuptools is called directly if it is installed, as in the `.venv` of a clone: that needs no network. Otherwise uv or
    pip download it. Raises UsageError with the last line of the tool's output.
    """
    uv = shutil.which("uv")
    if backend := _find_setuptools_folder():
        command = [sys.executable, "-I", "-c", BUILD_WHEEL_SCRIPT, backend, str(wheel_folder)]
    elif uv:
        command = [uv, "build", "--quiet", "--wheel", "--out-dir", str(wheel_folder)]
    else:
        pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
        command = [*pip, "--wheel-dir", str(wheel_folder), "."]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "315532800", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    process = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", check=False
    )
    if process.returncode or not [*wheel_folder.glob("*.whl")]:
        lines = (process.stdout + process.stderr).strip().splitlines() or ["no output"]
        raise UsageError(f"cannot build a wheel of {CHECKOUT_FOLDER}: {lines[-1].strip()}")


def _find_setuptools_folder() -> str:
    """The folder of packages with setuptools 77 or later, "" if it is not installed."""
    try:
        setuptools = metadata.distribution("setuptools")
    except metadata.PackageNotFoundError:
        return ""
    major = setuptools.version.partition(".")[0]
    return str(setuptools.locate_file("")) if major.isdigit() and int(major) >= 77 else ""


def _cache_wheel(wheel: Path, cache: Path) -> None:
    """Store a wheel for the next call and delete older ones; a write error is ignored, the wheel is then built again."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        write_file(cache / wheel.name, wheel.read_bytes())
        for old_file in {*cache.iterdir()} - {cache / wheel.name}:
            old_file.unlink(missing_ok=True)
    except OSError:
        return
