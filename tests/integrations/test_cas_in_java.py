"""UIMA's own framework reads what kpframe writes: the Java program of `examples/uima` is compiled and run."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import warnings
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from inspec_texts import annotated, layers_of

from kpframe import Document, Gold, Keyphrase
from kpframe.engine.experiment import Experiment
from kpframe.files.uima import types
from kpframe.integrations import read_cas, write_cas, write_run

JARS = [
    Path("/usr/share/java") / f"{name}.jar"
    for name in ("uimaj-core", "jackson-core", "jackson-databind", "jackson-annotations")
]
"""Where Debian's packages libuima-core-java and libjackson2-databind-java put them."""

missing = [str(path) for path in JARS if not path.exists()]
missing += [name for name in ("javac", "java") if shutil.which(name) is None]
pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.filterwarnings("ignore:open_binary is deprecated:DeprecationWarning"),
    pytest.mark.slow,
    pytest.mark.skipif(
        bool(missing),
        reason=f"needs {', '.join(missing)} (apt-get install default-jdk-headless libuima-core-java "
        "libjackson2-databind-java)",
    ),
]

NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Of the characters below, those that JSON holds and Java cannot write as XMI."""

HOSTILE = [
    "",
    " ",
    "\n\n\t ",
    "Page one.\fPage two.\f",
    "A bell \x07 rings, red kites \x1b[31msoar\x1b[0m.",
    "NUL \x00 and DEL \x7f, C1 \x80\x85\x9f here.",
    "No character \ufffe nor \uffff is one.",
    "Half \ud800 of a pair, red kites.",
    "Other \udc00 half \udfff.",
    "😀 Red kites 😀😀 soar over 𐍈𐍈.",
    "👩‍👩‍👧‍👦 families of 🇩🇪 flags.",
    "Cafe\u0301 culture, cafe\u0301 noir.",
    "Zero\u200bwidth, soft\u00adhyphen, joiner\u200d, mark\ufeff.",
    "שלום עולם, \u202eright to left\u202c, مرحبا بالعالم.",
    "Line\u2028and paragraph\u2029separators.",
    "Windows\r\nline\rends\n and tabs\t\there.",
    "<b>Markup</b> &amp; &lt;entities&gt; \"quotes\" 'single'.",
    "]]> <![CDATA[ red kites ]]> <!-- comment --> <?pi?>",
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]> &e;',
    '{"%ID": 1, "%TYPE": "uima.cas.Sofa"} \\u0000 \\ud83d',
    "Backslash \\ and \\n and \\\\ are letters here.",
    "Red kites and herons in 日本 (機械学習) soar over 東京 stations.",
    "मशीन लर्निंग उपयोगी है। मशीन लर्निंग।",
    "İstanbul'da ıssız ada, STRASSE und Straße, ǅ.",
    "\ufeffByte order mark first. Red kites.",
    "Nonbreaking\u00a0blank and\u3000ideographic.",
    "x" * 5000 + " " + "\U0010ffff private \ue000.",
    "\x0c",
]


def java(*arguments: str | Path) -> str:
    """What a program of the JDK prints; memory and threads are held small."""
    command = [*map(str, arguments)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled program."""
    folder = tmp_path_factory.mktemp("classes")
    sources = sorted((Path(__file__).parents[2] / "examples" / "uima").glob("*.java"))
    java("javac", "-encoding", "UTF-8", "-d", folder, "-cp", ":".join(map(str, JARS)), *sources)
    return folder


def walked(classes: Path, folder: Path, out: Path) -> dict[str, Counter[tuple[str, ...]]]:
    """What Java finds in each file of a folder: view, type, begin, end and text, with their number."""
    path = ":".join(map(str, [classes, *JARS]))
    lines = java("java", "-Xmx512m", "-XX:+UseSerialGC", "-cp", path, "ReadCas", folder, out).split("\n")
    found: dict[str, Counter[tuple[str, ...]]] = {}
    for line in lines[:-1]:
        file, *rest = line.split("\t")
        found.setdefault(file, Counter())[tuple(rest)] += 1
    return found


def units(text: str, place: int) -> int:
    """A place in UTF-16 code units, as Java counts."""
    return len(text[:place].encode("utf-16-le", "surrogatepass")) // 2


def line(view: str, kind: str, text: str, begin: int, end: int) -> tuple[str, ...]:
    """An annotation as the program prints it."""
    covered = text[begin:end]
    for one, shown in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")):
        covered = covered.replace(one, shown)
    return view, kind, str(units(text, begin)), str(units(text, end)), covered


def expected(document: Document, systems: dict[str, list[Keyphrase]]) -> Counter[tuple[str, ...]]:
    """Tokens, sentences and keyphrases of a document, by kpframe's own offsets."""
    made = document.annotations
    assert made is not None
    begins, ends = made.offsets
    first, text = "_InitialView", document.text
    found = [line(first, types.TOKEN, text, b, e) for b, e in zip(begins, ends, strict=True)]
    found += [line(first, types.SENTENCE, text, begins[a], ends[z - 1]) for a, z in made.sentences.tolist()]
    for keyphrases in systems.values():
        for one in keyphrases:
            found += [line(first, types.KEYPHRASE, text, b, e) for b, e in one.spans or [(0, 0)]]
    return Counter(found)


KINDS = {types.TOKEN, types.SENTENCE, types.KEYPHRASE}


