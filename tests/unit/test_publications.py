"""Publications from bib/ to their pages: inherited fields, content/publications.yaml, lists, people and files."""

from collections.abc import Callable

import pytest
from conftest import Built, Sources

from tenure.model.entries import Publication
from tenure.model.file_index import FileIndex
from tenure.site_folder import BibCounts

Make = Callable[[str], Sources]

ONE = (
    "-- bib/papers.bib --\n@article{one, title={One}, author={Example, Ada}, journal={J}, year={2024}, %s}\n"
)
"""A publication, with a placeholder for more fields."""


def find_paper(built: Built, key: str) -> Publication:
    """Return the publication with a key; fail if a problem was reported."""
    assert built.problems == []
    (result,) = (paper for paper in built.site.publications if paper.key == key)
    return result


def list_keys(built: Built, collection: str = "publications") -> list[str]:
    result = built.site.collections[collection].entries
    return [entry.key for entry in result if isinstance(entry, Publication)]


def list_links(publication: Publication) -> list[tuple[str, str]]:
    return [(link.label, link.url) for link in publication.links]


# inheritance


def test_an_entry_shows_what_it_inherits_across_files(site: Make) -> None:
    built = site("""-- bib/macros.bib --
@string{acm = {ACM Press}}
-- bib/papers.bib --
@inproceedings{dai, title={Apparate}, author={Example, Ada}, crossref={sosp24}, xdata={acm}}
-- bib/volumes.bib --
@proceedings{sosp24, title={The 30th Symposium}, year={2024}, editor={Li, Kai}, publisher=acm}
@xdata{acm, address={Austin}}
""").build()
    assert built.codes == []
    assert [note.partition("info: ")[2].partition("\n")[0] for note in built.notes] == [
        "“sosp24” is shown inside the entries that refer to it",
        "“acm” is data for other entries",
    ]
    (actual,) = built.site.publications
    assert (actual.venue.name, actual.venue.publisher, actual.venue.location) == (
        "The 30th Symposium",
        "ACM Press",
        "Austin",
    )
    assert actual.date is not None
    assert actual.date.year == 2024
    assert "In The 30th Symposium" in built.read_words("/publications/dai/")
    assert built.build.bib_counts == {
        "bib/macros.bib": BibCounts(0, 0),
        "bib/papers.bib": BibCounts(1, 1),
        "bib/volumes.bib": BibCounts(2, 0),
    }
    assert "publications/sosp24/index.html" not in built.paths


@pytest.mark.parametrize("mine", ["editor={Example, Ada}", "author={Example, A.}"])
def test_a_volume_edited_by_the_owner_is_shown_with_its_chapters(site: Make, mine: str) -> None:
    built = site(f"""-- bib/papers.bib --
@incollection{{part, title={{A Part}}, author={{Other, Bob}}, crossref={{whole}}}}
@book{{whole, title={{The Whole}}, year={{2024}}, {mine}, publisher={{P}}}}
""").build()
    assert built.problems == []
    assert list_keys(built) == ["part", "whole"]


def test_every_entry_is_shown_or_reported(site: Make) -> None:
    built = site("""-- bib/papers.bib --
@article{a, title={A}, author={Example, Ada}, year={2024}}
@article{b, author={Example, Ada}}
@article{broken, title={Broken
@set{s, entryset={a,b}}
@inproceedings{c, title={C}, crossref={p}}
@proceedings{p, title={P}}
@article{draft, title={D}, year={2020}}
-- content/publications.yaml --
- {key: draft, draft: yes}
""").build()
    (count,) = built.build.bib_counts.values()
    assert count.entry_count == count.shown_count + count.reported_count == 7
    assert count.shown_count == len(built.site.publications) == len(list_keys(built))
    assert "draft" not in list_keys(built)


def test_a_key_in_two_files_is_reported_and_both_entries_are_shown(site: Make) -> None:
    built = site("""-- bib/a.bib --
@misc{x, title={First}, year={2024}}
-- bib/b.bib --
@misc{x, title={Second}, year={2023}}
-- content/publications.yaml --
- {key: x, selected: yes}
""").build()
    assert built.codes == ["bib-duplicate-key"]
    assert [(p.title, p.id, p.selected) for p in built.site.publications] == [
        ("First", "x", True),
        ("Second", "x-2", False),
    ]


# content/publications.yaml


