"""Detects the sample content of templates, which is not imported."""

import re

SAMPLE_NOTE = "sample content of the template"

# Words in the URLs of links that a template brings.
_SAMPLE_URLS = re.compile(
    r"yourprofile"
    r"|yourorcid"
    r"|replacethis"
    r"|john\+snow"
    r"|PS_CX0AAAAAJ"
    r"|none@example\.org"
    r"|test@example\.(?:org|com)"
    r"|you@example\.com"
    r"|your-?email@"
    r"|alberteinstein"
    r"|qc6CJjYAAAAJ"
    r"|twitter\.com/GeorgeCushen"
    r"|github\.com/gcushen"
    r"|example@pdf\.com"
    r"|yourusername"
    r"|your-?username"
    r"|hugoblox\.com"
    r"|sourcethemes\.com"
    r"|x\.com/GeorgeCushen"
    r"|scholar\.google\.(?:com|co\.uk)/citations\?user=sIwtMXoAAAAJ",
    re.IGNORECASE,
)
# Addresses of sites that a template has before its user writes one.
_SAMPLE_ADDRESSES = re.compile(
    r"//(?:www\.)?example\.(?:com|org)|academicpages\.github|alshedivat|localhost|netlify\.com$"
)
_EINSTEIN_CV_PHRASES = re.compile(
    r"Institute for Advanced Study, Princeton University"
    r"|Kaiser Wilhelm Institute for Physics"
    r"|Karl-Ferdinand University"
    r"|Professor of Theoretical Physics"
    r"|Nobel Prize in Physics"
    r"|Matteucci Medal"
    r"|Max Planck Medal"
    r"|Bern, Switzerland"
    r"|Federal Polytechnic School"
    r"|Associate Professor of Theoretical"
    r"|Max Planck Institute for the History"
    r"|(?i:teaching diploma)"
    r"|California Institute of Technology, Pasadena"
    r"|Albert Einstein"
)
"""Phrases of al-folio's sample CV; a physicist's own CV may have most of them, without a year up to 1955."""

SAMPLE_POST_NAMES = re.compile(
    r"20(?:15|18|2[0-5])-\d\d-\d\d-(?:"
    r"formatting-and-links"
    r"|images"
    r"|code"
    r"|comments"
    r"|math"
    r"|disqus-comments"
    r"|twitter"
    r"|distill"
    r"|redirect"
    r"|giscus-comments"
    r"|diagrams"
    r"|videos"
    r"|audios"
    r"|custom-blockquotes"
    r"|table-of-contents"
    r"|tables"
    r"|jupyter-notebook"
    r"|bibliography"
    r"|code-diff"
    r"|advanced-images"
    r"|vega-lite"
    r"|geojson-map"
    r"|echarts"
    r"|chartjs"
    r"|tikzjax"
    r"|pseudocode"
    r"|typograms"
    r"|post-citation"
    r"|sidebar-table-of-contents"
    r"|photo-gallery"
    r"|tabs"
    r"|plotly"
    r"|google-gemini-\w+"
    r"|image-gallery"
    r"|mermaid"
    r")"
)
"""File names of the posts that demonstrate the features of al-folio."""

SAMPLE_BIB_KEYS = frozenset({"PhysRev.47.777", "przibram1967letters", "brownian", "electrodynamics"})
"""The keys of the entries in al-folio's papers.bib without the name Einstein."""


def is_sample_person(name: str) -> bool:
    """Whether a name is that of a sample person of a template."""
    pattern = r"Nelson Big(?:hetti)? ?.*|吳恩達|Jane Doe|Robert Ford|(?:Dr\. )?Alex Johnson"
    return re.fullmatch(pattern, name.strip()) is not None


def is_sample_url(url: str) -> bool:
    """Whether a URL or an e-mail address is sample content of a template."""
    return _SAMPLE_URLS.search(url) is not None


def is_sample_address(url: str) -> bool:
    """Whether the address of a site is that of a template, or of no site."""
    return _SAMPLE_ADDRESSES.search(url) is not None


