"""Gold keyphrases with a slash: how many of them the shipped pipelines can find at all, and why not the rest.

    python tests/benchmarks/slash_gold.py [PIPELINE …]

Over all documents of Inspec (Hulth 2003, uncontrolled), but for gold with /sub or /sup, marks of its
typesetting. A gold keyphrase counts if it stands in the text (exact, absent: drop), and is found if it is
anywhere in the list of a pipeline (maximum recall). Of the rest: `verb`, `number`, `other`: a token of it has
that part of speech where it first stands; `longer`: the list has it inside a longer phrase; `long`: it has
more than four tokens. Needs KPFRAME_DATA.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

from gold_in_text import documents

import kpframe as kp
from kpframe.engine.cache import AnnotationCache, cache_folder
from kpframe.language.words import phrase_tokens
from kpframe.matching.exact import Exact
from kpframe.model import Annotations, Document

PIPELINES = ("textrank", "tfidf", "noun-phrases", "any-language", "singlerank", "topicrank")


def wanted() -> list[tuple[Document, list[tuple[str, ...]]]]:
    """The documents with such gold, and its tokens."""
    found = []
    for document in documents("Inspec"):
        gold = [one for one in document.gold if "/" in one.text and "/su" not in one.text]
        kept = [one for one in gold if Exact().match([], [one], document.text).gold]
        if kept:
            found.append((document, [phrase_tokens(one.text) for one in kept]))
    return found


def reason(gold: tuple[str, ...], listed: Sequence[tuple[str, ...]], made: Annotations) -> str:
    """Why a gold keyphrase is in no list."""
    if len(gold) > 4:
        return "long"
    if any(gold == phrase[i : i + len(gold)] for phrase in listed for i in range(len(phrase))):
        return "longer"
    words = made.folded_words
    at = next((i for i in range(len(words)) if tuple(words[i : i + len(gold)]) == gold), None)
    if at is None or made.pos is None:
        return "words"
    tags = set(made.strings(made.pos[at : at + len(gold)]))
    named = {"VERB": "verb", "NUM": "number"}
    return next((name for tag, name in named.items() if tag in tags), f"other {sorted(tags)}")


def main() -> None:
    """Print a row for each pipeline."""
    given = wanted()
    total = sum(len(gold) for _, gold in given)
    print(f"{total} gold keyphrases with a slash that stand in the text, in {len(given)} documents")
    cache = AnnotationCache(cache_folder())
    for name in sys.argv[1:] or PIPELINES:
        pipeline = kp.Pipeline.load(name)
        lost: Counter[str] = Counter()
        shown: list[str] = []
        annotated = pipeline.preprocessing.annotate([document for document, _ in given], cache)
        for (document, made), (_, gold) in zip(annotated, given, strict=True):
            listed = [phrase_tokens(one) for one in pipeline.keyphrases(document, made.value).surfaces]
            for phrase in gold:
                if phrase not in listed:
                    why = reason(phrase, listed, made.value)
                    lost[why] += 1
                    shown.append(f"{' '.join(phrase)} [{why}]")
        recall = 1 - sum(lost.values()) / total
        print(f"{name:14} maximum recall {recall:.2f}  lost: {dict(lost.most_common())}")
        if len(sys.argv) > 1:
            print("  " + "\n  ".join(shown))


if __name__ == "__main__":
    main()
