"""Links that open a source file in an editor at a line."""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

_VSCODE = "{scheme}://file{path}:{line}:{column}"
_JETBRAINS = "{scheme}://open?file={path}&line={line}&column={column}"

EDITORS: Mapping[str, str] = {
    **{
        name: _VSCODE.replace("{scheme}", scheme)
        for name, scheme in (
            ("vscode", "vscode"),
            ("vscode-insiders", "vscode-insiders"),
            ("vscodium", "vscodium"),
            ("cursor", "cursor"),
            ("zed", "zed"),
        )
    },
    **{name: _JETBRAINS.replace("{scheme}", name) for name in ("pycharm", "idea", "webstorm")},
    "textmate": "txmt://open?url=file://{path}&line={line}&column={column}",
    "none": "",
}
"""
Link templates by the name of the editor; "none" makes no links.

Sources: Visual Studio Code, "Command Line Interface", section "Opening VS Code with URLs" (with the scheme of the Insiders
build); Zed, crates/zed/src/zed/open_listener.rs, which reads the text after "zed://file" as a path with a line; TextMate,
"The TextMate URL Scheme". VSCodium and Cursor are built from Visual Studio Code; their vendors and JetBrains document no
links, so these templates are those that other programs use.
"""

DEFAULT = "vscode"


def template_of(editor: str) -> str:
    """
    The link template for the name of an editor; a template is returned unchanged.

    A template has {path}, and may have {line} and {column}. Raises ValueError with a suggestion for an unknown name.
    """
    if editor in EDITORS:
        return EDITORS[editor]
    if "{path}" in editor and ":" in editor.partition("{")[0]:
        return editor
    from tenure.problems import suggestion  # noqa: PLC0415 - only needed for an error

    raise ValueError(
        f'there is no editor "{editor}"; {suggestion(editor, EDITORS)}; '
        "for another write its link, such as myeditor://open?file={path}&line={line}"
    )


def link_to(template: str, path: Path, line: int, column: int) -> str:
    """
    The link that opens an absolute path at a line and column (from 1; 0 is unknown); "" for the template "".

    In the link, the path begins with a slash, also on Windows: /C:/site/site.yaml.
    """
    written = path.as_posix()
    target = quote(written if written.startswith("/") else f"/{written}", safe="/:")
    places = {"{path}": target, "{line}": str(line or 1), "{column}": str(column or 1)}
    for name, value in places.items():
        template = template.replace(name, value)
    return template
