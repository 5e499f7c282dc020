"""Which pipeline should be the default of `kpframe extract`? Mean ranks over corpora, on development parts.

    python tests/benchmarks/default_choice.py [CORPUS …] [--data DIR] [--limit N] [--against textrank]

`pipelines/README.md` has the rule, which was written down before anything was measured. A CORPUS is one of
those below; without any all are run. Runs lie in the folder --out and are not computed again. With --against
the default is compared with the one before it on test parts, which the choice did not see.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from kpframe import Experiment
from kpframe.analysis.comparison import compare
from kpframe.engine.experiment import Run
from kpframe.files.resources import resource_path

CANDIDATES = Path(__file__).with_name("default_candidates.yaml")
AGAINST = Path(__file__).with_name("default_against.yaml")
CORPORA = {
    "inspec": ("short", "{kind: hulth2003, path: '${KPFRAME_DATA}/Hulth2003.tar.gz', gold: uncontrolled}"),
    "semeval2017": ("short", "{kind: text_and_keys, path: '${KPFRAME_DATA}/SemEval2017.zip'}"),
    "kdd": ("short", "{kind: text_and_keys, path: '${KPFRAME_DATA}/kdd.zip'}"),
    "duc": (
        "news",
        "{kind: duc2001, path: '${KPFRAME_DATA}/DUC2001-txt.zip', "
        "labels: '${KPFRAME_DATA}/DUC2001LabeledKeyphrase.txt'}",
    ),
    "sp": ("long", "{kind: text_and_keys, path: '${KPFRAME_DATA}/Nguyen2007.zip'}"),
    "semeval2010": ("long", "{kind: text_and_keys, path: '${KPFRAME_DATA}/SemEval2010.zip'}"),
}
"""Names, kinds of texts and readers."""


def ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value, 1 for the greatest; equal ones share the mean of theirs."""
    return [
        sum(other > value for other in values) + (1 + sum(other == value for other in values)) / 2
        for value in values
    ]


def rank_on(run: Run) -> dict[str, float]:
    """For each pipeline its mean rank over the columns of a corpus."""
    summary = run.summary
    names = [cell.name for cell in summary.cells]
    columns = [ranks([cell.value(column) or 0.0 for cell in summary.cells]) for column in summary.columns]
    return {name: fmean(column[number] for column in columns) for number, name in enumerate(names)}


def table(runs: Mapping[str, Run]) -> str:
    """All pipelines, the best mean rank first: rank and F1@10 (exact, approximate) by corpus."""
    found = {corpus: rank_on(run) for corpus, run in runs.items()}
    names = list(next(iter(found.values())))
    overall = {name: fmean(rank[name] for rank in found.values()) for name in names}
    heads = [f"{corpus} ({run.summary.cells[0].documents})" for corpus, run in runs.items()]
    lines = [f"| pipeline | mean rank | {' | '.join(heads)} |", f"|{'---|' * (2 + len(heads))}"]
    for name in sorted(names, key=lambda name: overall[name]):
        cells = []
        for corpus, run in runs.items():
            values = (
                run.summary.value(name, f"f1@10/{matching}") or 0.0 for matching in ("exact", "approximate")
            )
            scores = " / ".join(f"{value:.3f}".removeprefix("0") for value in values)
            cells.append(f"{found[corpus][name]:.1f} ({scores})")
        lines.append(f"| `{name}` | {overall[name]:.1f} | {' | '.join(cells)} |")
    return "\n".join(lines)


def against(baseline: str, folder: Path) -> str:
    """The default and `baseline` in each column of a run, with p of their difference."""
    lines = []
    for comparison in compare([folder], baselines=[baseline]):
        for contrast in comparison.contrasts:
            sign = ("+" if contrast.difference > 0 else "-") if contrast.significant else " "
            scores = f"{contrast.baseline_score:.3f} {contrast.score:.3f}"
            lines.append(f"  {sign} {comparison.column:<24} {scores}  p {contrast.corrected_p:.4f}")
    return "\n".join(lines)


def main() -> None:
    """Run what is asked for and print the table; then the mean ranks on each kind of texts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", default=list(CORPORA))
    parser.add_argument("--data", help="the folder of the corpora")
    parser.add_argument("--limit", type=int, help="only the first documents of each corpus")
    parser.add_argument("--out", default="runs/default-choice", help="the folder of the runs")
    parser.add_argument(
        "--against", choices=("textrank",), help="compare the default with this, on test parts"
    )
    options = parser.parse_args()
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    frequencies = out / "df.json"
    model = json.loads(resource_path("models/tfidf-demo").read_text(encoding="utf-8"))
    frequencies.write_text(json.dumps(model["state"]), encoding="utf-8")
    os.environ["KPFRAME_DF"] = str(frequencies.resolve())
    runs = {}
    for corpus in options.corpora:
        spec = AGAINST if options.against else CANDIDATES
        experiment = Experiment.load(spec, settings=[f"documents={CORPORA[corpus][1]}"], data=options.data)
        folder = out / (f"{corpus}-test" if options.against else corpus)
        runs[corpus] = experiment.run(out=folder, limit=options.limit, quiet=False)
        if options.against:
            print(
                f"{corpus}, {runs[corpus].summary.cells[0].documents} documents: {options.against}, by-length"
            )
            print(against(options.against, folder))
    if options.against:
        return
    print(table(runs))
    for kind in dict.fromkeys(CORPORA[corpus][0] for corpus in runs):
        own = [rank_on(run) for corpus, run in runs.items() if CORPORA[corpus][0] == kind]
        means = {name: fmean(rank[name] for rank in own) for name in own[0]}
        best = sorted(means, key=lambda name: means[name])[:5]
        print(f"{kind}: " + ", ".join(f"{name} {means[name]:.1f}" for name in best))


if __name__ == "__main__":
    main()
