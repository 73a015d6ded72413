"""Sources that are damaged, too large, or made to do harm: each is imported as far as possible, and nothing outside is read or written."""

import contextlib
import io
import os
import random
import re
import zipfile
from pathlib import Path

import pytest
from conftest import run_in, write_files
from word_files import make_word_file

from tenure.cli.arguments import UsageError
from tenure.sources.reading.word import WordError, WordFile, read_word_file
from tenure_import.detect import SYSTEMS, detect_system
from tenure_import.importer import Import
from tenure_import.source import MAX_TEXT_SIZE, parse_data, split_front_matter
from tenure_import.text import TextRules, convert_text

SITES = Path(__file__).parent / "sites"
NAMES = ("academicpages", "al-folio", "hugo-academic", "json-resume", "rendercv", "quarto", "html")
RULES = TextRules(resolve=lambda url: url, report=lambda _: None)


def write_site(folder: Path, name: str) -> Path:
    """Write a site of `sites/`; returns its folder."""
    write_files(folder, (SITES / f"{name}.txt").read_text("utf-8"))
    return folder / "old"


@pytest.mark.parametrize("name", NAMES)
def test_links_out_of_the_source_are_not_followed(name: str, tmp_path: Path) -> None:
    old = write_site(tmp_path, name)
    write_files(
        tmp_path,
        "-- secret/secret.md --\n---\ntitle: Hidden\n---\nSECRET\n-- secret/deep/_config.yml --\nx: SECRET\n",
    )
    for folder in ("_pages", "_publications", "content/post", "_posts", "_news"):
        place = old / folder
        place.mkdir(parents=True, exist_ok=True)
        (place / "2020-01-01-secret.md").symlink_to(tmp_path / "secret/secret.md")
        (place / "loop.md").symlink_to(place / "loop.md")
        (place / "deep").symlink_to(tmp_path / "secret", target_is_directory=True)
    leak = "![x](../secret/secret.md) [y](/etc/passwd) <img src='../secret/secret.md'>"
    (old / "leak.md").write_text(f"---\ntitle: Leak\n---\n{leak}\n")
    site = Import(SYSTEMS[detect_system(old)], old).run()
    assert not any("SECRET" in str(content) for content in site.files.values())
    assert not any(".." in file or file.startswith("/") for file in site.files)


