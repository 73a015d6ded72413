"""Word and LaTeX of a CV in programs of others: python-docx, LibreOffice, pdfLaTeX and XeLaTeX."""

import io
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from conftest import run_process
from matrix import find_sample_site
from office import words_of_word
from pdfs import pages_of, words_of

from tenure.build import build_site
from tenure.cache.store import CacheStore
from tenure.exports.cv.files import make_cv_files
from tenure.plan.language_versions import CvDocuments
from tenure.problems import Problems
from tenure.publish import Artifact
from tenure.record import replace

SEEDS = ("systems-phd-2026", "systems-phd-2024", "masters", "undergraduate", "projects-page")
SITES = (*SEEDS, "noether", "historian", "roboticist", "hua", "ibn-al-haytham")
STYLES = {"Title", "CV Contacts", "Heading 1"}

pytestmark = pytest.mark.scheduled


def write_all_formats(
    documents: CvDocuments, store: CacheStore, problems: Problems, files: Sequence[Artifact]
) -> Iterator[Artifact]:
    cvs = [replace(cv, formats=("pdf", "docx", "latex")) for cv in documents.cvs]
    return make_cv_files(documents.site, cvs, store, problems, files=files)


@pytest.fixture(scope="module", params=SITES)
def cv_files(request: pytest.FixtureRequest) -> Mapping[str, bytes]:
    """Return the files of the first CV of a site by their endings: "pdf", "docx", "tex"."""
    built = build_site(find_sample_site(request.param), store=CacheStore(), make_cvs=write_all_formats)
    files = {artifact.path: artifact for artifact in built.artifacts}
    stem = next(path for path in files if re.fullmatch(r"[\w-]+\.docx", path)).removesuffix(".docx")
    return {ending: files[f"{stem}.{ending}"].read() for ending in ("pdf", "docx", "tex")}


def list_missing_words(files: Mapping[str, bytes], text: str) -> list[str]:
    """Return the words of the PDF that are not in a text; a program may read "1 st" for "1st"."""
    letters = re.sub(r"[\W_]+", "", fold(text))
    return [word for word in re.findall(r"[^\W_]+", fold(words_of(files["pdf"]))) if word not in letters]


def fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def is_latin(files: Mapping[str, bytes]) -> bool:
    """Whether the text is in Latin letters; those of others are joined to words by each program as it likes."""
    return not re.search("[\u0600-\u06ff\u4e00-\u9fff]", words_of_word(files["docx"]))


def test_python_docx_reads_every_word_in_named_styles(cv_files: Mapping[str, bytes]) -> None:
    from docx import Document

    document = Document(io.BytesIO(cv_files["docx"]))
    styles = {str(paragraph.style.name) for paragraph in document.paragraphs if paragraph.style}
    assert styles >= STYLES
    assert all(name.startswith(("CV ", "Heading ", "List ", "Title", "Quote")) for name in styles)
    assert " – " in document.core_properties.title
    assert document.core_properties.language
    if is_latin(cv_files):
        assert list_missing_words(cv_files, words_of_word(cv_files["docx"])) == []


def test_libreoffice_needs_at_most_one_page_more(
    cv_files: Mapping[str, bytes], tmp_path: Path, libreoffice: str
) -> None:
    (tmp_path / "cv.docx").write_bytes(cv_files["docx"])
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    call = ("--headless", "--convert-to", "pdf", "--outdir", tmp_path, tmp_path / "cv.docx")
    assert run_process(libreoffice, profile, *call, folder=tmp_path).returncode == 0
    drawn = (tmp_path / "cv.pdf").read_bytes()
    assert pages_of(drawn) <= pages_of(cv_files["pdf"]) + 1
    if is_latin(cv_files):
        assert list_missing_words(cv_files, words_of(drawn)) == []


def test_latex_compiles_and_shows_every_word(
    cv_files: Mapping[str, bytes], tmp_path: Path, latex: str
) -> None:
    source = cv_files["tex"].decode()
    if "DeclareUnicodeCharacter" in source:
        pytest.skip("LaTeX is not for lines from right to left")
    (tmp_path / "cv.tex").write_text(source, "utf-8")
    programs: list[str | Path] = (
        [latex]
        if source.startswith("% !TeX program = xelatex")
        else [latex, Path(latex).with_name("pdflatex")]
    )
    for program in programs:
        result = run_process(program, "-interaction=batchmode", "-halt-on-error", "cv.tex", folder=tmp_path)
        log = (tmp_path / "cv.log").read_text("utf-8", "replace")
        assert result.returncode == 0, log[-2000:]
        assert "Missing character" not in log
        drawn = (tmp_path / "cv.pdf").read_bytes()
        assert pages_of(drawn) <= pages_of(cv_files["pdf"]) + 1
        if is_latin(cv_files):
            assert list_missing_words(cv_files, words_of(drawn)) == []
