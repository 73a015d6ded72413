"""Imports the owner from the settings of Hugo themes without files of people: PaperMod, Coder, Congo, Blowfish and similar ones."""

from collections.abc import Iterator

from tenure.importers.hugo.config import HugoConfig
from tenure.importers.hugo.markdown import HugoTextConverter
from tenure.importers.hugo.people import import_profile_link
from tenure.importers.liquid_includes import expand_account
from tenure.importers.profile import add_photo
from tenure.importers.samples import is_sample_text
from tenure.importers.session import MappingReader, join_filled, node_to_text
from tenure.record import replace
from tenure.sources.node import Node
from tenure.sources.schema.links import find_service

NAME_SETTINGS = (
    "params.author.name",
    "author.name",
    "params.profilemode.title",
    "params.author",
    "author",
    "params.name",
    "params.hero.title",
)
ROLE_SETTINGS = (
    "params.author.headline",
    "author.headline",
    "params.info",
    "params.role",
    "params.headline",
    "params.jobtitle",
)
AFFILIATION_SETTINGS = ("params.organization", "params.affiliation")
PHOTO_SETTINGS = (
    "params.author.image", "params.author.avatar", "author.image", "params.avatarurl", "params.avatar", "params.profilemode.imageurl",
    "params.profilepicture", "params.profile_picture", "params.portrait.path", "params.photo",
    "params.about.image", "params.hero.image",
)  # fmt: skip
INTRODUCTION_SETTINGS = (
    ("params.profilemode.subtitle", "params.homeinfoparams.content", "params.author.bio", "author.bio", "params.bio", "params.hero.content"),
    ("params.about.content",),
)  # fmt: skip
"""The settings of the paragraphs of the introduction; of each group, the first text is taken."""

LINK_SETTINGS = (
    "params.socialicons", "params.social", "params.socials", "params.author.links", "author.links", "params.author.social",
    "params.social_links", "params.sociallinks", "social", "params.links",
    "author.contactinfo", "params.hero.sociallinks.fontawesomeicons", "params.hero.sociallinks.customicons", "params.hero.button",
    "params.footer.socialnetworks", "params.ananke_socials", "params.ananke.social.follow",
)  # fmt: skip


def read_setting(config: HugoConfig, *names: str) -> str:
    """The first non-empty text of these settings; those of the language have precedence."""
    language = f"languages.{config.language}"
    is_off = config.read_text("params.profilemode.enabled") == "false"
    own_names = [name for name in names if not (is_off and name.startswith("params.profilemode."))]
    texts = (
        config.read_text(f"{language}.{name}", name)
        for name in own_names
        if not config.find_value(f"{language}.{name}", name).mapping
    )
    return next(filter(None, texts), "")


def import_theme_owner(converter: HugoTextConverter, config: HugoConfig) -> None:
    """Import role, affiliation, photo, links and introduction of the owner from the settings of a theme."""
    session, profile = converter.session, converter.session.profile
    role = converter.convert_line(read_setting(config, *ROLE_SETTINGS), "config")
    tagline = converter.convert_line(read_setting(config, "author.summary", "params.hero.subtitle"), "config")
    if tagline and not is_sample_text(tagline):
        profile["tagline"] = tagline
    affiliation = read_setting(config, *AFFILIATION_SETTINGS)
    if role and not is_sample_text(role):
        profile["role"] = role
    if affiliation and not is_sample_text(affiliation):
        profile["affiliation"] = [affiliation]
    photo = read_setting(config, *PHOTO_SETTINGS)
    if photo:
        add_photo(session, photo, "" if "://" in photo else converter.import_file(photo), "config")
    session.record_imported("config", "profile")
    for link in _iterate_links(config):
        import_profile_link(converter, MappingReader(link, session))
    texts = (read_setting(config, *names) for names in INTRODUCTION_SETTINGS)
    text = join_filled(*dict.fromkeys(texts), separator="\n\n")
    title = config.read_text("params.homeinfoparams.title")
    is_second_title = text == config.read_text("params.homeinfoparams.content") and not is_sample_text(title)
    introduction = join_filled(f"**{title}**" if title and is_second_title else "", text, separator="\n\n")
    if text and not is_sample_text(text) and not config.is_further:
        session.add_introduction(converter.convert_body(introduction, "config"), "config")


def _iterate_links(config: HugoConfig) -> Iterator[Node]:
    """Yield each link as a mapping with a name and a URL: from a list of them, or from accounts by their services."""
    for setting in LINK_SETTINGS:
        node = config.find_value(f"languages.{config.language}.{setting}", setting)
        for item in node.items or (node,):
            if item.mapping.keys() & {"url", "link", "href"}:
                yield item
            else:
                yield from (_make_link(name, child) for name, child in item.mapping.items() if child.text)
    for name, node in config.find_value(
        "params"
    ).mapping.items():  # Ananke: github = "https://github.com/ada"
        if find_service(name) and "://" in node.text:
            yield _make_link(name, node)


def _make_link(service: str, account: Node) -> Node:
    """A link from the name of a service, and a URL or the name of an account there."""
    url = expand_account(service.casefold(), node_to_text(account).lstrip("@"))
    return Node({"name": Node(service, account.place), "url": replace(account, value=url)}, account.place)
