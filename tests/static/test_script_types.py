"""The scripts of pages and of the preview have no type error: TypeScript checks them in Chromium."""

import tarfile
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from npm_tools import TYPESCRIPT
from playwright.sync_api import Browser, Page

SCRIPTS = [
    path
    for folder in ("themes/base/assets", "tenure/server/client", "browser/engine", "browser/page")
    for path in sorted((ROOT / folder).glob("*.js"))
    if path.name
    not in ("minisearch.js", "idiomorph.js", "codemirror.js")  # published libraries, which are not ours
]
DECLARATIONS = Path(__file__).with_name("scripts.d.ts")
OPTIONS = {
    "allowJs": True,
    "checkJs": True,
    "noEmit": True,
    "moduleDetection": 3,  # force: each script has its own scope
    "module": 99,  # ESNext
    "moduleResolution": 100,  # bundler: a module is named by its file
    "target": 10,  # ES2023
    "lib": ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    "types": [],
}
CHECK = """([files, options, names]) => {
  const host = {
    getSourceFile: (name, target) => name in files ? ts.createSourceFile(name, files[name], target) : undefined,
    getDefaultLibFileName: () => '/lib.d.ts', getDefaultLibLocation: () => '/', writeFile: () => {},
    getCurrentDirectory: () => '/', getCanonicalFileName: name => name, useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\\n', fileExists: name => name in files, readFile: name => files[name],
  };
  return ts.getPreEmitDiagnostics(ts.createProgram(names, options, host)).map(one => {
    const line = one.file ? one.file.getLineAndCharacterOfPosition(one.start).line + 1 : 0;
    return `${one.file?.fileName}:${line}: ${ts.flattenDiagnosticMessageText(one.messageText, ' ')}`;
  });
}"""


@pytest.fixture(scope="module")
def compiler(running_chromium: Browser) -> tuple[Page, dict[str, str]]:
    """Return a page with the compiler, and the type declarations of JavaScript and the DOM."""
    files = {}
    with tarfile.open(TYPESCRIPT.find_file()) as package:
        for member in package.getmembers():
            name = member.name.rpartition("/")[2]
            if member.name.startswith("package/lib/lib.") or name == "typescript.js":
                content = package.extractfile(member)
                assert content is not None
                files[f"/{name}"] = content.read().decode()
    page = running_chromium.new_page()
    page.add_script_tag(content=files.pop("/typescript.js"))
    return page, files


def check_types(compiler: tuple[Page, dict[str, str]], scripts: dict[str, str]) -> Any:
    page, files = compiler
    declarations = {"/scripts.d.ts": DECLARATIONS.read_text("utf-8")}
    return page.evaluate(CHECK, [{**files, **scripts, **declarations}, OPTIONS, [*scripts, "/scripts.d.ts"]])


def test_scripts_have_no_type_error(compiler: tuple[Page, dict[str, str]]) -> None:
    assert len(SCRIPTS) >= 4
    scripts = {f"/{path.name}": path.read_text("utf-8") for path in SCRIPTS}
    scripts["/wrong.js"] = "document.querySelector('p').setAtribute('a', 'b');\n"
    found = check_types(compiler, scripts)
    assert len(found) == 1, "\n".join(found)
    assert found[0].startswith("/wrong.js:1: Property 'setAtribute' does not exist")
