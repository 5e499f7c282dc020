"""Which of the shipped pipelines suits which texts? A table for each corpus, measured here and now.

    python examples/which_pipeline.py [CORPUS …] [--data DIR] [--limit N] [--development]
    python examples/which_pipeline.py [CORPUS …] --learning-curve kea

A CORPUS is one that `kpframe data list` finds; without any it is the small one that kpframe ships. Pipelines
that learn come twice: trained on two thirds of the corpus, and with the shipped model (made of the small
corpus). All are evaluated on the same last third; ° marks what may differ from the best by chance alone.
Times are CPU times from raw text to keyphrases, language model included and nothing cached on disk; the
pipelines take turns, batch by batch. A learning curve trains on fewer documents, five times each, and
shows the mean and the range of its scores.
"""

import argparse
import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from time import process_time

from kpframe import Document, Extraction, Pipeline, score
from kpframe.analysis.catalogue import known_corpora
from kpframe.engine.spool import Spool, read_documents
from kpframe.evaluation.against_best import against_best
from kpframe.evaluation.comparison_sample import Sample
from kpframe.evaluation.predictions import Pair
from kpframe.evaluation.scoring import chosen_measures, tallied
from kpframe.evaluation.tallies import Tally, signature
from kpframe.spec import load_spec
from kpframe.spec.measures import Measure

PIPELINES = ("textrank", "noun-phrases", "tfidf", "kea")
MATCHINGS = ["approximate", "exact"]
PRESENT = {"kind": "exact", "normalize": "porter", "absent": "split"}  # present keyphrases, equal stems
MEASURES = [
    *chosen_measures("r_precision", MATCHINGS, texts=True),
    *chosen_measures(["f1@5", "f1@10"], PRESENT, texts=True),
]
BATCH, SIZES, DRAWS = 10, (10, 30, 100, 300), 5

Documents = Sequence[Document]


def trainable(name: str) -> str:
    """What a shipped pipeline learns from: `texts`, `texts with gold`, or nothing."""
    learns = Pipeline.load(name).configuration.ranking.fits_on()
    return {"training": "texts with gold", "collection": "texts"}.get(learns, "")


def prepared(training: Documents) -> dict[str, tuple[Pipeline, str]]:
    """The pipelines with what they need; language models are loaded and caches of words filled."""
    found = {}
    for name in PIPELINES:
        shipped, wanted = Pipeline.load(name), trainable(name)
        spacy = any(annotator.engine("en") for annotator in shipped.preprocessing.annotators)
        needs = ["language model"] if spacy else []
        if wanted:
            found[name] = Pipeline.train(name, training), ", ".join([*needs, wanted])
        found[f"{name}, shipped model" if wanted else name] = shipped, ", ".join(needs) or "nothing"
    for pipeline, _ in found.values():
        list(pipeline.extract_many(training[:BATCH]))
    return found


def tallies(documents: Documents, found: Sequence[Extraction]) -> list[dict[str, Tally]]:
    """For each measure what was counted in each document."""
    pairs = [
        Pair(document.id, document.gold, tuple(keyphrase.text for keyphrase in result), document.text)
        for document, result in zip(documents, found, strict=True)
    ]
    counted = [(pair.id, found) for pair, found in tallied(pairs, MEASURES)]
    return [{id: found[number] for id, found in counted} for number in range(len(MEASURES))]


def marked(measure: Measure, counted: dict[str, dict[str, Tally]]) -> Iterator[str]:
    """The score of each pipeline, the best one bold, with ° if it does not differ from that one."""
    sample = Sample.of_tallies(measure.column, measure.metric, counted)
    for number, verdict in enumerate(against_best(sample).values()):
        text = f"{sample.score(number) or 0.0:.3f}".removeprefix("0")
        yield f"**{text}**" if verdict.best else text if verdict.significant else f"{text} °"


