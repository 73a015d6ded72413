"""`check --against FILE` with files of Word and PDF; documents.txt has those of text."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Capture, Make, read_site, run_in

SITE, _, DOCUMENT = read_site("against").partition("~~~~\n")


def write_word_file(path: Path, text: str) -> None:
    """Write a Word file with a paragraph for each line; each word is a run of its own, as Word often saves it."""
    runs = "".join(
        f"<w:p>{''.join(f'<w:r><w:t>{word[:3]}</w:t></w:r><w:r><w:t>{word[3:]} </w:t></w:r>' for word in line.split())}</w:p>"
        for line in text.splitlines()
    )
    namespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "word/document.xml", f'<w:document xmlns:w="{namespace}"><w:body>{runs}</w:body></w:document>'
        )


def write_pdf(path: Path, text: str) -> None:
    import typst

    source = path.with_suffix(".typ")
    source.write_text("\\ ".join(f'#"{line}"\n' for line in text.splitlines()), "utf-8")
    typst.compile(source, output=path)


@pytest.mark.parametrize(("name", "write"), [("cv.docx", write_word_file), ("cv.pdf", write_pdf)])
def test_what_only_the_document_says_is_listed(
    site: Make, capsys: Capture, name: str, write: Callable[[Path, str], None]
) -> None:
    root = site(SITE).root
    write(root / name, DOCUMENT)
    assert run_in(root, "check", "--against", name) == 0
    lines = capsys.readouterr().out.splitlines()
    start = lines.index(f"{name}: the site does not have")
    assert lines[start + 1 :] == [
        f"  {name}:3: GPA, 3.95/4.00 | GPA: 3.95/4.00",
        f"cv.txt: {name} does not have",
        "  cv.txt:3: EDUCATION | EDUCATION",
    ]
