"""The files that stand beside the sources, found by their path or by any unique ending of it."""

from collections.abc import Iterable


class Files:
    """Paths, found by themselves or by what they end in: "slides.pdf" is "files/2024/slides.pdf"."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(paths)
        self._endings: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            parts = path.split("/")
            for i in range(len(parts)):
                self._endings.setdefault("/".join(parts[i:]), []).append(path)

    def find(self, name: str) -> tuple[str, ...]:
        """Every file that a name may mean: exactly one where it is clear."""
        bare = name.removeprefix("./")
        if bare in self._paths:
            return (bare,)
        return tuple(self._endings.get(bare, ()))
