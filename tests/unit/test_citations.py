"""Citations in text: their form, their list of references, and texts that are not citations."""

import re
from collections.abc import Callable

import pytest
from conftest import Built, Sources

from tenure.model.entries import Markdown, Point, Publication, Talk
from tenure.model.names import Author, Authors, Name
from tenure.plan.citations import CitationLibrary, iterate_markdown
from tenure.plan.pages import plan_pages
from tenure.problems import Problems

Make = Callable[[str], Sources]

BIB = r"""-- site.yaml --
checks: {ignore: [bib-missing-field]}
-- bib/papers.bib --
@article{one2024, title={One}, author={Example, Ada}, journal={J}, year={2024}}
@inproceedings{two2023, title={Why two?}, author={Li, Kai and van der Berg, Ann}, booktitle={C}, year={2023}}
@article{three:2022/x, title={Three $x^2$}, author={Dai, Y. and Li, K. and Pan, R.}, journal={J}, year={2022}}
@misc{others, title={Others}, author={Dai, Y. and others}}
@misc{group, title={A {[}B{]}}, author={{The ATLAS Collaboration}}, year={2020}}
@manual{nobody, title={Handbook}, year={2019}}
@book{edited, title={Edited}, editor={Li, Kai}, publisher={P}, year={2018}}
"""


def homepage_text(built: Built) -> str:
    """Return the HTML of the text on the homepage, with each link to a publication as [text|key]."""
    assert built.problems == []
    match = re.search(r'<div class="prose">\n(.*?)\n?</div>', built.read_page("/"), re.DOTALL)
    assert match
    return re.sub(
        r'<a href="publications/([^/"]*)/">(.*?)</a>', r"[\2|\1]", re.split("\n<(?:div|section)", match[1])[0]
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It pays [@one2024].", "It pays ([Example, 2024|one2024])."),
        ("It pays [@one2024, p. 3].", "It pays ([Example, 2024|one2024], p. 3)."),
        (
            "It pays [see @one2024, pp. 3–5, and after].",
            "It pays (see [Example, 2024|one2024], pp. 3–5, and after).",
        ),
        ("@one2024 shows it.", "[Example (2024)|one2024] shows it."),
        ("By @one2024.", "By [Example (2024)|one2024]."),
        ("Example [-@one2024] shows it.", "Example ([2024|one2024]) shows it."),
        ("[@one2024; @two2023]", "([Example, 2024|one2024]; [Li and van der Berg, 2023|two2023])"),
        ("[@three:2022/x]", "([Dai et al., 2022|three-2022-x])"),
        ("[@others]", "([Dai et al., n.d.|others])"),
        ("[@group]", "([The ATLAS Collaboration, 2020|group])"),
        ("[@nobody]", "([Handbook, 2019|nobody])"),
        ("[@edited]", "([Li, 2018|edited])"),
        ("**[@one2024]**", "<strong>([Example, 2024|one2024])</strong>"),
    ],
)
def test_citation_forms(site: Make, text: str, expected: str) -> None:
    assert homepage_text(site(f"{BIB}-- content/about.md --\n{text}\n").build()) == f"<p>{expected}</p>"


@pytest.mark.parametrize(
    "text",
    [
        "`[@one2024]`",
        "``a ` @one2024``",
        "```\n[@one2024]\n```",
        "~~~ python\n@one2024\n~~~",
        "ada@one2024.org",
        "<ada@one2024.org>",
        "$[@one2024]$",
        "$$@one2024$$",
        r"\@one2024",
        r"\[@somebody]",
        "[a](https://example.org/@one2024)",
        "https://example.org/@one2024",
        '<a href="https://example.org/" title="@one2024">a</a>',
        "@somebody",
        "[@ada](https://example.org/ada)",
    ],
)
def test_other_uses_of_at_are_not_citations(site: Make, text: str) -> None:
    built = site(f"{BIB}-- content/about.md --\n{text}\n").build()
    assert 'class="references"' not in built.read_page("/")
    assert "publications/one2024/" not in built.read_page("/").partition("Publications")[0]
    assert [code for code in built.codes if "citation" in code] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"a\\@b", r"a\@b"),
        (r"\\@one2024", r"\@one2024"),
        (r"\@one2024", "@one2024"),
        (r"\\[@one2024]", r"\([Example, 2024|one2024])"),
    ],
)
def test_an_escaped_backslash_before_a_citation_stays(site: Make, text: str, expected: str) -> None:
    assert homepage_text(site(f"{BIB}-- content/about.md --\n{text}\n").build()) == f"<p>{expected}</p>"


