"""From Penn Treebank tags to universal parts of speech.

Source: the tag conversion table of Universal Dependencies v2 for English (de Marneffe et al., 2021,
"Universal Dependencies"), restricted to what a tag says without its syntactic context: a form of
"have" is VERB even where it serves as an auxiliary, "that" tagged IN is ADP.
"""

from __future__ import annotations

from types import MappingProxyType

__all__ = ["UNIVERSAL", "universal"]

_GROUPS = {
    "ADJ": "JJ JJR JJS AFX",
    "ADP": "IN RP",
    "ADV": "RB RBR RBS WRB",
    "AUX": "MD",
    "CCONJ": "CC",
    "DET": "DT PDT WDT",
    "INTJ": "UH",
    "NOUN": "NN NNS",
    "NUM": "CD",
    "PART": "POS TO",
    "PRON": "EX PRP PRP$ WP WP$",
    "PROPN": "NNP NNPS NP NPS",
    "PUNCT": ". , : ; ? ! `` '' \" ' ( ) -LRB- -RRB- -LSB- -RSB- -LCB- -RCB- HYPH NFP - -- ...",
    "SYM": "# $ SYM",
    "VERB": "VB VBD VBG VBN VBP VBZ",
    "X": "ADD FW GW LS XX",
}

UNIVERSAL = MappingProxyType({tag: pos for pos, tags in _GROUPS.items() for tag in tags.split()})
"""Every known Penn tag (with the additions of OntoNotes) and its universal part of speech."""


def universal(tag: str) -> str:
    """The universal part of speech of a Penn tag, as `NOUN` for `NNS`; `X` for an unknown tag.

    Of tags joined by `|` (an annotator's doubt between two) the first one counts.
    """
    return UNIVERSAL.get(tag) or UNIVERSAL.get(tag.partition("|")[0], "X")
