"""
BibTeX files as they are, and lists of items in CSL-JSON and CSL-YAML.

Both have no owner: the author of most entries is taken.
"""

import json
import re

from tenure.problems import Place
from tenure.sources.bibtex.csl import CSL_TYPES, convert_item, list_items
from tenure.sources.reading.node import Node, build_node, parse_json
from tenure_import.importer import Import, System
from tenure_import.publications import find_frequent_author, list_bib_titles
from tenure_import.source import cut_front_matter


def read_bib_files(run: Import) -> None:
    """Every .bib file of a folder, without changes; the author of most entries is the owner."""
    for name in run.source.find(r"(?i:.*\.(?:bib|bibtex|biblatex))"):
        text = cut_front_matter(run.source.text(name))
        if not list_bib_titles(text):
            run.note(name, "it has no BibTeX entry")
            continue
        stem = re.sub(r"[^\w.-]+", "-", name.rpartition("/")[2].rpartition(".")[0]) or "papers"
        file = f"bib/{stem}.bib"
        run.files[file] = str(run.files.get(file, "")) + text
    _guess_owner(run)


def _guess_owner(run: Import) -> None:
    """Take the most frequent author of the .bib files as the owner."""
    texts = [text for name, text in run.files.items() if name.endswith(".bib") and isinstance(text, str)]
    name = find_frequent_author([*texts, *run.bibliography.entries.values()])
    if name:
        run.profile["name"] = name
        run.guessed_from = "the most frequent author"


def read_item_files(run: Import) -> None:
    """The files with items in CSL-JSON, as BibTeX."""
    for name in run.source.find(r".*\.(?:json|ya?ml)"):
        text = run.source.text(name)
        suffix = "." + name.rpartition(".")[2]
        if not is_csl_json(text, suffix):
            continue

        node: Node | None
        if suffix == ".json":
            node = parse_json(text.encode(), name)
        else:
            node = build_node(run.source.data(name), Place(name))
        if node is None:
            continue
        for item in list_items(node):
            entry = convert_item(item)
            if entry is None:
                run.note(name, "an item without a title")
            else:
                run.bibliography.add(entry.kind, entry.fields, entry.key)
    _guess_owner(run)


def is_csl_json(text: str, suffix: str) -> bool:
    """Whether a text is a list of items in CSL-JSON, [{"type": "book", "title": …}], or in CSL-YAML."""
    if suffix != ".json":
        types = rf"^[ -]*type: ['\"]?(?:{'|'.join(CSL_TYPES)})['\"]?\s*$"
        has_field = re.search(r"^[ -]*(?:issued|author):", text, re.MULTILINE)
        return bool(has_field and re.search(types, text, re.MULTILINE))

    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return False
    if isinstance(data, dict):
        data = next((data[key] for key in ("items", "references") if key in data), data)
    first = data[0] if isinstance(data, list) and data else None
    return isinstance(first, dict) and "type" in first and bool({"title", "issued", "author"} & first.keys())


BIBTEX = System("BibTeX", steps=(read_bib_files,))
CSL_JSON = System("CSL-JSON", steps=(read_item_files,))
