"""
The pages of publications, and their entries in lists, that an earlier build has rendered.

Their key is the digest of all that their templates read: the `TemplateInputs` for publications, and the page
or the values of the macro, without the places in the sources.
"""

from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from tenure.cache.store import CacheStore, name_pages_file
from tenure.html.assets import Assets
from tenure.html.template_inputs import TemplateInputs
from tenure.html.urls import FinishedPage
from tenure.model.entries import Entry, Publication
from tenure.model.places import NO_PLACES, UNKNOWN_PLACE, FieldPlaces
from tenure.model.translations import Translations
from tenure.plan.pages import Page
from tenure.plan.sections import ListItem
from tenure.problems import Problems
from tenure.record import Encoder, replace

PageRenderer = Callable[[Page, Problems], FinishedPage | None]

PartLoader = Callable[[str | None, Page], object]
"""Loads the macros of a part, as a page imports it."""


class KeptPages:
    """
    The kept pages of a site in one language.

    `render_page` and `load_part` are for what is not kept; their templates read `inputs` and nothing else.
    """

    def __init__(
        self,
        inputs: TemplateInputs,
        store: CacheStore,
        assets: Assets,
        render_page: PageRenderer,
        load_part: PartLoader,
    ) -> None:
        self._language = inputs.site.settings.language
        # the Markdown on all pages, which may cite
        self._may_keep = b"@" not in _encode((inputs.menu, inputs.site.settings.footer))
        self._store = store
        self._assets = assets
        self._render_page = render_page
        self._load_part = load_part
        # a page and the lists share the citation of a publication, which is found by the object
        self._strip_places: Callable[[Any], Publication] = cache(
            lambda entry: replace(entry, source=UNKNOWN_PLACE, places=NO_PLACES)
        )

        # the order of a set is another in each process
        ordered = replace(inputs, site=replace(inputs.site, files=frozenset()))
        self._inputs = blake2b(_encode((ordered, sorted(inputs.site.files)))).digest()

    def strip_entry(self, page: Page, entry: Entry | None) -> Publication | None:
        """
        A publication without its places, so that a line above it changes no page; None if it reads more.

        A paper that lists papers reads these; the title of a page that mentions it, the menu and the footer
        may cite some.
        """
        if not self._may_keep or not isinstance(entry, Publication) or entry.publications:
            return None
        reads_more = page.language != self._language or b"@" in _encode(page.mentions)
        return None if reads_more else self._strip_places(entry)

    def finish_page(self, page: Page, problems: Problems) -> FinishedPage | None:
        """The page of a stripped publication; one with pictures is rendered, as it reads their sizes."""
        key = self._make_key(replace(page, source=UNKNOWN_PLACE))
        kept: Any = self._store.find(name_pages_file(), None, key)
        if kept:
            # perhaps no other page joins its style sheets
            for names in kept[1]:
                self._assets.locate(names)
            finished: FinishedPage = kept[0]
            return replace(finished, artifact=replace(finished.artifact, source=page.source))

        problem_count = problems.count()
        rendered = self._render_page(page, problems)
        if rendered is not None and problems.count() == problem_count and not rendered.has_pictures:
            self._store.put(name_pages_file(), None, key, (rendered, [*self._assets.joined]))
        return rendered

    def render_entry(self, part: str | None, macro: str, page: Page, item: ListItem, *values: object) -> Any:
        """The output of a macro of a part for a publication in a list; None if it must read more."""
        entry = self.strip_entry(page, item.entry)
        if entry is None:
            return None
        # the macro knows no more of the page and of the entry
        shown = Page(path=page.path, kind=page.kind, title="", language=page.language)
        item = replace(item, entry=entry)

        key = self._make_key(part, macro, shown, item, values)
        return self._store.call(
            name_pages_file(), None, key, lambda: getattr(self._load_part(part, shown), macro)(item, *values)
        )

    def _make_key(self, *values: object) -> bytes:
        """The digest of the inputs, and of what a page or an entry reads besides."""
        return blake2b(self._inputs + _encode(values)).digest()


def _describe_value(value: object) -> object:
    """A value of the model as msgspec can encode it: Language("de") -> "de"; TypeError for another."""
    match value:
        case str() | Path():
            return str(value)
        case FieldPlaces():
            return [value.keys, value.values, [*value.items.items()]]
        case Translations():
            return [value.language, value.messages]
    raise TypeError(type(value))


_encode = Encoder(enc_hook=_describe_value).encode
