"""
The text of a page of Jekyll, Hugo or Quarto as Markdown.

Tags of the template are converted or removed, links lead to the new places: `{% include figure.liquid path="a.png" %}` ->
`![](files/a.png)`. What is left out is reported.
"""

import html
import posixpath
import re
from collections.abc import Callable, Mapping
from urllib.parse import unquote

from tenure.markdown.html_tags import Tag, rewrite_tags, strip_tags
from tenure.model.field_html import BLOCK_ELEMENTS, TEXT_ELEMENTS
from tenure.record import Record
from tenure_import.source import describe_entry

FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)")
INLINE_CODE = re.compile(r"(?<!`)(`+)(?!`)[^`]{1,2000}\1(?!`)")
COMMENT = re.compile(
    r"\{%-?\s*comment\s*-?%\}(?:(?!\{%-?\s*comment\b).)*?\{%-?\s*endcomment\s*-?%\}", re.DOTALL
)
BLOCK_TAG = re.compile(r"\{%-?\s*(end)?(for|if|unless|case|capture|tablerow)\b[^{}]*%\}")
TAG = re.compile(
    r"\{\{<(?:(?!\{\{).)*?>\}\}|\{\{%(?:(?!\{\{).)*?%\}\}|\{%(?:(?!\{%).)*?%\}|\{\{(?:(?!\{\{).)*?\}\}",
    re.DOTALL,
)
"""A tag of Hugo, Quarto or Liquid: {{< figure src="a.png" >}}, {% include toc %}, {{ site.title }}."""

PARAMETER = re.compile(r"(?:([\w-]+)\s*=\s*)?(?:\"([^\"]*)\"|'([^']*)'|`([^`]*)`|([^\s\"'=]+))")
LITERAL_URL = re.compile(
    r"(?:site\.(?:base)?url\s*\|\s*append:\s*)?['\"]([^'\"]*)['\"]\s*(?:\|\s*(?:relative_url|absolute_url|prepend:\s*site\.\w+)\s*)+"
)
"""Liquid that prints a URL: "/a/" | relative_url."""

SILENT_TAGS = re.compile(
    r"""
    site\.(?:base)?url\b | base_path | include\s+(?:base_path|toc|section|icon|tags|search|site-search|search-box|search-info|list|grid|cols|post-nav|gallery)\b | (?:end)?raw$ | toc$ | br$
    | /?(?:math|lead|block|keywordlist|row|column|cards|pagebreak|rawhtml|center|div|unsafe|figures|tabs?|tabpane|carousel)\b
    | icon\s | fa[brs]?\s | bi\s | ai\s | iconify\s | /?\w*steps\b | bibliography\b | social_links\b | cv-button\b
    """,
    re.VERBOSE,
)
"""Tags that change the look, or print what Tenure makes itself: a table of contents, an icon, the bibliography."""

VIDEO_URLS: Mapping[str, str] = {
    "youtube": "https://www.youtube.com/watch?v=", "vimeo": "https://vimeo.com/", "bilibili": "https://www.bilibili.com/video/"
}  # fmt: skip
ALERT_KINDS: Mapping[str, str] = {
    "warning": "WARNING", "tip": "TIP", "important": "IMPORTANT", "danger": "CAUTION", "error": "CAUTION", "caution": "CAUTION"
}  # fmt: skip
ALERT = re.compile(
    r"""
    \{\{[<%]\s*(?P<name>callout|alert|notice|admonition)\b(?P<given>[^{}]*)[%>]\}\}
    (?P<text>(?:(?!\{\{[<%]\s*/?\s*(?P=name)\b).)*)
    \{\{[<%]\s*/\s*(?P=name)\s*[%>]\}\}
    """,
    re.DOTALL | re.VERBOSE,
)
"""{{% callout warning %}}text{{% /callout %}}."""

