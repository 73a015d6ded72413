"""
What a record accepts: its fields, from their annotations, and the names by which a source may write them.

A key matches in upper and lower case, with any separators, in singular and plural, and with American or
British letters: "startDate", "Start date" and "start_date" -> start; "organisations" -> organization;
"course_name" -> course; "jahr" -> date.

read_spec() makes the Spec of a record class, which has a Field for each annotation that a source may set. A
folded key has no case and no separators; taught are the names of fields that need no report.
"""

import ast
import inspect
import sys
import types
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from tenure.model.dates import Period
from tenure.model.entries import Entry, ServiceGroup
from tenure.model.fields import (
    END_ALIASES,
    PERIOD_ALIASES,
    PERIOD_FALLBACKS,
    PERIOD_NAMES,
    START_ALIASES,
    Key,
    TextForm,
)
from tenure.model.links import Link, Url
from tenure.record import Record, fields

_AMERICAN = (("isation", "ization"), ("colour", "color"), ("honour", "honor"), ("programme", "program"))


def fold_key(key: str) -> str:
    """A key in lower case without separators, in American letters: "Start date" -> "startdate"."""
    folded = "".join(filter(str.isalnum, key.casefold()))
    for british, american in _AMERICAN:
        folded = folded.replace(british, american)
    return folded


_FOREIGN_WORDS = """
    titel titre título titulo titolo: title
    vorname prénom prenom: firstname
    nachname nom apellido: lastname
    nombre: name
    datum fecha data: date
    jahr année annee año ano anno: year
    zeitraum période periodo período: period
    von seit depuis desde: from
    bis jusqu'à hasta: until
    ort lieu lugar luogo: place
    adresse anschrift dirección: address
    universität universitaet hochschule université universidad università universidade: university
    einrichtung: institution
    abschluss diplôme titulación: degree
    abschlussnote gesamtnote: grade
    abschlussarbeit titelderarbeit: thesis
    betreuer betreuerin directeur directrice: supervisor
    fach: subject
    veranstaltung événement evento: event
    rolle funktion rôle rol: role
    stelle poste puesto: position
    arbeitgeber: employer
    firma: company
    beschreibung descripción: description
    anmerkung bemerkung remarque: remark
    kurs lehrveranstaltung cours curso: course
    établissement institución instituição instituto 机构 機構: institution
    organisme organismo organización organização: organization
    grado grau 学位 學位: degree
    cargo 职位 職位 职称 職稱 職 役職: position
    função: role
    orientador orientadora: supervisor
    姓名 氏名 名前: name
    邮箱 電子郵件 邮件 メール: email
    单位 單位 所属: institution
    学校 學校: school
    大学 大學: university
    公司 会社: company
    时间 時間 期间 期間: period
    日期 日付: date
    标题 標題 題目 タイトル: title
    地点 地點 場所: place
    专业 專業 専攻: subject
    preis auszeichnung prix premio: award
    forschungsinteressen forschungsschwerpunkte: researchinterests
    sprache: language
"""

CONFIG_KEYS = frozenset(
    """
    layout permalink collection importance giscuscomments disquscomments authorprofile readtime
    readingtime redirectfrom weight publishdate expirydate mathjax katex mermaid icon iconpack
    navorder selectedpapers latestposts relatedposts relatedpublications bibtexshow
    displaycategories enableprojectcategories ogimage showdate showreadingtime commentable editable
    isciteable isowner superuser usergroups highlightname allday eventallday headless cascade
    hugoblox styles prettytable codediff thumbnailcaption
    """.split()
)
"""Keys of entries, folded, that only configure other systems: layout, comments, position in a menu."""

SETTING_CONFIG_KEYS = CONFIG_KEYS | frozenset(
    """
    feed sitemap announcements share math toc seo robots permalink plugins gems markdown kramdown
    highlighter exclude include collections defaults encoding timezone sass paginate repository
    remotetheme future incremental liquid keywords metakeywords darkmode enabledarkmode rss atom
    blogname blogdescription
    """.split()
)
"""Keys of a `_config.yml` or `hugo.yaml`, folded, that have no meaning in site.yaml."""


class Field(Record):
    """A field of a record that a source sets."""

    name: str
    value_type: Any
    is_list: bool
    is_required: bool
    key: Key

    @property
    def is_period(self) -> bool:
        """Whether it is the period of an entry, which the keys `start` and `end` may replace."""
        return self.value_type is Period and not self.is_list


