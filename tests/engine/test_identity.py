"""What results depend on is in their keys: nothing that moves a number is taken for what it was."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from engine_runs import ROOT, SINGLE, corpus, events, experiment, jsonl, outcome, run

from kpframe.candidates.vocabulary import Vocabulary
from kpframe.engine.identity import PACKAGES, Ingredients
from kpframe.engine.source_code import SHOWING, foreign_code
from kpframe.ranking.kea import Kea
from kpframe.ranking.tfidf import TfIdf

pytestmark = pytest.mark.slow

SCRIPT = """
import sys
from pathlib import Path
sys.path.insert(0, "elsewhere")
from collections.abc import Iterator
import kpframe
from kpframe.model import Candidates, Keyphrases
from kpframe.stages import Ranking
import helper

@kpframe.stage
class Weighted(Ranking):
    kind = "weighted"
    def rank(self, candidates: Candidates) -> Keyphrases:
        return Keyphrases.ranked(candidates, [helper.weight(s) for s in candidates.surfaces])

if __name__ == "__main__":
    from kpframe.engine.experiment import Experiment
    made = Experiment.load("spec.yaml").run(out="out", cache="cache")
"""
WEIGHTED = SINGLE.replace("ranking: frequency", "ranking: weighted")


def python(folder: Path, *arguments: str, path: Path = ROOT, before: str = "") -> str:
    """A fresh process in `folder` that uses the kpframe in `path`."""
    paths = os.pathsep.join(filter(None, [before, str(path)]))
    environment = {**os.environ, "PYTHONPATH": paths, "KPFRAME_CACHE": str(folder / "cache")}
    process = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def pending(out: Path) -> int:
    """How many cells the last run had to compute."""
    return int(events(out, "plan")[-1]["pending"])


@pytest.fixture(scope="module")
def studied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A script with a stage of its own, which imports modules and a package, and has run once."""
    tmp_path = tmp_path_factory.mktemp("study")
    jsonl(tmp_path / "corpus.jsonl", corpus(6))
    (tmp_path / "spec.yaml").write_text(WEIGHTED)
    (tmp_path / "study.py").write_text(SCRIPT)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "helper.py").write_text(
        "def weight(surface):\n    import deeper\n    return deeper.factor() * len(surface)\n"
    )
    (tmp_path / "elsewhere" / "deeper.py").write_text(
        "import importlib\ndef factor():\n    return importlib.import_module('lexicon').number()\n"
    )
    (tmp_path / "lexicon" / "inner").mkdir(parents=True)
    (tmp_path / "lexicon" / "__init__.py").write_text(
        "from pathlib import Path\n"
        "def number():\n    return float((Path(__file__).parent / 'inner' / 'n.txt').read_text())\n"
    )
    (tmp_path / "lexicon" / "inner" / "n.txt").write_text("1.0")
    python(tmp_path, "study.py")
    return tmp_path


@pytest.fixture
def study(studied: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(studied, tmp_path / "copy"))


def test_a_run_that_changed_nothing_computes_nothing(study: Path) -> None:
    """Though the stage comes from elsewhere."""
    python(study, "study.py")
    assert pending(study / "out") == 0


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        pytest.param("study.py", "helper.weight(s)", "-helper.weight(s)", marks=pytest.mark.acceptance),
        pytest.param("elsewhere/helper.py", "* len", "* -len", marks=pytest.mark.acceptance),
        ("elsewhere/deeper.py", "return ", "return -"),
        pytest.param("lexicon/__init__.py", "return ", "return -", marks=pytest.mark.acceptance),
        ("lexicon/inner/n.txt", "1.0", "-1.0"),
    ],
)
def test_whatever_a_stage_from_elsewhere_is_made_of_is_in_the_key(
    studied: Path, study: Path, file: str, old: str, new: str
) -> None:
    """Its own file, a module that it imports, one that this imports, a package with its data."""
    content = (study / file).read_text()
    assert old in content
    (study / file).write_text(content.replace(old, new))
    python(study, "study.py")
    assert pending(study / "out") == 1
    assert outcome(study / "out") != outcome(studied / "out")


