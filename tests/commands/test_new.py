"""`kpframe new`: a look at texts of one's own, and a spec for them that can be run at once."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
import yaml
from command_line import Outcome, run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kpframe import Document, Gold
from kpframe.commands._survey import layout_of
from kpframe.language.detection import UNKNOWN, language_guess

pytestmark = pytest.mark.slow

ENGLISH = "The heat pump in the old house is loud. We measured the heat pump and all of the old houses."
GERMAN = "Die Wärmepumpe im alten Haus ist laut. Wir haben die Wärmepumpe und das alte Haus gemessen."
FRENCH = "Les pompes à chaleur sont dans la vieille maison et nous avons mesuré une pompe pour chaque maison."


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a cache of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / ".cache"))


def files(**content: str | bytes) -> None:
    """Files below `texts`; `__` in a name is a dot."""
    Path("texts").mkdir(exist_ok=True)
    for name, data in content.items():
        written = data.encode() if isinstance(data, str) else data
        Path("texts", name.replace("__", ".")).write_bytes(written)


def new(capsys: pytest.CaptureFixture[str], *arguments: str, skips: bool = False) -> Outcome:
    """The command, and that its spec is right and runs; `skips`: something in the texts is left out."""
    done = run(capsys, "new", *arguments, "--out", "mine.yaml")
    assert (done.status, done.err) == (0, ""), done.err
    assert run(capsys, "check", "mine.yaml").status == 0
    assert run(capsys, "run", "mine.yaml", "--quiet", "--out", "results").status == int(skips)
    return done


def spec() -> dict[str, object]:
    """What stands in the spec."""
    return dict(yaml.safe_load(Path("mine.yaml").read_text(encoding="utf-8")))


def test_texts_with_keys_become_a_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    """With the reader for them, and what was found said on the screen and in the file."""
    files(a__txt=ENGLISH, a__key="heat pump\nold house\n", b__txt="heat and pumps", notes__pdf="%PDF")
    done = new(capsys, "texts", skips=True)
    found = [
        "texts: 2 .txt files and 1 .key file, UTF-8",
        "2 documents, 3 to 20 words (median 12)",
        "gold keyphrases in 1 of 2 documents, 2.0 each",
        "skipped: texts/notes.pdf: is a PDF, which is not read here",
        "not read: 1 .pdf",
        "language: en",
    ]
    assert done.out.splitlines()[:6] == found
    assert spec()["documents"] == {"kind": "text_and_keys", "path": "texts", "language": "en"}
    assert list(spec()["sweep"]["ranking"]) == ["textrank", "tfidf", "position"]  # type: ignore[index]
    text = Path("mine.yaml").read_text()
    assert all(f"#   {line}\n" in text for line in found)


def test_texts_alone_become_a_pipeline(capsys: pytest.CaptureFixture[str]) -> None:
    """Which `kpframe extract` can use."""
    files(a__txt=ENGLISH, b__txt=ENGLISH[:40])
    assert "no gold keyphrases: texts can be extracted from" in new(capsys, "texts").out
    assert spec()["documents"] == {"kind": "text", "path": "texts", "language": "en"}
    done = run(capsys, "extract", "--pipeline", "mine.yaml", "--input", "texts", "--format", "jsonl")
    assert (done.status, len(done.out.splitlines())) == (0, 2)


def test_a_file_of_lines_is_read_with_its_gold(capsys: pytest.CaptureFixture[str]) -> None:
    """Packed or not; a folder with one such file means the file."""
    lines = json.dumps({"title": "Heat pumps", "abstract": ENGLISH, "keywords": "heat pump;old house"})
    Path("texts").mkdir()
    with gzip.open("texts/corpus.jsonl.gz", "wt") as file:
        file.write(f"{lines}\n\nnot json\n")
    out = new(capsys, "texts", skips=True).out
    assert "gold keyphrases in 1 of 1 document" in out
    assert "skipped: texts/corpus.jsonl.gz:3: is not JSON" in out
    assert spec()["documents"] == {"kind": "jsonl", "path": "texts/corpus.jsonl.gz", "language": "en"}


def test_a_table_is_read_by_the_columns_that_hold_text_and_gold(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever parts its fields and its keyphrases."""
    Path("papers.csv").write_text(
        "id;Title;Abstract;Author Keywords;DOI\n"
        f'1;x;"{ENGLISH}";heat pump, old house;\n2;y;"{ENGLISH}";"house, pump";z\n'
    )
    out = new(capsys, "papers.csv").out
    assert "titles in column 'Title', texts in column 'Abstract', gold in column 'Author Keywords'\n" in out
    assert "gold keyphrases in 2 of 2 documents, 2.0 each" in out
    assert "columns that are not used: 'DOI'" in out
    assert spec()["documents"] == {
        "kind": "csv", "path": "papers.csv", "text": "Abstract", "title": "Title",
        "gold": "Author Keywords",
        "gold_separator": ",", "delimiter": ";", "language": "en",
    }  # fmt: skip


