"""
Imports and checks every site of a folder, and prints a table: what of the old site is on the new one.

    python3 tools/import_table.py FOLDER [GROUP …] [--keep OUTPUT]

FOLDER has the sites in groups: FOLDER/GROUP/SITE. OUTPUT gets the new sites. The columns: site, errors,
entries, publications, pages, words of the old site that the new one has, words of the old site, lines of the
report, seconds.
"""

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests/harness")]

from tenure.build import build_site  # noqa: E402
from tenure.cache.store import CacheStore  # noqa: E402
from tenure_import.folder_import import import_folder, make_empty_cvs  # noqa: E402

TEXT_SUFFIXES = frozenset(
    {".md", ".markdown", ".html", ".htm", ".qmd", ".rmd", ".yml", ".yaml", ".json", ".toml", ".bib"}
)
NO_CONTENT = re.compile(
    r"""
    (?:^|/)(?: \.
      | _(?:includes|layouts|sass|plugins|site|scripts|extensions|styles|freeze)/    # Jekyll, Quarto
      | (?:layouts|themes|static|assets|resources|public|i18n|archetypes|config)/    # Hugo
      | node_modules/ | README | LICENSE | CONTRIBUTING | CHANGELOG
      | _config | hugo\. | config\. | package )
    """,
    re.VERBOSE,
)
"""Files of a site that are no content: layouts, settings and documents of the template."""

_WORD = re.compile(r"[^\W\d_]{4,}")


class Row(NamedTuple):
    """What of a site came over; the columns of the table."""

    site: str
    errors: int
    entries: int
    publications: int
    pages: int
    words: int
    source_words: int
    report_lines: int
    seconds: float
    messages: Sequence[str]


def list_words(texts: Iterator[str]) -> frozenset[str]:
    """The distinct words of at least four letters."""
    return frozenset(word.casefold() for text in texts for word in _WORD.findall(text))


def list_source_words(source: Path) -> frozenset[str]:
    """The words of the content files of a site."""
    paths = [source] if source.is_file() else sorted(source.rglob("*"))
    names = ((path, path.relative_to(source).as_posix()) for path in paths if path.is_file())
    return list_words(
        path.read_text("utf-8", "replace")
        for path, name in names
        if path.suffix.casefold() in TEXT_SUFFIXES and not NO_CONTENT.search(name)
    )


def list_site_words(folder: Path) -> frozenset[str]:
    """The words of the sources of a new site."""
    names = [folder / "site.yaml", *folder.glob("content/**/*"), *folder.glob("bib/*")]
    paths = (path for path in names if path.is_file() and path.suffix in (".md", ".yaml", ".bib"))
    return list_words(path.read_text("utf-8") for path in paths if "content/files/" not in path.as_posix())


def measure_import(source: Path, folder: Path) -> Row:
    """Import a site into a folder, check it, and count what came over."""
    start = time.perf_counter()
    report = import_folder(source, folder)
    built = build_site(folder, store=CacheStore(None), make_cvs=make_empty_cvs)
    errors = [problem for problem in built.problems if problem.level == "error"]
    collections = built.site.collections.values() if built.site else ()
    words = list_site_words(folder)
    source_words = list_source_words(source)

    return Row(
        f"{source.parent.name}/{source.name}",
        len(errors),
        sum(len(collection.entries) for collection in collections),
        len(built.site.publications) if built.site else 0,
        len(built.pages),
        len(words & source_words),
        len(source_words),
        report.line_count,
        round(time.perf_counter() - start, 1),
        [f"{problem.place}: {problem.message}" for problem in errors],
    )


def find_sites(folder: Path, groups: Sequence[str]) -> Iterator[Path]:
    """The sites of some groups of a folder, or of all."""
    for group in sorted(folder.iterdir()):
        if group.is_dir() and (not groups or group.name in groups):
            yield from (site for site in sorted(group.iterdir()) if site.is_dir())


def main() -> None:
    """Import and check the sites of a folder, and print one row for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("groups", nargs="*")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    print("\t".join(Row._fields[:-1]))
    for source in find_sites(options.folder, options.groups):
        with tempfile.TemporaryDirectory(prefix="tenure-") as temporary:
            target = options.keep / source.parent.name / source.name if options.keep else Path(temporary)
            row = measure_import(source, target)
        print("\t".join(map(str, row[:-1])), flush=True)
        for message in row.messages:
            print(f"\t{message}", flush=True)


if __name__ == "__main__":
    main()
