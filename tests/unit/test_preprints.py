"""Preprints are recognized in every notation, and the BibTeX for readers has no author marks."""

from collections.abc import Callable

import pytest
from conftest import Sources

from tenure.model.publication_types import find_reference_type
from tenure.sources.bibtex.source_text import format_public_bibtex, remove_author_marks
from tenure.sources.publications.preprint_servers import parse_preprint

Make = Callable[[str], Sources]
PROFILE = "-- content/profile.yaml --\nname: Ada Example\n-- bib/papers.bib --\n"


@pytest.mark.parametrize(
    ("venue", "server", "url"),
    [
        ("arXiv preprint arXiv:2405.01234", "arXiv", "https://arxiv.org/abs/2405.01234"),
        ("arXiv:2405.01234v2 [cs.LG]", "arXiv", "https://arxiv.org/abs/2405.01234v2"),
        ("eprint arXiv:2405.01234", "arXiv", "https://arxiv.org/abs/2405.01234"),
        ("arXiv preprint arXiv:math.GT/0309136", "arXiv", "https://arxiv.org/abs/math.GT/0309136"),
        ("https://arxiv.org/pdf/2405.01234.pdf", "arXiv", "https://arxiv.org/abs/2405.01234"),
        ("ArXiv e-prints", "arXiv", ""),
        ("arXiv (Cornell University)", "arXiv", ""),
        ("CoRR", "arXiv", ""),
        ("CoRR, abs/2405.01234", "arXiv", "https://arxiv.org/abs/2405.01234"),
        ("Computing Research Repository (CoRR)", "arXiv", ""),
        ("bioRxiv", "bioRxiv", ""),
        ("bioRxiv preprint doi:10.1101/2020.01.02.123456", "bioRxiv", "https://doi.org/10.1101/2020.01.02.123456"),
        ("medRxiv", "medRxiv", ""),
        ("Available at SSRN 3445601", "SSRN", "https://ssrn.com/abstract=3445601"),
        ("SSRN Electronic Journal", "SSRN", ""),
        ("HAL preprint hal-01234567", "HAL", "https://hal.science/hal-01234567"),
        ("OSF Preprints", "OSF Preprints", ""),
        ("Cryptology ePrint Archive, Paper 2023/123", "Cryptology ePrint Archive", "https://eprint.iacr.org/2023/123"),
    ],
)  # fmt: skip
def test_a_preprint_server_is_recognized(venue: str, server: str, url: str) -> None:
    preprint = parse_preprint(venue)
    assert preprint is not None
    assert (preprint.server, preprint.url) == (server, url)


@pytest.mark.parametrize(
    "venue",
    [
        "Corrosion Science",
        "Halifax",
        "Preprint",
        "Journal of Machine Learning Research",
        "arXiv preprint arXiv:2405.01234, to appear in ICLR",
    ],
)
def test_other_venues_are_no_preprint_servers(venue: str) -> None:
    assert parse_preprint(venue) is None


@pytest.mark.parametrize(
    "fields",
    [
        "journal = {arXiv preprint arXiv:2405.01234}",
        "journal = {CoRR}, volume = {abs/2405.01234}",
        "journal = {arXiv e-prints}, pages = {arXiv:2405.01234}",
        "journal = {arXiv e-prints}, eid = {arXiv:2405.01234}, eprint = {2405.01234}, archiveprefix = {arXiv}",
        "publisher = {arXiv}, doi = {10.48550/arXiv.2405.01234}",
        "howpublished = {arXiv:2405.01234}",
    ],
)
def test_an_article_on_arxiv_is_a_preprint_named_and_linked_once(site: Make, fields: str) -> None:
    built = site(
        f"{PROFILE}@article{{one, title = {{Exits}}, author = {{Example, Ada}}, year = 2024,\n{fields}}}\n"
    ).build()
    paper = built.site.publications[0]
    assert (paper.kind, paper.eprint, paper.server) == ("misc", "2405.01234", "arXiv")
    text = built.read_words("/publications/one/").partition("@article")[0]
    assert "arXiv:2405.01234" in text
    assert "CoRR" not in text
    assert "Journal article" not in text
    assert 'href="https://arxiv.org/abs/2405.01234"' in built.read_page("/publications/one/")
    assert find_reference_type(paper).ris == "UNPB"


@pytest.mark.parametrize(
    ("written", "left"),
    [
        (r"Weber*, Jana and M{\"u}ller*, Felix", r"Weber, Jana and M{\"u}ller, Felix"),
        ("Jana Weber$^*$ and Felix Li$^{*}$", "Jana Weber and Felix Li"),
        (r"Jana Weber\textsuperscript{*} and Z Q\textsuperscript{\dag}", "Jana Weber and Z Q"),
        (r"Weber{*}, Jana and A{$^{*}$} B and C D$^{*,\dag}$", "Weber, Jana and A B and C D"),
        ("Jana Weber * and B C†", "Jana Weber and B C"),
        ("*Jana Weber  and\n  *B C", "Jana Weber  and\n  B C"),
        ("{The ATLAS Collaboration}* and Weber, Jana*", "{The ATLAS Collaboration} and Weber, Jana"),
        (r"Weber$^\ast$, J. and P{\O}rensen, X", r"Weber, J. and P{\O}rensen, X"),
        # characters that are a part of a name
        ("We*ber, Jana and C#son, X", "We*ber, Jana and C#son, X"),
    ],
)
def test_author_marks_are_removed_and_nothing_else(written: str, left: str) -> None:
    assert remove_author_marks(written) == left