def test_the_advice_for_texts_without_gold_can_be_followed(capsys: pytest.CaptureFixture[str]) -> None:
    """It says how the texts are encoded, and in which column they stand."""
    files(a__txt=f"{ENGLISH} Café noir.".encode("cp1252"))
    new(capsys, "texts")
    (advice,) = re.findall(r"#   kpframe (extract .*) --input PATH (.*)", Path("mine.yaml").read_text())
    assert advice[1] == "--encoding cp1252"
    assert run(capsys, *advice[0].split(), "--input", "texts", *advice[1].split()).status == 0


def test_empty_texts_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """They have no keyphrases, and gold of theirs is not in a text."""
    files(a__txt=ENGLISH, b__txt=" ", c__txt="")
    assert "2 documents without a word\n" in new(capsys, "texts").out


def test_a_column_without_a_telling_name_is_known_by_its_length(capsys: pytest.CaptureFixture[str]) -> None:
    """And a tab parts the fields of a .tsv file."""
    Path("t.tsv").write_text(f"code\tremarks\n7\t{ENGLISH}\n8\tshort\n")
    assert "texts in column 'remarks', no column of gold keyphrases" in new(capsys, "t.tsv").out


def test_a_single_text_is_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    """With a hint, should its lines be meant."""
    Path("t.txt").write_text(f"{ENGLISH}\n{ENGLISH}\n")
    assert "if each of its 2 lines is one, set `unit: line`" in new(capsys, "t.txt").out


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-8-sig"])
def test_the_encoding_is_found(encoding: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A spec that reads garbage would run as well."""
    files(a__txt=GERMAN.encode(encoding), b__txt=GERMAN.encode(encoding))
    new(capsys, "texts")
    expected = {} if encoding == "utf-8-sig" else {"encoding": encoding}
    assert spec()["documents"] == {"kind": "text", "path": "texts", **expected, "language": "de"}


def test_two_encodings_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """With the file to convert and the command that does it."""
    files(a__txt=GERMAN, b__txt=GERMAN.encode("cp1252"))
    done = run(capsys, "new", "texts")
    assert (done.status, done.err) == (
        2,
        "error: texts/b.txt: is not UTF-8 as other files of the same corpus are (it looks like cp1252); "
        "convert such files first, as by: iconv -f cp1252 -t utf-8 OLD > NEW\n",
    )


def test_a_language_without_a_model_gets_a_spec_that_needs_none(capsys: pytest.CaptureFixture[str]) -> None:
    """And the command that brings one."""
    files(a__txt=GERMAN, a__key="Wärmepumpe\n")
    out = new(capsys, "texts").out
    assert "no parts of speech, as there is no model for 'de': python -m spacy download de_core" in out
    assert spec()["preprocessing"] == ["simple"]
    assert spec()["candidates"]["stopwords"] == ["auto"]  # type: ignore[index]


def test_a_language_that_is_not_recognised_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """No other is taken for it in silence."""
    files(a__txt="Wärmepumpe Haus")
    told = "language: en, taken for it since 1 text does not show it; --language CODE if that is wrong"
    assert told in new(capsys, "texts").out
    assert spec()["documents"]["language"] == "en"  # type: ignore[index]


def test_a_system_that_learns_can_be_added_by_taking_away_signs(capsys: pytest.CaptureFixture[str]) -> None:
    """The lines that are commented out are right."""
    files(**{f"{i}__txt": ENGLISH for i in range(12)}, **{f"{i}__key": "heat pump" for i in range(12)})
    new(capsys, "texts")
    text = Path("mine.yaml").read_text()
    Path("mine.yaml").write_text(re.sub(r"^#(systems:|  kea|    |split)", r"\1", text, flags=re.MULTILINE))
    changed = spec()
    assert "kea" in changed["systems"]  # type: ignore[operator]
    assert run(capsys, "run", "mine.yaml", "--quiet", "--out", "more").status == 0


def test_nothing_is_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither the spec nor the schema; the name comes from the folder."""
    files(a__txt=ENGLISH)
    Path("kpframe-schema.json").write_text("{}")
    done = run(capsys, "new", "texts")
    assert "kpframe-schema.json is of another version of kpframe; renew it: kpframe schema > " in done.out
    assert Path("kpframe-schema.json").read_text() == "{}"
    before = Path("texts.yaml").read_bytes()
    again = run(capsys, "new", "texts")
    assert (again.status, again.err) == (
        2, "error: texts.yaml: exists already, and nothing is overwritten; give --out OTHER.yaml\n",
    )  # fmt: skip
    assert Path("texts.yaml").read_bytes() == before


def test_the_schema_lies_beside_the_spec(capsys: pytest.CaptureFixture[str]) -> None:
    """The same that `kpframe schema` prints; paths are relative to the spec."""
    files(a__txt=ENGLISH)
    assert run(capsys, "new", "texts", "--out", "specs/mine.yaml").status == 0
    first, *_ = Path("specs/mine.yaml").read_text().splitlines()
    assert first == "# yaml-language-server: $schema=kpframe-schema.json"
    assert Path("specs/kpframe-schema.json").read_text() == run(capsys, "schema").out
    assert "  path: ../texts\n" in Path("specs/mine.yaml").read_text()
    assert run(capsys, "check", "specs/mine.yaml").status == 0


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", "机器学习是人工智能。".encode(), "a.txt: the texts seem to be in 'zh', which "),
        ("a.pdf", b"%PDF", "a.pdf: is a damaged PDF ("),
        ("a.zip", b"PK", "a.zip: is not what its name says, which is not read; give "),
        ("a.json", b"[]", "a.json: has no rows below a header; give a table with a header"),
        ("a.txt", b"\x00\x01", "a.txt: is binary data, which is not read; give "),
        ("a.txt", b" \n", "a.txt: holds no text (all are empty); give texts"),
        ("a.csv", b"text\n", "a.csv: has no rows below a header; give a table with a header"),
        ("a.jsonl", b'{"body": "x"}\n', "a.jsonl: holds no text (a.jsonl:1: has no 'text', no 'document' "),
        ("a.jsonl.gz", b"no", "a.jsonl.gz: holds no text (a.jsonl.gz:1: is not JSON"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_told(
    name: str, content: bytes, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2, and no file is left behind."""
    Path(name).write_bytes(content)
    done = run(capsys, "new", name)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"error: {message}")
    assert not list(Path().glob("*.yaml"))


def test_an_empty_folder_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Not as one that holds the wrong files."""
    Path("texts").mkdir()
    assert run(capsys, "new", "texts").err == (
        "error: texts: holds no file; give the folder or file that holds your texts\n"
    )


def test_a_folder_of_uima_documents_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    """Those that `kpframe export --to cas` writes; their type system is no text."""
    pytest.importorskip("cassis", reason="needs dkpro-cassis (pip install 'kpframe[cas]')")
    from kpframe.integrations import write_cas

    document = Document("a", "Red kites hunt herons.", gold=(Gold(("red kites",)),))
    write_cas("texts/a.xmi", document)
    done = run(capsys, "new", "texts")
    assert "texts: 1 .xmi file" in done.out and "gold keyphrases in 1 of 1 document" in done.out
    assert "kind: cas" in Path("texts.yaml").read_text()


def test_a_folder_without_texts_says_what_it_has(capsys: pytest.CaptureFixture[str]) -> None:
    """Endings, the most frequent first."""
    files(a__odt="x", b__odt="x", c__pptx="x")
    assert run(capsys, "new", "texts").err == (
        "error: texts: holds no texts that kpframe reads, but .odt (2), .pptx (1); "
        "convert the texts to .txt, or to one .jsonl or .csv file\n"
    )
    assert "no such" in run(capsys, "new", "nowhere").err or "does not exist" in run(capsys, "new", "no").err


@pytest.mark.parametrize("out", ["mine.txt", ".yaml", "mine"])
def test_a_name_that_no_spec_can_have_is_refused(out: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is read."""
    files(a__txt=ENGLISH)
    assert run(capsys, "new", "texts", "--out", out).err.startswith(f"error: --out {out}: ")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=8)
)
def test_any_name_of_a_folder_gives_a_spec_or_an_error(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Quotes, line breaks, YAML's own signs: the spec is right, or the name is refused."""
    folder = tmp_path / "odd" / name
    if name in (".", ".."):
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "a.txt").write_text(ENGLISH)
    Path("odd.yaml").unlink(missing_ok=True)
    done = run(capsys, "new", str(folder), "--out", "odd.yaml")
    assert done.status in (0, 2)
    if done.status == 0:
        assert run(capsys, "check", "odd.yaml").status == 0
    else:
        assert "has a name that a spec cannot hold; rename it" in done.err


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (ENGLISH, "en"),
        (GERMAN, "de"),
        (FRENCH, "fr"),
        ("El perro y el gato están en la casa de los abuelos, pero no con ellos.", "es"),
        ("Тепловой насос в старом доме шумит.", "ru"),
        ("Тепловий насос у старій їдальні шумить.", "uk"),
        ("Η αντλία θερμότητας", "el"),
        ("ヒートポンプは古い家で使われます", "ja"),
        ("机器学习是人工智能", "zh"),
        ("Vihreä energia lämmittää taloja", "fi"),
        ("12 34", UNKNOWN),
        ("", UNKNOWN),
    ],
)
def test_languages_are_guessed(text: str, language: str) -> None:
    """And said to be unknown where nothing is to be seen."""
    assert language_guess(text) == language


def test_hidden_files_and_links_are_no_texts(tmp_path: Path) -> None:
    """As for the readers."""
    files(a__txt=ENGLISH)
    Path("texts/.b.txt").write_bytes(b"\0")
    Path("texts/c.txt").symlink_to(tmp_path / "nowhere")
    assert layout_of(Path("texts")).found == "1 .txt file"
