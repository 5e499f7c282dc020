# ruff: noqa: B018 - what stands last in a cell is what the cell shows
# %% [markdown]
# # Add your own ranking
#
# A ranking is one class with one method: candidates in, keyphrases out. This notebook writes one, looks at
# what it does to a text, and compares it with what kpframe ships. It opens as a notebook in editors that know
# `# %%` cells (VS Code, PyCharm, Spyder, or Jupyter with jupytext), and runs as a plain script too.

# %%
import math
import tempfile
from pathlib import Path
from typing import ClassVar

from pydantic import Field

import kpframe
from kpframe.model import Candidates, Keyphrases
from kpframe.stages import Ranking

TEXT = """\
Heat pumps in old buildings

Heat pumps take heat from outside air. In old buildings heat pumps need careful planning: radiators are \
small and walls lose heat. We measured the seasonal performance of heat pumps in forty old buildings over \
two winters. Seasonal performance depends on radiators more than on walls."""

# %% [markdown]
# ## The idea
#
# A phrase that comes back throughout the text says more about it than one that comes often in a single
# paragraph. So candidates are scored by how far their occurrences are spread. `candidates.places_of` has, for
# each candidate, its occurrences as ranges of token numbers, in the order of the text.


# %%
@kpframe.stage
class Spread(Ranking):
    """Number of occurrences, weighted by the share of the text between the first and the last of them."""

    kind: ClassVar[str] = "spread"

    weight: float = Field(1.0, ge=0, description="How much the spread counts; 0: the frequency alone.")

    def rank(self, candidates: Candidates) -> Keyphrases:
        """Score every candidate; ties are ordered by place in the text."""
        length = max(len(candidates.annotations), 1)
        scores = [
            math.log1p(len(places)) * (1 + self.weight * (places[-1][1] - places[0][0]) / length)
            for places in candidates.places_of
        ]
        return Keyphrases.ranked(candidates, scores)


# %% [markdown]
# That is all: specs know `spread` now, with its parameter checked. `settings` change a shipped pipeline as
# `--set` does on the command line.

# %%
pipeline = kpframe.Pipeline.load("noun-phrases", settings=["ranking=spread", "ranking.weight=2"])
result = pipeline.extract(TEXT, top=5)
result

# %%
for keyphrase in result:
    print(f"{keyphrase.score:.3f}  {keyphrase.text}")

# %% [markdown]
# A slip of the pen is told, not ignored:

# %%
try:
    kpframe.Pipeline.load("noun-phrases", settings=["ranking=spread", "ranking.wieght=2"])
except kpframe.SpecError as error:
    print(error)

# %% [markdown]
# ## Is it any good?
#
# One run compares it, with two weights, to frequency and to TextRank on the shipped corpus, all other things
# being equal.

# %%
SPEC = """\
extends: textrank
name: spread
sweep:
  ranking:
    textrank: cooccurrence
    frequency: frequency
    spread: spread
    spread-more: {kind: spread, weight: 4}
ranking: null            # the sweep varies it
"""

scratch = tempfile.TemporaryDirectory()  # gone when the notebook ends
folder = Path(scratch.name)
(folder / "spread.yaml").write_text(SPEC, encoding="utf-8")
run = kpframe.Experiment.load(folder / "spread.yaml").run(out=folder / "run")
run

# %%
print(run.text)

# %% [markdown]
# To keep the ranking, put the class into a file of its own in a package and name it in `pyproject.toml`,
# under `[project.entry-points."kpframe.stages"]`: `"ranking.spread" = "my_package.spread:Spread"`. Then the
# command line knows it too: `kpframe stages ranking spread`.
