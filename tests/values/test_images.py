"""Images: resized, upright, in sRGB, without metadata; their sizes and versions on pages; link previews and icons."""

import io
import random
import re
import shutil
import struct
import sys
import threading
import zlib
from collections.abc import Iterator
from functools import partial
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest
from conftest import ROOT, Built, Make, Patch, Sources, read_site, run_process
from PIL import Image, ImageCms, ImageOps, ImageSequence
from sample_images import create_exif, draw_picture, encode_animation, encode_image

from tenure.html.icons import load_icons, render_icon
from tenure.images import resizing
from tenure.images.metadata import may_contain_location, strip_metadata
from tenure.images.resizing import ImageSize, ResizedImage, UnreadableImageError, measure_image, resize_images
from tenure.images.svg import inspect_svg
from tenure.sources.reading.media import MAX_VIDEO_BYTES


def resize_image(body: bytes) -> ResizedImage:
    (resized,) = resize_images([lambda: body])
    assert isinstance(resized, ResizedImage), resized
    return resized


def read_error(body: bytes) -> UnreadableImageError:
    with pytest.raises(UnreadableImageError) as raised:
        measure_image(body)
    return raised.value


def open_image(body: bytes) -> Image.Image:
    with Image.open(io.BytesIO(body)) as image:
        image.load()
        return image


def read_corner(image: Image.Image) -> tuple[int, ...]:
    result = image.convert("RGB").getpixel((1, 1))
    assert isinstance(result, tuple)
    return result


@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_version_is_upright_and_has_no_exif(orientation: int) -> None:
    """The result equals that of Pillow's function for the orientation."""
    from PIL import ImageOps

    body = encode_image(draw_picture(900, 600), "JPEG", quality=95, exif=create_exif(orientation))
    size = measure_image(body)
    upright = ImageOps.exif_transpose(open_image(body))
    assert (size.width, size.height) == upright.size == ((600, 900) if orientation >= 5 else (900, 600))
    for width, version in zip(size.widths, resize_image(body).versions, strict=True):
        image = open_image(version)
        assert image.size == (width, round(size.height * width / size.width))
        assert not image.getexif()
        near = zip(read_corner(image), read_corner(upright.resize(image.size)), strict=True)
        assert max(abs(a - b) for a, b in near) < 12


def test_widths_in_a_text() -> None:
    body = encode_image(draw_picture(3000, 1500), "JPEG")
    assert measure_image(body) == ImageSize(1600, 800, (240, 480, 960, 1600), too_large=True)
    assert open_image(resize_image(body).reduced).size == (1600, 800)
    body = encode_image(draw_picture(500, 250), "JPEG", quality=95)
    assert measure_image(body) == ImageSize(500, 250, (240, 500))
    assert resize_image(body).reduced == b""


def test_a_huge_photo_is_reduced() -> None:
    noise = Image.effect_noise((8000, 6000), 60)
    body = encode_image(noise.convert("RGB"), "JPEG", quality=90, exif=create_exif(3))
    assert len(body) > 15_000_000
    reduced = resize_image(body).reduced
    assert open_image(reduced).size == (1600, 1200)
    assert len(reduced) < 1_500_000


def test_a_tall_poster_is_reduced_by_its_height() -> None:
    size = measure_image(encode_image(draw_picture(1000, 8000), "PNG"))
    assert (size.width, size.height) == (400, resizing.MAX_HEIGHT)


@pytest.mark.parametrize(
    ("image", "kind"),
    [
        (draw_picture(600, 400).convert("CMYK"), "JPEG"),
        (draw_picture(600, 400), "AVIF"),
        (draw_picture(600, 400), "BMP"),
        (draw_picture(600, 400).convert("RGBA"), "AVIF"),
    ],
)
def test_versions_of_other_formats(image: Image.Image, kind: str) -> None:
    widest = resize_image(encode_image(image, kind, quality=100) + b"\0" * 4096).versions[-1]
    near = zip(read_corner(open_image(widest)), read_corner(image.convert("RGB")), strict=True)
    assert max(abs(a - b) for a, b in near) < 24


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_kind_of_png(mode: str) -> None:
    noise = Image.effect_noise((600, 400), 90)
    deep = noise.convert("I").point(lambda v: v * 257)
    image = deep.convert("I;16") if mode == "I;16" else noise.convert(mode)
    widest = resize_image(encode_image(image, "PNG")).versions[-1]
    shown_image = open_image(widest).convert("L").resize((60, 40), Image.Resampling.BOX)
    meant = noise.convert("1").convert("L") if mode == "1" else noise
    meant = meant.resize((60, 40), Image.Resampling.BOX)
    assert max(abs(a - b) for a, b in zip(shown_image.tobytes(), meant.tobytes(), strict=True)) < 40