def test_overlay_fields_replace_or_add(site: Make) -> None:
    fields = """abbr={J}, award={Best Paper}, keywords={caches}, note={Old}, pdf={https://example.org/old.pdf},
  poster={https://example.org/poster}, selected={true}"""
    built = site(f"""{ONE % fields}-- content/publications.yaml --
- key: one
  selected: no
  awards: [Best Paper, Test of Time]
  tags: prefixes, caches
  note: New *note*
  abbr: J '24
  status: accepted
  image: https://example.org/new.png
  image_alt: Two trees
  pdf: https://example.org/new.pdf
  code: github.com/ada/one
  video: https://example.org/video
  links: {{demo: https://example.org/demo, again: https://example.org/poster}}
""").build()
    publication = find_paper(built, "one")
    assert not publication.selected
    assert publication.awards == ("Best Paper", "Test of Time")
    assert publication.tags == ("caches", "prefixes")
    assert (publication.note, publication.venue.short, publication.status) == (
        "New *note*",
        "J '24",
        "accepted",
    )
    assert (publication.image, publication.image_alt) == ("https://example.org/new.png", "Two trees")
    assert list_links(publication) == [
        ("PDF", "https://example.org/new.pdf"),
        ("Code", "https://github.com/ada/one"),
        ("Poster", "https://example.org/poster"),
        ("Video", "https://example.org/video"),
        ("Demo", "https://example.org/demo"),
        ("Again", "https://example.org/poster"),
    ]
    assert "Test of Time" in built.read_words("/publications/")


def test_a_draft_is_on_no_page(site: Make) -> None:
    built = site(f"""{ONE % ""}@misc{{two, title={{Two}}, author={{Example, Ada}}, year={{2023}}}}
-- content/publications.yaml --
- one: {{draft: yes}}
-- content/projects.yaml --
- title: A project
  publications: [one, two]
""").build()
    assert built.problems == []
    assert list_keys(built) == ["two"]
    assert "publications/one/index.html" not in built.paths


# lists from .bib files of their own

PRESS = """-- bib/papers.bib --
@article{one, title={One}, author={Example, Ada}, journal={J}, year={2024}}
-- bib/press.bib --
@online{late, title={Caches Late}, author={Reporter, Ann}, year={2023}, url={https://example.org/late}, abstract={A story.}}
@online{soon, title={Caches Soon}, year={2025}, pdf={soon.pdf}, website={https://example.org/soon}}
@online{bare, title={Caches Bare}, year={2022}}
-- bib/soon.pdf --
(a file)
-- site.yaml --
pages:
  - path: /
    sections:
      - press: {bib: press.bib, title: In the press}
      - publications
  - publications
  - press
  - cv
"""


def test_a_section_of_a_bib_file_is_a_list_of_its_own(site: Make) -> None:
    built = site(PRESS).build()
    assert built.problems == []
    assert list_keys(built) == ["one"]
    assert list_keys(built, "press") == ["soon", "late", "bare"]
    assert not any(path.startswith(("publications/late", "publications/soon")) for path in built.paths)
    assert "Caches Late" not in built.read_words("/publications/")
    assert "In the press" in built.read_words("/")
    assert "In the press" in built.read_words("/cv/")
    assert built.read_words("/press/").count("Caches") == 3
    assert built.build.bib_counts["bib/press.bib"] == BibCounts(3, 3)


def test_an_entry_without_a_page_links_to_its_first_link(site: Make) -> None:
    page = site(PRESS).build().read_page("/")
    assert '<a href="https://example.org/late">Caches Late</a>' in page
    assert '<a href="bib/soon.pdf">Caches Soon</a>' in page
    assert '<h3 class="pub-title">Caches Bare</h3>' in page
    assert "A story." in page


def test_two_lists_may_share_a_file_and_one_may_have_several(site: Make) -> None:
    built = site("""-- bib/talks.bib --
@misc{a, title={Alpha}, year={2024}, keywords={invited}}
@misc{b, title={Beta}, year={2023}}
-- bib/more/posters.bib --
@misc{c, title={Gamma}, year={2022}}
-- site.yaml --
pages:
  - path: /
    sections:
      - invited: {bib: talks.bib, tag: invited}
      - talks: {bib: [talks.bib, posters.bib], limit: 2}
  - talks
""").build()
    assert built.problems == []
    assert "publications" not in built.site.collections
    assert list_keys(built, "invited") == ["a", "b"]
    assert list_keys(built, "talks") == ["a", "b", "c"]
    assert "Beta" not in built.read_words("/").partition("Talks")[0]
    assert "Gamma" in built.read_words("/talks/")


# co-authors


