"""
Writes the addresses of `[project.urls]` in pyproject.toml into the pages that lead to them: README.md and
docs/content/pages/start.md.

`python tools/addresses.py` is a step of each release (CONTRIBUTING.md). A page has a part between
`<!-- addresses: NAME -->` and `<!-- end -->`, and the place of the line `git clone`. A way without an address is shown
as it works in a folder of this repository. Nothing else in these pages is an address of the project.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "docs/content/pages/start.md")
PART = re.compile(r"(<!-- addresses: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)

CLONE = re.compile(r"^(?:git clone .*\n)?(?=cd tenure\b)", re.MULTILINE)
"""The place of the line that clones: before the first `cd tenure` of a page."""

Urls = Mapping[str, str]


def list_ways(urls: Urls) -> str:
    """Return the three ways to a site, one a line."""
    ways = ["**Try it in the browser**, without an account: `python3 build.py try` (needs Node 20)"]
    if "Try it" in urls:
        ways = [f"**[Try it in the browser]({urls['Try it']})**, without an account"]
    if "Package" in urls:
        ways.append(
            f"**[Install it]({urls['Package']}):** `pipx install tenure`, then `tenure new me`; or `uvx tenure new me`"
        )
    else:
        ways.append("**Install it** from this folder: `pipx install .`, then `tenure new me`")
    if "Template" in urls:
        ways.append(f"**[Use this template]({urls['Template']})** on GitHub, without an installation")
    else:
        ways.append(
            "**Without an installation:** `python3 build.py new ../me`, then `python3 build.py serve --site ../me --open`"
        )
    return "".join(f"- {way}\n" for way in ways)


def name_place_of_questions(urls: Urls) -> str:
    """Return where somebody can ask."""
    if "Issues" in urls:
        return f"Questions: [issues]({urls['Issues']}).\n"
    return "Questions: the issues of the repository that you cloned.\n"


def name_page_to_try(urls: Urls) -> str:
    """Return how to open “Try it”."""
    if "Try it" in urls:
        return f"To try Tenure without installing anything, open [“Try it”]({urls['Try it']}).\n"
    return "To try Tenure in a browser, write `python3 build.py try` in the folder of Tenure; it needs Node 20.\n"


PARTS: Mapping[str, Callable[[Urls], str]] = {
    "ways": list_ways,
    "ask": name_place_of_questions,
    "try": name_page_to_try,
}


def update_page(text: str, urls: Urls) -> str:
    """Return a page with the addresses of the table, and no other."""
    text = PART.sub(lambda part: f"{part[1]}{PARTS[part[2]](urls)}{part[4]}", text)
    clone = f"git clone {urls['Repository']} tenure\n" if "Repository" in urls else ""
    return CLONE.sub(lambda _: clone, text, count=1)


def read_urls(root: Path) -> Urls:
    """Return `[project.urls]` of pyproject.toml."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    urls: dict[str, str] = project.get("urls", {})
    return urls


def main(root: Path = ROOT) -> None:
    """Write the addresses into each page."""
    for name in PAGES:
        text = (root / name).read_text(encoding="utf-8")
        (root / name).write_text(update_page(text, read_urls(root)), encoding="utf-8")


if __name__ == "__main__":
    main()
