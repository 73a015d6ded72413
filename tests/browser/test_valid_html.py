"""Every page of every theme and site is valid HTML: the Nu validator finds no error in it, and warns of nothing."""

import json
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest
from chromium import NU
from matrix import CASES, one_of_each_kind, pages

NOT_FOR_FILES = "violates Content Security Policy"
"""A file has no 'self' in the validator's eyes, and JSON-LD is no script; the browser tells what is really blocked."""

Told = dict[tuple[str, str], list[str]]


@pytest.fixture(scope="module")
def told(java: str, tmp_path_factory: pytest.TempPathFactory) -> Told:
    """What the validator says of each theme and site; one call for all, as Java takes seconds to start."""
    folder = tmp_path_factory.mktemp("pages")
    for theme, site in CASES:
        html = pages(theme, site)
        for path in one_of_each_kind(html) if site == "many-papers" else html:
            file = folder / theme / site / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(html[path], encoding="utf-8")
    command = [
        java,
        "-jar",
        str(NU.path()),
        "--format",
        "json",
        "--stdout",
        "--exit-zero-always",
        "--skip-non-html",
    ]
    done = subprocess.run([*command, str(folder)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: Told = defaultdict(list)
    for message in json.loads(done.stdout)["messages"]:
        if NOT_FOR_FILES in message["message"]:
            continue
        theme, site, path = (
            Path(message["url"].removeprefix("file:")).relative_to(folder).as_posix().split("/", 2)
        )
        found[theme, site].append(f"{path}:{message.get('lastLine')}: {message['message']}")
    return found


@pytest.mark.parametrize(("theme", "site"), CASES)
def test_the_nu_validator_says_nothing(theme: str, site: str, told: Told) -> None:
    assert told[theme, site] == [], "\n".join(told[theme, site][:20])
