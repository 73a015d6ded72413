"""
Faults that the import of real sites has shown, with the letter and number of each kind: I-7 to I-23.

The other kinds are in tests/import/test_findings.py.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from chromium import Server
from conftest import Built, run_in, write_files
from playwright.sync_api import Browser
from sample_images import draw_picture, encode_image

from tenure.build import build_site
from tenure.progress import ProgressLine

HUGO = "-- old/hugo.yaml --\ntitle: Ada Example\n-- old/content/authors/admin/_index.md --\n---\ntitle: Ada Example\n---\nMe.\n"
ALFOLIO = "-- old/_config.yml --\nfirst_name: Ada\nlast_name: Example\nscholar: {last_name: [Example]}\n"
JEKYLL = "-- old/_config.yml --\nname: Ada Example\nauthor: {name: Ada Example}\n"
QUARTO = "-- old/_quarto.yml --\nproject: {type: website}\nwebsite: {title: Ada Example}\n"
BIB = "@article{a, title={On {L}ooms}, author={Example, Ada and Roe, Bob}, journal={J}, year=2020}\n"


class Case(NamedTuple):
    """An old site, a page of the new site, text that the page has and has not, and lines of the report."""

    name: str
    source: str
    page: str = "/"
    shown: Sequence[str] = ()
    absent: Sequence[str] = ()
    report: Sequence[str] = ()


ABOUT = "-- old/_pages/about.md --\n---\ntitle: About\npermalink: /\n---\n"
CASES = (
    Case("I-7 a list directly after a line of text", f"{ALFOLIO}{ABOUT}I like:\n* one\n* two\n", shown=["<li>one</li>", "<li>two</li>"], absent=["* one"]),
    Case("I-7 a numbered list directly after a line of text", f"{ALFOLIO}{ABOUT}Steps:\n1. one\n2. two\n", shown=["<ol>", "<li>two</li>"], absent=["1. one"]),
    Case("I-7 a heading after raw HTML", f"{ALFOLIO}{ABOUT}<div>\n\n### Head\n\nText\n\n</div>\n<br>\n\n### Other\n", shown=[">Head", ">Other"], absent=["### "]),
    Case("I-8 the text of a widget", f"{HUGO}-- old/content/home/news.md --\n---\nwidget: custom\nactive: true\ntitle: News\ncontent:\n  page_type: news\n---\n* 1 May: a loom was built.\n",
         shown=["<li>1 May: a loom was built.</li>"]),
    Case("I-8 pages of Quarto next to a .bib file", f"{QUARTO}-- old/works.bib --\n{BIB}-- old/index.qmd --\n---\ntitle: Ada Example\n---\nI weave.\n-- old/loom.qmd --\n---\ntitle: Looms\n---\nA loom.\n",
         "/loom/", ["A loom."]),
    Case("I-10 a publication of the CV that the .bib file has", f"{ALFOLIO}-- old/_bibliography/papers.bib --\n{BIB}-- old/_pages/publications.md --\n---\ntitle: publications\nnav: true\n---\n{{% bibliography %}}\n"
         "-- old/_data/cv.yml --\n- title: Publications\n  type: time_table\n  contents:\n  - {title: On looms., year: 2020}\n", "/publications/", ["On Looms"], ["On looms."],
         ["a publication that a .bib file has already: On looms."]),
    Case("I-10 a publication of the JSON Resume that the .bib file has", f"{ALFOLIO}-- old/_bibliography/papers.bib --\n{BIB}-- old/_pages/publications.md --\n---\ntitle: publications\nnav: true\n---\n{{% bibliography %}}\n"
         '-- old/assets/json/resume.json --\n{"basics": {"name": "Ada Example"}, "publications": [{"name": "On Looms", "releaseDate": "2020-05-01"}]}\n', "/publications/", ["On Looms"], ["2020-05"],
         ["On Looms"]),
    Case("I-17 the title of the CV page", f"{ALFOLIO}{ABOUT}Me.\n-- old/_pages/cv.md --\n---\nlayout: cv\ntitle: cv\nnav: true\n---\n-- old/_data/cv.yml --\n- title: Education\n  type: time_table\n  contents:\n  - {{title: PhD, institution: University, year: 2018}}\n",
         "/cv/", ["University"], [">Cv<", ">cv<"]),
    Case("I-21 a shortcode around the name of a file", f'{HUGO}-- old/content/home/about.md --\n---\nwidget: blank\nactive: true\ntitle: About\n---\nMy {{{{< staticref "uploads/resume.pdf" "newtab" >}}}}resume{{{{< /staticref >}}}}.\n-- old/static/uploads/resume.pdf --\nx\n',
         "/", ["resume</a>"], ["staticref"]),
    Case("I-21 sections of RenderCV in another language", "-- old/cv.yaml --\ncv:\n  name: Ada Example\n  sections:\n    experiencia_laboral:\n      - {company: Loom Works, position: Weaver, start_date: 2019-01, end_date: present}\n",
         "/", ["Loom Works", "Weaver", ">Experience"], ["experiencia_laboral"]),
    Case("I-23 kinds of theses in the filter", f"{ALFOLIO}-- old/_bibliography/papers.bib --\n" + "".join(
             f"@{kind}{{k{number}, title={{Title {number}}}, author={{Example, Ada}}, year=2020, school={{U}}, journal={{J}}}}\n" for number, kind in enumerate(["thesis", "phdthesis", "articlebold", "article"] * 4))
         + "-- old/_pages/publications.md --\n---\ntitle: publications\nnav: true\n---\n{% bibliography %}\n",
         "/publications/", ["Theses"], ["articlebold</", "Articlebold"]),
    Case("I-14 dates of a widget with months only", f"{HUGO}-- old/content/home/experience.md --\n---\nwidget: experience\nactive: true\ntitle: Experience\ndate_format: Jan 2006\nexperience:\n- {{title: Weaver, company: Engine Works,"
         " date_start: '2015-08-01', date_end: '2018-05-31'}\n- {title: Professor, company: University, date_start: '2022-05-01', date_end: ''}\n---\n".replace("{{", "{"), "/", ["Aug 2015 – May 2018", "May 2022 – Present"], ["1 May", "31 May"]),
    Case("I-14 dates of a widget with years only", f"{HUGO}-- old/content/home/awards.md --\n---\nwidget: accomplishments\nactive: true\ntitle: Awards\ndate_format: '2006'\nitem:\n- {{title: Medal, organization: Society, date_start: '2020-06-01'}}\n---\n",
         "/", ["2020"], ["Jun", "1 June"]),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_site_is_imported_as_its_author_intends(case: Case, tmp_path: Path) -> None:
    write_files(tmp_path, case.source)
    assert run_in(tmp_path, "import", "old") == 0
    built = Built(build_site(tmp_path / "site"))
    assert [problem for problem in built.build.problems if problem.level == "error"] == []
    page = re.sub(r"</?(?:time|span|p)\b[^>]*>", "", built.read_page(case.page).partition("<main")[2])
    assert [text for text in case.shown if text not in page] == [], page
    assert [text for text in case.absent if text in page] == [], page
    report = (tmp_path / "site/import-report.md").read_text(encoding="utf-8")
    assert [text for text in case.report if text not in report] == [], report


def test_i15_the_owner_that_a_bibliography_suggests_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = "".join(
        f"@misc{{k{n}, title={{T{n}}}, author={{Example, Ada}}, year=2020}}\n" for n in range(2)
    )
    write_files(tmp_path, f"-- old/a.bib --\n{entries}")
    assert run_in(tmp_path, "import", "old") == 0
    assert (
        "the most frequent author, Ada Example, is taken as the owner; --name sets another"
        in capsys.readouterr().out
    )


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
    write_files(tmp_path, f"{ALFOLIO}{ABOUT}{images}")
    for number in range(3):
        path = tmp_path / f"old/assets/img/{number}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode_image(draw_picture(1600, 1200 + number), "PNG"))
    assert run_in(tmp_path, "import", "old") == 0
    assert "checking the new site, which takes a while if it has many pictures" in capsys.readouterr().out
    assert [step for step in steps if step.startswith("making pictures")][:3] == [
        f"making pictures {number}/3" for number in range(3)
    ]


@pytest.mark.parametrize(("theme", "language"), [("classic", "de"), ("folio", "de"), ("plate", "fr")])
def test_i23_the_labels_of_the_filter_have_room(
    theme: str, language: str, chromium: Browser, server: Server, tmp_path: Path
) -> None:
    entries = "".join(
        f"@{kind}{{k{number}, title={{Title {number}}}, author={{Example, Ada}}, year={2010 + number}, journal={{J}}, school={{U}}, keywords={{looms, cards}}}}\n"
        for number, kind in enumerate(["article", "phdthesis", "thesis", "misc"] * 6)
    )
    write_files(
        tmp_path,
        f"-- site.yaml --\ntheme: {theme}\nlanguage: {language}\n-- content/profile.yaml --\nname: Ada Example\n-- bib/papers.bib --\n{entries}",
    )
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{server.add_site(f'filter-{theme}', build_site(tmp_path).artifacts)}publications/")
    labels = page.locator("#pub-filter .facet > span:first-child")
    assert labels.count() >= 2
    for label in labels.all():
        assert label.evaluate(
            "one => [one.scrollWidth <= one.clientWidth + 1, one.getClientRects().length]"
        ) == [True, 1]
        assert label.evaluate(
            "one => one.nextElementSibling.getBoundingClientRect().left - one.getBoundingClientRect().right >= 4"
        )
        line_height = label.evaluate(
            "one => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).fontSize)"
        )
        assert line_height < 2.4, "the label is in one line"
    page.close()
