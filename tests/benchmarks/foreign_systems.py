"""Two foreign systems and three computed ones over three corpora, every value checked by a plain script.

    pip install yake summa
    python tests/benchmarks/foreign_systems.py --documents 500 --out /tmp/foreign

YAKE's and summa's own programs predict keyphrases for Inspec, kdd and SemEval-2017; one spec with
`datasets:` puts them beside three rankings of kpframe. Then all scores, and which differences are
significant, are computed once more, from the saved keyphrases and the gold, by the few lines of
`plain_scores.py`, which share nothing with kpframe's matching, metrics and tests but the tokenizer. Ends
with status 1 if anything differs. Needs the corpora.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import plain_scores
from side_by_side import corpora, table

from kpframe import Document
from kpframe.engine.study import Study
from kpframe.htmlreport.study import write_study_page
from kpframe.runs.study_folder import StudyFolder
from kpframe.spec import DataSets, load_specs
from kpframe.stages.registry import lookup

CORPORA = {
    "inspec": {"kind": "hulth2003", "path": "Hulth2003.tar.gz"},
    "kdd": {"kind": "text_and_keys", "path": "kdd.zip"},
    "semeval2017": {"kind": "text_and_keys", "path": "SemEval2017.zip"},
}

SPEC = """\
name: foreign
preprocessing: [simple]
systems:
  frequency: {candidates: {kind: ngrams, max: 3}, ranking: frequency}
  tfidf: {candidates: tokens, ranking: {kind: tfidf, idf: {from: collection}}}
  cooccurrence: {candidates: tokens, ranking: {kind: cooccurrence, window: 2}}
postprocessing:
  - {kind: merge_adjacent, max_tokens: 4}
  - {kind: stopwords, lists: [en], trim: both}
metrics: [r_precision, f1@5, f1@10, recall@M, precision@M]
matching: [exact, approximate]
save: 100000
"""

DATASET = """\
  {name}:
    documents: {{kind: jsonl, path: {name}.jsonl}}
    systems:
      yake: {{predictions: {{path: {name}.yake.jsonl, better: lower}}, postprocessing: []}}
      summa: {{predictions: {{path: {name}.summa.jsonl}}, postprocessing: []}}
"""


def read(kind: str, path: Path, number: int) -> Iterator[Document]:
    """The first documents of a corpus."""
    found = lookup("documents", kind)(path=str(path)).read()  # type: ignore[attr-defined]
    for item in found:
        if number and isinstance(item, Document):
            number -= 1
            yield item


def predict(name: str, document: Document) -> list[Any]:
    """What a foreign program says: pairs of phrase and score, as it returns them."""
    if name == "yake":
        import yake

        found = yake.KeywordExtractor(lan="en", n=3, top=20).extract_keywords(document.text)
    else:
        from summa import keywords

        try:
            found = keywords.keywords(document.text, scores=True)[:20]
        except IndexError:  # summa's own, for texts without an edge in their graph
            found = []
    return [[phrase, float(score)] for phrase, score in found if phrase.strip()]


def lay_out(folder: Path, number: int) -> None:
    """Corpora, predictions and the spec over them."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = [SPEC, "datasets:\n"]
    for name, corpus in CORPORA.items():
        documents = list(read(corpus["kind"], corpora() / corpus["path"], number))
        lines = [json.dumps(document.to_json()) for document in documents]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        for system in ("yake", "summa"):
            rows = [json.dumps({"id": one.id, "keyphrases": predict(system, one)}) for one in documents]
            (folder / f"{name}.{system}.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
        parts.append(DATASET.format(name=name))
    (folder / "foreign.yaml").write_text("".join(parts), encoding="utf-8")


def compiled(run: Path) -> str:
    """Whether pdflatex makes something of all tables."""
    if not shutil.which("pdflatex"):
        return "not tried: there is no pdflatex"
    inputs = "".join(f"\\input{{{path}}}\n" for path in sorted(run.rglob("*.tex")))
    head = "\\documentclass[a4paper,twocolumn]{article}\\usepackage{booktabs,graphicx}\\extrafloats{40}"
    (run / "paper.tex").write_text(
        f"{head}\\begin{{document}}\n{inputs}\\end{{document}}\n", encoding="utf-8"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=run, capture_output=True, text=True, errors="replace", check=False)
    return "fails" if done.returncode else f"{done.stdout.count('Overfull')} overfull boxes"


def main() -> int:
    """Predict, run, check and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--documents", type=int, default=500, help="of each corpus at most")
    parser.add_argument("--out", default="runs/foreign", help="the folder for all of it")
    options = parser.parse_args()
    folder = Path(options.out).absolute()
    if not (folder / "foreign.yaml").is_file():
        lay_out(folder, options.documents)
    spec = load_specs(str(folder / "foreign.yaml"))
    assert isinstance(spec, DataSets)
    begin = time.process_time()
    run = Study(spec).run(out=folder / "run")
    write_study_page(StudyFolder.read(run.folder), run.across)
    spent = time.process_time() - begin
    print(run.text)
    found = [plain_scores.check(run.folder / "datasets" / name, folder / f"{name}.jsonl") for name in CORPORA]
    values, widest = sum(one.values for one in found), max(one.widest for one in found)
    tests, apart = sum(one.tests for one in found), [line for one in found for line in one.apart]
    page = (run.folder / "report.html").stat().st_size / 1e6
    table(
        f"five systems over {len(CORPORA)} corpora of {options.documents} documents",
        [
            ("values, and the largest difference from the plain script", f"{values}, {widest:.1e}", "0"),
            ("corrected p, and those on the other side of .05", f"{tests}, {len(apart)}", "0"),
            ("page", f"{page:.1f} MB", ""),
            ("LaTeX", compiled(run.folder), "0 overfull boxes"),
            ("CPU of the run and its page", f"{spent:.1f} s", ""),
        ],
    )
    print("\n".join(apart))
    return 1 if apart or widest > 1e-12 else 0


if __name__ == "__main__":
    sys.exit(main())
