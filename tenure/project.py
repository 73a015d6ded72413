"""A folder of sources, read, and what a call asks for beside them."""

from collections.abc import Mapping

from tenure.frozen import dataclass
from tenure.model.site import Site
from tenure.output import Artifact


@dataclass(frozen=True, slots=True)
class Count:
    """
    How many entries a .bib file has, how many of them the site shows, how many are told as problems.

    A draft of content/publications.yaml counts as told.
    """

    found: int
    shown: int
    told: int


@dataclass(frozen=True, slots=True)
class Project:
    """
    A folder of sources, read: the site, the files that are copied, and the .bib files' counts.

    `spare` are files that are on the site only where something links to them.
    """

    site: Site
    static: tuple[Artifact, ...]
    spare: tuple[Artifact, ...]
    counts: Mapping[str, Count]


@dataclass(frozen=True, slots=True)
class Wishes:
    """
    What a call asks for beside the sources.

    Another address, another theme, all that is only doubtful told, drafts shown as well. With `keep_last`, a file that
    cannot be read counts as it was when it could last be read with the same memo; without such an earlier version, a
    site.yaml that cannot be read gives no site.
    """

    base_url: str = ""
    theme: str = ""
    thorough: bool = False
    drafts: bool = False
    keep_last: bool = False
