"""Slashes that join no term: in and/or and he/she, in shortened words (w/o), in rates (km/h, s⁻¹)."""

from __future__ import annotations

import regex

from kpframe.model.remembered import remembered

__all__ = ["is_rate", "is_shortened", "joins_function_words"]

_LISTS = (
    "and/or or/and and/but but/and and/not either/or neither/nor both/and if/when when/if if/then",
    "with/without to/from from/to for/against who/whom this/that these/those is/are are/is was/were",
    "has/have do/does a/an und/oder oder/und der/die die/der ein/eine einer/eines et/ou ou/et un/une le/la",
    "la/le ce/cette celui/celle son/sa y/o e/o o/y o/e el/la la/el los/las un/una e/ou ou/e um/uma seu/sua",
    "en/of of/en och/eller og/eller i/lub lub/i ja/tai и/или или/и та/або",
)
_PAIRS = frozenset(pair for pairs in _LISTS for pair in pairs.split())
"""Whole words, case-folded. Pairs that are terms, as on/off, in/out and yes/no, are not among them."""

_PERSONAL = tuple(
    frozenset(words.split())
    for words in (
        "he she it they him her them his hers its their theirs himself herself itself themself themselves",
        "er sie es ihn ihm ihr ihnen sein seine seinen seinem seiner seines ihre ihren ihrem ihrer ihres",
        "il elle ils elles lui eux",
        "él ella ellos ellas",
        "egli ella lui lei",
        "ele ela eles elas dele dela",
        "hij zij ze hem haar zijn",
        "han hon hun hen ham henne hende hans hennes hendes",
        "on ona jego jej jemu",
    )
)
"""Pronouns of persons by language; words joined of nothing else are no term."""

_SHORTENED = frozenset({"w/o", "W/o", "w/out", "w/in", "s/he", "S/he"})
"""Words that are written with a slash and are no terms, case and all: W/O is an emulsion."""

_SHORT_RATES = frozenset(
    rate
    for rates in ("m/s m/s2 m/s² g/l g/L l/h l/s", "V/m V/s A/m W/m W/K J/K J/g N/m")
    for rate in rates.split()
)
"""Rates of one-letter units; of others each pair is one."""

_PREFIXED = r"(?:[nuµμmcdkMGT]?(?:g|m|s|l|L|mol|Hz|V|A|W|J|N|Pa|K|eV|B|M|F|C|T|Wh|bps|cal|rad))"
_POWER = r"(?:⁻?[¹²³]|\^?-?[1-3])"
_UNIT = rf"(?:{_PREFIXED}|min|hr?|d|day|days|week|wk|month|year|yr|a|sec|ha|dm|IU|U|ppm|px){_POWER}?"
_RATE = regex.compile(rf"(?:{_UNIT})(?:/{_UNIT})+|{_PREFIXED}⁻[¹²³]|[nuµμmcdk]?m[²³]")
_MARKS_OF_UNITS = frozenset("/⁻²³")


@remembered
def joins_function_words(word: str) -> bool:
    """Whether a word with slashes is nothing but function words, in whatever language."""
    folded = word.casefold()
    if folded in _PAIRS:
        return True
    parts = folded.split("/") if len(folded) <= 40 else []
    return len(set(parts)) > 1 and any(persons.issuperset(parts) for persons in _PERSONAL)


def is_shortened(word: str) -> bool:
    """Whether a word is short for function words: w/o, s/he."""
    return word in _SHORTENED


def is_rate(word: str) -> bool:
    """Whether a word is a unit such as km/h, s⁻¹ or m³; of one-letter units only the well-known ones are."""
    if len(word) > 16 or _MARKS_OF_UNITS.isdisjoint(word):
        return False
    if "/" in word and all(len(part) == 1 for part in word.split("/")):
        return word in _SHORT_RATES
    return _RATE.fullmatch(word) is not None
