"""Imports _config.yml of a Jekyll site: the owner, the site's URL and language, and the sidebar with its links."""

import re
from collections.abc import Mapping, Sequence

from tenure.importers.entries import address_of
from tenure.importers.gathering import Gathering, Taken, words_of
from tenure.importers.samples import is_sample, is_sample_address
from tenure.importers.socials import put_link
from tenure.sources.tree import Node

USERS: Mapping[str, str] = {
    "artstation": "https://www.artstation.com/{}",
    "bitbucket": "https://bitbucket.org/{}",
    "bluesky": "https://bsky.app/profile/{}",
    "codepen": "https://codepen.io/{}",
    "dribbble": "https://dribbble.com/{}",
    "facebook": "https://www.facebook.com/{}",
    "flickr": "https://www.flickr.com/{}",
    "foursquare": "https://foursquare.com/{}",
    "github": "https://github.com/{}",
    "gitlab": "https://gitlab.com/{}",
    "instagram": "https://www.instagram.com/{}",
    "kaggle": "https://www.kaggle.com/{}",
    "keybase": "https://keybase.io/{}",
    "lastfm": "https://www.last.fm/user/{}",
    "linkedin": "https://www.linkedin.com/in/{}",
    "medium": "https://medium.com/@{}",
    "pinterest": "https://www.pinterest.com/{}",
    "researchgate": "https://www.researchgate.net/profile/{}",
    "orcid": "https://orcid.org/{}",
    "soundcloud": "https://soundcloud.com/{}",
    "stackoverflow": "https://stackoverflow.com/users/{}",
    "steam": "https://steamcommunity.com/id/{}",
    "telegram": "https://t.me/{}",
    "tumblr": "https://{}.tumblr.com",
    "twitter": "https://twitter.com/{}",
    "vine": "https://vine.co/u/{}",
    "weibo": "https://weibo.com/{}",
    "wikipedia": "https://en.wikipedia.org/wiki/User:{}",
    "x": "https://x.com/{}",
    "xing": "https://www.xing.com/profile/{}",
    "youtube": "https://www.youtube.com/@{}",
    "zhihu": "https://www.zhihu.com/people/{}",
}
"""Profile URL pattern for each service's account name; a value that is a URL is used unchanged."""

SAMPLE_NAMES = frozenset(
    [
        "your name",
        "your sidebar name",
        "your name / site title",
        "academicpages",
        "earth",
        "red brick university",
    ]
)
STEERING = re.compile(
    r"title_separator|repository|teaser|breadcrumbs|words_per_minute|future|read_more|talkmap_link|comments|staticman"
    r"|atom_feed|\w+_site_verification|og_image|social|analytics|include|exclude|keep_files|encoding|markdown_ext"
    r"|markdown|highlighter|lsi|excerpt_separator|incremental|kramdown|collections|defaults|sass|permalink|paginate\w*"
    r"|timezone|plugins|gems|whitelist|category_archive|tag_archive|compress_html|site_theme|twitter|facebook|theme"
    r"|remote_theme|publication_category|plugins_dir|minimal_mistakes_skin|masthead_title|search\w*|logo|footer|port"
    r"|host|source|destination|safe|liquid|jekyll\w*|safe|show_\w+|author_profile|header|favicon|version|google_\w+|disqus\w*"
)
"""Keys of _config.yml that configure the theme, its services or Jekyll."""


