"""Every page of all themes and sites is valid HTML: the Nu validator reports no error and no warning."""

import itertools
import json
import re
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest
from matrix import SITES, THEMES, one_of_each_kind, read_sample_pages
from npm_tools import NU

pytestmark = pytest.mark.scheduled

NOT_FOR_FILES = "violates Content Security Policy"
"""
The validator resolves no 'self' for a file, and takes JSON-LD for a script; tests in a browser find what is
really blocked.
"""

NOT_KNOWN_YET = re.compile(r"Property “(?:animation-timeline|scroll-initial-target)” doesn't exist")
"""Properties of newer standards than the validator; a browser without them shows the page as before."""

JAVA_OPTIONS = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss8m")
"""Compile without optimising, which takes longer than the validation; the validator needs a large stack."""

ValidatorMessages = dict[tuple[str, str], list[str]]


@pytest.fixture(scope="module")
def validator_messages(java: str, tmp_path_factory: pytest.TempPathFactory) -> ValidatorMessages:
    """Validate the sites in their themes in one call, as Java takes seconds to start."""
    folder = tmp_path_factory.mktemp("pages")
    for theme, site in itertools.product(THEMES, SITES):
        html = read_sample_pages(theme, site)
        for path in one_of_each_kind(html) if site == "many-papers" else html:
            file = folder / theme / site / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(html[path], encoding="utf-8")
    options = ["--format", "json", "--stdout", "--exit-zero-always", "--skip-non-html"]
    command = [java, *JAVA_OPTIONS, "-jar", str(NU.find_file()), *options, str(folder)]
    completed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert completed.returncode == 0, completed.stderr
    result: ValidatorMessages = defaultdict(list)
    for message in json.loads(completed.stdout)["messages"]:
        if NOT_FOR_FILES not in message["message"] and not NOT_KNOWN_YET.search(message["message"]):
            file = Path(message["url"].removeprefix("file:")).relative_to(folder)
            theme, site, *parts = file.parts
            result[theme, site].append(f"{'/'.join(parts)}:{message.get('lastLine')}: {message['message']}")
    return result


@pytest.mark.parametrize(("theme", "site"), [*itertools.product(THEMES, SITES)])
def test_the_nu_validator_reports_nothing(
    theme: str, site: str, validator_messages: ValidatorMessages
) -> None:
    actual = validator_messages[theme, site]
    assert actual == [], "\n".join(actual[:20])