def test_marks_are_removed_from_macros_and_joined_values() -> None:
    entry = '@article{a, author = me # " and Foo*, B", title = {A* search}}'
    assert format_public_bibtex(entry, {"me": "Weber*, J"}).written == (
        '@string{me = {Weber, J}}\n@article{a, author = me # " and Foo, B", title = {A* search}}\n'
    )


def test_readers_get_bibtex_without_marks(site: Make) -> None:
    built = site(
        f"{PROFILE}@article{{one, title = {{A* search}}, year = 2024, journal = {{Search}},\n"
        "  author={Example*, Ada and Li$^\\dagger$, Felix}}\n"
    ).build()
    expected = "author={Example, Ada and Li, Felix}"
    assert "author = {Example, Ada and Li, Felix}" in built.read_page("/publications/one/")
    files = [a for a in built.build.artifacts if a.path.endswith(".bib")]
    assert len(files) == 2
    for file in files:
        assert expected in file.read().decode()
        assert "title = {A* search}" in file.read().decode()
    assert built.read_page("/publications/one/").count("<sup") >= 2


TITLE = "title = {Deep Caches: A Study}"
AUTHORS = 'author = {Example, Ada and M{\\"u}ller, Eva}'
PUBLISHED = "@article{paper, title = {Deep caches: a study}, author = {Ada Example and E. Müller}, journal = {Cache Letters}, year = 2021}"
ARXIV_FIELDS = "eprint = {2001.00001}, archiveprefix = {arXiv}"
PREPRINTS = {
    "Google Scholar": f"@article{{pre, {TITLE}, {AUTHORS}, journal = {{arXiv preprint arXiv:2001.00001}}, year = 2020}}",
    "ADS": f'@ARTICLE{{pre, {TITLE}, author = {{{{Example}}, A. and {{M{{\\"u}}ller}}, E.}}, journal = {{arXiv e-prints}}, {ARXIV_FIELDS}, year = 2020}}',
    "arXiv": f"@misc{{pre, {TITLE}, {AUTHORS}, {ARXIV_FIELDS}, primaryClass = {{cs.LG}}, year = 2020}}",
    "DBLP": f'@article{{pre, {TITLE}, author = {{Ada Example and Eva M{{\\"{{u}}}}ller}}, journal = {{CoRR}}, volume = {{abs/2001.00001}}, year = 2020}}',
    "bioRxiv": f"@article{{pre, {TITLE}, {AUTHORS}, journal = {{bioRxiv}}, doi = {{10.1101/2020.01.02.123456}}, year = 2020}}",
    "biblatex": f"@online{{pre, {TITLE}, {AUTHORS}, date = {{2020-01}}, eprint = {{2001.00001}}, eprinttype = {{arxiv}}, pubstate = {{prepublished}}}}",
    "NBER": f"@techreport{{pre, {TITLE}, {AUTHORS}, institution = {{National Bureau of Economic Research}}, type = {{Working Paper}}, number = 28, year = 2020}}",
    "journal": f"@article{{pre, {TITLE}, {AUTHORS}, journal = {{arXiv:2001.00001 [cs]}}, year = 2020}}",
}  # fmt: skip


@pytest.mark.parametrize("program", PREPRINTS)
def test_a_preprint_is_joined_with_its_published_version(site: Make, program: str) -> None:
    built = site(f"{PROFILE}{PREPRINTS[program]}\n{PUBLISHED}\n").build()
    (publication,) = built.site.publications
    assert (publication.key, publication.preprints) == ("paper", ("pre",))
    assert built.codes == ["bib-duplicate-work"]
    counts = built.build.bib_counts["bib/papers.bib"]
    assert (counts.entry_count, counts.shown_count, counts.reported_count) == (2, 1, 1)
    if program != "NBER":
        assert {link.label for link in publication.links} <= {"arXiv", "Preprint"}
        assert publication.links


@pytest.mark.parametrize(
    ("preprint", "published"),
    [
        ("year = 2016", ""),
        ("title = {Deep Caches: A Survey}", ""),
        ("title = {Deep Caches}", ""),
        ("title = {Caches, Part I}", "title = {Caches, Part II}"),
        ("author = {Example, Ada}", ""),
        ('author = {Example, Ada and M{\\"u}ller, Fritz}', ""),
        ("preprint_of = {none}", ""),
        ("", "preprint_of = {none}"),
        ("", "eprint = {1901.00009}"),
        ("related = {paper}", ""),
    ],
)  # fmt: skip
def test_a_preprint_of_another_work_is_not_joined(site: Make, preprint: str, published: str) -> None:
    def add_fields(entry: str, fields: str) -> str:
        return entry.replace("{pre,", f"{{pre, {fields},").replace("{paper,", f"{{paper, {fields},")

    sources = site(
        f"{PROFILE}{add_fields(PREPRINTS['arXiv'], preprint)}\n{add_fields(PUBLISHED, published)}\n"
    )
    built = sources.build()
    assert len(built.site.publications) == 2
    assert "preprint of" not in " ".join(built.problems)