def put_settings(gathering: Gathering, node: Node) -> None:
    """Import name, URL, language and the sidebar from _config.yml."""
    site = Taken(node, gathering)
    author = site.node_of("author")
    person = Taken(author if author is not None and author.entries else Node({}, node.place), gathering)
    called = [person.words("name"), site.words("name"), site.words("title")]
    if author is not None and author.words:
        called.insert(0, author.words)
    gathering.profile["name"] = _name([" ".join(re.sub(r"<[^>]*>", " ", one).split()) for one in called])
    gathering.settings["schema"] = "1"
    url, base = site.words("url").rstrip("/"), site.words("baseurl").strip("/")
    if re.match(r"https?://[^/\s]", url) and not re.search(r"academicpages\.github|localhost", url):
        gathering.settings["url"] = f"{url}/{base}/" if base else f"{url}/"
    language = site.words("locale", "lang")
    if re.fullmatch(r"[a-z]{2}(?:-[A-Z]{2})?", language):
        gathering.settings["language"] = language.partition("-")[0] if language.startswith("en") else language
    description = " ".join(re.sub(r"<[^>]*>", "", site.words("description")).split())
    if description and description not in ("personal description", "Personal Description", "description"):
        gathering.settings["description"] = description
    _put_person(gathering, person)
    site.drop(*(key for key in node.entries if STEERING.fullmatch(key)))
    site.finish()
    gathering.came(site.place, "name, address, language and description of the site")
    gathering.left(
        site.place,
        "the other keys configure the theme and its services; “Themes” in the documentation lists Tenure's options",
    )


def _name(called: Sequence[str]) -> str:
    """Return the owner's name: the first candidate that is not a sample, or a fuller form of it, without academic titles."""
    page = re.compile(r"['’]s? (?:\w+ ){0,2}(?:home ?page|web ?site|page|site|blog)$", re.IGNORECASE)
    title = re.compile(
        r"^(?:(?:Dr|Prof|Professor|Mr|Mrs|Ms|PD)\b\.?\s+)+|,?\s+(?:Ph\.?\s?D\.?|M\.?D\.?)$", re.IGNORECASE
    )
    names = [title.sub("", page.sub("", one)) for one in called if one and one.casefold() not in SAMPLE_NAMES]
    first = names[0] if names else ""
    return next((one for one in names if one.startswith(f"{first} ") and len(one.split()) <= 4), first)


def _put_person(gathering: Gathering, person: Taken) -> None:
    """Import the sidebar: role, location, photo, email and links."""
    profile, place = gathering.profile, person.place
    bio = person.words("bio", "role", "position")
    if bio and not re.match(r"Short biography", bio) and not is_sample(bio):
        profile["role"] = " ".join(re.sub(r"<br\s*/?>", ", ", bio).split())
    for key, field in (("location", "location"), ("employer", "affiliation"), ("pronouns", "pronouns")):
        words = person.words(key)
        if words and words.casefold() not in SAMPLE_NAMES and not is_sample(words):
            profile[field] = words
    _put_photo(gathering, person)
    email = person.words("email")
    if "@" in email and not is_sample_address(email):
        profile["email"] = email
    for link in person.list("links", "social"):
        one = Taken(link, gathering)
        put_link(gathering, one.words("url", "link"), one.words("label", "title", "name"), place)
        one.drop("icon")
        one.finish()
    _put_links(gathering, person)
    person.finish()


def _put_links(gathering: Gathering, person: Taken) -> None:
    place = person.place
    for key, node in person.node.entries.items():
        words = words_of(node)
        if key in USERS or address_of(words):
            person.drop(key)
            bare = words.strip().lstrip("@")
            if bare and not is_sample(bare):
                put_link(
                    gathering,
                    bare
                    if "://" in bare or ("." in bare and "/" in bare)
                    else USERS.get(key, "{}").format(bare),
                    _spoken(key),
                    place,
                )


def _put_photo(gathering: Gathering, person: Taken) -> None:
    avatar = person.words("avatar", "picture", "image", "photo")
    if not avatar:
        return
    folders = ("", "images/", "assets/images/", "assets/img/")
    photo = next((found for folder in folders if (found := gathering.copy(folder + avatar))), "")
    if photo:
        gathering.profile["photo"] = photo
    else:
        told = f"photo: {avatar[:90]} is not in the source; put the image into content/ and write its name under photo:"
        gathering.left(person.place, told)


def _spoken(key: str) -> str:
    return {"uri": "Website", "googlescholar": "Google Scholar", "semantic": "Semantic Scholar"}.get(key, key)
