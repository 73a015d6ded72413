"""Reads YAML as editors do: with the core schema of YAML 1.2, in which only true, false and null are keywords."""

import re
from typing import Any

import yaml


class Core(yaml.SafeLoader):
    """A loader with the core schema. Source: YAML 1.2.2, section 10.3.2."""


Core.yaml_implicit_resolvers = {}
for tag, pattern, first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", "~nN"),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
):
    Core.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"(?:{pattern})$"), list(first))
Core.add_implicit_resolver("tag:yaml.org,2002:null", re.compile("$"), [""])


def read_core_yaml(text: str) -> Any:
    """Return the value of a YAML text as JSON represents it: every key is a string."""
    return _convert_to_json(yaml.load(text, Loader=Core))


def _convert_to_json(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _convert_to_json(below) for key, below in value.items()}
    return [_convert_to_json(below) for below in value] if isinstance(value, list) else value
