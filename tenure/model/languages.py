"""
Language tags: names, writing direction, fallbacks, plural rules, and the paths of pages in each language.

"ngerman", "German", "DE" and "ger" -> de; plural_category("ru", 3) -> "few"; "/talks/" on a German page ->
"/de/talks/".
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Literal
from urllib.parse import quote, unquote

from tenure.record import Record

TextDirection = Literal["ltr", "rtl"]

RIGHT_TO_LEFT = frozenset({"ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "syr", "ug", "ur", "yi"})
RIGHT_TO_LEFT_SCRIPTS = frozenset({"Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"})

_LANGUAGES = """
    af Afrikaans;
    ar العربية: arabic ara;
    be беларуская;
    bg български: bulgarian;
    bn বাংলা;
    bs bosanski;
    ca català: catalan cat;
    cs čeština: czech cze ces;
    cy Cymraeg: welsh;
    da dansk: danish dan;
    de Deutsch: german ngerman austrian naustrian swissgerman nswissgerman germanb ger deu allemand
        alemán;
    el ελληνικά: greek polutonikogreek gre ell;
    en English: american usenglish british ukenglish canadian australian newzealand eng englisch anglais
        inglés;
    eo Esperanto;
    es español: spanish mexican spa castellano spanisch espagnol;
    et eesti: estonian;
    eu euskara: basque;
    fa فارسی: persian farsi per fas;
    fi suomi: finnish fin;
    fr français: french francais frenchb acadian canadien fre fra französisch francés;
    ga Gaeilge: irish;
    gl galego: galician;
    gu;
    he עברית: hebrew heb;
    hi हिन्दी: hindi;
    hr hrvatski: croatian;
    hu magyar: hungarian hun;
    hy հայերեն: armenian;
    id Bahasa Indonesia: indonesian bahasai;
    is íslenska: icelandic;
    it italiano: italian ita italienisch italien;
    ja 日本語: japanese jpn;
    ka ქართული: georgian;
    kk қазақ тілі;
    km;
    kn;
    ko 한국어: korean kor;
    la Latina: latin lat;
    lt lietuvių: lithuanian;
    lv latviešu: latvian;
    mk македонски: macedonian;
    ml;
    mn : mongolian;
    mr;
    ms Bahasa Melayu: malay;
    my;
    nb norsk bokmål: norsk;
    ne;
    nl Nederlands: dutch dut nld;
    nn norsk nynorsk: nynorsk;
    no norsk: norwegian nor;
    pa;
    pl polski: polish pol;
    ps;
    pt português: portuguese portuges por;
    pt-BR português (Brasil): brazil brazilian;
    ro română: romanian rum ron;
    ru русский: russian rus;
    sa : sanskrit;
    sk slovenčina: slovak;
    sl slovenščina: slovene slovenian;
    sq shqip: albanian;
    sr српски: serbian serbianc;
    sv svenska: swedish swe;
    ta : tamil;
    te : telugu;
    th ไทย: thai tha;
    tr Türkçe: turkish tur;
    uk українська: ukrainian ukr;
    ur اردو;
    uz;
    vi Tiếng Việt: vietnamese vie;
    zh 中文: chinese chi zho 汉语 漢語;
    zh-Hans 简体中文: pinyin;
    zh-Hant 繁體中文
"""
"""
Each language: its tag, its name in itself, and its names in BibLaTeX's `langid` and in prose.

Source: Unicode CLDR 44; babel manual, "Options"; ISO 639-2.
"""


@cache
def _read_languages() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """The names of languages in themselves, by tag, and the tags by all names."""
    rows = [row.strip().partition(" ") for row in _LANGUAGES.split(";")]
    parts = [(tag, *names.partition(":")) for tag, _, names in rows]
    native_names = {tag: native for tag, native, _, _ in parts if native.strip()}

    tags = {native.casefold(): tag for tag, native in native_names.items()}
    for tag, _, _, others in parts:
        tags |= dict.fromkeys((tag.casefold(), *others.split()), tag)
    return native_names, tags


TERRITORIES: Mapping[str, str] = {
    "ar": "AR",
    "da": "DK",
    "en": "US",
    "fa": "IR",
    "he": "IL",
    "ja": "JP",
    "ko": "KR",
    "nb": "NO",
    "sv": "SE",
    "uk": "UA",
    "zh": "CN",
}
"""The territory of a language in a locale of Open Graph, if it is not the tag in capitals (de_DE)."""

_TAG = r"""(?xi)
    (?P<language>[a-z]{2,3})
    (?:-(?P<script>[a-z]{4}))?
    (?:-(?P<region>[a-z]{2}|\d{3}))?
    (?P<rest>(?:-[a-z0-9]{4,8})*)