@pytest.mark.parametrize(
    "people",
    [
        "Kai Li: https://example.org/kai/\n",
        "- {name: Kai Li, url: https://example.org/kai/}\n",
        "- Kai Li: https://example.org/kai/\n",
        "K. Lee: {url: https://example.org/kai/, aliases: [Kai Li]}\n",
        "- {name: K. Lee, alias: 'Li, Kai', url: https://example.org/kai/}\n",
    ],
)
def test_coauthors_are_links_under_every_spelling(site: Make, people: str) -> None:
    built = site(f"""-- bib/papers.bib --
@article{{one, title={{One}}, author={{Li, Kai and Example, Ada and K\\'{{a}}i Li and Other, Bob}},
  journal={{J}}, year={{2024}}}}
-- content/coauthors.yaml --
{people}""").build()
    assert [author.url for author in find_paper(built, "one").authors.people] == [
        "https://example.org/kai/",
        "",
        "https://example.org/kai/",
        "",
    ]
    link = '<a class="person" href="https://example.org/kai/">'
    assert built.read_page("/publications/").count(link) == 2
    assert built.read_page("/publications/one/").count(link) == 2


@pytest.mark.parametrize("theme", ["base", "classic", "folio", "plain"])
def test_advisors_mentors_and_hosts_are_links_as_coauthors_are(site: Make, theme: str) -> None:
    built = site("""-- content/coauthors.yaml --
Kai Li: {url: "https://example.org/kai_(li)/", aliases: [K. Li]}
-- content/education.yaml --
- institution: School
  advisors: [Prof. Kai Li (MIT), Bob Other, "[K. Li](https://example.org/mine/)"]
-- content/experience.yaml --
- {organization: Lab, advisor: Dr. Kai Li, mentor: "Li, Kai"}
-- content/talks.yaml --
- {title: Talk, event: Seminar, host: K. Li}
""").build(theme=theme)
    assert built.problems == []
    link = '<a href="https://example.org/kai_(li)/">'
    page = built.read_page("/cv/")
    assert f"Prof. {link}Kai Li</a> (MIT), Bob Other, and" in page
    assert '<a href="https://example.org/mine/">K. Li</a>' in page
    assert f"Dr. {link}Kai Li</a>" in page
    assert f"{link}Li, Kai</a>" in page
    assert f"{link}K. Li</a>" in page


# files


def test_files_are_copied_beside_the_page(site: Make) -> None:
    fields = (
        "pdf={one.pdf}, slides={./2024/sl\\_ides.pdf\\#page=2}, poster={bib/post er.pdf}, preview={tree.svg}"
    )
    built = site(f"""{ONE % fields}-- bib/one.pdf --
pdf
-- content/files/2024/sl_ides.pdf --
slides
-- content/files/2023/sl_ides.pdf --
others
-- content/images/tree.svg --
<svg xmlns='http://www.w3.org/2000/svg'/>
-- content/publications.yaml --
- {{key: one, image_alt: A tree}}
-- bib/unused.pdf --
unused
""")
    (built.root / "bib/post er.pdf").write_text("poster")
    result = built.build()
    publication = find_paper(result, "one")
    assert list_links(publication) == [
        ("PDF", "/publications/one/one.pdf"),
        ("Slides", "/publications/one/sl_ides.pdf#page=2"),
        ("Poster", "/publications/one/post%20er.pdf"),
    ]
    assert publication.image == "/publications/one/tree.svg"
    files = {a.path: a.read() for a in result.build.artifacts if a.path.startswith("publications/one/")}
    for name in ("index.html", "one.bib"):
        assert files.pop(f"publications/one/{name}")
    assert files == {
        "publications/one/one.pdf": b"pdf\n",
        "publications/one/sl_ides.pdf": b"slides\n",
        "publications/one/post er.pdf": b"poster",
        "publications/one/tree.svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>\n",
    }
    assert 'href="publications/one/one.pdf"' in result.read_page("/")
    assert 'href="one.pdf"' in result.read_page("/publications/one/")
    assert [path for path in result.paths if path.startswith("bib/")] == []
    assert "files/2024/sl_ides.pdf" in result.paths


def test_a_file_in_bib_is_on_the_site_where_something_links_to_it(site: Make) -> None:
    sources = site(f"""{ONE % "pdf={one.pdf}"}-- bib/one.pdf --
pdf
-- bib/deep/notes.pdf --
notes
-- content/about.md --
Nothing yet.
""")
    assert [path for path in sources.build().paths if path.startswith("bib/")] == []
    built = sources.edit_files(
        "-- content/about.md --\nMy [notes](notes.pdf) and [paper](one.pdf).\n"
    ).build()
    assert built.problems == []
    assert [path for path in built.paths if path.startswith("bib/")] == ["bib/deep/notes.pdf", "bib/one.pdf"]
    assert 'href="bib/deep/notes.pdf"' in built.read_page("/")


