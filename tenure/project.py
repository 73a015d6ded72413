"""The options of a build, and the loaded folder of a site."""

from collections.abc import Mapping

from tenure.frozen import dataclass
from tenure.model.site import Site
from tenure.output import Artifact


@dataclass(frozen=True, slots=True)
class Count:
    """
    The numbers of entries in a .bib file, of those on the site, and of those reported as problems.

    A draft in content/publications.yaml counts as reported.
    """

    found: int
    shown: int
    told: int


@dataclass(frozen=True, slots=True)
class Project:
    """
    A loaded folder: the site, the files to copy, and the counts of its .bib files.

    `optional_files` are copied only if something links to them.
    """

    site: Site
    static: tuple[Artifact, ...]
    spare: tuple[Artifact, ...]
    counts: Mapping[str, Count]


@dataclass(frozen=True, slots=True)
class Wishes:
    """
    The options of a build: another URL or theme, checks of the bibliography, drafts.

    With `reuse_last_readable`, a file that cannot be read is replaced by its last readable version in the same
    store; without such a version, an unreadable site.yaml gives no site.
    """

    base_url: str = ""
    theme: str = ""
    thorough: bool = False
    drafts: bool = False
    keep_last: bool = False
