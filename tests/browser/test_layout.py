"""The layout of pages: the first screen of a phone, cards, and formulas and code that are wide."""

from collections.abc import Callable, Iterator

import pytest
from chromium import Server
from conftest import Sources, select_daily
from matrix import THEMES, build_sample_site
from playwright.sync_api import Browser, Page, ViewportSize
from pypdfium2 import PdfDocument

PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 900}
TOP = "one => one.getBoundingClientRect().top + scrollY"
PAGE_HEIGHT = "document.documentElement.scrollHeight"

Visit = Callable[[str, str, ViewportSize], Page]


@pytest.fixture(params=select_daily(THEMES, lambda theme: theme == "classic"))
def visit_page(request: pytest.FixtureRequest, chromium: Browser, server: Server) -> Iterator[Visit]:
    """Return a function that opens a page in one theme and a window size; all themes extend the style of "base"."""
    theme = str(request.param)
    page = chromium.new_page()

    def open_page(site: str, path: str, size: ViewportSize) -> Page:
        home = server.add_site(f"{theme}.{site}.layout", build_sample_site(theme, site).artifacts)
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        page.goto(home + path)
        return page

    yield open_page
    page.close()


REPEAT_MENU = """() => {
    const list = document.querySelector("header.site ul");
    for (const item of [...list.children, ...list.children]) list.append(item.cloneNode(true));
}"""


def test_a_phone_shows_a_publication_on_the_first_screen(visit_page: Visit) -> None:
    page = visit_page("turing", "publications/", PHONE)
    assert page.locator(".pub").count() == 29
    assert page.locator(".pub").first.evaluate(TOP) < 530
    facet = page.locator(".facet").first
    assert not facet.is_visible()
    page.locator(".facets summary").click()
    assert facet.is_visible()
    page.goto(page.url + "?kind=article")
    assert facet.is_visible(), "a filter that is in use is shown"


def test_a_wide_window_folds_the_filters_as_well(visit_page: Visit) -> None:
    page = visit_page("turing", "publications/", DESK)
    assert page.locator(".facet").count() == 3
    assert not any(facet.is_visible() for facet in page.locator(".facet").all())
    page.locator(".facets summary").click()
    assert all(facet.is_visible() for facet in page.locator(".facet").all())


def test_people_are_cards_with_a_photo_or_initials(visit_page: Visit) -> None:
    page = visit_page("group", "people/", DESK)
    assert page.evaluate(PAGE_HEIGHT) <= 2300
    assert page.locator(".card").count() == 15
    boxes = [box for face in page.locator(".face").all() if (box := face.bounding_box())]
    assert {round(box["width"] / box["height"], 2) for box in boxes} == {1.0}
    assert len({round(box["y"]) for box in boxes}) <= 6, "the five cards of each role are two rows"
    assert page.locator("span.face").all_inner_texts() == ["LF", "IS", "AT", "C"]
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate(PAGE_HEIGHT) <= 2800


def test_cards_of_projects_show_their_images(visit_page: Visit) -> None:
    for path in ("", "projects/"):
        page = visit_page("group", path, DESK)
        boxes = [box for image in page.locator(".teaser").all() if (box := image.bounding_box())]
        assert [round(box["width"] / box["height"], 1) in (1.6, 1.8) for box in boxes] == [True] * 4
        rows = [
            [box for box in boxes if abs(box["x"] - one["x"]) > 40 and abs(box["y"] - one["y"]) < 40]
            for one in boxes
        ]
        assert {round(box["y"] - one["y"]) for one, row in zip(boxes, rows, strict=True) for box in row} <= {
            0
        }
        assert page.locator(".toc").count() == 0


def test_cards_of_projects_without_an_image_are_as_wide_as_their_column(visit_page: Visit) -> None:
    page = visit_page("group", "", DESK)
    page.locator(".teaser").evaluate_all("all => all.forEach(one => one.remove())")
    boxes = [box for title in page.locator(".projects .org").all() if (box := title.bounding_box())]
    assert len(boxes) >= 4
    assert min(box["width"] for box in boxes) > 100


