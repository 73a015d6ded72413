"""No text of a source becomes markup, a field, an entry or a formula of an output: an independent parser reads each output."""

import csv
import io
import json
import re
import socket
from pathlib import Path
from xml.etree import ElementTree as ET

import feedparser
import html5lib
import icalendar
import pypdf
import pytest
import rispy
import vobject
from bibtexparser.entrypoint import parse_string
from conftest import Make, Patch, read_artifacts, write_files
from hostile_site import build_hostile_site, find_injected_markup
from matrix import THEMES_WITH_TEMPLATES

from tenure.build import build_site
from tenure.exports.reports import make_coauthor_table
from tenure.model.site import Site


def build_hostile_model() -> Site:
    built_site = build_hostile_site("plain").site
    assert built_site is not None
    return built_site


def read_artifact(path: str) -> bytes:
    return read_artifacts(build_hostile_site("plain"))[path]


@pytest.mark.parametrize("theme", THEMES_WITH_TEMPLATES)
def test_s04_no_text_becomes_an_element_or_attribute_of_html(theme: str) -> None:
    for path, body in read_artifacts(build_hostile_site(theme)).items():
        if path.endswith(".html"):
            document = html5lib.parse(body.decode(), namespaceHTMLElements=False)
            assert [*find_injected_markup(document)] == [], path


def test_s04_no_text_ends_the_json_ld_of_a_page() -> None:
    for artifact in build_hostile_site("plain").artifacts:
        if artifact.path.endswith(".html"):
            document = html5lib.parse(artifact.read().decode(), namespaceHTMLElements=False)
            for script in document.iter("script"):
                if script.get("type") == "application/ld+json":
                    assert isinstance(json.loads(script.text), dict), artifact.path


def test_s04_atom_feed_and_sitemap_are_well_formed_and_their_html_is_clean() -> None:
    ET.fromstring(read_artifact("sitemap.xml"))
    feed = read_artifact("feed.xml")
    ET.fromstring(feed)
    parsed = feedparser.parse(feed, sanitize_html=False)
    assert not parsed.bozo
    assert len(parsed.entries) == len({entry.id for entry in parsed.entries}) == feed.count(b"</entry>")
    for entry in parsed.entries:
        summary = entry.get("summary_detail", entry.title_detail)
        for text in (entry.title_detail, *entry.get("content", []), summary):
            if text.type == "text/html":
                fragment = html5lib.parseFragment(text.value, namespaceHTMLElements=False)
                assert list(find_injected_markup(fragment)) == []


def test_s04_the_calendar_has_one_event_for_each_talk() -> None:
    text = read_artifact("talks.ics")
    events = icalendar.Calendar.from_ical(text).walk("VEVENT")
    assert len(events) == len(build_hostile_model().collections["talks"].entries)
    for event in (*events, *icalendar.Calendar.from_ical(text).walk("VCALENDAR")):
        assert not [name for name in event if name.startswith("X-")]
    assert len(list(next(iter(vobject.readComponents(text.decode()))).components())) == len(events)


def test_s04_ris_has_one_entry_for_each_publication() -> None:
    entries = rispy.loads(read_artifact("publications.ris").decode())
    assert len(entries) == len(build_hostile_model().publications)
    assert "EVIL" not in {entry["type_of_reference"] for entry in entries}
    assert not [entry for entry in entries if "unknown_tag" in entry]


def test_s04_json_records_have_one_item_for_each_publication() -> None:
    assert len(json.loads(read_artifact("publications.json"))) == len(build_hostile_model().publications)
    assert json.loads(read_artifact("resume.json"))["basics"]["name"] == build_hostile_model().profile.name


def test_s04_bibtex_has_one_entry_for_each_publication() -> None:
    library = parse_string(read_artifact("publications.bib").decode())
    assert [entry.key for entry in library.entries if entry.key == "evil"] == []
    assert len(library.entries) + len(library.failed_blocks) == len(build_hostile_model().publications)


def test_s04_no_cell_of_the_coauthor_table_is_a_formula() -> None:
    table = make_coauthor_table(build_hostile_model(), None).removeprefix("\ufeff")
    rows = [*csv.reader(io.StringIO(table))]
    assert {len(row) for row in rows} == {6}
    assert [cell for row in rows for cell in row if cell.lstrip().startswith(("=", "+", "-", "@"))] == []


PACKAGES = (
    '"@preview/cetz:0.3.4" | "@preview/cetz:" + "0.3.4" | sys.inputs.at("x", default: "@local/a:1.0.0")'
)


@pytest.mark.parametrize("name", PACKAGES.split(" | "))
def test_low_a_typst_package_is_never_downloaded(name: str, tmp_path: Path, monkeypatch: Patch) -> None:
    """The proxy of the user, which Typst asks for packages of the namespace preview, gets no request."""
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        proxy.setblocking(False)
        for variable in ("https_proxy", "HTTPS_PROXY"):
            monkeypatch.setenv(variable, f"http://127.0.0.1:{proxy.getsockname()[1]}")
        write_files(tmp_path, f"-- content/profile.yaml --\nname: Ada\n-- content/awards.yaml --\n- Prize\n"
            f"-- themes/classic/cv.typ --\n#let package = {name}\n#import package: *\n= CV\n")  # fmt: skip
        (problem,) = build_site(tmp_path).problems
        assert (problem.code, str(problem.place)) == ("cv-template", "themes/classic/cv.typ:2:9")
        reason = "is not available: a build downloads nothing"
        assert re.fullmatch(rf"the package @\w+/\w+:[\d.]+ {reason}", problem.message)
        with pytest.raises(BlockingIOError):
            proxy.accept()


def test_s04_no_text_is_code_of_typst() -> None:
    pages = pypdf.PdfReader(io.BytesIO(read_artifact("cv.pdf"))).pages
    text = re.sub(r"\s+", "", "".join(page.extract_text() for page in pages))
    assert text.count("#read(") > 20
    assert "root:x:0" not in text


def test_s04_a_command_in_a_formula_sets_no_attribute(site: Make) -> None:
    formula = r"$\style{position:fixed}{x} \href{javascript:x}{y} \class{menu}{z}$"
    built = site(f"-- content/awards.yaml --\n- {{date: 2024, title: 'Prize {formula}'}}\n").build()
    document = html5lib.parse(built.read_page("/cv/"), namespaceHTMLElements=False)
    (math,) = document.iter("{http://www.w3.org/1998/Math/MathML}math")
    assert {name for element in math.iter() for name in element.attrib} <= {"display", "lspace", "rspace"}
