"""Lines of images.txt: drawings, the contrast of colours, and players of videos."""

from tenure.html.embeds import parse_video
from tenure.images.svg import inspect_svg
from tenure.model.colors import contrast_ratio


def describe_svg(text: str) -> str:
    drawing = inspect_svg(f'<svg xmlns="http://www.w3.org/2000/svg" {text}/>'.encode())
    return f"{drawing.width} × {drawing.height}"


SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 30 20">\n<g>\n'


def inspect_drawing(text: str) -> str:
    """Return what an SVG image must not have."""
    issues = inspect_svg(f"{SVG}{text}</g>\n</svg>".encode()).issues
    return "; ".join(message for message, _ in issues)


def compare_colors(text: str) -> str:
    first, other = text.split()
    assert contrast_ratio(first, other) == contrast_ratio(other, first)
    return f"{contrast_ratio(first, other):.2f}"


def find_player(text: str) -> str:
    video = parse_video(text)
    return video.player_url if video else "-"