LINK = re.compile(
    r"""
    (?P<mark>!?)\[(?P<label>(?:[^\[\]]|!?\[[^\[\]]{0,500}\](?:\([^()\s]{0,500}\))?){0,1000})\]
    \(\s*<?(?P<url>(?:[^()\s<>]|\([^()\s]*\)|(?<=\S)[ ](?=[^"'()\n]*\.\w{2,4}[\s)]))+)>?
    (?:\s+(?:"(?P<title>[^"]*)"|'(?P<other>[^']*)'))?\s*\)
    """,
    re.VERBOSE,
)
"""A link or an image: [label](url "title"), also with a space in the name of a file: ![](my photo.png)."""

DEFINITION = re.compile(r"^( {0,3}\[[^\]\n^]+\]:)[ \t]*<?(\S+?)>?((?:[ \t]+[\"'(].*)?)$", re.MULTILINE)
REFERENCE_LINK = re.compile(r"(?<![\w\]\\!])\[([^\[\]\n^@]{1,500})\][ ]?\[([^\[\]\n]{0,200})\](?![\[(:])")
HTML_LINK = re.compile(
    r"<a\b[^<>]*?\bhref\s*=\s*[\"']?([^\"'<>]*?)[\"']?(?:\s[^<>]*)?>((?:(?!<a\b).)*?)</a\s*>",
    re.DOTALL | re.IGNORECASE,
)
HIDDEN_CLASS = re.compile(r"(?:^|\s)(?:d-none|hidden|visually-hidden|sr-only|content-hidden)(?:\s|$)")
HIDDEN_DETAIL = re.compile(r"abstract|bib|cite|\babs\b|@\w+\s*\{", re.IGNORECASE)
"""What a click shows: the abstract or the BibTeX of an entry."""

ACTIVE_ELEMENTS = frozenset(
    {"script", "style", "iframe", "form", "object", "noscript", "button", "select", "bibtex"}
)
SILENT_ELEMENTS = frozenset({"script", "style", "noscript"})
VOID_ELEMENTS = frozenset({"input", "embed", "meta", "link", "base"})
FILE_ATTRIBUTES = ("src", "poster", "data")


class TextRules(Record):
    """
    What the texts of a site need.

    `resolve` returns the new URL of an old one, "" if nothing is there; `report` notes what was left out; `read_include`
    returns the text of a part that several pages include.
    """

    resolve: Callable[[str], str]
    report: Callable[[str], None]
    read_include: Callable[[str], str] = lambda _: ""


def convert_text(text: str, rules: TextRules) -> str:
    """The text of a page as Markdown."""
    code: list[str] = []

    def hide(source: str) -> str:
        code.append(source)
        return f"\ue000{len(code) - 1}\ue001"

    if "{%" in text:
        text = re.sub(r"\{%-?\s*highlight\s+([\w+-]+)[^%]*%\}\n?", r"\n```\1\n", text)
        text = re.sub(r"\n?\{%-?\s*endhighlight\s*-?%\}", "\n```\n", text)
    text = INLINE_CODE.sub(lambda match: hide(match[0]), _hide_blocks(text, hide))
    commented, end, rest = text.rpartition("-->")  # without an end, each start would be searched for one
    text = COMMENT.sub("", re.sub(r"<!--.*?-->", "", commented + end, flags=re.DOTALL) + rest)
    text = convert_tags(text, rules) if "{" in text else text
    text = re.sub(
        r"\{:[^{}\n]*\}|(?<=[)\]>*])\{[.#][^{}\n]*\}|(?<=\))\{[\w-]+=[^{}\n]*\}|\{(?=[\w.#])[^{}\n=]*=\s*[\"'][^{}\n]*\}",
        "",
        text,
    )
    text = convert_html(text, rules) if "<" in text else text
    text = convert_links(text, rules)
    for _ in range(2):
        text = re.sub(r"\ue000(\d{1,6})\ue001", lambda match: code[int(match[1])], text)
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n").rstrip()