"""
"""A tag such as zh-Hant-TW."""


class Language(str):
    """
    A language tag in the notation of RFC 5646: "de", "pt-BR", "zh-Hant"; "" for an unspecified language.
    """

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> "Language":
        """
        Parse a tag in any case; raises ValueError with a suggestion for an invalid one such as "German".
        """
        match = re.fullmatch(_TAG, text)
        language = match["language"].lower() if match else ""
        if match is None or _read_languages()[1].get(language, language) != language:
            suggested = find_language(text)
            hint = f'write "{suggested}"' if suggested else "write a tag such as en, de, pt-BR or zh"
            raise ValueError(f"“{text}” is not a language tag", hint)

        subtags = (language, (match["script"] or "").title(), (match["region"] or "").upper())
        return cls("-".join(part for part in subtags if part) + match["rest"].lower())

    @property
    def direction(self) -> TextDirection:
        """The writing direction of the script or of the language."""
        language, *subtags = self.split("-")
        script = next((subtag for subtag in subtags if len(subtag) == 4 and subtag.isalpha()), "")
        is_right_to_left = script in RIGHT_TO_LEFT_SCRIPTS if script else language in RIGHT_TO_LEFT
        return "rtl" if is_right_to_left else "ltr"

    @property
    def fallbacks(self) -> tuple["Language", ...]:
        """This tag and the shorter ones, for looking up translations: "zh-Hant-TW", "zh-Hant", "zh"."""
        subtags = self.split("-")
        return tuple(Language("-".join(subtags[:count])) for count in range(len(subtags), 0, -1))

    @property
    def native_name(self) -> str:
        """The name of the language in itself; the tag if it is unknown."""
        native_names, _ = _read_languages()
        return next((native_names[tag] for tag in self.fallbacks if tag in native_names), str(self))

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
    _, tags = _read_languages()
    name = text.strip().casefold().replace("_", "-")
    if name in tags:
        return Language(tags[name])
    match = re.fullmatch(_TAG, name)
    if match is None or match["language"] not in tags:
        return Language("")

    # a language with a code of two letters is never written with one of three (RFC 5646, 2.2.1): "ger-AT" is
    # de-AT
    return Language.parse(tags[match["language"]] + name[len(match["language"]) :])


def detect_direction(text: str) -> TextDirection | Literal[""]:
    """
    The writing direction of most letters of a text; left to right for a tie; "" for a text without letters.
    """
    if text.isascii():
        return "ltr" if any(map(str.isalpha, text)) else ""

    bidi_classes = [unicodedata.bidirectional(character) for character in text]
    right_count = bidi_classes.count("R") + bidi_classes.count("AL")
    left_count = bidi_classes.count("L")
    if right_count > left_count:
        return "rtl"
    return "ltr" if left_count else ""


PLURAL_CATEGORIES = ("zero", "one", "two", "few", "many", "other")
_PLURAL_RULES = r"""
    id ja km ko ms my th vi zh =
    am bn fa fr gu hi hy kn pt zu = one:[01]
    be ru uk = one:(.*[^1])?1 few:(.*[^1])?[2-4] many:.*
    bs hr sr = one:(.*[^1])?1 few:(.*[^1])?[2-4]
    pl = one:1 few:(.*[^1])?[2-4] many:.*
    cs sk = one:1 few:[2-4]
    he = one:1 two:2
    lt = other:.*0|.*1\d one:.*1 few:.*
    ar = zero:0 one:1 two:2 few:(.*0)?[3-9]|.*10 many:.*[1-9]\d
"""
"""
The categories of each language and the numbers in them, as a pattern of their digits; the first that fits
counts.

Source: Unicode CLDR, "Language Plural Rules", for whole numbers below a million.
"""


def plural_category(language: str, count: int) -> str:
    """The plural category of a count: "one", "few", "other" and so on; without a row, that of English."""
    rows = (row.partition("=") for row in _PLURAL_RULES.split("\n"))
    rules = next((rules for languages, _, rules in rows if language in languages.split()), "one:1")
    categories = (rule.partition(":") for rule in rules.split())
    return next((name for name, _, digits in categories if re.fullmatch(digits, str(count))), "other")


def ordinal_category(language: str, number: int) -> str:
    """The ordinal category of a number: "one" for 1st and 21st. Source: as for `plural_category`."""
    if language == "en" and not 11 <= number % 100 <= 13:
        return {1: "one", 2: "two", 3: "few"}.get(number % 10, "other")
    return "one" if language == "fr" and number == 1 else "other"


class LanguagePaths(Record):
    """
    Resolves paths in the texts and templates of one language: "/talks/" is "/de/talks/" on a German page.

    `paths` has for each language the path of each page, and of each file that exists once per language, by
    its paths in all languages; other paths are the same everywhere.
    """

    language: Language
    paths: Mapping[Language, Mapping[str, str]]

    def resolve_path(self, path: str) -> str:
        """The path from the site's root, of the page or file that a path names; an anchor is kept."""
        path, anchor_separator, anchor = path.partition("#")
        # a text may name the page of another language: /fr/talks/
        tag, separator, rest = path[1:].partition("/")
        is_explicit = bool(separator) and tag in self.paths
        language = Language(tag) if is_explicit else self.language
        resolved = self.paths[language].get(unquote(f"/{rest}" if is_explicit else path))
        if resolved is not None:
            path = quote(resolved)
        elif is_explicit and language == next(iter(self.paths)):
            # the main language is at the root of the site
            path = f"/{rest}"
        return f"{path}{anchor_separator}{anchor}"
