"""requirements.txt of a site: its Tenure, and every dependency in the version that the running Tenure uses."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.commands.distribution import VENDOR, find_release, requirements_of_release
from tenure.commands.questions import ask_git
from tenure.frozen import dataclass

if TYPE_CHECKING:
    from packaging.requirements import Requirement

FILE = "requirements.txt"
HEAD = (
    "# The Tenure that builds this site, and the exact version of each package that it needs.\n"
    "# The command upgrade of a newer Tenure replaces these lines.\n"
)
OWN = "# Packages of your own, which upgrade keeps:\n"
SYSTEMS: Mapping[str, Mapping[str, str]] = {
    "linux": {"os_name": "posix", "platform_system": "Linux"},
    "darwin": {"os_name": "posix", "platform_system": "Darwin"},
    "win32": {"os_name": "nt", "platform_system": "Windows"},
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
"""The platforms and Pythons for which the dependencies are resolved: a site may be built on another than it was written on."""


@dataclass(frozen=True, slots=True, order=True)
class Environment:
    """A platform, by its `sys.platform`, and a version of Python."""

    system: str
    python: str

    def markers(self, extra: str) -> dict[str, str]:
        """The values of environment markers (PEP 508) for one extra."""
        full = f"{self.python}.0"
        python = {"python_version": self.python, "python_full_version": full, "implementation_version": full}
        return {"sys_platform": self.system, **SYSTEMS[self.system], **python, "extra": extra}


ENVIRONMENTS = frozenset(Environment(system, python) for system in SYSTEMS for python in PYTHONS)


def requirement_files() -> dict[str, str | bytes]:
    """requirements.txt of a new site, and the wheel that it names, if any; raises UsageError if no wheel can be built."""
    release = find_release()
    lines = [release.requirement, *pin_dependencies(requirements_of_release())]
    return {FILE: HEAD + "".join(f"{line}\n" for line in lines) + OWN, **release.files}


def describe_ignored_wheel(folder: Path) -> str:
    """
    The message about a wheel of a site that Git ignores; "" if Git does not ignore it.

    Templates of Jekyll and other systems ignore vendor/. A host can install the site's Tenure only from the repository.
    """
    for wheel in sorted((folder / VENDOR).glob("tenure-*.whl")):
        rule = ask_git("check-ignore", "--verbose", f"{VENDOR}/{wheel.name}", folder=folder).partition("\t")[
            0
        ]
        if rule:
            return f"Git ignores {VENDOR}/ ({rule}), but the published site needs it. Add it: git add --force {VENDOR}\n"
    return ""


def merge_requirements(old: str, new: str) -> str:
    """The new text of requirements.txt, with the user's own lines from the old text."""
    _, marked, below = old.partition(OWN)
    if marked:
        return new + below
    written = {_project(line) for line in new.splitlines()} | {"tenure", ""}
    return new + "".join(f"{line}\n" for line in old.splitlines() if _project(line) not in written)


def pin_dependencies(requirements: Iterable[str], extra: str = "pdf") -> list[str]:
    """
    Every direct and indirect dependency as `name==version` of the installed version, sorted by name.

    A package that only some of ENVIRONMENTS need gets a marker that names them. A package that is not installed (for
    another platform or extra) gets the version range of the requirement.
    """
    from packaging.requirements import Requirement  # noqa: PLC0415 - loaded only if a site is written

    roots = [Requirement(text) for text in requirements]
    needed: dict[str, set[Environment]] = {}
    ranges: dict[str, str] = {}
    for environment in sorted(ENVIRONMENTS):
        for name, requirement in _resolve(roots, extra, environment).items():
            needed.setdefault(name, set()).add(environment)
            ranges.setdefault(name, f"{requirement.name}{requirement.specifier}")
    return [_line(name, ranges[name], environments) for name, environments in sorted(needed.items())]


def _resolve(
    roots: Sequence["Requirement"], extra: str, environment: Environment
) -> dict[str, "Requirement"]:
    """Every package that an environment needs, by its normalized name."""
    from packaging.requirements import Requirement  # noqa: PLC0415 - as above
    from packaging.utils import canonicalize_name  # noqa: PLC0415 - as above

    resolved: dict[str, Requirement] = {}
    seen: set[tuple[str, str]] = set()
    waiting = [(requirement, one) for requirement in roots for one in ("", extra)]
    while waiting:
        requirement, wanted = waiting.pop()
        if requirement.marker and not requirement.marker.evaluate(environment.markers(wanted)):
            continue
        name = canonicalize_name(requirement.name)
        resolved.setdefault(name, requirement)
        for inner in {"", *requirement.extras}:
            if (name, inner) not in seen:
                seen.add((name, inner))
                waiting += [(Requirement(text), inner) for text in _required_by(name)]
    return resolved


@cache
def _installed_version(name: str) -> str:
    """The installed version of a package, or ""."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


@cache
def _required_by(name: str) -> tuple[str, ...]:
    """The requirements of an installed package; empty if it is not installed."""
    return tuple(metadata.requires(name) or ()) if _installed_version(name) else ()


def _line(name: str, accepted: str, environments: set[Environment]) -> str:
    """One line of requirements.txt."""
    version = _installed_version(name)
    pin = f"{name}=={version}" if version else accepted
    marker = "" if environments == ENVIRONMENTS else f" ; {_marker(environments)}"
    return f"{pin}{marker}" if version else f"{pin}{marker}  # not installed where this was written"


def _marker(environments: set[Environment]) -> str:
    """The environment marker that names some of ENVIRONMENTS."""
    terms = []
    for system in SYSTEMS:
        pythons = [python for python in PYTHONS if Environment(system, python) in environments]
        if len(pythons) == len(PYTHONS):
            terms.append(f'sys_platform == "{system}"')
        elif pythons:
            versions = " or ".join(f'python_version == "{python}"' for python in pythons)
            terms.append(f'(sys_platform == "{system}" and ({versions}))')
    return " or ".join(terms)


def _project(line: str) -> str:
    """The normalized name of the project that a line of requirements.txt requires; "" for a comment."""
    import re  # noqa: PLC0415 - loaded only if a site is upgraded

    if line.startswith("file:vendor/tenure-"):
        return "tenure"
    match = re.match(r"[A-Za-z0-9][A-Za-z0-9._-]*", line.strip())
    return re.sub(r"[-_.]+", "-", match[0]).lower() if match else ""