def test_urls_of_other_hosts_and_of_the_site_are_unchanged(site: Make) -> None:
    fields = "pdf={https://example.org/one.pdf}, website={/talks/}, code={github.com/ada/one}"
    built = site(f"{ONE % fields}-- content/talks.yaml --\n- event: Seminar\n").build()
    assert list_links(find_paper(built, "one")) == [
        ("PDF", "https://example.org/one.pdf"),
        ("Code", "https://github.com/ada/one"),
        ("Website", "/talks/"),
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a/x.pdf", ("a/x.pdf",)),
        ("./a/x.pdf", ("a/x.pdf",)),
        ("x.pdf", ("a/x.pdf", "b/x.pdf")),
        ("y.pdf", ("b/c/y.pdf",)),
        ("c/y.pdf", ("b/c/y.pdf",)),
        (".pdf", ()),
        ("", ()),
        ("X.pdf", ()),
        ("z.pdf", ("z.pdf",)),
    ],
)
def test_files_are_found_by_path_or_its_end(name: str, expected: tuple[str, ...]) -> None:
    assert FileIndex(["a/x.pdf", "b/x.pdf", "b/c/y.pdf", "z.pdf", "d/z.pdf"]).find_paths(name) == expected


@pytest.mark.parametrize(
    ("entries", "order"),
    [
        ("@misc{a,title={A},year=2020}@misc{b,title={B},year=2022}", "ba"),
        ("@misc{a,title={A},year=2020,month=jan}@misc{b,title={B},year=2020,month=dec}", "ab"),
        ("@misc{a,title={A}}@misc{b,title={B},year=1999}", "ba"),
        ("@misc{a,title={A},year=2030}@misc{b,title={B},year={in press}}", "ba"),
        ("@misc{a,title={A},year=2030}@misc{b,title={B},year={im Erscheinen}}", "ba"),
        ("@misc{a,title={A},year=2030}@misc{b,title={B},year={à paraître}}", "ba"),
        ("@misc{a,title={A},year={19XX}}@misc{b,title={B},year=1850}", "ba"),
    ],
)
def test_newest_year_first_then_the_order_of_the_file(site: Make, entries: str, order: str) -> None:
    text = entries.replace("}@", "}\n@")
    built = site(f"-- bib/papers.bib --\n{text}\n").build()
    assert "".join(paper.key for paper in built.site.publications) == order


CHILDREN = r"""-- site.yaml --
schema: 1
url: https://ada.example.org/
records: [bibtex]
-- bib/papers.bib --
@string{acm = {ACM Press}}
@string{sosp = {SOSP}}
@proceedings{book, title={The Book}, editor={Roe, Jo}, owner={me}, publisher=acm, year=2024}
@inproceedings{one, title={One}, author={Example, Ada}, crossref={book}, series=sosp}
@inproceedings{two, title={Two}, author={Example, Ada}, crossref={BOOK}, publisher=acm}
@misc{three, title={Three}, author={Example, Ada}, year=2023}
"""


def test_the_bibtex_of_an_entry_includes_its_parent(site: Make) -> None:
    """BibTeX finds a parent only after its children."""
    built = site(CHILDREN).build()
    parent = "@proceedings{book, title={The Book}, editor={Roe, Jo}, publisher=acm, year=2024}\n"
    item = "@inproceedings{one, title={One}, author={Example, Ada}, crossref={book}, series=sosp}\n"
    two = "@inproceedings{two, title={Two}, author={Example, Ada}, crossref={BOOK}, publisher=acm}\n"
    three = "@misc{three, title={Three}, author={Example, Ada}, year=2023}\n"
    acm, sosp = "@string{acm = {ACM Press}}\n", "@string{sosp = {SOSP}}\n"
    alone = f"{sosp}\n{item}\n{acm}\n{parent}"
    files = {path: built.read_page(f"/{path}") for path in built.paths if path.endswith(".bib")}
    assert alone in files.values()
    assert three in files.values()
    assert f"{sosp}\n{item}\n{acm}\n{two}\n{three}\n{parent}" in files.values()


def test_an_edit_of_a_parent_changes_the_bibtex_of_its_children(site: Make) -> None:
    """The cached part of an entry does not include inherited fields."""
    sources = site(CHILDREN)
    sources.build()
    (sources.root / "bib/papers.bib").write_text(
        CHILDREN.partition("papers.bib --\n")[2].replace("Roe, Jo", "Poe, Jo")
    )
    assert "Poe, Jo" in sources.build().read_page("/publications/one/")