@pytest.mark.parametrize(
    ("preprint_authors", "published_authors", "count"),
    [
        ("Example, Ada and others", "Example, Ada and Hale, Mary", 1),
        ("Example, Ada and Hale, Mary", "Example, Ada and others", 1),
        ("Example, Ada and others", "Example, Ada and Hale, Mary and others", 1),
        ("Example, Ada", "Example, Ada and Hale, Mary and others", 2),
        ("Example, Ada and Hale, Mary and others", "Example, Ada", 2),
        ("Example, Ada and Lin, Wei and others", "Example, Ada and Hale, Mary", 2),
    ],
)
def test_an_open_list_of_authors_may_be_the_beginning_of_the_other_list(
    site: Make, preprint_authors: str, published_authors: str, count: int
) -> None:
    preprint = f"@misc{{pre, {TITLE}, author = {{{preprint_authors}}}, {ARXIV_FIELDS}, year = 2020}}"
    published = (
        f"@article{{paper, {TITLE}, author = {{{published_authors}}}, journal = {{Caches}}, year = 2021}}"
    )
    assert len(site(f"{PROFILE}{preprint}\n{published}\n").build().site.publications) == count


def test_preprints_are_separated_and_joined_in_content(site: Make) -> None:
    sources = site(f"{PROFILE}{PREPRINTS['arXiv']}\n{PUBLISHED}\n")
    overlay = "-- content/publications.yaml --\n- {key: pre, preprint_of: %s}\n"
    assert len(sources.edit_files(overlay % "none").build().site.publications) == 2
    other_title = sources.edit_files(
        f"-- bib/papers.bib --\n{PREPRINTS['arXiv'].replace('Study', 'View')}\n{PUBLISHED}\n"
    )
    assert len(other_title.build().site.publications) == 2
    joined = other_title.edit_files(overlay % "paper").build()
    assert len(joined.site.publications) == 1
    assert joined.problems == []


@pytest.mark.parametrize(
    ("entry", "server", "venue", "publisher"),
    [
        ("@article{a, journal = {arXiv:2209.01234 [cond-mat, q-bio]}}", "arXiv", "", ""),
        ("@misc{a, publisher = {Cold Spring Harbor Laboratory}, doi = {10.1101/2025.01.02.123456}}", "bioRxiv", "bioRxiv", ""),
        ("@misc{a, url = {https://www.medrxiv.org/content/10.1101/2025.01.02.123456v1}, doi = {10.1101/2025.01.02.123456}}", "medRxiv", "medRxiv", ""),
        ("@misc{a, doi = {10.48550/arXiv.2209.01234}}", "arXiv", "arXiv", ""),
        ("@article{a, journal = {Genome Research}, doi = {10.1101/gr.123}}", "", "Genome Research", ""),
        ("@article{a, journal = {Cell}, note = {Publisher: Elsevier}}", "", "Cell", ""),
    ],
)  # fmt: skip
def test_preprints_of_biologists_are_recognized(
    site: Callable[[str], Sources], entry: str, server: str, venue: str, publisher: str
) -> None:
    text = entry[:-1] + ", title = {T}, author = {Example, Ada}, year = 2025, keywords = {#nosource}}"
    paper = site(f"-- bib/papers.bib --\n{text}\n").build().site.publications[0]
    assert (paper.server, paper.venue.name, paper.venue.publisher, paper.tags) == (
        server,
        venue,
        publisher,
        (),
    )


def test_a_joined_preprint_has_one_link_called_preprint(site: Callable[[str], Sources]) -> None:
    preprint = "@misc{a, title = {Tides in a bay}, author = {Example, Ada}, year = 2024, publisher = {Cold Spring Harbor Laboratory}, doi = {10.1101/2024.01.02.123456}, url = {https://www.biorxiv.org/content/10.1101/2024.01.02.123456v2}}"
    paper = "@article{b, title = {Tides in a bay}, author = {Example, Ada}, year = 2025, journal = {J}, doi = {10.1000/1}, url = {https://j.example/1}}"
    built = site(f"-- bib/papers.bib --\n{preprint}\n{paper}\n").build()
    assert [link.label for link in built.site.publications[0].links] == ["DOI", "Link", "Preprint"]


def test_undated_papers_have_their_numbers_in_order(site: Callable[[str], Sources]) -> None:
    entries = "\n".join(
        f"@book{{k{i}, title = {{T{i}}}, author = {{Example, Ada}}, publisher = {{P}}, year = {{{year}}}}}"
        for i, year in enumerate(["im Erscheinen", "????", "2021", "à paraître", "2020", "0"])
    )
    built = site(f"-- bib/papers.bib --\n{entries}\n").build()
    assert [paper.key for paper in built.site.publications] == ["k0", "k1", "k3", "k5", "k2", "k4"]
