"""Language tags: names, writing direction, fallbacks, plural rules, and the paths of pages in each language."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Literal
from urllib.parse import quote, unquote

from tenure.record import Record, field

TextDirection = Literal["ltr", "rtl"]

RIGHT_TO_LEFT = frozenset({"ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "syr", "ug", "ur", "yi"})
RIGHT_TO_LEFT_SCRIPTS = frozenset({"Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"})

_LANGUAGES = """
    af Afrikaans; ar العربية: arabic ara; be беларуская; bg български: bulgarian; bn বাংলা; bs bosanski; ca català: catalan cat;
    cs čeština: czech cze ces; cy Cymraeg: welsh; da dansk: danish dan;
    de Deutsch: german ngerman austrian naustrian swissgerman nswissgerman germanb ger deu allemand alemán; el ελληνικά: greek polutonikogreek gre ell;
    en English: american usenglish british ukenglish canadian australian newzealand eng englisch anglais inglés; eo Esperanto; es español: spanish mexican spa castellano spanisch espagnol;
    et eesti: estonian; eu euskara: basque; fa فارسی: persian farsi per fas; fi suomi: finnish fin;
    fr français: french francais frenchb acadian canadien fre fra französisch francés; ga Gaeilge: irish; gl galego: galician; gu; he עברית: hebrew heb;
    hi हिन्दी: hindi; hr hrvatski: croatian; hu magyar: hungarian hun; hy հայերեն: armenian; id Bahasa Indonesia: indonesian bahasai;
    is íslenska: icelandic; it italiano: italian ita italienisch italien; ja 日本語: japanese jpn; ka ქართული: georgian; kk қазақ тілі; km; kn; ko 한국어: korean kor;
    la Latina: latin lat; lt lietuvių: lithuanian; lv latviešu: latvian; mk македонски: macedonian; ml; mn : mongolian; mr; ms Bahasa Melayu: malay;
    my; nb norsk bokmål: norsk; ne; nl Nederlands: dutch dut nld; nn norsk nynorsk: nynorsk; no norsk: norwegian nor; pa; pl polski: polish pol; ps;
    pt português: portuguese portuges por; pt-BR português (Brasil): brazil brazilian; ro română: romanian rum ron; ru русский: russian rus;
    sa : sanskrit; sk slovenčina: slovak; sl slovenščina: slovene slovenian; sq shqip: albanian; sr српски: serbian serbianc;
    sv svenska: swedish swe; ta : tamil; te : telugu; th ไทย: thai tha; tr Türkçe: turkish tur; uk українська: ukrainian ukr; ur اردو; uz;
    vi Tiếng Việt: vietnamese vie; zh 中文: chinese chi zho 汉语 漢語; zh-Hans 简体中文: pinyin; zh-Hant 繁體中文
"""
"""
Each language: its tag, its name in itself, and its names in BibLaTeX's `langid` and in prose.

