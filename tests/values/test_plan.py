"""The pages of a site, their content, and the numbers of entries."""

from collections.abc import Callable

import pytest
from conftest import Built, Sources

Make = Callable[[str], Sources]

BIB = """
-- bib/papers.bib --
@article{e, title={Echo}, author={Example*, Ada and Other*, Bob}, year={2022}, selected={true}, journal={J}}
@inproceedings{d, title={Delta}, author={Other, Bob and Example, Ada}, year={2021}, keywords={graphs}, booktitle={C}}
@article{c, title={Charlie}, author={Example, Ada}, year={2021}, journal={J}}
@article{b, title={Bravo}, author={Other*, Bob and Example*, Ada}, year={2020}, selected={true}, journal={J}}
@misc{a, title={Alpha}, author={Other, Bob}, year={2019}}
""".lstrip()


def list_numbers(built: Built, path: str) -> list[list[tuple[str, int | None]]]:
    """Return the keys and printed numbers of each list of a page."""
    from tenure.model.entries import Publication
    from tenure.plan.pages import plan_pages
    from tenure.problems import Problems

    page = plan_pages(built.site, Problems()).page_at(path)
    return [
        [(item.entry.key, item.number) for item in section.items if isinstance(item.entry, Publication)]
        for section in page.sections
    ]


def format_page_sections(options: str) -> str:
    return f"{BIB}-- site.yaml --\npages:\n  - path: /\n    sections:\n{options}"


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("publications", "edcba"),
        ("publications: {show: selected}", "eb"),
        ("publications: {show: first_author}", "ecb"),
        ("publications: {kind: article}", "ecb"),
        ("publications: {kind: [misc, inproceedings]}", "da"),
        ("publications: {tag: graphs}", "d"),
        ("publications: {without: graphs}", "ecba"),
        ("publications: {year: 2021}", "dc"),
        ("publications: {year: [2019, 2022]}", "ea"),
        ("publications: {limit: 2}", "ed"),
        ("publications: {order: oldest}", "abdce"),
        ("publications: {show: first_author, limit: 1}", "e"),
    ],
)
def test_filters(site: Make, option: str, expected: str) -> None:
    built = site(format_page_sections(f"      - {option}\n")).build()
    assert built.problems == []
    assert "".join(key for key, _ in list_numbers(built, "/")[0]) == expected


def test_numbers_continue_across_the_lists_of_a_page(site: Make) -> None:
    options = """\
      - publications: {title: First, show: first_author, number: descending}
      - publications: {title: All, show: rest, number: descending}
"""
    actual = list_numbers(site(format_page_sections(options)).build(), "/")
    assert actual == [[("e", 3), ("c", 2), ("b", 1)], [("d", 5), ("a", 4)]]


@pytest.mark.parametrize(
    ("options", "first", "second"),
    [
        ("number: ascending", [1, 2, 3], [4, 5]),
        ("number: descending", [3, 2, 1], [5, 4]),
        ("number: descending, restart: true", [3, 2, 1], [2, 1]),
        ("number: none", [None, None, None], [None, None]),
    ],
)
def test_numbering(site: Make, options: str, first: list[int | None], second: list[int | None]) -> None:
    settings = f"      - publications: {{title: A, show: first_author, {options}}}\n"
    settings += f"      - publications: {{title: B, show: rest, {options}}}\n"
    actual = [
        [number for _, number in part]
        for part in list_numbers(site(format_page_sections(settings)).build(), "/")
    ]
    assert actual == [first, second]


def test_the_filter_rest_selects_what_no_earlier_list_showed(site: Make) -> None:
    options = """\
      - publications: {title: A, show: selected}
      - publications: {title: B, show: rest, limit: 1}
      - publications: {title: C, show: rest}
"""
    actual = list_numbers(site(format_page_sections(options)).build(), "/")
    assert [[key for key, _ in part] for part in actual] == [["e", "b"], ["d"], ["c", "a"]]


def test_groups_by_year_and_by_kind(site: Make) -> None:
    page = site(
        format_page_sections(
            "      - publications: {group: year}\n      - publications: {title: K, group: kind}\n"
        )
    ).build()
    text = page.read_words("/")
    assert text.index("2022") < text.index("Echo") < text.index("2021") < text.index("Delta")
    assert "Journal articles" in text


