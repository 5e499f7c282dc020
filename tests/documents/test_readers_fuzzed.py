"""Whatever a file holds: documents, Skipped or DataError, and never anything else."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from corpus_files import tarred, zipped
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe.documents.ake_json import AkeJson
from kpframe.documents.corenlp_xml import CorenlpXml
from kpframe.documents.csv import Csv
from kpframe.documents.duc2001 import Duc2001
from kpframe.documents.hulth2003 import Hulth2003
from kpframe.documents.jsonl import Jsonl
from kpframe.documents.text import Text
from kpframe.documents.text_and_keys import TextAndKeys
from kpframe.errors import DataError
from kpframe.model import Document, Skipped
from kpframe.stages import Reader

pytestmark = [pytest.mark.slow, pytest.mark.acceptance]

quick = settings(max_examples=60, deadline=None)


def reads_or_refuses(reader: Reader) -> None:
    """Read everything; ids are distinct, texts and places can be written as UTF-8."""
    ids: set[str] = set()
    try:
        for entry in reader.read():
            if isinstance(entry, Skipped):
                (entry.place + entry.reason).encode()
                continue
            assert isinstance(entry, Document)
            assert entry.id not in ids
            ids.add(entry.id)
            json.dumps(entry.to_json(), ensure_ascii=False, allow_nan=False).encode()
    except DataError:
        return


def mangled(content: bytes, edits: list[tuple[int, bytes]], cut: int) -> bytes:
    """`content` with some bytes overwritten and perhaps its end cut off."""
    made = bytearray(content)
    for position, new in edits:
        at = position % (len(made) + 1)
        made[at : at + len(new)] = new
    return bytes(made[: len(made) - cut % (len(made) + 1)] if cut else made)


edits = st.lists(st.tuples(st.integers(0, 10**6), st.binary(max_size=6)), max_size=4)
cuts = st.one_of(st.just(0), st.integers(0, 10**6))

ABSTRACTS = {
    "1.abstr": "Title\r\nText\n\tmore\r\n",
    "1.uncontr": "a; b\n\tc\r\n",
    "2.abstr": "T",
    "2.contr": "",
}
KEYED = {"docsutf8/1.txt": "one", "keys/1.key": "a\n1\tb\n", "docsutf8/2.txt": "two"}
XML = (
    b'<?xml version="1.0"?><root><document><sentences><sentence id="1"><tokens><token id="1">'
    b"<word>Mice</word>"
    b"<lemma>mouse</lemma><CharacterOffsetBegin>0</CharacterOffsetBegin><CharacterOffsetEnd>4</CharacterOffsetEnd>"
    b"<POS>NNS</POS></token></tokens></sentence></sentences></document></root>"
)
RECORD = {
    "id": "a",
    "text": "Mice",
    "gold": [{"variants": ["mice"], "source": "x"}],
    "metadata": {"split": "t"},
}
LINES = "\n".join(
    map(json.dumps, [RECORD, {"title": "T", "abstract": "A", "keywords": "b;c"}, {"document": ["d"]}])
)
TABLE = 'id,text,gold\n1,"a, ""b""\nc",x;y\n2,d,\n'
LABELS = "***\nid@...\n***\n1@a;b;\n2@c;\n"

READERS: dict[str, tuple[bytes, Callable[[str], Reader]]] = {
    "hulth-tar": (tarred({"Training.zip": zipped(ABSTRACTS)}), lambda p: Hulth2003(path=p, gold="both")),
    "hulth-zip": (zipped(ABSTRACTS), lambda p: Hulth2003(path=p)),
    "keys-zip": (zipped(KEYED), lambda p: TextAndKeys(path=p)),
    "keys-tar": (tarred(KEYED, "w"), lambda p: TextAndKeys(path=p)),
    "corenlp": (zipped({"1.xml": XML}), lambda p: CorenlpXml(path=p)),
    "jsonl": (LINES.encode(), lambda p: Jsonl(path=p)),
    "csv": (TABLE.encode(), lambda p: Csv(path=p, gold="gold", id="id")),
    "csv-latin": (TABLE.encode(), lambda p: Csv(path=p, encoding="utf-16", text="text")),
    "text": (b"a\r\nb", lambda p: Text(path=p)),
    "text-lines": (b"a\r\nb", lambda p: Text(path=p, unit="line")),
}


@pytest.mark.parametrize("name", READERS)
@quick
@given(edits=edits, cut=cuts)
def test_mangled_files_never_break_a_reader(name: str, edits: list[tuple[int, bytes]], cut: int) -> None:
    """Bytes overwritten anywhere, the end cut off."""
    content, reader = READERS[name]
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).write_bytes(mangled(content, edits, cut))
        reads_or_refuses(reader(file.name))


@pytest.mark.parametrize("name", READERS)
@quick
@given(content=st.one_of(st.binary(max_size=200), st.binary(max_size=60).map(lambda b: b"PK\x03\x04" + b)))
def test_random_bytes_never_break_a_reader(name: str, content: bytes) -> None:
    """Nor what begins like a zip."""
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).write_bytes(content)
        reads_or_refuses(READERS[name][1](file.name))


@quick
@given(edits=edits, cut=cuts)
def test_mangled_compression_never_breaks_a_reader(edits: list[tuple[int, bytes]], cut: int) -> None:
    """A gzip file that is no more what it was."""
    with tempfile.NamedTemporaryFile(suffix=".jsonl.gz") as file:
        Path(file.name).write_bytes(mangled(gzip.compress(LINES.encode()), edits, cut))
        reads_or_refuses(Jsonl(path=file.name))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["variants", "source", "x"]), inner)
    ),
    max_leaves=6,
)
KEYS = ["id", "text", "title", "abstract", "language", "metadata", "gold", "keywords", "document", "keyword"]


@settings(max_examples=200, deadline=None)
@given(
    records=st.lists(
        st.dictionaries(st.sampled_from([*KEYS, "extractive_keyphrases"]), json_values, max_size=5)
        | json_values,
        max_size=3,
    )
)
def test_any_json_is_a_document_or_skipped(records: list[Any]) -> None:
    """Values of any type under the keys that are read; nothing is lost."""
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        Path(file.name).write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
        reads_or_refuses(Jsonl(path=file.name))
        assert len(list(Jsonl(path=file.name).read())) == len(records)


@settings(max_examples=100, deadline=None)
@given(value=st.dictionaries(st.sampled_from("123"), json_values) | json_values)
def test_any_json_as_references_is_read_or_refused(value: Any) -> None:
    """Entries of any type."""
    with tempfile.TemporaryDirectory() as folder:
        references = Path(folder, "r.json")
        references.write_text(json.dumps(value), encoding="utf-8")
        Path(folder, "1.txt").write_text("one", encoding="utf-8")
        reads_or_refuses(AkeJson(texts=folder, references=str(references)))


@quick
@given(content=st.one_of(st.binary(max_size=80), st.text("12@;*\n a", max_size=80).map(str.encode)))
def test_any_label_file_is_read_or_refused(content: bytes) -> None:
    """Also one that is nothing but rules and separators."""
    with tempfile.TemporaryDirectory() as folder:
        labels = Path(folder, "labels")
        labels.write_bytes(content)
        Path(folder, "1").write_text("one", encoding="utf-8")
        reads_or_refuses(Duc2001(path=folder, labels=str(labels)))


names = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12),
    st.lists(
        st.sampled_from(["..", ".", "", "a", "docsutf8", "keys", "1.txt", "1.key", "C:", "\\"]), min_size=1
    ).map("/".join),
)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@settings(max_examples=100, deadline=None)
@given(members=st.lists(st.tuples(names, st.binary(max_size=8)), max_size=6), tar=st.booleans())
def test_any_member_names_are_read_or_skipped(members: list[tuple[str, bytes]], tar: bool) -> None:
    """Names that lead out, that are absolute, empty or twice there."""
    packed = io.BytesIO()
    if tar:
        with tarfile.open(fileobj=packed, mode="w") as archive:
            for name, data in members:
                info = tarfile.TarInfo(name)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
    else:
        with zipfile.ZipFile(packed, "w") as archive:  # type: ignore[assignment]
            for name, data in members:
                archive.writestr(zipfile.ZipInfo(name.replace("\0", "0")), data)  # type: ignore[attr-defined]
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).write_bytes(packed.getvalue())
        for reader in (TextAndKeys(path=file.name), Hulth2003(path=file.name), CorenlpXml(path=file.name)):
            reads_or_refuses(reader)


@settings(max_examples=100, deadline=None)
@given(edits=edits, cut=cuts)
def test_mangled_xml_is_a_document_or_skipped(edits: list[tuple[int, bytes]], cut: int) -> None:
    """The zip around it is whole, so the reader goes on."""
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).write_bytes(zipped({"1.xml": mangled(XML, edits, cut), "2.xml": XML}))
        entries = list(CorenlpXml(path=file.name).read())
        assert len(entries) == 2
        assert isinstance(entries[1], Document) and entries[1].text == "Mice"
