"""Tables of LaTeX commands and their replacements."""

from collections.abc import Mapping

ACCENT_COMMANDS: Mapping[str, str] = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304", ".": "\u0307", "u": "\u0306",
    "v": "\u030c", "H": "\u030b", "c": "\u0327", "d": "\u0323", "b": "\u0331", "r": "\u030a", "k": "\u0328", "t": "\u0361",
    "textcommabelow": "\u0326", "ocirc": "\u030a",
}  # fmt: skip
"""Accent commands and the combining characters they set. Source: LaTeX2e manual (latexref), "Accents"."""

_GREEK_NAMES = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho varsigma sigma tau upsilon phi chi psi omega"
GREEK_LETTERS: Mapping[str, str] = {
    f"text{name}": letter
    for name, letter in zip(_GREEK_NAMES.split(), "αβγδεζηθικλμνξοπρςστυφχψω", strict=True)
} | {
    f"text{name.capitalize()}": letter
    for name, letter in zip(_GREEK_NAMES.split(), "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΣΤΥΦΧΨΩ", strict=True)
}
"""Greek letters outside formulas. Source: the package textgreek."""

SYMBOL_COMMANDS: Mapping[str, str] = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ",
    "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ",
    "th": "þ", "TH": "Þ", "ldots": "…", "dots": "…", "textellipsis": "…", "S": "§", "P": "¶", "dag": "†",
    "ddag": "‡", "textdagger": "†", "textdaggerdbl": "‡", "copyright": "©", "textcopyright": "©",
    "textregistered": "®", "texttrademark": "™", "textdegree": "°", "pounds": "£", "textsterling": "£",
    "euro": "€", "texteuro": "€", "textendash": "–", "textemdash": "—", "textquoteleft": "‘",
    "textquoteright": "’", "textquotedblleft": "“", "textquotedblright": "”", "guillemotleft": "«",
    "guillemotright": "»", "textasciitilde": "~", "textasciicircum": "^", "textbackslash": "\\",
    "textunderscore": "_", "textbar": "|", "textless": "<", "textgreater": ">", "textasteriskcentered": "*",
    "textbullet": "•", "textperiodcentered": "·", "LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX",
    "slash": "/", "quad": " ", "qquad": " ", "space": " ", "newline": " ", "par": "\n\n", "textquotedbl": '"',
    "textquotesingle": "'", "textordfeminine": "ª", "textordmasculine": "º", "times": "×", "textmu": "µ",
    "thinspace": "\u2009", "cprime": "ʹ", "emdash": "—", "endash": "–", "Dash": "—", "MF": "METAFONT", "LaTeXe": "LaTeX2e", "METAFONT": "METAFONT",
    "XeLaTeX": "XeLaTeX", "XeTeX": "XeTeX", "LuaLaTeX": "LuaLaTeX", "LuaTeX": "LuaTeX", "pdfLaTeX": "pdfLaTeX", "pdfTeX": "pdfTeX",
    "ConTeXt": "ConTeXt", "AmS": "AMS", "AmSLaTeX": "AMS-LaTeX", "eTeX": "e-TeX", "BibLaTeX": "BibLaTeX", "biblatex": "biblatex", "biber": "biber", "CTAN": "CTAN",
    "hyphen": "-", "bibhyphen": "-", "addslash": "/", "addcomma": ",", "addsemicolon": ";", "addcolon": ":", "addperiod": ".", "adddot": ".",
    "addspace": " ", "addnbspace": "\u00a0", "addhyphen": "-", "adddash": "–", "bibrangedash": "–", "textnumero": "№", "textmicro": "µ",
    "registered": "®", "trademark": "™", "item": " • ",
    "adddotspace": ". ", "addabbrvspace": "\u00a0", "addnbthinspace": "\u202f", "addthinspace": "\u2009", "addlowpenspace": " ",
    "addhighpenspace": " ", "addlpthinspace": "\u2009", "addhpthinspace": "\u2009", "subtitlepunct": ": ", "newunitpunct": ". ", "isdot": "",
    "nopunct": "", "unspace": "", "psq": "\u00a0sq.", "psqq": "\u00a0sqq.",
    **GREEK_LETTERS, "MP": "METAPOST", "PS": "PostScript", "POSTSCRIPT": "PostScript", "AmSTeX": "AMS-TeX", "TUB": "TUGboat",
}  # fmt: skip
"""Commands for characters."""

ABBREVIATION_COMMANDS: Mapping[str, str] = {
    "eg": "e.g.", "ie": "i.e.", "etal": "et al.", "etc": "etc.", "cf": "cf.", "aka": "a.k.a.", "wrt": "w.r.t.", "vs": "vs.",
}  # fmt: skip
"""Commands that many authors define, most often so that the space after them stays."""

