"""Tables of LaTeX commands and their replacements."""

from collections.abc import Mapping

ACCENT_COMMANDS: Mapping[str, str] = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    '"': "\u0308",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "v": "\u030c",
    "H": "\u030b",
    "c": "\u0327",
    "d": "\u0323",
    "b": "\u0331",
    "r": "\u030a",
    "k": "\u0328",
    "t": "\u0361",
    "textcommabelow": "\u0326",
    "ocirc": "\u030a",
}
"""Accent commands and the combining characters they set. Source: LaTeX2e manual (latexref), "Accents"."""

SYMBOL_COMMANDS: Mapping[str, str] = {
    "ss": "ß",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "aa": "å",
    "AA": "Å",
    "i": "ı",
    "j": "ȷ",
    "S": "§",
    "P": "¶",
    "ldots": "…",
    "dots": "…",
    "copyright": "©",
    "pounds": "£",
    "euro": "€",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "textunderscore": "_",
    "textasciicircum": "^",
    "textasteriskcentered": "*",
    "textperiodcentered": "·",
    "textquotedbl": '"',
    "cprime": "ʹ",
    "emdash": "—",
    "endash": "–",
    "Dash": "—",
    "hyphen": "-",
    "slash": "/",
    "thinspace": "\u2009",
    "space": " ",
    "newline": " ",
    "par": "\n\n",
    "item": " • ",
    "registered": "®",
    "trademark": "™",
    "LaTeX": "LaTeX",
    "TeX": "TeX",
    "BibTeX": "BibTeX",
    "LaTeXe": "LaTeX2e",
    "XeTeX": "XeTeX",
    "pdfTeX": "pdfTeX",
    "ConTeXt": "ConTeXt",
    "MF": "METAFONT",
    "METAFONT": "METAFONT",
    "MP": "METAPOST",
    "AmS": "AMS",
    "AmSTeX": "AMS-TeX",
    "AmSLaTeX": "AMS-LaTeX",
    "PS": "PostScript",
    "POSTSCRIPT": "PostScript",
    "CTAN": "CTAN",
    "TUB": "TUGboat",
}
"""
Commands for characters: the usual letters, and those that pylatexenc does not know.
All others are in its table.
"""

MARKDOWN_WRAPPERS: Mapping[str, tuple[str, str]] = {
    "emph": ("*", "*"),
    "textit": ("*", "*"),
    "textsl": ("*", "*"),
    "mkbibemph": ("*", "*"),
    "booktitle": ("*", "*"),
    "textbf": ("**", "**"),
    "texttt": ("<code>", "</code>"),
    "path": ("<code>", "</code>"),
    "textsc": ('<span class="sc">', "</span>"),
    "underline": ("<u>", "</u>"),
    "textsuperscript": ("<sup>", "</sup>"),
    "textsubscript": ("<sub>", "</sub>"),
    "enquote": ("“", "”"),
    "mkbibquote": ("“", "”"),
    "mkbibparens": ("(", ")"),
    "mkbibbrackets": ("\\[", "\\]"),
}
"""Commands that format their argument, with the Markdown before and after it."""

HTML_WRAPPERS: Mapping[str, tuple[str, str]] = {"*": ("<em>", "</em>"), "**": ("<strong>", "</strong>")}
"""HTML tags that replace stars next to other stars."""

FONT_DECLARATIONS: Mapping[str, str] = {
    "em": "emph",
    "it": "textit",
    "itshape": "textit",
    "sl": "textsl",
    "bf": "textbf",
    "bfseries": "textbf",
    "tt": "texttt",
    "ttfamily": "texttt",
    "sc": "textsc",
    "scshape": "textsc",
}
"""Font declarations, which format the rest of their group."""

TRANSPARENT_COMMANDS = frozenset(
    """
    text textrm textup textmd textnormal textsf mbox hbox makebox acro protect relax slashed mathrm
    mathsf mathtt mathbf mathit mathcal mathbb operatorname llap rlap xspace unskip aftergroup
    noindent centering linebreak break hfill uppercase lowercase MakeUppercase MakeLowercase rm sf
    up normalfont mkbibacro autocap uline nocase NoCaseChange small footnotesize large boldmath
    nobreak allowbreak
    """.split()
)
"""Commands that are ignored; their argument is shown."""

