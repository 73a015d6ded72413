"""The files that stand beside the sources, found by their path or by any unique ending of it."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType


class Files:
    """
    Paths, found by themselves or by what they end in: "slides.pdf" is "files/2024/slides.pdf".

    `texts` has the texts that make pages, each with the address of its page.
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
        Every file that a name may mean: exactly one where it is clear.

        "../projects/tape.png" is the address of content/projects/tape.png from a text in content/posts/: so editors and
        GitHub show it. Of such a name, what follows the dots is looked for.
        """
        bare = name.removeprefix("./")
        climbing = bare.startswith("../")
        while bare.startswith("../"):
            bare = bare.removeprefix("../")
        if bare in self._paths and not climbing:
            return (bare,)
        return tuple(self._endings.get(bare, ()))

    def page(self, name: str) -> str:
        """The address of the page that a text makes: "projects/tape.md", or "tape.md" where that is clear; else ""."""
        found = self._sources.find(name) if self._texts else ()
        return self._texts[found[0]] if len(found) == 1 else ""
