"""The UIMA types that kpframe writes and reads, and the type system that has them.

Where DKPro has a type it is used: Token, Sentence, Lemma, TokenForm, the parts of speech (POS_NOUN, …),
NC for noun phrases, NamedEntity, DocumentMetaData. Keyphrases derive from DKPro Keyphrases' own type.
"""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

from kpframe.errors import ResourceError

__all__ = [
    "COARSE",
    "DOCUMENT",
    "ENTITY",
    "FORM",
    "GOLD",
    "INFO",
    "KEYPHRASE",
    "LEMMA",
    "META",
    "NOUN_PHRASE",
    "PHRASE",
    "POS",
    "SENTENCE",
    "TOKEN",
    "UNIVERSAL",
    "cassis",
    "entity_type",
    "pos_type",
    "reading_types",
    "type_system",
]

_CORE = "de.tudarmstadt.ukp.dkpro.core.api"
TOKEN = f"{_CORE}.segmentation.type.Token"
SENTENCE = f"{_CORE}.segmentation.type.Sentence"
LEMMA = f"{_CORE}.segmentation.type.Lemma"
FORM = f"{_CORE}.segmentation.type.TokenForm"
POS = f"{_CORE}.lexmorph.type.pos.POS"
NOUN_PHRASE = f"{_CORE}.syntax.type.chunk.NC"
ENTITY = f"{_CORE}.ner.type.NamedEntity"
META = f"{_CORE}.metadata.type.DocumentMetaData"
PHRASE = "de.tudarmstadt.ukp.dkpro.keyphrases.core.type.Keyphrase"
DOCUMENT = "uima.tcas.DocumentAnnotation"

INFO = "kpframe.type.DocumentInfo"
KEYPHRASE = "kpframe.type.Keyphrase"
GOLD = "kpframe.type.GoldKeyphrase"

_SAME = (
    *("ADJ", "ADP", "ADV", "AUX", "DET", "INTJ", "NOUN", "NUM", "PART"),
    *("PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X"),
)

COARSE = {**{name: name for name in _SAME}, "CCONJ": "CONJ"}
"""From universal parts of speech to the last part of the name of DKPro's type."""

_OLD = {
    "ADJ": "ADJ",
    "ADV": "ADV",
    "ART": "DET",
    "CARD": "NUM",
    "CONJ": "CCONJ",
    "N": "NOUN",
    "NN": "NOUN",
    "NP": "PROPN",
    "O": "X",
    "PP": "ADP",
    "PR": "PRON",
    "PUNC": "PUNCT",
    "V": "VERB",
}
"""The parts of speech of DKPro Core before 1.9, whose types have no prefix."""

UNIVERSAL = {
    **{f"{POS}_{name}": pos for pos, name in COARSE.items()},
    **{f"{POS.removesuffix('POS')}{name}": pos for name, pos in _OLD.items()},
}
"""From DKPro's types, old ones too, to universal parts of speech."""

_NAMES = {
    **dict.fromkeys(("PERSON", "PER"), "Person"),
    **dict.fromkeys(("ORG", "ORGANIZATION"), "Organization"),
    **dict.fromkeys(("LOC", "LOCATION", "GPE"), "Location"),
}
"""From labels of entities to DKPro's types of the three kinds that all recognisers know."""

_ANNOTATION = "uima.tcas.Annotation"

_FEATURES: dict[str, tuple[str, str, dict[str, str]]] = {
    META: (
        DOCUMENT,
        "DKPro's metadata of a document.",
        {
            "documentTitle": "uima.cas.String",
            "documentId": "uima.cas.String",
            "documentUri": "uima.cas.String",
            "collectionId": "uima.cas.String",
            "documentBaseUri": "uima.cas.String",
            "isLastSegment": "uima.cas.Boolean",
        },
    ),
    PHRASE: (
        _ANNOTATION,
        "DKPro Keyphrases' keyphrase.",
        {"score": "uima.cas.Double", "keyphrase": "uima.cas.String"},
    ),
    INFO: (
        "uima.cas.TOP",
        "metadata: a JSON object; layers: the names of the annotation layers that were made, parted by "
        "spaces (empty: none); systems: the names of the systems with keyphrases, a JSON list.",
        {"metadata": "uima.cas.String", "layers": "uima.cas.String", "systems": "uima.cas.String"},
    ),
    KEYPHRASE: (
        PHRASE,
        "A place of a predicted keyphrase. All places of one keyphrase have the same system and rank; "
        "place numbers them from 0, and is -1 (begin and end 0) for a keyphrase without a place.",
        {
            "system": "uima.cas.String",
            "rank": "uima.cas.Integer",
            "key": "uima.cas.String",
            "place": "uima.cas.Integer",
        },
    ),
    GOLD: (
        "uima.cas.TOP",
        "A gold keyphrase with its variants, the preferred one first; number is its place in the list of "
        "the document, from 0; source says who assigned it.",
        {"number": "uima.cas.Integer", "source": "uima.cas.String", "variants": "uima.cas.StringArray"},
    ),
}
"""For each type that DKPro Core does not bring: supertype, description and features."""


def cassis() -> Any:
    """The library; ResourceError with the command that installs it if it is missing."""
    try:
        import cassis as library
    except ImportError:
        raise ResourceError.at("dkpro-cassis", "is not installed", "pip install 'kpframe[cas]'") from None
    return library


@cache
def type_system() -> Any:
    """DKPro Core's types and those above; one object for all, never changed."""
    return _made()


@cache
def reading_types() -> Any:
    """As `type_system`, with the parts of speech of old DKPro files; for reading alone."""
    system = _made()
    for name in _OLD:
        # As in the old descriptor, nouns and proper nouns are kinds of N.
        parent = f"{POS.removesuffix('POS')}N" if name in ("NN", "NP") else POS
        system.create_type(f"{POS.removesuffix('POS')}{name}", parent)
    return system


def _made() -> Any:
    library = cassis()
    system = library.TypeSystem()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about how the library opens its own file
        _copy(library.load_dkpro_core_typesystem(), system)
    for name, (supertype, description, features) in _FEATURES.items():
        made = system.create_type(name, supertype, description)
        for feature, kind in features.items():
            system.create_feature(made, feature, kind)
    return system


def _copy(source: Any, target: Any) -> None:
    """Make the types of `source` anew.

    In what the library ships, the ranges of features are other objects than the types of the same name,
    and without features; written to JSON, these would take the place of the types.
    """
    kinds = [kind for kind in source.get_types() if not target.contains_type(kind.name)]
    pending = {kind.name: kind for kind in kinds}
    while pending:
        ready = [kind for kind in pending.values() if kind.supertype.name not in pending]
        for kind in ready:
            target.create_type(kind.name, kind.supertype.name, kind.description)
            del pending[kind.name]
    for kind in kinds:
        for feature in kind.features:
            element = None if feature.elementType is None else feature.elementType.name
            target.create_feature(
                target.get_type(kind.name),
                feature.name[:-1] if feature._has_reserved_name else feature.name,
                feature.rangeType.name,
                element,
                feature.description,
                feature.multipleReferencesAllowed,
            )


def pos_type(universal: str) -> str:
    """DKPro's type for a universal part of speech; its base type for any other string."""
    return f"{POS}_{COARSE[universal]}" if universal in COARSE else POS


def entity_type(label: str) -> str:
    """DKPro's type for a label of an entity; its base type for any but persons, places, organisations."""
    return f"{ENTITY.removesuffix('NamedEntity')}{_NAMES[label]}" if label in _NAMES else ENTITY
