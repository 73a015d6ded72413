"""The paths of a site's pages in each of its languages."""

from collections.abc import Mapping
from urllib.parse import quote, unquote

from tenure.model.languages import Language
from tenure.record import Record, field


class LanguagePaths(Record):
    """
    Resolves paths in the texts and templates of one language: "/talks/" is "/de/talks/" on a German page.

    `paths` has for each language the path of each page, and of each file that exists once per language, by its paths in
    all languages. Other paths are the same in all languages. "/de/talks/" is the German page, and "/en/talks/" the English
    one, on every page.

    `roots` are the folders that are published at URLs of their own, each with its URL without the last slash: "/" for the site,
    "/fr/" for a language with `url`. It is empty if no language has one. Such a folder has a copy of every file that its pages
    need, so that their links stay in it.
    """

    language: Language
    paths: Mapping[Language, Mapping[str, str]]
    roots: Mapping[str, str] = field(default_factory=dict)

    def resolve_path(self, path: str) -> str:
        """The path from the site's root, of the page or file that a path names; an anchor is kept."""
        path, anchor_separator, anchor = path.partition("#")
        tag, separator, rest = path[1:].partition("/")
        is_explicit = bool(separator) and tag in self.paths
        language = Language(tag) if is_explicit else self.language
        resolved = self.paths[language].get(unquote(f"/{rest}" if is_explicit else path))
        if resolved is not None:
            path = quote(resolved)
        elif language == self.main_language and is_explicit:
            path = f"/{rest}"
        elif self.roots and self.find_root(path) == "/":
            path = f"{quote(self.own_root)}{path[1:]}"
        return f"{path}{anchor_separator}{anchor}"

    @property
    def own_root(self) -> str:
        """The folder of this language if it is published at its own URL, else "/"."""
        return self.find_root(next(iter(self.paths[self.language].values()), "/"))

    def find_root(self, path: str) -> str:
        """The folder with a path in it that is published at its own URL: "/fr/" of "/fr/talks/"."""
        return max((root for root in self.roots if unquote(path).startswith(root)), key=len, default="/")

    def locate_path(self, path: str) -> str:
        """The URL of a path in the output."""
        root = self.find_root(path)
        return f"{self.roots[root]}/{path.removeprefix(root).removeprefix(quote(root))}"

    @property
    def main_language(self) -> Language:
        """The language whose pages are at the root of the site."""
        return next(iter(self.paths))
