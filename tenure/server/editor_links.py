"""Links that open a source file in an editor at a line."""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

EDITOR_LINK_TEMPLATES: Mapping[str, str] = {
    **{
        name: f"{name}://file{{path}}:{{line}}:{{column}}"
        for name in ("vscode", "vscode-insiders", "vscodium", "cursor", "zed")
    },
    **{
        name: f"{name}://open?file={{path}}&line={{line}}&column={{column}}"
        for name in ("pycharm", "idea", "webstorm")
    },
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

DEFAULT_EDITOR = "vscode"


def find_link_template(editor: str) -> str:
    """
    The link template for the name of an editor; a template is returned unchanged.

    A template has {path}, and may have {line} and {column}. Raises ValueError with a suggestion for an unknown name.
    """
    if editor in EDITOR_LINK_TEMPLATES:
        return EDITOR_LINK_TEMPLATES[editor]
    if "{path}" in editor and ":" in editor.partition("{")[0]:
        return editor
    from tenure.problems import format_suggestion

    raise ValueError(
        f'there is no editor "{editor}"; {format_suggestion(editor, EDITOR_LINK_TEMPLATES)}; '
        "for another write its link, such as myeditor://open?file={path}&line={line}"
    )


def format_editor_link(template: str, path: Path, line: int, column: int) -> str:
    """
    The link that opens an absolute path at a line and column (from 1; 0 is unknown); "" for the template "".

    In the link, the path begins with a slash, also on Windows: /C:/site/site.yaml.
    """
    posix_path = path.as_posix()
    target = quote(posix_path if posix_path.startswith("/") else f"/{posix_path}", safe="/:")
    values = {"{path}": target, "{line}": str(line or 1), "{column}": str(column or 1)}
    for name, value in values.items():
        template = template.replace(name, value)
    return template
