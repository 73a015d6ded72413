"""Citation counts in sections that ask for them, always with their source and their day."""

from collections.abc import Iterable, Mapping

from tenure.model.citation_counts import CitationCounts, Work
from tenure.model.entries import Entry, Markdown, Publication
from tenure.model.site import SectionConfig, Site
from tenure.model.translations import Translations
from tenure.problems import Problems


def select_counted_works(
    site: Site, config: SectionConfig, entries: Iterable[Entry], problems: Problems
) -> Mapping[str, Work]:
    """The counts of publications by their keys, if the section asks for them; a missing file is reported."""
    if not config.counts:
        return {}
    if site.counts is None:
        if not problems.has_source("content/counts.yaml", "content/counts.yml"):
            message = f'section "{config.name}" shows counts, and there is no file content/counts.yaml'
            hint = "write fetch: {counts: openalex} into site.yaml and call fetch --write, or delete counts"
            problems.report("missing-file", config.place_of("counts"), message, hint)
        return {}
    return site.counts.select_works(entry for entry in entries if isinstance(entry, Publication))


def add_counts_source(intro: Markdown, translations: Translations, counts: CitationCounts) -> Markdown:
    """The text above a section, with the source and the day of the citation counts."""
    source = translations["comma"].join([counts.service, counts.day.format_text(translations, "long")])
    line = f"{translations.format_labelled(translations['citations'], source)}."
    return Markdown("\n\n".join(part for part in (intro, line) if part))
