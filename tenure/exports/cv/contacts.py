"""The contacts in the head of a CV: printed addresses or names of services, with icons before them."""

import re
from collections.abc import Iterator

from tenure.exports.cv.runs import keep_together
from tenure.exports.cv.text import RunBuilder, RunList
from tenure.html.icons import find_icon, load_icons
from tenure.model.entries import Profile
from tenure.model.links import Link
from tenure.model.site import CvConfig
from tenure.presentation.phrases import Phrase, label_fact, markdown_phrase, plain_phrase


def list_contacts(builder: RunBuilder, config: CvConfig) -> list[RunList]:
    """E-mail addresses, links, the URL of the site, office and location, each as runs that are not divided."""
    return [
        [*(_icon_runs(icon) if config.icons else ()), *keep_together(builder.phrase_runs(contact))]
        for icon, contact in _present_contacts(builder, config)
        if contact
    ]


def _present_contacts(builder: RunBuilder, config: CvConfig) -> Iterator[tuple[str, Phrase]]:
    """The name of an icon and the phrase of each contact."""
    profile, t = builder.site.profile, builder.t
    for email in profile.email:
        yield "mail", plain_phrase(email, url=f"mailto:{email}")
    for link in profile.links:
        icon = find_icon(link.url)
        label = t.translate_link_label(link.label)
        text = label
        if config.addresses == "short":
            is_named = config.icons and bool(load_icons()[icon].source)
            text = _address_with_label(link, "" if is_named else label, t["label"])
        yield icon, plain_phrase(text, url=link.url)
    if _has_own_url(profile, builder.site.settings.url):
        yield "web", plain_phrase(shorten_url(builder.site.settings.url), url=builder.site.settings.url)
    yield "door", label_fact(t, t["office"], markdown_phrase(profile.office, "name"))
    yield "place", markdown_phrase(profile.location, "name")


def _has_own_url(profile: Profile, site_url: str) -> bool:
    """Whether the URL of the site is known and is not one of the links."""
    return bool(site_url) and all(link.url.rstrip("/") != site_url.rstrip("/") for link in profile.links)


def shorten_url(url: str) -> str:
    """A URL as it is printed: without scheme, "www." and the last slash."""
    return re.sub(r"^(?:https?://)?(?:www\.)?", "", url).rstrip("/")


def _address_with_label(link: Link, label: str, pattern: str) -> str:
    """The printed address; before it the label, unless the address names the service, as github.com/ada does."""
    address = shorten_url(link.url)
    if link.label.casefold() == "website" or _letters(label) in _letters(address):
        return address
    return pattern.format(label=label) + " " + address


def _letters(text: str) -> str:
    """The letters and digits of a text in lower case."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _icon_runs(name: str) -> RunList:
    """An icon as SVG in the color of the text, and a no-break space."""
    icon = load_icons()[name]
    paint = (
        'fill="currentColor"'
        if icon.source
        else 'fill="none" stroke="currentColor" stroke-width="1.7" stroke-linejoin="round"'
    )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{icon.box}"><path d="{icon.path}" {paint}/></svg>'
    )
    return [{"is": "icon", "svg": svg}, "\u00a0"]
