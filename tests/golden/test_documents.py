"""The CV as plain text has every fact; the reports have the right entries; `export` writes them."""

import csv
import io
import re

import pytest
from conftest import ROOT, Capture, Make, Patch, read_site, run_in
from matrix import build_sample_site

from tenure.cli.app import main
from tenure.cli.arguments import UsageError
from tenure.cli.export import parse_since
from tenure.markdown.html import plain_text

FACTS = ROOT / "tests" / "golden" / "facts"
CVS = [path.stem for path in sorted(FACTS.glob("*.txt")) if path.stem.startswith("systems-phd")]


def normalize_text(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def run_export(capsys: Capture, *arguments: str) -> str:
    assert main(["export", *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", ["turing", *CVS])
def test_every_entry_of_the_cv_is_in_the_text(name: str) -> None:
    built = build_sample_site("", name)
    assert built.site is not None
    exported_text = normalize_text(next(a.read().decode() for a in built.artifacts if a.path == "cv.txt"))
    kinds = ("education", "experience", "awards", "service", "talks", "teaching", "publications")
    entries = [e for c in built.site.collections.values() if c.kind in kinds for e in c.entries]
    missing = [e.name for e in entries if normalize_text(plain_text(e.name)) not in exported_text]
    assert len(entries) > 8
    assert missing == []
    details = [normalize_text(plain_text(point.text)) for entry in entries for point in entry.details]
    assert [detail for detail in details if detail not in exported_text] == []


def test_plain_text_has_urls_and_no_markup() -> None:
    built = build_sample_site("", "systems-phd-2026")
    text = next(a.read().decode() for a in built.artifacts if a.path == "cv.txt")
    assert "Google Scholar (https://scholar.google.com/)" in text
    assert not re.search(r"\*\*|\]\(|\\|^#", text, re.MULTILINE)
    assert "[5] Fail Fast, Win Big" in text or "[9] Rui Pan, Zhuofu Chen" in text


PAPERS = read_site("coauthors")


def test_coauthors_are_a_table(site: Make, capsys: Capture) -> None:
    root = str(site(PAPERS).root)
    assert main(["export", "coauthors", "--since", "2024-01", "--site", root]) == 0
    output = capsys.readouterr()
    assert output.err == "incomplete: 1 publication ends in “and others”\n"
    assert output.out.startswith("\ufeff")
    rows = [*csv.reader(io.StringIO(output.out.removeprefix("\ufeff")))]
    assert rows == [
        ["Relation", "Name", "Organizational Affiliation", "Optional (email, Department)", "Last Active",
         "Last joint work"],
        ["A", "Berg, Johanna", "'+House", "", "03/2024", "'=New"],
        ["A", "Li, Kai", "", "", "2025", "Newer"],
        ["A", "Soon, Eve", "", "", "", "Next"],
    ]  # fmt: skip


SERVICE = read_site("service")


def test_a_report_of_a_year_has_its_entries(site: Make, capsys: Capture) -> None:
    root = str(site(SERVICE).root)
    now, then = (run_export(capsys, "year", year, "--site", root) for year in ("2026", "2019"))
    assert re.findall(r"^[A-Z]+$", now, re.MULTILINE) == ["PUBLICATIONS", "TALKS", "AWARDS", "SERVICE"]
    for text in ("Paper of now", "Now (Dec 2026)", "Prize (2026)", "MLSys 2026", "Editor"):
        assert text in now
    for text in ("Paper of then", "Then", "Old prize", "OSDI", "Chair", "Volunteer"):
        assert text not in now
        assert text in then or text == "Volunteer"


@pytest.mark.parametrize(
    ("since", "date"),
    [("48mo", "2022-05-06"), ("4y", "2022-05-06"), ("2 months", "2026-03-06"), ("2022-01", "2022-01")],
)
def test_since_counts_back_from_today(since: str, date: str, monkeypatch: Patch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1778025600")  # 6 May 2026
    assert parse_since(since).iso == date


def test_since_respects_short_months(monkeypatch: Patch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1774915200")  # 31 March 2026
    assert parse_since("1mo").iso == "2026-02-28"


@pytest.mark.parametrize("since", ["soon", "9999y", "20xx"])
def test_an_invalid_since_is_reported(since: str) -> None:
    with pytest.raises(UsageError):
        parse_since(since)


@pytest.mark.parametrize(
    ("call", "reported"),
    [
        ("year", "tenure: which year? write: export year 2025"),
        ("coauthors --since ever", "tenure: --since ever is neither a length of time nor a date"),
        ("coauthors --output /proc/x/y", "tenure: cannot read or write "),
        ("coauthors 2025", 'tenure: export coauthors does not take "2025", which is for year and letter'),
        (
            "coauthors --cv short",
            "tenure: export coauthors does not take --cv, which is for pdf, docx, latex and year",
        ),
        ("pdf --since 4y", "tenure: export pdf does not take --since"),
        ("coauthors --output content/service.yaml", "tenure: content/service.yaml is a source of the site"),
    ],
)
def test_a_wrong_call_is_reported(call: str, reported: str, site: Make, capsys: Capture) -> None:
    root = site(SERVICE).root
    before = (root / "content/service.yaml").read_bytes()
    assert run_in(root, "export", *call.split()) == 2
    assert capsys.readouterr().err.startswith(reported)
    assert (root / "content/service.yaml").read_bytes() == before


def test_errors_export_nothing(site: Make, capsys: Capture) -> None:
    root = site("-- content/talks.yaml --\n- tilte: A talk\n").root
    assert run_in(root, "export", "coauthors", "--output", "coauthors.csv") == 1
    assert 'did you mean "title"?' in capsys.readouterr().err
    assert not (root / "coauthors.csv").exists()