@pytest.mark.parametrize("name", NAMES)
def test_any_file_may_be_broken(name: str, tmp_path: Path) -> None:
    """One file at a time is cut in half, emptied, or begins with bytes that are not text, or with a tab and an open quote."""
    old = write_site(tmp_path, name)
    suffixes = (".md", ".yml", ".yaml", ".toml", ".json", ".bib", ".qmd", ".html")
    for path in sorted(path for path in old.rglob("*") if path.suffix in suffixes):
        whole = path.read_bytes()
        for broken in (whole[: len(whole) // 2], b"", b"\xff\xfe\x00\xe9" + whole, b"\t'x: [\n" + whole):
            path.write_bytes(broken)
            system = detect_system(old)
            assert not system or Import(SYSTEMS[system], old).run().system
        path.write_bytes(whole)


@pytest.mark.parametrize("wrong", ["[]", "{}", "[[[x]]]", "{a: {b: c}}", '"\\u202e"', "null"])
@pytest.mark.parametrize("name", ["academicpages", "al-folio", "hugo-academic", "rendercv", "quarto"])
def test_any_value_may_have_another_type(name: str, wrong: str, tmp_path: Path) -> None:
    """Each value of front matter and of data is replaced by a list, a mapping or nothing."""
    old = write_site(tmp_path, name)
    for path in [path for path in old.rglob("*") if path.suffix in (".md", ".yml", ".yaml", ".qmd")]:
        lines = path.read_text("utf-8").split("\n")
        for index, line in enumerate(lines):
            key, colon, _ = line.partition(": ")
            lines[index] = f"{key}: {wrong}" if colon and key.strip(" -").isidentifier() else line
        path.write_text("\n".join(lines), "utf-8")
    assert Import(SYSTEMS[detect_system(old)], old).run().system


def test_names_that_are_no_text_and_other_encodings(tmp_path: Path) -> None:
    old = write_site(tmp_path, "academicpages")
    (old / "_pages/looms.md").write_bytes("---\ntitle: Café\n---\nDéjà vu.\n".encode("cp1252"))
    Path(os.fsdecode(os.fsencode(old) + b"/_pages/caf\xe9.md")).write_text("---\ntitle: Other\n---\nText\n")
    assert run_in(tmp_path, "import", "old") == 0
    assert "Déjà vu." in (tmp_path / "site/content/pages/looms.md").read_text("utf-8")
    assert (tmp_path / "site/import-report.md").is_file()


def test_large_files_are_reported(tmp_path: Path) -> None:
    old = write_site(tmp_path, "academicpages")
    with (old / "_pages/huge.md").open("wb") as file:
        file.truncate(MAX_TEXT_SIZE + 1)
    with (old / "files/notes.pdf").open("wb") as file:
        file.truncate(3_000_000_000)  # takes no room on the disk
    site = Import(SYSTEMS["jekyll"], old).run()
    notes = dict(site.notes)
    assert notes["_pages/huge.md"] == "larger than 5 MB"
    assert notes["files/notes.pdf"].startswith("larger than 100 MB")


DEEP = 100_000
BOMB = "a: &a [x, x]\n" + "".join(
    map("{1}: &{1} [*{0}, *{0}]\n".format, "abcdefghijklmnopq", "bcdefghijklmnopqr")
)
"""Each list has the one before it twice."""


@pytest.mark.parametrize(
    ("text", "suffix"),
    [
        ("[" * DEEP, ".json"), ('{"a":' * DEEP, ".json"), ("[" * DEEP, ".yml"), ("- " * DEEP, ".yml"), (BOMB, ".yml"), (f"[{'a.' * DEEP}a]\n", ".toml"),
        (f"{'a.' * DEEP}a = 1\n", ".toml"), ("a = " + "[" * DEEP, ".toml"), ('"\\ud83d"', ".json"), ("x: \0\n", ".yml"),
    ],
    ids=range(10),
)  # fmt: skip
def test_data_of_any_depth_ends(text: str, suffix: str) -> None:
    parse_data(text, suffix)
    split_front_matter(f"---\n{text}\n---\nx")


PIECES = [
    "[", "[a](", "![", "[[a](", "[a] [", "<a href=x ", '<a href="x">', '<a href="x">b</a>', "{% ", '{{< a "b ', "{{< a ", "{: a", "<img ", "<!-- ", "<div hidden>", "<script>",
    "<video>", "<video><source src=x>", "{% highlight python %}\n", "{% include figure.html ", "{% for x in y %}", "{{< figure src=a.png >}}\n", "`", "```\n", "# a\n", "{{% callout %}}",
]  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
def test_a_text_with_open_markup_ends(piece: str) -> None:
    """Each piece is repeated ten thousand times; a pattern with much backtracking would not finish."""
    assert isinstance(convert_text(piece * 10_000, RULES), str)


def test_pages_in_html_of_any_depth(tmp_path: Path) -> None:
    old = write_site(tmp_path, "html")
    (old / "deep.html").write_text(f"<html><body>{'<div>' * 20_000}x", "utf-8")
    entity = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    (old / "entity.html").write_text(f"{entity}<html><body>&a;</body></html>", "utf-8")
    site = Import(SYSTEMS["html"], old).run()
    assert not any("root:" in str(content) for content in site.files.values())


WORD_CV = """Title> Ada Example
Heading 1> Talks
- A [talk](https://example.org/) in Rome^, 2019
box> In a box
| **2019** | Padua ¶ *A second talk* |
footnote> In *June*.
header> Ada Example"""


def try_to_read(path: Path, content: bytes) -> WordFile | None:
    """Return what is read of a damaged file; None if it is refused."""
    path.write_bytes(content)
    try:
        return read_word_file(path)
    except WordError:
        return None


def test_any_byte_of_a_word_file_may_be_wrong(tmp_path: Path) -> None:
    whole = make_word_file(WORD_CV)
    assert try_to_read(tmp_path / "cv.docx", whole) is not None
    dice = random.Random(1)
    for _ in range(40):
        place = dice.randrange(len(whole))
        damaged = bytes([*whole[:place], dice.randrange(256), *whole[place + 1 :]])
        try_to_read(tmp_path / "cv.docx", damaged)
        assert try_to_read(tmp_path / "cv.docx", whole[:place]) is None


def test_any_element_of_a_word_file_may_be_missing_or_elsewhere(tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(make_word_file(WORD_CV))) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    names = re.findall(r"<(w:\w+)", "".join(parts.values()))
    attributes = re.findall(r'w:\w+="[^"]*"', "".join(parts.values()))
    dice = random.Random(2)
    readable = 0
    for _ in range(15):
        old, new = dice.choice(names), dice.choice(names)
        value = dice.choice(["", "-1", "x", "9" * 30])
        attribute = dice.choice(attributes)
        with zipfile.ZipFile(tmp_path / "cv.docx", "w") as archive:
            for name, text in parts.items():
                wrong = re.sub(rf"(</?){old}\b", rf"\1{new}", text)
                archive.writestr(name, wrong.replace(attribute, f'{attribute.split("=")[0]}="{value}"'))
        path = tmp_path / "cv.docx"
        if try_to_read(path, path.read_bytes()) is not None:
            readable += 1
            with contextlib.suppress(UsageError):  # no heading is left
                Import(SYSTEMS["word"], path).run()
    assert readable > 9
