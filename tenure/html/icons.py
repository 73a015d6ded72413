"""
The icons of links: brand marks of services by their hosts, and drawn icons for other things.

Sources: icons-LICENSE.txt.
"""

import json
import re
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from markupsafe import Markup

from tenure.model.links import parse_url
from tenure.record import Record

ICON_FILE = Path(__file__).with_name("icons.json")

LABEL_ICONS = MappingProxyType(
    {
        "abstract": "file",
        "appendix": "file",
        "code": "code",
        "data": "data",
        "dataset": "data",
        "datasets": "data",
        "demo": "video",
        "paper": "file",
        "pdf": "file",
        "poster": "poster",
        "preprint": "file",
        "presentation": "slides",
        "recording": "video",
        "repository": "code",
        "slides": "slides",
        "software": "code",
        "supplement": "file",
        "talk": "video",
        "video": "video",
    }
)
"""The icon of a link whose host has none, by its label in lower case."""


class Icon(Record, kw_only=True):
    """
    An icon: the path and the view box of its SVG, and the hosts of the service.

    A brand mark has a source; an icon without one is drawn with a line.
    """

    path: str
    box: str = "0 0 24 24"
    hosts: tuple[str, ...] = ()
    source: str = ""


@cache
def load_icons() -> MappingProxyType[str, Icon]:
    """All icons by name."""
    table: dict[str, dict[str, Any]] = json.loads(ICON_FILE.read_text(encoding="utf-8"))
    return MappingProxyType(
        {name: Icon(**{**values, "hosts": tuple(values.get("hosts", ()))}) for name, values in table.items()}
    )


@cache
def _icons_by_host() -> MappingProxyType[str, str]:
    """The name of the icon of each host: "github.com" -> "github"."""
    return MappingProxyType({host: name for name, icon in load_icons().items() for host in icon.hosts})


def find_icon(url: str, label: str = "") -> str:
    """
    The name of the icon of a link: of its service, of its label, "file" for a PDF, or "web".

    A path that begins with @ is a user of Mastodon, whose servers have any host.
    """
    if url.startswith("mailto:"):
        return "mail"

    parts = parse_url(url)
    host = parts.netloc.casefold().rpartition("@")[2].partition(":")[0]
    # one for each country
    host = re.sub(r"^(scholar\.google)\..*", r"\1", host)
    segments = host.split(".")
    domains = (".".join(segments[start:]) for start in range(len(segments)))
    brand = next((_icons_by_host()[domain] for domain in domains if domain in _icons_by_host()), "")

    # the PDF of a paper stays a file wherever it is
    label_icon = LABEL_ICONS.get(label.casefold(), "")
    if brand and label_icon != "file":
        return brand
    if not label_icon and parts.netloc and parts.path.startswith("/@"):
        return "mastodon"
    # a PDF under a label of one's own: CV
    if not label_icon and parts.path.casefold().endswith(".pdf"):
        return "file"
    return label_icon or "web"


def render_icon(name: str) -> Markup:
    """
    An icon as SVG; assistive technology skips it, because its text is beside it.

    An unknown name gives the icon of the web.
    """
    icon = load_icons().get(name) or load_icons()["web"]
    mark = Markup(' data-mark=""') if icon.source else ""
    return Markup('<svg class="icon"{} viewBox="{}" aria-hidden="true"><path d="{}"/></svg>').format(
        mark, icon.box, icon.path
    )