def test_a_wide_formula_scrolls(visit_page: Visit) -> None:
    page = visit_page("group", "projects/tool0/", PHONE)
    formulas = page.locator(":has(> math[display=block])")
    assert formulas.count() > 0
    assert set(formulas.evaluate_all("all => all.map(one => getComputedStyle(one).overflowX)")) == {"auto"}
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_code_scrolls_and_shows_that_it_does(visit_page: Visit) -> None:
    page = visit_page("group", "projects/tool0/", PHONE)
    code = page.locator("pre")
    style = code.evaluate(
        "one => (({whiteSpace, overflowX, backgroundImage}) => [whiteSpace, overflowX, backgroundImage])(getComputedStyle(one))"
    )
    assert style[:2] == ["pre", "auto"]
    assert style[2].count("linear-gradient") == 2
    assert code.evaluate("one => one.scrollWidth > one.clientWidth && one.tabIndex === 0")
    page.emulate_media(media="print")
    assert code.evaluate("one => getComputedStyle(one).whiteSpace") == "pre-wrap"


def test_a_formula_stays_with_the_word_that_it_begins(visit_page: Visit) -> None:
    page = visit_page("group", "projects/tool0/", PHONE)
    words = page.locator(".prose .nowrap").first
    assert words.evaluate("one => [one.textContent, getComputedStyle(one).whiteSpace]") == [
        "λ\u2060-calculus.",
        "nowrap",
    ]


def test_what_a_text_folds_has_the_triangle_of_the_browser(visit_page: Visit) -> None:
    summary = visit_page("group", "projects/tool0/", PHONE).locator(".prose summary")
    assert summary.evaluate("one => getComputedStyle(one).display") == "list-item"


STYLE = "(one, name) => getComputedStyle(one)[name]"


def test_a_list_of_papers_is_dense(visit_page: Visit) -> None:
    page = visit_page("unpictured", "publications/", DESK)
    assert page.evaluate(PAGE_HEIGHT) <= 5_100
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate(PAGE_HEIGHT) <= 6_200
    years = page.locator(".group").evaluate_all(
        "groups => groups.flatMap(one => { const year = one.firstElementChild.textContent.trim();"
        " return [...one.querySelectorAll('.pub-venue')].filter(line => line.textContent.endsWith(year)); }).length"
    )
    assert years == 0, "the year of the heading is not repeated"


def test_the_name_of_a_single_author_is_not_bold_below_a_bold_title(visit_page: Visit) -> None:
    page = visit_page("unpictured", "publications/", DESK)
    alone = page.locator(".solo .me")
    assert alone.count() > 20
    assert {one.evaluate(STYLE, "fontWeight") for one in alone.all()} == {"400"}
    assert page.locator(".pub-authors:not(.solo) .me").first.evaluate(STYLE, "fontWeight") >= "600"
    author, venue = alone.first.bounding_box(), page.locator(".solo+.pub-venue").first.bounding_box()
    assert author is not None
    assert venue is not None
    if page.locator(".pub").first.evaluate(STYLE, "display") != "grid":
        assert abs(author["y"] - venue["y"]) < 8, "they are one line"


CONTRAST = """one => {
  const drawn = color => {
    const brush = document.createElement('canvas').getContext('2d', {colorSpace: 'srgb'});
    brush.fillStyle = color; brush.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...brush.getImageData(0, 0, 1, 1).data].map(v => v / 255)
      .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const [a, b] = [getComputedStyle(one).borderTopColor, getComputedStyle(document.body).backgroundColor].map(drawn).sort();
  return (b + .05) / (a + .05);
}"""


def test_the_borders_of_choices_are_seen(visit_page: Visit) -> None:
    page = visit_page("turing", "publications/", DESK)
    chip = page.locator(".facet input:not(:checked)+span").first
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        if chip.evaluate(STYLE, "borderTopWidth") == "1px":
            assert float(chip.evaluate(CONTRAST)) >= 3
        else:
            assert chip.evaluate(STYLE, "borderTopStyle") == "none", "a theme without chips"


def test_search_finds_words_where_they_begin_and_shows_what_was_found(visit_page: Visit) -> None:
    page = visit_page("turing", "publications/", DESK)
    page.get_by_role("searchbox").fill("logic")
    results = page.locator(".pub:visible")
    assert 5 < results.count() < 20
    assert page.locator(".pub:visible", has_text="Biological").count() == 0
    texts = [text.casefold() for text in results.all_inner_texts()]
    assert [text for text in texts if "logic" not in text] == []
    assert page.locator(".found-topics:visible").first.inner_text() == "Topic: logic"
    page.get_by_role("searchbox").fill("")
    assert page.locator(".found-topics:visible").count() == 0


