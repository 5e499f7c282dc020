"""Whatever a result was made of may change between two runs of one process, and wherever it lies."""

from __future__ import annotations

import os
import py_compile
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import fsspec
import numpy as np
import pytest
from engine_runs import ROOT, SINGLE, corpus, events, outcome, run

import kpframe as kp
from kpframe import DataError, Document
from kpframe.engine.source_code import foreign_code, forget_code
from kpframe.model import Annotations, Keyphrases
from kpframe.runs.folder import RunFolder
from kpframe.stages import Annotator, Postprocessor, registry
from kpframe.stages.base import _sealed

DOCUMENTS = corpus(4)
WORDS = sorted({word for document in DOCUMENTS for word in document.text.lower().split() if word.isalpha()})


def with_line(line: str) -> str:
    """A spec in which a line stands in place of that of its key."""
    key = line.partition(":")[0]
    return "\n".join([*(row for row in SINGLE.splitlines() if not row.startswith(key)), line])


def replaced(path: Path, content: str) -> None:
    """Another file in its place, with the date of the first, as `cp -p` and rsync leave it."""
    before = path.stat()
    path.unlink()
    path.write_text(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def rows(words: list[str], times: int = 1) -> str:
    """A table of document frequencies."""
    return "#documents\t9\n" + "".join(f"{word}\t{times}\n" for word in words)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "before", "after"),
    [
        ("postprocessing: [{kind: stopwords, lists: [./file.txt]}]", WORDS[:9], WORDS[9:40]),
        ("candidates: {kind: ngrams, stopwords: [./file.txt]}", WORDS[:9], WORDS[9:40]),
        ("candidates: {kind: stop_runs, stopwords: [./file.txt]}", WORDS[:9], WORDS[9:40]),
        ("ranking: {kind: yake, stopwords: [./file.txt]}", WORDS[:9], WORDS[9:40]),
        ("candidates: {kind: vocabulary, path: file.txt}", WORDS[:30], WORDS[20:60]),
        ("ranking: {kind: tfidf, idf: {from: file, path: file.txt}}", None, None),
    ],
)
def test_a_file_that_changes_within_a_process_is_read_again(
    tmp_path: Path, line: str, before: list[str] | None, after: list[str] | None
) -> None:
    """The results are those of a folder in which nothing was before, also where dates were kept."""
    path = tmp_path / "file.txt"
    old, new = (
        (rows(WORDS), rows(WORDS[:30], 9)) if before is None else ("\n".join(before), "\n".join(after or ()))
    )
    spec = with_line(line).replace("./file.txt", f"{tmp_path}/file.txt")
    path.write_text(old)
    first = outcome(run(tmp_path, spec, DOCUMENTS).folder)
    replaced(path, new)
    again = outcome(run(tmp_path, spec, DOCUMENTS).folder)
    fresh = run(tmp_path, spec, DOCUMENTS, out=tmp_path / "fresh", cache=tmp_path / "empty").folder
    assert again == outcome(fresh)
    assert again != first


FOREIGN = """
name: foreign
documents: {{kind: jsonl, path: corpus.jsonl}}
systems:
  mine: {{predictions: {{path: "{path}", missing: empty}}}}
reports: [json]
"""


@pytest.mark.parametrize("where", ["path", "file", "memory", "pipe"])
def test_predictions_count_by_what_they_hold_wherever_they_are(tmp_path: Path, where: str) -> None:
    """At a path, at URLs, and out of a pipe, of which each run is given another."""
    lines = [
        f'{{"id": "{document.id}", "keyphrases": ["{WORDS[i]}"]}}\n' for i, document in enumerate(DOCUMENTS)
    ]
    others = [line.replace('["', '["other ') for line in lines]
    found = []
    for number, content in enumerate(("".join(lines), "".join(lines), "".join(others))):
        path, close = _laid(tmp_path, where, content, number)
        made = run(tmp_path, FOREIGN.format(path=path), DOCUMENTS)
        close()
        found.append(events(made.folder, "plan")[-1]["pending"])
    # The path of a pipe is another each time, and does not count either.
    assert found == [1, 0, 1]


def _laid(folder: Path, where: str, content: str, number: int) -> tuple[str, Callable[[], object]]:
    if where == "memory":
        with fsspec.open("memory://stale/mine.jsonl", "w") as file:
            file.write(content)
        return "memory://stale/mine.jsonl", lambda: None
    if where == "pipe":
        entrance, exit_ = os.pipe()
        os.write(exit_, content.encode())
        os.close(exit_)
        return f"/dev/fd/{entrance}", lambda: os.close(entrance)
    path = folder / "mine.jsonl"
    path.write_text(content)
    return (path.as_uri() if where == "file" else str(path)), lambda: None


class Listed(Postprocessor):
    """A step with several files."""

    kind: ClassVar[str] = "listed"
    paths: ClassVar[tuple[str, ...]] = ("lists",)

    lists: tuple[str, ...] = ()

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        """Nothing."""
        return keyphrases


def test_each_file_of_a_list_counts_and_what_links_lead_to(tmp_path: Path) -> None:
    """A list of paths, one of them a folder with a linked folder in it, which leads round in a circle too."""
    (tmp_path / "one.txt").write_text("a")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "two.txt").write_text("b")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "round").symlink_to(tmp_path / "folder")
    stage = Listed(lists=(str(tmp_path / "one.txt"), str(tmp_path / "folder")))
    first = stage.identity()
    assert str(tmp_path) not in str(first)
    (tmp_path / "elsewhere" / "two.txt").write_text("c")
    second = stage.identity()
    (tmp_path / "one.txt").write_text("c")
    assert len({str(first), str(second), str(stage.identity())}) == 3