Source: Unicode CLDR 44; babel manual, "Options"; ISO 639-2.
"""

_ROWS = [
    (tag, *names.split(":"))
    for tag, _, names in (row.strip().partition(" ") for row in _LANGUAGES.split(";"))
]
NATIVE_NAMES: Mapping[str, str] = {tag: native for tag, native, *_ in _ROWS}
"""Names of languages in themselves, by tag; "" if only the tag is known."""

LANGUAGE_TAGS: Mapping[str, str] = {
    **{native.casefold(): tag for tag, native in NATIVE_NAMES.items() if native},
    **{name: tag for tag, _, *others in _ROWS for name in (tag.casefold(), *" ".join(others).split())},
}
"""Tags by their own spelling and by the names of their language."""

TERRITORIES: Mapping[str, str] = {
    "ar": "AR", "da": "DK", "en": "US", "fa": "IR", "he": "IL", "ja": "JP", "ko": "KR", "nb": "NO", "sv": "SE", "uk": "UA", "zh": "CN",
}  # fmt: skip
"""The territory of a language in a locale of Open Graph, if it is not the tag in capitals (de_DE)."""

_TAG_PATTERN = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-(?P<script>[a-z]{4}))?(?:-(?P<region>[a-z]{2}|\d{3}))?(?P<rest>(?:-[a-z0-9]{4,8})*)",
    re.IGNORECASE,
)


class Language(str):
    """A language tag in the notation of RFC 5646: "de", "pt-BR", "zh-Hant"; "" for an unspecified language."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> "Language":
        """Parse a tag in any case; raises ValueError with a suggestion for an invalid one such as "German"."""
        match = _TAG_PATTERN.fullmatch(text)
        if match is None or _replace_primary_subtag(text, match["language"]).casefold() != text.casefold():
            suggested = find_language(text)
            hint = f'write "{suggested}"' if suggested else "write a tag such as en, de, pt-BR or zh"
            raise ValueError(f"“{text}” is not a language tag", hint)
        script, region = match["script"] or "", match["region"] or ""
        subtags = (match["language"].lower(), script.title(), region.upper())
        return cls("-".join(part for part in subtags if part) + match["rest"].lower())

    @property
    def direction(self) -> TextDirection:
        """The writing direction of the script or of the language."""
        language, *other_subtags = self.split("-")
        script = next((subtag for subtag in other_subtags if len(subtag) == 4 and subtag.isalpha()), "")
        is_right_to_left = script in RIGHT_TO_LEFT_SCRIPTS if script else language in RIGHT_TO_LEFT
        return "rtl" if is_right_to_left else "ltr"

    @property
    def fallbacks(self) -> tuple["Language", ...]:
        """This tag, the tag without its last subtag, and so on, for looking up translations: "zh-Hant-TW", "zh-Hant", "zh"."""
        subtags = self.split("-")
        return tuple(Language("-".join(subtags[:count])) for count in range(len(subtags), 0, -1))

    @property
    def native_name(self) -> str:
        """The name of the language in itself; the tag if it is unknown."""
        return next((NATIVE_NAMES[tag] for tag in self.fallbacks if NATIVE_NAMES.get(tag)), str(self))

    @property
    def locale(self) -> str:
        """The locale for Open Graph: "de_AT" of de-AT, "de_DE" of de."""
        language, _, territory = self.partition("-")
        if len(territory) != 2:
            territory = "TW" if territory == "Hant" else TERRITORIES.get(language, language)
        return f"{language}_{territory.upper()}"

    @property
    def primary_subtag(self) -> str:
        """The primary language subtag: "pt" of "pt-BR"."""
        return self.partition("-")[0]


def find_language(text: str) -> Language:
    """The language of a `langid` such as "ngerman", of a name or of a tag; "" if it is unknown."""
    name = text.strip().casefold().replace("_", "-")
    if name in LANGUAGE_TAGS:
        return Language(LANGUAGE_TAGS[name])
    match = _TAG_PATTERN.fullmatch(name)
    if match is None or match["language"] not in LANGUAGE_TAGS:
        return Language("")
    return Language.parse(_replace_primary_subtag(name, match["language"]))


def _replace_primary_subtag(tag: str, primary_subtag: str) -> str:
    """
    A tag with the shortest code of its language: "de-AT" of "ger-AT".

    Source: RFC 5646, 2.2.1: a language with a code of two letters is never written with one of three.
    """
    return LANGUAGE_TAGS.get(primary_subtag.casefold(), primary_subtag) + tag[len(primary_subtag) :]


def detect_direction(text: str) -> TextDirection | Literal[""]:
    """The writing direction of most letters of a text; left to right for a tie; "" for a text without letters."""
    if text.isascii():
        return "ltr" if any(map(str.isalpha, text)) else ""
    bidi_classes = [unicodedata.bidirectional(character) for character in text]
    right_count = bidi_classes.count("R") + bidi_classes.count("AL")
    left_count = bidi_classes.count("L")
    if right_count > left_count:
        return "rtl"
    return "ltr" if left_count else ""


PLURAL_CATEGORIES = ("zero", "one", "two", "few", "many", "other")


def plural_category(language: str, count: int) -> str:
    """
    The plural category of a count: "one", "few", "other" and so on.

    Source: Unicode CLDR, "Language Plural Rules", for whole numbers below a million; a language without a row is
    treated as English.
    """
    rules = next((rules for languages, rules in _PLURAL_RULES if language in languages.split()), _ONE)
    return next((category for category, applies in rules if applies(count)), "other")


