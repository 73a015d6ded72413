"""A preview without a server, for tests."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tenure.build import EXPORTERS
from tenure.cli.serve import make_builder
from tenure.model.site import Site
from tenure.plan.pages import Plan
from tenure.problems import Place, format_problem
from tenure.publish import Artifact
from tenure.server.late_documents import LateDocuments
from tenure.server.server import Console, Preview
from tenure.server.theme_panel import ThemePanel


class BuildLoop:
    """A preview without a server. It stores its messages to browsers and to the terminal, and can run a function at each message."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.browser_messages: list[Mapping[str, object]] = []
        self.printed: list[str] = []
        self.meanwhile: Iterator[Callable[[], None]] = iter(())
        self.beside: Iterator[Callable[[], None]] = iter(())
        documents = LateDocuments()
        maker = make_builder(root, "", ThemePanel(root), (*EXPORTERS, self._export_numbers), documents)
        console = Console(
            lambda built: "".join(map(format_problem, built.problems)), repr, self.printed.append
        )
        self.preview = Preview(maker, root, console, documents=documents)
        self.preview.rebuild()
        self.preview.broadcast = self._receive_message

    def _receive_message(self, message: Mapping[str, object]) -> None:
        self.browser_messages.append(message)
        next(self.meanwhile, int)()

    def _export_numbers(self, site: Site, pages: Plan) -> Iterator[Artifact]:
        del pages
        for number in range(2):
            yield Artifact(f"{number}.txt", site.title.encode(), Place("site.yaml"))
            next(self.beside, int)()

    def replace_text(self, name: str, old: str, new: str) -> None:
        path = self.root / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
        self.preview.add_changes([str(path)])

    def read_page(self, file: str) -> str:
        return self.preview.snapshot.files[file].read().decode()