def test_what_is_covered_is_said(study: Path) -> None:
    """environment.json lists the files of a stage from elsewhere and the versions of what is installed."""
    recorded = json.loads((study / "out" / "environment.json").read_text())["foreign"]["ranking/weighted"]
    assert recorded["files"] == [
        "deeper.py", "helper.py", "lexicon/__init__.py", "lexicon/inner/n.txt", "study.py",
    ]  # fmt: skip
    assert recorded["packages"] == {}


def test_a_file_that_changed_under_a_running_process_has_no_lasting_key(tmp_path: Path) -> None:
    """What is in memory cannot be told from what is on disk: such results are never met again."""
    (tmp_path / "young.py").write_text("class Young:\n    pass\n")
    code = (
        "import kpframe.engine.source_code as code, os, sys\n"
        "sys.path.insert(0, '.')\n"
        "import young\n"
        "if {0}: os.utime('young.py')\n"
        "print(code.foreign_code(young.Young).checksum)\n"
    )
    old = {python(tmp_path, "-c", code.format(False)) for _ in range(2)}
    new = {python(tmp_path, "-c", code.format(True)) for _ in range(2)}
    assert (len(old), len(new), len(old | new)) == (1, 2, 3)


def test_a_stage_that_was_typed_in_has_no_lasting_key() -> None:
    """Its code is in no file."""
    made = [type("Typed", (), {"__module__": "nowhere"}) for _ in range(2)]
    first, second = (foreign_code(cls) for cls in made)
    assert first is not None and second is not None
    assert foreign_code(made[0]) == first
    assert first.checksum != second.checksum


