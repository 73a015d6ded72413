"""The options in `cvs:`, and when a PDF is created."""

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Make, Patch, read_site, run_process
from pdfs import pages_of, pdf_of, words_of, write_font

from tenure.exports.cv import typst

CAREER = read_site("career")


@pytest.mark.parametrize(("paper", "box"), [("letter", "[0 0 612 792]"), ("a4", "[0 0 595.")])
def test_the_paper_size_is_used(site: Make, paper: str, box: str) -> None:
    built = site(f"{CAREER}-- site.yaml --\ncvs: {{cv: {{paper: {paper}}}}}\n").build(pdf=True)
    assert f"/MediaBox{box}".replace(" ", "") in pdf_of(built.build).decode("latin-1").replace(" ", "")


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


def test_without_typst_the_site_is_built_and_says_so(site: Make, monkeypatch: Patch) -> None:
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


def test_an_unchanged_pdf_is_not_compiled_again(site: Make, monkeypatch: Patch, tmp_path: Path) -> None:
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
    template = '#import "/cv-parts.typ": *\n#show: document\n= #cv.person.name of another look\n'
    sources.edit_files(f"-- themes/classic/cv.typ --\n{template}")
    assert "of another look" in words_of(pdf_of(sources.build_cached(pdf=True).build))


def test_warnings_of_a_cached_pdf_are_reported_again(site: Make) -> None:
    sources = site("-- content/awards.yaml --\n- title: Prize \U0010fff0\n")
    assert sources.build(pdf=True).codes == sources.build(pdf=True).codes == ["cv-letters"]


def test_a_name_in_two_scripts_has_the_one_that_the_theme_can_write(site: Make) -> None:
    """One warning says it; every other text keeps its letters."""
    sources = site(
        "-- content/profile.yaml --\nname: Xin Example (\U0010fff0\U0010fff1)\n"
        "-- site.yaml --\ncvs: {cv: {}, short: {}}\n"
    )
    built = sources.build(pdf=True)
    assert built.codes == ["cv-letters"]
    assert "Xin Example" in words_of(pdf_of(built.build))
    assert "\U0010fff0" not in words_of(pdf_of(built.build))


def test_typst_is_imported_only_if_a_pdf_is_compiled(tmp_path: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from tenure.build import build_site\n"
        "os.sched_setaffinity(0, {0})  # nothing is made by another process\n"
        "build_site(Path(sys.argv[1])); print('typst' in sys.modules)"
    )
    site = tmp_path / "site"
    shutil.copytree(ROOT / "examples/undergraduate", site, ignore=shutil.ignore_patterns("output", ".cache"))

    loaded = [run_process(sys.executable, "-c", script, site).stdout.strip() for _ in range(2)]
    assert loaded == ["True", "False"]


def test_a_theme_of_the_site_can_contain_a_font(site: Make) -> None:
    sources = site('-- content/awards.yaml --\n- "獎 of 潘瑞"\n-- content/profile.yaml --\nname: 陳志\n')
    write_font(sources.root / "themes/classic/fonts/letters.ttf", "獎潘瑞陳志")
    built = sources.build(pdf=True)
    assert built.problems == []
    text = words_of(pdf_of(built.build))
    assert "陳志" in text
    assert "獎 of 潘瑞" in text
