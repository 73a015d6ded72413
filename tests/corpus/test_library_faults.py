"""
Faults that real .bib files have shown, with the letter and number of each kind: B-1 to B-18.

All entries of CASES are in one library, as one entry must never damage another. Preprints that are joined
with their published version (B-3) are in tests/unit/test_preprints.py.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import Built, visible_text, write_files

from tenure.build import build_site


class Case(NamedTuple):
    """An entry: its type and fields, the text and links that its page has, text that it has not, and the reported codes."""

    name: str
    kind: str
    fields: str
    shown: Sequence[str] = ()
    urls: Sequence[str] = ()
    absent: Sequence[str] = ()
    codes: Sequence[str] = ()


CASES = (
    Case("B-1 a path as URL", "misc", "url={/data/x.Snw}", ["/data/x.Snw"], codes=["bib-bad-value"]),
    Case("B-1 a file that is missing", "misc", "pdf={x.pdf}", ["x.pdf"], codes=["missing-file"]),
    Case("B-1 a path to a missing file", "misc", "pdf={/files/x.pdf}", codes=["bib-bad-value"]),
    Case("B-1 a fragment as URL", "misc", "url={#frag}", ["#frag"], codes=["bib-bad-value"]),
    Case("B-1 a link to Zotero in a note", "misc", r"note={\href{zotero://select/items/1}{see x}}", ["see x"], absent=["zotero"], codes=["bib-bad-value"]),
    Case("B-1 a link to Zotero in a note", "misc", r"addendum={\href{zotero://open-pdf/1}{p. 30}}", ["p. 30"], absent=["zotero"], codes=["bib-bad-value"]),
    Case("B-1 a path in an abstract", "misc", r"abstract={\href{/data/z.txt}{The data}}", ["The data"], codes=["bib-bad-value"]),
    Case("B-1 a page in a title", "misc", r"title={A \href{foo.html}{loom}}", ["A loom"], codes=["missing-file"]),
    Case("B-2 links of any name", "article", "paper={https://a.example/p.pdf}, demo={https://a.example/d}, preprint={https://a.example/pre}, talk={https://a.example/t},"
         "codeurl={https://a.example/c}, project={https://a.example/pr}, dataset={https://a.example/ds}, link={https://a.example/l}, repo={https://a.example/r}",
         ["Demo", "Talk", "Code", "Project", "Dataset"], [f"https://a.example/{path}" for path in ("p.pdf", "d", "pre", "t", "c", "pr", "ds", "l", "r")]),
    Case("B-2 an archive by its URL", "article", "eprint={https://a.example/e}, jstor={https://www.jstor.org/stable/1}", (), ["https://a.example/e", "https://www.jstor.org/stable/1"]),
    Case("B-4 a master's thesis", "phdthesis", "type={Master's thesis}, school={Univ}", ["Master’s thesis, Univ, 2020"], absent=["Ph.D."]),
    Case("B-4 a Habilitation", "phdthesis", "type={Habilitation}, school={Univ}", ["Habilitation, Univ"], absent=["Ph.D."]),
    Case("B-4 a key of biblatex", "thesis", "type={phdthesis}, institution={Univ}", ["thesis, Univ"], absent=["phdthesis"]),
    Case("B-4 a key of biblatex for a master's thesis", "thesis", "type={mathesis}, institution={Univ}", ["Master’s thesis, Univ"], absent=["mathesis"]),
    Case("B-4 a working paper", "techreport", "type={Working Paper}, number=28000, institution={NBER}", ["Working paper", "28000"], absent=["Technical report"]),
    Case("B-4 a report by its key", "report", "type={techreport}, institution={Univ}", ["Technical report"], absent=["techreport"]),
    Case("B-4 a patent by its key", "patent", "type={patentus}, number={123}", ["123"], absent=["patentus"]),
    Case("B-5 escapes of Mendeley in a URL", "article", r"url={http://x.example/{\~{}}doe/a?b=1{\&}c=2{\#}d}", (), ["http://x.example/~doe/a?b=1&amp;c=2#d"]),
    Case("B-5 a formula as tilde", "article", r"url={http://x.example/$\sim$doe}", (), ["http://x.example/~doe"]),
    Case("B-5 two URLs in one field", "article", "url={http://a.example/1 http://b.example/2}", (), ["http://a.example/1", "http://b.example/2"]),
    Case("B-6 translator and additions", "book", "translator={Eva Roth}, addendum={With an afterword}, titleaddon={A reply}, publisher={P}", ["Eva Roth", "With an afterword", "A reply"]),
    Case("B-6 a version", "software", "version={2.1}", ["2.1"]),
    Case("B-6 a chapter", "inbook", "title={On Looms}, booktitle={A Book}, chapter={7}, publisher={P}", ["chap. 7"]),
    Case("B-6 volumes and pages", "book", "volumes={3}, pagetotal={911}, origdate={1843}, publisher={P}", ["3 vols.", "911", "1843"]),
    Case("B-6 an archive by its name", "article", "eprinttype={jstor}, eprint={123456}", (), ["https://www.jstor.org/stable/123456"]),
    Case("B-6 HAL by its name", "article", "eprinttype={hal}, eprint={hal-0123}", (), ["https://hal.science/hal-0123"]),
    Case("B-6 PubMed by its name", "article", "eprinttype={pubmed}, eprint={12345}", (), ["https://pubmed.ncbi.nlm.nih.gov/12345/"]),
    Case("B-7 a preprint of Better BibLaTeX", "online", "pubstate={prepublished}, eprint={2405.01234}, eprinttype={arxiv}", ["Preprint"], ["https://arxiv.org/abs/2405.01234"], ["Published online"]),
    Case("B-8 the pages of a book", "book", "pages={170}, publisher={P}", ["170 pp."], absent=["p. 170 "]),
    Case("B-8 the pages of a thesis", "phdthesis", "pages={135}, school={Univ}", ["135 pp."]),
    Case("B-9 a publisher in a note", "article", "note={Publisher: Wiley}", absent=["Publisher:"]),
    Case("B-9 a citation key in a note", "article", "note={Citation Key: doe2020}", absent=["Citation Key", "doe2020"]),
    Case("B-9 a number of arXiv in a note", "article", "note={arXiv:2001.00001 [cs]}", absent=["[cs]"]),
    Case("B-9 a DOI and its URL", "article", r"doi={10.1000/182}, url={http://dx.doi.org/10.1000/182}", (), ["https://doi.org/10.1000/182"], ["Link"]),
    Case("B-9 a DOI and its encoded URL", "article", r"doi={10.1000/183}, url={https://doi.org/10.1000%2F183}", (), ["https://doi.org/10.1000/183"], ["Link"]),
    Case("B-9 keywords of ADS", "article", "keywords={1057, 1278, Stars (binary, massive)}", ["Stars (binary, massive)"], absent=["1057", "1278"]),
    Case("B-9 a field of DBLP", "article", "biburl={https://dblp.org/rec/x.bib}, bibsource={dblp}", absent=["dblp"]),
    Case("B-10 a link of HTML in a title", "article", """title={<a href="https://a.example/x">On Looms</a>}""", ["On Looms"], absent=["<a", "href", "”"]),
    Case("B-10 Markdown in a field of al-folio", "article", "additional_info={*Best paper*, see [the list](https://a.example/list)}", ["Best paper, see the list"], ["https://a.example/list"], ["*Best", "](", "additional"]),
    Case("B-10 HTML in an abstract", "article", "abstract={<p>One <i>two</i>.</p><p>Three.</p>}", ["One two. Three."], absent=["<p>", "<i>"]),
    Case("B-11 macros that print nothing", "article", r"title={Types\index{type!theory} and \hphantom{x}\raisebox{-0.5ex}{terms}}", ["Types and terms"]),
    Case("B-11 an accent without braces", "article", r"author={Fran\c cois Viau}", ["François Viau"]),
    Case("B-13 arXiv as journal", "article", "journal={arXiv preprint arXiv:1603.07285}", (), ["https://arxiv.org/abs/1603.07285"]),
    Case("B-13 a URL in a note", "misc", "note={See http://a.example/note for more}", ["See"], ["http://a.example/note"]),
    Case("B-5 the second of two URLs", "article", "url={http://a.example/3 http://www.b.example/4}", ["b.example"], ["http://www.b.example/4"]),
    Case("B-9 a DOI and its page", "article", "doi={10.1000/184}, url={https://www.example.org/doi/full/10.1000/184}", (), ["https://doi.org/10.1000/184"], ["Link"]),
    Case("B-9 a DOI of arXiv and its number", "online", "doi={10.48550/arXiv.2405.01235}, eprint={2405.01235}, eprinttype={arxiv}", ["arXiv:2405.01235"], ["https://arxiv.org/abs/2405.01235"], ["Online"]),
    Case("B-9 the state of reading", "article", "keywords={*unread, /to read, Looms}", ["Looms"], absent=["read"]),
    Case("B-10 an organization without braces", "misc", "author={World Health Organization, and Example, Ada}", ["World Health Organization, Ada Example"]),
    Case("B-10 a collaboration of INSPIRE", "article", "author={Example, Ada and others}, collaboration={LOOM}", ["Ada Example, LOOM Collaboration"]),
    Case("B-10 volume and edition with their words", "book", "volume={Vol. 52}, series={Texts}, edition={2nd ed}, publisher={P}", ["vol. 52", "2nd edition"], absent=["Vol.", "ed edition"]),
    Case("B-10 the number of pages beside their range", "inproceedings", "title={A title}, booktitle={Looms}, pages={1--14}, numpages={14}", ["pp. 1–14"], absent=["14 pp."]),
    Case("B-10 the place of a conference", "inproceedings", "title={A title}, booktitle={Looms}, eventtitle={LOOM 2018}, venue={Vienna}, publisher={P}, location={Cham}", ["P, Cham", "LOOM 2018, Vienna"]),
    Case("B-10 a formula of ADS", "article", r"title={M$_{\ensuremath{\odot}}$ of looms}", ["M⊙ of looms"]),
    Case("B-10 a time of day", "software", "date={2021-12-31T00:00:00Z}, origdate={2020-01-01T00:00:00Z}", ["2020-01-01"], absent=["T00:00"]),
    Case("B-13 a URL in howpublished", "misc", "howpublished={http://a.example/how}", (), ["http://a.example/how"]),
    Case("B-16 HTML around a URL", "article", """url={doi:<a href="https://doi.org/10.1000/186">10.1000/186</a>}""", (), ["https://doi.org/10.1000/186"], ["href"]),
    Case("B-16 the DOI as URL of Paperpile", "article", "url={http://dx.doi.org/10.1000/187}", ["DOI"], ["https://doi.org/10.1000/187"], ["Link"]),
    Case("B-16 the fields of BibDesk and MDPI", "article", "eprint={2405.01237}, archiveprefix={arXiv}, arxivurl={http://arXiv.org/abs/2405.01237}, pubmedid={34696079}",
         (), ["https://arxiv.org/abs/2405.01237", "https://pubmed.ncbi.nlm.nih.gov/34696079/"], ["arXiv arXiv"]),
    Case("B-16 the fields of Zotero", "article", "title={On warps}, journal={Letters}, shortjournal={Lett.}, chapter={Research}, copyright={https://publisher.example/terms}, abstract={Abstract             The text.}",
         ["Letters, 2020", "Abstract The text."], absent=["Lett.)", "chap.", "Copyright"]),
    Case("B-16 a list of a sentence", "article", "author={Eva Moreau, Jan Klein, Ada Example}", ["Eva Moreau, Jan Klein, Ada Example"], codes=["bib-bad-value"]),
    Case("B-16 a note about access", "misc", "note={Accessed 2020. Best paper}", ["Best paper"]),
    Case("B-16 a type of a CV", "award", "title={Best weaver}, author={}, institution={Univ}", ["Univ, 2020"]),
    Case("B-16 a preprint as type", "article", "journal={arXiv preprint arXiv:2405.01238}, type={Preprint}", ["arXiv:2405.01238"]),
    Case("B-17 the pages of HAL", "article", "pages={pp.281-288 }", ["pp. 281–288"], absent=["pp. pp"]),
    Case("B-17 values that say none", "article", "slides={TBA}, website={N/A}, note={NA}", absent=["TBA", "N/A", "NA"]),
    Case("B-17 an award in two fields", "article", r"award={Best Paper Award}, awards={Best Talk}, note={\textbf{Best Paper Award}}", ["Best Paper Award", "Best Talk"], absent=["Award Best Paper"]),
    Case("B-17 the date of a repository", "misc", "publisher={Univ}, note={Accepted: 2023-09-18T12:02:53Z}", absent=["Accepted"]),
    Case("B-17 the owner in bold within braces", "article", r"author={{\textbf{Ada Example}}* and Eva Moreau*}", ["Ada Example*, Eva Moreau*"]),
    Case("B-17 a venue of its own", "misc", "title={A title}, venue={Looms Workshop}", ["Looms Workshop, 2020"]),
    Case("B-17 a note that repeats the DOI", "article", "doi={10.1000/188}, note={https://doi.org/10.1000/188}", ["2020 DOI"], ["https://doi.org/10.1000/188"]),
    Case("B-18 a subtitle after a question", "article", "title={Who weaves?}, subtitle={A study}", ["Who weaves? A study"]),
    Case("B-18 editions in other languages", "book", "edition={2., rev. Aufl.}, publisher={P}", ["2., rev. Aufl., P"], absent=["edition"]),
    Case("B-18 numbers with their own words", "report", "number={Publication No. 12}, institution={Lab}", ["Report, Publication No. 12, Lab"]),
    Case("B-18 the year after a publisher of ADS", "book", "publisher={Oxford: Press, 2020}", ["Oxford: Press, 2020"], absent=["2020, 2020"]),
    Case("B-18 a state as journal", "article", "title={A title}, journal={Submitted for review}", ["In submission · 2020"], absent=["Submitted"]),
    Case("B-18 a genre in lower case", "report", "type={policy brief}, institution={Lab}", ["Policy brief, Lab"]),
    Case("B-18 a date that is not exact", "book", "year={}, date={1490~}, publisher={P}", ["~1490"]),
    Case("B-18 a main title", "inbook", "title={Warps}, booktitle={Looms}, maintitle={Works}, volume={2}, publisher={P}", ["In Looms, Works, vol. 2"]),
    Case("B-18 an issue beside a number", "article", "number={3}, issue={Spring}", ["no. 3", "Issue", "Spring"]),
    Case("B-18 a decision of a court", "jurisdiction", "reporter={Rep.}, volume={2}, court={High Court}, number={[2020] HC 8}", ["Rep., vol. 2, [2020] HC 8"]),
    Case("B-18 people of biblatex-apa", "video", "namea={Moreau, Eva}, nameatype={Producer}", ["Eva Moreau (producer)"]),
    Case("B-18 collaborations of INSPIRE", "article", "author={Example, Ada}, collaboration={LOOM, WARP}", ["LOOM Collaboration, WARP Collaboration"]),
    Case("B-18 several editors", "book", "author={}, editor={Example, Ada and others}, publisher={P}", ["(eds.)"]),
    Case("B-18 a text after a URL", "misc", "url={http://a.example/x (accessed 2020-01-01)}", (), ["http://a.example/x"], codes=["bib-bad-value"]),
    Case("B-18 a publisher as journal", "book", "journal={Loom Press}, publisher={Loom Press}, address={Cham}", ["Loom Press, Cham, 2020"]),
    Case("B-18 an organization as publisher", "inproceedings", "title={A title}, booktitle={Looms}, organization={LOOM}, publisher={LOOM}", ["In Looms, LOOM, 2020"]),
    Case("B-18 a version with its letter", "dataset", "version={v1.2}, publisher={Depot}", ["version 1.2"]),
    Case("B-18 a standard", "standard", "author={}, number={LOOM 690:2020}, organization={Weavers}", ["Standard, LOOM 690:2020, Weavers"], absent=["no. LOOM"]),
    Case("B-18 a movie", "movie", "author={}, editor={Moreau, Eva}, editortype={director}", ["Eva Moreau (dir.)", "Movie"]),
    Case("B-18 the places of a conference and of its publisher", "inproceedings", "title={A title}, booktitle={Looms}, location={Rome}, publisher={P}, address={Cham}", ["P, Cham, 2020", "Event Rome"]),
    Case("B-18 a second venue", "misc", "title={A title}, journal={Letters}, booktitle={Looms}", ["Letters, 2020 Looms"]),
    Case("B-18 a made-up type", "preprint", "journal={arXiv:2405.01240}", ["arXiv:2405.01240"], ["https://arxiv.org/abs/2405.01240"]),
)  # fmt: skip


def format_entry(number: int, case: Case) -> str:
    """Return the entry of a case in one line, with the fields that each entry needs."""
    common = {"title": f"Title {number}", "author": "Example, Ada", "year": "2020"}
    if case.kind == "article":
        common["journal"] = "Letters"
    written = "".join(
        f"{name}={{{value}}}, " for name, value in common.items() if f"{name}={{" not in case.fields
    )
    return f"@{case.kind}{{key{number}, {written}{case.fields}}}"


ENDNOTE_ENTRY = """@article{endnote, title = {Of EndNote}, author = {Example, Ada}, journal = {Letters}, year = 2020,
  keywords = {*Animals/methods
Looms, Jacquard
Cards}, note = {Doe, Jane
eng
Research Support}}"""
"""An entry that needs several lines: the note has the record of PubMed, and each line a keyword."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Build a library with the entries of all cases."""
    root = tmp_path_factory.mktemp("library")
    entries = "\n".join(format_entry(number, case) for number, case in enumerate(CASES))
    write_files(
        root,
        f"-- content/profile.yaml --\nname: Ada Example\n-- bib/papers.bib --\n{entries}\n{ENDNOTE_ENTRY}\n",
    )
    return Built(build_site(root))


