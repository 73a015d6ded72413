"""Split unusual parts of a .bib file into blocks with bibtexparser; imported only if a file has such parts."""

import logging
from collections.abc import Iterator

from bibtexparser import model
from bibtexparser.splitter import Splitter

from tenure.sources.plain import Block

logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # Tenure reports these problems with their place


def split(text: str) -> Iterator[Block]:
    """The blocks of a text in order; a block with a duplicate key or field is returned as a normal entry."""
    for block in Splitter(text).split().blocks:
        if isinstance(block, model.DuplicateBlockKeyBlock | model.DuplicateFieldKeyBlock):
            yield _block(block.ignore_error_block, block.raw or "")
        else:
            yield _block(block, block.raw or "")


def _block(found: model.Block | None, raw: str) -> Block:
    match found:
        case model.Entry():
            fields = [(field.key, str(field.value)) for field in found.fields]
            return Block("entry", found.raw or "", found.entry_type.casefold(), found.key.strip(), fields)
        case model.String():
            return Block("string", raw, fields=[(found.key, found.value)])
        case model.ImplicitComment():
            return Block("remark", found.raw or "")
        case model.ParsingFailedBlock():
            return Block("broken", raw)
    return Block("other", raw)
