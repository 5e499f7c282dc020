"""Ids without a counterpart that are nearly the same: the error or notice says in what they differ."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from families import every

from kpframe.cli import main
from kpframe.engine.experiment import Experiment
from kpframe.errors import DataError
from kpframe.evaluation.alike_ids import alike
from kpframe.evaluation.scoring import score

NFC, NFD = "caf\u00e9", "cafe\u0301"


@every(
    ("one", "other", "how"),
    [
        (NFC, NFD, r"'caf\xe9' and 'cafe\u0301' differ only in their Unicode form"),
        ("A1", "a1", "'A1' and 'a1' differ only in case"),
        ("STRASSE", "straße", "'STRASSE' and 'straße' differ only in case"),
        (" a1", "a1", "' a1' and 'a1' differ only in blanks around them"),
        ("a1\u00a0", "a1", r"'a1\xa0' and 'a1' differ only in blanks around them"),
        ("a\u200b1", "a1", r"'a\u200b1' and 'a1' differ only in signs that cannot be seen"),
        ("\ufeffa1", "a1", r"'\ufeffa1' and 'a1' differ only in signs that cannot be seen"),
        ("a1.txt", "a1", "'a1.txt' and 'a1' differ only in the ending of a file's name"),
        ("007", "7", "'007' and '7' differ only in zeros before a number"),
        ("doc-01", "doc-1", "'doc-01' and 'doc-1' differ only in zeros before a number"),
        ("7.0", "7", "'7.0' and '7' differ only in the decimals of a number"),
        (
            " A1.txt",
            "a1",
            "' A1.txt' and 'a1' differ only in several of: Unicode form, blanks, case, an ending, zeros",
        ),
        ("a1", "a2", ""),
        ("10", "1", ""),
        ("1.5", "1.05", ""),
        ("", " ", ""),
        ("a.b", "a", "'a.b' and 'a' differ only in the ending of a file's name"),
    ],
)
def test_in_what_two_ids_differ(one: str, other: str, how: str) -> None:
    """Either way round, but for the order."""
    assert alike([one], [other]) == how
    assert bool(alike([other], [one])) == bool(how)


def test_many_are_counted() -> None:
    """With the first as an example."""
    assert alike(["A", "B", "x"], ["a", "b", "y"]) == (
        "2 of them have a counterpart that is nearly the same: 'A' and 'a' differ only in case"
    )
    assert alike([], ["a"]) == alike(["a"], []) == ""


def files(folder: Path, gold: list[str], predicted: list[str]) -> list[str]:
    """Gold and predictions with these ids, as options."""
    for name, key, ids in (("gold", "gold", gold), ("mine", "keyphrases", predicted)):
        lines = (json.dumps({"id": id, key: ["owls"], "text": "owls"}) + "\n" for id in ids)
        (folder / f"{name}.jsonl").write_text("".join(lines))
    return ["--gold", str(folder / "gold.jsonl"), "--predictions", str(folder / "mine.jsonl")]


@pytest.mark.parametrize("command", ["score", "analyse", "export --to trec --out o"])
def test_commands_say_so(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As an error where nothing has a counterpart, as a notice where something has."""
    monkeypatch.chdir(tmp_path)
    assert main([*command.split(), *files(tmp_path, [NFC], [NFD])]) == 2
    assert "differ only in their Unicode form; give both files the same ids\n" in capsys.readouterr().err
    main([*command.split(), *files(tmp_path, ["x", "a"], ["x", "A"])])
    assert "'A' and 'a' differ only in case\n" in capsys.readouterr().err
    main([*command.split(), *files(tmp_path, ["x", "a"], ["x", "b"])])
    assert "differ only" not in capsys.readouterr().err


def test_python_and_refusals_say_so() -> None:
    """The same words."""
    with pytest.raises(DataError, match=r"'a' and 'a\.txt' differ only in the ending of a file's name; give"):
        score({"a": ["owls"]}, {"a.txt": ["owls"]})
    with pytest.raises(DataError, match="'a' and 'A' differ only in case; complete the files"):
        score({"x": ["owls"], "a": ["owls"]}, {"x": ["owls"], "A": ["owls"]}, missing="refuse")


@pytest.mark.slow
@pytest.mark.parametrize("missing", ["refuse", "empty", "skip"])
def test_systems_of_a_run_say_so(missing: str, tmp_path: Path) -> None:
    """Where documents of the corpus have no prediction."""
    files(tmp_path, ["x", "a"], ["x", "A"])
    spec = tmp_path / "spec.yaml"
    spec.write_text(
        "name: given\ndocuments: {kind: jsonl, path: gold.jsonl}\npreprocessing: [simple]\n"
        f"systems: {{mine: {{predictions: {{path: mine.jsonl, missing: {missing}}}}}}}\n"
        "metrics: [r_precision]\n"
    )
    experiment = Experiment.load(spec)
    if missing == "refuse":
        with pytest.raises(DataError, match="'a' and 'A' differ only in case; complete it"):
            experiment.run(out=tmp_path / "out")
    else:
        notes = " ".join(experiment.run(out=tmp_path / "out").summary.notes)
        assert "'a' and 'A' differ only in case" in notes
