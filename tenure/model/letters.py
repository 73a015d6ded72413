"""A cover letter: `letters/NAME.md` beside content/, which no build reads."""

from typing import Annotated

from tenure.model.dates import Date
from tenure.model.entries import NO_TEXT, Markdown
from tenure.model.fields import COMPUTED, Key
from tenure.model.languages import Language
from tenure.model.places import SourceRecord


class Letter(SourceRecord, kw_only=True):
    """
    A cover letter in the look of a CV. `body` is its text, from the salutation to the closing.

    `picture` has the bytes of the signature.
    """

    recipient: tuple[Markdown, ...] = ()
    """the lines of the address: [Search Committee, University of Somewhere]"""
    place: str = ""
    """where you write the letter: Turin"""
    date: Date | None = None
    """the date: 2026-11-28"""
    subject: Markdown = NO_TEXT
    """the subject, which is bold above the text"""
    signature: str = ""
    """a picture of your signature in letters/, as JPEG or PNG: signature.png"""
    cv: str = ""
    """the CV whose look the letter takes; by default the first one"""
    language: Annotated[Language, Key(names="lang")] = Language("")
    """the language, if it differs from that of the CV: de, pt-BR, zh"""
    name: Annotated[str, COMPUTED] = ""
    body: Annotated[Markdown, COMPUTED] = NO_TEXT
    picture: Annotated[bytes, COMPUTED] = b""
