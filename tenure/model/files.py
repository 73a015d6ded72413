"""An index of the files of a site by their path and by every ending of it."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType


class Files:
    """
    Paths by their endings: "slides.pdf" finds "files/2024/slides.pdf".

    `page_urls` has the URL of the page of each Markdown file that has one.
    """

    def __init__(self, paths: Iterable[str], texts: Mapping[str, str] = MappingProxyType({})) -> None:
        self._texts = texts
        self._sources = Files(texts) if texts else self
        self._paths = frozenset(paths)
        self._endings: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            parts = path.split("/")
            for i in range(len(parts)):
                self._endings.setdefault("/".join(parts[i:]), []).append(path)

    def find(self, name: str) -> tuple[str, ...]:
        """
        Every path that a name may mean; exactly one if the name is unambiguous.

        Leading "../" is ignored: in content/posts/, editors and GitHub link to content/projects/tape.png as
        "../projects/tape.png".
        """
        bare = name.removeprefix("./")
        climbing = bare.startswith("../")
        while bare.startswith("../"):
            bare = bare.removeprefix("../")
        if bare in self._paths and not climbing:
            return (bare,)
        return tuple(self._endings.get(bare, ()))

    def page(self, name: str) -> str:
        """The page URL of a Markdown file such as "projects/tape.md", or of a unique ending such as "tape.md"; else ""."""
        found = self._sources.find(name) if self._texts else ()
        return self._texts[found[0]] if len(found) == 1 else ""
