"""Links that open a source in an editor at a line."""

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
The link to a place in a file by the name of the editor; "none" makes no links.

Sources: Visual Studio Code, "Command Line Interface", section "Opening VS Code with URLs" (with the scheme of the Insiders build);
Zed, crates/zed/src/zed/open_listener.rs, which takes what follows "zed://file" as a path with a line; TextMate, "The TextMate URL
Scheme". No page of the makers was found for VSCodium and Cursor, which are built from Visual Studio Code, and for the editors of
JetBrains: these are the forms that other programs use.
"""

DEFAULT = "vscode"


def template_of(editor: str) -> str:
    """
    The link template of an editor by its name, or the template itself.

    A template has {path}, and may have {line} and {column}. Raises ValueError, with what to write, for any other word.
    """
    if editor in EDITORS:
        return EDITORS[editor]
    if "{path}" in editor and ":" in editor.partition("{")[0]:
        return editor
    from tenure.problems import suggestion  # noqa: PLC0415 - loaded for a wrong call only

    raise ValueError(
        f'there is no editor "{editor}"; {suggestion(editor, EDITORS)}; '
        "for another write its link, such as myeditor://open?file={path}&line={line}"
    )


def link_to(template: str, path: Path, line: int, column: int) -> str:
    """
    The link that opens an absolute path at a line and a column (from 1; 0 is unknown); "" for the template "".

    The path begins with a slash, also on Windows: /C:/site/site.yaml.
    """
    written = path.as_posix()
    target = quote(written if written.startswith("/") else f"/{written}", safe="/:")
    places = {"{path}": target, "{line}": str(line or 1), "{column}": str(column or 1)}
    for name, value in places.items():
        template = template.replace(name, value)
    return template
