"""Detects the sample content of templates, which is not imported."""

import re

_SAMPLE_PHRASES = re.compile(
    r"lorem ipsum|Write your biography here\. Tell the world about yourself"
    r"|Every project has a beautiful feature showcase page|a (?:simple|long) (?:inline )?announcement"
    r"|<a href='#'>Affiliations</a>|555 your office number|123 your address street|Your City, State 12345"
    r"|Sub-description 1|^Description \d\.?$|a project with (?:a|no) (?:background )?image|example_pdf\.pdf"
    r"|For those who are not, this theme lets you|Description of another hobby|^Hobby \d$|Paper Title Number \d"
    r"|This paper is about (?:the number \d|fixing template issue|a famous math equation)|This is a description of your (?:talk|tutorial|conference)"
    r"|This is a description of a teaching experience|This is an item in your portfolio|This post will show up by default"
    r"|Short description of portfolio item|This is a sample blog post|on Relevant Topic in Your Field|GitHub University"
    r"|Sub-skill 2\.1|Your Name, You\.|43 different slack teams|Academic Pages Collaborator"
    r"|This is the front page of a website that is powered by|A variety of common markup showing how the theme styles them"
    r"|Locations of key files/directories|This is a page not in th emain menu|Like many other Jekyll-based GitHub Pages templates"
    r"|GenCoin|University X\b|Nelson Bighetti|Professor of Artificial Intelligence at the Stanford|Wowchemy Conference"
    r"|(?:Hugo ?Blox|Academic|Wowchemy) makes it easy to create a beautiful website|Click on the \*\*Slides\*\* button above"
    r"|Supplementary notes can be added here|Add the \*\*(?:publication's )?full text\*\* or \*\*supplementary notes\*\*"
    r"|Welcome to the \*\*Academic Kickstart\*\* template|Create your slides in Markdown|Neural Networks and Deep Learning.*Coursera"
    r"|Blockchain Fundamentals.*edX|'?Intro to Python.*DataCamp|Object-Oriented Programming in R.*datacamp"
    r"|The template is mobile first with a responsive design|An example of (?:linking directly to an external project|using the in-built project page)"
    r"|An example talk using (?:Academic|Wowchemy|Hugo Blox)|My research interests include distributed robotics, mobile computing"
    r"|led by \*\*?Nelson|450 Serra Mall|Stanford Artificial Intelligence Lab|Download my \{\{< staticref \"uploads/demo_resume"
    r"|Site description in \w+\.\.\."
    r"|This is a description of a hobby|an other project with a background image|with background image",
    re.IGNORECASE,
)
_SAMPLE_TITLES = re.compile(
    r"Paper Title Number \d+(?:, with math .*)?|Talk \d on Relevant Topic in Your Field|Tutorial \d on Relevant Topic in Your Field"
    r"|Conference Proceeding talk \d on Relevant Topic in Your Field|Teaching experience \d|Portfolio item number \d"
    r"|Blog Post number \d|Future Blog Post|An example (?:journal article|conference paper|preprint ?/? ?working paper|preprint)"
    r"|Example (?:Project|Talk|Event|Page \d|Publication)|(?:Internal|External) Project|Academic: the website builder for Hugo"
    r"|Welcome to (?:Wowchemy|Hugo Blox|HugoBlox Kit).*|Writing technical content in (?:Markdown|Academic)"
    r"|Display Jupyter Notebooks with (?:Academic|Wowchemy)",
    re.IGNORECASE,
)
_SAMPLE_URLS = re.compile(
    r"yourprofile|yourorcid|replacethis|john\+snow|PS_CX0AAAAAJ|none@example\.org|test@example\.(?:org|com)"
    r"|you@example\.com|your-?email@|alberteinstein|qc6CJjYAAAAJ|twitter\.com/GeorgeCushen|github\.com/gcushen"
    r"|example@pdf\.com|yourusername|your-?username|hugoblox\.com|sourcethemes\.com|x\.com/GeorgeCushen"
    r"|scholar\.google\.(?:com|co\.uk)/citations\?user=sIwtMXoAAAAJ",
    re.IGNORECASE,
)
_EINSTEIN_CV_PHRASES = re.compile(
    r"Institute for Advanced Study, Princeton University|Kaiser Wilhelm Institute for Physics"
    r"|Karl-Ferdinand University|Professor of Theoretical Physics|Nobel Prize in Physics|Matteucci Medal"
    r"|Max Planck Medal|Bern, Switzerland|Federal Polytechnic School|Associate Professor of Theoretical"
    r"|Max Planck Institute for the History|California Institute of Technology, Pasadena|Albert Einstein"
)
"""Phrases of al-folio's sample CV. A physicist's own CV may have most of them, so a year up to 1955 is required as well."""

SAMPLE_POST_NAMES = re.compile(
    r"20(?:15|18|2[0-5])-\d\d-\d\d-(?:formatting-and-links|images|code|comments|math|disqus-comments|twitter|distill"
    r"|redirect|giscus-comments|diagrams|videos|audios|custom-blockquotes|table-of-contents|tables|jupyter-notebook"
    r"|bibliography|code-diff|advanced-images|vega-lite|geojson-map|echarts|chartjs|tikzjax|pseudocode|typograms"
    r"|post-citation|sidebar-table-of-contents|photo-gallery|tabs|plotly|google-gemini-\w+|image-gallery|mermaid)"
)
"""File names of the posts that demonstrate the features of al-folio."""

SAMPLE_BIB_KEYS = frozenset(
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
"""The keys of the entries in al-folio's papers.bib."""


def is_sample_person(name: str) -> bool:
    """Whether a name is that of a sample person of a template."""
    return (
        re.fullmatch(
            r"Nelson Bighetti|Nelson Big(?:hetti)? ?.*|吳恩達|Jane Doe|Robert Ford|Alex Johnson|Dr\. Alex Johnson",
            name.strip(),
        )
        is not None
    )


def is_sample_url(url: str) -> bool:
    """Whether a URL or an e-mail address is sample content of a template."""
    return _SAMPLE_URLS.search(url) is not None


def is_sample_title(title: str) -> bool:
    """Whether a title is that of a sample paper, talk or course of a template."""
    return _SAMPLE_TITLES.fullmatch(title.strip()) is not None


def is_sample_text(text: str) -> bool:
    """Whether a text is sample content of a template."""
    return _SAMPLE_PHRASES.search(text) is not None


def is_einstein_entry(text: str, owner: str) -> bool:
    """
    Whether an entry is part of al-folio's sample CV of Albert Einstein; never if the owner has that name.

    It must have a phrase of that CV, and a year from 1870 to 1955 or an institution that no longer exists.
    """
    if "einstein" in owner.casefold() or not _EINSTEIN_CV_PHRASES.search(text):
        return False
    has_lifetime_year = re.search(r"\b(?:18[7-9]\d|19[0-4]\d|195[0-5])\b", text) is not None
    return (
        has_lifetime_year
        or re.search(r"Kaiser Wilhelm Institute|Karl-Ferdinand|Albert Einstein", text) is not None
    )


def is_sample_publication(key: str, text: str, owner: str) -> bool:
    """Whether a BibTeX entry is sample content of al-folio."""
    is_about_einstein = (
        re.search(r"Einstein|Przibram", text) is not None and "einstein" not in owner.casefold()
    )
    return is_about_einstein and (key in SAMPLE_BIB_KEYS or "einstein" in key.casefold())
