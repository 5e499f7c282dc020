"""Work on a real Dask cluster: the same bytes as anywhere, whatever happens to its workers."""

from __future__ import annotations

import gc
import itertools
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dask_cluster import (
    HERE,
    dies_at_three_of,
    fails_at_three,
    keeps,
    never_ends_but_at_first,
    notes,
    process_number,
    product,
    scheduler,
    worker,
)

import kpframe as kp
from kpframe.engine import paused_workers
from kpframe.engine.carrying import packed, unpacked
from kpframe.engine.cluster import ClusterWorkers, _is_gone, cluster_workers
from kpframe.engine.cluster_tasks import AHEAD
from kpframe.engine.dispatch import one_by_one
from kpframe.engine.experiment import Experiment
from kpframe.engine.paused_workers import PausedWorkers
from kpframe.engine.same_worker import differences, made_of
from kpframe.errors import DataError, ResourceError, SpecError
from kpframe.model import Document
from kpframe.spec.stages import make_stage
from kpframe.stages import Selection

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

GRID = """\
name: grid
documents: {{kind: jsonl, path: {corpus}}}
preprocessing: [simple]
sweep:
  candidates:
    ngrams: {{kind: ngrams, max: 2, stopwords: [en]}}
    listed: {{kind: vocabulary, path: {terms}}}
  ranking: {{frequency: frequency, tfidf: tfidf}}
metrics: [r_precision, f1@5]
matching: [exact]
reports: [csv]
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler and two workers that share nothing but the machine."""
    folder = tmp_path_factory.mktemp("cluster")
    once = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
    with (
        scheduler(folder / "scheduler", **once) as (found, _),
        worker(found, folder / "a"),
        worker(found, folder / "b"),
    ):
        with distributed.Client(found, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=240)
        yield found


@pytest.fixture
def pool(address: str) -> Iterator[ClusterWorkers]:
    """Both workers, also after a test that killed one."""
    made = cluster_workers(address)
    made._client.wait_for_workers(2, timeout=240)
    yield made
    made.close()


def corpus(folder: Path, size: int = 60) -> Path:
    """Texts with gold, and a list of terms."""
    import json

    words = ["graph", "ranking", "corpus", "neural", "phrase", "keyphrase", "model", "text", "word", "node"]
    with (folder / "corpus.jsonl").open("w") as file:
        for i in range(size):
            text = " ".join(words[(i * j + j) % 10] for j in range(1, 80)) + "."
            file.write(json.dumps({"id": f"d{i}", "text": text, "gold": [words[i % 10]]}) + "\n")
    (folder / "terms.txt").write_text("graph\nneural model\nkeyphrase\nword node\n")
    spec = folder / "grid.yaml"
    spec.write_text(GRID.format(corpus=folder / "corpus.jsonl", terms=folder / "terms.txt"))
    return spec


def contents(run: Path) -> dict[str, bytes]:
    """The files of a run but for its log, which has times."""
    files = {path.relative_to(run).as_posix(): path for path in run.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in files.items() if name != "log.jsonl"}


@pytest.mark.acceptance
def test_results_come_in_the_order_of_the_tasks(pool: ClusterWorkers) -> None:
    """From more than one process, and none of them is this one."""
    assert list(pool.run(product, 3, range(40))) == [3 * i for i in range(40)]
    numbers = set(pool.run(process_number, None, range(40)))
    assert len(numbers) == 2 and os.getpid() not in numbers


@pytest.mark.acceptance
def test_tasks_are_taken_only_as_they_are_worked_off(pool: ClusterWorkers) -> None:
    """An endless stream is never read to its end; what waits is bounded by the number of workers."""
    taken = []

    def tasks() -> Iterator[int]:
        for number in itertools.count():
            taken.append(number)
            yield number

    results = pool.run(product, 1, tasks())
    assert [next(results) for _ in range(5)] == [0, 1, 2, 3, 4]
    assert len(taken) <= 5 + AHEAD * 2


