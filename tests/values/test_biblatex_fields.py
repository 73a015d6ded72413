"""No field disappears silently: each field of biblatex is in the lines, the links or the facts of its publication."""

from collections.abc import Callable

from conftest import Sources

from tenure.exports.references import make_ris
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
    assert (movie["type"], movie["publisher"], movie["version"], movie["ISSN"]) == tuple(
        "motion_picture Studio 2 1-2".split()
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