@pytest.mark.parametrize("number", range(len(CASES)), ids=[case.name for case in CASES])
def test_an_entry_is_shown_as_its_author_intends(library: Built, number: int) -> None:
    case = CASES[number]
    page = library.read_page(f"/publications/key{number}/").partition('class="bibtex')[0]
    words = visible_text(f"<body>{page.partition('<main')[2]}").partition(f"@{case.kind}{{")[0]
    assert [text for text in case.shown if text not in words] == [], words
    assert [url for url in case.urls if f'href="{url}"' not in page] == []
    assert [text for text in case.absent if text in words] == []
    problems = [problem for problem in library.build.problems if problem.place.line == number + 1]
    assert [problem.code for problem in problems] == list(case.codes)
    assert {problem.level for problem in problems} <= {"warning"}


def test_b14_the_year_is_left_out_only_where_it_was_read(tmp_path: Path) -> None:
    entries = (
        "@inproceedings{a, title={Looms}, author={Example, Ada}, booktitle={Advances in Weaving -- WEAVE '97}, year=1997, keywords={x}}\n"
        "@mastersthesis{b, title={Cards}, author={Example, Ada}, school={University}, abbr={TFM2021}, year=2021, keywords={x}}\n"
    )
    pages = "pages: [{path: /, sections: [{name: publications, tag: x, group: none}]}, {path: /publications/, sections: [publications]}]\n"
    write_files(
        tmp_path,
        f"-- content/profile.yaml --\nname: Ada Example\n-- site.yaml --\n{pages}-- bib/papers.bib --\n{entries}",
    )
    built = Built(build_site(tmp_path))
    for year, words in (("1997", "WEAVE ’97, 1997"), ("2021", "2021")):
        assert words in built.read_words("/").replace("(TFM2021)", ""), (
            "B-14: a short year and that of a label do not count"
        )
        line = built.read_words("/publications/").partition(f" {year} ")[2].partition("BibTeX")[0]
        assert f", {year}" not in line, "B-14: it is the heading of the list"


def test_b9_the_keywords_of_pubmed_in_endnote(library: Built) -> None:
    assert library.build.site is not None
    (paper,) = (paper for paper in library.site.publications if paper.key == "endnote")
    assert paper.tags == ("*Animals/methods", "Looms, Jacquard", "Cards")
