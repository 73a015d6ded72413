"""What templates come with so that they do not look empty; nobody's own, and left out."""

import re

_PHRASES = re.compile(
    r"lorem ipsum|Write your biography here\. Tell the world about yourself"
    r"|Every project has a beautiful feature showcase page|a (?:simple|long) (?:inline )?announcement"
    r"|<a href='#'>Affiliations</a>|555 your office number|123 your address street|Your City, State 12345"
    r"|Sub-description 1|^Description \d\.?$|a project with (?:a|no) (?:background )?image|example_pdf\.pdf"
    r"|For those who are not, this theme lets you|Description of another hobby|^Hobby \d$|Paper Title Number \d"
    r"|This is a description of a hobby|an other project with a background image|with background image",
    re.IGNORECASE,
)
_EINSTEIN = re.compile(
    r"Institute for Advanced Study, Princeton University|Kaiser Wilhelm Institute for Physics"
    r"|Karl-Ferdinand University|Professor of Theoretical Physics|Nobel Prize in Physics|Matteucci Medal"
    r"|Max Planck Medal|Bern, Switzerland|Federal Polytechnic School|Associate Professor of Theoretical"
    r"|Max Planck Institute for the History|California Institute of Technology, Pasadena|Albert Einstein"
)
"""What fills al-folio's CV; it may stand in the CV of a physicist, so that two such words are asked for."""

POSTS = re.compile(
    r"20(?:15|18|2[0-5])-\d\d-\d\d-(?:formatting-and-links|images|code|comments|math|disqus-comments|twitter|distill"
    r"|redirect|giscus-comments|diagrams|videos|audios|custom-blockquotes|table-of-contents|tables|jupyter-notebook"
    r"|bibliography|code-diff|advanced-images|vega-lite|geojson-map|echarts|chartjs|tikzjax|pseudocode|typograms"
    r"|post-citation|sidebar-table-of-contents|photo-gallery|tabs|plotly|google-gemini-\w+|image-gallery|mermaid)"
)
"""The posts by which al-folio shows what it can do, by their file names."""

BIB_KEYS = frozenset(
    [
        "PhysRev.47.777",
        "przibram1967letters",
        "brownian",
        "einstein1950meaning",
        "einstein1956investigations",
        "einstein1905photoelectriceffect",
        "einstein1905movement",
        "einstein1905electrodynamics",
        "einstein1905molekularkinetischen",
        "einstein1920relativity",
        "einstein1935can",
        "electrodynamics",
        "PhysRev.47.777",
        "EinsteinPhotoelectric",
    ]
)
"""The entries of al-folio's papers.bib."""


def is_sample(words: str) -> bool:
    """Whether a text is one that a template came with."""
    return _PHRASES.search(words) is not None


def is_einstein(words: str, owner: str) -> bool:
    """Whether an entry is of the life that al-folio's CV tells; never where the owner bears that name."""
    return "einstein" not in owner.casefold() and len({*_EINSTEIN.findall(words)}) > 0


def is_sample_work(key: str, text: str, owner: str) -> bool:
    """Whether an entry of BibTeX is one of al-folio's."""
    einstein = re.search(r"Einstein|Przibram", text) is not None and "einstein" not in owner.casefold()
    return einstein and (key in BIB_KEYS or "einstein" in key.casefold())
