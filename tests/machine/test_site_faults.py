"""
Faults that the import of real sites has shown, with the letter and number of each kind: I-7 to I-23.

The other kinds are in tests/import/findings.txt.
"""

from pathlib import Path

import pytest
from cases import Case, list_failures, read_cases
from chromium import Server
from conftest import Built, read_script, run_in, select_daily, write_files
from playwright.sync_api import Browser
from sample_images import draw_picture, encode_image

from tenure.build import build_site
from tenure.progress import ProgressLine

CASES = read_cases(Path(__file__).with_name("site_faults.txt"))


@pytest.mark.parametrize("case", CASES, ids=[case.title for case in CASES])
def test_a_site_is_imported_as_its_author_intends(case: Case, tmp_path: Path) -> None:
    write_files(tmp_path, case.sources)
    assert run_in(tmp_path, "import", "old") == 0
    built = Built(build_site(tmp_path / "site"))
    assert [problem for problem in built.build.problems if problem.level == "error"] == []
    failures = [*list_failures(case, built)]
    assert failures == [], "\n".join(failures)
    report = (tmp_path / "site/import-report.md").read_text(encoding="utf-8")
    assert [line for line in case.expected.splitlines() if line not in report] == [], report


def test_i15_the_owner_that_a_bibliography_suggests_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = "@misc{{k{0}, title={{T{0}}}, author={{Example, Ada}}, year=2020}}\n"
    write_files(tmp_path, f"-- old/a.bib --\n{entry.format(0)}{entry.format(1)}")
    assert run_in(tmp_path, "import", "old") == 0
    said = "the most frequent author, Ada Example, is taken as the owner; --name sets another"
    assert said in capsys.readouterr().out


def test_i22_an_import_with_pictures_shows_its_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steps: list[str] = []
    monkeypatch.setattr(
        ProgressLine,
        "__call__",
        lambda _, activity, started, total: steps.append(f"{activity} {started}/{total}"),
    )
    images = "".join(f"![A loom](/assets/img/{number}.png)\n\n" for number in range(3))
    write_files(
        tmp_path,
        f"-- old/_config.yml --\nname: Ada Example\n-- old/index.md --\n---\ntitle: Ada\n---\n{images}",
    )
    (tmp_path / "old/assets/img").mkdir(parents=True)
    for number in range(3):
        picture = encode_image(draw_picture(900, 700 + number), "PNG")
        (tmp_path / f"old/assets/img/{number}.png").write_bytes(picture)
    assert run_in(tmp_path, "import", "old") == 0
    assert "checking the new site, which takes a while if it has many pictures" in capsys.readouterr().out
    made = [step for step in steps if step.startswith("making pictures")]
    assert made[:3] == [f"making pictures {number}/3" for number in range(3)]


LABELS = read_script("labels of the filter")
"""Whether the text of each label fits into one line, away from what follows it."""


@pytest.mark.parametrize(
    ("theme", "language"),
    select_daily([("classic", "de"), ("folio", "de"), ("plate", "fr")], lambda case: case[0] == "classic"),
)
def test_i23_the_labels_of_the_filter_have_room(
    theme: str, language: str, chromium: Browser, server: Server, tmp_path: Path
) -> None:
    kinds = ["article", "phdthesis", "thesis", "misc"] * 6
    entries = "".join(
        f"@{kind}{{k{n}, title={{Title {n}}}, author={{Example, Ada}}, year={2010 + n}, journal={{J}}, school={{U}}, keywords={{looms, cards}}}}\n"
        for n, kind in enumerate(kinds)
    )
    settings = f"-- site.yaml --\ntheme: {theme}\nlanguage: {language}\n-- content/profile.yaml --\nname: Ada Example\n"
    write_files(tmp_path, f"{settings}-- bib/papers.bib --\n{entries}")
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{server.add_site(f'filter-{theme}', build_site(tmp_path).artifacts)}publications/")
    labels = page.evaluate(LABELS)
    assert len(labels) >= 2
    assert all(labels)