def _hide_blocks(text: str, hide: Callable[[str], str]) -> str:
    """The text with each fenced block of code replaced; a block that does not end is text."""
    lines: list[str] = []
    block: list[str] = []
    fence = ""
    for line in text.split("\n"):
        match = FENCE.match(line)
        if fence:
            block.append(line)
            if match and match[1].startswith(fence) and not match[2].strip():
                lines.append(hide("\n".join(block)))
                fence, block = "", []
        elif match:
            fence, block = match[1], [line]
        else:
            lines.append(line)
    return "\n".join([*lines, *block])


# Tags of templates


def convert_tags(text: str, rules: TextRules) -> str:
    """The text without tags of templates: those with a meaning are converted, loops and conditions are left out."""
    text = re.sub(
        r"\{%-?\s*include\s+([\w./-]+\.(?:md|markdown|html))\s*-?%\}",
        lambda match: rules.read_include(match[1]) or match[0],
        text,
    )
    text = _remove_blocks(text, rules)
    text = ALERT.sub(_quote_alert, text)
    text = re.sub(
        r"\{\{<\s*staticref\s+\"([^\"]*)\"[^{}]*>\}\}([^{}]*)\{\{<\s*/staticref\s*>\}\}", r"[\2](\1)", text
    )

    def convert(match: re.Match[str]) -> str:
        converted = convert_tag(match[0])
        if converted is None:
            rules.report(f"a tag of the template: {describe_entry(match[0])}")
        return converted or ""

    return TAG.sub(convert, text)


def _remove_blocks(text: str, rules: TextRules) -> str:
    """The text without loops; of a condition, the text between its tags stays."""
    kept: list[str] = []
    depth = 0
    position = start = 0
    for match in BLOCK_TAG.finditer(text):
        is_loop = match[2] in ("for", "tablerow", "case")
        if not is_loop:
            if depth == 0:
                kept.append(text[position : match.start()])
                position = match.end()
        elif match[1]:
            depth = max(0, depth - 1)
            if depth == 0 and start < match.end():
                rules.report(f"a list that the template makes: {describe_entry(text[start : match.start()])}")
                position = match.end()
        else:
            if depth == 0:
                kept.append(text[position : match.start()])
                position = start = match.start()
            depth += 1
    if depth == 0 or BLOCK_TAG.search(text, position):
        kept.append(text[position:] if depth == 0 else "")
    return re.sub(r"\{%-?\s*(?:else|elsif\b[^{}]*|break|continue|assign\b[^{}]*)\s*-?%\}", "", "".join(kept))


def _quote_alert(match: re.Match[str]) -> str:
    """An alert as a quotation with its kind."""
    parameters = parse_parameters(match["given"])
    kind = ALERT_KINDS.get((parameters.get("type") or parameters.get("0", "")).casefold(), "NOTE")
    lines = [f"[!{kind}]", *match["text"].strip().split("\n")]
    return "\n" + "\n".join(f"> {line}".rstrip() for line in lines) + "\n"


