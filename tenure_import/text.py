"""
The text of a page of Jekyll, Hugo or Quarto as Markdown.

Tags of the template are converted or removed, links lead to the new places:
`{% include figure.liquid path="a.png" %}` -> `![](files/a.png)`. `TextRules` knows the new places, and is
told what is left out. Code is put aside, then tags, HTML and links are converted, then the code comes back.
"""

import html
import posixpath
import re
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from textwrap import dedent
from urllib.parse import unquote

from tenure.markdown.html_tags import Attributes, Tag, rewrite_tags, strip_tags
from tenure.model.field_html import BLOCK_ELEMENTS, TEXT_ELEMENTS
from tenure.record import Record
from tenure_import.source import describe_entry

ATTRIBUTE_LIST = re.compile(
    r"""
    \{:[^{}\n]*\}
    |(?<=[)\]>*])\{[.#][^{}\n]*\}
    |(?<=\))\{[\w-]+=[^{}\n]*\}
    |\{(?=[\w.#])[^{}\n=]*=\s*[\"'][^{}\n]*\}
    """,
    re.VERBOSE,
)
"""{: .text-center}, ![](a.png){.center}, ![](a.png){width=50}, {target="_blank"}."""


ACTIVE_ELEMENTS = frozenset(
    {"script", "style", "iframe", "form", "object", "noscript", "button", "select", "bibtex"}
)
"""Elements that do something, and <bibtex> of a theme; `_replace_element` says what stays of each."""


class TextRules(Record):
    """
    What the texts of a site need.

    `resolve` returns the new URL of an old one, "" if nothing is there; `report` notes what was left out;
    `report_name` notes a link by a name that has no URL;
    `read_include` returns the text of a part that several pages include; in `kramdown`, $$x$$ in a sentence
    is a part of it.
    """

    resolve: Callable[[str], str]
    report: Callable[[str], None]
    report_name: Callable[[str], None] = lambda _: None
    read_include: Callable[[str], str] = lambda _: ""
    is_kramdown: bool = False


INLINE_CODE = re.compile(r"(?<!`)(`+)(?!`)[^`]{1,2000}\1(?!`)")
"""`x`, ``a ` b``."""

COMMENT = re.compile(
    r"\{%-?\s*comment\s*-?%\}(?:(?!\{%-?\s*comment\b).)*?\{%-?\s*endcomment\s*-?%\}", re.DOTALL
)
"""{% comment %}…{% endcomment %}."""


def convert_text(text: str, rules: TextRules) -> str:
    """
    The text of a page as Markdown, with its tags of templates, its HTML and its links converted.

    Comments are dropped without a report, because no reader saw them; `rules.report` is told of other losses.
    """
    code: list[str] = []

    # `x = {{ y }}` -> "\ue0000\ue001", the place of code[0]; no text has these two characters
    def hide(source: str) -> str:
        code.append(source)
        return f"\ue000{len(code) - 1}\ue001"

    # {% highlight python %} … {% endhighlight %} -> ```python … ```
    if "{%" in text:
        text = re.sub(r"\{%-?\s*highlight\s+([\w+-]+)[^%]*%\}\n?", r"\n```\1\n", text)
        text = re.sub(r"\n?\{%-?\s*endhighlight\s*-?%\}", "\n```\n", text)
    text = INLINE_CODE.sub(lambda match: hide(match[0]), _hide_blocks(text, hide))

    # only up to the last "-->": each "<!--" behind it would be searched for an end in vain
    commented, end, rest = text.rpartition("-->")
    text = COMMENT.sub("", re.sub(r"<!--.*?-->", "", commented + end, flags=re.DOTALL) + rest)

    if rules.is_kramdown:
        text = KRAMDOWN_FORMULA.sub(_convert_formula, text)
    if "{" in text:
        text = convert_tags(text, rules)
    text = ATTRIBUTE_LIST.sub("", text)
    if "<" in text:
        text = convert_html(text, rules)
    text = convert_links(text, rules)

    # a block may have a line with code that was put aside before
    for _ in range(2):
        text = re.sub(r"\ue000(\d{1,6})\ue001", lambda match: code[int(match[1])], text)
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n").rstrip()


KRAMDOWN_FORMULA = re.compile(
    r"""
    (?:\A|\n[ \t]*\n)[ ]{0,3} \$\$(?:(?!\$\$).)*\$\$ [ \t]*(?=\n[ \t]*\n|\s*\Z)    # a paragraph of its own
    | (?<!\\)\$\$(?P<inline>(?:(?!\$\$|\n[ \t]*\n).)+)\$\$
    """,
    re.DOTALL | re.VERBOSE,
)
"""A formula of kramdown, displayed if it is a paragraph: "so $$x$$ is"."""


