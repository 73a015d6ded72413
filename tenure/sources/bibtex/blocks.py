"""Split unusual parts of a .bib file into blocks with bibtexparser; imported only if a file has such parts."""

import logging
from collections.abc import Iterator

from bibtexparser import model
from bibtexparser.splitter import Splitter

from tenure.sources.bibtex.fast_split import BibBlock

logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # Tenure reports these problems with their place


def split_with_library(text: str) -> Iterator[BibBlock]:
    """The blocks of a text in order; a block with a duplicate key or field is returned as a normal entry."""
    for block in Splitter(text).split().blocks:
        if isinstance(block, model.DuplicateBlockKeyBlock | model.DuplicateFieldKeyBlock):
            yield _convert_block(block.ignore_error_block, block.raw or "")
        else:
            yield _convert_block(block, block.raw or "")


def _convert_block(block: model.Block | None, raw: str) -> BibBlock:
    match block:
        case model.Entry():
            fields = [(field.key, str(field.value)) for field in block.fields]
            return BibBlock("entry", block.raw or "", block.entry_type.casefold(), block.key.strip(), fields)
        case model.String():
            return BibBlock("string", raw, fields=[(block.key, block.value)])
        case model.ImplicitComment():
            return BibBlock("remark", block.raw or "")
        case model.ParsingFailedBlock():
            return BibBlock("broken", raw)
    return BibBlock("other", raw)
