"""Typst templates and fonts of a theme."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tenure.frozen import dataclass
from tenure.problems import Place

FONTS = (".ttf", ".otf", ".ttc", ".otc")
PACKAGE = re.compile(r'^(?!\s*//).*?\b(?:import|include)\s*("@[^"\n]*")', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sheets:
    """
    Templates and fonts of a theme and the themes that it extends; the nearest folder wins.

    Keys are the paths that Typst uses: "cv-parts.typ" is the nearest file with that name, "base/cv.typ" the file of
    the theme base. `display_paths` are the paths for messages, `depths` the positions in the chain of themes.
    """

    texts: Mapping[str, str]
    names: Mapping[str, str]
    depths: Mapping[str, int]
    fonts: tuple[Path, ...]
    digest: str

    @classmethod
    def of(cls, folders: Sequence[Path]) -> "Sheets":
        """Read the templates in the folders of a theme, nearest first."""
        texts: dict[str, str] = {}
        names: dict[str, str] = {}
        depths: dict[str, int] = {}
        fonts: list[Path] = []
        for depth, folder in enumerate(folders):
            for file in sorted(folder.glob("*.typ")):
                for path in (file.name, f"{folder.name}/{file.name}"):
                    if path not in texts:
                        texts[path] = file.read_text(encoding="utf-8")
                        names[path] = f"themes/{folder.name}/{file.name}"
                        depths[path] = depth
            found = sorted((folder / "fonts").glob("*"))
            fonts += [path for path in found if path.suffix.casefold() in FONTS]
        digest = hashlib.blake2b(digest_size=16)
        for path, text in sorted(texts.items()):
            digest.update(f"{path}\0{text}\0".encode())
        for font in fonts:
            digest.update(font.read_bytes())
        return cls(texts, names, depths, tuple(fonts), digest.hexdigest())

    @property
    def looks(self) -> dict[str, str]:
        """Templates by the name of a look: "compact" is cv-compact.typ, "classic" is the cv.typ of that theme."""
        own = {path.removesuffix("/cv.typ"): path for path in self.texts if path.endswith("/cv.typ")}
        more = {path[3:-4]: path for path in self.texts if path.startswith("cv-") and path != "cv-parts.typ"}
        return own | more

    def place(self, path: str, line: int, column: int, length: int) -> Place:
        """A place in a template, with its path for messages."""
        return Place(self.names[path], line, column, length)

    def packages(self) -> Iterator[tuple[str, str, Place]]:
        """Imports of online packages: template, package and place."""
        for path, text in self.texts.items():
            for found in PACKAGE.finditer(text):
                line = text.count("\n", 0, found.start(1)) + 1
                column = found.start(1) - text.rfind("\n", 0, found.start(1))
                yield path, found[1].strip('"'), self.place(path, line, column, len(found[1]))
