"""ORCID iDs: their form and their check digit."""

import re

_ORCID_PATTERN = re.compile(
    r"(?:https?:/{1,2}(?:www\.)?)?(?:orcid\.org/|orcid:\s*)?(\d{4}-\d{4}-\d{4}-\d{3}[\dX])/?", re.IGNORECASE
)
"""An iD, or its URL; a shell or a path may have removed one of the slashes after "https:"."""


def parse_orcid(text: str) -> str:
    """The ORCID iD of a text that is an iD or its URL; "" if it is none, or if its check digit is wrong."""
    match = _ORCID_PATTERN.fullmatch(text.strip())
    orcid = match[1].upper() if match else ""
    return orcid if orcid and orcid[-1] == compute_check_digit(orcid[:-1]) else ""


def compute_check_digit(digits: str) -> str:
    """The last character of an iD (ISO 7064, MOD 11-2)."""
    total = 0
    for digit in digits.replace("-", ""):
        total = (total + int(digit)) * 2
    remainder = (12 - total % 11) % 11
    return "X" if remainder == 10 else str(remainder)


def is_orcid_like(text: str) -> bool:
    """Whether a text has the form of an ORCID iD, with a check digit that may be wrong."""
    return _ORCID_PATTERN.fullmatch(text.strip()) is not None
