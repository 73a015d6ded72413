"""The paths of a site's pages in each of its languages."""

from collections.abc import Mapping
from urllib.parse import quote, unquote

from tenure.model.languages import Language
from tenure.record import Record


class LanguagePaths(Record):
    """
    Resolves paths in the texts and templates of one language: "/talks/" is "/de/talks/" on a German page.

    `paths` has for each language the path of each page, and of each file that exists once per language, by its paths in
    all languages. Other paths are the same in all languages. "/de/talks/" is the German page, and "/en/talks/" the English
    one, on every page.
    """

    language: Language
    paths: Mapping[Language, Mapping[str, str]]

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
        return f"{path}{anchor_separator}{anchor}"

    @property
    def main_language(self) -> Language:
        """The language whose pages are at the root of the site."""
        return next(iter(self.paths))
