"""What a DOI, an arXiv number, a type of publication or an image is, is said in one module; two would disagree."""

import re

import pytest
from conftest import ROOT

PROGRAM = [
    *("tenure/**/*.py", "tenure_import/**/*.py", "browser/engine/*.py"),
    *("browser/page/*.js", "tenure/**/*.js", "themes/**/*.js", "themes/**/*.html"),
]
ANSWERS = {
    "the pattern of a DOI": (r"10\\\.\\d", ["tenure/model/identifiers.py"]),
    "the pattern of an arXiv number": (
        r"\\d\{+4\}+\\\.\\d\{+4|/\\d\{+7\}",
        ["tenure/model/identifiers.py"],
    ),
    "a list of types": (
        r"\bincollection\b",
        [
            "tenure/model/publications.py",
            "tenure/sources/bibtex/csl.py",  # the types of Zotero, Crossref and ORCID
            "tenure_import/publications.py",  # the types of Hugo and Jekyll
        ],
    ),
    "a list of images": (
        r"\.(?:\(.*)?webp\b",
        [
            "tenure/model/files.py",
            "tenure/images/library.py",  # the format that it writes
            "tenure/server/client/pictures.js",  # what the browser draws again before it is a file of the site
        ],
    ),
}
"""What the program's text is searched for, and the modules that may have it."""


@pytest.mark.parametrize("question", ANSWERS)
def test_a_question_has_one_answer(question: str) -> None:
    pattern, modules = ANSWERS[question]
    found: dict[str, list[str]] = {}
    for path in sorted({path for files in PROGRAM for path in ROOT.glob(files)}):
        name = path.relative_to(ROOT).as_posix()
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
            if re.search(pattern, line):
                found.setdefault(name, []).append(f"{name}:{number}: {line.strip()}")
    others = [line for name, lines in found.items() if name not in modules for line in lines]
    assert others == [], "\n".join(others)
    assert set(found) == set(modules)