def _convert_formula(match: re.Match[str]) -> str:
    """A formula of kramdown with the marks of Tenure: "so $$ x $$ is" -> "so $x$ is"."""
    return f"${' '.join(match['inline'].split())}$" if match["inline"] else match[0]


FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)")
"""The first or last line of a block of code: ```python."""


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
                block = []
                fence = ""
        elif match:
            block = [line]
            fence = match[1]
        else:
            lines.append(line)
    return "\n".join([*lines, *block])


# Tags of templates


TAG = re.compile(
    r"\{\{<(?:(?!\{\{).)*?>\}\}|\{\{%(?:(?!\{\{).)*?%\}\}|\{%(?:(?!\{%).)*?%\}|\{\{(?:(?!\{\{).)*?\}\}",
    re.DOTALL,
)
"""A tag of Hugo, Quarto or Liquid: {{< figure src="a.png" >}}, {% include toc %}, {{ site.title }}."""

ALERT = re.compile(
    r"""
    \{\{[<%]\s*(?P<name>callout|alert|notice|admonition)\b(?P<given>[^{}]*)[%>]\}\}
    (?P<text>(?:(?!\{\{[<%]\s*/?\s*(?P=name)\b).)*)
    \{\{[<%]\s*/\s*(?P=name)\s*[%>]\}\}
    """,
    re.DOTALL | re.VERBOSE,
)
"""{{% callout warning %}}text{{% /callout %}}."""

STATIC_LINK = re.compile(
    r"""
    \{\{<\s*staticref\s+\"(?P<url>[^\"]*)\"[^{}]*>\}\}
    (?P<label>[^{}]*)
    \{\{<\s*/staticref\s*>\}\}
    """,
    re.VERBOSE,
)
"""{{< staticref "uploads/cv.pdf" "newtab" >}}label{{< /staticref >}}."""


TEXT_PART = re.compile(r"\{%-?\s*include\s+[\w./-]+\.(?:md|markdown)\b")
"""A part with a text, which is no part of a theme: {% include links.md %}."""


def convert_tags(text: str, rules: TextRules) -> str:
    """The text without tags of templates: those with a meaning are converted, loops are left out."""

    def convert(match: re.Match[str]) -> str:
        converted = convert_tag(match[0])
        if converted is None:
            advice = (
                ": not in _includes/; add this file, and import again" if TEXT_PART.match(match[0]) else ""
            )
            rules.report(f"a tag of the template: {describe_entry(match[0])}{advice}")
        return converted or ""

    # {% include bio.md %} -> the text of that file
    text = re.sub(
        r"\{%-?\s*include\s+([\w./-]+\.(?:md|markdown|html))\s*-?%\}",
        lambda match: rules.read_include(match[1]) or match[0],
        text,
    )
    text = _remove_blocks(text, rules)
    text = ALERT.sub(_quote_alert, text)
    text = STATIC_LINK.sub(r"[\g<label>](\g<url>)", text)
    return TAG.sub(convert, text)


BLOCK_TAG = re.compile(r"\{%-?\s*(end)?(for|if|unless|case|capture|tablerow)\b[^{}]*%\}")
"""{% for x in y %}, {% endif %}."""


def _remove_blocks(text: str, rules: TextRules) -> str:
    """
    The text without loops, which are reported; of a condition, the text between its tags stays.

    "a {% if b %}c{% endif %} {% for d in e %}f{% endfor %} g" -> "a c  g". A loop without an end takes the
    rest of the text.
    """
    kept: list[str] = []
    # the number of loops around the place that is read
    depth = 0
    # where the text that is not copied yet begins; in a loop, the outermost loop begins there
    position = 0

    for match in BLOCK_TAG.finditer(text):
        is_loop = match[2] in ("for", "tablerow", "case")
        is_end = match[1] is not None
        if not is_loop:
            # {% if b %} goes, the text behind it stays; in a loop it goes with the loop
            if depth == 0:
                kept.append(text[position : match.start()])
                position = match.end()
        elif not is_end:
            if depth == 0:
                kept.append(text[position : match.start()])
                position = match.start()
            depth += 1
        elif depth > 0:
            depth -= 1
            if depth == 0:
                loop = text[position : match.start()]
                rules.report(f"a list that the template makes: {describe_entry(loop)}")
                position = match.end()

    if depth == 0:
        kept.append(text[position:])
    else:
        rules.report(f"a list that the template makes: {describe_entry(text[position:])}")
    # both branches of a condition stay: "a {% else %} b" -> "a  b"
    return re.sub(r"\{%-?\s*(?:else|elsif\b[^{}]*|break|continue|assign\b[^{}]*)\s*-?%\}", "", "".join(kept))


ALERT_KINDS: Mapping[str, str] = {
    "warning": "WARNING",
    "tip": "TIP",
    "important": "IMPORTANT",
    "danger": "CAUTION",
    "error": "CAUTION",
    "caution": "CAUTION",
}


