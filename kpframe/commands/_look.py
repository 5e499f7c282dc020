"""A look at texts of one's own: what they are, and the spec that suits them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from kpframe.commands import counted, first_of
from kpframe.errors import DataError, ResourceError

if TYPE_CHECKING:
    from kpframe.commands._survey_layout import Layout
    from kpframe.engine.settling import Languages
    from kpframe.model import Document, Skipped
    from kpframe.stages import Reader

__all__ = ["SAY_IT", "Look", "look_at", "said_language"]

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


@dataclass(frozen=True)
class Look:
    """What was found: the layout, what of it was read, and all that in sentences.

    `said` is the language that was given, or `auto`; `language` is that of all texts, or `auto` for several.
    """

    layout: Layout
    texts: _Texts
    said: str
    language: str
    findings: Sequence[str]

    @property
    def skipped(self) -> Sequence[Skipped]:
        """What the reader left out of what was looked at."""
        return self.texts.skipped

    @property
    def read(self) -> Sequence[Document | Skipped]:
        """What was looked at."""
        return [*self.texts.documents, *self.texts.skipped]

    def reader(self) -> Reader:
        """The reader for all documents."""
        return _reader(self.layout, self.said)

    def spec(self, name: str, schema: str, path: Any) -> str:
        """A spec for the texts, which lie at `path`."""
        from kpframe.commands._starter import starter_spec

        gold = self.texts.with_gold()
        given = {name: value for name, value in self.layout.parameters.items() if name != "path"}
        documents = {**given, "language": self.language}
        return starter_spec(
            name,
            schema,
            self.findings,
            {"kind": self.layout.kind, "path": path, **documents},
            tagged=all(map(_has_model, _spaced(self.texts.languages))),
            gold=bool(gold),
            learn=len(gold) >= _ENOUGH,
        )


SAY_IT = "--set documents.language=CODE if that is wrong"
"""How commands that take a spec are told the language of texts."""


def said_language(settings: Sequence[str]) -> str:
    """The language that `--set documents.language=…` says, or `auto`; SpecError for what is none."""
    from kpframe.language.codes import AUTO, language_code

    said = [
        one.partition("=")[2] for one in settings if one.partition("=")[0].strip() == "documents.language"
    ]
    return language_code(said[-1].strip(" '\"")) if said else AUTO


def look_at(sources: Sequence[str], language: str, remedy: str = "--language CODE if that is wrong") -> Look:
    """Read the first documents of some files. DataError if there is nothing that can be used.

    `language` is that of texts that do not say theirs, or `auto`; `remedy` is how to say it.
    """
    from kpframe.commands._survey import layout_of, layout_of_several
    from kpframe.language.codes import AUTO
    from kpframe.language.scripts import UNSPACED_LANGUAGES

    layout = layout_of(sources[0]) if len(sources) == 1 else layout_of_several(sources)
    texts = _read(layout, language)
    languages = sorted({document.language for document in texts.documents})
    most = texts.languages.of_most
    for code in most[:1]:
        if UNSPACED_LANGUAGES.issuperset(most):
            problem = f"the texts seem to be in {code!r}, which puts no spaces between words"
            remedy = f"write a spec with `tokenize: {{model: …}}` and a spaCy model of {code!r}"
            raise DataError.at(" ".join(sources), problem, remedy)
    findings = [*_findings(layout, texts), *_language_findings(texts, remedy)]
    return Look(layout, texts, language, languages[0] if len(languages) == 1 else AUTO, findings)


def _read(layout: Layout, language: str) -> _Texts:
    """The first documents, through the reader that the spec will use, each with its language."""
    from kpframe.engine.settling import Languages, most_spoken, settle
    from kpframe.model import Skipped

    reader = _reader(layout, language)
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


def _reader(layout: Layout, language: str) -> Reader:
    from kpframe.spec.stages import make_stage
    from kpframe.stages import Reader

    value = {"kind": layout.kind, "path": str(layout.path), **layout.parameters, "language": language}
    return make_stage("documents", value, str(layout.path), Reader)  # type: ignore[type-abstract]


def _remedy(layout: Layout) -> str:
    if layout.kind != "jsonl":
        return "give texts"
    return "call the text `text` and the keyphrases `gold` in every line, as in kpframe's own layout"


def _spaced(languages: Languages) -> list[str]:
    """The languages that a spec is written for; what is in others fails by itself."""
    from kpframe.language.scripts import UNSPACED_LANGUAGES

    return [code for code in languages.codes if code not in UNSPACED_LANGUAGES]


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
        yield f"gold keyphrases in {len(gold):,} of {counted(len(words), 'document')}, {each:.1f} each"
    else:
        yield "no gold keyphrases: texts can be extracted from, but not evaluated"
    if texts.skipped:
        first = texts.skipped[0]
        yield f"skipped: {first_of(len(texts.skipped), f'{first.place}: {first.reason}')}"
    yield from layout.notes


def _language_findings(texts: _Texts, remedy: str) -> Iterator[str]:
    from kpframe.language.models import MODELS, install_command

    languages = texts.languages
    said = "language: " + ", ".join(languages.codes) if languages.codes else ""
    if told := languages.told(remedy) or said:
        yield told
    spaced = _spaced(languages)
    for language in sorted(languages.codes):
        if language not in spaced:
            number = counted(languages.counts[language].total(), "document")
            yield f"{number} in {language!r}, which puts no spaces between words: cannot be worked on here"
        elif not _has_model(language):
            command = f": {install_command(language)}" if language in MODELS else ""
            yield f"no parts of speech, as there is no model for {language!r}{command}"