def test_thumbnails_are_beside_their_publication(visit_page: Visit) -> None:
    page = visit_page("group", "publications/", PHONE)
    if not page.locator(".pictured").count():
        return
    title, image = (
        page.locator(f".pub:has(img.thumbnail) {part}").first.bounding_box()
        for part in (".pub-title", ".thumbnail")
    )
    assert title is not None
    assert image is not None
    assert abs(title["y"] - image["y"]) < 12
    page.set_viewport_size({"width": 1280, "height": 900})
    edges = page.evaluate(
        "[document.querySelector('img.thumbnail'), document.querySelector('.pubs')].map(one => one.getBoundingClientRect())"
        ".map(box => [box.left, box.right])"
    )
    if page.evaluate("getComputedStyle(document.body).getPropertyValue('--margin')") == "":
        assert min(abs(edges[0][0] - edges[1][0]), abs(edges[0][1] - edges[1][1])) < 1, (
            "the picture ends where the list ends, if it is not in a margin"
        )


GAP = """(() => {
  const [first, second] = [...document.querySelectorAll('.s-prose, .s-news')].map(one => one.getBoundingClientRect());
  const photo = (document.querySelector('.cover') ?? document.querySelector('.portrait'))?.getBoundingClientRect();
  return second.top - Math.max(first.bottom, photo?.bottom ?? 0);
})()"""


def test_contacts_beside_the_text_leave_no_gap_in_it(visit_page: Visit) -> None:
    assert 0 < visit_page("group", "", DESK).evaluate(GAP) < 90


def test_the_menu_is_one_line_or_has_lines_of_its_own(visit_page: Visit) -> None:
    page = visit_page("turing", "publications/", DESK)
    rows = "new Set([...document.querySelectorAll('header.site li')].map(one => Math.round(one.getBoundingClientRect().top))).size"
    assert page.evaluate(rows) == 1
    name = page.locator(".site-name")
    line_height = name.evaluate("one => parseFloat(getComputedStyle(one).lineHeight)")
    page.evaluate(REPEAT_MENU)
    assert page.evaluate("document.documentElement.scrollWidth") == DESK["width"], "a long menu is in lines"
    assert name.evaluate("one => one.offsetHeight") < 3 * line_height, "a long menu leaves room for the name"
    page.reload()
    for width in (390, 768):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(rows) <= 2
        lefts = page.locator("header.site li").evaluate_all(
            "all => Math.min(...all.map(one => one.getBoundingClientRect().left))"
        )
        assert abs(lefts - page.locator("h1").evaluate("one => one.getBoundingClientRect().left")) < 16


def test_a_printed_page_keeps_heads_together_and_has_no_links_to_other_pages(visit_page: Visit) -> None:
    page = visit_page("turing", "cv/", DESK)
    page.emulate_media(media="print")
    alone = page.locator(".entry header:last-child").all()
    assert {one.evaluate(STYLE, "breakAfter") for one in alone} == {"auto"}, "a list of heads can be broken"
    assert {one.evaluate(STYLE, "breakInside") for one in page.locator(".entry header").all()} == {"avoid"}
    for part in (".org", ".role"):
        heads = page.locator(f".section:not(:has(.brief)) .entry header:not(:last-child) {part}").all()
        assert {one.evaluate(STYLE, "breakAfter") for one in heads} == {"avoid"}
    page.goto(page.url.removesuffix("cv/"))
    assert page.locator(".h2row a").count() > 0
    assert page.locator(".h2row a:visible").count() == 0
    printed = PdfDocument(page.pdf(prefer_css_page_size=True, format="A4"))
    assert len(printed) <= 3


def test_the_link_to_the_content_covers_nothing(visit_page: Visit) -> None:
    page = visit_page("turing", "publications/", PHONE)
    page.keyboard.press("Tab")
    boxes = [page.locator(name).bounding_box() for name in (".skip", "header.site")]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["height"] >= 24
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"] + 1


UNFILLED = """[...document.querySelectorAll('.project .picture')].filter(one => {
  const parent = one.parentElement, width = one.getBoundingClientRect().width;
  const columns = getComputedStyle(parent).gridTemplateColumns.split(' ').map(parseFloat);
  return width < parent.clientWidth - 2 && !columns.some(column => Math.abs(column - width) < 2);
}).length"""


