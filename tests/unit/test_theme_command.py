"""`theme list`, `theme show` and `theme override` as a user types them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT, Sources

from tenure.cli.app import main

Make = Callable[[str], Sources]
MINE = (
    "-- site.yaml --\ntheme: {name: mine, dense: yes}\n"
    "-- themes/mine/theme.yaml --\nextends: classic\ndescription: My own.\noptions:\n"
    "  dense: {type: boolean, default: false, help: Closer lines.}\n"
    "  motto: {type: text, default: Onward, help: A line of mine.}\n"
)


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


def test_list_has_a_line_for_each_theme(call_theme: Call) -> None:
    status, out, err = call_theme(MINE, "list")
    assert (status, err) == (0, "")
    lines = {line[2:].split()[0]: line for line in out.splitlines()[:-1]}
    packaged = {path.parent.name for path in (ROOT / "themes").glob("*/theme.yaml")}
    assert list(lines) == sorted({"mine", *packaged})
    assert lines["mine"].split(maxsplit=2)[:2] == ["*", "mine"]
    assert lines["mine"].rpartition("  ")[0].rstrip().endswith("  is in themes/mine")
    assert lines["mine"].endswith("  My own.")
    assert "comes with Tenure" in lines["plain"]
    assert lines["plain"].startswith("  plain ")
    assert "A very simple page" in lines["plain"]


def test_list_says_what_the_site_has_changed(call_theme: Call) -> None:
    _, out, _ = call_theme("-- themes/plain/assets/plain.css --\np{}\n", "list")
    (line,) = [line for line in out.splitlines() if " plain " in line]
    assert "comes with Tenure, 1 file changed here" in line


def test_list_needs_no_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["theme", "list", "--site", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "  classic " in out
    assert "*" not in out


def test_show_lists_every_option_with_its_values_and_help(call_theme: Call) -> None:
    status, out, _ = call_theme(MINE, "show")
    assert status == 0
    assert out.startswith(
        "mine: My own.\nIt is in themes/mine.\nAll other files come from classic and then base.\n"
    )
    assert "theme: {name: mine, dense: false}" in out
    assert "  dense: true, false (default); here: yes\n      Closer lines.\n" in out
    assert '  motto: a text (default: "Onward")\n      A line of mine.\n' in out
    assert (
        "  fonts: bundled (default), system, serif, mono, literata, garamond, inter, figtree, newsreader, bricolage\n"
        in out
    )


def test_show_lists_pages_parts_and_assets(call_theme: Call) -> None:
    _, out, _ = call_theme("", "show", "classic")
    pages, parts, assets = (
        " ".join(out.partition(f"\n{kind}:\n")[2].partition("\n\n")[0].split()).split(", ")
        for kind in ("Pages", "Parts", "Assets")
    )
    assert set(pages) == {path.stem for path in (ROOT / "themes/base/pages").iterdir()}
    assert set(parts) >= {path.stem for path in (ROOT / "themes/base/parts").iterdir()}
    assert {"style.css", "site.js", "fonts/stix-two-sc.woff2"} <= set(assets)
    assert "Of these" not in out


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
def test_override_copies_with_the_digest_of_the_original(
    part: str, name: str, origin: str, call_theme: Call, site: Make
) -> None:
    files = "-- content/talks.yaml --\n- event: Seminar\n"
    status, out, err = call_theme(files, "override", part)
    assert (status, err) == (0, "")
    assert out.startswith(
        f"Copied {origin}/{name} to themes/classic/{name}; the site uses your copy from now on.\n"
    )
    built = site(files)
    first, _, remainder = (built.root / "themes/classic" / name).read_text(encoding="utf-8").partition("\n")
    assert f"A copy of {origin}/{name} (" in first
    assert remainder == (ROOT / "themes" / origin / name).read_text(encoding="utf-8")
    assert built.build().problems == []


def test_override_says_how_to_change_one_block(call_theme: Call, site: Make) -> None:
    _, out, _ = call_theme("", "override", "frame")
    lines = out.splitlines()
    assert "head" in lines[2]
    text = "\n".join(line.strip() for line in lines[3:])
    built = site(f"-- themes/classic/parts/frame.html --\n{text}\n").build()
    assert built.problems == []
    assert "<!-- yours -->" in built.read_page("/")


def test_override_of_a_binary_file_prints_a_note(call_theme: Call, site: Make) -> None:
    name = "assets/fonts/stix-two-sc.woff2"
    status, out, _ = call_theme("", "override", "stix-two-sc")
    assert status == 0
    assert "cannot have a comment" in out
    own = site("").root / "themes/classic" / name
    assert own.read_bytes() == (ROOT / "themes/classic" / name).read_bytes()


def test_override_never_replaces(call_theme: Call, site: Make) -> None:
    mine = "-- themes/classic/parts/talks.html --\nmine\n"
    status, out, err = call_theme(mine, "override", "talks")
    assert (status, out) == (2, "")
    assert err == "tenure: themes/classic/parts/talks.html exists already and was not changed\n"
    assert (site("").root / "themes/classic/parts/talks.html").read_text(encoding="utf-8") == "mine\n"


def test_override_in_a_theme_of_the_site(call_theme: Call) -> None:
    _, out, _ = call_theme(MINE, "override", "awards")
    assert out.startswith("Copied base/parts/awards.html to themes/mine/parts/awards.html;")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("override", "tlaks"), 'the theme classic has no file "tlaks"; did you mean "talks"?'),
        (("override", "no-such-thing"), "theme show lists them"),
        (("override", "../content/profile.yaml"), "has no file"),
        (("show", "clasic"), 'there is no theme called "clasic"; did you mean "classic"?'),
        (("override",), "PART"),
        ((), "known here: list, override, show"),
        (("list", "--colour"), "--colour"),
    ],
)
def test_a_wrong_call_is_reported(arguments: tuple[str, ...], says: str, call_theme: Call) -> None:
    status, out, err = call_theme("", *arguments)
    assert (status, out) == (2, "")
    assert says in err


def test_override_needs_a_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["theme", "override", "talks", "--site", str(tmp_path)]) == 2
    assert "there is no site in" in capsys.readouterr().err
    assert main(["theme", "show", "--site", str(tmp_path)]) == 2
    assert "name a theme" in capsys.readouterr().err
    assert main(["theme", "list", "--site", str(tmp_path / "gone")]) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_the_packaged_themes_themselves_are_not_overridden(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["theme", "override", "talks", "--site", str(ROOT)]) == 2
    assert "holds the themes of Tenure itself" in capsys.readouterr().err
    assert not (ROOT / "themes/classic/parts/talks.html").exists()


def test_mistakes_in_site_yaml_are_reported(call_theme: Call) -> None:
    status, out, err = call_theme("-- site.yaml --\nthem: plain\n", "list")
    assert status == 1
    assert 'did you mean "theme"?' in err
    assert "plain" in out


def test_check_reports_a_copy_of_a_changed_original(
    call_theme: Call, site: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    call_theme("", "override", "talks")
    assert site("").build().problems == []
    themes = tmp_path / "newer"
    for path in (ROOT / "themes").rglob("*"):
        if path.is_file() and ".cache" not in path.parts:
            target = themes / path.relative_to(ROOT / "themes")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    with (themes / "base/parts/talks.html").open("a", encoding="utf-8") as file:
        file.write("{# newer #}\n")
    monkeypatch.setattr("tenure.sources.theme.theme.PACKAGED_THEMES", themes)
    (reported,) = site("").build().problems
    head, line, repair = reported.splitlines()
    assert head.endswith("warning: base/parts/talks.html has changed since it was copied here")
    assert head.startswith("themes/classic/parts/talks.html:1:")
    own = site("").root / "themes/classic/parts/talks.html"
    old, new = line.partition("(")[2].partition(")")[0], repair.rpartition(" ")[2]
    own.write_text(own.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert site("").build().problems == []