@pytest.mark.acceptance
def test_an_error_of_the_function_is_raised_here(pool: ClusterWorkers) -> None:
    """As by workers on this machine."""
    with pytest.raises(ValueError, match="three"):
        list(pool.run(fails_at_three, None, range(9)))


@pytest.mark.acceptance
def test_a_task_that_kills_its_workers_is_named_and_no_other(pool: ClusterWorkers) -> None:
    """It is tried at another worker, then given up; all others have their results."""
    batches = ([number] for number in range(6))
    found = one_by_one(pool, dies_at_three_of, signal.SIGKILL, batches, lambda number: -number)
    assert list(found) == [0, 1, 2, -3, 4, 5]


@pytest.mark.acceptance
def test_a_run_has_the_same_bytes_everywhere(address: str, tmp_path: Path) -> None:
    """One process, two, and a cluster that sees neither the corpus nor the list of terms."""
    spec = corpus(tmp_path)
    runs = [
        Experiment.load(spec).run(out=tmp_path / name, cache=tmp_path / f"cache-{name}", **how)
        for name, how in [("one", {}), ("two", {"workers": 2}), ("cluster", {"cluster": address})]
    ]
    one, two, cluster = (contents(run.folder) for run in runs)
    assert one == two == cluster
    assert not (tmp_path / "cache-cluster").exists()  # which belongs to this machine


@pytest.mark.acceptance
def test_a_worker_that_is_killed_in_the_middle_loses_nothing(pool: ClusterWorkers) -> None:
    """Its batch is done by the other one."""
    pipeline = kp.Pipeline.load("any-language")
    texts = [f"Text {i} about keyphrase extraction and graph ranking number {i}." for i in range(900)]
    whole = [one.to_json() for one in pipeline.extract_many(texts)]
    numbers = sorted(pool._client.run(os.getpid).values())

    def killing() -> Iterator[str]:
        for i, text in enumerate(texts):
            if i == 450:
                os.kill(numbers[0], signal.SIGKILL)
            yield text

    assert [one.to_json() for one in pipeline.extract_many(killing(), pool=pool)] == whole


def test_a_worker_that_dies_while_it_is_asked_what_it_has_is_none(pool: ClusterWorkers) -> None:
    """It is held so that it cannot answer, and killed then: the other one does all."""
    pool._client.wait_for_workers(2, timeout=60)
    number = min(pool._client.run(os.getpid).values())
    os.kill(number, signal.SIGSTOP)
    killing = threading.Timer(0.5, os.kill, (number, signal.SIGKILL))
    killing.start()
    assert list(pool.run(product, 3, range(9))) == [3 * task for task in range(9)]
    killing.join()


@pytest.mark.parametrize(
    ("answer", "gone"),
    [
        (distributed.comm.CommClosedError("closed"), True),
        (OSError("Timed out trying to connect to tcp://127.0.0.1:1"), True),
        (ConnectionResetError(104, "reset"), True),
        (FileNotFoundError(2, "no such file"), False),
        (ModuleNotFoundError("no module named mine"), False),
        ({"kpframe": "1"}, False),
    ],
)
def test_what_an_answer_says_of_its_worker(answer: object, gone: bool) -> None:
    """A lost connection is no answer; an error of its own is one."""
    assert _is_gone(answer) == gone


