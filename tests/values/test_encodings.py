"""The encoding in which a .bib file is read."""

from pathlib import Path

import pytest

from tenure.problems import Problems
from tenure.sources.files import read_source_text

ENTRY = "@misc{k, title = {Über Größe}}\n"


@pytest.mark.parametrize(
    ("data", "is_read", "codes"),
    [
        (ENTRY.encode(), True, []),
        (ENTRY.encode("utf-8-sig"), True, []),
        (ENTRY.replace("\n", "\r\n").encode(), True, []),
        (b"% Encoding: Cp1252\n" + ENTRY.encode(), True, []),
        (b"% Encoding: ISO8859_1\n" + ENTRY.encode("latin-1"), True, ["bib-syntax"]),
        (ENTRY.encode("cp1252"), True, ["bib-syntax"]),
        (ENTRY.encode("utf-16"), False, ["encoding"]),
        ("@misc{k, title = {日本}}\n".encode("iso2022_jp"), False, ["encoding"]),
    ],
)
def test_a_file_is_utf8_or_windows_1252(tmp_path: Path, data: bytes, is_read: bool, codes: list[str]) -> None:
    file = tmp_path / "a.bib"
    file.write_bytes(data)
    problems = Problems()
    text = read_source_text(file, "bib/a.bib", problems)
    assert ("Über Größe" in text and "\r" not in text) if text is not None else not is_read
    assert [problem.code for problem in problems.sorted_problems()] == codes
