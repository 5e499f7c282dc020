"""Whatever files there are: texts, documents, tables, folders and archives of them."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from corpus_files import folder_with, parted, tarred, written, zipped
from two_columns import HEAD, two_column_pdf

from kpframe.documents.files import Files
from kpframe.documents.table import TableReader
from kpframe.documents.text import Text
from kpframe.documents.text_and_keys import TextAndKeys
from kpframe.errors import DataError, KpframeError
from kpframe.files.tables.writing import writing_table
from kpframe.model import Document

WORD = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="m"><w:body>%s</w:body></w:document>'  # noqa: E501


def word(body: str) -> bytes:
    """A Word document with this body."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("[Content_Types].xml", "")
        file.writestr("word/document.xml", WORD % body)
    return buffer.getvalue()


def read(*paths: str, **how: Any) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Ids and texts, and what was skipped."""
    documents, skipped = parted(Files(path=paths, **how))
    return [(d.id, d.text) for d in documents], [(told.place, told.reason) for told in skipped]


def test_a_folder_with_all_kinds_is_read_and_the_rest_is_told(tmp_path: Path) -> None:
    """The case folder-with-others: nothing is passed over in silence, nothing stops the others."""
    path = folder_with(
        tmp_path,
        {
            "1.txt": "plain",
            "2.txt": b"caf\xe9",
            "3.pdf": b"%PDF-1.4 cut off",
            "4.docx": word("<w:p><w:r><w:t>from Word</w:t></w:r></w:p>"),
            "5.html": "<p>from <b>a page</b></p><script>x</script>",
            "6.md": "---\ntitle: x\n---\n# Head\n\nwith *emphasis*",
            "7.png": b"\x89PNG",
            "8.txt": b"\x89PNG\r\n",
        },
    )
    documents, skipped = read(path)
    assert documents == [
        ("1", "plain"),
        ("4", "from Word"),
        ("5", "from a page"),
        ("6", "Head\n\nwith emphasis"),
    ]
    assert [place.removeprefix(f"{path}/") for place, _ in skipped] == ["2.txt", "3.pdf", "8.txt", "7.png"]
    reasons = [reason for _, reason in skipped]
    assert reasons[0].startswith("byte 3 is not utf-8; set `encoding`")
    assert reasons[1].startswith("is a damaged PDF")
    assert [reason.partition(",")[0] for reason in reasons[2:]] == ["is an image"] * 2


@pytest.mark.parametrize("pack", [zipped, tarred])
@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"a.txt": "x", "b.txt": "y"}, [("a", "x"), ("b", "y")]),
        ({"a.txt": "x", "a.key": "k"}, [("a", "x")]),
        ({"c.jsonl": '{"id": "1", "text": "x"}\n'}, [("1", "x")]),
        ({"c.csv": "id,text\n1,x\n"}, [("1", "x")]),
        ({"sub/a.html": "<p>x"}, [("sub/a", "x")]),
    ],
)
def test_archives_are_read_as_folders_are(
    pack: Any, files: dict[str, str], expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    """By what is in them."""
    path = written(tmp_path / "c.bin", pack(files))
    assert read(path) == (expected, [])


def test_results_and_specs_of_kpframe_are_no_texts(tmp_path: Path) -> None:
    """A folder in which somebody has worked is read as before."""
    own = {
        "n.yaml": "",
        "kpframe-schema.json": "{}",
        "runs/n/resolved.yaml": "",
        "runs/n/report.html": "<p>x",
    }
    assert read(folder_with(tmp_path, {"a.txt": "x", **own})) == ([("a", "x")], [])


def test_a_text_and_its_page_are_both_read(tmp_path: Path) -> None:
    """Nobody knows whether they are one, and none is lost."""
    found = read(folder_with(tmp_path, {"a.html": "<p>y", "a.txt": "x"}))
    assert found == ([("a.txt", "x"), ("a.html", "y")], [])


def test_several_paths_are_read_one_after_the_other(tmp_path: Path) -> None:
    """One that cannot be read is told, and is an error only alone."""
    text, page = written(tmp_path / "a.txt", "x"), written(tmp_path / "b.html", "<p>y")
    image = written(tmp_path / "c.gif", b"GIF89a")
    documents, skipped = read(text, image, page, str(tmp_path / "no"))
    assert documents == [("a", "x"), ("b", "y")]
    assert [place for place, _ in skipped] == [image, str(tmp_path / "no")]
    with pytest.raises(DataError, match="is an image, which is not read"):
        read(image)
    assert [p for p, _, _ in Files(path=(image,)).problems([])] == ["path"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Word, .* save it as .docx or .txt"),
        ("a.epub", zipped({"META-INF/container.xml": ""}), "an EPUB book"),
        ("a.sqlite", b"SQLite format 3\0", "an SQLite database"),
        ("a.ttl", b"@prefix x: <y> .", "a thesaurus or linked data .* `vocabulary`"),
        ("a.xml", b"<?xml version='1.0'?><TEI/>", "is XML"),
        ("a.exe", b"MZ\x90\0\x03", "a program"),
        ("a.docx", zipped({"[Content_Types].xml": "", "word/document.xml": "<"}), "a damaged Word document"),
        ("a.docx", zipped({"[Content_Types].xml": "", "word/x": ""}), "a damaged Word document"),
        ("a.zip", zipped({"a.png": ""}), "holds no texts that kpframe reads, but .png"),
        ("a.zip", zipped({}), "holds no file"),
        ("a.pdf", b"%PDF-1.7\nnothing", "a damaged PDF"),
    ],
)
def test_what_is_not_read_is_refused_by_its_name(
    name: str, content: bytes, message: str, tmp_path: Path
) -> None:
    """Never as text, and never with a traceback."""
    with pytest.raises(KpframeError, match=message):
        read(written(tmp_path / name, content))


def test_an_encrypted_zip_is_told_as_such(tmp_path: Path) -> None:
    """The flag says so; Python cannot write one."""
    content = bytearray(zipped({"a.txt": "x"}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + place] |= 1
    path = written(tmp_path / "a.zip", bytes(content))
    for reader in (Files(path=(path,)), Text(path=path), TextAndKeys(path=path)):
        with pytest.raises(DataError, match="is encrypted; unpack it with its password"):
            list(reader.read())


def test_insertions_of_a_word_document_count_and_deletions_do_not() -> None:
    """Tables and text boxes are paragraphs; breaks are breaks."""
    from kpframe.documents._word_text import text_of_word

    body = (
        "<w:p><w:r><w:t>Red</w:t></w:r><w:ins><w:r><w:t> kites</w:t></w:r></w:ins>"
        "<w:del><w:r><w:delText>no</w:delText><w:t>no</w:t></w:r></w:del>"
        "<w:r><w:br/><w:t>soar</w:t><w:tab/><w:t>up</w:t></w:r></w:p><w:p/>"
        "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
        "<w:p><w:r><mc:AlternateContent><mc:Choice><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Choice>"
        "<mc:Fallback><w:p><w:r><w:t>again</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert text_of_word(word(body), "d") == "Red kites\nsoar\tup\n\ncell\n\nbox"


@pytest.mark.slow
def test_two_columns_are_read_one_after_the_other() -> None:
    """Heads and page numbers go, broken words are whole, a paragraph goes on over the column."""
    pytest.importorskip("pypdfium2", reason="needs pypdfium2 (pip install 'kpframe[documents]')")
    from kpframe.documents._pdf_text import text_of_pdf

    sentence = "Measurement {} shows that evaporation modelling of mountainous catchments remains laborious."
    paragraphs = [" ".join(sentence.format(10 * p + s) for s in range(10)) for p in range(40)]
    content = two_column_pdf("Evaporation of Catchments", paragraphs)
    found = text_of_pdf(content, "d")
    assert found.split("\n\n") == ["Evaporation of Catchments", *paragraphs]
    assert HEAD not in found


@pytest.mark.slow
def test_a_pdf_without_text_is_told() -> None:
    """As a scanner makes it."""
    fpdf = pytest.importorskip("fpdf")
    pytest.importorskip("pypdfium2", reason="needs pypdfium2 (pip install 'kpframe[documents]')")
    from kpframe.documents._pdf_text import text_of_pdf

    pdf = fpdf.FPDF()
    pdf.add_page()
    with pytest.raises(DataError, match=r"without text, as scanners make it; recognise its text first"):
        text_of_pdf(bytes(pdf.output()), "d")


def test_several_columns_of_a_table_are_joined_by_a_border(tmp_path: Path) -> None:
    """A blank line, which no sentence crosses; empty cells leave none."""
    path = written(tmp_path / "r.csv", "review_id;title;body\nr1;Great;Quiet pump\nr2;;Loud\nr3;Only;\n")
    documents, _ = read(path, text=("title", "body"), id="review_id")
    assert documents == [("r1", "Great\n\nQuiet pump"), ("r2", "Loud"), ("r3", "Only")]


def test_cells_that_are_no_text_are_skipped_and_missing_ones_empty(tmp_path: Path) -> None:
    """With the row; lists of strings are tokens, gold may be a list; ids come once."""
    rows = [
        {"id": 1, "text": "x", "g": ["a", "b"]}, {"id": 2, "text": None}, {"id": 3, "text": 17},
        {"id": 4, "text": ["New York", "is", "big"]}, {"id": 1, "text": "again"}, {"text": {"a": 1}},
        {"id": 7, "text": "y", "g": 5},
    ]  # fmt: skip
    path = written(tmp_path / "t.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    documents, skipped = parted(TableReader(path=path, gold="g", keep=("id",)))
    assert [(d.id, d.text) for d in documents] == [("1", "x"), ("2", ""), ("4", "New York is big")]
    assert [gold.text for gold in documents[0].gold] == ["a", "b"]
    assert documents[2].metadata == {"row": {"id": 4}}
    made = documents[2].annotations
    assert made is not None and made.begins.tolist() == [0, 9, 12]
    assert [(told.place.rpartition(":")[2], told.reason) for told in skipped] == [
        ("3", "not text but int"),
        ("5", f"the id '1' is already that of {path}:1"),
        ("6", "not text but dict"),
        ("7", "gold is no list of phrases"),
    ]


@pytest.mark.parametrize("ending", ["parquet", "xlsx", "tsv", "json", "csv.gz"])
def test_every_format_gives_the_same_documents(ending: str, tmp_path: Path) -> None:
    """With the text column found by its name."""
    path = str(tmp_path / f"t.{ending}")
    with writing_table(path, ["id", "abstract"]) as writer:
        writer.write({"id": ["a", "b"], "abstract": ["x", "y"]})
    assert read(path) == ([("a", "x"), ("b", "y")], [])


def test_a_table_without_a_known_column_says_which_it_has(tmp_path: Path) -> None:
    """No column is guessed by its length."""
    path = written(tmp_path / "t.csv", "code,remarks\n1,a long text\n")
    with pytest.raises(
        DataError, match=r"has no column 'text'; name one by `text`; the columns are: 'code', 'remarks'"
    ):
        read(path)


@pytest.mark.parametrize("tokens", [["机器", "学习", "。", "学习"], ["New York", ".", " ", "N.Y."], []])
def test_given_tokens_are_the_tokens(tokens: list[str], tmp_path: Path) -> None:
    """Of any script; a mark that ends sentences ends one."""
    path = written(tmp_path / "t.jsonl", json.dumps({"document": tokens}))
    (document,), _ = parted(Files(path=path))
    made = document.annotations
    assert made is not None
    words = [document.text[b:e] for b, e in zip(made.begins, made.ends, strict=True)]
    assert words == [token for token in tokens if token.strip()]
    assert len(made.sentences) == (2 if tokens else 0)


def test_a_page_says_its_encoding(tmp_path: Path) -> None:
    """Where it is not the one that was set."""
    page = '<html><head><meta charset="cp1252"></head><body><p>café</p>'.encode("cp1252")
    (document,), _ = parted(Text(path=written(tmp_path / "a.html", page)))
    assert document.text == "café"


def test_a_packed_text_is_read(tmp_path: Path) -> None:
    """Its name is its id; what grows without measure is refused."""
    import gzip

    assert read(written(tmp_path / "a.txt.gz", gzip.compress(b"x"))) == ([("a", "x")], [])
    with pytest.raises(DataError, match="grows more than 200 times"):
        read(written(tmp_path / "b.txt.gz", gzip.compress(b"x" * 2**24)))


def test_rules_at_the_beginning_of_markdown_enclose_no_metadata(tmp_path: Path) -> None:
    """Slides begin with one: what stands between two is text, unless it looks like keys and values."""
    path = tmp_path / "slides.md"
    path.write_text("---\n\nHeat pumps are quiet.\n\n---\n\nTidal power rises.\n", encoding="utf-8")
    (found,) = Files(path=[str(path)]).read()
    assert isinstance(found, Document) and "Heat pumps" in found.text and "Tidal power" in found.text
    path.write_text("---\ntitle: Pumps\n---\n\nTidal power rises.\n", encoding="utf-8")
    (found,) = Files(path=[str(path)]).read()
    assert isinstance(found, Document) and found.text.strip() == "Tidal power rises."
