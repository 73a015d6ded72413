"""
Tables of values: each line of tests/values/*.txt is an input and what a function makes of it, "input => output".

    === what is shown | tenure.model.identifiers:parse_doi
    doi:10.1145/3600006.3613163 => 10.1145/3600006.3613163

    === colours mix | tenure.model.colors:mix_colors | color ground share
    #000000 #ffffff 0.5 => #636363

A head names the function, as `module:function`; it gets the input as one text, or the parts that the end of the head names as
its parameters. A number is converted; " | " is between the values of a list, also in an output; "yes" and "no" are True and
False. A function that needs more, or whose result is no text, stands in lines_of_NAME.py, beside NAME.txt.

In a value, ⏎ is the end of a line, ⇥ a tab, ␍ a carriage return, and ␣ a space at the end. Lines that begin with % are
remarks.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import pytest

HERE = Path(__file__).parent


class Table(NamedTuple):
    """A table: its file and title, its function, the parameters that a line has, and its rows."""

    title: str
    function: str
    parameters: str
    rows: tuple[tuple[str, str], ...]


def read_tables(path: Path) -> Iterator[Table]:
    for part in re.split(r"^=== ", path.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        head, _, lines = part.partition("\n")
        title, function, parameters = (*head.split(" | "), "")[:3]
        written = [line for line in lines.split("\n") if line and line[0] != "%"]
        rows = [re.split(" =>(?: |$)", line, maxsplit=1) for line in written]
        yield Table(f"{path.stem}: {title}", function, parameters, tuple((row[0], row[1]) for row in rows))


TABLES = [table for path in sorted(HERE.glob("*.txt")) for table in read_tables(path)]


def find_function(table: Table) -> Callable[[str], Any]:
    """Return what is called with the text of an input: `module:function`, `module:Class.method`."""
    module, _, path = table.function.partition(":")
    function: Any = import_module(module)
    for name in path.split("."):
        function = getattr(function, name)
    return partial(call_with_parts, function, table.parameters) if table.parameters else function


def call_with_parts(function: Callable[..., Any], parameters: str, text: str) -> Any:
    """Call a function with the parts of a text: "unknown : known" and "titel : title | end"."""
    types = get_type_hints(function)
    names = re.findall(r"\w+", parameters)
    separators = re.findall(r"\W+", parameters)
    values: dict[str, Any] = {}
    for name, separator in zip(names, [*separators, ""], strict=True):
        part, _, text = text.partition(separator) if separator else (text, "", "")
        values[name] = convert_part(part, types[name])
    return function(*(values[name] for name in types if name in values))


def convert_part(text: str, wanted: Any) -> Any:
    """Return a part of a line as its parameter needs it: a text, a number, or a list of texts."""
    if wanted in (str, int, float):
        return wanted(text)
    return [item for item in text.split(" | ") if item]


def show_result(result: Any) -> str:
    if isinstance(result, bool):
        return "yes" if result else "no"
    return result if isinstance(result, str) else " | ".join(result)


def decode_value(text: str) -> str:
    return text.translate(str.maketrans("⏎⇥␍␣", "\n\t\r "))


def encode_value(text: str) -> str:
    return re.sub(" $|^ ", "␣", text.translate(str.maketrans("\n\t\r", "⏎⇥␍")))


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.title)
def test_each_value_is_as_in_the_table(table: Table) -> None:
    convert = find_function(table)
    assert table.rows
    wrong = [
        f"{written} => {actual}\n    and not {shown}"
        for written, shown in table.rows
        if (actual := encode_value(show_result(convert(decode_value(written))))) != shown
    ]
    assert wrong == [], "\n".join(wrong)


def test_every_function_of_lines_has_a_table() -> None:
    code = "\n".join(path.read_text("utf-8") for path in sorted(HERE.glob("lines_of_*.py")))
    heads = "\n".join(table.function for table in TABLES)
    names = re.findall(r"^def (\w+)", code, re.MULTILINE)
    assert [name for name in names if len(re.findall(rf"\b{name}\b", f"{code}\n{heads}")) < 2] == []
