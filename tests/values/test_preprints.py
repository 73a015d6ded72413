"""Preprints are recognized in every notation, and the BibTeX for readers has no author marks."""

from tenure.sources.bibtex.source_text import format_public_bibtex


def test_marks_are_removed_from_macros_and_joined_values() -> None:
    entry = '@article{a, author = me # " and Foo*, B", title = {A* search}}'
    assert format_public_bibtex(entry, {"me": "Weber*, J"}).written == (
        '@string{me = {Weber, J}}\n@article{a, author = me # " and Foo, B", title = {A* search}}\n'
    )
