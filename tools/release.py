"""
What a release needs: `python tools/release.py notes v0.9.0` prints the section of the version in CHANGELOG.md,
and ends with an error if the tag is not the version of the program; `template FOLDER` makes a new site the
repository that others use as a template.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TWO_CLICKS = """\
# Your site

1. Click **Use this template**, then **Create a new repository**: public, and named `ada.github.io` with your user name.
2. In its Settings, under Pages, choose **GitHub Actions** as the source. Under Actions, run the workflow “Site” again.

Then write your name into `content/profile.yaml`: a click on the pencil of GitHub is enough. The text below is about
this folder.

"""


def read_notes(root: Path, tag: str) -> str:
    """The section of a version in CHANGELOG.md, with the upgrade notes; raises ValueError for a wrong tag."""
    version = tag.removeprefix("v")
    program = (root / "tenure/__init__.py").read_text(encoding="utf-8")
    if f'__version__ = "{version}"' not in program:
        raise ValueError(f"the tag {tag} is not the version in tenure/__init__.py")
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    first = re.search(rf"^## {re.escape(version)}\b.*?(?=^## \d|\Z)", text, re.MULTILINE | re.DOTALL)
    if not first:
        raise ValueError(f"CHANGELOG.md has no section {version}")
    return first[0].strip()


def write_template(folder: Path) -> None:
    """Let README.md of a new site begin with the two clicks that its owner needs."""
    readme = folder / "README.md"
    readme.write_text(TWO_CLICKS + readme.read_text(encoding="utf-8"), encoding="utf-8")


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Run the step that the arguments name; returns the exit status."""
    match arguments:
        case ["notes", tag]:
            try:
                print(read_notes(root, tag))
            except ValueError as error:
                print(error, file=sys.stderr)
                return 1
        case ["template", folder]:
            write_template(Path(folder))
        case _:
            print("usage: release.py notes TAG | release.py template FOLDER", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
