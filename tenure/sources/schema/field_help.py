"""
One line of help for each field of a source: the string below the field in the class that declares it.

The JSON Schema, Pages CMS and the documentation use the help. It is read from the source text of the classes, so that it
costs a build nothing.
"""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

from tenure.record import Record

START_END_HELP = {"start": "the start date", "end": "the end date, present, or ~May 2027 (expected)"}
"""The help of the two keys that can replace a period."""


def help_for_field(cls: type[Record], field: str) -> str:
    """Return the help of a field of a record class or of one of its base classes, or ""."""
    record_types = (base for base in cls.__mro__ if issubclass(base, Record))
    texts = (_read_module_help(base.__module__).get((base.__name__, field), "") for base in record_types)
    return next(filter(None, texts), "")


@cache
def _read_module_help(module: str) -> Mapping[tuple[str, str], str]:
    """Return the help of the fields that the classes of a module declare, by class and field."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    classes = [statement for statement in tree.body if isinstance(statement, ast.ClassDef)]
    return {(declared.name, field): text for declared in classes for field, text in _list_help(declared)}


def _list_help(declared: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Yield the name of each field that has a string below it, and the string."""
    for statement, next_statement in pairwise(declared.body):
        match statement, next_statement:
            case ast.AnnAssign(target=ast.Name(id=field)), ast.Expr(value=ast.Constant(value=str(text))):
                yield field, text