def convert_tag(tag: str) -> str | None:
    """A tag of Liquid, Hugo or Quarto as Markdown: "" if it shows nothing, None if it is unknown."""
    inner = re.sub(r"^\{[{%][<%]?-?|-?[>%]?[}%]\}$", "", tag).strip().removesuffix("/").strip()
    is_end = inner.startswith(("/", "end"))
    inner = inner.removeprefix("/").strip()
    url = LITERAL_URL.fullmatch(inner)
    if url:
        return url[1]
    if SILENT_TAGS.match(inner) or not inner:
        return ""
    name, _, rest = inner.partition(" ")
    if name == "include" and rest.split():
        name, rest = rest.split()[0].rpartition("/")[2].partition(".")[0], rest.partition(" ")[2]
    name = name.casefold()
    parameters = parse_parameters(rest)
    first = parameters.get("0", "")
    path = next(
        (
            parameters[key]
            for key in ("path", "src", "image_path", "image", "url", "link", "href")
            if parameters.get(key)
        ),
        first,
    )
    if name == "hl":
        return "**"
    if is_end:
        return "\n\n</details>\n\n" if name in ("enddetails", "details", "spoiler") else ""
    if name in ("figure", "img", "image") and path:
        caption = strip_tags(parameters.get("caption") or parameters.get("title", "")).replace('"', "'")
        title = f' "{caption}"' if caption else ""
        return f"![{parameters.get('alt') or caption}](<{path.strip()}>{title})"
    if name in VIDEO_URLS:
        return f"[{parameters.get('title') or name.capitalize()}]({VIDEO_URLS[name]}{parameters.get('id') or path})"
    if name in ("video", "audio") and path:
        return f"[{parameters.get('title') or path.rpartition('/')[2]}]({path})"
    if name in ("ref", "relref", "link", "post_url", "staticref"):
        target = rest.strip().strip("\"'") if name == "post_url" else path
        return "/" + re.sub(
            r"^/?_?(?:pages/|posts/)?(?:\d{4}-\d\d-\d\d-)?|(?:/?_?index)?\.(?:md|markdown)(?=#|$)", "", target
        )
    if name == "cite" and tag.startswith("{%"):
        keys = [key for key in rest.strip("\"' ").split() if re.fullmatch(r"\w[\w:./+-]*", key)]
        return f"[{'; '.join(f'@{key}' for key in keys)}]" if keys else ""
    if name in ("details", "spoiler"):
        summary = parameters.get("text") or rest.strip("\"' ")
        return f"<details><summary>{summary}</summary>\n\n"
    if name in ("button", "cta", "card") and path:
        label = parameters.get("text") or parameters.get("title") or parameters.get("cta_text") or path
        return f"[{label}]({parameters.get('cta_link') or path})"
    if name == "feature":
        title, link = parameters.get("title", ""), parameters.get("link", "")
        heading = f"**[{title}]({link})**" if link and title else f"**{title}**" * bool(title)
        image = parameters.get("image", "")
        return f"\n\n![]({image})\n\n{heading}\n\n" if image else f"\n\n{heading}\n\n"
    if name in ("alert", "notice") and parameters.get("content"):
        return f"\n\n> {parameters['content']}\n\n"
    if name == "keyword":
        return "\n- "
    return f"`{first}`" if name == "kbd" else None


def parse_parameters(source: str) -> dict[str, str]:
    """Parameters by name; positional ones by number, from 0: `a.png width=3` -> {"0": "a.png", "width": "3"}."""
    parameters: dict[str, str] = {}
    for name, *texts in PARAMETER.findall(source[:5000]):
        text = next(filter(None, texts), "")
        parameters[name or str(sum(key.isdecimal() for key in parameters))] = text
    return parameters


# HTML


def convert_html(text: str, rules: TextRules) -> str:
    """The text without active and hidden elements, and with the new URLs in its tags."""
    text = _remove_elements(text, rules)
    text = re.sub(
        r"<(?:i|span)\s[^<>]*class\s*=\s*[\"'][^\"'<>]*\b(?:fa|fab|fas|far|ai|bi|icon)\b[^<>]*>\s*</(?:i|span)>",
        "",
        text,
    )
    linked = frozenset(re.findall(r"(?:\(|href\s*=\s*[\"']?)#([\w:.-]+)", text))
    seen: set[str] = set()

    def convert_element(tag: Tag) -> str:
        attributes = {name: value for name, value in tag.attributes.items() if not name.startswith("on")}
        identifier = attributes.pop("id", "") or ""
        if identifier in linked - seen:
            seen.add(identifier)
            attributes["id"] = identifier
        attributes.pop("srcset", None)
        names = [name for name in FILE_ATTRIBUTES if name in attributes]
        for name in names:
            url = rules.resolve(html.unescape(attributes.pop(name) or ""))
            if url:
                attributes[name] = html.escape(url)
        has_file = any(name in attributes for name in names)
        if tag.name == "img" or (names and tag.name in ("source", "track", "embed", "video", "audio")):
            if names and not has_file:
                rules.report(f"a file that is not in the source: {describe_entry(tag.text)}")
            return tag.format_with(attributes) if has_file or tag.name in ("video", "audio") else ""
        return tag.text if attributes == tag.attributes else tag.format_with(attributes)

    text = rewrite_tags(text, convert_element)
    text = re.sub(
        r"<(video|audio)\b(?![^<>]*\ssrc=)[^<>]*>(?:(?!<(?:source|video|audio)\b).)*?</\1\s*>",
        "",
        text,
        flags=re.DOTALL,
    )

    def convert_link(match: re.Match[str]) -> str:
        url = match[1].strip()
        new_url = (
            url if url.removeprefix("#") in linked and url[:1] == "#" else rules.resolve(html.unescape(url))
        )
        if new_url:
            return f'<a href="{html.escape(new_url)}">{match[2]}</a>'
        if url and url[0] != "#":
            rules.report(
                f"a link to {describe_entry(url)}: neither a file of the source nor an imported page"
            )
        return match[2]

    return HTML_LINK.sub(convert_link, text)


