"""Run folders that were changed, cut off or garbled are told with place and remedy, and never believed."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from kpframe import Document, Gold, KpframeError
from kpframe.cli import main
from kpframe.engine.experiment import Experiment
from kpframe.errors import DataError, StageError
from kpframe.htmlreport.writing import write_page
from kpframe.model import Matches
from kpframe.runs.codec import document_lines, spec_checksum
from kpframe.runs.finished import FinishedRun
from kpframe.runs.saved_keyphrases import SavedKeyphrases
from kpframe.runs.tables import run_frame
from kpframe.spec.strict_yaml import Positions, read_yaml

pytestmark = pytest.mark.slow

SPEC = """
name: birds
documents: {kind: jsonl, path: corpus.jsonl}
preprocessing: [simple]
candidates: {kind: ngrams, max: 2}
sweep:
  ranking:
    often: {kind: tfidf, idf: {from: collection}}
    early: position
matching: [exact, approximate]
metrics: [r_precision]
reports: [json, conclusions]
"""
DOCUMENTS = [
    Document("a", "red kites and a red kite hunt herons", gold=(Gold(("red kite",)), Gold(("kites hunt",)))),
    Document("b", "an owl, and owls at night", gold=(Gold(("owls",)), Gold(("night owl",)))),
    Document("c", "nothing of note", gold=(Gold(("note",)),)),
]
CELL = "cells/often"
REMEDY = "; run the experiment again"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run in `out` and its corpus."""
    folder = tmp_path_factory.mktemp("made")
    lines = (json.dumps(document.to_json()) + "\n" for document in DOCUMENTS)
    (folder / "corpus.jsonl").write_text("".join(lines))
    (folder / "spec.yaml").write_text(SPEC)
    experiment = Experiment.load(folder / "spec.yaml")
    experiment.run(out=folder / "out", cache=folder / "cache", page=write_page)
    return folder


