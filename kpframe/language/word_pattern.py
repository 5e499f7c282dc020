"""The pattern by which a text without white space is cut into tokens; `words.py` says what the rule is.

It is linear in the length of the text: no part of it can give back what it has taken, and what looks ahead or
behind looks over no more than a word, once for each.
"""

from __future__ import annotations

from functools import cache

import regex

from kpframe.model.folding import INVISIBLE
from kpframe.model.small_digits import FOOTNOTE_AHEAD, FOOTNOTE_BEHIND, RAISED, SMALL

__all__ = ["APOSTROPHES", "TIME_OF_PROGRAMS", "token_pattern"]

APOSTROPHES = "'’‘‛´`＇"
"""What stands for an apostrophe between letters, as parts of a set of characters of a pattern."""

# [^\W_] is a letter, a number, a mark or a joiner; soft hyphens and marks of direction may stand inside, and
# so may small digits and their signs.
_INSIDE = rf"[{INVISIBLE}]++[^\W_]++|(?=[{SMALL}])(?!(?&footnote))[{SMALL}]++[^\W_]*+"
_REST = rf"[^\W_]*+(?:{_INSIDE})*+"

# A word begins with a letter or a number, so that a stray mark never glues to what follows.
_CORE = rf"[\p{{L}}\p{{N}}]{_REST}"

# A letter that may stand alone as a name or an initial.
_LONE = r"\p{L}\p{M}*"

# A plus behind a name (CD4+, Na+/K+-ATPase, B+-trees) has nothing to add behind it: a blank, a mark that ends
# something, or a hyphen or slash and the next name. Case does not count: what is compared has lost it.
_PLUS = r"""\+(?=$|[-‐‑/][\p{L}\p{N}]|[.,](?!\d)|[;:!?)\]}'"’”»…])"""

# A part of a compound: a name with its sign (C#, C++17, Notepad++, CD4+), or any word or number. Behind the
# first part a number may have the plus of the name that it ends (IL-2+, PD-1+); 50+ and 10-20+ have none.
_NAME = rf"{_LONE}+\#(?!\w)|\p{{L}}{_REST}(?:\+\+(?:\d[\da-z])?+(?!\w)|{_PLUS})?+"
_PART = rf"(?:{_NAME}|\p{{N}}{_REST})"
_NEXT = rf"(?:{_NAME}|\p{{N}}{_REST}(?:{_PLUS})?+)"

# What joins parts: one sign, or the prime of a place and a hyphen (5'-UTR).
_PRIME = r"(?<=(?<!\w)\d{1,2})['’′][-‐‑](?=\p{L})"
# What is typed for an apostrophe between letters: o‘zbek, don´t.
_ASKEW = r"(?<=[\p{L}\p{M}])[‘‛´`＇](?=\p{L})"
# A quote between Hebrew letters (UAX #29, WB7b), but for one that opens behind a prefix and closes later.
_HEBREW = r"(?<=\p{Hebrew})[\"“”״](?=\p{Hebrew}\p{M}*+(?!\p{Hebrew})|\p{Hebrew}++(?![\"“”״]))"
_JOINTS = rf"(?:[-‐‑&/+·‧״׳]|__?|[.’'](?![{RAISED}]))(?=[\p{{L}}\p{{N}}])|{_PRIME}|{_ASKEW}|{_HEBREW}"

# UAX #29 has the colon inside words (WB6), which in most languages would glue titles to subtitles, names to
# values and speakers to speech. So it is only where a language has it, and before the endings that it has.
_ENDED = r"(?![^\W_]|[:.,(][^\W_])"
_SWEDISH = (
    r":(?=(?:[nt]?s|[nrto]|e[nt]s?|[aeo]r(?:na)?s?|na|ta?|aren?|an?|e|ande|a[dt]e?|it|st)" + _ENDED + ")"
)
_FINNISH = r":(?=\p{Ll}{1,7}" + _ENDED + ")"
_GERMAN = r"(?<=\p{L}\p{Ll})(?:[:*]|/[-‐‑])(?=innen|in" + _ENDED + r"|(?:e[rnms]?|[rnms])" + _ENDED + ")"
_BOTH_GENDERS = r"(?<=\p{L})@(?=s" + _ENDED + ")"
_OWN_JOINTS = {
    "fi": _FINNISH,
    "sv": _SWEDISH,
    "se": _FINNISH,
    "de": _GERMAN,
    **dict.fromkeys(("es", "pt", "ca", "gl"), _BOTH_GENDERS),
}
"""What joins parts in a language alone: EU:n (Finnish), tv:n (Swedish), Lehrer:innen, niñ@s."""