class Spec(Record):
    """
    The fields of a record by name, and by every folded name; "start" and "end" are the parts of `period`.

    `fallbacks` are the names that mean one of several fields if nothing else does. `taught` are the spellings
    that need no report. `main` is the field that names the entry, `extra` the one that takes unknown keys.
    """

    fields: Mapping[str, Field]
    names: Mapping[str, str]
    fallbacks: Mapping[str, tuple[str, ...]]
    taught: frozenset[str]
    main: str = ""
    period: str = ""
    extra: Field | None = None
    has_links: bool = False
    has_note: bool = False

    @property
    def has_groups(self) -> bool:
        """Whether lists under unknown keys are groups: `journals: [JMLR, TMLR]`."""
        return self.extra is not None and self.extra.value_type is ServiceGroup

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that the documentation teaches first: the fields, and `start` and `end`."""
        return (*self.fields, *(key for key in ("start", "end") if self.period and key not in self.fields))

    @property
    def date_field(self) -> str:
        """The field for the date of an entry: a period, or the terms of a course."""
        return self.period or ("term" if "term" in self.fields else "")

    def find_field(self, key: str) -> str:
        """The field that a key names, "start" or "end"; "" if it names none."""
        if key in self.fields:
            return key
        folded = fold_key(key)
        return next((self.names[word] for word in _list_spellings(folded) if word in self.names), "")

    def find_fallbacks(self, key: str) -> tuple[str, ...]:
        """The fields that a key may mean if nothing else does."""
        words = _list_spellings(fold_key(key))
        return next((self.fallbacks[word] for word in words if word in self.fallbacks), ())

    def find_url_field(self, key: str) -> str:
        """The field of a URL that a key names with an affix: slides for "slides_url" and "url_slides"."""
        folded = fold_key(key)
        name = self.names.get(folded.removesuffix("url").removesuffix("link").removeprefix("url"), "")
        if name in self.fields and self.fields[name].value_type is Url:
            return name
        return ""


FOREIGN_WORDS: Mapping[str, str] = {
    fold_key(word): fold_key(english)
    for words, english in (row.split(":") for row in _FOREIGN_WORDS.strip().split("\n"))
    for word in words.split()
}
"""
Words in German, French, Spanish, Italian, Portuguese, Chinese and Japanese, folded, with the English key.
Words with two meanings are omitted.
"""


def _list_spellings(folded: str) -> Iterator[str]:
    """
    A folded key, its singular and plural, its English word, and those without "name", "title", "date".

    "talks" -> talks, talk, talkses; "jobtitle" -> job; "startdate" -> start. Some are no words; they match no
    field.
    """
    yield folded
    if folded in FOREIGN_WORDS:
        yield FOREIGN_WORDS[folded]
    if len(folded) > 3:
        yield f"{folded[:-3]}y" if folded.endswith("ies") else folded.removesuffix("s")
        yield f"{folded}es" if folded.endswith("s") else f"{folded}s"
    for affix in ("name", "title"):
        if folded.endswith(affix) and folded not in ("firstname", "lastname", "subtitle", "username"):
            yield folded.removesuffix(affix)
    for affix in ("date", "year"):
        for part in (folded.removesuffix(affix), folded.removeprefix(affix)):
            if part in ("start", "end", "updated", "graduation"):
                yield part


@cache
def read_spec(cls: Any) -> Spec:
    """
    The spec of a record class. A name of a class has priority over one of its base class.

    Talk -> the fields of Talk and Entry that a source may set, all their names, and what its keys mean.
    """
    all_fields = read_fields(cls)
    # a computed field has no key, and the keys of an extra one are the author's
    own = {field.name: field for field in all_fields if not field.key.computed and not field.key.extra}
    period = next((field.name for field in own.values() if field.is_period), "")
    bases = [base for base in cls.__mro__ if issubclass(base, Record) and base is not Record]
    declared = [f for base in bases for f in read_fields(base) if f.name in inspect.get_annotations(base)]

    taught = {*own, *(words for field in own.values() for words in field.key.names.split())}
    fallbacks = _read_fallbacks(declared)
    if period:
        taught |= {"start", "end", *PERIOD_NAMES.split()}
        fallbacks |= dict.fromkeys(PERIOD_FALLBACKS.split(), (period,))
    return Spec(
        fields=own,
        names=_read_names(own, declared, period),
        fallbacks=fallbacks,
        taught=frozenset(taught),
        main=next((field.name for field in own.values() if field.key.main), ""),
        period=period,
        extra=next((field for field in all_fields if field.key.extra), None),
        has_links=any(field.value_type is Link for field in own.values()),
        has_note=issubclass(cls, Entry) and "note" in own,
    )


def _read_fallbacks(declared: Iterable[Field]) -> dict[str, tuple[str, ...]]:
    """The fields that a word may mean if they are not set: {"when": ("date", "term")}."""
    fallbacks: dict[str, tuple[str, ...]] = {}
    for field in declared:
        for word in map(fold_key, field.key.fallbacks.split()):
            fallbacks[word] = (*fallbacks.get(word, ()), field.name)
    return fallbacks


def _read_names(own: Iterable[str], declared: Iterable[Field], period: str) -> dict[str, str]:
    """The field of each folded name: the fields, then their other names, then those of a period."""
    names = {fold_key(name): name for name in own}
    if period:
        names = {"start": "start", "end": "end", **names}
    for field in declared:
        for word in f"{field.key.names} {field.key.aliases}".split():
            names.setdefault(fold_key(word), field.name)
    if not period:
        return names

    words = dict.fromkeys(f"{PERIOD_NAMES} {PERIOD_ALIASES}".split(), period)
    words |= dict.fromkeys(START_ALIASES.split(), "start")
    words |= dict.fromkeys(END_ALIASES.split(), "end")
    return words | names


@cache
def read_fields(cls: Any) -> tuple[Field, ...]:
    """All fields of a record class, also those that no source sets by a key of their own."""
    type_hints = get_type_hints(cls, include_extras=True)
    results: list[Field] = []
    for info in fields(cls):
        type_hint = type_hints[info.name]
        value_type = _unwrap_optional(type_hint)
        is_list = get_origin(value_type) is tuple
        if is_list:
            value_type = _unwrap_optional(get_args(value_type)[0])
        marks = get_args(type_hint)[1:] if get_origin(type_hint) is Annotated else ()
        key = next((mark for mark in marks if isinstance(mark, Key)), Key())
        results.append(Field(info.name, value_type, is_list, info.required, key))
    return tuple(results)


def _unwrap_optional(type_hint: Any) -> Any:
    """T for `T | None` and for `Annotated[T, Key(…)]`; the TextForm of `Annotated[str, TextForm(…)]`."""
    if get_origin(type_hint) in (Union, types.UnionType):
        (value_type,) = (arg for arg in get_args(type_hint) if arg is not types.NoneType)
        return _unwrap_optional(value_type)
    if get_origin(type_hint) is not Annotated:
        return type_hint
    value_type, *marks = get_args(type_hint)
    return next((mark for mark in marks if isinstance(mark, TextForm)), None) or _unwrap_optional(value_type)


START_END_HELP = {"start": "the start date", "end": "the end date, present, or ~May 2027 (expected)"}
"""The help of the two keys that can replace a period."""


def help_for_field(cls: type[Record], name: str) -> str:
    """The help of a field: the string below it in the class that declares it, or in a base class; or ""."""
    record_types: Iterable[type[Record]] = (base for base in cls.__mro__ if issubclass(base, Record))
    texts = (_read_module_help(base.__module__).get((base.__name__, name), "") for base in record_types)
    return next(filter(None, texts), "")


@cache
def _read_module_help(module: str) -> Mapping[tuple[str, str], str]:
    """The help of the fields of the classes in a module, from its text, so that it costs a build nothing."""
    help_texts: dict[tuple[str, str], str] = {}
    try:
        source = inspect.getsource(sys.modules[module])
    except OSError:  # in a browser, modules are compiled and have no source
        return help_texts
    for declared in ast.parse(source).body:
        if isinstance(declared, ast.ClassDef):
            for statement, next_statement in pairwise(declared.body):
                match statement, next_statement:
                    case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(
                        value=ast.Constant(value=str(text))
                    ):
                        help_texts[declared.name, name] = " ".join(text.split())
    return help_texts
