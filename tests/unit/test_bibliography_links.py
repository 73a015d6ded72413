"""No link in a .bib file stops a build: an invalid URL is shown as text, and reported as a warning at its line."""

from collections.abc import Callable

from conftest import Built, Sources, visible_text

Make = Callable[[str], Sources]
ENTRY = """-- content/profile.yaml --
name: Ada Example
-- bib/papers.bib --
@article{first, title = {Trees}, author = {Example, Ada}, journal = {Tree Letters}, year = 2024}
@article{one,
  title = {Caches}, author = {Example, Ada}, journal = {Cache Letters}, year = 2024,
  FIELD
}
"""
ADDRESSES = [
    "/data/x.Snw",
    "/files/x.pdf",
    "x.pdf",
    "papers/z.pdf",
    "foo.html",
    "#frag",
    "?q=1",
    "zotero://select/items/1",
    "papers3://x",
    "file:///home/ada/x.pdf",
    "javascript:alert(1)",
    "/talks/",
    "/publications/two/",
]
"""URLs in a .bib file that lead nowhere."""


def build_entries(site: Make, values: list[str]) -> Built:
    """Build a site with one entry for each value; each value is on a line of its own."""
    entries = [
        f"@misc{{key{number}, title = {{Title {number}}}, author = {{Example, Ada}}, year = 2024,\n{value}}}\n"
        for number, value in enumerate(values)
    ]
    return site(
        "-- content/profile.yaml --\nname: Ada Example\n-- bib/papers.bib --\n" + "".join(entries)
    ).build()


def test_an_address_that_cannot_be_linked_is_shown_as_text(site: Make) -> None:
    fields = [(name, address) for name in ("url", "pdf", "website") for address in ADDRESSES]
    built = build_entries(site, [f"{name} = {{{address}}}" for name, address in fields])
    assert {problem.level for problem in built.build.problems} == {"warning"}
    assert [problem.place.line for problem in built.build.problems] == [2 * n + 2 for n in range(len(fields))]
    for number, (_, address) in enumerate(fields):
        assert built.site.publications[number].links == ()
        assert address in built.read_words(f"/publications/key{number}/")


def test_a_link_in_a_text_that_cannot_be_linked_leaves_its_label(site: Make) -> None:
    names = ("subtitle", "note", "addendum", "abstract", "howpublished", "publisher", "award")
    fields = [(name, address) for name in names for address in ADDRESSES]
    built = build_entries(
        site, [f"{name} = {{See \\href{{{address}}}{{the label}}}}" for name, address in fields]
    )
    assert {problem.level for problem in built.build.problems} == {"warning"}
    assert [problem.place.line for problem in built.build.problems] == [2 * n + 2 for n in range(len(fields))]
    for number, (_, address) in enumerate(fields):
        page = built.read_page(f"/publications/key{number}/")
        assert "See the label" in visible_text(page)
        assert f'href="{address}"' not in page


def test_links_of_a_text_lead_to_files_pages_and_other_sites(site: Make) -> None:
    note = r"\href{talk.pdf}{slides}, \href{/talks/}{talks}, \href{https://example.org/x}{home}, \href{//example.org/y}{again}"
    sources = site(
        ENTRY.replace("FIELD", f"note = {{{note}}}, url = {{/talks/}},")
        + "-- content/talks.yaml --\n- event: Seminar\n-- content/files/talk.pdf --\npdf\n"
    )
    built = sources.build()
    assert built.problems == []
    page = built.read_page("/publications/one/")
    for url in ("talk.pdf", "../../talks/", "https://example.org/x", "//example.org/y"):
        assert f'href="{url}"' in page


def test_a_wrong_path_in_content_stays_an_error(site: Make) -> None:
    overlay = "-- content/publications.yaml --\n- {key: one, links: {Talk: /talks/}}\n"
    built = site(ENTRY.replace("FIELD", "") + overlay).build()
    assert [(problem.code, problem.place.file) for problem in built.build.problems] == [
        ("broken-link", "content/publications.yaml")
    ]


def test_a_picture_that_cannot_be_shown_is_a_warning(site: Make) -> None:
    for value in ("file:///home/ada/x.png", "/img/x.png", "x.png", "javascript:x.png"):
        built = site(ENTRY.replace("FIELD", f"preview = {{{value}}},")).build()
        assert {problem.level for problem in built.build.problems} == {"warning"}, value
        assert not built.site.publications[1].image


def test_a_file_name_with_two_meanings_is_a_warning(site: Make) -> None:
    sources = site(ENTRY.replace("FIELD", "pdf = {x.pdf},") + "-- bib/a/x.pdf --\na\n-- bib/b/x.pdf --\nb\n")
    assert [(p.level, p.code) for p in sources.build().build.problems] == [("warning", "bib-bad-value")]


BROKEN_SITES = {
    "B-15 warnings": ENTRY.replace("journal = {Cache Letters}, ", "").replace("FIELD", "abstarct = {x}, doi = {x}, url = {/x},")
    + "-- content/about.md --\n[a](#b) ![c](https://example.org/d.png) @onr\n",
    "B-15 errors": ENTRY.replace("FIELD", "url = {zotero://x},")
    + "-- content/about.md --\n[a](b.pdf) [@nobody]\n-- content/talks.yaml --\n- evemt: Seminar\n-- site.yaml --\nthem: plate\n",
}  # fmt: skip
