"""
Writes the URL of this repository into README.md and docs/content/pages/start.md, and into the metadata of the
package; on GitHub also the links to the demonstration and the gallery, which the workflow `pages.yml`
publishes.

The line of the pages is `git clone URL tenure`. This is a step of each release (CONTRIBUTING.md). The URL is
that of the remote `origin`, so it is right wherever the project is published.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "docs/content/pages/start.md")
FIRST = re.compile(r"^(?:git clone .*\n)?(?=cd tenure\b)", re.MULTILINE)
"""The place of the line: before the first `cd tenure` of a page."""

DEMONSTRATION = re.compile(
    r"^(?:\[\*\*Try it in the browser\*\*\]\(.*\n)?(?=\[Documentation\]\()", re.MULTILINE
)
"""The place of the links to the published site in README.md: the line before that to the documentation."""

GITHUB = re.compile(r"https://github\.com/(?P<owner>[^/]+)/(?P<name>[^/]+)")
"""A repository on GitHub: https://github.com/ada/tenure, whose site is https://ada.github.io/tenure/."""

URLS = re.compile(r"^(?:\[project\.urls\]\n(?:.+\n)*\n)?(?=\[project\.scripts\])", re.MULTILINE)
"""The place of the URLs in pyproject.toml."""

SSH = re.compile(r"(?:ssh://)?git@(?P<host>[^:/]+)[:/](?P<path>.+)")
"""git@github.com:ada/site.git."""


def public_url(remote: str) -> str:
    """Return the URL that anyone can clone: `git@host:path` becomes `https://host/path`."""
    match = SSH.fullmatch(remote)
    return f"https://{match['host']}/{match['path']}" if match else remote


def main(root: Path = ROOT) -> int:
    """Write the line into each page; return the exit status."""
    git = ["git", "-C", str(root), "remote", "get-url", "origin"]
    done = subprocess.run(git, capture_output=True, text=True, check=False)
    if done.returncode:
        print("this clone has no remote called origin; add it: git remote add origin URL", file=sys.stderr)
        return 1

    url = public_url(done.stdout.strip())
    for name in PAGES:
        text = (root / name).read_text(encoding="utf-8")
        if not FIRST.search(text):
            print(f'{name} has no line "cd tenure" to write the address before', file=sys.stderr)
            return 1
        (root / name).write_text(FIRST.sub(f"git clone {url} tenure\n", text, count=1), encoding="utf-8")
        print(f"{name}: git clone {url} tenure")

    page = url.removesuffix(".git")
    if repository := GITHUB.fullmatch(page):
        published = f"https://{repository['owner'].lower()}.github.io/{repository['name']}/"
        links = (
            f"[**Try it in the browser**]({published}try/) · [Demonstration]({published})"
            f" · [Gallery]({published}examples/) ·\n"
        )
        readme = (root / "README.md").read_text(encoding="utf-8")
        (root / "README.md").write_text(DEMONSTRATION.sub(links, readme, count=1), encoding="utf-8")

    urls = f'[project.urls]\nDocumentation = "{page}/blob/HEAD/docs/content"\nRepository = "{page}"\n\n'
    pyproject = root / "pyproject.toml"
    text = URLS.sub(lambda _: urls, pyproject.read_text(encoding="utf-8"), count=1)
    pyproject.write_text(text, encoding="utf-8")
    print(f"pyproject.toml: {page}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
