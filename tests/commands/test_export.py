"""`kpframe export` and `kpframe data stats --gold`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from command_line import run

GOLD = [
    {"id": "a 1", "text": "red kites hunt herons", "gold": ["red kite", "heron", "stork"]},
    {"id": "b", "text": "an owl at night", "gold": ["owl"]},
    {"id": "c", "text": "nothing", "gold": []},
]
SPEC = """
name: birds
documents: {kind: jsonl, path: gold.jsonl}
preprocessing: [simple]
candidates: tokens
matching: exact
sweep:
  ranking: {often: frequency, early: position}
save: 2
reports: [json]
"""


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a file of gold and one of predictions."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / ".cache"))
    monkeypatch.delenv("KPFRAME_DATA", raising=False)
    Path("gold.jsonl").write_text("".join(json.dumps(line) + "\n" for line in GOLD))
    Path("predicted.tsv").write_text("a 1\tred kites;kite;storks\nd\towl\n")


PREDICTIONS = ("export", "--predictions", "predicted.tsv", "--gold", "gold.jsonl", "--out", "out")


def lines(name: str) -> list[str]:
    """The lines of a file that was written."""
    return (Path("out") / name).read_text(encoding="utf-8").splitlines()


def ran(capsys: pytest.CaptureFixture[str]) -> None:
    """A run in the folder `runs/birds`."""
    Path("birds.yaml").write_text(SPEC)
    assert run(capsys, "run", "birds.yaml", "--quiet").status == 0


def test_predictions_become_a_run_and_qrels(capsys: pytest.CaptureFixture[str]) -> None:
    """By Porter stems; what is left out or missing is told."""
    status, out, err = run(capsys, *PREDICTIONS, "--to", "trec")
    assert (status, out) == (1, "")
    assert err.splitlines() == [
        "1 id only in the predictions, left out: d",
        "predictions: 1 document without gold, not in the qrels",
        "predictions: 1 document without predictions: b",
        "1 run and qrels: out",
    ]
    assert lines("qrels.txt") == ["a_1 0 red_kite 1", "a_1 0 heron 1", "a_1 0 stork 1", "b 0 owl 1"]
    assert lines("runs/predictions.txt") == [
        "a_1 Q0 red_kite 1 3 predictions",
        "a_1 Q0 kite 2 2 predictions",
        "a_1 Q0 stork 3 1 predictions",
    ]
    assert json.loads("\n".join(lines("export.json")))["subset"] == "all"


@pytest.mark.parametrize("format", ["xmi", "json"])
@pytest.mark.slow
def test_a_run_becomes_uima_documents(capsys: pytest.CaptureFixture[str], format: str) -> None:
    """With gold, layers and the keyphrases of each cell; the reader `cas` gives the same documents."""
    pytest.importorskip("cassis", reason="needs dkpro-cassis (pip install 'kpframe[cas]')")
    from kpframe.integrations import read_cas

    ran(capsys)
    export = ("export", "runs/birds", "--to", "cas", "--format", format)
    done = run(capsys, *export, "--out", "out", "--cell", "all")
    assert (done.status, done.err.splitlines()) == (
        0,
        [
            "each file has the keyphrases of 2 systems: sort by score within one (feature `system`)",
            "3 documents: out",
        ],
    )
    found = read_cas(f"out/a 1.{format}")
    assert found.document.annotations is not None
    assert [gold.variants[0] for gold in found.document.gold] == GOLD[0]["gold"]
    assert {name: [k.text for k in made] for name, made in found.keyphrases.items()} == {
        "often": ["red", "kites"],
        "early": ["red", "kites"],
    }
    done = run(capsys, *export, "--out", "apart")
    assert done.err.startswith(
        "a folder for each of 2 systems; --cell all puts them into one file a document\n"
    )
    assert sorted(path.name for path in Path("apart").iterdir()) == ["early", "often"]
    assert list(read_cas(f"apart/often/a 1.{format}").keyphrases) == ["often"]


def test_old_files_are_never_taken_for_new_ones(capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that has anything in it is refused, before anything is read; an empty one is filled."""
    pytest.importorskip("cassis", reason="needs dkpro-cassis (pip install 'kpframe[cas]')")
    ran(capsys)
    Path("out").mkdir()
    arguments = ("export", "runs/birds", "--to", "cas", "--out", "out", "--cell", "early", "--quiet")
    assert run(capsys, *arguments).status == 0
    there = sorted(path.name for path in Path("out").iterdir())
    assert there == ["TypeSystem.xml", "a 1.xmi", "b.xmi", "c.xmi"]
    done = run(capsys, *arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.endswith("/out: is not empty; choose another folder, or remove it first\n")


def test_an_export_that_stops_leaves_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """The second document is not the one of the run: neither the folder nor a part of it is there."""
    pytest.importorskip("cassis", reason="needs dkpro-cassis (pip install 'kpframe[cas]')")
    ran(capsys)
    Path("gold.jsonl").write_text("".join(json.dumps(line) + "\n" for line in GOLD[:1]))
    done = run(capsys, "export", "runs/birds", "--to", "cas", "--out", "new/out")
    assert (done.status, done.err) == (
        2,
        "error: runs/birds: the corpus has no document 'b', which the run has; "
        "put the corpus of the run where it was\n",
    )
    assert list(Path("new").iterdir()) == []


def test_characters_that_xml_lacks_become_blanks_and_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A form feed, as pdftotext writes at the end of a page; offsets stay."""
    pytest.importorskip("cassis", reason="needs dkpro-cassis (pip install 'kpframe[cas]')")
    from kpframe.integrations import read_cas

    text = "red kites\fhunt \x00 herons"
    Path("gold.jsonl").write_text(json.dumps({**GOLD[0], "text": text}) + "\n")
    ran(capsys)
    done = run(capsys, "export", "runs/birds", "--to", "cas", "--out", "out", "--cell", "early")
    assert done.err.splitlines() == [
        "characters that xmi cannot hold became blanks in 1 document ('a 1'): U+0000, U+000C",
        "1 document: out",
    ]
    found = read_cas("out/a 1.xmi")
    assert found.document.text == "red kites hunt   herons"
    assert all(found.document.text[b:e] == k.text for k in found.keyphrases["early"] for b, e in k.spans)


def test_uima_documents_can_go_without_layers(capsys: pytest.CaptureFixture[str]) -> None:
    """Of one cell alone."""
    pytest.importorskip("cassis", reason="needs dkpro-cassis (pip install 'kpframe[cas]')")
    from kpframe.integrations import read_cas

    ran(capsys)
    arguments = ("--to", "cas", "--out", "out", "--no-annotations", "--cell", "early", "--quiet")
    assert run(capsys, "export", "runs/birds", *arguments) == (0, "", "")
    found = read_cas("out/b.xmi")
    assert found.document.annotations is None
    assert list(found.keyphrases) == ["early"]


@pytest.mark.parametrize("command", [("export", "--to", "csv", "--out", "out"), ("analyse",)])
def test_what_a_run_lacks_is_told(capsys: pytest.CaptureFixture[str], command: tuple[str, ...]) -> None:
    """Where all of it is wanted; who names the cells knows."""
    ran(capsys)
    shutil.rmtree("runs/birds/cells/early")
    name, *options = command
    done = run(capsys, name, "runs/birds", *options)
    assert done.status == 0
    assert done.err.splitlines()[0] == "runs/birds: not finished, left out: early"
    assert "not finished" not in run(capsys, name, "runs/birds", "--cell", "often", *options).err


def test_a_subset_under_another_normalisation(capsys: pytest.CaptureFixture[str]) -> None:
    """Case folding alone: the plural is in the text, the singular is not."""
    arguments = ("--to", "trec", "--subset", "absent", "--normalize", "casefold", "--quiet")
    told = "error: 1 id only in the predictions, left out: d\n"
    assert run(capsys, *PREDICTIONS, *arguments) == (1, "", told)
    assert lines("qrels.txt") == ["a_1 0 red_kite 1", "a_1 0 heron 1", "a_1 0 stork 1"]
    assert lines("runs/predictions.txt") == [
        "a_1 Q0 kite 1 2 predictions",
        "a_1 Q0 storks 2 1 predictions",
    ]


def test_the_cells_of_a_run_are_exported(capsys: pytest.CaptureFixture[str]) -> None:
    """With the gold of its corpus, or of a file; all of them or those that are named."""
    ran(capsys)
    status, out, err = run(capsys, "export", "runs/birds", "--to", "trec", "--out", "out")
    assert (status, out) == (0, ""), err
    assert "often: of 2 documents only the first keyphrases were saved" in err.splitlines()
    assert err.splitlines()[-1] == "2 runs and qrels: out"
    assert {path.name for path in Path("out/runs").iterdir()} == {"often.txt", "early.txt"}
    assert all(line.endswith(" often") for line in lines("runs/often.txt"))
    qrels = lines("qrels.txt")
    arguments = ("--gold", "gold.jsonl", "--cell", "early")
    assert run(capsys, "export", "runs/birds", "--to", "trec", "--out", "one", *arguments).status == 0
    assert Path("one/qrels.txt").read_text().splitlines() == qrels
    assert [path.name for path in Path("one/runs").iterdir()] == ["early.txt"]


@pytest.mark.parametrize("to", ["trec", "csv", "cas"])
def test_a_folder_with_older_files_is_refused(capsys: pytest.CaptureFixture[str], to: str) -> None:
    """By every hand-over: what an older one left would be taken for what is new."""
    if to == "cas":
        pytest.importorskip("cassis", reason="needs dkpro-cassis (pip install 'kpframe[cas]')")
    ran(capsys)
    Path("out/runs").mkdir(parents=True)
    Path("out/runs/older.txt").write_text("a_1 Q0 x 1 1 older\n")
    refused = f"error: {Path('out').absolute()}: is not empty; choose another folder, or remove it first\n"
    assert run(capsys, "export", "runs/birds", "--to", to, "--out", "out") == (2, "", refused)
    assert [str(path) for path in Path("out").rglob("*")] == ["out/runs", "out/runs/older.txt"]
    shutil.rmtree("out/runs")
    assert run(capsys, "export", "runs/birds", "--to", to, "--out", "out").status == 0


def test_predictions_are_refused_such_a_folder_too(capsys: pytest.CaptureFixture[str]) -> None:
    """Exported twice into one folder; an export that fails leaves none."""
    assert run(capsys, *PREDICTIONS, "--to", "trec").status == 1
    assert "out: is not empty" in run(capsys, *PREDICTIONS, "--to", "trec").err
    again = ("export", "--predictions", "predicted.tsv", "--gold", "bare.tsv", "--to", "trec", "--out", "new")
    Path("bare.tsv").write_text("a 1\tkite\n")
    assert run(capsys, *again, "--subset", "present").status == 2
    assert not Path("new").exists()


def test_the_keyphrases_of_a_run_become_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    """No corpus is needed for it."""
    ran(capsys)
    Path("gold.jsonl").unlink()
    result = run(capsys, "export", "runs/birds", "--to", "csv", "--out", "out", "--cell", "early")
    assert result == (0, "", "5 keyphrases: out/keyphrases.csv\n")
    table = lines("keyphrases.csv")
    assert table[0] == "cell,id,rank,text,score,hit/exact"
    assert [line.split(",")[:4] for line in table[1:]] == [
        ["early", "a 1", "1", "red"],
        ["early", "a 1", "2", "kites"],
        ["early", "b", "1", "an"],
        ["early", "b", "2", "owl"],
        ["early", "c", "1", "nothing"],
    ]
    assert [line[-1] for line in table[1:]] == ["0", "0", "0", "1", "0"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere", "--to", "trec"), "error: nowhere: there is no such folder; give the folder that"),
        ((".", "--to", "csv"), "error: .: is not the folder of a run; give the folder that"),
        (
            ("--predictions", "predicted.tsv", "--to", "csv"),
            "error: export --to csv: needs the folder of a run; as: export runs/NAME --to csv",
        ),
        (
            ("--predictions", "predicted.tsv", "--to", "cas"),
            "error: export --to cas: needs the folder of a run; as: export runs/NAME --to cas",
        ),
        (
            ("runs/birds", "--to", "csv", "--format", "json"),
            "error: --format: has no effect on --to csv; leave it out",
        ),
        (
            ("runs/birds", "--to", "trec", "--no-annotations"),
            "error: --no-annotations: has no effect on --to trec; leave it out",
        ),
        (
            ("runs/birds", "--to", "cas", "--subset", "present"),
            "error: --subset: has no effect on --to cas; leave it out",
        ),
        (
            ("--predictions", "predicted.tsv", "--to", "trec"),
            "error: prediction for 'a 1': brings no gold keyphrases; give a file with the gold",
        ),
        (
            ("--predictions", "predicted.tsv", "--gold", "no.tsv", "--to", "trec"),
            "error: no.tsv: cannot be read (No such file or directory); ",
        ),
        (
            ("--predictions", "predicted.tsv", "--gold", "flat.tsv", "--to", "trec", "--subset", "present"),
            "error: subset present: needs the text of every document, and 'a 1' has none; ",
        ),
        (
            ("--predictions", "predicted.tsv", "--to", "trec", "--cell", "x"),
            "error: --cell: has no meaning for a file of predictions; leave it out",
        ),
        (("--to", "trec"), "error: export: needs a RUN or --predictions FILE; give one of the two"),
        (
            ("x", "--predictions", "y", "--to", "trec"),
            "error: export: needs a RUN or --predictions FILE; give one of the two",
        ),
        (("x", "--to", "parquet"), "usage: kpframe export"),
    ],
)
def test_what_cannot_be_exported_is_told(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2."""
    Path("flat.tsv").write_text("a 1\tred kite\n")
    status, out, err = run(capsys, "export", *arguments, "--out", "out")
    assert (status, out) == (2, "")
    assert err.splitlines()[-1].startswith(message) or err.startswith(message)
    assert not Path("out/qrels.txt").exists()


def test_a_run_whose_corpus_is_gone_needs_its_gold(capsys: pytest.CaptureFixture[str]) -> None:
    """In a file of its own."""
    ran(capsys)
    Path("gold.jsonl").rename("elsewhere.jsonl")
    arguments = ("export", "runs/birds", "--to", "trec", "--out", "out")
    assert run(capsys, *arguments) == (
        2,
        "",
        f"error: runs/birds/resolved.yaml: documents.path: '{Path('gold.jsonl').absolute()}' does not exist; "
        "give the gold by --gold FILE\n",
    )
    assert run(capsys, *arguments, "--gold", "elsewhere.jsonl").status == 0


def test_an_unknown_cell_gets_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    """Status 2."""
    ran(capsys)
    result = run(capsys, "export", "runs/birds", "--to", "trec", "--out", "out", "--cell", "oftn")
    assert result == (2, "", "error: runs/birds: has no cell 'oftn'; did you mean 'often'?\n")


def test_gold_keyphrases_are_described_on_demand(capsys: pytest.CaptureFixture[str]) -> None:
    """A second table below the first, in 80 columns; the first does not change."""
    Path("own.yaml").write_text(
        "documents: {kind: jsonl, path: gold.jsonl}\ncandidates: tokens\nranking: frequency\n"
    )
    short = run(capsys, "data", "stats", "own.yaml").out
    long = run(capsys, "data", "stats", "own.yaml", "--gold").out
    assert long.startswith(short)
    table = long[len(short) :].splitlines()
    assert table[1] == "own: gold keyphrases (present: contiguous Porter stems)"
    assert max(map(len, table)) <= 80
    rows = {line[:32].strip(): line[32:].split() for line in table[2:]}
    assert rows["per cent"] == ["100.0", "75.0", "25.0"]
    assert rows["mean a document"] == ["1.33", "1.00", "0.33"]
    assert rows["variance"] == ["1.56", "0.67", "0.22"]
    assert rows["documents without"] == ["1", "1", "2"]
    assert "    all gold (2 documents)" in table
    place = table.index("    all gold (2 documents)")
    assert table[place + 1].split() == ["P", "0.4000", "0.2000", "1.0000", "1.0000"]
    assert table[place + 3].split()[-4:] == ["0.5417", "0.3217", "1.0000", "1.0000"]


def test_presence_can_be_tested_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    """By words, without marks or by characters; the label says so."""
    Path("own.yaml").write_text(
        "documents: {kind: jsonl, path: gold.jsonl}\ncandidates: tokens\nranking: frequency\n"
    )
    found = {}
    for test in ("stems", "words", "alphanumeric", "characters"):
        made = json.loads(
            run(capsys, "data", "stats", "own.yaml", "--present", test, "--format", "json").out
        )["own"]
        assert made["present"] == test
        assert made["keyphrases"]["present"]["gold"] == made["present_gold"]
        found[test] = made["present_gold"]
    assert found == {"stems": 3, "words": 1, "alphanumeric": 3, "characters": 3}
    out = run(capsys, "data", "stats", "own.yaml", "--present", "characters").out
    assert "gold present (a run of characters)" in out


@pytest.mark.slow
def test_keyphrases_in_uima_files_are_scored(capsys: pytest.CaptureFixture[str]) -> None:
    """Those of a folder of a cell, or of a system that is named; gold and texts stand in the same files."""
    pytest.importorskip("cassis", reason="needs dkpro-cassis (pip install 'kpframe[cas]')")
    ran(capsys)
    export = ("export", "runs/birds", "--to", "cas", "--quiet", "--out")
    assert run(capsys, *export, "apart").status == 0
    assert run(capsys, *export, "pooled", "--cell", "all").status == 0
    score = ("score", "--metric", "f1@2", "--matching", "exact", "--predictions")
    shown = run(capsys, *score, "apart/early")
    assert shown.status == 0
    saved = json.loads(Path("runs/birds/cells/early/scores.jsonl").read_text().splitlines()[0])
    assert saved["id"] == "a 1"
    assert shown == run(capsys, *score, "pooled", "--under", "early")
    assert shown == run(capsys, *score, "apart/early", "--gold", "apart/often")
    made = ("score", "--metric", "f1@2", "--matching", "exact", "--out", "runs/foreign", "--predictions")
    assert run(capsys, *made, "apart/early", "--predictions", "apart/often").status == 0
    cells = json.loads(Path("runs/foreign/summary.json").read_text())["cells"]
    assert [cell["name"] for cell in cells] == ["early", "often"]
    assert f"{cells[0]['scores'][0]['value']:.4f}" == shown.out.split()[0]
    assert run(capsys, *score, "pooled").err == (
        "error: pooled/a 1.xmi: has keyphrases of 2 systems: often, early; name one by --under\n"
    )
    assert run(capsys, *score, "pooled", "--under", "late").err == (
        "error: pooled/a 1.xmi: has no system 'late'; there are: often, early\n"
    )
    assert run(capsys, *score, "apart").err == (
        "error: apart: holds no .xmi, .json or .key file; give one of its folders: early, often\n"
    )


def test_keyphrases_of_other_programs_in_uima_files_are_scored(capsys: pytest.CaptureFixture[str]) -> None:
    """DKPro's Keyphrase beside the text: best score first, so heron is in the first one, kite is not."""
    cassis = pytest.importorskip("cassis", reason="needs dkpro-cassis (pip install 'kpframe[cas]')")
    from kpframe.files.uima import types

    Path("cas").mkdir()
    cas = cassis.Cas(types.type_system(), sofa_string=GOLD[0]["text"])
    for begin, end, score in ((4, 9, 0.25), (15, 21, 0.5)):
        cas.add(cas.typesystem.get_type(types.PHRASE)(begin=begin, end=end, score=score))
    Path("cas/a 1.xmi").write_text(cas.to_xmi())
    score = ("score", "--predictions", "cas", "--gold", "gold.jsonl", "--missing", "skip")
    measures = ("--metric", "precision@1", "--matching", "morph")
    shown = run(capsys, *score, *measures, "--absent", "keep")
    assert (shown.status, shown.out.split()[0]) == (0, "1.0000")


def test_the_consistency_of_indexers_is_part_of_the_statistics(capsys: pytest.CaptureFixture[str]) -> None:
    """Two indexers, who share one of 2 and 2 terms; a system that has Ann's: 1, and 1/2 with Bob."""
    for name, terms in {"ann/d": "owl\nnight\n", "bob/d": "owl\nkite\n"}.items():
        Path(f"c/indexers/{name}.key").parent.mkdir(parents=True, exist_ok=True)
        Path(f"c/indexers/{name}.key").write_text(terms)
    Path("c/documents").mkdir()
    Path("c/documents/d.txt").write_text("An owl at night.")
    Path("own.yaml").write_text(
        "documents: {kind: indexers, path: c}\ncandidates: tokens\nranking: frequency\n"
    )
    Path("mine.tsv").write_text("d\tnight;owl;fish\n")
    stats = ("data", "stats", "own.yaml", "--gold", "--predictions", "mine.tsv", "--top", "2")
    shown = run(capsys, *stats).out.splitlines()
    table = shown[shown.index("own: consistency of 2 indexers (exact)") :][:8]
    assert max(map(len, table)) <= 80
    assert [line.split() for line in table[3:6]] == [
        ["ann", "2.00", "0.5000", "0.3333", "0.5000", "0.3333"],
        ["bob", "2.00", "0.5000", "0.3333", "0.5000", "0.3333"],
        ["mean", "over", "all", "pairs", "0.5000", "0.3333"],
    ]
    assert table[6].split() == ["mine", "2.00", "0.7500", "0.6667", "0.8000", "0.6667"]
    assert table[7] == "  mine, Rolling with each: ann 1.0000, bob 0.5000"
    made = json.loads(run(capsys, *stats, "--format", "json").out)["own"]["consistency"]
    assert [(one["matching"], one["mean"]) for one in made] == [
        ("exact", [0.5, 1 / 3]),
        ("approximate", [0.5, 1 / 3]),
    ]


def test_a_system_is_paired_with_indexers_as_with_gold(capsys: pytest.CaptureFixture[str]) -> None:
    """Ids without a counterpart are told and in the exit status; without any in common there is no value."""
    gold = [{"variants": ["owl"], "source": name} for name in ("ann", "bob")]
    lines = [{"id": name, "gold": gold, "text": "An owl at night."} for name in ("d", "e")]
    Path("two.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    stats = ("data", "stats", "two.jsonl", "--gold", "--predictions", "mine.tsv")
    Path("mine.tsv").write_text("d\towl\ne\towl\n")
    assert run(capsys, *stats).status == 0
    Path("mine.tsv").write_text("d\towl\nE\towl\n")
    done = run(capsys, *stats)
    assert done.status == 1
    assert (
        "1 id only in the gold, not in the predictions of mine: e (nothing was predicted for them)"
        in done.err
    )
    assert "1 id only in the predictions of mine: E (not scored)" in done.err and "only in case" in done.err
    Path("mine.tsv").write_text("d.txt\towl\n")
    lost = run(capsys, *stats)
    assert lost.status == 2 and "no document is in both" in lost.err and "ending of a file" in lost.err


def test_rising_scores_can_be_said_wherever_predictions_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    """The remedy of the error is an option of the command."""
    line = {"id": "d", "gold": ["owl"], "text": "An owl.", "predicted": [["kite", 0.1], ["owl", 0.7]]}
    Path("yake.jsonl").write_text(json.dumps(line) + "\n")
    for words in (("export", "--to", "trec", "--out", "t"), ("score", "--metric", "precision@1")):
        refused = run(capsys, *words, "--predictions", "yake.jsonl")
        assert refused.status == 2 and "--better lower" in refused.err
        assert run(capsys, *words, "--predictions", "yake.jsonl", "--better", "lower").status == 0
    assert Path("t/runs/predictions.txt").read_text().split()[2] == "kite"


def test_a_system_within_a_line_is_chosen_beside_gold_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    """`--under` is of the predictions, where the gold has nothing under that name."""
    Path("all.jsonl").write_text(json.dumps({"id": "d", "kea": {"predicted": ["owl"]}}) + "\n")
    words = ("score", "--predictions", "all.jsonl", "--metric", "precision@1", "--matching", "exact")
    for gold in ({"gold": ["owl"]}, {"kea": {"gold": ["owl"]}}):
        Path("own.jsonl").write_text(json.dumps({"id": "d", **gold}) + "\n")
        assert run(capsys, *words, "--gold", "own.jsonl", "--under", "kea").out.startswith("1.0000")
    Path("own.jsonl").write_text(json.dumps({"id": "d", "gold": ["owl"]}) + "\n")
    wrong = run(capsys, *words, "--gold", "own.jsonl", "--under", "kae")
    assert wrong.status == 2 and "has no object under 'kae'" in wrong.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--predictions", "mine.tsv"),
            "--predictions: is for the consistency with several indexers; add --gold",
        ),
        (("--gold", "--top", "3"), "--top: is for the consistency with several indexers; add --gold and"),
        (("--gold", "--predictions", "mine.tsv"), "--predictions: the gold of own is not that of several"),
    ],
)
def test_predictions_need_several_indexers(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is passed over in silence."""
    Path("own.yaml").write_text(
        "documents: {kind: jsonl, path: gold.jsonl}\ncandidates: tokens\nranking: frequency\n"
    )
    done = run(capsys, "data", "stats", "own.yaml", *arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.splitlines()[-1].startswith(f"error: {message}")
