"""Load the sources in another process, while this one imports the modules that render pages."""

from collections.abc import Callable
from pathlib import Path

from tenure.cache.store import CacheStore
from tenure.cache.up_to_date import program_version
from tenure.parallel import run_in_fork
from tenure.problems import Problems
from tenure.site_folder import BuildOptions, LoadedSite

MAX_FORKED_BIBTEX_SIZE = 500_000
"""Bytes of BibTeX from which the transfer between processes takes longer than parallel loading saves."""

SiteLoader = Callable[[], tuple[LoadedSite | None, Problems]]
"""Returns the loaded folder (None if there is no valid site) and the reported problems."""


def start_loading(root: Path, options: BuildOptions, store: CacheStore | None = None) -> SiteLoader:
    """
    Start loading the sources in a folder; the returned function waits for the result.

    Decoded entries are cached in `store`, by default a file in the site's .cache.
    """

    def load_sources() -> tuple[LoadedSite | None, Problems]:
        from tenure.sources.load import load_site  # noqa: PLC0415 - only loaded by the process that needs it

        problems = Problems()
        entry_store = store or CacheStore(root / ".cache" / "entries", program_version())
        site_folder = load_site(root, problems, entry_store, options)
        if store is None:
            entry_store.save()
        return site_folder, problems

    bibtex_size = sum(path.stat().st_size for path in root.glob("bib/*.bib"))
    return (
        run_in_fork(load_sources) if store is None and bibtex_size < MAX_FORKED_BIBTEX_SIZE else load_sources
    )