# Titles of entries that a template brings, as a whole.
_SAMPLE_TITLES = re.compile(
    r"Paper Title Number \d+(?:, with math .*)?"
    r"|Talk \d on Relevant Topic in Your Field"
    r"|Tutorial \d on Relevant Topic in Your Field"
    r"|Conference Proceeding talk \d on Relevant Topic in Your Field"
    r"|Teaching experience \d"
    r"|Portfolio item number \d"
    r"|Blog Post number \d"
    r"|Future Blog Post"
    r"|An example (?:journal article|conference paper|preprint ?/? ?working paper|preprint)"
    r"|Example (?:Project|Talk|Event|Page \d|Publication)"
    r"|(?:Internal|External) Project"
    r"|Academic: the website builder for Hugo"
    r"|Welcome to (?:Wowchemy|Hugo Blox|HugoBlox Kit).*"
    r"|Writing technical content in (?:Markdown|Academic)"
    r"|Display Jupyter Notebooks with (?:Academic|Wowchemy)",
    re.IGNORECASE,
)


def is_sample_title(title: str) -> bool:
    """Whether a title is that of a sample paper, talk or course of a template."""
    return _SAMPLE_TITLES.fullmatch(title.strip()) is not None


_SAMPLE_PHRASES = re.compile(
    r"lorem ipsum"
    r"|Write your biography here\. Tell the world about yourself"
    r"|Every project has a beautiful feature showcase page"
    r"|a (?:simple|long) (?:inline )?announcement"
    r"|<a href='#'>Affiliations</a>"
    r"|555 your office number"
    r"|123 your address street"
    r"|Your City, State 12345"
    r"|Sub-description 1"
    r"|^Description \d\.?$"
    r"|a project with (?:a|no) (?:background )?image"
    r"|example_pdf\.pdf"
    r"|For those who are not, this theme lets you"
    r"|Description of another hobby"
    r"|^Hobby \d$"
    r"|Paper Title Number \d"
    r"|This paper is about (?:the number \d|fixing template issue|a famous math equation)"
    r"|This is a description of your (?:talk|tutorial|conference)"
    r"|This is a description of a teaching experience"
    r"|This is an item in your portfolio"
    r"|This post will show up by default"
    r"|Short description of portfolio item"
    r"|This is a sample blog post"
    r"|on Relevant Topic in Your Field"
    r"|GitHub University"
    r"|Sub-skill 2\.1"
    r"|Your Name, You\."
    r"|43 different slack teams"
    r"|Academic Pages Collaborator"
    r"|This is the front page of a website that is powered by"
    r"|A variety of common markup showing how the theme styles them"
    r"|Locations of key files/directories"
    r"|This is a page not in th emain menu"
    r"|Like many other Jekyll-based GitHub Pages templates"
    r"|GenCoin"
    r"|University X\b"
    r"|Nelson Bighetti"
    r"|Professor of Artificial Intelligence at the Stanford"
    r"|Wowchemy Conference"
    r"|(?:Hugo ?Blox|Academic|Wowchemy) makes it easy to create a beautiful website"
    r"|Click on the \*\*Slides\*\* button above"
    r"|Supplementary notes can be added here"
    r"|Add the \*\*(?:publication's )?full text\*\* or \*\*supplementary notes\*\*"
    r"|Welcome to the \*\*Academic Kickstart\*\* template"
    r"|Create your slides in Markdown"
    r"|Neural Networks and Deep Learning.*Coursera"
    r"|Blockchain Fundamentals.*edX"
    r"|'?Intro to Python.*DataCamp"
    r"|Object-Oriented Programming in R.*datacamp"
    r"|The template is mobile first with a responsive design"
    r"|An example of (?:linking directly to an external project|using the in-built project page)"
    r"|An example talk using (?:Academic|Wowchemy|Hugo Blox)"
    r"|My research interests include distributed robotics, mobile computing"
    r"|led by \*\*?Nelson"
    r"|450 Serra Mall"
    r"|Stanford Artificial Intelligence Lab"
    r"|Download my \{\{< staticref \"uploads/demo_resume"
    r"|Site description in \w+\.\.\."
    r"|^Short biography for the"
    r"|^Topic \d\.?$"
    r"|Jean shorts raw denim"
    r"|Next level tousled irony"
    r"|Pinterest DIY dreamcatcher gentrify"
    r"|Hell of vice Kickstarter"
    r"|Generated by (?:Wowchemy|Hugo ?Blox)[^.]{0,20} - the FREE"
    r"|Hugo Academic Theme\b.{0,40}Generated by"
    r"|^A little bit about you\.?$"
    r"|^I['’]m only human$"
    r"|Full Stack DevOps(?:, | and )Magician"
    r"|Learn how to use (?:Academic|Wowchemy|Hugo ?Blox)['’]s docs layout"
    r"|The `courses` folder may be renamed"
    r"|top 10 tips for making tea"
    r"|Quickly discover relevant content by \[filtering publications\]"
    r"|Slides can be added in a few ways"
    r"|Further (?:talk|event) details, including page elements"
    r"|This is a description of a hobby"
    r"|an other project with a background image"
    r"|with background image",
    re.IGNORECASE,
)


