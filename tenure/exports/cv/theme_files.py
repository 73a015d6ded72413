"""Typst templates and fonts of a theme."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from tenure.cache.up_to_date import list_used_files
from tenure.record import Record

FONT_SUFFIXES = (".ttf", ".otf", ".ttc", ".otc")


class CvTemplates(Record):
    """
    Templates and fonts of a theme and the themes that it extends; the nearest folder wins.

    Keys are the paths that Typst uses: "cv-parts.typ" is the nearest file with that name, "base/cv.typ" the file of
    the theme base. `display_paths` are the paths for messages, `depths` the positions in the chain of themes.
    """

    sources: Mapping[str, str]
    display_paths: Mapping[str, str]
    depths: Mapping[str, int]
    font_files: tuple[Path, ...]
    digest: str

    @classmethod
    def from_folders(cls, folders: Sequence[Path]) -> "CvTemplates":
        """Read the templates in the folders of a theme, nearest first."""
        sources: dict[str, str] = {}
        display_paths: dict[str, str] = {}
        depths: dict[str, int] = {}
        font_files: list[Path] = []
        for depth, folder in enumerate(folders):
            for file in list_used_files(folder, "*.typ"):
                for path in (file.name, f"{folder.name}/{file.name}"):
                    if path not in sources:
                        sources[path] = file.read_text(encoding="utf-8")
                        display_paths[path] = f"themes/{folder.name}/{file.name}"
                        depths[path] = depth
            font_candidates = list_used_files(folder, "fonts/*")
            font_files += [path for path in font_candidates if path.suffix.casefold() in FONT_SUFFIXES]
        digest = hashlib.blake2b(digest_size=16)
        for path, text in sorted(sources.items()):
            digest.update(f"{path}\0{text}\0".encode())
        for font in font_files:
            digest.update(font.read_bytes())
        return cls(sources, display_paths, depths, tuple(font_files), digest.hexdigest())

    @property
    def look_paths(self) -> dict[str, str]:
        """Templates by the name of a look: "compact" is cv-compact.typ, "classic" is the cv.typ of that theme."""
        theme_looks = {
            path.removesuffix("/cv.typ"): path for path in self.sources if path.endswith("/cv.typ")
        }
        named_looks = {
            path[3:-4]: path for path in self.sources if path.startswith("cv-") and path != "cv-parts.typ"
        }
        return theme_looks | named_looks
