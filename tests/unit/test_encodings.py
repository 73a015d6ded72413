"""The encoding in which a .bib file is read."""

from pathlib import Path

import pytest

from tenure.problems import Problems
from tenure.sources.files import read_source_text

ENTRY = "@misc{k, title = {Über Größe}}\n"
JAPANESE = "@misc{k, title = {日本}}\n"


@pytest.mark.parametrize(
    ("data", "expected", "codes"),
    [
        (ENTRY.encode(), "Über Größe", []),
        (ENTRY.encode("utf-8-sig"), "Über Größe", []),
        (ENTRY.encode("utf-16"), "Über Größe", []),
        (b"% Encoding: ISO8859_1\n" + ENTRY.encode("latin-1"), "Über Größe", []),
        (b"% -*- coding: mac-roman -*-\n" + ENTRY.encode("mac-roman"), "Über Größe", []),
        (b"% Encoding: Cp1252\n" + ENTRY.encode(), "Über Größe", []),
        (ENTRY.encode("cp1252"), "Über Größe", ["bib-encoding"]),
        (b"% Encoding: UTF-8\n" + ENTRY.encode("cp1252"), "Über Größe", ["bib-encoding"]),
        (b"% Encoding: klingon\n" + ENTRY.encode("cp1252"), "Über Größe", ["bib-encoding"]),
        (JAPANESE.encode("iso2022_jp"), "日本", []),
        (ENTRY.replace("\n", "\r\n").encode(), "Über Größe", []),
    ],
)
def test_encoding_is_detected_by_mark_declaration_utf8_and_windows(
    tmp_path: Path, data: bytes, expected: str, codes: list[str]
) -> None:
    file = tmp_path / "a.bib"
    file.write_bytes(data)
    problems = Problems()
    text = read_source_text(file, "bib/a.bib", problems)
    assert text is not None
    assert expected in text
    assert "\r" not in text
    assert [problem.code for problem in problems.sorted_problems()] == codes