_LIST_DESCRIPTIONS = re.compile(
    r"publications (?:by categories )?in reversed chronological order"
    r"|A growing collection of your cool projects"
    r"|Materials for courses you taught"
)
"""What al-folio says of the pages of lists, which are the owner's also with these words."""


def is_sample_description(text: str) -> bool:
    """Whether the description of the page of a list is that of a template."""
    return _LIST_DESCRIPTIONS.search(text) is not None or is_sample_text(text)


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
    patterns = (
        r"Max Planck Medal.*\b2029\b|\b2029\b.*Max Planck Medal",
        r"\b(?:18[7-9]\d|19[0-4]\d|195[0-5])\b",
        r"Kaiser Wilhelm Institute|Karl-Ferdinand|Albert Einstein",
    )
    return any(re.search(pattern, text) for pattern in patterns)


def is_sample_publication(key: str, text: str, owner: str) -> bool:
    """Whether a BibTeX entry is sample content of al-folio."""
    is_sample_key = key in SAMPLE_BIB_KEYS or "einstein" in key.casefold()
    names_author = re.search(r"Einstein|Przibram", text) is not None
    return is_sample_key and names_author and "einstein" not in owner.casefold()


_SAMPLE_FILES = re.compile(
    r"template[-_]name\.md$|(?:^|/)about_einstein\.md$|(?:^|/)example[-_](?:post|project|talk)\.md$"
)
"""Files of a theme that show how an entry is written."""


def find_own_body(name: str, front_text: str, body: str, title: str) -> str | None:
    """
    The text of a document without sample content; None if the whole document is sample content.

    A document with a title that no template has, and with a link or a description of its own, is the owner's,
    also if the text is still that of the template.
    """
    # of a publication, the title says whose it is
    if re.match(r"_publications/|content/(?:\w\w/)?publication", name):
        return None if is_sample_title(title) else body
    is_sample_post = name.startswith("_posts/") and SAMPLE_POST_NAMES.match(name.rpartition("/")[2])
    if _SAMPLE_FILES.search(name) or is_sample_title(title) or is_sample_post:
        return None
    is_cv = name.endswith(("cv.md", "resume.md"))
    shown = re.sub(r"<!--.*?-->", "", body, flags=re.DOTALL)
    if is_cv or not is_sample_text(f"{front_text}\n{shown}"):
        return body
    if is_sample_text(front_text):
        return None

    # a page of Hugo keeps the paragraphs of its own, if they are more than a line
    paragraphs = re.split(r"\n\s*\n", body)
    own = [paragraph for paragraph in paragraphs if not is_sample_text(paragraph)]
    if name.startswith("content/") and len(" ".join(own)) > 200:
        return "\n\n".join(own)
    # a link, or four words
    has_own_front = re.search(r"https?://|\w+ \w+ \w+ \w+", front_text)
    return "" if title and has_own_front else None
