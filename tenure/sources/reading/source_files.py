"""The files of bib/ and content/ that are copied: fig.png -> bib/fig.png, whichever folder it is in."""

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from tenure.model.file_index import FileIndex
from tenure.publish import Artifact
from tenure.record import Record


class SourceFiles(Record):
    """
    The copied files of bib/ and content/: an index by path and end of path,
    the artifacts by path on the site, and the paths by name.
    """

    index: FileIndex
    artifacts: Mapping[str, Artifact]
    paths_by_name: Mapping[str, str]

    @classmethod
    def from_artifacts(cls, artifacts: Iterable[Artifact]) -> "SourceFiles":
        """Index these files."""
        artifacts_by_path = {artifact.path: artifact for artifact in artifacts}
        paths_by_name = {PurePosixPath(path).name: path for path in artifacts_by_path}
        return cls(FileIndex(artifacts_by_path), artifacts_by_path, paths_by_name)
