"""Converts the text of Hugo pages to Markdown: shortcodes, and URLs of pages and files."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import field

from tenure.frozen import dataclass
from tenure.importers.jekyll import Texts

_ONE = re.compile(
    r"\{\{[<%]-?\s*(?P<close>/?)\s*(?P<name>[\w/-]+)(?P<given>(?:(?!\{\{).)*?)/?\s*-?[>%]\}\}", re.DOTALL
)
_GIVEN = re.compile(r"(?:([\w-]+)\s*=\s*)?(\"[^\"]*\"|'[^']*'|`[^`]*`|[^\s\"']+)")
_COMMENTED = re.compile(r"\{\{(?:<|%)/\*.*?\*/(?:>|%)\}\}", re.DOTALL)
_ADMONITIONS: Mapping[str, str] = {
    "warning": "WARNING",
    "tip": "TIP",
    "important": "IMPORTANT",
    "danger": "CAUTION",
}
_KEPT = frozenset(
    {"math", "lead", "keywordlist", "hl", "block", "toc", "icon", "anchor", "row", "column", "fa", "br"}
)
"""Shortcodes that change only the appearance, or whose content is used unchanged."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A shortcode that is not closed yet, with the text read within it so far."""

    name: str
    given: Mapping[str, str]
    whole: str
    parts: list[str]


@dataclass(frozen=True, slots=True)
class HugoTexts(Texts):
    """
    Converts the texts of a Hugo site to Markdown.

    `keys_by_folder` has the keys of publications by the names of their folders.
    """

    cited: Mapping[str, str] = field(default_factory=dict)

    def _tags(self, text: str, place: str) -> str:
        text = _COMMENTED.sub("", text)
        text = re.sub(
            r"\(\s*(\{\{[<%][^(){}]*[>%]\}\})\s*\)",
            lambda m: f"({_ONE.sub(self._target, m[1]).strip()})",
            text,
        )
        closed = Counter(tag["name"] for tag in _ONE.finditer(text) if tag["close"])
        opened: list[_Open] = [_Open("", {}, "", [])]
        last = 0
        for tag in _ONE.finditer(text):
            opened[-1].parts.append(text[last : tag.start()])
            last = tag.end()
            name = tag["name"]
            if tag["close"]:
                closed[name] -= 1
                self._close(opened, name, place)
            elif closed[name] > 0:
                opened.append(_Open(name, _parameters(tag["given"]), tag[0], []))
            else:
                opened[-1].parts.append(self._one(name, _parameters(tag["given"]), place, tag[0]))
        opened[-1].parts.append(text[last:])
        self._collapse(opened, 1, place)
        return "".join(opened[0].parts)

    def _close(self, opened: list["_Open"], name: str, place: str) -> None:
        """Close the innermost open shortcode of a name; unclosed shortcodes within it count as single ones."""
        at = next((i for i in range(len(opened) - 1, 0, -1) if opened[i].name == name), 0)
        if at:
            self._collapse(opened, at + 1, place)
            one = opened.pop()
            opened[-1].parts.append(self._pair(one.name, one.given, "".join(one.parts), place))

    def _collapse(self, opened: list["_Open"], most: int, place: str) -> None:
        while len(opened) > most:
            one = opened.pop()
            opened[-1].parts.extend([self._one(one.name, one.given, place, one.whole), *one.parts])

    def _target(self, found: re.Match[str]) -> str:
        """Return the URL of a shortcode that is the target of a Markdown link."""
        given = _parameters(found["given"])
        if found["name"] in ("ref", "relref", "staticref", "absurl", "relurl"):
            path = re.sub(
                r"(?:/?_?index)?(?:\.\w\w)?\.md(?=#|$)", "", given.get("0") or given.get("path", "")
            )
            return path if path.startswith(("/", "http", "#")) or found["name"] == "staticref" else f"/{path}"
        return found[0]

    def _pair(self, name: str, given: Mapping[str, str], inner: str, place: str) -> str:
        """Convert a shortcode with opening and closing tag to Markdown."""
        kind = name.casefold()
        words = inner.strip()
        if kind in ("callout", "alert", "notice", "admonition"):
            sort = given.get("0") or given.get("type", "note")
            box = "\n".join(f"> {line}".rstrip() for line in words.split("\n"))
            return f"\n\n> [!{_ADMONITIONS.get(sort.casefold(), 'NOTE')}]\n{box}\n\n"
        if kind == "staticref":
            return f"[{words}]({given.get('0', '')})"
        if kind in ("spoiler", "details"):
            return f"\n\n**{given.get('text') or given.get('0', '')}**\n\n{words}\n\n"
        if kind == "highlight":
            return f"\n```{given.get('0', '')}\n{words}\n```\n"
        if kind == "keyword":
            return f"\n- {words}"
        if kind == "button":
            return f"[{words}]({given.get('href') or given.get('url', '')})"
        if kind == "hl":
            return f"**{words}**"
        if kind not in _KEPT:
            self.gathering.changed(place, f"the shortcode {name} was removed; its content is kept")
        return inner

    def _one(self, name: str, given: Mapping[str, str], place: str, whole: str) -> str:
        """Convert a shortcode without a closing tag to Markdown."""
        kind, first = name.casefold(), given.get("0", "")
        if kind in ("figure", "img", "image"):
            words = given.get("caption") or given.get("alt") or given.get("title", "")
            source = given.get("src") or first
            return f"![{words}]({source})" if source else ""
        films = {
            "youtube": "https://www.youtube.com/watch?v={}",
            "vimeo": "https://vimeo.com/{}",
            "bilibili": "https://www.bilibili.com/video/{}",
        }
        if kind in films:
            self.gathering.changed(
                place, f"a video of {name} became a link, because pages make no third-party requests"
            )
            return (
                f"[{given.get('title') or name.capitalize()}]({films[kind].format(given.get('id') or first)})"
            )
        if kind in ("video", "audio"):
            source = given.get("src") or first
            self.gathering.changed(place, f"{name} {source} is a link")
            return f"[{given.get('title') or source.rpartition('/')[2]}]({source})"
        if kind == "cta":
            return f"[{given.get('cta_text', '')}]({given.get('cta_link', '')})"
        if kind == "github" and given.get("repo"):
            return f"[{given['repo']}](https://github.com/{given['repo']})"
        if kind == "cite":
            key = self.cited.get((given.get("page") or first).strip("/").rpartition("/")[2].casefold(), "")
            if key:
                return f"[@{key}]"
        if kind.strip("/") not in _KEPT:
            self.gathering.left(place, f"a shortcode: {' '.join(whole.split())[:90]}")
        return ""


def _parameters(written: str) -> dict[str, str]:
    """Return parameters by name; positional ones by number, from 0."""
    found: dict[str, str] = {}
    for name, value in _GIVEN.findall(written or ""):
        found[name or str(sum(key.isdecimal() for key in found))] = value.strip("\"'`")
    return found
