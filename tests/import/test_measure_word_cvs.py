"""tools/measure_word_cvs.py counts what is whole, what is a list, and what is false, as the author of a CV says."""

from pathlib import Path

import measure_word_cvs
from conftest import Capture
from word_files import write_word_file

CV = """Title> Eva Roth
Heading 1> Education
PhD in Physics, University of Rome, Italy, 2019
MSc, University of Padua, 2015
2015⇥Lecturer, with a prize, University of Padua
Heading 1> Talks
Heading 2> Lectures
| **Year** | **Title** |
| 2019 | Lamps |
"""
TRUTH = """# Education
PhD in Physics, University of Rome, Italy, 2019
  organization: University of Rome
  role: PhD in Physics
  location: Italy
  date: 2019
MSc, University of Padua, 2015
  role: MSc
  organization: University of Padua
  date: 2016
2015 Lecturer, with a prize, University of Padua
  organization: University of Padua
  role: Lecturer
# Talks
# 2. Lectures
2019 Lamps
  date: 2019
# Papers
# Contact
"""


def test_what_is_divided_no_list_or_false_is_printed(tmp_path: Path, capsys: Capture) -> None:
    write_word_file(tmp_path / "eva.docx", CV)
    (tmp_path / "eva.txt").write_text(TRUTH, "utf-8")
    assert measure_word_cvs.main([str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "eva.docx: Eva Roth",
        "  divided: Year",
        "  no list: Papers",
        "  false date: 2015 | institution: University of Padua, degree: MSc, period: 2015",
        "",
        "1 CVs: 8 of 9 lines whole, 3 of 4 headings are lists, 1 false values",
    ]
