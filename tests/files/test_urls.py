"""URLs where paths may stand: what is read and written there, and that no secret gets out."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import kpframe as kp
from kpframe.errors import DataError, Problem, ResourceError, SpecError, without_secrets
from kpframe.files.archives import open_container
from kpframe.files.tables.opening import open_table
from kpframe.files.tables.writing import writing_table
from kpframe.files.urls import exists, fingerprint, is_shared, is_url, local_copy, matching, published
from kpframe.model import Document, Skipped
from kpframe.spec import load_spec
from kpframe.spec.stages import make_stage
from kpframe.stages import Reader

fsspec = pytest.importorskip("fsspec")

FAST = "preprocessing: [simple]\ncandidates: {kind: ngrams, max: 2, stopwords: [en]}\nranking: frequency\n"


@pytest.fixture(autouse=True)
def store() -> Iterator[None]:
    """A store that is empty before and after."""
    memory = fsspec.filesystem("memory")
    memory.store.clear()
    yield
    memory.store.clear()


def put(url: str, text: str) -> str:
    """A file at a URL."""
    with published(url) as file:
        file.write(text.encode())
    return url


def documents(**parameters: object) -> list[Document | Skipped]:
    """What the reader for any files has."""
    reader = make_stage("documents", {"kind": "files", **parameters}, "here", Reader)  # type: ignore[type-abstract]
    return list(reader.read())


def test_a_drive_and_a_time_are_no_urls() -> None:
    """A scheme has two letters at least."""
    assert is_url("s3://bucket/a") and is_url("file:///a") and is_url("memory://a")
    assert not any(map(is_url, ["C:\\a", "c://a", "12:30", "a/b", "", None, Path("s3://a")]))
    assert is_shared("s3://bucket/a") and is_shared("file:///a")
    assert not is_shared("memory://a") and not is_shared("/a")


@pytest.mark.parametrize("ending", [".csv", ".jsonl.gz", ".parquet", ".xlsx", ".tsv.zst"])
def test_a_table_at_a_url_is_as_one_on_disk(ending: str) -> None:
    """Written and read, packed or not."""
    url = f"memory://tables/t{ending}"
    with writing_table(url, ["id", "text"]) as writer:
        writer.write({"id": ["a", "b"], "text": ["one", "two"]})
    with open_table(url) as table:
        rows = next(iter(table.batches(["text"])))
    assert rows.columns["text"] == ["one", "two"]


def test_what_breaks_off_is_never_seen() -> None:
    """A file appears when it is whole."""
    with pytest.raises(TypeError), published("memory://out/a.txt") as file:
        file.writelines([b"half", "text"])  # type: ignore[list-item]
    assert matching("memory://out/*") == []


def test_texts_tables_and_folders_are_read(tmp_path: Path) -> None:
    """By one reader, as on disk; ids are those of the names."""
    put("memory://in/news/a.txt", "Text a.")
    put("memory://in/news/b.txt", "Text b.")
    put("memory://rows.csv", "id,text\n7,seven\n")
    put("memory://lines.jsonl", '{"id": "l", "text": "line"}\n')
    assert [d.id for d in documents(path="memory://in")] == ["news/a", "news/b"]  # type: ignore[union-attr]
    assert [d.id for d in documents(path="memory://in/news/a.txt")] == ["a"]  # type: ignore[union-attr]
    found = documents(path=["memory://rows.csv", "memory://lines.jsonl"])
    assert [(d.id, d.text) for d in found] == [("7", "seven"), ("l", "line")]  # type: ignore[union-attr]


def test_an_archive_at_a_url_is_opened() -> None:
    """Entered where it lies, by the bytes that are needed."""
    import io
    import zipfile

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.txt", "Inside.")
    with published("memory://texts.zip") as file:
        file.write(packed.getvalue())
    with open_container("memory://texts.zip") as root:
        assert [member.name for member in root.members] == ["a.txt"]


def test_file_urls_are_paths(tmp_path: Path) -> None:
    """Also with what URLs escape."""
    place = tmp_path / "a b.csv"
    url = f"file://{tmp_path}/a%20b.csv"
    put(url, "id,text\n1,x\n")
    assert place.read_text() == "id,text\n1,x\n"
    assert documents(path=url)[0].id == "1"  # type: ignore[union-attr]
    with local_copy(url) as copy:
        assert copy == place
    assert matching(f"file://{tmp_path}/*.csv") == [f"file://{place}"]
    with pytest.raises(SpecError, match="names a machine"):
        matching("file://host/*")


def test_a_missing_file_is_told_as_one() -> None:
    """With its URL; before anything is read, as far as a stage is asked."""
    with pytest.raises(DataError, match=r"memory://no\.csv: does not exist"):
        open_table("memory://no.csv")
    reader = make_stage("documents", {"kind": "files", "path": "memory://no"}, "", Reader)  # type: ignore[type-abstract]
    assert [problem for _, problem, _ in reader.problems(["en"])] == ["'memory://no' does not exist"]
    with (
        pytest.raises(DataError, match="memory://no: does not exist; correct the URL"),
        local_copy("memory://no"),
    ):
        pass


def test_specs_and_models_are_read(tmp_path: Path) -> None:
    """And errors name the URL, not the copy."""
    url = put("memory://specs/fast.yaml", FAST)
    assert kp.Pipeline.load(url).extract("Neural nets. Neural nets.")[0].text == "Neural"
    put("memory://specs/bad.yaml", "ranking: frequency\nsave: 0\n")
    with pytest.raises(SpecError, match=r"memory://specs/bad\.yaml:2: save"):
        load_spec("memory://specs/bad.yaml")
    put("memory://model.json", "{}")
    with pytest.raises(SpecError, match=r"memory://model\.json: is not a kpframe model"):
        kp.Pipeline.load("memory://model.json")


def test_predictions_and_gold_are_read() -> None:
    """As `score` has them, tables too."""
    put("memory://p.csv", "id,rank,text\na,2,cat\na,1,dog\n")
    put("memory://g.jsonl", '{"id": "a", "gold": ["dog"]}\n')
    (score, *_) = kp.score("memory://g.jsonl", "memory://p.csv", metrics=["precision@1"])
    assert score.value == 1
    put("memory://bad.jsonl", "{\n")
    with pytest.raises(DataError, match=r"memory://bad\.jsonl:1"):
        kp.score("memory://g.jsonl", "memory://bad.jsonl")


def test_a_resolved_spec_keeps_the_url_and_loses_the_secret() -> None:
    """A signature in a query is none of a reader's business."""
    put("memory://t.csv", "id,text\na,b\n")
    spec = load_spec_of({"kind": "files", "path": "memory://t.csv"})
    assert spec["documents"]["path"] == ["memory://t.csv"]
    signed = "https://host/t.csv?X-Amz-Signature=abc123&x=1"
    assert (
        without_secrets(f"see {signed}, or ftp://me:word@host/x")
        == "see https://host/t.csv?…, or ftp://…@host/x"
    )
    assert "abc123" not in str(Problem(signed, f"{signed} cannot be read", signed))
    assert "abc123" not in Skipped(f"{signed}:3", "is empty").place


