"""Each hostile or odd value in each field of a .bib file; the whole program is tools/fuzz/bib_values.py."""

from functools import cache

from bib_values import VALUES, build_library, find_markup_and_errors, make_square


@cache
def list_findings() -> list[str]:
    """Return what is wrong in a site with each value in each field."""
    result = build_library(make_square(), "plain")
    assert result.site is not None
    assert len(result.site.publications) > len(VALUES) - 20
    return [*find_markup_and_errors(result)]


def test_no_value_of_a_bib_file_becomes_an_element_or_an_attribute() -> None:
    assert [finding for finding in list_findings() if finding.startswith("markup")] == []


def test_no_value_of_a_bib_file_is_an_error() -> None:
    assert [finding for finding in list_findings() if not finding.startswith("markup")] == []
