"""Lines of bibtex.txt: values and entries of a .bib file, preprint servers, and files."""

import json

from tenure.model.files import FileIndex
from tenure.problems import Problems
from tenure.sources.bibtex.preprint_servers import parse_preprint
from tenure.sources.bibtex.reader import CITATION_KEY, TYPE_KEY, read_bibtex
from tenure.sources.publications.public_bibtex import format_public_bibtex

MACROS = '@string{sosp = {Symposium on Operating Systems Principles}}\n@string(nested = "ACM " # sosp)\n'


def read_bib_value(text: str) -> str:
    """Return the value of a field, with two macros."""
    problems = Problems()
    parsed = read_bibtex(f"{MACROS}@misc{{k, note = {text}, year = 1}}", "x.bib", problems)
    (node,) = parsed.entries
    assert (problems.sorted_problems(), parsed.entry_count, node.mapping["year"].text) == ((), 1, "1")
    return node.mapping["note"].text


def read_bib_entry(text: str) -> str:
    """Return the type, the key and the fields of each entry, and the codes of the problems."""
    problems = Problems()
    parsed = read_bibtex(text, "x.bib", problems)
    assert parsed.entry_count == len(parsed.entries)
    entries = [
        f"{node.mapping[TYPE_KEY].text} {node.mapping[CITATION_KEY].text} "
        + json.dumps({name: child.text for name, child in node.mapping.items() if not name.startswith("@")})
        for node in parsed.entries
    ]
    return " ".join((*entries, *(f"! {problem.code}" for problem in problems.sorted_problems())))


def find_preprint(text: str) -> str:
    preprint = parse_preprint(text)
    return f"{preprint.server} {preprint.url}".strip() if preprint else "-"


def print_bibtex(text: str) -> str:
    return format_public_bibtex(text, {"tocs": "ACM"} if "tocs" in text else {}).printed


def write_bibtex(text: str) -> str:
    return format_public_bibtex(text, {"me": "Weber*, J"} if "= me" in text else {}).written


PDFS = "a/x.pdf b/x.pdf b/c/y.pdf z.pdf d/z.pdf".split()


def find_files(text: str) -> str:
    return " ".join(FileIndex(PDFS).find_paths(text))
