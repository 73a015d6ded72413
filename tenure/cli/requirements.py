"""requirements.txt of a site: the running Tenure, and the exact version of every package that it uses."""

import contextlib
import hashlib
import io
import json
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tenure.atomic import write_file
from tenure.cli.arguments import PROGRAM_FOLDER, WINDOWS, UsageError, is_checkout, read_project
from tenure.cli.questions import query_git
from tenure.cli.site_version import REQUIREMENTS_FILE

REQUIREMENTS_HEADER = (
    "# The Tenure that builds this site, and the exact version of each package that it needs.\n"
    "# The command upgrade of a newer Tenure replaces these lines.\n"
)
OWN_PACKAGES_MARKER = "# Packages of your own, which upgrade keeps:\n"
VENDOR_FOLDER = "vendor"
"""The folder of a site that holds the wheel of its Tenure."""

WHEEL_SOURCES = (
    *("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"),
    *("tenure", "tenure_import", "themes"),
    *("docs/site.yaml", "docs/content/about.md", "docs/content/profile.yaml", "docs/content/pages"),
)
"""The files and folders of a clone from which a wheel is built."""


Release = tuple[str, Sequence[str], Mapping[str, bytes]]
"""
The line of requirements.txt that requires a Tenure, its dependencies, and the files that the line needs.
"""


def create_requirement_files() -> dict[str, str | bytes]:
    """requirements.txt of a new site, and the wheel that it may name; raises UsageError if it has none."""
    requirement, dependencies, files = find_release()
    lines = "".join(f"{line}\n" for line in (requirement, *pin_dependencies(dependencies)))
    return {REQUIREMENTS_FILE: REQUIREMENTS_HEADER + lines + OWN_PACKAGES_MARKER, **files}


def find_release() -> Release:
    """
    The requirement that installs the running Tenure again.

    A clone or a wheel file gives a wheel in `vendor/`; a version control system gives its URL at the commit;
    a package index gives the exact version. The origin is recorded in `direct_url.json` (PEP 610); a package
    without that file is from an index. Raises UsageError if there is no wheel.
    """
    if is_checkout():
        return _create_vendored_release(*build_wheel(PROGRAM_FOLDER), read_project()["dependencies"])
    try:
        distribution = metadata.distribution("tenure")
    except metadata.PackageNotFoundError:
        reason = f"{PROGRAM_FOLDER} is neither a clone of Tenure nor a folder of installed packages"
        raise UsageError(f"{reason}; install Tenure with pip") from None

    dependencies = [line for line in distribution.requires or () if "extra ==" not in line]
    match json.loads(distribution.read_text("direct_url.json") or "null"):
        case None:
            return f"tenure=={distribution.version}", dependencies, {}
        case {"url": str(url), "vcs_info": {"vcs": str(vcs), "commit_id": str(commit)}}:
            return f"tenure @ {vcs}+{url}@{commit}", dependencies, {}
        case {"url": str(url)} if url.startswith("file:"):
            path = Path(unquote(urlsplit(url).path).removeprefix("/" if WINDOWS else ""))  # /C:/a -> C:/a
            return _find_local_release(path, dependencies)
        case {"url": url}:
            return f"tenure @ {url}", dependencies, {}
    raise UsageError("direct_url.json of the installed Tenure names no URL; install it again with pip")


def _find_local_release(path: Path, dependencies: Sequence[str]) -> Release:
    """The requirement of a Tenure that was installed from a clone or from a wheel file."""
    if (path / "pyproject.toml").is_file():
        return _create_vendored_release(*build_wheel(path), dependencies)

    # a site whose folder was renamed still has the wheel in its own vendor/
    for wheel in (path, *(folder / VENDOR_FOLDER / path.name for folder in PROGRAM_FOLDER.parents)):
        if wheel.is_file():
            return _create_vendored_release(wheel.name, wheel.read_bytes(), dependencies)
    raise UsageError(f"{path}, from which this Tenure was installed, no longer exists; install it again")


def _create_vendored_release(name: str, content: bytes, dependencies: Sequence[str]) -> Release:
    """
    A requirement for a wheel in `vendor/`.

    The hash is the fragment of the URL: pip verifies it for this file only, while `--hash` would demand
    hashes of all other requirements. The path is relative to the folder that pip runs in, the folder of the
    site.
    """
    path = f"{VENDOR_FOLDER}/{name}"
    line = f"file:{path}#sha256={hashlib.sha256(content).hexdigest()}"
    return line, dependencies, {path: content}