@pytest.fixture
def run(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it that may be damaged."""
    monkeypatch.setenv("KPFRAME_CACHE", str(made / "cache"))
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copytree(made / "out", tmp_path / "out"))


def sealed(cell: Path) -> None:
    """Seal a cell anew, as one would who wants to be believed."""
    record = json.loads((cell / "cell.json").read_text())
    for name in record["files"]:
        record["files"][name] = hashlib.sha256((cell / name).read_bytes()).hexdigest()
    record.pop("seal")
    seal = hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
    (cell / "cell.json").write_text(json.dumps({**record, "seal": seal}))


def test_what_was_changed_is_not_believed(run: Path) -> None:
    """One digit in one of the four files of a cell, and everybody who reads it refuses."""
    for name in ("scores.jsonl", "keyphrases.jsonl", "losses.jsonl", "cell.json"):
        path = run / CELL / name
        whole = path.read_bytes()
        place = next(i for i, byte in enumerate(whole) if chr(byte).isdigit())
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        for table in ("keyphrases", "counts"):
            with pytest.raises(KpframeError) as error:
                run_frame(run, table)
            assert str(error.value) == f"{path}: is damaged or was changed after the run{REMEDY}"
        path.write_bytes(whole)
        assert len(run_frame(run, "counts"))


def test_a_spec_of_another_run_is_refused_and_another_corpus_folder_is_not(run: Path) -> None:
    """What the cells hold depends on the one and not on the other."""
    resolved = run / "resolved.yaml"
    text = resolved.read_text()
    resolved.write_text(text.replace("corpus.jsonl", "elsewhere.jsonl"))
    assert FinishedRun(run).cells == ["often", "early"]
    resolved.write_text(text.replace("max: 2", "max: 3"))
    with pytest.raises(KpframeError) as error:
        FinishedRun(run)
    assert str(error.value) == f"{resolved}: is not the spec that the run was made by{REMEDY}"


def test_a_cell_of_an_earlier_spec_is_not_taken_for_one_of_this(run: Path) -> None:
    """A run that was killed before it computed it anew leaves it so."""
    marker = json.loads((run / "run.json").read_text())
    marker["keys"]["early"] = "another key"
    (run / "run.json").write_text(json.dumps(marker))
    found = FinishedRun(run)
    assert (found.cells, found.unfinished) == (["often"], ("early",))


def test_the_checksum_of_a_spec_is_that_of_what_is_read_back(made: Path) -> None:
    """However YAML writes it."""
    spec = Experiment.load(made / "spec.yaml").spec
    assert spec is not None
    read = read_yaml(made / "out" / "resolved.yaml", Positions())
    assert spec_checksum(read) == spec_checksum(spec.resolved) == FinishedRun(made / "out").marker.spec


def test_documents_that_only_one_file_has_are_told(run: Path) -> None:
    """Sealed anew, so that only the two files together show it."""
    path = run / CELL / "keyphrases.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))
    sealed(run / CELL)
    with pytest.raises(KpframeError) as error:
        list(FinishedRun(run).documents("often"))
    problem = "the document 'a' does not stand at the same place in both files"
    assert str(error.value) == f"{run / CELL}: {problem}{REMEDY}"


def assert_first_are_of_the_whole(saved: SavedKeyphrases) -> None:
    """What is read of the first so many phrases is what the whole list has of them."""
    whole = [(one.text, one.score, one.spans) for one in saved.whole()]
    for most in range(7):
        found = [(saved.text(one), saved.score(one), saved.spans(one)) for one in saved.first(most)]
        assert found == whole[:most], most


def test_damage_within_a_list_is_told_where_it_is_read() -> None:
    """A phrase between others is not passed over, and nothing odd becomes a number or a place."""
    first = '{"text":"a","score":1.0,"rank":1,"key":"a","spans":[[0,1]]}'
    for second in (
        '{"text":"b","score":"x","rank":2,"key":"b","spans":[[2,3]]}',
        '{"text":"b","score":0.5,"rank":2,"spans":[[2,3]]}',
        '{"text":"b","score":1e999,"rank":2,"key":"b","spans":[[2,3]]}',
        '{"text":"b","score":1.2.3,"rank":2,"key":"b","spans":[[2,3]]}',
        '{"text":"b","score":0.5,"rank":2,"key":"b","spans":[[3,2]]}',
        '{"text":"b\\x","score":0.5,"rank":2,"key":"b","spans":[[2,3]]}',
    ):
        for behind in ("", f",{first}"):
            saved = SavedKeyphrases(f'{{"id":"d","keyphrases":[{first},{second}{behind}]}}', "here")
            with pytest.raises(DataError, match="is damaged"):
                [(saved.text(one), saved.score(one), saved.spans(one)) for one in saved.first(5)]


def test_a_list_is_read_as_far_as_it_is_needed() -> None:
    """Whatever its phrases hold; a line in another form is read whole."""
    phrases: list[dict[str, Any]] = [
        {"text": text, "score": 1.0, "rank": rank, "key": text, "spans": [[0, 1]]}
        for rank, text in enumerate(('"keyphrases":[', "}],", ',"rank":2,', ',{"text":"', "c"), start=1)
    ]
    record = {"id": '"keyphrases":', "keyphrases": phrases}
    saved = SavedKeyphrases(json.dumps(record, separators=(",", ":")), "x")
    assert [one.to_json() for one in saved.whole()] == phrases
    assert_first_are_of_the_whole(saved)
    assert saved.id == '"keyphrases":' and not saved.shortened
    spaced = SavedKeyphrases(json.dumps(record), "x")
    assert_first_are_of_the_whole(spaced)
    assert spaced.id == saved.id
    assert SavedKeyphrases('{"id":"d","keyphrases":[]}', "x").first(2) == []
    assert SavedKeyphrases('{"id":"d","keyphrases":[],"total":7}', "x").shortened
    for phrase, rank in zip(phrases, (1, 3, 2, 3, 3), strict=True):
        phrase["rank"] = rank  # as no run writes it
    odd = SavedKeyphrases(json.dumps(record, separators=(",", ":")), "x")
    assert_first_are_of_the_whole(odd)


def test_a_count_that_is_no_number_is_a_failure_of_the_metric() -> None:
    """JSON has none such, and no average either."""
    matches = Matches((), (), 1)
    with pytest.raises(StageError) as error:
        document_lines("d", "", 0, {"exact": matches}, {"odd/exact": [1, float("nan")]})
    assert str(error.value) == (
        "document 'd', odd/exact: the metric counted [1, nan]; counts must be finite numbers"
    )


def mutations(content: bytes) -> list[tuple[str, bytes | None]]:
    """A file that is missing, empty, cut off, garbled, of another type, with foreign lines, with NaN."""
    negative = content.replace(b"[1", b"[-1").replace(b":1", b":-1").replace(b": 1", b": -1")
    renamed = content.replace(b'"key', b'"kez').replace(b'"name', b'"nome').replace(b'"gold', b'"g')
    return [
        ("missing", None),
        ("empty", b""),
        ("cut off", content[: len(content) * 2 // 3]),
        ("no text", b"\xff\xfe\x00garbled"),
        ("a list", b"[1, 2]\n"),
        ("a number", b"7\n"),
        ("an empty object", b"{}\n"),
        ("deep", b"[\n" * 100_000 if content.startswith(b"name:") else b"[" * 100_000),
        ("a foreign line", content + b'{"foreign": true}\n'),
        ("twice", content + content),
        ("a line less", content.partition(b"\n")[2]),
        ("nulls", content.replace(b"1", b"null")),
        ("NaN", content.replace(b"1", b"NaN")),
        ("texts", content.replace(b"1", b'"1"')),
        ("negative", negative),
        ("huge", content.replace(b"1", b"1e999")),
        ("shorter rows", content.replace(b",0]", b"]")),
        ("lists of texts", content.replace(b"[", b'"').replace(b"]", b'"')),
        ("other names", renamed.replace(b"exact", b"exakt")),
    ]


FILES = {
    "resolved.yaml": "compare",
    "run.json": "counts",
    "environment.json": "report",
    "summary.json": "scores",
    "conclusions.json": "report",
    "per_document.csv": "documents",
    "log.jsonl": "report",
    "fitted/*.json": "report",
    f"{CELL}/cell.json": "counts",
    f"{CELL}/scores.jsonl": "counts",
    f"{CELL}/keyphrases.jsonl": "keyphrases",
    f"{CELL}/losses.jsonl": "report",
}
"""Each file with the reader that believes most of it; it meets every mutation, the others take turns."""


def readers(run: Path) -> dict[str, Callable[[], object]]:
    """Everything that reads a run, by what it is called."""
    out = run.parent

    def command(*arguments: str) -> Callable[[], object]:
        return lambda: main([*arguments, "--quiet"]) if "sample" not in arguments else main(arguments)

    frames = {
        what: lambda what=what: run_frame(run, what)
        for what in ("scores", "documents", "keyphrases", "counts")
    }
    return {
        "compare": command("compare", str(run)),
        "analyse": command("analyse", str(run)),
        "report": command("report", str(run), "--out", str(out / "page.html")),
        "csv": command("export", str(run), "--to", "csv", "--out", str(out / "csv")),
        "trec": command("export", str(run), "--to", "trec", "--out", str(out / "trec")),
        "cas": command("export", str(run), "--to", "cas", "--no-annotations", "--out", str(out / "cas")),
        "annotate": command("annotate", "sample", str(run), "--out", str(out / "sheet.csv")),
        **frames,
    }


def read(run: Path, names: Iterable[str]) -> list[str]:
    """Read a run in these ways; what ended in anything but success or a clear error."""
    bad = []
    for name in names:
        for sheet in run.parent.glob("sheet*.csv"):
            sheet.unlink()
        try:
            with contextlib.suppress(KpframeError):
                status = readers(run)[name]()
                if isinstance(status, int) and status not in (0, 1, 2):
                    bad.append(f"{name}: status {status}")
        except BaseException as error:
            bad.append(f"{name}: {type(error).__name__}: {error}")
    return bad


def test_every_reader_reads_what_is_whole(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So that what follows tests the reading, and not the command line."""
    for name, reader in readers(run).items():
        status = reader()
        assert not isinstance(status, int) or status == 0, f"{name}: {capsys.readouterr().err}"


@pytest.mark.parametrize(
    ("file", "old"),
    [(file, old) for file in FILES for old in (False, True) if not old or CELL in file or "resolved" in file],
)
@pytest.mark.acceptance
def test_no_reader_ends_in_a_traceback(
    run: Path, file: str, old: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each file, mutated in many ways; also as in 0.1.0 (`old`), and with cells sealed anew."""
    path = next(run.glob(file))
    content = path.read_bytes()
    if old:
        (run / "run.json").write_text('{"name": "birds"}\n')
    names = list(readers(run))
    bad = []
    for turn, (what, changed) in enumerate(mutations(content), start=list(FILES).index(file) + 5 * old):
        if changed is None:
            path.unlink()
        else:
            path.write_bytes(changed)
        if path.suffix == ".jsonl" and CELL in file and changed is not None:
            sealed(run / CELL)
        bad += [f"{what}: {problem}" for problem in read(run, {FILES[file], names[turn % len(names)]})]
        path.write_bytes(content)
        if CELL in file and file != f"{CELL}/cell.json":
            sealed(run / CELL)
    capsys.readouterr()
    assert bad == []


@pytest.mark.parametrize("change", ["twice", "a line less", "shorter rows", "negative", "other names"])
def test_losses_that_do_not_fit_the_cell_are_not_added_up(
    run: Path, change: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sealed anew: a document twice or lacking, other counts than a run writes, other matchings."""
    path = run / CELL / "losses.jsonl"
    changed = dict(mutations(path.read_bytes()))[change]
    assert changed is not None
    path.write_bytes(changed)
    sealed(run / CELL)
    assert main(["report", str(run), "--out", str(run.parent / "page.html"), "--quiet"]) == 2
    assert REMEDY.removeprefix("; ") in capsys.readouterr().err


@pytest.mark.parametrize("file", ["summary.json", "environment.json", "conclusions.json", "texts.jsonl"])
def test_what_lies_beside_the_cells_is_as_it_was_written(
    run: Path, made: Path, file: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A digit that somebody changed by hand is not shown as a result; run again, all is whole."""
    monkeypatch.chdir(made)
    text = (run / file).read_text()
    at = next(i for i, letter in enumerate(text) if letter.isdigit())
    (run / file).write_text(text[:at] + str(9 - int(text[at])) + text[at + 1 :])
    main(["report", str(run), "--out", str(run / "again.html"), "--quiet"])
    shown = (run / "again.html").read_text() if (run / "again.html").exists() else ""
    told = f"{run / file}: is damaged or was changed after the run"
    assert told in capsys.readouterr().err or told in shown
    Experiment.load(made / "spec.yaml").run(out=run, cache=made / "cache")
    assert (run / file).read_text() == text


def test_a_changed_table_of_documents_is_not_handed_over(run: Path) -> None:
    """As a frame."""
    table = run / "per_document.csv"
    table.write_text(table.read_text().replace("often,a,", "often,a,1"))
    with pytest.raises(KpframeError, match="changed after the run"):
        run_frame(run, "documents")