def _remove_elements(text: str, rules: TextRules) -> str:
    """
    The text without active elements, and without hidden ones except an abstract or BibTeX; both are reported.

    A video in a frame becomes a link. An element without its end tag loses only its start tag.
    """
    ranges: list[tuple[int, int, str]] = []
    start_tags: list[tuple[str, int, str]] = []
    for match in re.finditer(r"<(/?)([a-zA-Z][\w-]*)((?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*)>", text):
        name = match[2].casefold()
        if start_tags:
            if name == start_tags[-1][0]:
                if match[1]:
                    _, start, tag = start_tags.pop()
                    if not start_tags:
                        ranges.append((start, match.end(), tag))
                else:
                    start_tags.append((name, match.start(), match[0]))
            continue
        if not match[1] and (name in ACTIVE_ELEMENTS or _is_hidden(match[3])):
            start_tags = (
                [(name, match.start(), match[0])] if f"</{name}" in text[match.end() :].casefold() else []
            )
        elif name in VOID_ELEMENTS:
            ranges.append((match.start(), match.end(), match[0]))
    parts: list[str] = []
    position = 0
    for start, end, tag in ranges:
        parts.append(text[position:start])
        parts.append(_replace_element(text[start:end], tag, rules))
        position = end
    return "".join([*parts, text[position:]])


def _is_hidden(attributes: str) -> bool:
    css_class = re.search(r"\bclass\s*=\s*[\"']([^\"']*)", attributes)
    style = re.search(r"\bstyle\s*=\s*[\"'][^\"']*display\s*:\s*none", attributes, re.IGNORECASE)
    return style is not None or (css_class is not None and HIDDEN_CLASS.search(css_class[1]) is not None)


def _replace_element(source: str, tag: str, rules: TextRules) -> str:
    """What stays of an active or hidden element."""
    name = re.sub(r"[<\s>].*", "", tag[1:], flags=re.DOTALL).casefold()
    if name not in ACTIVE_ELEMENTS and HIDDEN_DETAIL.search(source[:5000]):
        shown = re.sub(r"(?:class|style)\s*=\s*(?:\"[^\"]*\"|'[^']*')", "", tag)
        rest = re.sub(r"<(button|script|style)\b[^<>]*>[^<>]*</\1\s*>", "", source[len(tag) :])
        return shown + re.sub(r"\sstyle\s*=\s*[\"'][^\"'<>]*display\s*:\s*none[^\"'<>]*[\"']", "", rest)
    frame = format_frame(tag) if name == "iframe" else ""
    if frame:
        return frame
    words = strip_tags(source, " ")
    if name in ("button", "form") and re.search(r"\w{3}", words):
        return strip_tags(source, " ") if name == "button" else ""
    if name not in SILENT_ELEMENTS:
        rules.report(f"{name if name in ACTIVE_ELEMENTS else 'hidden text'}: {describe_entry(words or tag)}")
    return ""


