"""The page of a publication: as a record, and as a project page with affiliations, buttons and wide images."""

from collections.abc import Callable

import pytest
from conftest import Sources

from tenure.model.entries import PaperAffiliation

Make = Callable[[str], Sources]


@pytest.mark.parametrize(
    ("authors", "positions"),
    [((), set()), (("1-3",), {1, 2, 3}), (("2", "4"), {2, 4}), (("1–2", "9"), {1, 2, 9}), (("Lee",), {0})],
)
def test_positions_of_authors(authors: tuple[str, ...], positions: set[int]) -> None:
    assert PaperAffiliation(name="X", authors=authors).positions == positions