@pytest.mark.parametrize("format", ["xmi", "json"])
def test_java_reads_hostile_texts_with_equal_offsets(tmp_path: Path, classes: Path, format: str) -> None:
    """28 texts with all layers, gold and two systems; and what Java writes is what was written."""
    raw = [
        Document(str(i), text, "en", (Gold(("red kites", "kite"), "author"),), {"n": i})
        for i, text in enumerate(HOSTILE)
    ]
    assert len(raw) == 28
    (tmp_path / "in").mkdir()
    for document in annotated(raw, "simple"):
        assert document.annotations is not None
        places = list(zip(*document.annotations.offsets, strict=True))[:5]
        found = [
            Keyphrase(document.text[b:e], 1 / (1 + i), 1 + i, "k", ((b, e),))
            for i, (b, e) in enumerate(places)
        ]
        systems = {"one": found, "none": [], "two": [Keyphrase("nowhere", -1.5, 1, "nowhere", ())]}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # about blanks
            write_cas(tmp_path / "in" / f"{document.id}.{format}", document, systems)
    seen = walked(classes, tmp_path / "in", tmp_path / "out")
    shutil.copy(types_file(tmp_path, format), tmp_path / "out" / "TypeSystem.xml")
    assert len(seen) == 28
    for name, lines in seen.items():
        ours = read_cas(tmp_path / "in" / name)
        systems = {system: list(found) for system, found in ours.keyphrases.items()}
        assert Counter({one: n for one, n in lines.items() if one[1] in KINDS}) == expected(
            ours.document, systems
        )
        written = (tmp_path / "out" / name).with_suffix(".xmi")
        if not written.exists():
            assert format == "json" and NO_XML.search(ours.document.text)
            continue
        again = read_cas(written)
        assert again.document.to_json() == ours.document.to_json()
        assert layers_of(again.document.annotations) == layers_of(ours.document.annotations)
        assert again.keyphrases == ours.keyphrases


def types_file(folder: Path, format: str) -> Path:
    """The type system that lies beside XMI files."""
    if format == "json":
        (folder / "types").mkdir()
        write_cas(folder / "types" / "a.xmi", Document("a", "a"))
        return folder / "types" / "TypeSystem.xml"
    return folder / "in" / "TypeSystem.xml"


SPEC = """
name: small
documents: {{kind: {kind}, path: {path}}}
preprocessing: [simple]
candidates: {{kind: ngrams, min: 1, max: 2, stopwords: [en]}}
sweep:
  ranking: {{frequency: frequency, position: position}}
matching: [exact, approximate]
metrics: [f1@5, r_precision]
"""


@pytest.mark.parametrize("format", ["xmi", "json"])
@pytest.mark.parametrize("pooled", [False, True])
def test_scores_over_what_java_wrote_are_equal(
    tmp_path: Path, classes: Path, format: str, pooled: bool
) -> None:
    """A run is exported, read and written by Java, and run again: the same bytes of scores."""
    texts = [
        "Red kites soar 😀 over red roofs. Grey herons wade.",
        "Herons & <b>kites</b>\r\nhunt; herons rest.",
    ]
    gold = [["red kites", "herons"], ["herons", "fish"]]
    (tmp_path / "corpus.jsonl").write_text(
        "".join(
            json.dumps({"id": f"d{i}", "text": text, "gold": its}) + "\n"
            for i, (text, its) in enumerate(zip(texts, gold, strict=True))
        ),
        encoding="utf-8",
    )

    def run(name: str, kind: str, path: Path) -> Path:
        (tmp_path / f"{name}.yaml").write_text(SPEC.format(kind=kind, path=path), encoding="utf-8")
        Experiment.load(tmp_path / f"{name}.yaml").run(out=tmp_path / name, cache=tmp_path / "cache")
        return tmp_path / name / "cells"

    first = run("first", "jsonl", tmp_path / "corpus.jsonl")
    write_run(tmp_path / "first", tmp_path / "cas", format=format, pooled=pooled)  # type: ignore[arg-type]
    folder = tmp_path / "cas" if pooled else tmp_path / "cas" / "position"
    assert walked(classes, folder, tmp_path / "java").keys() == {f"d0.{format}", f"d1.{format}"}
    systems = ["frequency", "position"] if pooled else ["position"]
    assert list(read_cas(tmp_path / "java" / "d0.xmi").keyphrases) == systems
    again = run("again", "cas", tmp_path / "java")
    for cell in ("frequency", "position"):
        assert (again / cell / "scores.jsonl").read_bytes() == (first / cell / "scores.jsonl").read_bytes()


def test_gold_has_the_language_of_its_text(tmp_path: Path, classes: Path) -> None:
    """In each view DKPro's metadata, and no other annotation of the document."""
    write_cas(
        tmp_path / "in" / "a.xmi", replace(Document("a", "Rote Milane", "de"), gold=(Gold(("Milane",)),))
    )
    found = walked(classes, tmp_path / "in", tmp_path / "out")["a.xmi"]
    whole = [one[:2] for one in found if one[1].endswith(("DocumentMetaData", "DocumentAnnotation"))]
    assert sorted(whole) == [("_InitialView", types.META), ("gold", types.META)]
    assert ("gold", types.PHRASE, "5", "11", "Milane") in found
    assert (tmp_path / "out" / "a.xmi").read_text(encoding="utf-8").count('language="de"') == 2
