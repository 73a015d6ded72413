"""
What templates may read besides their page: one object, of which each environment of Jinja is made.

A page of a publication, and its entry in a list, read a part of it. They are made in an environment of this
part alone, so that a template cannot read what the key of a kept page does not have.
"""

from collections.abc import Mapping

from tenure.model.site import Site
from tenure.plan.pages import MenuItem, Plan
from tenure.plan.related import map_tags_to_paths
from tenure.plan.site_exports import SiteExports
from tenure.record import Record, replace


class TemplateInputs(Record, kw_only=True):
    """
    A site and what is planned for all its pages, in one language.

    `folder` is that of the language in the output; `files` and `page_urls` are what a URL may name;
    `may_cite` is false where every text is that of a publication, which cites nothing.
    """

    site: Site
    menu: tuple[MenuItem, ...]
    folder: str
    files: tuple[str, ...]
    page_urls: Mapping[str, str]
    tag_paths: Mapping[str, str]
    exports: SiteExports
    may_cite: bool = True

    @classmethod
    def for_site(cls, site: Site, plan: Plan) -> "TemplateInputs":
        """What the templates of all pages may read."""
        return cls(
            site=site,
            menu=plan.menu,
            folder=plan.folder,
            files=tuple(sorted(site.files | {document.path[1:] for document in plan.documents})),
            page_urls=plan.paths_by_source,
            tag_paths=map_tags_to_paths(site),
            exports=SiteExports.for_site(site),
        )

    def select_for_publications(self) -> "TemplateInputs":
        """The part that a publication reads: of the entries of the site, only the people."""
        people = {name: entries for name, entries in self.site.collections.items() if name == "people"}
        return replace(self, site=replace(self.site, collections=people), may_cite=False)
