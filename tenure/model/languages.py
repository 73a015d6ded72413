"""Language tags: names, writing direction, fallbacks and plural rules."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Literal

Direction = Literal["ltr", "rtl"]

RIGHT_TO_LEFT = frozenset({"ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "syr", "ug", "ur", "yi"})
RIGHT_TO_LEFT_SCRIPTS = frozenset({"Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"})

KNOWN: Mapping[str, str] = {
    "af": "", "ar": "arabic ara العربية", "be": "", "bg": "bulgarian", "bn": "", "bs": "", "ca": "catalan cat català",
    "cs": "czech cze ces čeština", "cy": "welsh", "da": "danish dan dansk",
    "de": "german ngerman austrian naustrian swissgerman nswissgerman germanb ger deu deutsch",
    "el": "greek polutonikogreek gre ell ελληνικά",
    "en": "english american usenglish british ukenglish canadian australian newzealand eng", "eo": "esperanto",
    "es": "spanish mexican spa español castellano", "et": "estonian", "eu": "basque", "fa": "persian farsi per fas فارسی",
    "fi": "finnish fin suomi", "fr": "french francais frenchb acadian canadien fre fra français", "ga": "irish",
    "gl": "galician", "gu": "", "he": "hebrew heb עברית", "hi": "hindi हिन्दी", "hr": "croatian hrvatski", "hu": "hungarian hun",
    "hy": "armenian", "id": "indonesian bahasai", "is": "icelandic", "it": "italian ita italiano",
    "ja": "japanese jpn 日本語", "ka": "georgian", "kk": "", "km": "", "kn": "", "ko": "korean kor 한국어",
    "la": "latin lat", "lt": "lithuanian", "lv": "latvian", "mk": "macedonian", "ml": "", "mn": "mongolian", "mr": "",
    "ms": "malay", "my": "", "nb": "norsk", "ne": "", "nl": "dutch dut nld nederlands", "nn": "nynorsk",
    "no": "norwegian nor", "pa": "", "pl": "polish pol polski", "ps": "", "pt": "portuguese portuges por português",
    "pt-BR": "brazil brazilian", "ro": "romanian rum ron română", "ru": "russian rus русский", "sa": "sanskrit",
    "sk": "slovak", "sl": "slovene slovenian", "sq": "albanian", "sr": "serbian serbianc", "sv": "swedish swe svenska",
    "ta": "tamil", "te": "telugu", "th": "thai tha", "tr": "turkish tur türkçe", "uk": "ukrainian ukr українська", "ur": "",
    "uz": "", "vi": "vietnamese vie", "zh": "chinese chi zho 中文 汉语 漢語", "zh-Hans": "pinyin 简体中文", "zh-Hant": "繁體中文",
}  # fmt: skip
"""Tags with the names of the language in `langid` and in prose. Source: babel manual, "Options"; ISO 639-2."""

NAMES = {name: tag for tag, names in KNOWN.items() for name in (tag.casefold(), *names.split())}

_TAG = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-(?P<script>[a-z]{4}))?(?:-(?P<region>[a-z]{2}|\d{3}))?(?P<rest>(?:-[a-z0-9]{4,8})*)",
    re.IGNORECASE,
)


class Language(str):
    """A language tag in the notation of RFC 5646: "de", "pt-BR", "zh-Hant"; "" for an unspecified language."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> "Language":
        """Parse a tag in any case; raises ValueError with a suggestion for an invalid one such as "German"."""
        found = _TAG.fullmatch(text)
        if found is None or NAMES.get(text.casefold(), text).casefold() != text.casefold():
            meant = named(text)
            hint = f'write "{meant}"' if meant else "write a tag such as en, de, pt-BR or zh"
            raise ValueError(f"“{text}” is not a language tag", hint)
        script, region = found["script"] or "", found["region"] or ""
        parts = (found["language"].lower(), script.title(), region.upper())
        return cls("-".join(part for part in parts if part) + found["rest"].lower())

    @property
    def direction(self) -> Direction:
        """The writing direction of the script or of the language."""
        language, *rest = self.split("-")
        script = next((part for part in rest if len(part) == 4 and part.isalpha()), "")
        right = script in RIGHT_TO_LEFT_SCRIPTS if script else language in RIGHT_TO_LEFT
        return "rtl" if right else "ltr"

    @property
    def fallbacks(self) -> tuple["Language", ...]:
        """The tags whose translations fit, the most specific first: "zh-Hant-TW", "zh-Hant", "zh"."""
        parts = self.split("-")
        return tuple(Language("-".join(parts[:count])) for count in range(len(parts), 0, -1))

    @property
    def base(self) -> str:
        """The primary language subtag: "pt" of "pt-BR"."""
        return self.partition("-")[0]


def named(text: str) -> Language:
    """The language of a `langid` such as "ngerman", of a name or of a tag; "" if it is unknown."""
    words = text.strip().casefold().replace("_", "-")
    if words in NAMES:
        return Language(NAMES[words])
    found = _TAG.fullmatch(words)
    return Language.parse(words) if found and found["language"] in NAMES else Language("")


def direction(text: str) -> Direction | Literal[""]:
    """The writing direction of most letters of a text; "" for a text without letters."""
    if text.isascii():
        return "ltr" if any(map(str.isalpha, text)) else ""
    kinds = [unicodedata.bidirectional(character) for character in text]
    right, left = sum(kind in ("R", "AL") for kind in kinds), kinds.count("L")
    return "rtl" if right > left else "ltr" if left else ""


PLURALS = ("zero", "one", "two", "few", "many", "other")


def plural(language: str, n: int) -> str:
    """
    The plural category of a count: "one", "few", "other" and so on.

    Source: Unicode CLDR, "Language Plural Rules", for whole numbers below a million; a language without a rule here is
    treated as English.
    """
    ten, hundred = n % 10, n % 100
    match language:
        case "id" | "ja" | "km" | "ko" | "ms" | "my" | "th" | "vi" | "zh":
            return "other"
        case "am" | "bn" | "fa" | "fr" | "gu" | "hi" | "hy" | "kn" | "pt" | "zu":
            return "one" if n <= 1 else "other"
        case "ar":
            exact = {0: "zero", 1: "one", 2: "two"}.get(n)
            return exact or ("few" if 3 <= hundred <= 10 else "many" if hundred >= 11 else "other")
        case "be" | "ru" | "uk" | "bs" | "hr" | "sr":
            few = 2 <= ten <= 4 and not 12 <= hundred <= 14
            rest = "many" if language in ("be", "ru", "uk") else "other"
            return "one" if ten == 1 and hundred != 11 else "few" if few else rest
        case "pl":
            few = 2 <= ten <= 4 and not 12 <= hundred <= 14
            return "one" if n == 1 else "few" if few else "many"
        case "cs" | "sk":
            return "one" if n == 1 else "few" if 2 <= n <= 4 else "other"
        case "he":
            return {1: "one", 2: "two"}.get(n, "other")
        case "lt":
            teens = 11 <= hundred <= 19
            return "one" if ten == 1 and not teens else "few" if ten >= 2 and not teens else "other"
        case _:
            return "one" if n == 1 else "other"


def ordinal(language: str, n: int) -> str:
    """The ordinal category of a number: "one" for 1st and 21st. Source: as for `plural_category`."""
    ten, hundred = n % 10, n % 100
    if language == "en" and not 11 <= hundred <= 13:
        return {1: "one", 2: "two", 3: "few"}.get(ten, "other")
    return "one" if language == "fr" and n == 1 else "other"