def build_wheel(clone: Path) -> tuple[str, bytes]:
    """
    The name and the bytes of a wheel of a clone; it is kept in `.cache/wheels/` of the clone for the next
    call.

    Its version ends in a digest of its sources: two states of a clone have different versions, so that pip
    upgrades from one to the other. Raises UsageError if it cannot be built.
    """
    sources = _read_wheel_sources(clone)
    digest = hashlib.sha256()
    for name, content in sources.items():
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    label = digest.hexdigest()[:8]

    cache = clone / ".cache" / "wheels"
    for wheel in cache.glob(f"tenure-*+{label}-*.whl"):
        return wheel.name, wheel.read_bytes()
    name, content = _build_wheel_of(clone, sources, label)
    with contextlib.suppress(OSError):  # without the cache, the wheel is built again
        shutil.rmtree(cache, ignore_errors=True)
        cache.mkdir(parents=True)
        write_file(cache / name, content)
    return name, content


def _read_wheel_sources(clone: Path) -> dict[str, bytes]:
    """The files of a clone that a wheel is made of, by name, without hidden and compiled ones."""
    paths = [path for name in WHEEL_SOURCES for path in ((clone / name), *(clone / name).rglob("*"))]
    names = {path.relative_to(clone).as_posix() for path in paths if path.is_file()}
    hidden = re.compile(r"(?:^|/)(?:\.|__pycache__)")
    return {name: (clone / name).read_bytes() for name in sorted(names) if not hidden.search(name)}


def _build_wheel_of(clone: Path, sources: dict[str, bytes], label: str) -> tuple[str, bytes]:
    """Build a wheel of a copy of the sources, in which the version ends in a label: 0.9.0+1a2b3c4d"""
    try:
        from hatchling.build import build_wheel as run_backend
    except ImportError:
        raise UsageError('a site needs a wheel of this clone: pip install "hatchling>=1.26"') from None

    # the digest becomes a part of the version: dynamic = ["version"] -> version = "0.9.0+1a2b3c4d"
    match = re.search(r'__version__ = "(.*)"', sources["tenure/__init__.py"].decode())
    version = match[1] if match else "0"
    static = f'version = "{version}+{label}"'.encode()
    pyproject = sources["pyproject.toml"].replace(b'dynamic = ["version"]', static)
    with tempfile.TemporaryDirectory(prefix="tenure-") as temporary:
        folder = Path(temporary)
        for name, content in (sources | {"pyproject.toml": pyproject}).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        try:
            with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
                wheel = folder / run_backend(temporary)
        except (ValueError, TypeError, OSError) as error:
            raise UsageError(f"cannot build a wheel of {clone}: {error}") from error
        return wheel.name, wheel.read_bytes()


def pin_dependencies(requirements: Sequence[str]) -> list[str]:
    """
    Every package that some requirements need, directly or not, as `name==version`, sorted by name.

    The version is the installed one. A package that is not installed here, because another system or Python
    needs it, is left to its requirement.
    """
    pins: dict[str, str] = {}
    pending = list(requirements)
    while pending:
        requirement = pending.pop()
        name = find_project_name(requirement)
        if name in pins or re.search(r"\bextra\s*==", requirement):
            continue
        # a package of a package that is not installed here is dropped
        try:
            pins[name] = f"{name}=={metadata.version(name)}"
        except metadata.PackageNotFoundError:
            pins[name] = requirement if requirement in requirements else ""
        else:
            pending += metadata.requires(name) or ()
    return [pin for _, pin in sorted(pins.items()) if pin]


def find_project_name(line: str) -> str:
    """The normalized name of the project that a line of requirements.txt requires; "" for a comment."""
    if line.startswith(f"file:{VENDOR_FOLDER}/tenure-"):
        return "tenure"
    match = re.match(r"[A-Za-z0-9][A-Za-z0-9._-]*", line.strip())
    return re.sub(r"[-_.]+", "-", match[0]).lower() if match else ""


def merge_requirements(old_text: str, new_text: str) -> str:
    """The new text of requirements.txt, with the user's own lines from the old text."""
    _, marker, own_lines = old_text.partition(OWN_PACKAGES_MARKER)
    if marker:
        return new_text + own_lines

    # an old file without the marker: all lines but those of packages that the new text requires are the
    # user's own
    required = {find_project_name(line) for line in new_text.splitlines()} | {"tenure", ""}
    return new_text + "".join(
        f"{line}\n" for line in old_text.splitlines() if find_project_name(line) not in required
    )


def describe_ignored_wheel(folder: Path) -> str:
    """
    The message about a wheel of a site that Git ignores; "" if Git does not ignore it.

    Templates of Jekyll and other systems ignore vendor/. A host can install the site's Tenure only from the
    repository.
    """
    for wheel in sorted((folder / VENDOR_FOLDER).glob("tenure-*.whl")):
        name = f"{VENDOR_FOLDER}/{wheel.name}"
        rule = query_git("check-ignore", "--verbose", name, folder=folder).partition("\t")[0]
        if rule:
            reason = f"Git ignores {VENDOR_FOLDER}/ ({rule}), but the published site needs it"
            return f"{reason}. Add it: git add --force {VENDOR_FOLDER}\n"
    return ""