MARKDOWN_WRAPPERS: Mapping[str, tuple[str, str]] = {
    "emph": ("*", "*"),
    "textit": ("*", "*"),
    "textsl": ("*", "*"),
    "textbf": ("**", "**"),
    "texttt": ("<code>", "</code>"),
    "textsc": ('<span class="sc">', "</span>"),
    "textsuperscript": ("<sup>", "</sup>"),
    "textsubscript": ("<sub>", "</sub>"),
    "underline": ("<u>", "</u>"),
    "enquote": ("“", "”"),
    "mkbibquote": ("“", "”"),
    "mkbibemph": ("*", "*"),
    "mkbibparens": ("(", ")"),
    "mkbibbrackets": ("\\[", "\\]"),
    "booktitle": ("*", "*"),
    "path": ("<code>", "</code>"),
    "mkbibitalic": ("*", "*"),
    "mkbibbold": ("**", "**"),
}
"""Commands that format their argument, with the Markdown before and after it."""

HTML_WRAPPERS: Mapping[str, tuple[str, str]] = {"*": ("<em>", "</em>"), "**": ("<strong>", "</strong>")}
"""HTML tags that replace stars next to other stars."""

FONT_DECLARATIONS: Mapping[str, str] = {
    "em": "emph", "it": "textit", "itshape": "textit", "sl": "textsl", "bf": "textbf", "bfseries": "textbf",
    "tt": "texttt", "ttfamily": "texttt", "sc": "textsc", "scshape": "textsc",
}  # fmt: skip
"""Font declarations, which format the rest of their group."""

BIBLIOGRAPHY_STRINGS: Mapping[str, str] = {
    "and": "and", "andothers": "et al.", "bathesis": "Bachelor’s thesis", "byeditor": "edited by", "bytranslator": "translated by",
    "chapter": "chap.", "edition": "ed.", "editor": "ed.", "editors": "eds.", "forthcoming": "forthcoming", "in": "in", "inpress": "in press",
    "inpreparation": "in preparation", "mathesis": "Master’s thesis", "number": "no.", "page": "p.", "pages": "pp.", "patent": "patent",
    "phdthesis": "PhD thesis", "submitted": "submitted", "techreport": "technical report", "version": "version", "volume": "vol.", "volumes": "vols.",
}  # fmt: skip
"""Words of `\\bibstring`; others are shown by their keys. Source: biblatex manual, section 4.9.2, "Localisation Keys"."""

TRANSPARENT_COMMANDS = frozenset([
    "text", "textrm", "textup", "textmd", "textnormal", "textsf", "mbox", "acro", "hbox", "makebox", "protect",
    "relax", "natexlab", "slashed", "mathrm", "mathsf", "mathtt", "mathbf", "mathit", "mathcal", "mathbb", "operatorname", "section", "subsection", "paragraph", "llap", "rlap", "vbox", "centerline", "xspace", "ignorespaces",
    "aftergroup", "unskip", "leavevmode", "null", "noindent", "centering", "linebreak", "nolinebreak", "break", "hfill", "strut", "smallskip",
    "medskip", "bigskip", "bgroup", "egroup", "begingroup", "endgroup", "printonly", "uppercase", "lowercase", "MakeUppercase", "MakeLowercase", "rm", "sf", "up",
    "normalfont", "mkbibacro", "autocap", "uline", "nocase", "NoCaseChange", "small", "footnotesize", "large", "boldmath", "unboldmath", "nobreak", "allowbreak",
])  # fmt: skip
"""Commands that are ignored; their argument is shown."""

DROPPED_COMMANDS = frozenset([
    "noopsort", "vphantom", "phantom", "SortNoop", "label", "begin", "end", "nocite", "pagebreak", "fontsize", "vspace", "hspace", "footnote",
    "selectlanguage", "foreignlanguage", "bibinfo", "textcolor", "color", "index", "hphantom", "raisebox", "thanks",
])  # fmt: skip
"""Commands that are dropped together with their first argument."""

DIMENSION_COMMANDS = frozenset(
    ["kern", "mkern", "hskip", "mskip", "vskip", "raise", "lower", "moveleft", "moveright"]
)
"""Commands of TeX that are followed by a length without braces; both are dropped."""

DEFINITION_COMMANDS = frozenset(
    ["def", "gdef", "edef", "let", "newcommand", "renewcommand", "providecommand", "DeclareRobustCommand"]
)
"""Commands that define another; the name and its definition are dropped."""

ACCENT_NUMBERS: Mapping[int, str] = {
    18: "`", 19: "'", 20: "v", 21: "u", 22: "=", 23: "r", 24: "c", 94: "^", 95: ".", 125: "H", 126: "~", 127: '"',
}  # fmt: skip
"""Accents of TeX's command `\\accent`, by their positions in a font. Source: "The TeXbook", chapter 9 and appendix F."""

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
"""Journal macros of the AAS. Source: AASTeX author guide, "Abbreviated journal names"; NASA ADS writes them."""

KNOWN_COMMANDS = frozenset(
    [
        *ACCENT_COMMANDS, *SYMBOL_COMMANDS, *ABBREVIATION_COMMANDS, *MARKDOWN_WRAPPERS, *FONT_DECLARATIONS, *TRANSPARENT_COMMANDS, *DROPPED_COMMANDS,
        *DIMENSION_COMMANDS, *DEFINITION_COMMANDS, *JOURNAL_MACROS, "url", "href", "ensuremath", "verb", "accent", "iflanguage",
    ]
)  # fmt: skip
"""The commands of these tables; a value with no others has no unknown command."""