def test_two_lists_by_year_have_unique_anchors(site: Make) -> None:
    options = "      - publications: {title: A, show: selected, group: year}\n"
    options += "      - publications: {title: B, show: rest, group: year}\n      - publications: {title: C, group: kind}\n"
    built = site(format_page_sections(options)).build()
    assert built.problems == []
    assert built.read_page("/").count(' id="year-2022') == 1


def test_a_section_whose_title_has_no_letters_has_an_anchor_from_its_name(site: Make) -> None:
    built = site(
        "-- site.yaml --\npages:\n  - path: /\n    sections: [{talks: {title: 🎤}}, {About_Me: {title: 🙂}}]\n"
        "-- content/talks.yaml --\n- A talk\n-- content/About_Me.md --\nI study.\n"
    ).build()
    assert built.problems == []
    assert [name for name in ("talks", "about-me", "") if f' id="{name}"' in built.read_page("/")] == [
        "talks",
        "about-me",
    ]


def test_default_pages_are_those_with_content(site: Make) -> None:
    built = site(f"{BIB}-- content/talks.yaml --\n- event: Seminar\n  place: Here\n").build()
    assert built.problems == []
    top = {path for path in built.paths if path.endswith("index.html") and path.count("/") <= 1}
    assert top == {"index.html", "publications/index.html", "talks/index.html", "cv/index.html"}
    assert [
        line
        for line in ("Home", "Publications", "Talks", "CV", "Teaching")
        if line in built.read_words("/404.html")
    ] == "Home Publications Talks CV".split()


def test_a_site_with_a_profile_alone_is_complete(site: Make) -> None:
    built = site("").build()
    assert built.problems == []
    assert "Ada Example" in built.read_words("/")
    assert "Publications" not in built.read_page("/")
    assert [path for path in built.paths if path.endswith(".html")] == ["404.html", "index.html"]


def test_empty_sections_are_omitted(site: Make) -> None:
    built = site("""-- content/talks.yaml --
-- content/awards.yaml --
[]
-- site.yaml --
pages:
  - path: /
    sections: [about, talks, awards, publications]
  - talks
  - publications
  - cv
""").build()
    assert built.problems == []
    assert [path for path in built.paths if path.endswith(".html")] == ["404.html", "index.html"]
    for word in ("Talks", "Awards", "Publications", "CV"):
        assert word not in built.read_words("/")


def test_each_publication_has_a_page(site: Make) -> None:
    built = site(BIB).build()
    for key in "abcde":
        assert f"publications/{key}/index.html" in built.paths
    assert "Echo" in built.read_words("/publications/e/")


def test_projects_have_contents_and_pages_where_they_have_a_text(site: Make) -> None:
    built = site("""-- content/projects/one.md --
---
title: One
date: February 2025
features: [Fast]
---
The whole story.
-- content/projects.yaml --
- title: Two
  date: 2024
  technologies: [C]
""").build()
    assert built.problems == []
    page = built.read_page("/projects/")
    assert 'href="#one"' in page
    assert 'href="#two"' in page
    assert "February 2025" in built.read_words("/projects/")
    assert "projects/one/index.html" in built.paths
    assert "projects/two/index.html" not in built.paths


def test_news_and_posts_have_archives(site: Make) -> None:
    news = "".join(f"- {{date: 20{n:02}, text: Event {n}}}\n" for n in range(10, 18))
    built = site(f"""-- content/news.yaml --
{news}-- content/posts/hello.md --
---
title: Hello
date: 2020-05-01
tags: [life]
---
A first word.
""").build()
    assert built.problems == []
    assert "Event 10" not in built.read_words("/")
    assert "Event 10" in built.read_words("/news/")
    assert built.read_words("/news/").index("Event 17") < built.read_words("/news/").index("Event 10")
    assert "Hello" in built.read_words("/posts/")
    assert "A first word." in built.read_words("/posts/hello/")


def test_pages_and_texts_of_the_site(site: Make) -> None:
    built = site("""-- content/pages/teaching-statement.md --
---
title: Teaching statement
---
## Why

Because.
-- content/vision.md --
---
title: Vision
---
Systems that last.
-- site.yaml --
pages:
  - path: /
    sections: [vision]
  - teaching-statement
""").build()
    assert built.problems == []
    assert "Systems that last." in built.read_words("/")
    assert "Because." in built.read_words("/teaching-statement/")
    assert '<h2 id="why"><a class="self" href="#why">Why</a></h2>' in built.read_page("/teaching-statement/")


