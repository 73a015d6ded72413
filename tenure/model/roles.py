"""
The roles of people in a group: the order in which they stand, and one spelling for each.

A role is a text that people choose. `find_rank` says where it stands, and `name_role` what it is called:
"Undergrads" and "undergraduate student" are the role "Undergraduate", which stands below "Master's student".
"""

import re
from functools import lru_cache

RANKS = ("head", "staff", "postdoc", "doctoral", "master", "undergraduate", "other", "alumni")
"""
The ranks in their order; "other" is that of visitors. A list of people puts the roles of no rank there too.
"""

_RANK_WORDS = r"""(?xi)
    \b(?:
        (?P<alumni>           # Former postdoc
            alum | former\b | past\ member | ehemalig | ancien
        )
      | (?P<other>            # Visiting PhD student
            visit | guest | intern\b | gast | invit
        )
      | (?P<undergraduate>    # Undergraduate researcher
            undergrad | bachelor | b\.?sc\b
        )
      | (?P<postdoc>
            post-?\s?doc
        )
      | (?P<master>           # MSc student
            master | m\.?sc\b
        )
      | (?P<doctoral>         # Joint PhD student
            ph\.?\s?d\b | doctoral | dokt | doctor[ae]n | dottor | promo[vt] | grad(?:uate)?\b
        )
      | (?P<head>             # Associate professor
            principal\ investigator | (?:co-?)?pi\b | head\b | leader | director | chair\b | faculty
          | prof(?!essional) | \w*leit(?:er|ung) | direct(?:eur|rice)
        )
      | (?P<staff>            # Research engineer
            staff | scientist | research(?:er|\ (?:fellow|associate|assistant)\b(?!\ prof))
          | engineer | techni | manager | coordinator | administrat | assistant\b(?!\ prof)
          | programmer | lecturer
          | ing[eé]nieur | \w*mitarbeiter | secr[eé]ta | sekret
        )
    )
"""
"""The words that tell the rank, in English, German and French; the first one in a role decides."""

_SPELLINGS = """
Principal investigator: pi
Postdoc: postdoctoral associate, postdoctoral fellow, postdoctoral researcher, postdoctoral scholar
PhD student: doctoral candidate, doctoral researcher, doctoral student, phd, phd candidate
Master's student: master, master student, msc student
Undergraduate: bachelor student, bsc student, undergrad, undergraduate student
Alumni: alumna, alumnus, former member, past member
"""
"""The roles that have several spellings."""


def _fold_text(role: str) -> str:
    """A role for comparison: "Ph.D. students" -> "phdstudent"."""
    return "".join(filter(str.isalnum, role.casefold())).removesuffix("s")


_NAMES = {
    _fold_text(spelling): row.partition(":")[0]
    for row in _SPELLINGS.strip().splitlines()
    for spelling in re.split("[:,]", row)
}


@lru_cache(maxsize=1024)
def find_rank(role: str) -> str:
    """The rank of a role: "Joint PhD student" -> "doctoral"; "" without a word that is known: "Weaver"."""
    match = re.search(_RANK_WORDS, role)
    return (match.lastgroup or "") if match else ""


def name_role(role: str) -> str:
    """The common name of a role: "Postdoctoral fellows" -> "Postdoc", "Lab dogs" -> "Lab dog"."""
    return _NAMES.get(_fold_text(role)) or re.sub(r"(?<=[^s])s$", "", role)


def fold_role(role: str) -> str:
    """What all spellings of a role share: "Undergrads" -> "undergraduate", "Lab Dog" -> "labdog"."""
    return _fold_text(name_role(role))
