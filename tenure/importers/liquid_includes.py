"""Converts the includes of Jekyll themes to Markdown: figures, videos, features, columns, buttons and notes."""

import html
import re
from collections.abc import Callable, Mapping

from tenure.sources.node import Node

Parameters = Mapping[str, str]
IncludeConverter = Callable[[Parameters], str]

_TOKEN = re.compile(
    r"\{%-?\s*capture\s+(?P<capture>\w+)\s*-?%\}(?P<content>(?:(?!\{%-?\s*capture\b).)*?)\{%-?\s*endcapture\s*-?%\}"
    r"|\{%-?\s*include\s+(?P<name>[\w-]+)(?:\.(?:html|liquid))?(?P<parameters>\s(?:(?!\{%|%\}).)*?)?-?%\}",
    re.DOTALL,
)
_PARAMETER = re.compile(r"([\w-]+)\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"']+)")
_LIST_INCLUDE = re.compile(
    r"\{%-?\s*include\s+list\.html\s(?:(?!\{%|%\}).)*?\bdata\s*=\s*[\"']?(\w+)", re.DOTALL
)

EMPTY_HEADING = re.compile(r"^(#{1,6}) [^\n]*\n*(?=(?:^#{1,6} |\Z))(?!\1#)", re.MULTILINE)
"""A heading without a text; its list was removed."""

ACCOUNT_URLS: Mapping[str, str] = {
    "orcid": "https://orcid.org/{}", "github": "https://github.com/{}", "twitter": "https://twitter.com/{}",
    "bluesky": "https://bsky.app/profile/{}", "linkedin": "https://www.linkedin.com/in/{}",
    "google-scholar": "https://scholar.google.com/citations?user={}", "youtube": "https://www.youtube.com/{}",
}  # fmt: skip
"""The URL of an account, for each kind of link of lab-website-template."""

LISTED_COLLECTIONS: Mapping[str, str] = {
    "members": "people", "citations": "publications", "projects": "projects", "posts": "posts"
}  # fmt: skip
"""The list of Tenure for each list that lab-website-template shows."""

_NOTE_KINDS: Mapping[str, str] = {
    "tip": "TIP", "help": "TIP", "success": "TIP", "warning": "WARNING", "error": "CAUTION", "danger": "CAUTION"
}  # fmt: skip
_HTML_BLOCK = re.compile(r"\s*</?[a-zA-Z]")
_DECORATIONS = frozenset({"section", "icon", "tags", "search-box", "search-info", "site-search", "post-nav"})
"""Includes that show an icon, a border or a search."""

VIDEO_URLS: Mapping[str, str] = {
    "youtube": "https://www.youtube.com/watch?v={}", "vimeo": "https://vimeo.com/{}",
    "bilibili": "https://www.bilibili.com/video/{}",
}  # fmt: skip


def find_listed_collection(text: str) -> str:
    """The list of Tenure that a page of lab-website-template shows first; "" if it shows none."""
    names = (LISTED_COLLECTIONS.get(name, "") for name in _LIST_INCLUDE.findall(text))
    return next(filter(None, names), "")


_FRONT_MATTER_INCLUDE = re.compile(
    r"\{%-?\s*include\s+(feature_row|gallery)\b((?:(?!\{%|%\}).)*)%\}", re.DOTALL
)


def expand_front_matter_includes(text: str, front_matter: Node) -> tuple[str, frozenset[str]]:
    """
    The text with the rows and the galleries of Minimal Mistakes as Markdown.

    They are lists in the front matter; the second value has the keys of those that the text shows.
    """
    used_keys: set[str] = set()

    def expand(match: re.Match[str]) -> str:
        parameters = _parse_parameters(match[2], {})
        key = parameters.get("id", match[1])
        node = front_matter.mapping.get(key)
        if node is None or not node.items:
            return match[0]
        used_keys.add(key)
        parts = [
            _format_feature({name: child.text for name, child in item.mapping.items()}) for item in node.items
        ]
        return "\n\n".join(["", *filter(None, [*parts, parameters.get("caption", "")]), ""])

    return _FRONT_MATTER_INCLUDE.sub(expand, text), frozenset(used_keys)


def _format_feature(values: Parameters) -> str:
    """An item of a row: its title, image, text and button; of a gallery, its image."""
    title, url = values.get("title", ""), values.get("url", "")
    label = values.get("btn_label", "More" if values.get("excerpt") else "")
    image = format_figure(values.get("image_path", ""), values.get("alt", ""), title if not label else "")
    heading = f"### {title}" if title and label else title if not image else ""
    return "\n\n".join(
        filter(
            None, [heading, image, values.get("excerpt", ""), f"[{label}]({url})" if url and label else ""]
        )
    )


def expand_account(service: str, account: str) -> str:
    """The URL of an account; what is no account is returned unchanged."""
    is_account = service in ACCOUNT_URLS and account and "/" not in account
    return ACCOUNT_URLS[service].format(account) if is_account else account


def convert_includes(text: str, record_converted: Callable[[str], None]) -> str:
    """Convert the known includes of a text; other tags are left as they are."""
    used_names = frozenset(re.findall(r"=\s*([A-Za-z_]\w*)", text))
    captured_texts: dict[str, str] = {}

    def convert_token(match: re.Match[str]) -> str:
        if match["capture"]:
            content = convert_includes(match["content"], record_converted)
            captured_texts[match["capture"]] = content.strip()
            return "" if match["capture"] in used_names else content
        name = match["name"].casefold()
        if name in _DECORATIONS or (_LIST_INCLUDE.match(match[0]) and find_listed_collection(match[0])):
            return ""
        if name not in _CONVERTERS:
            return match[0]
        if name in ("figure", "video", "audio"):
            record_converted(f"the {name} of an include became Markdown")
        converted_include = _CONVERTERS[name](_parse_parameters(match["parameters"] or "", captured_texts))
        block_start = match.string.rfind("\n\n", 0, match.start()) + 1
        is_in_html = _HTML_BLOCK.match(match.string, block_start, match.start())
        return _to_html(converted_include) if is_in_html else converted_include

    converted_text = _TOKEN.sub(convert_token, text)
    return EMPTY_HEADING.sub("", converted_text) if find_listed_collection(text) else converted_text


def _parse_parameters(source: str, captured_texts: Parameters) -> dict[str, str]:
    """The parameters of an include; the name of a captured text is replaced by the text."""
    return {
        name: value[1:-1].strip() if value[0] in "\"'" else captured_texts.get(value, value)
        for name, value in _PARAMETER.findall(source)
    }


def _to_html(markdown: str) -> str:
    """The image or the link as HTML: in an element of HTML, Markdown is not read."""
    figure = re.fullmatch(r"!\[(.*)\]\((\S+?)(?: \"(.*)\")?\)", markdown, re.DOTALL)
    if figure:
        image = f'<img src="{html.escape(figure[2])}" alt="{html.escape(figure[1])}">'
        caption = (figure[3] or "").replace('\\"', '"')
        return f"<figure>{image}<figcaption>{caption}</figcaption></figure>" if caption else image
    link = re.compile(r"\[([^\[\]]*)\]\(([^()\s]+)\)")
    return link.sub(lambda m: f'<a href="{html.escape(m[2])}">{m[1]}</a>', markdown)


def format_figure(path: str, alt_text: str, caption: str) -> str:
    """A Markdown image; its title is the caption."""
    caption = " ".join(caption.split()).replace('"', '\\"')
    title = f' "{caption}"' if caption else ""
    return f"![{' '.join(alt_text.split())}]({path}{title})" if path else ""


def _convert_figure(parameters: Parameters) -> str:
    path = next(filter(None, map(parameters.get, ("path", "image", "image_path", "src", "url"))), "")
    caption = parameters.get("caption", "")
    alt_text = parameters.get("alt") or parameters.get("title") or re.sub(r"<[^<>]*>", "", caption)
    return format_figure(path, alt_text, caption)


def _convert_video(parameters: Parameters) -> str:
    """A link to the video: of a file, or of a service with its number."""
    path = parameters.get("path") or parameters.get("src", "")
    number, service = parameters.get("id", ""), parameters.get("provider", "youtube").casefold()
    url = path or (VIDEO_URLS[service].format(number) if number and service in VIDEO_URLS else "")
    label = parameters.get("title") or parameters.get("caption") or path.rpartition("/")[2] or "Video"
    return f"[{label}]({url})" if url else ""


def _convert_feature(parameters: Parameters) -> str:
    """A heading with its link, an image and a text."""
    title, link = parameters.get("title", ""), parameters.get("link", "")
    heading = f"[{title}]({link})" if link and title else title
    figure = _convert_figure({**parameters, "caption": ""})
    return _join_blocks(f"### {heading}" if title else "", figure, parameters.get("text", ""))


def _convert_card(parameters: Parameters) -> str:
    texts = (parameters.get("subtitle", ""), parameters.get("description", ""))
    return _convert_feature({**parameters, "text": _join_blocks(*texts)})


def _convert_columns(parameters: Parameters) -> str:
    return _join_blocks(*(parameters.get(f"col{number}", "") for number in range(1, 7)))


def _convert_content(parameters: Parameters) -> str:
    return _join_blocks(parameters.get("content") or parameters.get("text", ""))


def format_note(kind: str, text: str) -> str:
    """A note of Markdown; the kinds are NOTE, TIP, IMPORTANT, WARNING and CAUTION."""
    lines = "".join(f"\n> {line}".rstrip() for line in text.split("\n"))
    return f"\n\n> [!{kind}]{lines}\n\n"


def _convert_note(parameters: Parameters) -> str:
    text = parameters.get("content") or parameters.get("text", "")
    return format_note(_NOTE_KINDS.get(parameters.get("type", ""), "NOTE"), text) if text else ""


def _convert_button(parameters: Parameters) -> str:
    """A link; a telephone number is a text."""
    kind, link = parameters.get("type", "").casefold(), parameters.get("link", "")
    text = parameters.get("text") or parameters.get("tooltip") or kind.replace("-", " ").capitalize() or link
    url = f"mailto:{link}" if kind == "email" and "@" in link else expand_account(kind, link)
    return f"[{text}]({url})\n" if link and kind != "phone" else f"{text}\n"


def _join_blocks(*blocks: str) -> str:
    return "\n\n{}\n\n".format("\n\n".join(block for block in blocks if block))


_CONVERTERS: Mapping[str, IncludeConverter] = {
    "figure": _convert_figure,
    "video": _convert_video,
    "audio": _convert_video,
    "feature": _convert_feature,
    "card": _convert_card,
    "cols": _convert_columns,
    "two-col": _convert_columns,
    "float": _convert_content,
    "grid": _convert_content,
    "alert": _convert_note,
    "button": _convert_button,
}
"""The conversion of each include by its name."""