def test_a_collection_of_an_unknown_name_is_a_section(site: Make) -> None:
    built = site("-- content/patents.yaml --\n- title: A machine\n  date: 1936\n- A bare line\n").build()
    assert built.problems == []
    assert "Patents" in built.read_words("/cv/")
    assert "A machine" in built.read_words("/cv/")
    assert "A bare line" in built.read_words("/cv/")


def test_one_entry_twice_on_a_page_has_one_anchor(site: Make) -> None:
    options = "      - publications: {title: Chosen, show: selected}\n      - publications: {title: All}\n"
    built = site(format_page_sections(options)).build()
    assert built.problems == []
    assert built.read_page("/").count('id="e"') == 1


def test_a_draft_is_left_out(site: Make) -> None:
    built = site("-- content/talks.yaml --\n- {title: Secret, draft: yes}\n- {title: Open}\n").build()
    assert "Secret" not in built.read_words("/talks/")
    assert "Open" in built.read_words("/talks/")


def test_menu_follows_the_list_of_pages(site: Make) -> None:
    built = site(f"""{BIB}-- content/talks.yaml --
- event: X
-- site.yaml --
pages:
  - talks
  - path: /papers/
    title: Papers
    sections: [publications]
  - {{path: /hidden/, title: Hidden, sections: [talks], menu: false}}
""").build()
    assert built.problems == []
    text = built.read_words("/404.html")
    assert text.index("Talks") < text.index("Papers")
    assert "Hidden" not in text
    assert "hidden/index.html" in built.paths
    assert "index.html" in built.paths


def test_teaching_by_term(site: Make) -> None:
    files = """
-- content/teaching.yaml --
- course: Compilers
  term: [Fall 2022, Fall 2023]
- course: Logic
  term: Spring 2023
- course: Systems
  term: Fall 2023
- course: Reading group
-- site.yaml --
pages:
  - teaching:
      sections:
        - teaching: {group: term, order: newest}
"""
    built = site(files.lstrip()).build()
    assert built.problems == []
    text = built.read_words("/teaching/").partition("Ada Example Teaching ")[2]
    assert text == (
        "Fall 2023 Compilers Fall 2022, Fall 2023 Systems Spring 2023 Logic Undated Reading group"
    ), built.read_words("/teaching/")
    assert 'id="term-fall-2023"' in built.read_page("/teaching/")


def test_redirects_lead_from_old_paths_to_pages(site: Make) -> None:
    built = site(
        """\
-- content/talks.yaml --
- title: Prefix caching
-- site.yaml --
url: https://example.org/lab/
redirects:
  /old/talk-1/: /talks/#prefix-caching
  Talks.html: /talks/
  /blog: https://blog.example.org/?a=1&b=2
"""
    ).build()
    assert built.problems == []
    assert built.read_words("/old/talk-1/") == "Talks"
    assert 'content="0; url=../../talks/#prefix-caching"' in built.read_page("/old/talk-1/")
    assert '<link rel="canonical" href="https://example.org/lab/talks/">' in built.read_page("/Talks.html")
    assert '<a href="talks/">Talks</a>' in built.read_page("/Talks.html")
    assert 'content="0; url=https://blog.example.org/?a=1&amp;b=2"' in built.read_page("/blog/")
    assert "/blog/" not in built.read_page("/sitemap.xml")


@pytest.mark.parametrize(
    ("text", "title", "body"),
    [
        ("# Colophon\n\nMade of files.\n", "Colophon", "Made of files."),
        ("## Why\n\nMade of files.\n", "Why", "Why Made of files."),
        ("---\ntitle: Mine\n---\n# Colophon\n\nMade of files.\n", "Mine", "Colophon Made of files."),
    ],
)
def test_a_free_page_without_a_title_has_its_first_heading(
    site: Make, text: str, title: str, body: str
) -> None:
    built = site(f"-- content/pages/colophon.md --\n{text}").build()
    assert built.problems == []
    page = built.read_page("/colophon/")
    assert f"<h1>{title}</h1>" in page
    assert f"{title} {body}" in built.read_words("/colophon/")
