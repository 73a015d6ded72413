"""`check --against FILE` with files of Word and PDF; documents.txt has those of text."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Capture, Make, read_site, run_in
from word_files import write_word_file

SITE, _, DOCUMENT = read_site("against").partition("~~~~\n")


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


def nest_tables(depth: int) -> str:
    return "<tbl><tr><tc>" * depth + "<p><r><t>Text</t></r></p>" + "</tc></tr></tbl>" * depth


OLD_WORD_FILE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"PK no archive", "it is damaged; open it in Word or LibreOffice, and save it again as .docx"),
        (OLD_WORD_FILE, "it is a file of Word 97 to 2003; save it as .docx"),
        (OLD_WORD_FILE + "EncryptedPackage".encode("utf-16-le"), "it has a password; save it without one"),
        ("<document><body><p>", "it is damaged; open it in Word or LibreOffice, and save it again as .docx"),
        (f"<document>{' ' * 20_000_000}</document>", "it has more than 20 MB of text; divide it"),
        (nest_tables(40), "its tables or boxes stand too deep in one another; move them out"),
        (nest_tables(40_000), "its tables or boxes stand too deep in one another; move them out"),
    ],
)
def test_a_word_file_that_cannot_be_read_has_one_error(
    site: Make, capsys: Capture, content: str | bytes, reason: str
) -> None:
    root = site(SITE).root
    if isinstance(content, bytes):
        (root / "cv.docx").write_bytes(content)
    else:
        with zipfile.ZipFile(root / "cv.docx", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("word/document.xml", content)
    assert run_in(root, "check", "--against", "cv.docx") == 2
    assert capsys.readouterr().err == f"tenure: cannot read the text of cv.docx: {reason}\n"
