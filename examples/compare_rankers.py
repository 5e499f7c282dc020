# ruff: noqa: B018 - what stands last in a cell is what the cell shows
# %% [markdown]
# # Compare rankers on your own texts
#
# Which ranking suits my texts? This notebook answers it for the small corpus that kpframe ships; put the path
# of your own corpus into `MINE` to have it answered for yours. It opens as a notebook in editors that know
# `# %%` cells (VS Code, PyCharm, Spyder, or Jupyter with jupytext), and runs as a plain script too.

# %%
import tempfile
from pathlib import Path

from kpframe import Document, Experiment, Pipeline, ResourceError
from kpframe.spec import load_spec

MINE = None
"""A .jsonl file of texts with gold keyphrases, as {"text": "…", "gold": ["…"]}; None: the shipped corpus."""

where = f"path: {MINE}" if MINE else "resource: corpora/demo"
spec = load_spec("textrank", settings=[f"documents={{kind: jsonl, {where}}}"])

# %% [markdown]
# ## One document, two rankers
#
# A result shows itself: the keyphrases are marked in the text, the best ones in the strongest colour.

# %%
assert spec.reader is not None
document = next(found for found in spec.reader.read() if isinstance(found, Document))

textrank = Pipeline.load("textrank").extract(document.text, top=10)
textrank

# %%
plain = Pipeline.load("noun-phrases").extract(document.text, top=10)
plain

# %% [markdown]
# What is found by one and not by the other:

# %%
only = {keyphrase.key for keyphrase in textrank} - {keyphrase.key for keyphrase in plain}
print("only TextRank:", ", ".join(sorted(only)))

# %% [markdown]
# ## All documents, measured
#
# The spec says what is varied; whatever it does not vary is the same for all: texts, candidates,
# post-processing and evaluation. Approximate matching also counts "performance metrics" where the gold is
# "performance metric".

# %%
SPEC = f"""\
name: my-comparison
documents: {{kind: jsonl, {where}}}
preprocessing: [tokenize, pos]
candidates: {{kind: tokens, pos: [noun, adjective]}}
postprocessing:
  - {{kind: merge_adjacent, max_tokens: 4, places: all}}
  - stopwords
sweep:
  ranking:
    textrank: {{kind: cooccurrence, window: 2}}
    tfidf: {{kind: tfidf, idf: {{from: collection}}}}
    frequency: frequency
    first-come: position
    dice: random
matching: [exact, approximate]
metrics: [r_precision, f1@10]
"""

scratch = tempfile.TemporaryDirectory()  # gone when the notebook ends
folder = Path(scratch.name)
(folder / "comparison.yaml").write_text(SPEC, encoding="utf-8")
run = Experiment.load(folder / "comparison.yaml").run(out=folder / "run")
run

# %% [markdown]
# `random` is there as a yardstick: what beats it by little knows little. The same as numbers:

# %%
summary = run.summary
column = "r_precision/approximate"
for cell in sorted(summary.cells, key=lambda cell: cell.value(column) or 0.0, reverse=True):
    print(f"{cell.value(column) or 0.0:.3f}  {cell.name}")

# %% [markdown]
# With pandas installed, every result is a frame: `run.to_pandas()`, `run.to_pandas("documents")` with a row
# for each document, `textrank.to_pandas()` with a row for each keyphrase. Is a difference more than chance?
# `kpframe compare RUN` tests it, document by document.

# %%
try:
    best = run.to_pandas("documents").groupby("cell")[column].mean().idxmax()
    print("best on average:", best)
except ResourceError as error:
    print(error)  # pandas is not installed
