"""Publications from bib/ to their pages: inherited fields, content/publications.yaml, lists, people and files."""

from collections.abc import Callable

from conftest import Built, Sources

from tenure.model.entries import Publication

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


def test_an_edit_of_a_parent_changes_the_bibtex_of_its_children(site: Make) -> None:
    """The cached part of an entry does not include inherited fields."""
    sources = site(CHILDREN)
    sources.build()
    (sources.root / "bib/papers.bib").write_text(
        CHILDREN.partition("papers.bib --\n")[2].replace("Roe, Jo", "Poe, Jo")
    )
    assert "Poe, Jo" in sources.build().read_page("/publications/one/")