_PluralRules = tuple[tuple[str, Callable[[int], bool]], ...]
_ONE: _PluralRules = (("one", lambda n: n == 1),)
_LAST_ONE: _PluralRules = (("one", lambda n: n % 10 == 1 and n % 100 != 11),)
_LAST_FEW: _PluralRules = (("few", lambda n: 2 <= n % 10 <= 4 and not 12 <= n % 100 <= 14),)
_PLURAL_RULES: tuple[tuple[str, _PluralRules], ...] = (
    ("id ja km ko ms my th vi zh", ()),
    ("am bn fa fr gu hi hy kn pt zu", (("one", lambda n: n <= 1),)),
    ("be ru uk", (*_LAST_ONE, *_LAST_FEW, ("many", lambda _: True))),
    ("bs hr sr", (*_LAST_ONE, *_LAST_FEW)),
    ("pl", (*_ONE, *_LAST_FEW, ("many", lambda _: True))),
    ("cs sk", (*_ONE, ("few", lambda n: 2 <= n <= 4))),
    ("he", (*_ONE, ("two", lambda n: n == 2))),
    ("lt", (("other", lambda n: n % 10 == 0 or 11 <= n % 100 <= 19), *_LAST_ONE, ("few", lambda _: True))),
    ("ar", (("zero", lambda n: n == 0), *_ONE, ("two", lambda n: n == 2),
            ("few", lambda n: 3 <= n % 100 <= 10), ("many", lambda n: n % 100 >= 11))),
)  # fmt: skip


def ordinal_category(language: str, number: int) -> str:
    """The ordinal category of a number: "one" for 1st and 21st. Source: as for `plural_category`."""
    last_digit, last_two_digits = number % 10, number % 100
    if language == "en" and not 11 <= last_two_digits <= 13:
        return {1: "one", 2: "two", 3: "few"}.get(last_digit, "other")
    return "one" if language == "fr" and number == 1 else "other"


class LanguagePaths(Record):
    """
    Resolves paths in the texts and templates of one language: "/talks/" is "/de/talks/" on a German page.

    `paths` has for each language the path of each page, and of each file that exists once per language, by its paths in
    all languages. Other paths are the same in all languages. "/de/talks/" is the German page, and "/en/talks/" the English
    one, on every page.

    `roots` are the folders that are published at URLs of their own, each with its URL without the last slash: "/" for the site,
    "/fr/" for a language with `url`. It is empty if no language has one. Such a folder has a copy of every file that its pages
    need, so that their links stay in it.
    """

    language: Language
    paths: Mapping[Language, Mapping[str, str]]
    roots: Mapping[str, str] = field(default_factory=dict)

    def resolve_path(self, path: str) -> str:
        """The path from the site's root, of the page or file that a path names; an anchor is kept."""
        path, anchor_separator, anchor = path.partition("#")
        tag, separator, rest = path[1:].partition("/")
        is_explicit = bool(separator) and tag in self.paths
        language = Language(tag) if is_explicit else self.language
        resolved = self.paths[language].get(unquote(f"/{rest}" if is_explicit else path))
        if resolved is not None:
            path = quote(resolved)
        elif language == self.main_language and is_explicit:
            path = f"/{rest}"
        elif self.roots and self.find_root(path) == "/":
            path = f"{quote(self.own_root)}{path[1:]}"
        return f"{path}{anchor_separator}{anchor}"

    @property
    def own_root(self) -> str:
        """The folder of this language if it is published at its own URL, else "/"."""
        return self.find_root(next(iter(self.paths[self.language].values()), "/"))

    def find_root(self, path: str) -> str:
        """The folder with a path in it that is published at its own URL: "/fr/" of "/fr/talks/"."""
        return max((root for root in self.roots if unquote(path).startswith(root)), key=len, default="/")

    def locate_path(self, path: str) -> str:
        """The URL of a path in the output."""
        root = self.find_root(path)
        return f"{self.roots[root]}/{path.removeprefix(root).removeprefix(quote(root))}"

    @property
    def main_language(self) -> Language:
        """The language whose pages are at the root of the site."""
        return next(iter(self.paths))