def test_pictures_are_as_wide_as_their_column_and_bars_as_long_as_their_numbers(visit_page: Visit) -> None:
    page = visit_page("turing", "projects/", DESK)
    pictures = page.locator(".project .picture[src$='.svg']")
    assert pictures.count() > 3
    assert page.evaluate(UNFILLED) == 0
    page.emulate_media(color_scheme="dark")
    assert pictures.first.evaluate(STYLE, "filter") == "none", "a picture is not dimmed"
    page = visit_page("arabic", "statistics/", DESK)
    bars = page.locator(".bar rect")
    assert bars.count() > 1
    rows = (
        page.locator(".statistic table")
        .last.locator("tbody tr")
        .evaluate_all(
            "rows => rows.map(row => [+row.children[2].textContent, row.querySelector('.bar rect').getBoundingClientRect().width])"
        )
    )
    shares = [width / count for count, width in rows]
    assert max(shares) - min(shares) < 1, "the length of a bar is its number"
    page.emulate_media(forced_colors="active")
    assert bars.first.evaluate(STYLE, "stroke") != "none"


def test_rows_of_a_phone_begin_with_their_date(visit_page: Visit) -> None:
    page = visit_page("turing", "talks/", PHONE)
    rows = page.locator(".dated>li:has(>.when)").evaluate_all(
        "rows => rows.map(row => ['.when', '.what'].map(part => row.querySelector(part).getBoundingClientRect()))"
        ".map(([date, words]) => [words.top - date.top, date.left - words.left])"
    )
    assert len(rows) > 5
    if all(down > 1 for down, _ in rows):
        assert {round(right) for _, right in rows} == {0}
    else:
        assert {right > 100 for _, right in rows} == {True}, "every date is at the end of its row"


def test_the_data_of_a_publication_are_alike_and_on_one_line(visit_page: Visit) -> None:
    page = visit_page("turing", "publications/turing1936computable/", DESK)
    topics = page.locator(".tags li")
    assert topics.count() == 2
    if topics.first.evaluate(STYLE, "backgroundColor") != "rgba(0, 0, 0, 0)":
        colors = page.locator(".tags :is(a,li:not(:has(a)))").evaluate_all(
            "all => [...new Set(all.map(one => getComputedStyle(one).color))]"
        )
        assert len(colors) == 1, "a topic with a page has the color of the others"
    lines = page.locator(".dated .when").evaluate_all(
        "all => all.map(one => { const range = document.createRange(); range.selectNodeContents(one);"
        " return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size; })"
    )
    assert lines == [1] * 4, "the venue and the year of a related publication are one line"
    page = visit_page("systems-phd-2026", "publications/", DESK)
    below = page.locator(".legend").evaluate(
        "one => one.nextElementSibling.getBoundingClientRect().top - one.getBoundingClientRect().bottom"
    )
    assert 4 <= below <= 44, "the legend is near its list, and apart from it"
    page = visit_page("projects-page", "projects/", DESK)
    gaps = page.locator(".points+.note").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().top - one.previousElementSibling.getBoundingClientRect().bottom)"
    )
    assert gaps
    assert min(gaps) >= 7, "the venue is apart from the last point"


def test_the_button_that_copies_covers_no_word_of_the_code(visit_page: Visit) -> None:
    page = visit_page("arabic", "publications/layla2024/", DESK)
    gap, above = page.evaluate(
        """() => { const range = document.createRange(), code = document.querySelector('.bib pre');
        const text = document.createTreeWalker(code, NodeFilter.SHOW_TEXT).nextNode();
        range.setStart(text, 0); range.setEnd(text, 5);
        const line = range.getBoundingClientRect(), button = document.querySelector('.bib button').getBoundingClientRect();
        return [button.left - line.right, button.top - code.getBoundingClientRect().top]; }"""
    )
    assert gap > 0
    assert above > 0, "the button is within the box of the code"


BARE = """all => all.filter(one => { const style = getComputedStyle(one);
  if (parseFloat(style.outlineWidth) > 0 && style.outlineStyle === 'solid') return false;
  return !(parseFloat(style.borderTopWidth) > 0 && style.borderTopStyle === 'solid' && style.borderTopColor !== 'rgba(0, 0, 0, 0)'); })
  .map(one => one.className || one.tagName)"""
MARKED = """one => { const style = getComputedStyle(one);
  return [style.outlineStyle, style.textDecorationLine, style.fontWeight, style.borderBottomColor].join(); }"""


