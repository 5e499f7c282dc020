"""A real object store: S3 as moto's server has it, through the network, for tables, partitions and models."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

import pytest

from kpframe.cli import main
from kpframe.errors import DataError
from kpframe.files.tables.opening import open_table
from kpframe.files.tables.writing import writing_table
from kpframe.files.urls import fingerprint, is_file, matching, published

s3fs = pytest.importorskip("s3fs", reason="s3fs is not installed: pip install 'kpframe[s3]'")
moto = pytest.importorskip("moto.server", reason="no S3 to test with: pip install 'moto[server]'")
pytestmark = pytest.mark.slow

SECRET = "never-to-be-seen"


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An empty bucket; credentials are in the environment, where fsspec finds them."""
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in {
        "AWS_ACCESS_KEY_ID": "somebody",
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
    }.items():
        monkeypatch.setenv(name, value)
    reset = Request(f"http://{host}:{port}/moto-api/reset", method="POST")
    urlopen(reset).close()
    s3fs.S3FileSystem.clear_instance_cache()
    s3fs.S3FileSystem().mkdir("texts")
    yield "s3://texts"
    server.stop()


def put(url: str, rows: int, first: int = 0) -> None:
    """A table with texts."""
    with writing_table(url, ["id", "text"]) as writer:
        ids = [str(first + i) for i in range(rows)]
        writer.write({"id": ids, "text": [f"Neural nets rank {i} nodes." for i in ids]})


def test_tables_are_read_and_written(bucket: str) -> None:
    """Parquet, entered at any place; and a file's checksum is the store's own."""
    put(f"{bucket}/t.parquet", 2_000)
    with open_table(f"{bucket}/t.parquet") as table:
        assert sum(len(rows.numbers) for rows in table.batches(["text"])) == 2_000
    assert fingerprint(f"{bucket}/t.parquet").startswith("ETag:")
    assert not is_file(f"{bucket}/none.parquet")
    with pytest.raises(DataError, match=r"s3://texts/none\.parquet: does not exist"):
        open_table(f"{bucket}/none.parquet")


def test_what_breaks_off_is_never_there(bucket: str) -> None:
    """No part of an upload is left either."""
    with pytest.raises(TypeError), published(f"{bucket}/a.bin") as file:
        file.writelines([b"x" * 10_000_000, "no bytes"])  # type: ignore[list-item]
    assert matching(f"{bucket}/*") == []


def test_partitions_from_a_bucket_to_a_bucket(
    bucket: str, capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    """Resumed by their manifests; no secret stands in any of what was written or said."""
    for i in range(3):
        put(f"{bucket}/in/{i}.parquet", 3, 10 * i)
    words = ["extract", "--input", f"{bucket}/in/*.parquet", "--out", f"{bucket}/out/", "--wide"]
    words += ["--pipeline", "any-language"]
    assert main(words) == 0
    assert "3 partitions made, 0 there already; 9 documents" in capsys.readouterr().err
    put(f"{bucket}/in/1.parquet", 4, 10)
    assert main(words) == 0
    assert "1 partition made, 2 there already; 10 documents" in capsys.readouterr().err
    store = s3fs.S3FileSystem()
    store.invalidate_cache()
    names = sorted(path for path in store.find("texts/out"))
    assert [name for name in names if "_manifest" not in name] == [f"texts/out/{i}.parquet" for i in range(3)]
    for name in names:
        assert SECRET.encode() not in store.cat_file(name)
    told = json.loads(store.cat_file("texts/out/_manifest/1.parquet.json"))
    assert (told["input"], told["documents"]) == ("s3://texts/in/1.parquet", 4)


def test_a_store_that_refuses_is_told(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its reason, and without what was said to it."""
    with pytest.raises(DataError) as raised, published("s3://no-such-bucket/a.csv") as file:
        file.write(b"x")
    assert "s3://no-such-bucket/a.csv: cannot be written" in str(raised.value)
    assert SECRET not in str(raised.value)
