"""`import` and `new` with an ORCID iD, with services on this machine."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Capture, Sources, read_folder, run_in
from golden import compare_with_file
from loopback import CSL, Reply, Services
from people import ADA, BEA, create_author, create_item, create_record, create_work, format_date, read_person

from tenure.fetch.client import Client
from tenure.fetch.import_orcid import import_orcid
from tenure.fetch.orcid import read_date
from tenure.model.links import parse_orcid
from tenure.progress import ignore_progress
from tenure.sources.reading.node import parse_json

Json = Any
TITLE = "A title that is long enough"


def convert_record(services: Services, record: Json, items: Json = None) -> tuple[str, str]:
    """Convert a record without writing or building a site; return its publications and its notes as text."""
    orcid = services.add_person(record, items or {})
    with Client(None, "") as client:
        result = import_orcid(orcid, client, ignore_progress)
    notes = [f"{place}: {text}" for place, text in result.notes]
    return str(result.files.get("bib/orcid.bib", "")), "\n".join(notes)


def import_record(services: Services, folder: Path, record: Json, items: Json = None) -> str:
    """Import a record into the folder "site"; return the text of its publications."""
    orcid = services.add_person(record, items or {})
    assert run_in(folder, "import", orcid, "--to", "site") == 0
    bib = folder / "site/bib/orcid.bib"
    return bib.read_text("utf-8") if bib.exists() else ""


@pytest.mark.parametrize("person", ["mathematician", "physician", "historian"])
def test_all_is_imported_twice_alike(
    services: Services, tmp_path: Path, request: pytest.FixtureRequest, person: str
) -> None:
    """The sources of the new site and the report are in the golden file."""
    record, items, works = read_person(person)
    orcid = services.add_person(record, items, works)
    assert run_in(tmp_path, "import", f"https://orcid.org/{orcid}", "--to", "first") == 0
    assert run_in(tmp_path, "new", "--orcid", orcid, "second") == 0
    files = read_folder(tmp_path / "first")
    assert files == read_folder(tmp_path / "second")
    sources = [name for name in sorted(files) if re.match(r"content/|bib/|site\.yaml|import-report", name)]
    text = "".join(f"-- {name} --\n{files[name].decode()}" for name in sources)
    golden = Path(__file__).parent / "people" / f"{person}.golden.txt"
    compare_with_file(golden, text, update=request.config.getoption("--update"))
    built = Sources(tmp_path / "first").build()
    assert [problem for problem in built.problems if "error" in problem] == []
    groups = record["activities-summary"]["works"]["group"]
    talks = sum(group["work-summary"][0]["type"] == "lecture-speech" for group in groups)
    assert len(built.site.publications) == len(groups) - talks
    place = -1 if person == "physician" else 0
    authors = [publication.authors.people for publication in built.site.publications]
    assert person == "historian" or all(people[place].me for people in authors)
    assert services.most == 1
    assert services.counts[f"/orcid/{orcid}/record"] == 2
    codes = ",".join(str(group["work-summary"][0]["put-code"]) for group in groups)
    assert person != "historian" or services.counts[f"/orcid/{orcid}/works/{codes}"] == 2


def test_the_preferred_version_and_identifiers_of_all_versions_are_used(services: Services) -> None:
    first = create_work(1, "A worse title", index="0", pmid="123")
    second = create_work(2, "The title", doi="10.5555/A", index="2")
    ids = [each for work in (first, second) for each in work["external-ids"]["external-id"]]
    summaries = [*first["work-summary"], *second["work-summary"]]
    group = {"external-ids": {"external-id": ids}, "work-summary": summaries}
    same = create_work(3, "The same again", doi="10.5555/a")
    bib, _ = convert_record(services, create_record(ADA, "Ada", "Example", group, same))
    assert bib.count("@article") == 1
    assert "title = {The title}" in bib
    assert "doi = {10.5555/A}" in bib
    assert "pmid = {123}" in bib


BODIES: list[Json] = [b"{", b"[" * 100_000, b"[]", {"title": None}, b'{"title": "\xff"}']
UNUSABLE_REPLIES = [
    *(Reply({"error": "x"}, 404), Reply({}, 410), Reply(b"<html>", media_type="text/html")),
    *(Reply(body, media_type=CSL) for body in BODIES),
    Reply(status=302, headers={"Location": "http://example.org/10.5555/a"}),
]


@pytest.mark.parametrize("reply", UNUSABLE_REPLIES)
def test_a_doi_without_usable_metadata_leaves_what_orcid_knows(services: Services, reply: Reply) -> None:
    services.replies["/doi/10.5555/a"] = reply
    work = create_work(1, TITLE, doi="10.5555/a", when="1999-04-01", venue="Journal of Examples")
    bib, notes = convert_record(services, create_record(ADA, "Ada", "Example", work))
    assert "doi = {10.5555/a}" in bib
    assert "year = {1999}" in bib
    assert "has only what ORCID knows" in notes
    assert "10.5555/a" in notes


def test_an_import_goes_on_once_a_service_is_up(services: Services, tmp_path: Path, capsys: Capture) -> None:
    record, items, _ = read_person("physician")
    orcid = services.add_person(record, items)
    for doi in items:
        services.replies[f"/doi/{doi}"] = Reply(b"", 503)
    assert run_in(tmp_path, "import", orcid) == 2
    assert "what was read is kept for the next call" in capsys.readouterr().err
    assert not {path.name for path in tmp_path.glob("site/*")} - {".cache"}
    services.add_person(record, items)
    assert run_in(tmp_path, "new", "--orcid", orcid, "site") == 0
    assert len(Sources(tmp_path / "site").build().site.publications) == 4


@pytest.mark.parametrize("status", [404, 429, 500])
def test_no_record_writes_nothing(services: Services, tmp_path: Path, capsys: Capture, status: int) -> None:
    services.replies[f"/orcid/{ADA}/record"] = Reply({}, status)
    assert run_in(tmp_path, "import", ADA) == 2
    assert str(status) in capsys.readouterr().err
    assert not {path.name for path in tmp_path.glob("site/*")} - {".cache"}


def test_a_deprecated_id_gives_the_record_of_its_replacement(services: Services) -> None:
    orcid = services.add_person(create_record(BEA, "Bea", "Healer"), {})
    moved = {"Location": f"/orcid/{orcid}/record"}
    services.replies[f"/orcid/{ADA}/record"] = Reply(status=301, headers=moved)
    with Client(None, "") as client:
        assert import_orcid(ADA, client, ignore_progress).profile["name"] == "Bea Healer"


def replace_texts(value: Json, text: str) -> Json:
    """Return a record or metadata in which every text with a space and every URL is another text."""
    if isinstance(value, dict):
        return {key: replace_texts(child, text) for key, child in value.items()}
    if isinstance(value, list):
        return [replace_texts(child, text) for child in value]
    is_text = isinstance(value, str) and (" " in value or value.startswith("http"))
    return text if is_text else value


def test_hostile_texts_stay_texts(services: Services, tmp_path: Path) -> None:
    hostile = "A \u202etitle\x00 </script><img src=x onerror=alert(1)> [x](javascript:alert(1)) } @string{a = {b}} %\r\n{{ 7*7 }}"
    record = replace_texts(read_person("mathematician")[0], hostile)
    record["person"]["researcher-urls"]["researcher-url"][0]["url"]["value"] = "javascript:alert(1)"
    doi = "10.5555/../../../etc/passwd"
    works = record["activities-summary"]["works"]["group"] = [
        create_work(1, hostile, kind="book", venue=hostile, isbn=hostile),
        create_work(2, hostile, doi=doi, when="9999-99-99"),
    ]
    works[0]["work-summary"][0]["path"] = "/../../../../tmp/x"
    more = {"container-title": hostile, "volume": hostile}
    item = create_item("10.5555/x", hostile, create_author(hostile, hostile), more=more)
    import_record(services, tmp_path, record, {doi: item})
    assert {path.parts[len(tmp_path.parts)] for path in tmp_path.rglob("*")} == {"site"}
    built = Sources(tmp_path / "site").build()
    assert not built.build.has_errors
    pages = " ".join(built.read_page(path) for path in built.paths if path.endswith(".html"))
    assert [text for text in ("<img src=x", 'href="javascript:', "\u202e") if text in pages] == []


UNUSABLE = """See https://[anonymized].org/
https://[x
https://
../../x
On $\\href{zotero://select/1}{x}$
A ![x](../x.png) and [y](/nope/)"""


@pytest.mark.parametrize("text", UNUSABLE.splitlines())
def test_a_record_with_unusable_urls_gives_a_site(services: Services, tmp_path: Path, text: str) -> None:
    """The texts of all fields of all services are replaced."""
    record, items, _ = read_person("mathematician")
    more = {"abstract": "An abstract", "note": "A note", "publisher": "A publisher"}
    works = {doi: replace_texts(item | more, text) for doi, item in items.items()}
    orcid = services.add_person(replace_texts(record, text), works)
    assert run_in(tmp_path, "new", "--orcid", orcid, "site") == 0
    built = Sources(tmp_path / "site").build()
    assert not built.build.has_errors
    assert len(built.site.publications) >= 1


def test_dates_keep_what_is_valid() -> None:
    lines = "2020-02-29 > 2020-02-29|2021-02-29 > 2021-02|2021-13 > 2021|21 > |2021-1-2 > 2021-01-02".split(
        "|"
    )
    dates = dict(line.split(" > ") for line in lines)
    data = {text: format_date(text) for text in dates}
    node = parse_json(json.dumps(data).encode(), "x")
    assert node is not None
    assert {text: read_date(node, text) for text in dates} == dates


def test_an_orcid_id_has_a_check_digit() -> None:
    urls = ["https://orcid.org/0000-0002-1694-233x", "https:/orcid.org/0000-0002-1825-0097/"]
    wrong = ["0000-0002-1825-0098", "0000-0002-1825"]
    assert list(map(parse_orcid, [ADA, *urls, *wrong])) == [ADA, "0000-0002-1694-233X", ADA, "", ""]


LONG = "1" * 4500


@pytest.mark.parametrize("date_parts", [["2024", LONG], [2024, int("1" * 4000)], [LONG, 5], [2024, 5, LONG]])
def test_a_number_of_thousands_of_digits_is_no_date(services: Services, date_parts: list[Json]) -> None:
    me = create_author("Ada M.", "Ångström-Wei", ADA)
    work = create_work(1, TITLE, doi="10.5555/a", when="2020")
    item = create_item("10.5555/a", TITLE, me, more={"issued": {"date-parts": [date_parts]}})
    bib, _ = convert_record(services, create_record(ADA, "Ada", "Example", work), {"10.5555/a": item})
    assert TITLE in bib