def test_money_is_not_a_formula(site: Make) -> None:
    text = "It costs $5 (as in [@one2024]) or $6."
    expected = "It costs $5 (as in ([Example, 2024|one2024])) or $6."
    assert homepage_text(site(f"{BIB}-- content/about.md --\n{text}\n").build()) == f"<p>{expected}</p>"


def test_a_text_lists_what_it_cites(site: Make) -> None:
    built = site(f"""{BIB}-- content/posts/first.md --
---
title: First
date: 2024
---
After [@two2023; @one2024] and @two2023, again [@three:2022/x; @others; @nobody].
""").build()
    assert built.problems == []
    page = built.read_page("/posts/first/")
    (listed,) = re.findall(
        r'<section class="references" aria-label="References">\n<ol>\n(.*?)\n</ol>\n</section>',
        page,
        re.DOTALL,
    )
    lines = [re.sub(r"<[^>]*>", "", line) for line in listed.split("\n")]
    assert [line.partition("Three")[0] for line in lines] == [
        "Kai Li, Ann van der Berg. Why two? C. 2023.",
        "Ada Example. One. J. 2024.",
        "Y. Dai, K. Li, R. Pan. ",
        "Y. Dai et al. Others. n.d.",
        "Handbook. 2019.",
    ]
    assert '<a href="../../publications/two2023/">Why two?</a> <em>C</em>.' in listed


def test_citations_in_inline_texts_have_no_reference_list(site: Make) -> None:
    built = site(f"""{BIB}-- content/talks.yaml --
- title: A talk on [@one2024]
  details: [Follows @two2023]
""").build()
    assert built.problems == []
    text = built.read_words("/talks/")
    assert "A talk on (Example, 2024)" in text
    assert "Follows Li and van der Berg (2023)" in text
    assert 'class="references"' not in built.read_page("/talks/")


def test_texts_of_publications_contain_no_citations(site: Make) -> None:
    built = site("""-- bib/papers.bib --
@article{one, title={Caches @one \\emph{[@one]}}, author={Example, Ada}, abstract={As in [@one], @home.}, journal={J@one}, year={2024}}
""").build()
    assert built.problems == []
    page = built.read_page("/publications/one/")
    assert 'class="references"' not in page
    assert "Caches @one [@one]" in built.read_words("/publications/one/")
    assert "As in [@one], @home." in built.read_words("/publications/one/")
    assert "Example, 2024" not in page


def test_a_publication_page_lists_the_pages_that_cite_it(site: Make) -> None:
    built = site(f"""{BIB}-- content/posts/first.md --
---
title: First
date: 2024
---
Both [@one2024; @two2023], and again [@one2024].
-- content/projects/caches.md --
---
title: Caches after @two2023
publications: [one2024]
---
See @one2024.
-- content/pages/method.md --
As in [@one2024].
""").build()
    assert built.problems == []
    plan = plan_pages(built.site, Problems())
    assert [(line.title, line.path) for line in plan.page_at("/publications/one2024/").mentions] == [
        ("Method", "/method/"),
        ("First", "/posts/first/"),
        ("Caches after Li and van der Berg (2023)", "/projects/caches/"),
    ]
    assert [line.path for line in plan.page_at("/publications/two2023/").mentions] == [
        "/posts/first/",
        "/projects/caches/",
    ]
    assert plan.page_at("/publications/others/").mentions == ()


WORDS = {
    "and_two": "{first} and {last}",
    "et_al": "et al.",
    "no_date": "n.d.",
    "comma": ", ",
    "semicolon": "; ",
}


def create_paper(*names: str, title: str = "T") -> Publication:
    people = tuple(Author(Name.parse(name)) for name in names)
    return Publication(key="k", kind="article", title=Markdown(title), authors=Authors(people))


def test_a_publication_without_a_page_is_cited_without_a_link() -> None:
    library = CitationLibrary({"k": create_paper("Ada Example")}, WORDS, lambda _: "")
    assert library.resolve_citations("[@k]").text == "(Example, n.d.)"
    assert library.format_reference(create_paper("Ada Example")) == "Ada Example. T. n.d."


def test_texts_are_found_in_every_field_that_has_one() -> None:
    points = (Point(text=Markdown("a"), points=(Point(text=Markdown("b")),)),)
    talk = Talk(title=Markdown("c"), place="not this", details=points, tags=("nor this",), body=Markdown("d"))
    assert {text for text in iterate_markdown(talk) if text} == {"a", "b", "c", "d"}
