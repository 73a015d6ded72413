"""
Edits of a source that has changed since a browser read it: the edit goes to the same value in the new text,
or is refused.

    "setValue" of (0, "title") -> of (1, "title") if an entry was inserted above
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tenure.sources.editing.bib_edits import read_entry
from tenure.sources.editing.edits import UneditableError
from tenure.sources.editing.value_edits import Source, ValuePath, find_value, split_front_matter

_PARTS: Mapping[str, Callable[..., object]] = {
    "addPaper": lambda *_: None,
    "moveItem": lambda source, path, _: find_value(source.read_data(), path[:-1]),
    "removePaper": lambda source, key: read_entry(source.text, key),
    "setAddition": lambda source, key, *_: _find_addition(source.read_data(), key),
    "setBody": lambda source, _: split_front_matter(source.text)[1],
    "setPaperField": lambda source, key, field, _: read_entry(source.text, key).get(field),
    "setText": lambda source, _: source.text,
}
"""
What must be the same in both texts, by the name of an edit; the other edits have a path as their first
argument.
"""

_REASON = "this has changed in the file meanwhile; here is the new text"


def rebase_edit(name: str, old: Source, new: Source, values: Sequence[Any]) -> Sequence[Any]:
    """The arguments of an edit for the new text; raises UneditableError if what is edited has changed."""
    if name in _PARTS:
        if _PARTS[name](old, *values) != _PARTS[name](new, *values):
            raise UneditableError(_REASON)
        return values
    path, *rest = values
    return [_rebase_path(old.read_data(), new.read_data(), path), *rest]


def _find_addition(data: Any, key: str) -> Any:
    """
    What content/publications.yaml says of one publication; None if it says nothing.

    [{key: lee, pdf: a.pdf}] or {lee: {pdf: a.pdf}}, "lee" -> its mapping
    """
    if not isinstance(data, list):
        return find_value(data, [key])
    return next((item for item in data if find_value(item, ["key"]) == key), None)


def _rebase_path(old: Any, new: Any, path: ValuePath) -> ValuePath:
    """
    The path of the same value in other data. Its entry may have moved, and then must be unique.

    [{title: A}] and [{title: New}, {title: A}], (0, "title") -> [1, "title"]
    [{title: A}] and [{title: A, date: 2024}], (0, "title") -> (0, "title"): an entry in which something else
    has changed is the same if all other entries are.
    Raises UneditableError if that is not certain, as for [{title: A}] and [{title: B}].
    """
    # the first position in a list, which may have another number now
    depth = next((at for at, key in enumerate(path) if isinstance(key, int)), None)
    if depth is None:
        if find_value(old, path) != find_value(new, path):
            raise UneditableError(_REASON)
        return path

    above = path[:depth]
    position = int(path[depth])
    below = path[depth + 1 :]
    old_items = find_value(old, above) or []
    new_items = find_value(new, above) or []
    # a new entry at the end
    if position == len(old_items):
        return [*above, len(new_items), *below]

    entry = find_value(old_items, [position])
    same = [at for at, item in enumerate(new_items) if item == entry]
    if len(same) == 1:
        return [*above, same[0], *below]
    others = [[*items[:position], *items[position + 1 :]] for items in (old_items, new_items)]
    if below and others[0] == others[1] and find_value(old, path) == find_value(new, path):
        return path
    raise UneditableError(_REASON)