DROPPED_COMMANDS = frozenset(
    """
    noopsort SortNoop phantom vphantom hphantom label begin end nocite vspace hspace footnote thanks
    index color textcolor raisebox selectlanguage foreignlanguage texorpdfstring bibinfo
    """.split()
)
"""Commands that are dropped together with their first argument."""

JOURNAL_MACROS: Mapping[str, str] = {
    "aj": "The Astronomical Journal",
    "actaa": "Acta Astronomica",
    "araa": "Annual Review of Astronomy and Astrophysics",
    "apj": "The Astrophysical Journal",
    "apjl": "The Astrophysical Journal Letters",
    "apjlett": "The Astrophysical Journal Letters",
    "apjs": "The Astrophysical Journal Supplement Series",
    "apjsupp": "The Astrophysical Journal Supplement Series",
    "ao": "Applied Optics",
    "apss": "Astrophysics and Space Science",
    "aap": "Astronomy & Astrophysics",
    "astap": "Astronomy & Astrophysics",
    "aapr": "The Astronomy and Astrophysics Review",
    "aaps": "Astronomy & Astrophysics Supplement Series",
    "aplett": "Astrophysics Letters",
    "apspr": "Astrophysics Space Physics Research",
    "azh": "Astronomicheskii Zhurnal",
    "baas": "Bulletin of the American Astronomical Society",
    "bain": "Bulletin Astronomical Institute of the Netherlands",
    "caa": "Chinese Astronomy and Astrophysics",
    "cjaa": "Chinese Journal of Astronomy and Astrophysics",
    "fcp": "Fundamentals of Cosmic Physics",
    "gca": "Geochimica et Cosmochimica Acta",
    "grl": "Geophysical Research Letters",
    "iaucirc": "IAU Circular",
    "icarus": "Icarus",
    "jcap": "Journal of Cosmology and Astroparticle Physics",
    "jcp": "The Journal of Chemical Physics",
    "jgr": "Journal of Geophysical Research",
    "jqsrt": "Journal of Quantitative Spectroscopy and Radiative Transfer",
    "jrasc": "Journal of the Royal Astronomical Society of Canada",
    "maps": "Meteoritics & Planetary Science",
    "memras": "Memoirs of the Royal Astronomical Society",
    "memsai": "Memorie della Società Astronomica Italiana",
    "mnras": "Monthly Notices of the Royal Astronomical Society",
    "na": "New Astronomy",
    "nar": "New Astronomy Reviews",
    "nat": "Nature",
    "nphysa": "Nuclear Physics A",
    "pasa": "Publications of the Astronomical Society of Australia",
    "pasj": "Publications of the Astronomical Society of Japan",
    "pasp": "Publications of the Astronomical Society of the Pacific",
    "physrep": "Physics Reports",
    "physscr": "Physica Scripta",
    "planss": "Planetary and Space Science",
    "pra": "Physical Review A",
    "prb": "Physical Review B",
    "prc": "Physical Review C",
    "prd": "Physical Review D",
    "pre": "Physical Review E",
    "prl": "Physical Review Letters",
    "procspie": "Proceedings of SPIE",
    "psj": "The Planetary Science Journal",
    "qjras": "Quarterly Journal of the Royal Astronomical Society",
    "rmxaa": "Revista Mexicana de Astronomía y Astrofísica",
    "skytel": "Sky and Telescope",
    "solphys": "Solar Physics",
    "sovast": "Soviet Astronomy",
    "ssr": "Space Science Reviews",
    "zap": "Zeitschrift für Astrophysik",
}
"""
Journal macros of the AAS. Source: AASTeX author guide, "Abbreviated journal names"; NASA ADS writes them.
"""

KNOWN_COMMANDS = frozenset(
    [
        *ACCENT_COMMANDS,
        *SYMBOL_COMMANDS,
        *MARKDOWN_WRAPPERS,
        *FONT_DECLARATIONS,
        *TRANSPARENT_COMMANDS,
        *DROPPED_COMMANDS,
        *JOURNAL_MACROS,
        "url",
        "href",
        "ensuremath",
    ]
)
"""The commands of these tables; a value with no others has no unknown command."""