def test_no_identity_holds_a_secret_of_a_url() -> None:
    """Whether what is there can be read or not; and a URL that is signed anew is the same file."""
    with fsspec.open("memory://signed/list.txt", "w") as file:
        file.write("kites")
    unreadable = Listed(lists=("https://user:swordfish@nowhere.invalid/list.txt?sig=a.swordfish",))
    assert "swordfish" not in str(unreadable.identity())
    first, second = (_sealed(f"memory://signed/list.txt{query}") for query in ("", "?sig=a.swordfish"))
    assert first["suffix"] == ".txt"
    assert "swordfish" not in str(second)


@pytest.mark.slow
def test_packages_in_hidden_folders_and_behind_links_are_covered(tmp_path: Path) -> None:
    """What lies in the package counts by its place there, wherever the package is."""
    package = tmp_path / ".plugins" / "hidden"
    (package / "inner").mkdir(parents=True)
    (package / ".git").mkdir()
    (tmp_path / "linked").mkdir()
    for name in ("__init__.py", "inner/__init__.py", ".git/config"):
        (package / name).write_text("class Stage: pass\n")
    (tmp_path / "linked" / "far.py").write_text("far = 1\n")
    (package / "sub").symlink_to(tmp_path / "linked")
    code = (
        "import sys; sys.path.insert(0, '.plugins'); import hidden\n"
        "from kpframe.engine.source_code import foreign_code\n"
        "print(*foreign_code(hidden.Stage).files)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    found = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.split() == ["hidden/__init__.py", "hidden/inner/__init__.py", "hidden/sub/far.py"]


def test_what_was_typed_is_another_in_the_next_run() -> None:
    """A function that the stage calls may have been typed anew, though the class is the same."""
    typed = type("Typed", (), {"__module__": "nowhere"})
    first = foreign_code(typed)
    assert foreign_code(typed) == first
    forget_code()
    assert foreign_code(typed) != first


def test_every_run_looks_at_code_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So a stage of a session is never taken for what it was."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))

    def once() -> int:
        made = run(tmp_path, with_line("postprocessing: [typed]"), DOCUMENTS)
        return int(events(made.folder, "plan")[-1]["pending"])

    @kp.stage
    class Typed(Postprocessor):
        """Does nothing."""

        kind: ClassVar[str] = "typed"
        __module__ = "a_session"

        def process(self, keyphrases: Keyphrases) -> Keyphrases:
            """The same."""
            return keyphrases

    assert [once(), once()] == [1, 1]


def test_annotations_of_a_session_are_as_new_as_its_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are kept in a cache under the code of the annotator, which each run looks at anew."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    every = [2]

    @kp.stage
    class Thinned(Annotator):
        """Entities at every so manieth token."""

        kind: ClassVar[str] = "thinned"
        __module__ = "a_session"

        def requires(self) -> frozenset[str]:
            """Tokens."""
            return frozenset({"tokens"})

        def provides(self) -> frozenset[str]:
            """Entities."""
            return frozenset({"entities"})

        def annotate(self, document: Document, annotations: Annotations | None) -> Annotations:
            """An entity of one token each."""
            assert annotations is not None
            places = np.arange(0, len(annotations.words), every[0], dtype=np.int32)
            return annotations.with_layers(
                vocabulary=(*annotations.vocabulary, "X"),
                entities=np.stack([places, places + 1], axis=1),
                entity_labels=np.full(len(places), len(annotations.vocabulary), dtype=np.int32),
            )

    spec = with_line("preprocessing: [simple, thinned]")
    spec = "\n".join(
        "candidates: {kind: named_entities, determiners: keep}" if row.startswith("candidates") else row
        for row in spec.splitlines()
    )
    first = outcome(run(tmp_path, spec, DOCUMENTS).folder)
    every[0] = 5
    again = outcome(run(tmp_path, spec, DOCUMENTS).folder)
    fresh = outcome(run(tmp_path, spec, DOCUMENTS, out=tmp_path / "fresh", cache=tmp_path / "empty").folder)
    assert first != again == fresh


@pytest.mark.slow
def test_modules_count_by_where_they_lie_and_not_by_their_names(tmp_path: Path) -> None:
    """`sched.py` beside a script is not the standard library's; a package may have bytecode alone."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "__init__.py").write_text(
        "import sched, json\nfrom mine import bare\nclass Stage: pass\n"
    )
    (tmp_path / "mine" / "bare.py").write_text("WEIGHT = 1\n")
    (tmp_path / "sched.py").write_text("SIGN = 1\n")
    py_compile.compile(str(tmp_path / "mine" / "bare.py"), cfile=str(tmp_path / "mine" / "bare.pyc"))
    (tmp_path / "mine" / "bare.py").unlink()
    code = (
        "import mine\nfrom kpframe.engine.source_code import foreign_code\n"
        "print(*foreign_code(mine.Stage).files)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    found = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert found.stdout.split() == ["mine/__init__.py", "mine/bare.pyc", "sched.py"]


def test_nothing_is_written_into_a_run_folder_that_another_run_holds(tmp_path: Path) -> None:
    """Not even what is read first: the other may write it meanwhile."""
    folder = run(tmp_path, SINGLE, DOCUMENTS).folder
    marker = folder / "run.json"
    before = marker.stat()
    holding = RunFolder(folder, "single")
    with holding.held(), pytest.raises(DataError, match="another run is writing into it"):
        run(tmp_path, SINGLE, DOCUMENTS, out=folder)
    assert marker.stat() == before