def load_spec_of(reader: dict[str, object]) -> dict[str, object]:
    """What a spec with a reader resolves to."""
    from kpframe.spec import build

    tree = {"name": "x", "documents": reader, "ranking": "frequency", "candidates": "tokens"}
    return dict(build({**tree, "preprocessing": ["simple"]}).resolved)


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("s3://me:word@bucket/a.csv", "has a password in it"),
        ("reference://a.csv", "reference:// is not known; known are: abfs"),
        ("simplecache::memory://a.csv", "not exist"),
        ("memory::zip://a.csv", "not exist"),
        ("zip://a::memory://b.zip", "zip:// is not known"),
    ],
)
def test_urls_that_are_refused(url: str, told: str) -> None:
    """A password would stand in logs; some kinds of fsspec run what they read; chains are no URLs here."""
    with pytest.raises((SpecError, DataError)) as raised:
        open_table(url)
    assert told in str(raised.value) and "word" not in str(raised.value).replace("password", "")


def test_what_is_missing_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra that brings it."""

    def lacks(*words: object, **more: object) -> None:
        raise ImportError("Install s3fs to access S3")

    monkeypatch.setattr(fsspec.core, "url_to_fs", lacks)
    with pytest.raises(ResourceError, match=r"s3://b/a\.csv: needs a library .*pip install 'kpframe\[s3\]'"):
        open_table("s3://b/a.csv")
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(
        ResourceError, match=r"needs fsspec, which is not installed; pip install 'kpframe\[urls\]'"
    ):
        open_table("memory://a.csv")


def test_the_web_is_read_only() -> None:
    """Nothing is computed for what cannot be written."""
    with pytest.raises(SpecError, match="https is read only"), published("https://host/a.csv"):
        pass


def test_a_parameter_of_the_chain_is_no_url() -> None:
    """A list of terms is carried with models, so it lies on disk."""
    from kpframe.spec import build

    tree = {
        "name": "x",
        "candidates": {"kind": "vocabulary", "path": "memory://v.txt"},
        "ranking": "frequency",
    }
    with pytest.raises(SpecError, match="is a URL, which only texts and predictions may be"):
        build({**tree, "preprocessing": ["simple"]}, purpose="extract")


def test_changed_content_has_another_fingerprint() -> None:
    """Whatever its size and date."""
    first = fingerprint(put("memory://a", "one"))
    assert fingerprint(put("memory://a", "two")) != first
    assert fingerprint(put("memory://a", "one")) == first


def test_a_run_folder_is_on_this_machine(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A folder is worked on where it lies: a URL is refused, and no folder of that name appears."""
    from kpframe.cli import main

    assert main(["run", "demo", "--out", "s3://bucket/run"]) == 2
    assert "--out s3://bucket/run: is a URL" in capsys.readouterr().err


def test_extract_reads_and_writes_urls(capsys: pytest.CaptureFixture[str]) -> None:
    """From a table in a store to a table in a store."""
    from kpframe.cli import main

    put("memory://in.csv", "id,body,stars\na,Neural nets. Neural nets.,5\n")
    put("memory://fast.yaml", FAST)
    words = ["extract", "--input", "memory://in.csv", "--column", "body", "--keep", "stars"]
    assert main([*words, "--pipeline", "memory://fast.yaml", "--out", "memory://out.jsonl.gz", "--wide"]) == 0
    assert "wrote memory://out.jsonl.gz: 1 document" in capsys.readouterr().err
    with open_table("memory://out.jsonl.gz") as table:
        rows = next(iter(table.batches(["id", "stars", "keyphrases"])))
    assert rows.columns["id"] == ["a"] and rows.columns["stars"] == ["5"]
    assert json.dumps(rows.columns["keyphrases"]).startswith('[["Neural"')


def test_a_server_that_is_not_there_is_no_missing_file() -> None:
    """Whoever reads that a file does not exist corrects the path in vain."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/a.csv"
    with pytest.raises(DataError, match=r"a\.csv: cannot be read \(.*check the URL, the network"):
        exists(url)
