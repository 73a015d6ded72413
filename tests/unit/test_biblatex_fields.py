"""No field disappears silently: each field of biblatex is in the lines, the links or the facts of its publication."""

from collections.abc import Callable

import pytest
from conftest import Sources
from words_writer import WordsWriter

from tenure.exports.references import make_ris
from tenure.presentation.citation import Citation
from tenure.presentation.csl_item import make_csl_item
from tenure.sources.publications.fields import find_use

Make = Callable[[str], Sources]

PRINTING_FIELDS = frozenset(
    """authortype bookpagination crossref editoratype editorbtype editorctype editortype entryset entrysubtype
    eprintclass execute file gender ids indexsorttitle indextitle keywords label langid langidopts options pagination
    presort related relatedoptions relatedstring relatedtype shortauthor shorteditor shorthand shorthandintro
    shortseries sortkey sortname sortshorthand sorttitle sortyear xdata xref""".split()
)
"""Fields that control how LaTeX sorts, abbreviates and connects entries, or that are shown in another way."""

DATA_FIELDS = """abstract addendum afterword annotator author bookauthor booksubtitle booktitle booktitleaddon chapter
    commentator date doi edition editor editora editorb editorc eid eprint eventdate eventtitle eventtitleaddon foreword holder
    howpublished institution introduction isan isbn ismn isrn issn issue issuesubtitle issuetitle issuetitleaddon iswc journalsubtitle
    journaltitle journaltitleaddon language library location mainsubtitle maintitle maintitleaddon month nameaddon note number
    organization origdate origlanguage origlocation origpublisher origtitle pages pagetotal part publisher pubstate reprinttitle school
    series shortjournal shorttitle subtitle title titleaddon translator type url urldate venue version volume volumes year""".split()
"""The data fields of biblatex 3.20 (manual, section 2.2.2) that are not PRINTING_FIELDS."""


def test_every_field_of_biblatex_has_a_place() -> None:
    assert [name for name in DATA_FIELDS if find_use(name, "x") not in ("shown", "link")] == []
    assert [name for name in PRINTING_FIELDS if find_use(name, "x") == "unused"] == []


def describe_entry(
    site: Make, entry: str, language: str = "en"
) -> tuple[str, str, dict[str, str], dict[str, str]]:
    """Return the venue line, the note, the facts and the links of an entry."""
    sources = site(
        "-- content/profile.yaml --\nname: Ada Example\n-- bib/papers.bib --\n"
        + entry.replace("{key,", "{key, title = {T}, author = {Example, Ada},")
        + f"\n-- site.yaml --\nschema: 1\nlanguage: {language}\n"
    )
    built = sources.build()
    assert built.problems == []
    paper = built.site.publications[0]
    citation = Citation(paper, built.site.active_theme.translations, WordsWriter())
    facts = {fact.label: "; ".join(fact.items) for fact in citation.facts}
    return (
        citation.venue_line(full=True),
        citation.note,
        facts,
        {link.label: link.url for link in citation.links},
    )


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        # the kind of work: `type` replaces the entry type
        ("@phdthesis{key, type = {Master's thesis}, school = {Uni}, year = 2022}", "Master’s thesis, Uni, 2022"),
        ("@phdthesis{key, type = {Habilitation}, school = {Uni}, year = 2022}", "Habilitation, Uni, 2022"),
        ("@thesis{key, type = {phdthesis}, institution = {Uni}, date = {2022}}", "Ph.D. thesis, Uni, 2022"),
        ("@thesis{key, type = {mathesis}, institution = {Uni}, date = {2022}}", "Master’s thesis, Uni, 2022"),
        ("@thesis{key, type = {bathesis}, institution = {Uni}, date = {2022}}", "Bachelor’s thesis, Uni, 2022"),
        ("@thesis{key, type = {candthesis}, institution = {Uni}, date = {2022}}", "Candidate thesis, Uni, 2022"),
        ("@report{key, type = {techreport}, institution = {Lab}, date = {2022}}", "Technical report, Lab, 2022"),
        ("@report{key, type = {resreport}, institution = {Lab}, date = {2022}}", "Research report, Lab, 2022"),
        (
            "@techreport{key, type = {Working Paper}, number = 28000, institution = {NBER}, year = 2020}",
            "Working paper, no. 28000, NBER, 2020",
        ),
        ("@patent{key, type = {patentus}, number = 7, date = {2020}}", "Patent (US), no. 7, 2020"),
        ("@patent{key, type = {patreqde}, number = 7, date = {2020}}", "Patent application (DE), no. 7, 2020"),
        ("@misc{key, type = {Poster}, howpublished = {SOSP}, year = 2020}", "Poster, SOSP, 2020"),
        ("@misc{key, type = {Policy brief}, year = 2020}", "Policy brief, 2020"),
        ("@phdthesis{key, type = {Thesis}, school = {Uni}, year = 2022}", "Ph.D. thesis, Uni, 2022"),
        # the venue
        ("@online{key, pubstate = {prepublished}, eprint = {2405.01234}, date = {2024}}", "Preprint · 2024"),
        ("@article{key, pubstate = {inpress}, journal = {J}, year = 2024}", "In press · J, 2024"),
        ("@article{key, pubstate = {forthcoming}, journal = {J}, year = 2024}", "To appear · J, 2024"),
        ("@article{key, pubstate = {inpreparation}, journal = {J}, year = 2024}", "In preparation · J, 2024"),
        ("@article{key, pubstate = {submitted}, journal = {J}, year = 2024}", "In submission · J, 2024"),
        ("@article{key, pubstate = {published}, journal = {J}, year = 2024}", "J, 2024"),
        # numbers
        ("@book{key, publisher = {P}, pages = {170}, year = 2020}", "170 pp., P, 2020"),
        ("@phdthesis{key, school = {Uni}, pages = {135}, year = 2020}", "Ph.D. thesis, 135 pp., Uni, 2020"),
        ("@book{key, publisher = {P}, pages = {xii+170 pages}, year = 2020}", "xii+170 pp., P, 2020"),
        ("@book{key, publisher = {P}, pages = {1--20}, year = 2020}", "pp. 1–20, P, 2020"),
        ("@article{key, journal = {J}, pages = {170}, year = 2020}", "J, p. 170, 2020"),
        ("@book{key, publisher = {P}, pagetotal = {170}, volumes = {3}, date = {1999/2001}}", "3 vols., 170 pp., P, 1999–2001"),
        ("@article{key, journal = {J}, date = {2020-03/2020-05}}", "J, 2020"),
        ("@inbook{key, booktitle = {B}, chapter = {3}, part = {2}, year = 2020}", "In B, part 2, chap. 3, 2020"),
        ("@software{key, version = {1.2.3}, date = {2020}}", "Software, version 1.2.3, 2020"),
        # subtitles and additions
        (
            "@incollection{key, booktitle = {B}, booksubtitle = {S}, booktitleaddon = {A}, year = 2020}",
            "In B: S. A, 2020",
        ),
        ("@article{key, journaltitle = {J}, journalsubtitle = {S}, date = {2020}}", "J: S, 2020"),
        # the year is left out if the line has it, in four digits
        ("@inproceedings{key, booktitle = {Proceedings of X 2020}, year = 2020}", "In Proceedings of X 2020"),
        ("@inproceedings{key, booktitle = {X '97}, year = 1997}", "In X ’97, 1997"),
        ("@inproceedings{key, booktitle = {Symposium X}, abbr = {X 2020}, year = 2020}", "In Symposium X (X 2020), 2020"),
        ("@mastersthesis{key, school = {Uni}, abbr = {TFM2021}, year = 2021}", "TFM2021, Uni, 2021"),
    ],
)  # fmt: skip
def test_the_venue_line(site: Make, entry: str, line: str) -> None:
    assert describe_entry(site, entry)[0] == line