def _quote_alert(match: re.Match[str]) -> str:
    """An alert as a quotation with its kind."""
    parameters = parse_parameters(match["given"])
    kind = ALERT_KINDS.get(_find_parameter(parameters, "type", "0").casefold(), "NOTE")
    lines = [f"[!{kind}]", *match["text"].strip().split("\n")]
    return "\n" + "\n".join(f"> {line}".rstrip() for line in lines) + "\n"


LITERAL_URL = re.compile(
    r"""
    (?:site\.(?:base)?url\s*\|\s*append:\s*)?
    ['\"](?P<url>[^'\"]*)['\"]\s*
    (?:\|\s*(?:relative_url|absolute_url|prepend:\s*site\.\w+)\s*)+
    """,
    re.VERBOSE,
)
"""Liquid that prints a URL: "/a/" | relative_url."""

SILENT_TAGS = re.compile(
    r"""
    site\.(?:base)?url\b | base_path
    | include\s+(?:
        base_path|toc|section|icon|tags|search|site-search|search-box|search-info|list|grid|cols|post-nav
        |gallery
    )\b
    | (?:end)?raw$ | toc$ | br$
    | /?(?:
        math|lead|block|keywordlist|row|column|cards|pagebreak|rawhtml|center|div|unsafe|figures|tabs?
        |tabpane|carousel
    )\b
    | icon\s | fa[brs]?\s | bi\s | ai\s | iconify\s
    | /?\w*steps\b | bibliography\b | social_links\b | cv-button\b
    """,
    re.VERBOSE,
)
"""Tags that change the look, or print what Tenure makes itself: a table of contents, the bibliography."""


def convert_tag(tag: str) -> str | None:
    """
    A tag of Liquid, Hugo or Quarto as Markdown: `{% include figure.liquid path="a.png" %}` -> `![](<a.png>)`.

    "" for a tag without words of its own, which nobody misses; None for an unknown one, which is reported.
    """
    # {{< figure src="a.png" />}} -> figure src="a.png"
    inner = re.sub(r"^\{[{%][<%]?-?|-?[>%]?[}%]\}$", "", tag).strip().removesuffix("/").strip()
    # {{< /details >}}, {% enddetails %}
    is_end = inner.startswith(("/", "end"))
    inner = inner.removeprefix("/").strip()
    # {{ "/cv/" | relative_url }} -> /cv/
    if literal := LITERAL_URL.fullmatch(inner):
        return literal["url"]
    if SILENT_TAGS.match(inner) or not inner:
        return ""

    # figure src="a.png" -> "figure", `src="a.png"`
    name, _, rest = inner.partition(" ")
    if name == "include" and rest.split():
        # include figures/figure.liquid path="a.png" -> "figure", `path="a.png"`
        name = rest.split()[0].rpartition("/")[2].partition(".")[0]
        rest = rest.partition(" ")[2]
    name = name.casefold()

    # {{< hl >}}word{{< /hl >}} -> **word**: both tags are the same sign
    if name == "hl":
        return "**"
    # what stands between other tags is text, so their end has nothing to say
    if is_end:
        return "\n\n</details>\n\n" if name in ("enddetails", "details", "spoiler") else ""
    # {% cite lee2020 %} of jekyll-scholar; {{< cite … >}} of Hugo names a page, not a key of BibTeX
    if name == "cite":
        return _format_citation(rest) if tag.startswith("{%") else None
    return _format_tag(name, rest)


VIDEO_URLS: Mapping[str, str] = {
    "youtube": "https://www.youtube.com/watch?v=",
    "vimeo": "https://vimeo.com/",
    "bilibili": "https://www.bilibili.com/video/",
}

PLACE_OF_POST = re.compile(
    r"""
    ^/?_?(?:pages/|posts/)?(?:\d{4}-\d\d-\d\d-)?
    | (?:/?_?index)?\.(?:md|markdown)(?=\#|$)
    """,
    re.VERBOSE,
)
"""What the URL of a page does not have: both ends of _posts/2020-01-01-proofs.md."""


