"""Preprints are recognized in every notation, and the BibTeX for readers has no author marks."""

import pytest

from tenure.sources.bibtex.source_text import format_public_bibtex, remove_author_marks
from tenure.sources.publications.preprint_servers import parse_preprint


@pytest.mark.parametrize(
    ("venue", "server", "url"),
    [
        ("arXiv preprint arXiv:2405.01234", "arXiv", "https://arxiv.org/abs/2405.01234"),
        ("arXiv:2405.01234v2 [cs.LG]", "arXiv", "https://arxiv.org/abs/2405.01234v2"),
        ("eprint arXiv:2405.01234", "arXiv", "https://arxiv.org/abs/2405.01234"),
        ("arXiv preprint arXiv:math.GT/0309136", "arXiv", "https://arxiv.org/abs/math.GT/0309136"),
        ("https://arxiv.org/pdf/2405.01234.pdf", "arXiv", "https://arxiv.org/abs/2405.01234"),
        ("ArXiv e-prints", "arXiv", ""),
        ("arXiv (Cornell University)", "arXiv", ""),
        ("CoRR", "arXiv", ""),
        ("CoRR, abs/2405.01234", "arXiv", "https://arxiv.org/abs/2405.01234"),
        ("Computing Research Repository (CoRR)", "arXiv", ""),
        ("bioRxiv", "bioRxiv", ""),
        ("bioRxiv preprint doi:10.1101/2020.01.02.123456", "bioRxiv", "https://doi.org/10.1101/2020.01.02.123456"),
        ("medRxiv", "medRxiv", ""),
        ("Available at SSRN 3445601", "SSRN", "https://ssrn.com/abstract=3445601"),
        ("SSRN Electronic Journal", "SSRN", ""),
        ("HAL preprint hal-01234567", "HAL", "https://hal.science/hal-01234567"),
        ("OSF Preprints", "OSF Preprints", ""),
        ("Cryptology ePrint Archive, Paper 2023/123", "Cryptology ePrint Archive", "https://eprint.iacr.org/2023/123"),
    ],
)  # fmt: skip
def test_a_preprint_server_is_recognized(venue: str, server: str, url: str) -> None:
    preprint = parse_preprint(venue)
    assert preprint is not None
    assert (preprint.server, preprint.url) == (server, url)


@pytest.mark.parametrize(
    "venue",
    [
        "Corrosion Science",
        "Halifax",
        "Preprint",
        "Journal of Machine Learning Research",
        "arXiv preprint arXiv:2405.01234, to appear in ICLR",
    ],
)
def test_other_venues_are_no_preprint_servers(venue: str) -> None:
    assert parse_preprint(venue) is None


@pytest.mark.parametrize(
    ("written", "left"),
    [
        (r"Weber*, Jana and M{\"u}ller*, Felix", r"Weber, Jana and M{\"u}ller, Felix"),
        ("Jana Weber$^*$ and Felix Li$^{*}$", "Jana Weber and Felix Li"),
        (r"Jana Weber\textsuperscript{*} and Z Q\textsuperscript{\dag}", "Jana Weber and Z Q"),
        (r"Weber{*}, Jana and A{$^{*}$} B and C D$^{*,\dag}$", "Weber, Jana and A B and C D"),
        ("Jana Weber * and B C†", "Jana Weber and B C"),
        ("*Jana Weber  and\n  *B C", "Jana Weber  and\n  B C"),
        ("{The ATLAS Collaboration}* and Weber, Jana*", "{The ATLAS Collaboration} and Weber, Jana"),
        (r"Weber$^\ast$, J. and P{\O}rensen, X", r"Weber, J. and P{\O}rensen, X"),
        # characters that are a part of a name
        ("We*ber, Jana and C#son, X", "We*ber, Jana and C#son, X"),
    ],
)
def test_author_marks_are_removed_and_nothing_else(written: str, left: str) -> None:
    assert remove_author_marks(written) == left


def test_marks_are_removed_from_macros_and_joined_values() -> None:
    entry = '@article{a, author = me # " and Foo*, B", title = {A* search}}'
    assert format_public_bibtex(entry, {"me": "Weber*, J"}).written == (
        '@string{me = {Weber, J}}\n@article{a, author = me # " and Foo, B", title = {A* search}}\n'
    )