def format_frame(tag: str) -> str:
    """The tag of a frame as a link to its page, or to its video: youtube.com/embed/x -> youtube.com/watch?v=x."""
    frame = re.search(r"src\s*=\s*[\"']?(?:https?:)?//([^\"'\s<>]+)", tag)
    if frame is None:
        return ""
    video = re.match(r"(?:www\.)?youtube(?:-nocookie)?\.com/embed/([\w-]+)", frame[1])
    url = f"https://www.youtube.com/watch?v={video[1]}" if video else f"https://{frame[1]}"
    return f'<a href="{url}">{html.escape(frame[1].partition("/")[0])}</a>'


FIELD_TAG = re.compile(r"`[^`]*`|<(/?)([a-zA-Z][\w-]*)\b([^<>]*)>")


def keep_field_tags(text: str, *, has_blocks: bool) -> str:
    """
    A text for a field of an entry, without the tags that the reader would show as text.

    In a line, paragraphs become parts of a sentence: "<p>A</p> <p>B</p>" -> "A, B"; an image becomes Markdown.
    """
    kept = TEXT_ELEMENTS | BLOCK_ELEMENTS if has_blocks else TEXT_ELEMENTS

    def convert(match: re.Match[str]) -> str:
        if not match[2] or match[2].casefold() in kept:
            return match[0]
        source = re.search(r"src\s*=\s*[\"']([^\"']+)", match[3])
        alt = re.search(r"alt\s*=\s*[\"']([^\"']*)", match[3])
        return f"![{alt[1] if alt else ''}](<{source[1]}>)" if match[2] == "img" and source else ""

    if has_blocks:
        text = re.sub(r"^[ \t]+(?=</?(?:div|section|center)\b)", "", text, flags=re.MULTILINE)
    else:
        text = re.sub(r"\s*(?:<br\s*/?>|</(?:p|li)>\s*<(?:p|li)\b[^<>]*>)\s*", ", ", text)
    converted = FIELD_TAG.sub(convert, text)
    return text if converted == text else re.sub(r"(?:[ \t]*\n){3,}", "\n\n", converted).strip()


# Links of Markdown


def convert_links(text: str, rules: TextRules) -> str:
    """The text with the new URLs in its links and images; a link without a target becomes its label."""

    def convert(match: re.Match[str]) -> str:
        url = html.unescape(match["url"])
        new_url = url if url.startswith("#") else rules.resolve(url)
        label = LINK.sub(convert, match["label"]) if "](" in match["label"] else match["label"]
        if not new_url:
            rules.report(
                f"a link to {describe_entry(url)}: neither a file of the source nor an imported page"
            )
            return "" if match["mark"] else label
        title = match["title"] or match["other"]
        target = f"<{new_url}>" if re.search(r"[\s()]", new_url) else new_url
        quoted_title = f' "{title}"' if title else ""
        return f"{match['mark']}[{label}]({target}{quoted_title})"

    def convert_definition(match: re.Match[str]) -> str:
        new_url = rules.resolve(html.unescape(match[2]))
        if not new_url:
            rules.report(
                f"a link to {describe_entry(match[2])}: neither a file of the source nor an imported page"
            )
        return f"{match[1]} {new_url}{match[3]}" if new_url else f"{match[1]} #"

    text = LINK.sub(convert, text)
    labels = {label.casefold() for label in re.findall(r"^ {0,3}\[([^\]\n^]+)\]:", text, re.MULTILINE)}
    text = REFERENCE_LINK.sub(
        lambda match: match[0] if (match[2] or match[1]).casefold() in labels else match[1], text
    )
    return DEFINITION.sub(convert_definition, text) if "]:" in text else text


def normalize_url(url: str, folder: str = "") -> str:
    """A path of the old site without its ends, for comparison: "/a/b/index.html" and "b.md" in the folder "a" -> "a/b"."""
    path = unquote(re.split(r"[?#]", url, maxsplit=1)[0])
    path = path if path.startswith("/") or not folder else f"{folder}/{path}"
    clean_path = re.sub(
        r"\.(?:html?|md|markdown|qmd|ipynb|rmd)$",
        "",
        posixpath.normpath("/" + path).strip("/"),
        flags=re.IGNORECASE,
    )
    return re.sub(r"(?:^|/)_?index$", "", clean_path).strip("/").casefold()
