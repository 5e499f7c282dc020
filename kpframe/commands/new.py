"""`kpframe new [PATH]`: look at texts, and write a commented spec for them."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from kpframe.commands import _arguments, counted
from kpframe.errors import DataError, ResourceError, SpecError

if TYPE_CHECKING:
    from kpframe.commands._survey import Layout
    from kpframe.engine.settling import Languages
    from kpframe.model import Document, Skipped

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "look at texts of your own and write a commented spec for them; overwrites nothing"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    parser.add_argument(
        "source", nargs="?", metavar="PATH", help="a folder or file with the texts (default: .)"
    )
    parser.add_argument("--out", metavar="FILE", help="the spec to write (default: NAME.yaml, after PATH)")
    _arguments.language(parser, "the language of texts that do not say it")


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    source: str = "."
    out: str | None = None
    language: str = "auto"


_SCHEMA = "kpframe-schema.json"
_MOST = 1000
"""Documents that are looked at."""
_ENOUGH = 10
"""Documents with gold from which something can be learned."""


@dataclass(frozen=True)
class _Texts:
    documents: Sequence[Document]
    skipped: Sequence[Skipped]
    more: bool
    languages: Languages

    def words(self) -> list[int]:
        return [len(document.text.split()) for document in self.documents]

    def with_gold(self) -> list[Document]:
        return [document for document in self.documents if document.gold]


def execute(options: Options) -> int:
    """Say what was found, and write the spec and the schema for editors; nothing is overwritten."""
    from kpframe.commands._starter import starter_spec
    from kpframe.commands._survey import layout_of
    from kpframe.display.marks import harmless
    from kpframe.language.codes import AUTO
    from kpframe.language.scripts import UNSPACED_LANGUAGES

    source = Path(options.source)
    out = _free(Path(options.out or f"{_slug(source)}.yaml"))
    layout = layout_of(source)
    path = _path(layout.path, out)
    texts = _read(layout, options.language)
    languages = sorted({document.language for document in texts.documents})
    language = languages[0] if len(languages) == 1 else AUTO
    for code in languages:
        if code in UNSPACED_LANGUAGES:
            problem = f"the texts seem to be in {code!r}, which puts no spaces between words"
            remedy = f"write a spec with `tokenize: {{model: …}}` and a spaCy model of {code!r}"
            raise DataError.at(str(source), problem, remedy)
    findings = [*_findings(layout, texts), *_language_findings(texts)]
    spec = starter_spec(
        out.stem,
        _SCHEMA,
        findings,
        {"kind": layout.kind, "path": path, **layout.parameters, "language": language},
        tagged=all(map(_has_model, languages)),
        gold=bool(texts.with_gold()),
        learn=len(texts.with_gold()) >= _ENOUGH,
    )
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("x", encoding="utf-8") as file:
        file.write(spec)
    print("\n".join(harmless(finding, keep="") for finding in findings))
    print(f"wrote {out}; {_schema(out.parent / _SCHEMA)}")
    print(f"next: kpframe check {out}\n      kpframe run {out}")
    return 0


def _free(out: Path) -> Path:
    """A path at which a spec can be written."""
    if out.suffix not in (".yaml", ".yml"):
        raise SpecError.at(f"--out {out}", "does not end in .yaml", f"write --out {out}.yaml")
    if out.stem.startswith(".") or not out.stem.strip() or not out.stem.isprintable():
        raise SpecError.at(f"--out {out}", "cannot name an experiment", "use letters, as in --out mine.yaml")
    if os.path.lexists(out):
        raise SpecError.at(str(out), "exists already, and nothing is overwritten", "give --out OTHER.yaml")
    return out


def _slug(source: Path) -> str:
    name = source.resolve().name if source.is_dir() else source.name.split(".")[0]
    return re.sub(r"[^\w-]+", "-", name).strip("-_") or "mine"


def _path(path: Path, out: Path) -> str:
    """The path as the spec has it: relative to the spec if that is near."""
    relative = os.path.relpath(path.resolve(), out.parent.resolve())
    far = relative.split(os.sep).count("..") > 2
    shown = path.resolve().as_posix() if far else Path(relative).as_posix()
    if "${" in shown or not shown.isprintable():
        raise DataError.at(str(path), "has a name that a spec cannot hold", "rename it")
    return shown


def _read(layout: Layout, language: str) -> _Texts:
    """The first documents, through the reader that the spec will use, each with its language."""
    from kpframe.engine.settling import Languages, most_spoken, settle
    from kpframe.model import Skipped
    from kpframe.spec.stages import make_stage
    from kpframe.stages import Reader

    value = {"kind": layout.kind, "path": str(layout.path), **layout.parameters, "language": language}
    reader = make_stage("documents", value, str(layout.path), Reader)  # type: ignore[type-abstract]
    skipped: list[Skipped] = []

    def documents() -> Iterator[Document]:
        for item in reader.read():
            if isinstance(item, Skipped):
                skipped.append(item)
            else:
                yield item

    found = list(islice(documents(), _MOST + 1))
    if not any(document.text.strip() for document in found):
        reason = f"{skipped[0].place}: {skipped[0].reason}" if skipped else "all are empty"
        raise DataError.at(str(layout.path), f"holds no text ({reason})", _remedy(layout))
    languages = Languages()
    settled = list(settle(found[:_MOST], languages, lambda latin: most_spoken(found[:_MOST], latin)))
    return _Texts(settled, skipped, len(found) > _MOST, languages)


def _remedy(layout: Layout) -> str:
    if layout.kind != "jsonl":
        return "give texts"
    return "call the text `text` and the keyphrases `gold` in every line, as in kpframe's own layout"


def _has_model(language: str) -> bool:
    from kpframe.language.models import module_name

    try:
        module_name(language)
    except ResourceError:
        return False
    return True


def _findings(layout: Layout, texts: _Texts) -> Iterator[str]:
    import statistics

    encoding = str(layout.parameters.get("encoding", "UTF-8"))
    yield f"{layout.path}: {layout.found}, {encoding}"
    words = texts.words()
    count = f"the first {_MOST:,} documents" if texts.more else counted(len(words), "document")
    if len(words) == 1:
        yield f"{count} of {counted(words[0], 'word')}"
    else:
        yield f"{count}, {min(words):,} to {max(words):,} words (median {statistics.median(words):,.0f})"
    if empty := words.count(0):
        yield f"{counted(empty, 'document')} without a word"
    gold = texts.with_gold()
    if layout.kind == "csv":
        column, title = layout.parameters["gold"], layout.parameters.get("title")
        named = f"gold in column {column!r}" if column is not None else "no column of gold keyphrases"
        before = f"titles in column {title!r}, " if title is not None else ""
        yield f"{before}texts in column {layout.parameters['text']!r}, {named}"
    if gold:
        each = sum(len(document.gold) for document in gold) / len(gold)
        yield f"gold keyphrases in {len(gold):,} of {len(words):,} documents, {each:.1f} each"
    else:
        yield "no gold keyphrases: texts can be extracted from, but not evaluated"
    if texts.skipped:
        first = texts.skipped[0]
        yield f"skipped: {counted(len(texts.skipped), 'thing')}, the first: {first.place}: {first.reason}"
    yield from layout.notes


def _language_findings(texts: _Texts) -> Iterator[str]:
    from kpframe.language.models import MODELS, install_command

    languages = texts.languages
    said = "language: " + ", ".join(languages.codes) if languages.codes else ""
    if told := languages.told("--language CODE if that is wrong") or said:
        yield told
    for language in sorted(languages.codes):
        if not _has_model(language):
            remedy = f": {install_command(language)}" if language in MODELS else ""
            yield f"no parts of speech, as there is no model for {language!r}{remedy}"


def _schema(path: Path) -> str:
    """Write the schema beside the spec, where editors find it also on another machine."""
    import json

    from kpframe.spec import json_schema

    text = json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"  # as `kpframe schema` has it
    if not os.path.lexists(path):
        path.write_text(text, encoding="utf-8")
        return f"and {path}, with which editors complete and check it"
    if path.read_text(encoding="utf-8", errors="replace") == text:
        return f"editors complete and check it with {path}"
    return f"{path} is of another version of kpframe; renew it: kpframe schema > {path}"
