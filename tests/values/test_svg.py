"""SVG images: their size in pixels, and content that they must not have."""

import pytest

from tenure.images.svg import UnreadableSvgError, inspect_svg


def test_an_external_style_sheet_is_reported() -> None:
    text = '<?xml version="1.0"?>\n<?xml-stylesheet href="a.css"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'
    for body in (text.encode(), text.replace("1.0", '1.0" encoding="utf-16').encode("utf-16")):
        ((message, _),) = inspect_svg(body).issues
        assert message == "it needs a style sheet beside it"


def test_entities_of_drawing_programs_are_read() -> None:
    body = (
        '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [\n'
        '<!ENTITY ns "http://www.w3.org/2000/svg">\n<!ENTITY evil "javascript:go()">]>\n'
        '<svg xmlns="&ns;" width="5" height="6"><a href="&evil;"/></svg>'
    )
    drawing = inspect_svg(body.encode())
    assert (drawing.width, drawing.height) == (5, 6)
    assert [message for message, _ in drawing.issues] == ['it runs a script (href="javascript:go()")']


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