LISTED = """
name: listed
documents: {kind: jsonl, path: corpus.jsonl}
preprocessing: [simple]
candidates: tokens
ranking: frequency
postprocessing: [{kind: stopwords, lists: [en], trim: both}]
reports: [json]
"""


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of kpframe that may be changed."""
    for name in ("kpframe", "resources", "pipelines"):
        shutil.copytree(ROOT / name, tmp_path / "tree" / name, ignore=shutil.ignore_patterns("__pycache__"))
    jsonl(tmp_path / "corpus.jsonl", corpus(6))
    (tmp_path / "spec.yaml").write_text(LISTED)
    return tmp_path / "tree"


@pytest.mark.acceptance
def test_shipped_resources_and_code_are_in_the_key_and_what_only_shows_is_not(
    tmp_path: Path, copied: Path
) -> None:
    """Stop words added and the manifest made anew: computed again, as in a fresh folder."""

    def again(out: str = "out") -> int:
        python(tmp_path, "-m", "kpframe", "run", "spec.yaml", "--out", out, "-q", path=copied)
        return pending(tmp_path / out)

    assert (again(), again()) == (1, 0)
    before = outcome(tmp_path / "out")
    words = sorted({word for document in corpus(6) for word in document.text.split() if word.isalpha()})
    with (copied / "resources" / "stopwords" / "en.txt").open("a") as file:
        file.write("\n".join(words[::3]) + "\n")
    python(tmp_path, "-m", "kpframe.files.resources", path=copied)
    assert (again(), again()) == (1, 0)
    assert outcome(tmp_path / "out") != before
    assert again("fresh") == 1
    assert outcome(tmp_path / "out") == outcome(tmp_path / "fresh")
    with (copied / "kpframe" / "display" / "__init__.py").open("a") as file:
        file.write("# changed\n")
    assert again() == 0
    with (copied / "kpframe" / "ranking" / "__init__.py").open("a") as file:
        file.write("# changed\n")
    assert again() == 1


@pytest.mark.parametrize("command", [["check", "spec.yaml"], ["run", "spec.yaml", "--out", "refused", "-q"]])
def test_a_resource_that_the_manifest_does_not_know_as_it_is_stops_everything(
    tmp_path: Path, copied: Path, command: list[str]
) -> None:
    """At the door, with its name and a remedy, and not document by document."""
    with (copied / "resources" / "stopwords" / "de.txt").open("a") as file:
        file.write("wort\n")
    environment = {**os.environ, "PYTHONPATH": str(copied), "KPFRAME_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-m", "kpframe", *command],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "de.txt: does not agree with its checksum in the manifest" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.acceptance
@pytest.mark.parametrize("package", ["numpy", "nltk", "spacy"])
def test_the_versions_of_libraries_are_in_the_key(tmp_path: Path, package: str) -> None:
    """Another version that is found first on the path: computed again, and told."""
    jsonl(tmp_path / "corpus.jsonl", corpus(4))
    (tmp_path / "spec.yaml").write_text(LISTED)
    arguments = ("-m", "kpframe", "run", "spec.yaml", "--out", "out", "-q")
    python(tmp_path, *arguments)
    metadata = tmp_path / "other" / f"{package}-99.0.dist-info" / "METADATA"
    metadata.parent.mkdir(parents=True)
    metadata.write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 99.0\n")
    python(tmp_path, *arguments, before=str(tmp_path / "other"))
    assert pending(tmp_path / "out") == 1
    recorded = json.loads((tmp_path / "out" / "environment.json").read_text())
    assert recorded["packages"][package] == "99.0"


NOT_COMPUTING = {
    "cassis": "reads and writes UIMA files",
    "defusedxml": "reads documents",
    "distributed": "hands work to other machines, whose libraries are compared",
    "fsspec": "reads and writes files",
    "IPython": "shows",
    "jinja2": "writes",
    "openpyxl": "reads documents",
    "pandas": "shows",
    "py3langid": "guesses languages, which are in the hash of the data",
    "pyarrow": "reads documents",
    "pydantic": "reads parameters, which are in the key",
    "pydantic_core": "as pydantic",
    "pypdfium2": "reads documents",
    "rich": "shows",
    "threadpoolctl": "sets the number of threads, on which no result depends",
    "tqdm": "shows",
    "vl_convert": "draws",
    "yaml": "reads parameters",
}
INSTALLED_AS = {"sklearn": "scikit-learn"}


def test_every_library_that_kpframe_imports_where_it_computes_is_covered() -> None:
    """A new one must be put among those that compute, or here with the reason why it does not."""
    package, imported = ROOT / "kpframe", set()
    for file in package.rglob("*.py"):
        if file.relative_to(package).parts[0] in SHOWING:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                imported.add(str(node.module).partition(".")[0])
    foreign = imported - set(sys.stdlib_module_names) - {"kpframe"} - NOT_COMPUTING.keys()
    assert {INSTALLED_AS.get(name, name) for name in foreign} <= set(PACKAGES)


def test_what_is_recorded_is_what_the_keys_cover(tmp_path: Path) -> None:
    """environment.json has the ingredients of the keys, the data, and nothing else."""
    made = run(tmp_path, SINGLE, corpus(4))
    recorded = json.loads((made.folder / "environment.json").read_text(encoding="utf-8"))
    data = recorded.pop("data")
    spec = experiment(tmp_path, SINGLE, corpus(4)).spec
    assert spec is not None
    (cell,) = spec.configurations
    stages = (*cell.preprocessing, cell.selection, cell.ranking, *cell.postprocessing)
    measured = [stage for m in spec.measures.values() for stage in (m.metric, m.matching)]
    ingredients = Ingredients((*stages, *measured), tuple(data["languages"]))
    assert recorded == json.loads(json.dumps(ingredients.record()))
    assert len(data["hash"]) >= 32


@pytest.mark.parametrize(
    ("line", "file", "moved"),
    [
        ("candidates: {kind: vocabulary, path: file.txt}", "file.txt", 0),
        ("ranking: {kind: tfidf, idf: {from: file, path: file.tsv}}", "file.tsv", 0),
        ("matching: [exact, {kind: soft, similarity: {kind: cosine, corpus: file.txt}}]", "file.txt", 0),
        ("metrics: [{kind: soft_key_score, similarity: {kind: cosine, corpus: file.txt}}]", "file.txt", 1),
    ],
)
def test_the_contents_of_files_are_in_the_key_and_their_places_are_not(
    tmp_path: Path, line: str, file: str, moved: int
) -> None:
    """Terms, document frequencies, corpora of similarities; but the name of a column has the path in it."""
    documents = corpus(4)
    words = sorted({w for document in documents for w in document.text.lower().split() if w.isalpha()})
    rows = "\n".join(f"{word}\t1" for word in words)
    content = f"#documents\t9\n{rows}\n" if file.endswith(".tsv") else "\n".join(words) + "\n"
    key = line.partition(":")[0]
    spec = "\n".join([*(row for row in SINGLE.splitlines() if not row.startswith(key)), line])
    for folder in (tmp_path, tmp_path / "moved"):
        folder.mkdir(exist_ok=True)
        (folder / file).write_text(content)
    run(tmp_path, spec, documents)
    assert pending(run(tmp_path / "moved", spec, documents, out=tmp_path / "out").folder) == moved
    run(tmp_path, spec, documents)
    (tmp_path / file).write_text(content.replace("\t1", "\t2") if "\t1" in content else content + "surplus\n")
    assert pending(run(tmp_path, spec, documents).folder) == 1


def test_equal_files_give_equal_identities_wherever_they_lie(tmp_path: Path) -> None:
    """The suffix, which tells the layout, stays."""
    for name in ("a.txt", "b.txt", "c.json"):
        (tmp_path / name).write_text('["cat"]')
    a, b, c = (Vocabulary(path=str(tmp_path / name)).identity() for name in ("a.txt", "b.txt", "c.json"))
    assert a == b != c
    assert TfIdf().identity() == TfIdf().to_spec()
    assert Kea(model=str(tmp_path / "none.json")).identity()["model"] == str(tmp_path / "none.json")


PROBABLE = """
name: probable
documents: {kind: jsonl, path: corpus.jsonl}
split: {train: 1/2, seed: 1}
preprocessing: [simple]
systems:
  trained:
    candidates: {kind: ngrams, min: 1, max: 3, stopwords: [en], stem: porter}
    ranking: kea
  given:
    candidates: {kind: ngrams, min: 1, max: 3, stopwords: [en], stem: porter}
    ranking: {kind: kea, model: model.json}
  frequencies:
    candidates: tokens
    ranking: {kind: tfidf, idf: {from: training}}
  counted:
    candidates: tokens
    ranking: frequency
  central:
    candidates: tokens
    ranking: cooccurrence
metrics: [ece]
reports: [json]
"""


def test_a_ranking_says_itself_whether_its_scores_are_probabilities(tmp_path: Path) -> None:
    """A Kea that was trained before is as calibrated as in the run; tf.idf is none, trained or not.

    Nor is PageRank, whose scores lie between 0 and 1 as probabilities do.
    """
    without = PROBABLE.replace("{kind: kea, model: model.json}", "kea")
    fitted = run(tmp_path / "first", without, corpus(16)).folder / "fitted"
    (state,) = (path for path in fitted.iterdir() if path.name.startswith("kea-"))
    shutil.copy(state, tmp_path / "model.json")
    made = run(tmp_path, PROBABLE, corpus(16))
    systems = {cell.name: cell.value("ece@10/exact") for cell in made.summary.cells}
    assert systems["given"] == systems["trained"] is not None
    assert {systems[name] for name in ("frequencies", "counted", "central")} == {None}
