"""`export pdf`: one CV without the site."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Sources
from pdfs import words_of

from tenure.cli import main
from tenure.outlets import printed

Make = Callable[[str], Sources]
SITE = """\
-- content/awards.yaml --
- Great Prize
-- content/talks.yaml --
- event: Seminar
-- site.yaml --
cvs: {cv: {}, resume: {pages: 1, sections: [awards]}}
"""


@pytest.mark.parametrize(("name", "talks"), [("", True), ("cv", True), ("resume", False)])
def test_one_cv_to_a_file(
    site: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, talks: bool
) -> None:
    sources = site(SITE)
    target = tmp_path / "made/one.pdf"
    wanted = ["--cv", name] if name else []
    assert main(["export", "pdf", *wanted, "--output", str(target)], folder=sources.root) == 0
    words = words_of(target.read_bytes())
    assert "Great Prize" in words
    assert ("Seminar" in words) is talks
    assert "wrote" in capsys.readouterr().err
    built = {a.path: a.read() for a in sources.build().build.artifacts}
    assert target.read_bytes() == built[f"{name or 'cv'}.pdf"]


def test_to_the_standard_output(site: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", out)
    assert main(["export", "pdf"], folder=site(SITE).root) == 0
    assert "Great Prize" in words_of(out.buffer.getvalue())


def told(site: Make, files: str, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    status = main(["export", "pdf", "--output", "x.pdf", *words], folder=site(files).root)
    return status, capsys.readouterr().err


def test_a_name_that_there_is_not(site: Make, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(site, SITE, capsys, "--cv", "short") == (
        2,
        'tenure: there is no CV called "short"; there are cv, resume\n',
    )


def test_a_site_without_a_cv(site: Make, capsys: pytest.CaptureFixture[str]) -> None:
    status, said = told(site, "-- content/about.md --\nHello.\n", capsys)
    assert (status, "it needs a page cv" in said) == (2, True)


def test_a_mistake_in_the_look(site: Make, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, said = told(site, f"{SITE}-- themes/classic/cv.typ --\n#nothing\n", capsys)
    assert status == 1
    assert said.startswith(f"{tmp_path}/themes/classic/cv.typ:1:2: error: unknown variable: nothing")


def test_without_typst(
    site: Make, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printed, "printable", lambda: False)
    assert told(site, SITE, capsys) == (2, 'tenure: a PDF needs Typst: pip install "tenure[pdf]"\n')