# A word that begins with an apostrophe: 's avonds, 't, 's-Gravenhage.
_SHORT_ARTICLE = rf"(?<![^\W_])[{APOSTROPHES}][stnkmr](?=$|[-‐‑]\p{{L}}|[,.;:!?)](?![^\W_]))"
_OWN_WORDS = dict.fromkeys(("nl", "af", "fy", "li", "lb"), _SHORT_ARTICLE)


# The minus of an ion or a marker, where another has a plus: Na+/Cl−, CD4+CD25−.
_MINUS = r"""-(?=$|[.,](?!\d)|[;:!?)\]}'"’”»…])(?<=[^\W_]\+[^\s+-]{1,12}-)(?<!\+or-)"""

# A time as programs write it: 2024-05-01T10:00:00Z; folded, its letters are small.
TIME_OF_PROGRAMS = (
    r"\d{4}-\d\d-\d\d[Tt]\d\d(?::?\d\d(?::?\d\d(?:[.,]\d++)?+)?+)?+(?:[Zz]|[+-]\d\d(?::?\d\d)?+)?+"
)

# What stands in brackets in a formula, and how often.
_IN_BRACKETS = r"[a-zA-Z0-9₀-₉]"
_GROUP = rf"\({_LONE}+{_IN_BRACKETS}{{0,9}}+\)[\d₀-₉]++{_REST}"
# At the begin only with a number inside and more behind it, as other words in brackets have not.
_ELEMENTS = r"(?=\p{L}\w{0,9}[\d₀-₉])(?:\p{L}{1,2}[\d₀-₉]{0,2}){1,5}"
_FIRST_GROUP = rf"\({_ELEMENTS}\)(?!{FOOTNOTE_AHEAD})[\d₀-₉{RAISED}]++(?=\p{{L}}){_REST}"


@cache
def token_pattern(language: str) -> regex.Pattern[str]:
    """What one token is in a language, or several that `words.py` parts; "" parts wherever one does."""
    joint = f"(?:{_JOINTS}|{_OWN_JOINTS[language]})" if language in _OWN_JOINTS else f"(?:{_JOINTS})"
    word = f"(?:{_PART}|{_OWN_WORDS[language]})" if language in _OWN_WORDS else _PART
    return _compiled(joint, word)


@cache
def _compiled(joint: str, word: str) -> regex.Pattern[str]:
    return regex.compile(
        rf"""
      (?(DEFINE)(?P<footnote>{FOOTNOTE_BEHIND}))   # once: repeated, it slows every word
      (?i:(?:https?|ftp)://|www\.)[^\s<>"'“”«»]*[^\s<>"'“”«».,;:!?)\]}}]        # a URL
    | 10\.\d{{4,9}}/[^\s<>"“”«»]*[^\s<>"“”«».,;:!?)\]}}]                         # a DOI
    | [\w.+-]{{1,64}}+@[\w-]{{1,63}}+(?:\.[\w-]{{1,63}}+)++                       # an e-mail address
    | (?:{_LONE}+\.){{2,}}+(?:{_LONE}+(?!\w))?                                   # U.S., e.g., a.k.a
    | (?:\d{{1,2}}|{_LONE}+)['′’]?(?:,(?:\d{{1,2}}|{_LONE}+)['′’]?){{1,8}}+
      -(?=\p{{L}}){_CORE}(?:[-‐‑,](?=[^\W_]){_CORE})*+                            # N,N-dimethylformamide
    | {_FIRST_GROUP}(?:{_GROUP})*+(?:{joint}{_NEXT})*+                            # (CH₃)₂CO
    | {_LONE}+{_IN_BRACKETS}{{0,9}}+(?:{_GROUP})++(?:{joint}{_NEXT})*+            # Ca(OH)2
    | {TIME_OF_PROGRAMS}(?![^\W_])                                               # 2024-05-01T10:00:00Z
    | \d++(?:[.,:/]\d++)++(?:%|(?![^\W_]))                                        # 3.14, 1,000, 12/5
    | (?<![^\s(\[/])\.(?i:net)(?!\w)                                              # .NET
    | (?=[{RAISED}])(?<![^\W_]){FOOTNOTE_AHEAD}                                 # ¹Department
    | (?=\p{{L}}){word}(?:{joint}{_NEXT})*+(?:{_MINUS})?+                         # words and compounds
    | {word}(?:{joint}{_PART})*+                                                # of numbers: 10-20+ is a sum
    | --++ | \.\.++ | _++                                                         # dashes and leaders
    | \x1b\[[0-?]{{0,20}}+[@-~]                                                   # an escape of terminals
    | \p{{M}}++                                                                   # a mark without a letter
    | (?!\p{{Cf}})\S[\p{{M}}\u200c\u200d]*+                                        # any other sign
    """,
        # Not IGNORECASE: iota is the capital of U+0345, the mark below a letter, and would count as a mark.
        regex.VERBOSE,
    )
