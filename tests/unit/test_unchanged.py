"""A .bib file read by what is known of it is as if it were read as a whole."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tenure.problems import Problems
from tenure.sources.bibtex.reader import ParsedBibFile, read_bibtex
from tenure.sources.bibtex.reparse import MAX_CHANGED_BLOCKS, CleanParse, index_blocks, reparse_changed
from tenure.sources.node import Node

STRINGS = {"far": "Farther Off"}
SOUND = [
    "@article{one, title={One}, journal=near24}\n",
    "@misc{two,\n  title = {Two @home},\n  note = {x}\n}\n\n",
    '@misc{three, title="Three" , year = 2020, month = may} % a remark\n',
    "@misc(seven, title={Seven}, journal=near24)\n",
    "@string{near24 = {Nearer}}\n",
    "@string{may = {Mai}}\n",
    "@comment{@misc{one, title={None}}}\n",
    '@preamble{"x"}\n',
    "@control{nine, a = 1}\n",
    "% % % \n",
    "\n",
]
OTHERS = [
    "@article{one, title={Another one}, journal = near24 # { and } # far}\n",
    "@misc{two,\n  title = {Two,\n@misc{three, title={Three}}\n",
    "  @misc{four, title={Four}}\n",
    "@misc{five, title={Five}} @misc{six, title={Six}}\n",
    '@string{near24 = "Nearest"}\n',
    "@comment{\n@misc{eight, title={Eight}}\n}\n",
    "@misc{ten, title={Ten}, title={Tenth}}\n",
    "@misc{, title={No key}}\n",
    "title = {lost},\n}\n",
    *("\n", "x", "}", "@", ""),
]


def as_data(node: Node, *, top: bool = True) -> object:
    """A node in plain terms; of an entry's fields the words alone."""
    place = node.place if top else None
    if isinstance(node.value, str):
        return place, node.value
    return place, [(name, as_data(child, top=False)) for name, child in node.mapping.items()]


def read(text: str) -> tuple[ParsedBibFile, int]:
    problems = Problems()
    made = read_bibtex(text, "bib/a.bib", problems, STRINGS)
    return made, problems.count()


def known(text: str) -> CleanParse | None:
    made, told = read(text)
    return None if told else index_blocks(text, made)


TEXTS = st.lists(st.sampled_from(SOUND), max_size=8, unique=True).map("".join)


@settings(deadline=None, max_examples=400)
@given(TEXTS, TEXTS, st.data())
def test_what_is_read_again_is_what_is_read_at_once(text: str, other: str, data: st.DataObject) -> None:
    before = known(text)
    if before is None:
        return
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 30)))
    for edited in (
        other,
        text[:start] + data.draw(st.sampled_from([*SOUND, *OTHERS])) + text[end:],
    ):
        found = reparse_changed(edited, "bib/a.bib", before, STRINGS)
        if found is not None:
            made, told = read(edited)
            assert told == 0
            assert [*map(as_data, found.bib_file.entries)] == [*map(as_data, made.entries)]
            assert found.bib_file.entry_count == made.entry_count
            once_more = index_blocks(edited, made)
            assert once_more is not None
            assert [*found.blocks] == [*once_more.blocks]


ENTRIES = "".join(f"@misc{{p{n},\n  title = {{Paper {n}}}, journal = near24\n}}\n" for n in range(30))
FILE = f"% Papers\n@string{{near24 = {{Nearer}}}}\n{ENTRIES}"


def test_an_edit_leaves_the_fields_of_all_other_entries_the_same_objects() -> None:
    before = known(FILE)
    assert before is not None
    edited = "\n" + FILE.replace("Paper 7}", "Paper\n7}") + "\n@misc{new, title = {New}}\n"
    found = reparse_changed(edited, "bib/a.bib", before, STRINGS)
    assert found is not None
    pairs = zip(before.bib_file.entries, found.bib_file.entries, strict=False)
    assert [n for n, (old, new) in enumerate(pairs) if old.value is not new.value] == [7]
    lines = [node.place.line for node in found.bib_file.entries]
    assert lines == [4 + 3 * n + (n > 7) for n in range(30)] + [96]
    assert found.bib_file.entries[7].mapping["journal"].text == "Nearer"


def test_a_macro_that_changes_and_many_edits_at_once_have_the_whole_file_read() -> None:
    before = known(FILE)
    assert before is not None
    assert reparse_changed(FILE.replace("Nearer", "Nearest"), "bib/a.bib", before, STRINGS) is None
    edited = FILE
    for n in range(MAX_CHANGED_BLOCKS + 1):
        edited = edited.replace(f"Paper {n}}}", f"Paper {n} anew}}")
    assert reparse_changed(edited, "bib/a.bib", before, STRINGS) is None


def test_a_key_given_twice_and_a_broken_entry_have_the_whole_file_read() -> None:
    before = known(FILE)
    assert before is not None
    for edited in (FILE.replace("{p7,", "{p8,"), FILE.replace("{Paper 7}", "{Paper 7")):
        assert reparse_changed(edited, "bib/a.bib", before, STRINGS) is None
        assert read(edited)[1] > 0
