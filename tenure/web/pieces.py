"""Cache of page fragments: after an edit, most entries of a long list need no rendering."""

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
    """The cached output of macros. `requested` has the keys used by the current page, with the new values."""

    same: Sameness
    watched: Watched
    memo: Memo
    asked: dict[str, bytes] = field(default_factory=dict)

    def kept(self, name: tuple[object, ...], macro: Callable[..., str], *values: object) -> Markup:
        """Return the output of a macro for some values, from the cache if its inputs are unchanged."""
        key = self.same.key(name, values)
        looked = self.watched.looked
        body = self.memo.get(key)
        if body is not None:
            parts, words = pickle.loads(body)  # noqa: S301 - the store has only values that this program wrote
            if self.same.still(parts):
                self.asked.setdefault(key, b"")
                looked.update(parts)
                return Markup(words)  # noqa: S704 - the output of a macro
        before = {*looked}
        looked.clear()
        made = macro(*values)
        self.asked[key] = pickle.dumps((self.same.parts(looked | self.watched.always), str(made)))
        self.memo.put(key, self.asked[key])
        looked.update(before)
        return Markup(made)  # noqa: S704 - as above
