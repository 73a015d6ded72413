"""Creates images for tests."""

import io

from PIL import Image


def draw_picture(width: int = 60, height: int = 40) -> Image.Image:
    """Return an image whose left, right, top and bottom differ."""
    across = Image.linear_gradient("L").rotate(90).resize((width, height))
    down = Image.linear_gradient("L").resize((width, height))
    return Image.merge("RGB", (across, down, Image.radial_gradient("L").resize((width, height))))


def create_exif(orientation: int = 1) -> Image.Exif:
    """Return Exif data with a camera, an orientation, a time and a GPS position."""
    metadata = Image.Exif()
    metadata[0x010F] = "Tenure Camera"
    metadata[0x0112] = orientation
    metadata[0x0132] = "2024:05:06 07:08:09"
    metadata.get_ifd(0x8825).update({1: "N", 2: (51.0, 59.0, 46.0), 3: "W", 4: (0.0, 44.0, 34.0)})
    return metadata


def encode_image(image: Image.Image, kind: str, **options: object) -> bytes:
    """Return an image as the bytes of a file."""
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def encode_animation(kind: str) -> bytes:
    """Return a file with three frames and a comment."""
    frames = [draw_picture(), draw_picture().rotate(90), draw_picture().rotate(180)]
    return encode_image(
        frames[0], kind, save_all=True, append_images=frames[1:], duration=80, loop=0, comment=b"SECRET WORDS"
    )
