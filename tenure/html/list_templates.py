"""Templates of a site for its own lists: parts/podcasts.html for the sections of a list, pages/podcasts.html for its page."""

from collections.abc import Iterable
from pathlib import Path

from tenure.cache.up_to_date import list_used_files
from tenure.plan.pages import Page
from tenure.plan.sections import Section
from tenure.record import Record


class ListTemplates(Record):
    """The templates that only the site has: their names, "parts/podcasts.html"."""

    names: frozenset[str]

    def find_part(self, section: Section) -> str:
        """The part that shows a section: that with the name of a list of the site, or that of its kind."""
        name = f"parts/{section.name}.html"
        is_own = section.kind == "items" and name in self.names
        return name if is_own else f"parts/{section.kind}.html"

    def find_page(self, page: Page) -> str:
        """The template of a page: that with the name of the list that the page shows, or that of its kind."""
        names = [section.name for section in page.sections if section.kind == "items"]
        name = (
            f"pages/{names[0]}.html" if page.kind == "page" and len(page.sections) == len(names) == 1 else ""
        )
        return name if name in self.names else f"pages/{page.kind}.html"


def find_list_templates(own_folders: Iterable[Path], all_folders: Iterable[Path]) -> ListTemplates:
    """The templates of a site that no packaged theme has."""
    own = set(own_folders)
    own_names, packaged_names = (
        {
            path.relative_to(folder).as_posix()
            for folder in folders
            for path in list_used_files(folder, "pa*/*.html")
        }
        for folders in (own, set(all_folders) - own)
    )
    return ListTemplates(frozenset(own_names - packaged_names))
