"""The only element in which two versions of a page differ."""

import pytest

from tenure.server.snapshot import MAX_ELEMENT_LENGTH, ChangedElement, find_changed_element

PAGE = (
    '<head><script type="application/ld+json">{LD}</script></head><ul>\n'
    '<li id="a"><h3>First é</h3></li>\n<li class="é" id="b"><h3>{TITLE}</h3><br><svg><path d="M0"/></svg></li>\n'
    '<li id="c"><p>Last</p></li></ul><p>{END}</p>'
)


def make_page(title: str, json_ld: str = "", end: str = "") -> bytes:
    return PAGE.replace("{TITLE}", title).replace("{LD}", json_ld).replace("{END}", end).encode()


def make_item(title: str) -> str:
    return PAGE.partition("é</h3></li>\n")[2].partition("\n")[0].replace("{TITLE}", title)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Title", "Other title"),
        ("Tïtle", "Tîtle"),  # the first byte of both letters is the same
        ("Title", ""),
        ("Title", "Title Title"),
        ("T", 'T <a href="/x/" title="a > b">y</a>'),
        ("<em>T</em>", "T"),
    ],
)
def test_one_changed_element_is_found(old: str, new: str) -> None:
    changed = find_changed_element(make_page(old, '{"name": 1}'), make_page(new, '{"name": 22}'))
    assert changed == ChangedElement(make_item(old), make_item(new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (make_page("same"), make_page("same")),
        (make_page("same", "1"), make_page("same", "2")),  # nothing that a reader sees
        (make_page("a", end="1"), make_page("b", end="2")),  # two places without an element around both
        (make_page("T"), make_page("<b>T")),  # a browser makes the rest of the page bold
        (make_page("T"), make_page("<b/>T")),
        (make_page("T"), make_page("T</li>")),
        (make_page("T"), make_page("T<!-- and all that follows")),
        (make_page("T"), make_page("<textarea>T")),
        (make_page("T"), make_page("T" * MAX_ELEMENT_LENGTH)),
        (make_page("T"), b""),
        (b"", make_page("T")),
    ],
)
def test_the_whole_page_is_loaded_for_other_changes(old: bytes, new: bytes) -> None:
    assert find_changed_element(old, new) is None
