"""requirements.txt of a site: its Tenure, and every dependency in the version that the running Tenure uses."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cli.distribution import VENDOR_FOLDER, find_release, list_release_requirements
from tenure.cli.questions import query_git
from tenure.record import Record

if TYPE_CHECKING:
    from packaging.requirements import Requirement

REQUIREMENTS_FILE = "requirements.txt"
REQUIREMENTS_HEADER = (
    "# The Tenure that builds this site, and the exact version of each package that it needs.\n"
    "# The command upgrade of a newer Tenure replaces these lines.\n"
)
OWN_PACKAGES_MARKER = "# Packages of your own, which upgrade keeps:\n"
PLATFORM_MARKERS: Mapping[str, Mapping[str, str]] = {
    "linux": {"os_name": "posix", "platform_system": "Linux"},
    "darwin": {"os_name": "posix", "platform_system": "Darwin"},
    "win32": {"os_name": "nt", "platform_system": "Windows"},
}
PYTHON_VERSIONS = ("3.11", "3.12", "3.13", "3.14")
"""The platforms and Pythons for which the dependencies are resolved: a site may be built on another than it was written on."""


class Environment(Record, order=True):
    """A platform, by its `sys.platform`, and a version of Python."""

    system: str
    python: str

    def marker_values(self, extra: str) -> dict[str, str]:
        """The values of environment markers (PEP 508) for one extra."""
        full_version = f"{self.python}.0"
        return {
            "sys_platform": self.system,
            **PLATFORM_MARKERS[self.system],
            "python_version": self.python,
            "python_full_version": full_version,
            "implementation_version": full_version,
            "extra": extra,
        }


ENVIRONMENTS = frozenset(
    Environment(system, python) for system in PLATFORM_MARKERS for python in PYTHON_VERSIONS
)


def create_requirement_files() -> dict[str, str | bytes]:
    """requirements.txt of a new site, and the wheel if it names one; raises UsageError if no wheel can be built."""
    release = find_release()
    lines = [release.requirement, *pin_dependencies(list_release_requirements())]
    return {
        REQUIREMENTS_FILE: REQUIREMENTS_HEADER + "".join(f"{line}\n" for line in lines) + OWN_PACKAGES_MARKER,
        **release.files,
    }


def describe_ignored_wheel(folder: Path) -> str:
    """
    The message about a wheel of a site that Git ignores; "" if Git does not ignore it.

    Templates of Jekyll and other systems ignore vendor/. A host can install the site's Tenure only from the repository.
    """
    for wheel in sorted((folder / VENDOR_FOLDER).glob("tenure-*.whl")):
        rule = query_git(
            "check-ignore", "--verbose", f"{VENDOR_FOLDER}/{wheel.name}", folder=folder
        ).partition("\t")[0]
        if rule:
            return f"Git ignores {VENDOR_FOLDER}/ ({rule}), but the published site needs it. Add it: git add --force {VENDOR_FOLDER}\n"
    return ""


def merge_requirements(old_text: str, new_text: str) -> str:
    """The new text of requirements.txt, with the user's own lines from the old text."""
    _, marker, own_lines = old_text.partition(OWN_PACKAGES_MARKER)
    if marker:
        return new_text + own_lines
    required_projects = {_project_name(line) for line in new_text.splitlines()} | {"tenure", ""}
    return new_text + "".join(
        f"{line}\n" for line in old_text.splitlines() if _project_name(line) not in required_projects
    )


def pin_dependencies(requirements: Iterable[str]) -> list[str]:
    """
    Every direct and indirect dependency, also of the extra `pdf`, as `name==version` of the installed version, sorted by name.

    A package that only some of ENVIRONMENTS need gets a marker that names them. A package that is not installed (for
    another platform or extra) gets the version range of the requirement.
    """
    from packaging.requirements import Requirement  # noqa: PLC0415 - loaded only if a site is written

    root_requirements = [Requirement(text) for text in requirements]
    needed: dict[str, set[Environment]] = {}
    ranges: dict[str, str] = {}
    for environment in sorted(ENVIRONMENTS):
        for name, requirement in _resolve_packages(root_requirements, environment).items():
            needed.setdefault(name, set()).add(environment)
            ranges.setdefault(name, f"{requirement.name}{requirement.specifier}")
    return [
        _format_requirement(name, ranges[name], environments) for name, environments in sorted(needed.items())
    ]


def _resolve_packages(
    root_requirements: Sequence["Requirement"], environment: Environment
) -> dict[str, "Requirement"]:
    """Every package that an environment needs, by its normalized name."""
    from packaging.requirements import Requirement  # noqa: PLC0415 - as above
    from packaging.utils import canonicalize_name  # noqa: PLC0415 - as above

    resolved: dict[str, Requirement] = {}
    visited: set[tuple[str, str]] = set()
    pending = [(requirement, extra_name) for requirement in root_requirements for extra_name in ("", "pdf")]
    while pending:
        requirement, active_extra = pending.pop()
        if requirement.marker and not requirement.marker.evaluate(environment.marker_values(active_extra)):
            continue
        name = canonicalize_name(requirement.name)
        resolved.setdefault(name, requirement)
        for inner_extra in {"", *requirement.extras}:
            if (name, inner_extra) not in visited:
                visited.add((name, inner_extra))
                pending += [(Requirement(text), inner_extra) for text in _installed_requirements(name)]
    return resolved


@cache
def _installed_version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


@cache
def _installed_requirements(name: str) -> tuple[str, ...]:
    return tuple(metadata.requires(name) or ()) if _installed_version(name) else ()


def _format_requirement(name: str, version_range: str, environments: set[Environment]) -> str:
    version = _installed_version(name)
    pin = f"{name}=={version}" if version else version_range
    marker = "" if environments == ENVIRONMENTS else f" ; {_format_marker(environments)}"
    return f"{pin}{marker}" if version else f"{pin}{marker}  # not installed where this was written"


def _format_marker(environments: set[Environment]) -> str:
    """The environment marker that names some of ENVIRONMENTS."""
    terms = []
    for system in PLATFORM_MARKERS:
        pythons = [python for python in PYTHON_VERSIONS if Environment(system, python) in environments]
        if len(pythons) == len(PYTHON_VERSIONS):
            terms.append(f'sys_platform == "{system}"')
        elif pythons:
            versions = " or ".join(f'python_version == "{python}"' for python in pythons)
            terms.append(f'(sys_platform == "{system}" and ({versions}))')
    return " or ".join(terms)


def _project_name(line: str) -> str:
    """The normalized name of the project that a line of requirements.txt requires; "" for a comment."""
    if line.startswith("file:vendor/tenure-"):
        return "tenure"
    match = re.match(r"[A-Za-z0-9][A-Za-z0-9._-]*", line.strip())
    return re.sub(r"[-_.]+", "-", match[0]).lower() if match else ""