@pytest.mark.parametrize(
    ("fields", "label", "text"),
    [
        ("translator = {Müller, Max and Eva Roth}", "Translation", "Max Müller, Eva Roth"),
        ("editora = {Red, Kurt}, editoratype = {redactor}", "Contributors", "Kurt Red (redactor)"),
        ("annotator = {Roth, E.}", "Annotations", "E. Roth"),
        ("foreword = {{The _Guild_}}", "Foreword", "The _Guild_"),
        ("bookauthor = {Roth, E.}", "Author of the book", "E. Roth"),
        ("origtitle = {Das \\emph{Kapital}}, origdate = {1867}", "Original", "Das Kapital, 1867"),
        ("eventtitle = {Days of X}, eventdate = {2020-01-02/2020-01-04}", "Event", "Days of X, 2020-01-02 – 2020-01-04"),
        ("shorttitle = {Short}", "Short title", "Short"),
        ("isbn = {978-3-16-148410-0}", "ISBN", "978-3-16-148410-0"),
        ("eprint = {abc*1}, eprinttype = {mine}", "Mine", "abc*1"),
    ],
)  # fmt: skip
def test_the_facts_on_the_page(site: Make, fields: str, label: str, text: str) -> None:
    assert (
        describe_entry(site, f"@incollection{{key, booktitle = {{B}}, year = 2020, {fields}}}")[2][label]
        == text
    )


