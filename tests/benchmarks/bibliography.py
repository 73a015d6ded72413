"""
Measures how long reading a large bibliography takes: `python tests/benchmarks/bibliography.py [ENTRIES]`.

Prints the time that Tenure takes to read, decode and name a number of synthetic entries as a build does, in a
fresh process with its child processes. In the same run it measures bibtexparser with its own middlewares for
names and LaTeX on a tenth of the entries.
"""

import random
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FAMILY_NAMES = [
    "Erd{\\H{o}}s",
    'G{\\"o}del',
    "Pan",
    "van der Waerden",
    "Ma{\\~n}ana",
    "Turing",
    "Li",
    "{\\L}ukasiewicz",
    "Smith",
]
GIVEN_NAMES = ["Paul", "Kurt", "Rui", "B. L.", "Jos{\\'e}", "Alan M.", "Wei", "Jan", "Ann"]
WORDS = [
    "systems",
    "caching",
    "learning",
    "graphs",
    "proofs",
    "{ML}",
    "networks",
    "of",
    "and",
    "for",
    "the",
    "fast",
    "$n^2$",
    "bounds",
    "models",
    "r\\'esum\\'e",
]


def write_bibliography(entries: int) -> str:
    """Return a bibliography with entries of the usual types, a third of them with LaTeX in title or names."""
    dice = random.Random(1936)
    entry_texts = []
    for n in range(entries):
        authors = " and ".join(
            f"{dice.choice(FAMILY_NAMES)}, {dice.choice(GIVEN_NAMES)}" for _ in range(dice.randint(1, 7))
        )
        title = " ".join(dice.choices(WORDS, k=9)).capitalize()
        abstract = " ".join(dice.choices(WORDS, k=90))
        entry_texts.append(
            f"@article{{key{n},\n  title = {{{title}}},\n  author = {{{authors}}},\n  journal = {{Journal of {n % 40}}},\n"
            f"  year = {{{1990 + n % 36}}}, month = {dice.choice(['jan', 'may', 'nov'])}, volume = {{{n % 90}}},\n"
            f"  pages = {{{n}--{n + 9}}}, doi = {{10.1000/x{n}}}, url = {{https://example.org/{n}%20a_b}},\n"
            f"  abstract = {{{abstract}}},\n}}\n"
        )
    return "\n".join(entry_texts)


TENURE_SCRIPT = """
import gc, sys; sys.path.insert(0, {root!r})
from tenure.cache.store import CacheStore
from tenure.model.names import list_owner_spellings
from tenure.problems import Problems
from tenure.sources.bibtex.reader import read_bibtex
from tenure.sources.publications.collect import decode_entries
gc.disable()
problems = Problems()
text = open({file!r}, encoding="utf-8").read()
problems.add_source("a.bib", text)
owner = list_owner_spellings("Alan Turing", ["A. M. Turing"])
nodes = read_bibtex(text, "a.bib", problems).entries
print(len(decode_entries(nodes, owner, problems, CacheStore())))
"""

BIBTEXPARSER_SCRIPT = """
import bibtexparser, logging
from bibtexparser.middlewares import LatexDecodingMiddleware, SeparateCoAuthors, SplitNameParts
logging.disable()
stack = [LatexDecodingMiddleware(), SeparateCoAuthors(), SplitNameParts()]
text = open({file!r}, encoding="utf-8").read()
print(len(bibtexparser.parse_string(text, append_middleware=stack).entries))
"""


def time_script(script: str) -> float:
    """Return the wall time of a fresh process; raise CalledProcessError if it fails."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    """Measure both programs three times in turn, and print the medians."""
    entries = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    folder = Path(__file__).parent / ".work"
    folder.mkdir(exist_ok=True)
    whole, tenth = folder / "whole.bib", folder / "tenth.bib"
    whole.write_text(write_bibliography(entries), encoding="utf-8")
    tenth.write_text(write_bibliography(entries // 10), encoding="utf-8")
    tenure_times, bibtexparser_times = [], []
    for _ in range(3):
        tenure_times.append(time_script(TENURE_SCRIPT.format(root=str(ROOT), file=str(whole))))
        bibtexparser_times.append(time_script(BIBTEXPARSER_SCRIPT.format(file=str(tenth))))
    tenure_median, bibtexparser_median = sorted(tenure_times)[1], sorted(bibtexparser_times)[1]
    print(f"Tenure, {entries} entries: {tenure_median:.2f} s ({tenure_median / entries * 1000:.2f} ms each)")
    print(f"bibtexparser with names and LaTeX, {entries // 10} entries: {bibtexparser_median:.2f} s")
    print(
        f"for each entry, Tenure takes {tenure_median / entries / (bibtexparser_median / (entries // 10)):.2f} of bibtexparser's time"
    )


if __name__ == "__main__":
    main()