def test_forced_colors_keep_the_edges_of_boxes_and_the_marks_of_choices(visit_page: Visit) -> None:
    page = visit_page("turing", "publications/turing1952morphogenesis/", DESK)
    page.emulate_media(forced_colors="active")
    assert page.locator(".buttons a, pre").count() == 3
    assert page.locator(".buttons a, pre").evaluate_all(BARE) == []
    links = page.locator("header.site li a")
    assert links.nth(1).evaluate(MARKED) != links.nth(2).evaluate(MARKED), "the page that is shown is marked"
    page = visit_page("turing", "publications/", DESK)
    page.locator(".facets summary").click()
    chips = page.locator(".facet").first.locator("label")
    marks = {
        frozenset(chip.locator("xpath=descendant-or-self::*").evaluate_all(f"all => all.map({MARKED})"))
        for chip in (chips.nth(0), chips.nth(1))
    }
    is_native = page.locator(".facet input").first.evaluate("one => getComputedStyle(one).opacity") == "1"
    assert len(marks) == (1 if is_native else 2), "the choice that is made is marked, also without its box"
    page = visit_page("group", "people/", DESK)
    assert page.locator("span.face").evaluate_all(BARE) == []


def test_a_chosen_dark_mode_survives_a_link(visit_page: Visit) -> None:
    """The policy of each page allows the script in its head that reads the choice."""
    page = visit_page("turing", "", DESK)
    page.locator("#theme-switch").click()
    chosen = page.evaluate("document.documentElement.dataset.theme")
    page.locator("header.site nav a", has_text="Publications").first.click()
    page.wait_for_load_state()
    assert page.url.endswith("publications/")
    assert page.evaluate("document.documentElement.dataset.theme") == chosen == "dark"


def test_the_buttons_are_at_the_top_beside_a_long_name(visit_page: Visit) -> None:
    page = visit_page("portrait", "talks/", PHONE)
    for width in (320, 390, 768, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        box = page.locator("#theme-switch").bounding_box()
        assert box is not None
        assert box["y"] < 90
        assert box["x"] + box["width"] <= width
        covered = page.locator("header.site :is(li a,.site-name)").evaluate_all(
            "(all, box) => all.map(one => [one.getBoundingClientRect(), one.closest('nav')?.getBoundingClientRect().right ?? 9999])"
            ".map(([{left, right, top, bottom}, end]) => ({left, top, bottom, right: Math.min(right, end)}))"
            ".filter(one => one.right > box.x + 4"
            " && one.left < box.x + box.width - 4 && one.bottom > box.y + 4 && one.top < box.y + box.height - 4).length",
            box,
        )
        assert covered == 0


LISTS = """\
-- site.yaml --
theme: {{name: {theme}, publications_view: thumbnails}}
pages: [home, publications, {{path: lists, title: Lists, sections: [grants, memberships]}}]
-- content/profile.yaml --
name: Ada Example
links: [https://github.com/ada]
location: 4 Harbour Street
-- content/grants.yaml --
- {{title: Caches, date: 2021}}
-- content/memberships.yaml --
- {{organization: ACM, role: Member, start: 2010, end: 2015, location: Rome, details: [Chair]}}
-- content/publications/a.svg --
<svg xmlns="http://www.w3.org/2000/svg" width="80" height="50"/>
-- bib/papers.bib --
@article{{a, title={{A}}, author={{Example, Ada}}, year=2024, preview={{a.svg}}}}
@article{{b, title={{A title that fills the box up to the button}}, author={{Example, Ada}}, year=2023}}
"""


@pytest.mark.parametrize(
    "theme",
    select_daily(
        [theme for theme in THEMES if theme not in ("base", "plain")], lambda theme: theme == "folio"
    ),
)
def test_lists_look_alike_whatever_their_keys(
    site: Callable[[str], Sources], theme: str, chromium: Browser, server: Server
) -> None:
    home = server.add_site(f"{theme}.alike", site(LISTS.format(theme=theme)).build().build.artifacts)
    page = chromium.new_page(viewport=DESK)
    page.goto(home)
    assert page.locator(".contact li:last-child > .icon").is_visible(), (
        "no icon of a link is before the address"
    )
    page.goto(home + "lists/")
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        boxes = [page.locator(name).bounding_box() for name in (".when", ".dates", ".what", ".entry .org")]
        line, entry, line_text, entry_text = (
            [box["x"], box["x"] + box["width"], box["y"]] if box else [] for box in boxes
        )
        assert line[0] == entry[0] or line[1] == entry[1]
        assert line_text[0] == entry_text[0]
        is_above = [dates[2] < text[2] - 9 for dates, text in ((line, line_text), (entry, entry_text))]
        assert is_above in ([True, True], [False, False])
    page.goto(home + "publications/")
    assert page.locator(".thumbnail").count() == 1, "a publication without a picture has no box"
    page.set_viewport_size(DESK)
    page.goto(home + "publications/b/")
    assert page.locator(".bib pre").evaluate("box => box.scrollWidth <= box.clientWidth")
    page.close()
