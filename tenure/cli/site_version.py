"""Which Tenure a site names in its requirements.txt, and whether this is the running one."""

import re
from pathlib import Path

from tenure import __version__
from tenure.cli.arguments import PROGRAM_FOLDER, SCRIPT_NAME, is_checkout

REQUIREMENTS_FILE = "requirements.txt"

_NAMED_VERSION = re.compile(
    r"^(?: tenure== | (?:file:|tenure\ @\ ).*/tenure- ) (?P<version> \d[\w.!+]* )", re.VERBOSE | re.MULTILINE
)
"""The version in tenure==0.9.0 or file:vendor/tenure-0.9.0+1a2b3c4d-py3-none-any.whl#sha256=…"""


def describe_other_version(folder: Path) -> str:
    """The line about a site that names another Tenure than the running one; "" if it names none, or this."""
    path = folder / REQUIREMENTS_FILE
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    named = find_named_version(text)
    running = find_running_version()
    if not named or named == running:
        return ""
    # a clone has no label: 0.9.0, and not 0.9.0+1a2b3c4d
    if is_checkout() and named.partition("+")[0] == running:
        return ""
    own = f"python3 {SCRIPT_NAME} uses {named}"
    return f"{path.name} names Tenure {named}, and this is Tenure {running}; {own}\n"


def find_named_version(text: str) -> str:
    """The version of Tenure that a requirements.txt names, with its label; "" if it names none."""
    named = _NAMED_VERSION.search(text)
    return named["version"] if named else ""


def find_running_version() -> str:
    """The version of the running Tenure, with the label of a wheel of a clone: 0.9.0+1a2b3c4d"""
    # the name of its folder is faster than importlib.metadata: tenure-0.9.0+1a2b3c4d.dist-info
    names = [path.name for path in PROGRAM_FOLDER.glob("tenure-*.dist-info")]
    if is_checkout() or not names:
        return __version__
    return names[0].removeprefix("tenure-").removesuffix(".dist-info")
