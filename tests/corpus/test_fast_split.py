"""Entries that are read without the library give the same result as with the library."""

import pytest
from comparison import find_bibliographies, list_folders
from hypothesis import given, settings
from hypothesis import strategies as st

from tenure.problems import Problem, Problems
from tenure.sources.bibtex import reader
from tenure.sources.bibtex.splitter import split_blocks, split_with_library
from tenure.sources.files import read_source_text
from tenure.sources.node import Node

Found = tuple[tuple[Node, ...], int, tuple[Problem, ...]]
quick = settings(max_examples=400)


def read_entries(text: str) -> Found:
    """Return the entries, their number and the problems."""
    problems = Problems()
    problems.add_source("x.bib", text)
    nodes = reader.read_bibtex(text, "x.bib", problems)
    return nodes.entries, nodes.entry_count, problems.sorted_problems()


def read_by_the_library(text: str) -> Found:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "split_blocks", lambda whole: split_with_library(whole, 0))
        return read_entries(text)


@pytest.mark.parametrize("folder", list_folders())
def test_real_files_give_the_same_result_as_the_library(folder: str) -> None:
    for path in find_bibliographies(folder):
        text = read_source_text(path, path.name, Problems())
        if text is not None:
            assert read_entries(text) == read_by_the_library(text), path


PIECES = [
    "@article{a,\n",
    "@Misc {b,",
    "@book{ c ,",
    "@string{x = {y}}\n",
    "@comment{z}\n",
    "@IEEEtranBSTCTL{d, e = 1}\n",
    "title = {A {B} \\{ C},\n",
    "Title = {Other},\n",
    'note = "in {quotes}",\n',
    'note = "a {" torn,\n',
    "month = jan,\n",
    "month = x # {y},\n",
    "year = 2024\n",
    "url = {a@b.c, @x{y}},\n",
    "abstract = {one\n  @two},\n",
    "file = {C:\\\\x},\n",
    "}\n",
    "}\n\n",
    "} % a comment\n",
    "\n",
    "{",
    '"',
    ",",
    "\n@",
]


@quick
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_any_text_gives_the_same_result_as_the_library(text: str) -> None:
    assert read_entries(text) == read_by_the_library(text)


def test_no_part_of_a_text_is_lost() -> None:
    text = "a remark\n@article{a, title = {A}}\n\n@book{b, title = {B} # {C}}\n@misc{c, year = 2024,} after\n"
    blocks = [*split_blocks(text)]
    assert [block.block_type for block in blocks] == ["text", "entry", "entry", "entry", "text"]
    assert "".join("".join(block.raw for block in blocks).split()) == "".join(text.split())
    assert all(text.startswith(block.raw, block.start) for block in blocks)