@pytest.mark.parametrize(
    ("fields", "language", "head", "venue"),
    [
        ("editor = {Roth, Eva}", "en", "Eva Roth (ed.)", "edited by Eva Roth"),
        ("editor = {Roth, Eva}, editortype = {editor}", "en", "Eva Roth (ed.)", "edited by Eva Roth"),
        ("editor = {Roth, Eva}, editortype = {compiler}", "en", "Eva Roth (comp.)", "Eva Roth (comp.)"),
        ("editor = {Roth, Eva and Red, Kurt}, editortype = {compiler}", "en", "Eva Roth, Kurt Red (comps.)", "Eva Roth, Kurt Red (comps.)"),
        ("editor = {Roth, Eva}, editortype = {compiler}", "ru", "Eva Roth (сост.)", "Eva Roth (сост.)"),
        ("editor = {Roth, Eva}, editortype = {translator}", "ja", "Eva Roth（訳）", "Eva Roth（訳）"),
        ("editor = {Roth, Eva}, editortype = {Organiser}", "de", "Eva Roth (Organisation)", "Eva Roth (Organisation)"),
        ("editor = {Roth, Eva}, editortype = {Schrift {x} leitung}", "de", "Eva Roth (Schrift x leitung)", "Eva Roth (Schrift x leitung)"),
    ],
)  # fmt: skip
def test_the_role_of_editors(site: Make, fields: str, language: str, head: str, venue: str) -> None:
    sources = site(
        f"-- site.yaml --\nschema: 1\nlanguage: {language}\n-- bib/a.bib --\n"
        f"@book{{a, title = {{A}}, publisher = {{P}}, year = 2020, {fields}}}\n"
        f"@book{{b, title = {{B}}, author = {{Example, Ada}}, publisher = {{P}}, year = 2020, {fields}}}\n"
    ).build()
    edited, written = (
        Citation(paper, sources.site.active_theme.translations, WordsWriter())
        for paper in sources.site.publications
    )
    assert edited.credits().head == head
    assert venue in written.venue_line(full=True)
    assert "editortype" not in "".join(sources.notes)


def test_people_with_roles_are_in_the_exports(site: Make) -> None:
    built = site(
        "-- bib/a.bib --\n@incollection{a, title = {A}, author = {Example, Ada}, booktitle = {B}, year = 2020, publisher = {P},\n"
        "translator = {Roth, Eva}, bookauthor = {Red, Kurt}, editor = {Ed, One}, editora = {Co, Two}, editoratype = {compiler},\n"
        "editorb = {Or, Three}, editorbtype = {organizer}, afterword = {Roe, Bob}, collaborator = {{The Guild}}, holder = {{Firm}}}\n"
        "@book{b, title = {C}, editor = {Roth, Eva}, editortype = {translator}, year = 2019, publisher = {P}}\n"
    ).build()
    first, second = map(make_csl_item, built.site.publications)
    assert {
        name: [part.get("family") or part["literal"] for part in first[name]]
        for name in first
        if isinstance(first[name], list)
    } == {
        "author": ["Example"], "editor": ["Ed"], "translator": ["Roth"], "container-author": ["Red"], "compiler": ["Co"],
        "organizer": ["Or"], "contributor": ["Roe", "The Guild"],
    }  # fmt: skip
    assert "editor" not in second
    assert second["translator"] == [{"family": "Roth", "given": "Eva"}]
    lines = make_ris(built.site.publications).split("\r\n")
    people = [line for line in lines if line.startswith("A")]
    assert sorted(people) == [
        "A2  - Co, Two", "A2  - Ed, One", "A3  - Or, Three", "A3  - Red, Kurt", "A3  - Roe, Bob", "A3  - The Guild",
        "A4  - Roth, Eva", "A4  - Roth, Eva", "AU  - Example, Ada",
    ]  # fmt: skip
    page = built.read_page("/publications/b/")
    assert '"translator"' in page
    assert '"editor"' not in page
    assert "citation_editor" not in page


def test_facts_of_an_entry_are_in_the_exports(site: Make) -> None:
    built = site(
        "-- content/profile.yaml --\nname: Ada Example\n-- bib/a.bib --\n"
        "@inbook{a, title = {A}, author = {Example, Ada}, booktitle = {B}, series = {S}, number = 4, chapter = 7, volumes = 3, publisher = {P},\n"
        "location = {Bonn}, isbn = {978-3}, shorttitle = {Short}, langid = {german}, date = {1999~/2001}}\n"
        "@thesis{b, title = {C}, author = {Example, Ada}, type = {mathesis}, institution = {Uni}, location = {Bonn}, pagetotal = {99}, year = 1998}\n"
        "@jurisdiction{c, title = {D}, number = {7}, court = {High Court}, year = 1997}\n"
        "@movie{d, title = {E}, author = {Example, Ada}, organization = {Studio}, version = {2}, issn = {1-2}, year = 1996}\n"
    ).build()
    chapter, thesis, case, movie = map(make_csl_item, built.site.publications)
    expected = {
        "collection-title": "S", "collection-number": "4", "chapter-number": "7", "number-of-volumes": "3", "publisher-place": "Bonn", "ISBN": "978-3",
        "title-short": "Short", "language": "de", "issued": {"date-parts": [[1999], [2001]], "circa": True},
    }  # fmt: skip
    assert expected.items() <= chapter.items()
    assert (thesis["genre"], thesis["publisher"], thesis["number-of-pages"]) == (
        "Master’s thesis",
        "Uni",
        "99",
    )
    assert (case["type"], case["number"], case["authority"]) == ("legal_case", "7", "High Court")
    assert (movie["type"], movie["publisher"], movie["version"], movie["ISSN"]) == (
        "motion_picture",
        "Studio",
        "2",
        "1-2",
    )
    lines = set(make_ris(built.site.publications).split("\r\n"))
    assert {
        "SN  - 978-3",
        "SE  - 7",
        "NV  - 3",
        "ST  - Short",
        "LA  - de",
        "M3  - Master’s thesis",
        "TY  - CASE",
        "TY  - MPCT",
        "ET  - 2",
    } <= lines