@pytest.mark.acceptance
def test_results_that_were_taken_are_not_made_again(
    pool: ClusterWorkers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever comes of the workers that had them, before garbage is collected: only what is under way is.

    The first waits here end in vain.
    """
    monkeypatch.setattr("kpframe.engine.cluster_tasks.LOOK", 0.05)
    gc.disable()
    try:
        results = pool.run(notes, str(tmp_path / "done"), range(40))
        found = [next(results) for _ in range(30)]
        for number in pool._client.run(os.getpid).values():
            os.kill(number, signal.SIGKILL)
        assert [*found, *results] == list(range(40))
    finally:
        gc.enable()
    again = [int(line) for line in (tmp_path / "done").read_text().splitlines()]
    assert set(again) == set(range(40)) and all(again.count(number) == 1 for number in range(30))


@pytest.mark.acceptance
def test_a_client_of_ones_own_may_be_given(pool: ClusterWorkers) -> None:
    """And stays open."""
    client = pool._client
    found = list(kp.Pipeline.load("any-language").extract_many(["Graph ranking."], cluster=client))
    assert found[0][0].text and client.status == "running"


@pytest.mark.acceptance
def test_a_worker_with_other_versions_is_refused(address: str, tmp_path: Path, monkeypatch: Any) -> None:
    """With what is here and what is there, before any work."""
    monkeypatch.setattr(
        "kpframe.engine.cluster.made_of", lambda foreign: {**made_of(foreign), "numpy": "0.1"}
    )
    pipeline = kp.Pipeline.load("any-language")
    with pytest.raises(
        SpecError, match=r"worker tcp://.*: is not what is here: numpy: 0\.1 here, [2-9].* there"
    ):
        list(pipeline.extract_many(["Graph ranking."], cluster=address))


@pytest.mark.acceptance
def test_a_worker_that_joins_later_is_compared_too(pool: ClusterWorkers, monkeypatch: Any) -> None:
    """Each worker compares itself before its first task."""
    own = made_of(())
    monkeypatch.setattr("kpframe.engine.cluster.made_of", lambda foreign: {**own, "numpy": "0.1"})
    monkeypatch.setattr("kpframe.engine.cluster._unlike", lambda own, theirs: "")
    with pytest.raises(SpecError, match=r"worker tcp://.*numpy: 0\.1 here"):
        list(pool.run(product, 1, [1]))


def test_two_lists_are_compared_by_name() -> None:
    """What one of them lacks is told too."""
    assert differences({"a": "1", "b": "2"}, {"a": "1", "b": "3", "c": "4"}) == [
        "b: 2 here, 3 there",
        "c: nothing here, 4 there",
    ]
    assert differences(made_of(()), made_of(())) == []


def test_files_that_stages_name_travel_with_them(tmp_path: Path) -> None:
    """The path is another, the content and the results are the same; one content lies in one place."""
    (tmp_path / "terms.txt").write_text("graph\n")
    value = {"kind": "vocabulary", "path": str(tmp_path / "terms.txt")}
    stage = make_stage("candidates", value, "", Selection)  # type: ignore[type-abstract]
    data, foreign = packed([stage, {"other": stage.model_copy()}])
    (tmp_path / "terms.txt").unlink()
    one, other = unpacked(data)[0], unpacked(data)[1]["other"]
    assert one == other and one.path != stage.path and Path(one.path).read_text() == "graph\n"
    assert foreign == ()


@pytest.mark.parametrize(
    ("cluster", "told"),
    [
        ("local:0", "'0' is no number of workers"),
        ("local:two", "'two' is no number of workers"),
        ("host", "is no address of a scheduler"),
        ("nonsense://host:1", "no scheduler answers"),
    ],
)
def test_what_is_no_cluster_is_refused(cluster: str, told: str) -> None:
    """Before anything is read."""
    with pytest.raises((SpecError, DataError), match=told):
        cluster_workers(cluster)


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the extra that brings it."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ResourceError, match=r"pip install 'kpframe\[cluster\]'"):
        cluster_workers("tcp://localhost:8786")


@pytest.mark.acceptance
def test_a_lost_scheduler_ends_the_command(tmp_path: Path) -> None:
    """With what to do; nothing waits for ever."""
    with scheduler(tmp_path / "s") as (found, _), worker(found, tmp_path / "w"):
        pool = cluster_workers(found)
        results = pool.run(product, 1, itertools.count())
        assert next(results) == 0
        pool._client.shutdown()
        with pytest.raises(DataError, match="the scheduler is gone"):
            list(itertools.islice(results, 10_000))


@pytest.mark.acceptance
def test_a_scheduler_that_is_lost_while_a_task_is_waited_for_ends_the_command(tmp_path: Path) -> None:
    """Tasks are begun in their order, so that the first is done and the second never is."""
    with scheduler(tmp_path / "s") as (address, process), worker(address, tmp_path / "a"):
        pool = cluster_workers(address)
        results = pool.run(never_ends_but_at_first, None, range(9))
        assert next(results) == 0
        process.kill()
        with pytest.raises(DataError, match="the scheduler is gone"):
            next(results)
        pool.close()


@pytest.mark.acceptance
def test_tasks_are_begun_in_their_order(tmp_path: Path) -> None:
    """By a single worker; Dask itself would take them by their keys, which are drawn."""
    told = tmp_path / "told"
    with scheduler(tmp_path / "s") as (address, _), worker(address, tmp_path / "a"):
        pool = cluster_workers(address)
        assert list(pool.run(notes, str(told), range(20))) == list(range(20))
        pool.close()
    assert told.read_text().split() == [str(number) for number in range(20)]


@pytest.mark.acceptance
def test_a_scheduler_without_kpframe_is_told_what_it_needs(tmp_path: Path) -> None:
    """It reads what it hands on."""
    other = tmp_path / "kpframe"
    other.mkdir()
    (other / "__init__.py").write_text("raise ModuleNotFoundError('No module named kpframe')")
    with (
        scheduler(tmp_path / "s", PYTHONPATH=f"{tmp_path}{os.pathsep}{HERE}") as (address, _),
        worker(address, tmp_path / "a"),
    ):
        pool = cluster_workers(address)
        with pytest.raises(SpecError, match=r"No module named kpframe.*install kpframe there"):
            next(pool.run(product, 1, range(9)))
        pool.close()


def test_documents_are_values(tmp_path: Path) -> None:
    """What is handed out has the text itself, whatever comes of the file."""
    from kpframe.engine.spool import Spool, read_documents, with_documents

    spool = Spool.write(
        tmp_path / "d", [Document("a", "Text ä."), Document("b", "B")], split=None, limit=None
    )
    (sent,) = with_documents(spool.path, None, [list(spool.entries)])
    spool.path.unlink()
    assert [document.text for document in read_documents(Path(), sent)] == ["Text ä.", "B"]


@pytest.mark.acceptance
def test_paused_workers_are_begun_anew(tmp_path: Path) -> None:
    """At four fifths of its limit Dask lets a worker wait, for ever if its memory does not come back."""
    with (
        scheduler(tmp_path / "s") as (found, _),
        worker(found, tmp_path / "w", "--memory-limit", "400MB"),
    ):
        pool = cluster_workers(found)
        assert list(pool.run(keeps, 220, range(4))) == [0, 1, 2, 3]
        pool.close()


class Workers:
    """What a client says of workers, and which were begun anew."""

    def __init__(self, **workers: tuple[str, int]) -> None:
        self.again: list[list[str]] = []
        self._workers = {
            name: {
                "name": name,
                "status": status,
                "nanny": f"n{name}",
                "memory_limit": 5e8,
                "metrics": {"task_counts": {"executing": busy}},
            }
            for name, (status, busy) in workers.items()
        }

    def scheduler_info(self) -> dict[str, Any]:
        return {"workers": self._workers}

    def restart_workers(self, names: list[str], **words: Any) -> None:
        self.again.append(names)


def test_only_workers_that_wait_for_memory_are_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not those that work, whatever they are called."""
    monkeypatch.setattr(paused_workers, "EVERY", 0.0)
    client = Workers(a=("running", 0), b=("paused", 1), c=("paused", 0))
    paused = PausedWorkers(client)
    for _ in range(9):  # a is there to work: nothing is in vain
        paused.look(lambda: 0)
    assert client.again == [["c"]] * 9


def test_workers_that_are_too_small_for_anything_end_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as something is done between two pauses it goes on."""
    monkeypatch.setattr(paused_workers, "EVERY", 0.0)
    client = Workers(a=("paused", 0))
    paused, done = PausedWorkers(client), itertools.count()
    for _ in range(9):
        paused.look(lambda: next(done))
    for _ in range(3):
        paused.look(lambda: 99)
    with pytest.raises(DataError, match=r"all workers are paused.*give each 0\.6 GB or more"):
        paused.look(lambda: 99)
    assert len(client.again) == 12
