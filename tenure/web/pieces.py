"""Pieces of pages, kept between builds by what they were made from: an edit leaves most lines of a long list alone."""

import pickle
from collections.abc import Callable
from dataclasses import field

from markupsafe import Markup

from tenure.frozen import dataclass
from tenure.memo import Memo
from tenure.web.sameness import Sameness
from tenure.web.watched import Watched


@dataclass(frozen=True, slots=True)
class Pieces:
    """What macros make, each kept for the values it is given; `asked` are those asked for of late, with what is new."""

    same: Sameness
    watched: Watched
    memo: Memo
    asked: dict[str, bytes] = field(default_factory=dict)

    def kept(self, name: tuple[object, ...], macro: Callable[..., str], *values: object) -> Markup:
        """What a macro makes of some values, and of what else is named beside it."""
        key = self.same.key(name, values)
        looked = self.watched.looked
        body = self.memo.get(key)
        if body is not None:
            parts, words = pickle.loads(body)  # noqa: S301 - the memo holds what we wrote, by its digest
            if self.same.still(parts):
                self.asked.setdefault(key, b"")
                looked.update(parts)
                return Markup(words)  # noqa: S704 - a macro made it
        before = {*looked}
        looked.clear()
        made = macro(*values)
        self.asked[key] = pickle.dumps((self.same.parts(looked | self.watched.always), str(made)))
        self.memo.put(key, self.asked[key])
        looked.update(before)
        return Markup(made)  # noqa: S704 - as above
