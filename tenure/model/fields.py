"""The annotations of a field of a record: how a source may write its key, and which texts it may have."""

import re

from tenure.record import Record


class Key(Record, kw_only=True):
    """
    How a source may write a field, beside its name.

    `names` are other names that the documentation teaches; `aliases` are names in other systems and in
    everyday language, which `check --info` lists. A name in `fallbacks` means the field only if no other key
    does, else it is a fact of the note. Words are separated by spaces, "_" joins the words of one name;
    `sources/schema/spec.py` says which spellings match.

    `main`: a bare text is this field ("- MLSys Travel Grant" is the title of an award). `named`: it may be
    the key of a mapping ("- talks: {limit: 3}"). `keyed`: a list that may be a mapping from names to entries.
    `commas`: a list that may be one text with commas. `merges`: a list that collects the values of all its
    names. `open_ended`: a period without an end lasts until today. `extra`: the field takes all unknown keys.
    `computed`: the loader sets it, and no source.
    """

    names: str = ""
    aliases: str = ""
    fallbacks: str = ""
    main: bool = False
    named: bool = False
    keyed: bool = False
    commas: bool = False
    merges: bool = False
    open_ended: bool = False
    extra: bool = False
    computed: bool = False


class TextForm(Record):
    """
    The form of a text: a regular expression, what it describes, and the example of the hint.

    The group `value` is the part that is kept, `prefix` is written before it. The forms exclude white space,
    quotes and semicolons, so that a value cannot add anything to an attribute or to a content policy.
    """

    pattern: str
    description: str
    example: str
    prefix: str = ""

    def parse(self, text: str) -> str:
        """The value of a text; raises ValueError with a message and a hint if it has another form."""
        text = text.replace("&amp;", "&")  # in code that a service shows
        if match := re.fullmatch(self.pattern, text):
            return self.prefix + (match.groupdict().get("value") or match[0])

        part = re.search(self.pattern, text) if self.prefix else None
        suggested = f"{self.prefix}{part['value']}" if part else self.example
        raise ValueError(f"“{text}” is not {self.description}", f"write {suggested}")


MAIN = Key(main=True)
NAMED = Key(main=True, named=True)
COMMAS = Key(commas=True)
OPEN_ENDED = Key(open_ended=True)
EXTRA = Key(extra=True)
COMPUTED = Key(computed=True)

PLACE = "location place city address country state"
ROLE = "position job function"
SUPERVISOR = "supervisor"
HOST = "institution university company entity"
"""Aliases that several records share."""

PERIOD_NAMES = "date dates period"
PERIOD_ALIASES = "year day when"
PERIOD_FALLBACKS = "time duration published released created graduation"
START_ALIASES = "from since begin started joined"
END_ALIASES = "to until till ended left"
"""Names of the period of every entry, and of the keys `start` and `end` that may replace it."""
