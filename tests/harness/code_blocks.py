"""Runs the code blocks of the documentation: each file that a block names is written, each command called."""

import contextlib
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from conftest import ROOT
from PIL import Image

from tenure.cli.app import create_parser, main
from tenure.markdown.parser import Token, parse_blocks

PAGES = ROOT / "docs/content/pages"
CONTENT = Path(__file__).with_name("block_content.txt").read_text(encoding="utf-8")
FILE = re.compile(r"(?:# |% |// |\{#- |/\* |<!-- )([\w./-]+)(?: -#\}| \*/| -->)?\n")
"""The first line of a block that is a file: a comment with its path."""


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the path of its file, if it has one."""

    language: str
    text: str

    @property
    def file(self) -> str:
        found = FILE.match(self.text)
        return found[1] if found else ""

    @property
    def source(self) -> str:
        """Return the content of the block's file; Markdown begins with its front matter."""
        return self.text.partition("\n")[2] if self.text.startswith("<!-- ") else self.text


def read_blocks(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a page that have a language, in order."""
    yield from blocks_of(page.read_text(encoding="utf-8"))


def blocks_of(text: str) -> Iterator[Block]:
    """Yield the fenced blocks of a text that have a language, in order."""
    for fence in find_fences(text):
        if fence.info.strip():
            yield Block(fence.info.split()[0].strip("{.}"), fence.content)


def find_fences(text: str) -> list[Token]:
    """Return the fenced blocks of a text."""
    return [token for token in parse_blocks(text, "blocks", {}) if token.type == "fence"]


def add_images(folder: Path) -> None:
    """Add the images that the pages use to a folder of sources."""
    content = folder / "content"
    (content / "talks").mkdir(parents=True, exist_ok=True)
    (content / "hit-rates.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"/>')
    names = "rui.jpg marconi.png rack.jpg walk.png before.png after.png demo.png talks/dagstuhl.jpg"
    for name in names.split():
        Image.effect_noise((120, 90), 50).save(content / name)
    for name in ("demo.mp4", "walk.mp4", "talk.pdf"):
        (content / name).write_bytes(b"no more than its name is read")


def run_line(line: str, folder: Path) -> Path:
    """Run a line of a shell, and return the current folder after it."""
    arguments = [
        str(Path(word).expanduser()) if word.startswith("~") else word
        for word in shlex.split(line, comments=True)
    ]
    match arguments:
        case []:
            return folder
        case ["cd", name]:
            assert (folder / name).is_dir(), line
            return folder / name
        case ["git", "clone", _, "tenure"]:
            return folder
        case ["tenure", *rest] | ["python3", "build.py" | "../tenure/build.py", *rest]:
            if rest[:1] in (["serve"], ["fetch"]) or "--orcid" in rest:  # these wait, or need the network
                create_parser(rest[0]).parse_args(rest[1:])
            else:
                with contextlib.chdir(folder):
                    assert main(rest) == 0, line
            return folder
        case _:
            raise AssertionError(f"no test carries this out: {line}")
