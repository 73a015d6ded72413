"""`export pdf`: one CV without the site."""

import io
import re
import sys
from pathlib import Path

import pytest
from conftest import ROOT, Capture, Make, Patch, read_site
from pdfs import words_of

from tenure.cli.app import main
from tenure.exports.cv import typst

CV = "-- themes/classic/cv.typ --\n"
SITE = """\
-- content/awards.yaml --
- Great Prize
-- content/talks.yaml --
- event: Seminar
-- site.yaml --
cvs: {cv: {}, resume: {pages: 1, sections: [awards]}}
"""


@pytest.mark.parametrize(("name", "talks"), [("", True), ("cv", True), ("resume", False)])
def test_a_cv_is_exported_to_file(
    site: Make, tmp_path: Path, capsys: Capture, name: str, talks: bool
) -> None:
    sources = site(SITE)
    target = tmp_path / "made/one.pdf"
    expected = ["--cv", name] if name else []
    assert main(["export", "pdf", *expected, "--output", str(target)], folder=sources.root) == 0
    text = words_of(target.read_bytes())
    assert "Great Prize" in text
    assert ("Seminar" in text) is talks
    assert "wrote" in capsys.readouterr().err
    built = sources.build(pdf=True).files
    assert target.read_bytes() == built[f"{name or 'cv'}.pdf"]


def test_a_cv_is_exported_to_standard_output(site: Make, monkeypatch: Patch) -> None:
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", out)
    assert main(["export", "pdf"], folder=site(SITE).root) == 0
    assert "Great Prize" in words_of(out.buffer.getvalue())


def test_missing_typst_is_reported(site: Make, capsys: Capture, monkeypatch: Patch) -> None:
    monkeypatch.setattr(typst, "is_typst_installed", lambda: False)
    assert main(["export", "pdf", "--output", "x.pdf"], folder=site(SITE).root) == 2
    reason = 'Typst is not installed (pip install "typst>=0.15,<0.16")'
    assert capsys.readouterr().err == f"tenure: no PDF can be made: {reason}\n"
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert main(["export", "pdf", "--output", "x.pdf"], folder=site(SITE).root) == 2
    assert capsys.readouterr().err.endswith("has no package for this machine (riscv64)\n")


def test_the_machines_with_typst_are_those_of_the_package() -> None:
    pyproject = (ROOT / "pyproject.toml").read_text("utf-8")
    assert sorted(re.findall("platform_machine == '(.+?)'", pyproject)) == sorted(typst.TYPST_MACHINES)


YEAR = read_site("year")


@pytest.mark.parametrize("cv", ["cv", "small"])
@pytest.mark.parametrize("theme", ["base", "classic"])
def test_a_yearly_report_is_exported_as_pdf(site: Make, tmp_path: Path, theme: str, cv: str) -> None:
    root, target = site(f"{YEAR}theme: {theme}\n").root, tmp_path / "2026.pdf"
    assert main(["export", "year", "2026", "--cv", cv, "--output", str(target)], folder=root) == 0
    text = words_of(target.read_bytes())
    assert text.split().index("2026") < 4
    for there in ("Paper of now", "Now", "Ulm", "Prize", "MLSys 2026", "Paper of then"):
        assert there in text
    for gone in ("Bonn", "Old prize", "OSDI"):
        assert gone not in text


@pytest.mark.parametrize(
    ("files", "call", "status", "reported"),
    [
        (SITE, "pdf --cv short", 2, 'tenure: there is no CV called "short"; there are cv, resume\n'),
        ("-- content/about.md --\nHello.\n", "pdf", 2, "it needs a page cv"),
        (YEAR, "year 1900", 2, "tenure: no entry has a date in 1900\n"),
        (YEAR, "coauthors", 2, "tenure: coauthors cannot be written as a PDF; only pdf, year and letter\n"),
        (f"{SITE}{CV}#nothing\n", "pdf", 1, "/themes/classic/cv.typ:1:2: error: unknown variable: nothing"),
    ],
)
def test_what_cannot_be_exported_is_reported(
    site: Make, capsys: Capture, files: str, call: str, status: int, reported: str
) -> None:
    root = site(files).root
    assert main(["export", *call.split(), "--output", str(root / "x.PDF")], folder=root) == status
    assert reported in capsys.readouterr().err
    assert not (root / "x.PDF").exists()