def _format_tag(name: str, rest: str) -> str | None:
    """
    A tag as Markdown: "figure", `src="a.png"` -> `![](<a.png>)`.

    None if it is unknown, or lacks the file that it shows. Width, class and other looks are dropped.
    """
    parameters = parse_parameters(rest)
    # the file or page of a tag, which each theme names in another way; "0" has no name: ref "talks.md"
    path = _find_parameter(parameters, "path", "src", "image_path", "image", "url", "link", "href", "0")
    title = parameters.get("title", "")

    match name:
        case "figure" | "img" | "image" if path:
            return _format_image(parameters, path)
        # youtube dQw4w9 -> [Youtube](https://www.youtube.com/watch?v=dQw4w9)
        case "youtube" | "vimeo" | "bilibili":
            url = f"{VIDEO_URLS[name]}{parameters.get('id') or path}"
            return f"[{title or name.capitalize()}]({url})"
        # video path="https://www.youtube.com/embed/x" -> [Video](https://www.youtube.com/watch?v=x)
        case "video" | "audio" if "://" in path:
            return format_frame(f'<iframe src="{path}">')
        # video src="clips/loom.mp4" -> [loom.mp4](clips/loom.mp4)
        case "video" | "audio" if path:
            return f"[{title or path.rpartition('/')[2]}]({path})"
        # post_url 2020-01-01-proofs -> /proofs; the tag is the target of a link around it
        case "post_url":
            return "/" + PLACE_OF_POST.sub("", rest.strip().strip("\"'"))
        case "ref" | "relref" | "link" | "staticref":
            return "/" + PLACE_OF_POST.sub("", path)
        case "feature":
            return _format_feature(parameters, title)
        # button link="/cv.pdf" text="My CV" -> [My CV](/cv.pdf)
        case "button" | "cta" | "card" if path:
            label = _find_parameter(parameters, "text", "title", "cta_text") or path
            return f"[{label}]({parameters.get('cta_link') or path})"
    return _format_text_tag(name, parameters, rest)


def _format_text_tag(name: str, parameters: Mapping[str, str], rest: str) -> str | None:
    """A tag around a text, or with a text of its own, as Markdown; None if it is unknown."""
    match name:
        # details Proof -> <details><summary>Proof</summary>, which its end tag closes
        case "details" | "spoiler":
            summary = parameters.get("text") or rest.strip("\"' ")
            return f"<details><summary>{summary}</summary>\n\n"
        case "alert" | "notice" if parameters.get("content"):
            return f"\n\n> {parameters['content']}\n\n"
        # {{< keyword >}}Looms{{< /keyword >}} -> an item of a list
        case "keyword":
            return "\n- "
    return None


def _find_parameter(parameters: Mapping[str, str], *names: str) -> str:
    """The first of these parameters that is not empty; "" if there is none."""
    return next((parameters[name] for name in names if parameters.get(name)), "")


def _format_citation(text: str) -> str:
    """Keys of BibTeX as a citation: "lee kim" -> "[@lee; @kim]", without words that cannot be keys."""
    keys = [f"@{key}" for key in text.strip("\"' ").split() if re.fullmatch(r"\w[\w:./+-]*", key)]
    return f"[{'; '.join(keys)}]" if keys else ""


def _format_image(parameters: Mapping[str, str], path: str) -> str:
    """An image with its caption: {alt: A loom}, "a.png" -> ![A loom](<a.png>)."""
    caption = strip_tags(_find_parameter(parameters, "caption", "title")).replace('"', "'")
    title = f' "{caption}"' if caption else ""
    return f"![{parameters.get('alt') or caption}](<{path.strip()}>{title})"


def _format_feature(parameters: Mapping[str, str], title: str) -> str:
    """A part of a page with an image, and a title that may be a link."""
    link = parameters.get("link", "")
    heading = f"**{title}**" if title else ""
    if link and title:
        heading = f"**[{title}]({link})**"
    image = f"\n\n![]({parameters['image']})" if parameters.get("image") else ""
    return f"{image}\n\n{heading}\n\n"


PARAMETER = re.compile(r"(?:([\w-]+)\s*=\s*)?(?:\"([^\"]*)\"|'([^']*)'|`([^`]*)`|([^\s\"'=]+))")
"""A value with or without a name: src="a.png", width=3, "a.png"."""


def parse_parameters(source: str) -> dict[str, str]:
    """Parameters by name, or by number from 0: `a.png width=3` -> {"0": "a.png", "width": "3"}."""
    parameters: dict[str, str] = {}
    for name, *texts in PARAMETER.findall(source[:5000]):
        text = next(filter(None, texts), "")
        parameters[name or str(sum(key.isdecimal() for key in parameters))] = text
    return parameters


# HTML


