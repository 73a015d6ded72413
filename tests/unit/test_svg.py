"""SVG images: their size in pixels, and content that they must not have."""

import pytest

from tenure.images.svg import UnreadableSvgError, inspect_svg

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 30 20">\n'


def list_issues(inside: str) -> list[tuple[int, str]]:
    return [(issue.line, issue.message) for issue in inspect_svg(f"{HEAD}{inside}\n</svg>".encode()).issues]


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ('viewBox="0 0 460.8 345.6" width="460.8pt" height="345.6pt"', (614, 461)),
        ('viewBox="0 0 300 200"', (300, 200)),
        ('viewBox="0,0,300,200" width="600"', (600, 400)),
        ('viewBox="0 0 300 200" height="100px"', (150, 100)),
        ('viewBox="0 0 300 200" width="100%" height="100%"', (300, 200)),
        ('viewBox="-1e1 0 1e2 50" width="2in"', (192, 96)),
        ('width="10cm" height="5cm"', (378, 189)),
        ('viewBox="0 0 0 0"', (300, 150)),
        ("", (300, 150)),
    ],
)
def test_the_size_of_an_svg_is_read(attributes: str, size: tuple[int, int]) -> None:
    drawing = inspect_svg(f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}/>'.encode())
    assert (drawing.width, drawing.height) == size


@pytest.mark.parametrize(
    "inside",
    [
        '<a href="https://example.org/"><text>a link leads on, and needs nothing</text></a>',
        '<defs><path id="p"/></defs><use xlink:href="#p"/><rect fill="url(#g)" style="clip-path:url( \'#c\' )"/>',
        '<image href="data:image/png;base64,AAAA"/><style>@font-face{src:url("data:font/woff2;base64,AA")}</style>',
        '<switch><foreignObject requiredExtensions="x"/><text>javascript: is a language; onload is a word</text></switch>',
        '<metadata><rdf xmlns="http://www.w3.org/1999/02/22-rdf-syntax-ns#">http://creativecommons.org</rdf></metadata>',
        '<animate attributeName="x" from="0" to="10" values="0;1"/>',
    ],
)
def test_safe_svg_has_no_issues(inside: str) -> None:
    assert list_issues(inside) == []


@pytest.mark.parametrize(
    ("inside", "reported"),
    [
        ("<script>alert(1)</script>", "it contains a script"),
        ('<script href="x.js"/>', "it contains a script"),
        ('<rect onclick="go()"/>', 'it runs a script (onclick="…")'),
        ('<a xlink:href="java\tscript:go()"/>', 'it runs a script (href="javascript:go()")'),
        ('<a href="&#106;avascript:go()"/>', 'it runs a script (href="javascript:go()")'),
        ('<set attributeName="href" to="javascript:go()"/>', 'it runs a script (to="javascript:go()")'),
        (
            '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>',
            "it contains a piece of HTML (foreignObject)",
        ),
        (
            '<h:meta xmlns:h="http://www.w3.org/1999/xhtml" http-equiv="refresh" content="0;url=https://example.org/"/>',
            "it contains a piece of HTML (<meta>)",
        ),
        (
            '<metadata xmlns:h="http://www.w3.org/1999/xhtml"><h:form>x</h:form></metadata>',
            "it contains a piece of HTML (<form>)",
        ),
        ('<animate values="x;javascript:go()"/>', 'it runs a script (values="x;javascript:go()")'),
        ('<animate by="javascript:go()"/>', 'it runs a script (by="javascript:go()")'),
        ("<style>@\\69mport 'a.css';</style>", "its style needs another file (@import 'a.css')"),
        ("<style>@im<!-- x -->port 'a.css';</style>", "its style needs another file (@import 'a.css')"),
        (
            '<rect style="fill:u\\000072 l(a.svg)"/>',
            'it needs another file (style="fill:u\\000072 l(a.svg)")',
        ),
        ('<iframe src="x.html"/>', "it contains another document (<iframe>)"),
        ('<image href="photo.png"/>', "it needs another file (“photo.png”)"),
        (
            '<use href="https://example.org/a.svg#x"/>',
            "it needs another file (“https://example.org/a.svg#x”)",
        ),
        ('<use href="data:image/svg+xml,x"/>', 'it contains another document (href="data:image/svg+xml,x")'),
        (
            '<rect fill="url(https://example.org/#g)"/>',
            'it needs another file (fill="url(https://example.org/#g)")',
        ),
        ("<style>@import url(a.css);</style>", "its style needs another file (@import url(a.css))"),
        (
            "<style>text{}\n@font-face{src:url('https://example.org/f.woff2');}</style>",
            "its style needs another file (url('https://example.org/f.woff2'))",
        ),
    ],
)
def test_unsafe_svg_is_reported_with_its_line(inside: str, reported: str) -> None:
    first, *others = list_issues(f"<g>\n{inside}</g>")
    assert first[1] == reported
    assert first[0] >= 3
    assert {message for _, message in others} <= {reported, "it needs another file (“x.js”)"}


def test_an_external_style_sheet_is_reported() -> None:
    body = (
        b'<?xml version="1.0"?>\n<?xml-stylesheet href="a.css"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'
    )
    assert [(issue.line, issue.message) for issue in inspect_svg(body).issues] == [
        (2, "it needs a style sheet beside it")
    ]


def test_entities_of_drawing_programs_are_read() -> None:
    body = (
        '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [\n'
        '<!ENTITY ns "http://www.w3.org/2000/svg">\n<!ENTITY evil "javascript:go()">]>\n'
        '<svg xmlns="&ns;" width="5" height="6"><a href="&evil;"/></svg>'
    )
    drawing = inspect_svg(body.encode())
    assert (drawing.width, drawing.height) == (5, 6)
    assert [issue.line for issue in drawing.issues] == [4]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"(a file)",
        b"<svg",
        b"<html/>",
        b"\x1f\x8b\x08",
        b'<?xml version="1.0" encoding="klingon"?><svg/>',
        b"<!DOCTYPE svg [<!ENTITY a 'lollollol'>"
        + b"".join(
            b"<!ENTITY a%d '%s'>" % (i, b"&a%d;" % (i - 1) * 100 if i else b"&a;" * 100) for i in range(9)
        )
        + b"]><svg>&a8;</svg>",
    ],
)
def test_other_files_are_not_svg(body: bytes) -> None:
    with pytest.raises(UnreadableSvgError):
        inspect_svg(body)