def table(training: Documents, evaluated: Documents) -> Iterator[str]:
    """All pipelines: scores, time as a multiple of that of the first, needs; then the recipes."""
    pipelines = prepared(training)
    found: dict[str, list[Extraction]] = {name: [] for name in pipelines}
    seconds = dict.fromkeys(pipelines, 0.0)
    for begin in range(0, len(evaluated), BATCH):
        for name in sorted(pipelines, key=lambda name: random.Random(f"{begin}/{name}").random()):
            start = process_time()
            found[name] += pipelines[name][0].extract_many(evaluated[begin : begin + BATCH])
            seconds[name] += process_time() - start
    counted = {name: tallies(evaluated, results) for name, results in found.items()}
    columns = [list(marked(m, {name: counted[name][i] for name in counted})) for i, m in enumerate(MEASURES)]
    yield f"| pipeline | R-precision approx. | exact | F1@5 | F1@10 | time | needs |\n|{'---|' * 7}"
    for (name, (_, needs)), *scores in zip(pipelines.items(), *columns, strict=True):
        yield f"| {name} | {' | '.join(scores)} | {seconds[name] / seconds['textrank']:.2f} × | {needs} |"
    failed = sum(result.error is not None for results in found.values() for result in results)
    yield f"\ntextrank: {1000 * seconds['textrank'] / len(evaluated):.1f} ms a document; failures: {failed}"
    for i, measure in enumerate(MEASURES):
        counts = sum(tally.counts_for(measure.metric) for tally in counted["textrank"][i].values())
        yield f"{measure.column}: {signature(measure.metric, measure.matching, counts)}"


def learning_curve(name: str, training: Documents, evaluated: Documents) -> Iterator[str]:
    """R-precision of a pipeline by the number of its training documents."""
    yield "| documents | R-precision approx. | exact |\n|---|---|---|"
    for size in (*(size for size in SIZES if size < len(training)), len(training)):
        draws = [random.Random(f"{size}/{draw}").sample(training, size) for draw in range(DRAWS)]
        pipelines = [Pipeline.train(name, draw) for draw in draws[: DRAWS if size < len(training) else 1]]
        scores = [score(evaluated, p.extract_many(evaluated), matching=MATCHINGS) for p in pipelines]
        ranges = ([found[i].value or 0.0 for found in scores] for i in range(len(MATCHINGS)))
        cells = (f"{fmean(values):.3f} ({min(values):.3f}–{max(values):.3f})" for values in ranges)
        yield f"| {size} | {' | '.join(cells)} |"


def main() -> None:
    """Print what is asked for, corpus by corpus."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("corpora", nargs="*", default=["demo"], metavar="CORPUS")
    parser.add_argument("--data", help="the folder of the corpora")
    parser.add_argument("--limit", type=int, help="only the first documents of each corpus")
    parser.add_argument("--development", action="store_true", help="leave the evaluated third alone")
    parser.add_argument("--learning-curve", choices=[*filter(trainable, PIPELINES)], metavar="PIPELINE")
    options = parser.parse_args()
    split = load_spec("kea", settings=[f"split.development={str(options.development).lower()}"]).split
    known = {corpus.name: corpus for corpus in known_corpora(options.data)}
    for name in options.corpora:
        reader = known[name].reader if name in known else None
        if reader is None:
            parser.error(f"{name}: {known[name].missing if name in known else 'see `kpframe data list`'}")
        with tempfile.TemporaryDirectory() as folder:
            spool = Spool.write(Path(folder) / "spool", reader.read(), split=split, limit=options.limit)
            training, evaluated = (read_documents(spool.path, spool.part(p)) for p in ("train", "test"))
        print(f"\n{known[name].title}: {len(training)} for training, {len(evaluated)} evaluated\n")
        curve = options.learning_curve
        print(
            *(learning_curve(curve, training, evaluated) if curve else table(training, evaluated)), sep="\n"
        )


if __name__ == "__main__":
    main()