HTML_LINK = re.compile(
    r"""
    <a\b[^<>]*?\bhref\s*=\s*[\"']?(?P<url>[^\"'<>]*?)[\"']?(?:\s[^<>]*)?>
    (?P<label>(?:(?!<a\b).)*?)
    </a\s*>
    """,
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
"""<a href="/b.html">label</a>."""

ICON = re.compile(
    r"""
    <(?:i|span)\s[^<>]*class\s*=\s*[\"'][^\"'<>]*\b(?:fa|fab|fas|far|ai|bi|icon)\b[^<>]*>
    \s*
    </(?:i|span)>
    """,
    re.VERBOSE,
)
"""<i class="fa fa-envelope"></i>."""

EMPTY_VIDEO = re.compile(
    r"""
    <(?P<name>video|audio)\b(?![^<>]*\ssrc=)[^<>]*>
    (?:(?!<(?:source|video|audio)\b).)*?
    </(?P=name)\s*>
    """,
    re.DOTALL | re.VERBOSE,
)
"""A video without a file, neither of its own nor in a <source>: <video controls></video>."""


def convert_html(text: str, rules: TextRules) -> str:
    """
    The text without active and hidden elements, and with the new URLs in its tags.

    A link without a target becomes its label, and an image without its file goes; both are reported.
    """
    text = MARKDOWN_ELEMENT.sub(_separate_markdown, ICON.sub("", _remove_elements(text, rules)))
    # the ids to which links of the text lead: [label](#id), <a href="#id">
    linked = frozenset(re.findall(r"(?:\(|href\s*=\s*[\"']?)#([\w:.-]+)", text))
    text = EMPTY_VIDEO.sub("", _convert_elements(_unwrap_boxes(text, linked), linked, rules))

    def convert_link(match: re.Match[str]) -> str:
        url = match["url"].strip()
        is_fragment = url.startswith("#")
        is_kept = is_fragment and url.removeprefix("#") in linked
        new_url = url if is_kept else rules.resolve(html.unescape(url))
        if new_url:
            return f'<a href="{html.escape(new_url)}">{match["label"]}</a>'
        if url and not is_fragment:
            _report_link(url, rules)
        return match["label"]

    return HTML_LINK.sub(convert_link, text)


MARKDOWN_ELEMENT = re.compile(
    r"""
    <(?P<name>li|dd|td|th|blockquote|details|figure)\b(?P<before>[^<>]*?)
    \smarkdown\s*=\s*["']?(?:1|block)["']?(?P<after>[^<>]*)>
    (?P<text>(?:(?!</?(?P=name)\b).)*)</(?P=name)\s*>
    """,
    re.DOTALL | re.VERBOSE,
)
"""An element that kramdown reads as Markdown: <li markdown="1">**A prize**</li>."""


def _separate_markdown(match: re.Match[str]) -> str:
    """An element with empty lines around its text, which is Markdown then, and not HTML."""
    text = dedent(match["text"]).strip()
    return f"<{match['name']}{match['before']}{match['after']}>\n\n{text}\n\n</{match['name']}>"


_BOX = re.compile(
    r"""
    <(?P<whole>a|table|ul|ol|dl)\b(?:(?!<(?P=whole)\b).)*?</(?P=whole)\s*>
    | [ \t]*<(?P<slash>/?)(?:div|section|center|[a-z]+-[\w-]+)\b    # <swiper-slide>
      (?:[^<>]*?\sid\s*=\s*["']?(?P<id>[\w:.-]+))?[^<>]*>
    """,
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
"""A tag that only arranges what is in it, <div class="row">; or an element in which such tags stay."""


def _unwrap_boxes(text: str, linked: AbstractSet[str]) -> str:
    """
    The text without boxes, whose contents become Markdown; an id to which a link leads stays.

    '<div class="row" id="x">⏎    ![](a.png)⏎</div>' -> '<a id="x"></a>⏎⏎![](a.png)'
    """
    parts: list[str] = []
    position = 0
    depth = 0
    for match in _BOX.finditer(text):
        if not match["whole"]:
            before = text[position : match.start()]
            if depth:
                # a tag with an indent would be code
                before = re.sub(r"^[ \t]+(?=<)", "", dedent(before), flags=re.MULTILINE)
            parts.append(before)
            parts.append(f'\n\n<a id="{match["id"]}"></a>\n\n' if match["id"] in linked else "\n\n")
            depth += -1 if match["slash"] else 1
            position = match.end()
    parts.append(text[position:])
    # "<br>⏎## Talks": the heading would be a part of the HTML
    return re.sub(r"(?<=[\w\"'/]>)[ \t]*\n?(?=#{1,6} )", "\n\n", "".join(parts))


FILE_ATTRIBUTES = ("src", "poster", "data")


def _convert_elements(text: str, linked: AbstractSet[str], rules: TextRules) -> str:
    """The text with the new URLs of its files, and without code; an id stays if a link leads to it."""
    seen: set[str | None] = set()

    def convert(tag: Tag) -> str:
        attributes = _list_kept_attributes(tag, linked - seen)
        seen.add(attributes.get("id"))

        names = [name for name in FILE_ATTRIBUTES if name in attributes]
        urls = {name: rules.resolve(html.unescape(attributes.pop(name) or "")) for name in names}
        found = {name: html.escape(url) for name, url in urls.items() if url}
        attributes |= found

        # an image without its file goes; a player stays, as it may have its file in a <source>
        is_player = tag.name in ("video", "audio")
        is_medium = is_player or tag.name in ("source", "track", "embed")
        if tag.name == "img" or (is_medium and names):
            if names and not found:
                rules.report(f"a file that is not in the source: {describe_entry(tag.text)}")
            return tag.format_with(attributes) if found or is_player else ""
        return tag.text if attributes == tag.attributes else tag.format_with(attributes)

    return rewrite_tags(text, convert)


def _list_kept_attributes(tag: Tag, ids: AbstractSet[str]) -> Attributes:
    """The attributes of an element that are no code; its id is kept if it is one of `ids`."""
    kept = {name: value for name, value in tag.attributes.items() if not name.startswith("on")}
    kept.pop("srcset", None)
    identifier = kept.pop("id", None)
    if identifier in ids:
        kept["id"] = identifier
    return kept


def _report_link(url: str, rules: TextRules) -> None:
    shown = describe_entry(url)
    rules.report(f"a link to {shown}: neither a file of the source nor an imported page; it is left out")


def drop_tags(text: str) -> str:
    """The text without tags of HTML and of templates: "<b>{{ site.title }}</b> a" -> " a"."""
    return re.sub(r"\{[%{].*?[%}]\}|<[^<>]*>", "", text, flags=re.DOTALL)


VOID_ELEMENTS = frozenset({"input", "embed", "meta", "link", "base"})
"""Elements without an end tag that are left out; images, line breaks and others stay."""

_ANY_TAG = re.compile(
    r"""
    <(?P<slash>/?)(?P<name>[a-zA-Z][\w-]*)
    (?P<attributes>(?:[^<>"']|"[^"<]*"|'[^'<]*')*)>
    """,
    re.VERBOSE,
)
"""A start tag or an end tag; a value in quotes may have a ">": <a title="x > y">, </a>."""


def _remove_elements(text: str, rules: TextRules) -> str:
    """
    The text with each active or hidden element replaced by what `_replace_element` leaves of it.

    'a <div class="hidden">b</div> c' -> "a  c". An element without its end tag stays.
    """
    # where each element begins and ends, and its start tag
    removed: list[tuple[int, int, str]] = []
    # in an element that is removed: its start tag, and those of the same name that are open in it
    open_tags: list[re.Match[str]] = []
    for match in _ANY_TAG.finditer(text):
        name = match["name"].casefold()
        if open_tags:
            # <div class="hidden"><p>a</p></div>: the <p> goes with the <div>
            if name != open_tags[-1]["name"].casefold():
                continue
            if not match["slash"]:
                open_tags.append(match)
                continue
            start_tag = open_tags.pop()
            if not open_tags:
                removed.append((start_tag.start(), match.end(), start_tag[0]))
        elif not match["slash"] and (name in ACTIVE_ELEMENTS or _is_hidden(match["attributes"])):
            # one without an end would take the rest of the page
            if f"</{name}" in text[match.end() :].casefold():
                open_tags.append(match)
        elif name in VOID_ELEMENTS:
            removed.append((match.start(), match.end(), match[0]))

    parts: list[str] = []
    position = 0
    for start, end, tag in removed:
        parts.append(text[position:start])
        parts.append(_replace_element(text[start:end], tag, rules))
        position = end
    return "".join([*parts, text[position:]])


HIDDEN_CLASS = re.compile(r"(?:^|\s)(?:d-none|hidden|visually-hidden|sr-only|content-hidden)(?:\s|$)")
"""The classes of Bootstrap, Tailwind and Quarto that hide an element."""


def _is_hidden(attributes: str) -> bool:
    """Whether an element is not shown, as its attributes say: ' class="d-none"', ' style="display: none"'."""
    css_class = re.search(r"\bclass\s*=\s*[\"']([^\"']*)", attributes)
    style = re.search(r"\bstyle\s*=\s*[\"'][^\"']*display\s*:\s*none", attributes, re.IGNORECASE)
    return style is not None or (css_class is not None and HIDDEN_CLASS.search(css_class[1]) is not None)


HIDDEN_DETAIL = re.compile(r"abstract|bib|cite|\babs\b|@\w+\s*\{", re.IGNORECASE)
"""What a click shows: the abstract or the BibTeX of an entry."""

HIDDEN_STYLE = re.compile(r"\sstyle\s*=\s*[\"'][^\"'<>]*display\s*:\s*none[^\"'<>]*[\"']")
"""The style="display: none" of an element inside a hidden abstract."""


def _replace_element(source: str, tag: str, rules: TextRules) -> str:
    """
    What stays of an active or hidden element: an abstract, BibTeX, a link to a frame, the words of a button.

    Of a script and a style, only the name is reported, as they have no words for readers.
    """
    # <div class="abstract hidden"> -> div
    name = re.sub(r"[<\s>].*", "", tag[1:], flags=re.DOTALL).casefold()
    # an abstract or BibTeX is shown, without the button that opened it
    if name not in ACTIVE_ELEMENTS and HIDDEN_DETAIL.search(source[:5000]):
        # without what hides it, <div class="abstract hidden"> -> <div >
        shown = re.sub(r"(?:class|style)\s*=\s*(?:\"[^\"]*\"|'[^']*')", "", tag)
        rest = re.sub(r"<(button|script|style)\b[^<>]*>[^<>]*</\1\s*>", "", source[len(tag) :])
        return shown + HIDDEN_STYLE.sub("", rest)
    frame = format_frame(tag) if name == "iframe" else ""
    if frame:
        return frame

    # <button>Show more</button> -> Show more, but nothing of <button>×</button>
    words = strip_tags(source, " ")
    if name == "button" and re.search(r"\w{3}", words):
        return words
    if name in ("script", "style"):
        rules.report(f"<{name}>, left out")
    elif name != "noscript":
        kind = name if name in ACTIVE_ELEMENTS else "hidden text"
        rules.report(f"{kind}: {describe_entry(words or tag)}")
    return ""


def format_frame(tag: str) -> str:
    """The tag of a frame as a link to its page or its video: youtube.com/embed/x -> youtube.com/watch?v=x."""
    frame = re.search(r"src\s*=\s*[\"']?(?:https?:)?//([^\"'\s<>]+)", tag)
    if frame is None:
        return ""
    video = re.match(r"(?:www\.)?youtube(?:-nocookie)?\.com/embed/([\w-]+)", frame[1])
    url = f"https://www.youtube.com/watch?v={video[1]}" if video else f"https://{frame[1]}"
    host = html.escape(frame[1].partition("/")[0])
    return f'<a href="{url}">{"Video: " if video else ""}{host}</a>'


FIELD_TAG = re.compile(r"`[^`]*`|</?(?P<name>[a-zA-Z][\w-]*)\b(?P<attributes>[^<>]*)>")
"""A tag: <p class="a">, </p>; or code, in which a tag is text, so that it has no name: `<p>`."""


def keep_field_tags(text: str, *, has_blocks: bool) -> str:
    """
    A text for a field of an entry, without the tags that its reader does not know; the words in them stay.

    '<font color="red">A</font> <b>B</b>' -> "A <b>B</b>"; `<img src="a.png">` -> `![](<a.png>)`. With
    `has_blocks`, the field may have paragraphs; without, they become parts of one line.
    """
    kept = TEXT_ELEMENTS | BLOCK_ELEMENTS if has_blocks else TEXT_ELEMENTS

    def convert(match: re.Match[str]) -> str:
        name = match["name"]
        if not name or name.casefold() in kept:
            return match[0]
        # <img src="a.png" alt="A loom">
        source = re.search(r"src\s*=\s*[\"']([^\"']+)", match["attributes"])
        if name != "img" or not source:
            return ""
        alt = re.search(r"alt\s*=\s*[\"']([^\"']*)", match["attributes"])
        label = alt[1] if alt else ""
        return f"![{label}](<{source[1]}>)"

    if not has_blocks:
        # "<p>A</p> <p>B</p>" -> "<p>A, B</p>", and "A<br>B" -> "A, B"
        text = re.sub(r"\s*(?:<br\s*/?>|</(?:p|li)>\s*<(?:p|li)\b[^<>]*>)\s*", ", ", text)
    converted = FIELD_TAG.sub(convert, text)
    if converted == text:
        return text
    # the tags that are gone leave empty lines
    return re.sub(r"(?:[ \t]*\n){3,}", "\n\n", converted).strip()


_EMPTY_HEADING = re.compile(
    r"""
    ^(?:
        \#{1,6}[ \t][^\n]*
        | [ \t]*<h(?P<level>[1-6])\b[^<>]*>[^<>]*</h(?P=level)>
    )\s*
    (?=\#{1,6}[ \t]|</?div|<h[1-6]|\Z)
    """,
    re.MULTILINE | re.VERBOSE,
)
"""A heading, "## Talks" or <h2>Talks</h2>, with no text before the next heading or the end."""


def drop_empty_markup(text: str) -> str:
    """
    A text without empty elements, and without headings that have no text; "" if no word of it is left.

    "## Talks\\n\\n## Papers\\n\\n<div></div>\\nA proof" -> "## Papers\\n\\nA proof".
    """
    # <div><p></p></div>: the <div> is empty when the <p> is gone; sites nest no more than six
    for _ in range(6):
        text = re.sub(r"<(div|span|p|ul|ol|section|center)\b[^<>]*>\s*</\1\s*>", "", text)
        text = _EMPTY_HEADING.sub("", text)
    # signs alone, such as a line "---", are no text
    words = re.sub(r"<[^<>]*>", "", text)
    if re.search(r"\w{3}", words):
        return re.sub(r"\n\s*\n\s*", "\n\n", text).strip()
    return ""


def to_one_paragraph(text: str) -> str:
    r"""A text as one paragraph without the marks of headings and lists: "## Aim\n- Looms" -> "Aim Looms"."""
    lines = (re.sub(r"^(?:#+|[*+-]|\d+\.)\s+", "", line.strip()) for line in text.split("\n"))
    return " ".join(line for line in lines if line and not re.fullmatch(r"[-=*]{3,}", line))


def format_title(text: str) -> str:
    """The title of a page without tags, and with a capital letter: "research" -> "Research", "cv" -> "CV"."""
    title = " ".join(re.sub(r"<[^<>]*>|\{[{%].*?[}%]\}", "", text).split())
    if title.casefold() in ("cv", "faq"):
        return title.upper()
    return title[:1].upper() + title[1:]


# Links of Markdown


LINK = re.compile(
    r"""
    (?P<mark>!?)\[(?P<label>(?:[^\[\]]|!?\[[^\[\]]{0,500}\](?:\([^()\s]{0,500}\))?){0,1000})\]
    \(\s*<?(?P<url>(?:[^()\s<>]|\([^()\s]*\)|(?<=\S)[ ](?=[^"'()\n]*\.\w{2,4}[\s)]))+)>?
    (?:\s+(?:"(?P<title>[^"]*)"|'(?P<other>[^']*)'))?\s*\)
    """,
    re.VERBOSE,
)
"""A link or an image: [label](url "title"), also with a space in the name of a file: ![](my photo.png)."""

DEFINITION = re.compile(
    r"""
    ^(?P<name>[ ]{0,3}\[[^\]\n^]+\]:)
    [ \t]*<?(?P<url>\S+?)>?
    (?P<title>(?:[ \t]+["'(].*)?)$
    """,
    re.MULTILINE | re.VERBOSE,
)
"""The URL of a name: `[loom]: /looms/ "A loom"`; "[^1]: …" is a footnote."""

REFERENCE_LINK = re.compile(
    r"""
    (?<![\w\]\\!])\[(?P<label>[^\[\]\n^@]{1,500})\]
    [ ]?\[(?P<name>[^\[\]\n]{0,200})\](?![\[(:])
    """,
    re.VERBOSE,
)
"""A link by a name, [the loom][loom] or [loom][]; a[i][j] and a citation, [@lee][1], are none."""


def convert_links(text: str, rules: TextRules) -> str:
    """
    The text with the new URLs in its links and images: "[Talks](/talks.html)" -> "[Talks](/talks/)".

    A link without a target becomes its label, and an image without its file goes; both are reported.
    """

    # [label](url "title"), ![alt](url)
    def convert_link(match: re.Match[str]) -> str:
        url = html.unescape(match["url"])
        # "#top" leads to this page, which keeps its anchors
        new_url = url if url.startswith("#") else rules.resolve(url)
        label = match["label"]
        # an image as the label of a link: [![A loom](loom.png)](/looms/)
        if "](" in label:
            label = LINK.sub(convert_link, label)
        if not new_url:
            _report_link(url, rules)
            return "" if match["mark"] else label

        title = match["title"] or match["other"]
        quoted_title = f' "{title}"' if title else ""
        # "my photo.png" -> "<my photo.png>", as Markdown ends a URL at a space
        target = f"<{new_url}>" if re.search(r"[\s()]", new_url) else new_url
        return f"{match['mark']}[{label}]({target}{quoted_title})"

    # [name]: url "title"
    def convert_definition(match: re.Match[str]) -> str:
        new_url = rules.resolve(html.unescape(match["url"]))
        if new_url:
            return f"{match['name']} {new_url}{match['title']}"
        _report_link(match["url"], rules)
        # the links that use the name would show their brackets without its definition
        return f"{match['name']} #"

    # [label][name], or [name][]; without a definition of the name, Markdown would show the brackets
    def convert_reference(match: re.Match[str]) -> str:
        name = match["name"] or match["label"]
        if name.casefold() in defined_names:
            return match[0]
        rules.report_name(name)
        return match["label"]

    text = LINK.sub(convert_link, text)
    defined_names = {name.casefold() for name in re.findall(r"^ {0,3}\[([^\]\n^]+)\]:", text, re.MULTILINE)}
    text = REFERENCE_LINK.sub(convert_reference, text)
    return DEFINITION.sub(convert_definition, text) if "]:" in text else text


def normalize_url(url: str, folder: str = "") -> str:
    """
    A path of the old site without its ends, for comparison.

    "/a/b/index.html" -> "a/b", and "b.md" in the folder "a" too.
    """
    path = unquote(re.split(r"[?#]", url, maxsplit=1)[0])
    if folder and not path.startswith("/"):
        path = f"{folder}/{path}"
    path = posixpath.normpath("/" + path).strip("/")
    path = re.sub(r"\.(?:html?|md|markdown|qmd|ipynb|rmd)$", "", path, flags=re.IGNORECASE)
    return re.sub(r"(?:^|/)_?index$", "", path).strip("/").casefold()
