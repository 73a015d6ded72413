"""`theme` lists the themes, and `theme PART` copies a file, as a user types them."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT, Sources

from tenure.cli.app import main

Make = Callable[[str], Sources]
MINE = "-- site.yaml --\ntheme: mine\n-- themes/mine/theme.yaml --\nextends: classic\ndescription: My own.\n"


@pytest.fixture
def call_theme(site: Make, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Return a function that calls `theme` in a site made of one text, and returns the status and the output."""

    def call_in_site(files: str, *arguments: str) -> tuple[int, str, str]:
        folder = site(files).root
        status = main(["theme", *arguments, "--site", str(folder)])
        output = capsys.readouterr()
        return status, output.out.replace(f"{folder}/", ""), output.err.replace(f"{folder}/", "")

    return call_in_site


Call = Callable[..., tuple[int, str, str]]


def test_the_themes_and_the_files_of_that_of_the_site_are_listed(call_theme: Call) -> None:
    status, out, err = call_theme(MINE)
    assert (status, err) == (0, "")
    lines = {line[2:].split()[0]: line for line in out.partition("* is the theme")[0].splitlines()}
    packaged = {path.parent.name for path in (ROOT / "themes").glob("*/theme.yaml")}
    assert list(lines) == sorted({"mine", *packaged})
    assert lines["mine"].split() == ["*", "mine", "is", "in", "themes/mine", "My", "own."]
    assert "comes with Tenure  A very simple page" in lines["plain"]
    listed = set(re.split(r"[,:]?\s+", out))
    assert listed >= {path.stem for path in (ROOT / "themes/base/pages").iterdir()}
    assert listed >= {path.stem for path in (ROOT / "themes/base/parts").iterdir()}
    assert listed >= {"style.css", "site.js"}


def test_without_a_site_the_themes_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["theme", "--site", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "  classic " in out
    assert "*" not in out
    assert main(["theme", "talks", "--site", str(tmp_path)]) == 2
    assert "there is no site in" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("part", "name", "origin"),
    [
        ("talks", "parts/talks.html", "base"),
        ("pages/talks", "pages/talks.html", "base"),
        ("publication", "pages/publication.html", "base"),
        ("parts/frame.html", "parts/frame.html", "classic"),
        ("style.css", "assets/style.css", "classic"),
        ("assets/site.js", "assets/site.js", "base"),
    ],
)
def test_a_copy_has_the_digest_of_the_original(
    part: str, name: str, origin: str, call_theme: Call, site: Make
) -> None:
    files = "-- content/talks.yaml --\n- event: Seminar\n"
    status, out, err = call_theme(files, part)
    assert (status, err) == (0, "")
    assert out.startswith(
        f"Copied {origin}/{name} to themes/classic/{name}; the site uses your copy from now on.\n"
    )
    built = site(files)
    first, _, remainder = (built.root / "themes/classic" / name).read_text(encoding="utf-8").partition("\n")
    assert f"A copy of {origin}/{name} (" in first
    assert remainder == (ROOT / "themes" / origin / name).read_text(encoding="utf-8")
    assert built.build().problems == []


def test_the_output_says_how_to_change_one_block(call_theme: Call, site: Make) -> None:
    _, out, _ = call_theme("", "frame")
    text = "\n".join(line.strip() for line in out.splitlines()[3:])
    built = site(f"-- themes/classic/parts/frame.html --\n{text}\n").build()
    assert built.problems == []
    assert "<!-- yours -->" in built.read_page("/")
    assert "cannot have a comment" in call_theme("", "stix-two-sc")[1]


@pytest.mark.parametrize(
    ("files", "part", "says"),
    [
        ("", "tlaks", 'the theme classic has no file "tlaks"; did you mean "talks"?'),
        ("", "no-such-thing", "the command theme lists them"),
        ("", "../content/profile.yaml", "has no file"),
        ("-- themes/classic/parts/talks.html --\nmine\n", "talks", "parts/talks.html exists already and was not changed"),
        ("-- site.yaml --\ntheme: clasic\n", "talks", 'there is no theme called "clasic"; did you mean "classic"?'),
    ],
)  # fmt: skip
def test_a_wrong_call_is_reported(files: str, part: str, says: str, call_theme: Call) -> None:
    status, out, err = call_theme(files, part)
    assert (status, out) == (2, "")
    assert says in err


def test_the_packaged_themes_themselves_are_not_copied(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["theme", "talks", "--site", str(ROOT)]) == 2
    assert "holds the themes of Tenure itself" in capsys.readouterr().err
    assert not (ROOT / "themes/classic/parts/talks.html").exists()
