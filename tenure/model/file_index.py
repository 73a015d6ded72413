"""An index of the files of a site by their path and by every ending of it."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType


class FileIndex:
    """
    Paths by their endings: "slides.pdf" finds "files/2024/slides.pdf".

    `page_urls` has the URL of the page of each Markdown file that has one.
    """

    def __init__(self, paths: Iterable[str], page_urls: Mapping[str, str] = MappingProxyType({})) -> None:
        self._page_urls = page_urls
        self._page_sources = FileIndex(page_urls) if page_urls else self
        self._paths = frozenset(paths)
        self._paths_by_ending: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            components = path.split("/")
            for start in range(len(components)):
                self._paths_by_ending.setdefault("/".join(components[start:]), []).append(path)

    def find_paths(self, name: str) -> tuple[str, ...]:
        """
        Every path that a name may mean; exactly one if the name is unambiguous.

        Leading "../" is ignored: in content/posts/, editors and GitHub link to content/projects/tape.png as
        "../projects/tape.png".
        """
        ending = name.removeprefix("./")
        is_relative = ending.startswith("../")
        while ending.startswith("../"):
            ending = ending.removeprefix("../")
        if ending in self._paths and not is_relative:
            return (ending,)
        return tuple(self._paths_by_ending.get(ending, ()))

    def page_url(self, name: str) -> str:
        """
        The URL of the page of "projects/tape.md", or of a unique ending such as "tape.md"; "" if none has
        one.
        """
        if not self._page_urls:
            return ""
        paths = self._page_sources.find_paths(name)
        return self._page_urls[paths[0]] if len(paths) == 1 else ""
