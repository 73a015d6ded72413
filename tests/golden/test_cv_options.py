"""The options in `cvs:`, and when a PDF is created."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Sources
from pdfs import links_of, pages_of, pdf_of, words_of, write_font

from tenure.exports.cv import typst

Make = Callable[[str], Sources]

CAREER = """\
-- content/profile.yaml --
name: Ada Example
pronouns: she/her
email: name@example.edu
-- content/education.yaml --
- {institution: University of Nowhere, degree: Ph.D., period: 2020 - 2024}
-- content/experience.yaml --
- {organization: First House, role: Intern, period: 2019, tags: [industry]}
- {organization: Second House, role: Tutor, period: 2020, tags: [minor]}
- {organization: Third House, role: Fellow, period: 2021}
-- content/awards.yaml --
- {title: Great Prize, date: 2024}
- {title: Small Prize, date: 2023, tags: [minor]}
-- bib/papers.bib --
@article{one, title = {First Paper}, author = {Example, Ada}, journal = {J}, year = {2024}, doi = {10.1000/1}, selected = {true}}
@article{two, title = {Second Paper}, author = {Other, Ben and Example, Ada}, journal = {J}, year = {2023}, code = {https://example.org/code}}
"""


def test_without_cvs_in_settings_the_pdf_is_like_the_cv_page(site: Make) -> None:
    built = site(CAREER).build(pdf=True)
    assert built.problems == []
    assert [path for path in built.paths if path.endswith(".pdf")] == ["cv.pdf"]
    text = words_of(pdf_of(built.build))
    assert text.startswith("Ada Example (she/her)")
    assert (
        text.index("Nowhere")
        < text.index("First House")
        < text.index("First Paper")
        < text.index("Great Prize")
    )
    assert '<a href="../cv.pdf" type="application/pdf">CV (PDF)</a>' in built.read_page("/cv/")


def test_several_cvs_have_their_own_sections(site: Make) -> None:
    built = site(
        f"""{CAREER}
-- site.yaml --
cvs:
  cv: {{title: Everything}}
  one-page resume:
    title: Résumé
    sections: [awards: {{title: Honours, limit: 1}}, publications: {{show: selected}}]
"""
    ).build(pdf=True)
    assert built.problems == []
    assert [path for path in built.paths if path.endswith(".pdf")] == ["cv.pdf", "one-page-resume.pdf"]
    text = words_of(pdf_of(built.build, "one-page-resume.pdf"))
    assert text.index("Honours") < text.index("First Paper")
    assert not {"Small", "Second", "Nowhere"} & set(text.split())
    assert "Everything (PDF) Résumé (PDF)" in built.read_words("/cv/")


def test_a_cv_includes_and_excludes_tags(site: Make) -> None:
    built = site(
        f"{CAREER}-- site.yaml --\ncvs: {{most: {{without: minor}}, work: {{tag: industry}}}}\n"
    ).build(pdf=True)
    assert built.problems == []
    most, work = (words_of(pdf_of(built.build, f"{name}.pdf")) for name in ("most", "work"))
    assert "Second House" not in most
    assert "Small Prize" not in most
    assert "First House" in most
    assert "First House" in work
    assert "Third House" not in work
    assert "Small Prize" in work, "a section without the tag is shown whole"


@pytest.mark.parametrize(("paper", "box"), [("letter", "[0 0 612 792]"), ("a4", "[0 0 595.")])
def test_the_paper_size_is_used(site: Make, paper: str, box: str) -> None:
    built = site(f"{CAREER}-- site.yaml --\ncvs: {{cv: {{paper: {paper}}}}}\n").build(pdf=True)
    assert f"/MediaBox{box}".replace(" ", "") in pdf_of(built.build).decode("latin-1").replace(" ", "")


def test_margins_and_font_size_are_used(site: Make) -> None:
    options = "cvs: {cv: {}, wide: {margins: [40, 60]}, large: {size: 14}}"
    built = site(f"{CAREER}-- site.yaml --\n{options}\n").build(pdf=True)
    assert built.problems == []
    bodies = {pdf_of(built.build, f"{name}.pdf") for name in ("cv", "wide", "large")}
    assert len(bodies) == 3


@pytest.mark.parametrize("theme", ["classic", "folio", "margin", "plain", "plate", "stage"])
def test_one_margin_for_all_sides_and_a_date_of_change(site: Make, theme: str) -> None:
    looks = ("compact",) if theme != "plain" else ("compact", "classic", "modern", "banking", "engineering")
    cvs = "".join(f"  {look}: {{margins: 20, look: {look}}}\n" for look in looks)
    settings = f"theme: {theme}\nupdated: 2024\ncvs:\n  cv: {{margins: 20}}\n{cvs}"
    built = site(f"{CAREER}-- site.yaml --\n{settings}").build(pdf=True)
    assert built.problems == []
    assert "2024" in words_of(pdf_of(built.build)).split()[-3:]


def test_a_cv_shrinks_to_its_pages(site: Make) -> None:
    points = ", ".join(f"Point number {n} of this long account" for n in range(46))
    sources = site(f"{CAREER}-- content/education.yaml --\n- {{institution: Nowhere, details: [{points}]}}\n")
    free = sources.edit_files("-- site.yaml --\ncvs: {cv: {}}\n").build(pdf=True)
    fitted = sources.edit_files("-- site.yaml --\ncvs: {cv: {pages: 1}}\n").build(pdf=True)
    assert pages_of(pdf_of(free.build)) == 2
    assert pages_of(pdf_of(fitted.build)) == 1
    assert fitted.problems == []


def test_titles_link_to_the_publication_and_rows_of_links_are_optional(site: Make) -> None:
    built = site(f"{CAREER}-- site.yaml --\ncvs: {{cv: {{}}, linked: {{links: true}}}}\n").build(pdf=True)
    plain, linked = (pdf_of(built.build, f"{name}.pdf") for name in ("cv", "linked"))
    assert links_of(plain) == [
        "mailto:name@example.edu",
        "https://doi.org/10.1000/1",
        "https://example.org/code",
    ]
    assert "Code" not in words_of(plain)
    assert "Code" in words_of(linked)


def test_links_to_the_site_need_its_url(site: Make) -> None:
    sources = site(
        "-- content/awards.yaml --\n- {title: 'A [prize](/talks/)'}\n-- content/talks.yaml --\n- event: E\n"
    )
    assert links_of(pdf_of(sources.build(pdf=True).build)) == []
    assert links_of(pdf_of(sources.build("https://example.edu/~ada/", pdf=True).build)) == [
        "https://example.edu/~ada/",
        "https://example.edu/~ada/talks/",
    ]


def test_the_sections_of_the_page_cv_are_those_of_the_pdf(site: Make) -> None:
    built = site(f"{CAREER}-- site.yaml --\npages: [home, publications, cv: {{sections: [awards]}}]\n").build(
        pdf=True
    )
    text = words_of(pdf_of(built.build))
    assert "Great Prize" in text
    assert "Nowhere" not in text


@pytest.mark.parametrize(
    "files",
    [
        "-- site.yaml --\npages: [home]\n",
        "-- content/cv.pdf --\nmine\n",
        "-- content/profile.yaml --\nname: Ada\ncv: https://example.org/cv.pdf\n",
    ],
    ids=["no page cv", "a PDF of one's own", "one elsewhere"],
)
def test_no_cv_is_built_without_being_requested(site: Make, files: str) -> None:
    built = site(f"{CAREER}{files}").build(pdf=True)
    assert [p for p in built.build.problems if p.level == "error"] == []
    assert b"%PDF" not in b"".join(a.read()[:4] for a in built.build.artifacts)


def test_texts_can_link_to_the_pdf_by_its_name(site: Make) -> None:
    built = site(f"{CAREER}-- content/about.md --\nMy [CV](cv.pdf).\n").build(pdf=True)
    assert built.problems == []
    assert 'href="cv.pdf"' in built.read_page("/")


def test_without_typst_the_site_is_built_and_says_so(site: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    from tenure import build

    monkeypatch.setattr(build, "is_typst_installed", lambda: False)
    messages: list[str] = []
    sources = site(CAREER)
    built = build.build_site(sources.root, log=messages.append)
    assert built.problems == ()
    assert not [a for a in built.artifacts if a.path.endswith(".pdf")]
    assert [line for line in messages if "pip install" in line and "PDF" in line]
    page = next(a.read().decode() for a in built.artifacts if a.path == "cv/index.html")
    assert ".pdf" not in page


def test_an_unchanged_pdf_is_not_compiled_again(
    site: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sources = site(CAREER)
    first = pdf_of(sources.build_cached(pdf=True).build)
    log = tmp_path / "compiled.txt"  # a file, because another process compiles
    log.write_text("")
    fitted = typst.TypstCompiler.compile_to_fit

    def compile_and_log(press: typst.TypstCompiler, main: str, *arguments: Any) -> Any:
        with log.open("a") as file:
            file.write(f"{main}\n")
        return fitted(press, main, *arguments)

    monkeypatch.setattr(typst.TypstCompiler, "compile_to_fit", compile_and_log)
    assert pdf_of(sources.build_cached(pdf=True).build) == first
    assert log.read_text() == ""
    sources.edit_files("-- content/awards.yaml --\n- {title: Greater Prize}\n")
    assert "Greater Prize" in words_of(pdf_of(sources.build_cached(pdf=True).build))
    assert log.read_text() == "cv.typ\n"
    sources.edit_files(
        '-- themes/classic/cv.typ --\n#import "/cv-parts.typ": *\n#show: document\n= #cv.person.name of another look\n'
    )
    assert "of another look" in words_of(pdf_of(sources.build_cached(pdf=True).build))


def test_warnings_of_a_cached_pdf_are_reported_again(site: Make) -> None:
    sources = site("-- content/awards.yaml --\n- title: Prize \U0010fff0\n")
    assert sources.build(pdf=True).codes == sources.build(pdf=True).codes == ["cv-letters"]


def test_typst_is_imported_only_if_a_pdf_is_compiled(tmp_path: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from tenure.build import build_site\n"
        "os.sched_setaffinity(0, {0})  # nothing is made by another process\n"
        "build_site(Path(sys.argv[1])); print('typst' in sys.modules)"
    )
    site = tmp_path / "site"
    shutil.copytree(ROOT / "examples/undergraduate", site, ignore=shutil.ignore_patterns("output", ".cache"))

    def is_typst_loaded() -> Iterator[str]:
        for _ in range(2):
            result = subprocess.run(
                [sys.executable, "-c", script, str(site)],
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=True,
            )
            yield result.stdout.strip()

    assert [*is_typst_loaded()] == ["True", "False"]


def test_a_theme_of_the_site_can_contain_a_font(site: Make) -> None:
    sources = site('-- content/awards.yaml --\n- "獎 of 潘瑞"\n-- content/profile.yaml --\nname: 陳志\n')
    write_font(sources.root / "themes/classic/fonts/letters.ttf", "獎潘瑞陳志")
    built = sources.build(pdf=True)
    assert built.problems == []
    text = words_of(pdf_of(built.build))
    assert "陳志" in text
    assert "獎 of 潘瑞" in text


def test_a_chapter_has_its_editors_and_its_place_in_every_form(site: Make) -> None:
    result = site(
        "-- bib/papers.bib --\n@incollection{a, title={Part}, author={Example, Ada}, booktitle={Whole}, editor={Roe, Rita and Poe, Paul},\n"
        "  publisher={MIT Press}, address={Cambridge, MA}, pages={10--20}, year={2020}}\n"
    ).build(pdf=True)
    line = "Whole, edited by Rita Roe, Paul Poe, pp. 10–20, MIT Press, Cambridge, MA, 2020"
    assert line in result.read_words("/cv/")
    assert line in words_of(pdf_of(result.build))
    for path in ("cv.md", "cv.txt"):
        text = next(file.read().decode() for file in result.build.artifacts if file.path == path)
        assert line in text.replace("*", "")


def test_an_own_list_has_the_title_of_its_page(site: Make) -> None:
    result = site(
        "-- site.yaml --\npages: [/, theses: {title: Promotionen}, cv]\n-- content/theses.yaml --\n- On rings\n"
    ).build(pdf=True)
    assert "Promotionen On rings" in result.read_words("/cv/")
    assert "Promotionen On rings" in " ".join(words_of(pdf_of(result.build)).split())