def test_transparency_is_preserved() -> None:
    alpha = Image.linear_gradient("L").resize((600, 400))
    image = draw_picture(600, 400)
    image.putalpha(alpha)
    for version in resize_image(encode_image(image, "PNG")).versions:
        shown_image = open_image(version)
        assert shown_image.mode == "RGBA"
        assert shown_image.getchannel("A").getextrema() == (0, 255)


def test_a_png_diagram_stays_sharp() -> None:
    image = Image.new("RGB", (600, 400), "white")
    image.paste("black", (100, 100, 300, 101))
    (*_, widest) = resize_image(encode_image(image, "PNG") + b"\0" * 4096).versions
    assert open_image(widest).convert("RGB").tobytes() == image.tobytes()


def test_color_profiles_are_converted_to_srgb() -> None:
    """With a profile that swaps red and blue, the converted image has the colours of the profile."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    swapped = profile.replace(b"rXYZ", b"tmpZ").replace(b"bXYZ", b"rXYZ").replace(b"tmpZ", b"bXYZ")
    red = Image.new("RGB", (2000, 100), (255, 0, 0))
    reduced = resize_image(encode_image(red, "PNG", icc_profile=swapped)).reduced
    assert read_corner(open_image(reduced)) == (0, 0, 255)
    assert "icc_profile" not in open_image(reduced).info


def test_damaged_exif_and_profiles_do_not_lose_the_image() -> None:
    exif = b"Exif\0\0MM\0*nonsense"
    body = encode_image(draw_picture(700, 400), "JPEG", exif=exif, icc_profile=b"nonsense")
    size = measure_image(body)
    assert (size.width, size.height) == (700, 400)
    assert len(resize_image(body).versions) == 3


def test_an_animation_and_a_small_image_have_no_versions() -> None:
    for kind in ("GIF", "WEBP", "PNG"):
        assert measure_image(encode_animation(kind)) == ImageSize(60, 40), kind
    body = encode_image(draw_picture(700, 500), "MPO", save_all=True, append_images=[draw_picture(70, 50)])
    assert measure_image(body).widths == (240, 480, 700), "two images in one file are not an animation"
    assert measure_image(encode_image(draw_picture(20, 20), "PNG")) == ImageSize(20, 20)


def test_a_decompression_bomb_is_refused() -> None:
    header = struct.pack(">IIBBBBB", 20_000, resizing.MAX_PIXELS // 20_000 + 1, 8, 2, 0, 0, 0)
    chunks = {b"IHDR": header, b"IDAT": zlib.compress(bytes(99)), b"IEND": b""}
    bomb = b"\x89PNG\r\n\x1a\n" + b"".join(encode_chunk(kind, body) for kind, body in chunks.items())
    problem = read_error(bomb)
    assert problem.too_large
    assert str(problem) == "has more than 128 million pixels"


def test_other_files_are_not_images() -> None:
    others = (b"", b"(a file)", b"%PDF-1.7", b"%!PS-Adobe-3.0 EPSF-3.0")
    for body in (*others, encode_image(draw_picture(), "TIFF")):
        assert (read_error(body).too_large, str(read_error(body))) == (False, "cannot be read"), body


def test_damaged_images_are_reported() -> None:
    chance = random.Random(11)
    bodies = [
        encode_image(draw_picture(), kind, exif=create_exif(6)) for kind in ("JPEG", "PNG", "WEBP", "AVIF")
    ] + [encode_animation("GIF")]
    jobs = []
    for _ in range(600):
        torn = bytearray(chance.choice(bodies))
        for _ in range(chance.choice([1, 3, 30])):
            torn[chance.randrange(min(len(torn), chance.choice([60, 9999])))] = chance.randrange(256)
        body = bytes(torn[: chance.choice([len(torn), chance.randrange(len(torn))])])
        jobs.append(lambda body=body: body)
    kinds = {type(resized) for resized in resize_images(jobs)}
    assert kinds == {ResizedImage, UnreadableImageError}


def test_i22_images_are_converted_at_once_and_a_damaged_one_harms_no_other(monkeypatch: Patch) -> None:
    """Each of two images waits until the other is being read, which only happens if both are converted at once."""
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    meeting = threading.Barrier(2, timeout=30)

    def read_together(body: bytes) -> bytes:
        meeting.wait()
        if not body:
            raise FileNotFoundError("the file has been deleted")
        return body

    good = encode_image(draw_picture(300, 200), "PNG")
    jobs = [partial(read_together, body) for body in (good, b"no image", b"", good)]
    kinds = [type(result) for result in resize_images(jobs)]
    assert kinds == [ResizedImage, UnreadableImageError, UnreadableImageError, ResizedImage]


def test_the_same_image_gives_the_same_bytes() -> None:
    body = encode_image(draw_picture(1200, 900), "JPEG", exif=create_exif(6))
    assert resize_image(body) == resize_image(body)


def test_the_version_of_pillow_is_read_without_importing_it() -> None:
    import PIL

    assert PIL.__version__ in resizing.pillow_version()


SECRETS = (b"Tenure Camera", b"SECRET WORDS", b"2024:05:06", b"Exif\0\0MM", b"http://ns.adobe.com")
XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- SECRET WORDS http://ns.adobe.com/xap/1.0/ --></x:xmpmeta>'
PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def encode_chunk(kind: bytes, body: bytes) -> bytes:
    """Return a chunk of a PNG file."""
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")


def decode_frames(body: bytes) -> Iterator[bytes]:
    with Image.open(io.BytesIO(body)) as image:
        for frame in ImageSequence.Iterator(image):
            yield frame.convert("RGBA").tobytes()


JPEG = {"exif": create_exif(6), "comment": b"SECRET WORDS", "xmp": XMP, "icc_profile": PROFILE}
STILLS = [
    encode_image(draw_picture(), "JPEG", **JPEG),
    encode_image(draw_picture(), "JPEG", progressive=True, **JPEG),
    encode_image(draw_picture(), "MPO", save_all=True, append_images=[draw_picture(30, 20)], **JPEG),
    encode_image(draw_picture(), "PNG", exif=create_exif(6), icc_profile=PROFILE),
    encode_image(draw_picture(), "WEBP", exif=create_exif(6), xmp=XMP, icc_profile=PROFILE),
    encode_image(draw_picture(), "WEBP", lossless=True, exif=create_exif(6), xmp=XMP, icc_profile=PROFILE),
]
ANIMATIONS = [encode_animation("WEBP"), encode_animation("PNG")]


@pytest.mark.parametrize("body", STILLS)
def test_an_image_keeps_pixels_profile_and_orientation(body: bytes) -> None:
    clean = strip_metadata(body)
    assert len(clean) < len(body)
    for secret in SECRETS:
        assert secret not in clean.replace(b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12", b"")
    with Image.open(io.BytesIO(body)) as before, Image.open(io.BytesIO(clean)) as after:
        assert after.info.get("icc_profile") == PROFILE
        assert dict(after.getexif()) == {0x0112: 6}
        if before.format != "WEBP" or b"VP8L" in body:  # a lossy WebP is encoded again
            assert after.tobytes() == before.tobytes()
            assert strip_metadata(clean) == clean


@pytest.mark.parametrize("body", ANIMATIONS)
def test_an_animation_keeps_its_frames(body: bytes) -> None:
    clean = strip_metadata(body)
    assert b"SECRET WORDS" not in clean
    assert list(decode_frames(clean)) == list(decode_frames(body))
    assert len(list(decode_frames(clean))) == 3
    with Image.open(io.BytesIO(clean)) as image:
        assert image.info["loop"] == 0


def test_an_upright_photo_needs_no_exif_at_all() -> None:
    for kind in ("JPEG", "PNG", "WEBP"):
        clean = strip_metadata(encode_image(draw_picture(), kind, exif=create_exif(1)))
        assert b"exif" not in clean.lower()


def test_text_and_unknown_chunks_of_png_are_removed() -> None:
    plain = encode_image(draw_picture().quantize(4), "PNG", transparency=0)
    chunks = {b"tEXt": b"Author\0SECRET WORDS", b"iTXt": b"XML\0\0\0\0\0" + XMP, b"caBX": b"made by"}
    extra = b"".join(map(encode_chunk, chunks, chunks.values()))
    assert strip_metadata(plain[:33] + extra + plain[33:] + b"SECRET WORDS") == plain
    plain = encode_image(draw_picture(), "JPEG")  # and data after a JPEG
    assert strip_metadata(plain + b"....ftypmp42 SECRET WORDS") == plain


def test_broken_and_other_files_are_unchanged() -> None:
    others = (b"", b"\xff\xd8\xff", b"(a file)", b"\x89PNG\r\n\x1a\n\0\0", b"RIFF\0\0\0\0WEBP")
    assert [body for body in (*others, STILLS[0][:200]) if strip_metadata(body) != body] == []


def test_damage_anywhere_never_raises() -> None:
    chance = random.Random(7)
    for body in (*STILLS, *ANIMATIONS):
        for _ in range(200):
            torn = bytearray(body[: chance.randrange(len(body)) + 1])
            for _ in range(chance.choice([0, 1, 5])):
                torn[chance.randrange(len(torn))] = chance.randrange(256)
            assert isinstance(strip_metadata(bytes(torn)), bytes)


def test_formats_without_metadata_removal_are_detected() -> None:
    assert may_contain_location(encode_image(draw_picture(), "AVIF", exif=create_exif()))
    assert may_contain_location(b"II*\0\x08\0\0\0\1\0\x25\x88\4\0\1\0\0\0\x1a\0\0\0\0\0\0\0")
    assert may_contain_location(b"MM\0*\0\0\0\x08\0\1\x88\x25\0\4\0\0\0\1\0\0\0\x1a\0\0\0\0")
    assert not may_contain_location(encode_image(draw_picture(), "AVIF"))


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
    with pytest.raises(UnreadableImageError):
        inspect_svg(body)


def test_every_icon_is_an_svg_that_is_not_read_aloud() -> None:
    icon = re.compile(
        r'<svg (?=[^>]*viewBox="[\d.-]+ [\d.-]+ [\d.-]+ [\d.-]+")(?=[^>]*aria-hidden="true")[^>]*>'
        r'<path d="[Mm][\d\s.,MmLlHhVvCcSsQqTtAaZzeE-]+"/></svg>'
    )
    assert [name for name in load_icons() if not icon.fullmatch(render_icon(name))] == []


def test_brand_marks_name_their_source_and_the_licence_lists_it() -> None:
    licence = (ROOT / "tenure/html/icons-LICENSE.txt").read_text("utf-8")
    sources = {icon.source for icon in load_icons().values()} - {""}
    assert sources == {"Simple Icons", "Academicons"}
    assert all(source in licence for source in sources)
    assert sum(bool(icon.source) for icon in load_icons().values()) >= 40


SITE = read_site("images")


@pytest.fixture
def sources(site: Make) -> Sources:
    """Write a site with a rotated photo, a drawing, images in texts, and a poster to download."""
    site_sources = site(SITE)
    for name, body in {
        "me.jpg": encode_image(draw_picture(1200, 900), "JPEG", exif=create_exif(6)),
        "poster.jpg": encode_image(draw_picture(2400, 1200), "JPEG", exif=create_exif(1)),
        "files/unshown.jpg": encode_image(draw_picture(1800, 900), "JPEG", exif=create_exif(1)),
        "images/lab.png": encode_image(draw_picture(900, 600), "PNG", exif=create_exif(1)),
        "images/dot.png": encode_image(draw_picture(8, 8), "PNG"),
    }.items():
        path = site_sources.root / "content" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(body)
    return site_sources


def find_images(built: Built, page: str) -> dict[str, dict[str, str]]:
    """Return the attributes of every <img> of a page, by its alt text."""
    result = {}
    for tag in re.findall(r"<img [^>]*>", built.read_page(page)):
        attributes = {name: unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}
        result[attributes["alt"]] = attributes
    return result


def measure_shown(body: bytes) -> tuple[int, int]:
    """Return the size of an image as a browser shows it, upright."""
    with Image.open(io.BytesIO(body)) as image:
        return ImageOps.exif_transpose(image).size


def test_an_image_in_a_text_has_size_and_versions(sources: Sources) -> None:
    built = sources.build()
    assert built.problems == []
    lab = find_images(built, "/")['The "lab"']
    assert (lab["width"], lab["height"], lab["loading"], lab.get("decoding")) == ("900", "600", "eager", None)
    assert lab["sizes"] == "(min-width: 45rem) 42rem, 100vw"
    assert lab["src"] == "images/lab.png"
    listed = re.findall(r"(assets/pictures/lab-(\d+)\.[0-9a-f]{10}\.webp) (\d+)w", lab["srcset"])
    assert [(w, stated) for _, w, stated in listed] == [(n, n) for n in ("240", "480", "900")]
    for path, width, _ in listed:
        assert measure_shown(built.files[path]) == (int(width), int(width) * 2 // 3)


def test_the_profile_photo_is_upright_and_loaded_first(sources: Sources) -> None:
    built = sources.build()
    photo = find_images(built, "/")["Portrait of Ada Example"]
    width = int(photo["width"])
    assert (photo["loading"], photo["sizes"]) == ("eager", f"{width}px")
    assert "decoding" not in photo
    paths = re.findall(r"(\S+) \d+w", photo["srcset"])
    assert [measure_shown(built.files[path]) for path in paths] == [(240, 320), (480, 640), (900, 1200)]
    assert measure_shown(built.files[photo["src"]]) == (900, 1200)


def test_images_have_the_widths_of_the_text_and_only_the_first_four_are_not_lazy(sources: Sources) -> None:
    markup = find_images(sources.build(), "/posts/first/")
    half = markup["At half"]
    assert (half["width"], half["height"], half["sizes"]) == ("336", "224", "336px")
    assert "style" not in half
    small = markup["Small"]
    assert (small["width"], small["height"], small["sizes"]) == ("300", "200", "300px")
    assert (markup["Icon"]["width"], markup["Icon"]["height"]) == ("40", "30")
    assert markup["Icon"]["src"] == "../../icon.svg#part"
    assert "srcset" not in markup["Icon"]
    assert "role" not in markup[""]
    first, *others = markup.values()
    assert "decoding" not in first
    assert "auto" not in first["sizes"]
    assert first["loading"] == "eager"
    assert {picture["loading"] for picture in others[:3]} == {"eager"}
    assert {picture["loading"] for picture in others[3:]} == {"lazy"}


def test_copied_images_keep_their_urls_and_lose_metadata(sources: Sources) -> None:
    published = sources.build().files
    for path, body in published.items():
        assert b"Tenure Camera" not in body, path
        assert b"2024:05:06" not in body, path
    assert measure_shown(published["me.jpg"]) == (900, 1200)
    assert measure_shown(published["images/lab.png"]) == (900, 600)
    assert measure_shown(published["files/unshown.jpg"]) == (1800, 900)
    assert measure_shown(published["poster.jpg"]) == (2400, 1200), "a page links to it"


def test_a_huge_image_is_reduced_at_its_own_url(sources: Sources) -> None:
    sources.edit_files("-- content/about.md --\n![The poster](poster.jpg)\n")
    sources.edit_files("-- content/posts/first.md --\n---\ntitle: First\ndate: 2024\n---\nText.\n")
    assert measure_shown(sources.build().files["poster.jpg"]) == (1600, 800)


def test_a_publication_has_its_image(site: Make) -> None:
    paper = "@misc{one, title={One}, author={Example, Ada}, year={2024}, preview={tree.png}}\n"
    sources, body = (
        site(f"-- bib/papers.bib --\n{paper}"),
        encode_image(draw_picture(700, 500), "PNG", exif=create_exif(1)),
    )
    (sources.root / "bib/tree.png").write_bytes(body)
    built = sources.build()
    (tree,) = find_images(built, "/publications/one/").values()
    assert (tree["width"], tree["height"], tree["alt"]) == ("700", "500", "")
    assert tree["src"] == "tree.png"
    assert b"Tenure Camera" not in built.files["publications/one/tree.png"]


def test_images_on_the_404_page_work(sources: Sources) -> None:
    """Its URLs begin at the root of the site, as the page is shown at any path."""
    template = """<p><img src="{{ 'me.jpg'|url }}" alt="Me"></p>"""
    sources.edit_files(f"-- themes/classic/pages/404.html --\n{template}\n")
    attributes = find_images(sources.build(base_url="https://example.edu/~ada/"), "/404.html")["Me"]
    assert attributes["src"] == "/~ada/me.jpg"
    version = r"(/~ada/assets/pictures/me-\d+\.[0-9a-f]{10}\.webp \d+w(, |$))+"
    assert re.fullmatch(version, attributes["srcset"])


def test_a_missing_or_damaged_cache_gives_the_same_bytes(sources: Sources) -> None:
    first = sources.build_cached().files
    cache = sources.root / ".cache/pictures"
    assert len(list(cache.iterdir())) == 3
    assert sources.build_cached().files == first
    for number, path in enumerate(sorted(cache.iterdir())):
        body = path.read_bytes()
        path.write_bytes((b"", body[:-9], body[:30] + b"!" + body[31:])[number])
    assert sources.build_cached().files == first
    shutil.rmtree(cache)
    assert sources.build_cached().files == first
    shutil.rmtree(cache)
    cache.write_text("in the way")
    assert sources.build_cached().files == first


def test_a_warm_build_does_not_load_pillow(sources: Sources) -> None:
    first = sources.build_cached().files
    script = (
        "import sys; from pathlib import Path; from tenure.build import build_site\n"
        f"made = build_site(Path({str(sources.root)!r}))\n"
        "assert not made.has_errors and 'PIL' not in sys.modules, 'loaded'\nprint(len(made.artifacts))"
    )
    result = run_process(sys.executable, "-c", script)
    assert (result.stdout.strip(), result.stderr) == (str(len(first)), "")


def test_a_site_without_images_imports_no_image_library() -> None:
    script = (
        "import sys; from pathlib import Path; from tenure.build import build_site\n"
        "from tenure.cache.store import CacheStore\n"
        f"build_site(Path({str(ROOT / 'examples/projects-page')!r}), store=CacheStore())\n"
        "print([name for name in sys.modules if name in ('PIL', 'tenure.exports.card')])"
    )
    result = run_process(sys.executable, "-c", script)
    assert result.stdout.strip() == "[]"


def test_unused_cached_images_are_removed(sources: Sources, monkeypatch: Patch) -> None:
    from tenure.images import library

    sources.build_cached()
    cache = sources.root / ".cache/pictures"
    before = {path.name for path in cache.iterdir()}
    (sources.root / "content/me.jpg").write_bytes(encode_image(draw_picture(800, 800), "JPEG"))
    sources.build_cached()
    assert before < {path.name for path in cache.iterdir()}
    monkeypatch.setattr(library, "MAX_CACHE_BYTES", 1000)
    (sources.root / "content/me.jpg").write_bytes(encode_image(draw_picture(700, 700), "JPEG"))
    (cache / "gone").symlink_to("as where another build has just dropped it")
    sources.build_cached()
    (cache / "gone").unlink()
    names_after = {path.name for path in cache.iterdir()}
    assert len(names_after) == 3
    assert len(names_after & before) == 2


def test_images_that_cannot_be_shown_are_reported(sources: Sources) -> None:
    content = sources.root / "content"
    (content / "me.jpg").write_bytes((content / "me.jpg").read_bytes()[:900])
    (content / "images/lab.png").write_bytes(b"(a file)")
    (content / "icon.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg">\n<script/>\n</svg>')
    built = sources.build()
    assert [line.split("\n")[0] for line in built.problems] == [
        "content/icon.svg: error: the drawing icon.svg is not shown: it contains <script>",
        "content/images/lab.png: error: this image cannot be read",
        "content/me.jpg: error: this image cannot be read",
    ]


def test_a_format_without_metadata_removal_is_reported(sources: Sources) -> None:
    body = encode_image(draw_picture(), "AVIF", exif=create_exif())
    (sources.root / "content/files/desk.avif").write_bytes(body)
    assert sources.build().codes == ["picture-data"]


def test_missing_alt_text_is_reported_and_empty_alt_text_is_accepted(site: Make) -> None:
    project = "-- content/projects/one.md --\n---\ntitle: One\nimage: a.png\n{}---\nText.\n"
    sources = site(project.format(""))
    (sources.root / "content/a.png").write_bytes(encode_image(draw_picture(), "PNG"))
    assert sources.build().codes == ["missing-alt"]
    built = sources.edit_files(project.format('image_alt: ""\n')).build()
    assert built.codes == []
    assert list(find_images(built, "/projects/one/")) == [""]


def test_external_images_and_own_sources_are_unchanged(sources: Sources) -> None:
    sources.edit_files(
        '-- content/about.md --\n<img src="https://example.org/x.png" alt="x"> '
        '<img src="images/lab.png" alt="y" srcset="me.jpg 2x" width="30" height="20" loading="eager">\n'
    )
    page = sources.build().read_page("/")
    assert '<img src="https://example.org/x.png" alt="x">' in page
    assert '<img src="images/lab.png" alt="y" srcset="me.jpg 2x" width="30" height="20"' in page


SETTINGS = "-- site.yaml --\nurl: https://ada.example.org/\n-- content/profile.yaml --\n"


def read_picture(sources: Sources, name: str = "preview.png") -> Image.Image:
    files = {artifact.path: artifact for artifact in sources.build().build.artifacts}
    return Image.open(BytesIO(files[name].read())).convert("RGB")


@pytest.mark.parametrize("name", ["Ada Example", "Oluwaseun Adeyemi-Fitzgerald"])
def test_a_name_beside_the_photo_is_not_cut(site: Make, tmp_path: Path, name: str) -> None:
    sources = site(f"{SETTINGS}name: {name}\nphoto: ada.png\n")
    Image.new("RGB", (300, 400), "#ff0000").save(tmp_path / "content/ada.png")
    card = read_picture(sources)
    assert card.getpixel((697, 300)) == card.getpixel((1199, 629)) == (254, 0, 0)  # as JPEG
    box = card.crop((100, 0, 696, 630)).convert("L").point(lambda value: 255 * (value < 128)).getbbox()
    assert box is not None
    assert box[0] >= 10
    assert box[2] <= 596 - 20


def test_a_card_without_a_photo_has_the_whole_picture_of_a_work(site: Make, tmp_path: Path) -> None:
    project = "-- content/projects.yaml --\n- {title: A wide machine, image: machine.png}\n"
    sources = site(f"{SETTINGS}name: Ada Example\n{project}")
    Image.new("RGB", (600, 300), "#ff0000").save(tmp_path / "content/machine.png")
    card = read_picture(sources)
    red = card.convert("RGB").split()[1].crop((696, 0, 1200, 630)).point(lambda green: 255 * (green < 9))
    left, top, right, bottom = red.getbbox() or (0, 0, 0, 0)
    assert abs((right - left) / (bottom - top) - 2) < 0.05
    assert card.getpixel((1199, 629)) == (255, 255, 255)


def test_a_photo_that_cannot_be_read_is_left_out(site: Make, tmp_path: Path) -> None:
    sources = site(f"{SETTINGS}name: Ada Example\nphoto: ada.png\n")
    (tmp_path / "content/ada.png").write_bytes(b"no photo")
    card = read_picture(sources)
    assert card.getpixel((1199, 300)) == card.getpixel((1199, 10))


def test_letters_that_the_fonts_do_not_have_are_no_boxes(site: Make) -> None:
    """The first spelling with letters of the fonts is shown."""
    names = ("华罗庚\naliases: [Hua Loo-Keng]", "Hua Loo-Keng")
    first, second = (read_picture(site(f"{SETTINGS}name: {name}\n")).tobytes() for name in names)
    assert first == second


def test_a_phone_shows_the_photo_or_the_initials_as_the_icon(site: Make, tmp_path: Path) -> None:
    sources = site("-- site.yaml --\nurl: https://ada.example.org/\ntheme: {name: classic, accent: forest}\n")
    built = sources.build()
    assert '<link rel="apple-touch-icon" href="apple-touch-icon.png">' in built.read_page("/")

    icon = read_picture(sources, "apple-touch-icon.png")
    assert icon.size == (180, 180)
    assert icon.getpixel((3, 3)) == (0x1F, 0x6B, 0x3A)
    box = icon.convert("L").point(lambda value: 255 * (value > 200)).getbbox()
    assert box is not None
    assert abs(box[0] + box[2] - 180) < 8, "the initials are in the middle"
    assert abs(box[1] + box[3] - 180) < 8
    Image.new("RGB", (300, 400), "#222222").save(tmp_path / "content/ada.png")
    sources.edit_files("-- content/profile.yaml --\nname: Ada Example\nphoto: ada.png\n")
    assert read_picture(sources, "apple-touch-icon.png").getpixel((3, 3)) == (0x22, 0x22, 0x22)
    Image.new("RGB", (64, 64), "#222222").save(tmp_path / "content/favicon.png")
    assert '<link rel="apple-touch-icon" href="favicon.png">' in sources.build().read_page("/")


def test_the_home_page_is_shared_under_the_name_of_its_owner(site: Make, tmp_path: Path) -> None:
    sources = site(
        "-- site.yaml --\nurl: https://ada.example.org/\npages: [{path: /, title: Home, sections: [about]}]\n-- content/about.md --\nI do.\n"
        "-- content/profile.yaml --\nname: Ada Example\nphoto: ada.png\n"
    )
    Image.new("RGB", (300, 400), "#222222").save(tmp_path / "content/ada.png")
    built = sources.build()
    assert '<meta property="og:title" content="Ada Example">' in built.read_page("/")
    card = next(artifact for artifact in built.build.artifacts if artifact.path == "preview.png")
    assert Image.open(BytesIO(card.read())).convert("L").getpixel((1100, 300)) == 34


@pytest.mark.parametrize("title", ["\u202e", "\u200b\u2066", "\u0301", "Ada \u202e Example"])
@pytest.mark.parametrize("theme", ["stage", "classic", "folio"])
def test_a_card_and_an_icon_are_drawn_for_any_title(site: Make, title: str, theme: str) -> None:
    settings = f'title: "{title}"\nurl: https://ada.example.org/\ntheme: {theme}\n'
    built = site(f"-- site.yaml --\n{settings}-- content/profile.yaml --\nname: \u200dB\u202e\n").build()
    assert {"preview.png", "apple-touch-icon.png"} <= {*built.paths}


def test_a_large_video_is_reported(site: Make) -> None:
    drawing = '-- content/walk.svg --\n<svg xmlns="http://www.w3.org/2000/svg"/>\n'
    sources = site(f"-- content/projects/p.md --\n---\ntitle: P\nmedia: walk.mp4\n---\nText.\n{drawing}")
    with (sources.root / "content/walk.mp4").open("wb") as file:
        file.truncate(MAX_VIDEO_BYTES + 1)
    (line,) = sources.build().problems
    assert line.startswith("content/projects/p.md:3:8: warning: the video walk.mp4 has 16 MB")


def test_a_link_preview_shows_the_first_image_of_the_media(site: Make) -> None:
    sources = site(
        "-- site.yaml --\nurl: https://example.edu/\n-- content/walk.mp4 --\nvideo\n"
        "-- bib/p.bib --\n@article{p, title={P}, author={Example, Ada}, journal={J}, year=2024, abstract={A}}\n"
        "-- content/publications.yaml --\n- {key: p, media: [walk.mp4, {file: rig.png, alt: The rig}]}\n"
    )
    Image.effect_noise((640, 400), 50).save(sources.root / "content/rig.png")
    page = sources.build().read_page("/publications/p/")
    assert '<meta property="og:image" content="https://example.edu/publications/p/rig.png">' in page
    assert '<meta property="og:image:alt" content="The rig">' in page
