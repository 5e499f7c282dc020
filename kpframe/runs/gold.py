"""The gold keyphrases (and texts) that the documents of a finished run have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from kpframe.errors import DataError
from kpframe.evaluation.predictions import GoldRecord, read_gold
from kpframe.model import Gold
from kpframe.runs.finished import FinishedRun
from kpframe.runs.texts import the_same
from kpframe.spec import Spec
from kpframe.stages import Cleaner

__all__ = ["DocumentGold"]

_Known = tuple[tuple[Gold, ...], str | None]


class DocumentGold:
    """Gold keyphrases and texts by document, of a file or of the corpus of a run."""

    def __init__(
        self,
        records: Mapping[str, _Known],
        source: str,
        spec: Spec | None,
        with_tokens: frozenset[str] = frozenset(),
    ) -> None:
        self._records = records
        self._with_tokens = with_tokens
        self._source = source
        self._cleaners = {
            configuration.name: tuple(s for s in configuration.preprocessing if isinstance(s, Cleaner))
            for configuration in (spec.configurations if spec else ())
        }

    @classmethod
    def of_file(cls, records: Iterable[GoldRecord], source: str) -> DocumentGold:
        """As `predictions.read_gold` has them; texts as they are."""
        return cls({name: (gold, text) for name, gold, text, *_ in records}, source, None)

    @classmethod
    def known(cls, run: FinishedRun, file: str | None) -> DocumentGold:
        """Of a file, where one is given, and else of the run's corpus."""
        return cls.of_file(read_gold(file), file) if file else cls.of_run(run)

    @classmethod
    def of_run(cls, run: FinishedRun) -> DocumentGold:
        """Read again from the corpus that the run was over; texts cleaned as in the run.

        Raises DataError if it is not where it was; a relative path is relative to the current folder, as
        it was when the run was made.
        """
        spec = run.with_corpus("give the gold by --gold FILE")
        assert spec.reader is not None
        wanted = {found.id for found in run.keyphrases(run.cells[0])}
        found = the_same(
            spec.reader.read(), wanted, run.path, "run it again, or give the gold by --gold FILE"
        )
        documents = list(found)
        tokens = frozenset(item.id for item in documents if item.annotations is not None)
        records = {item.id: (item.gold, item.text) for item in documents}
        return cls(records, "the run's own corpus", spec, tokens)

    def of(self, name: str, cell: str) -> _Known:
        """Gold and text of a document; DataError if it is not there."""
        if name not in self._records:
            problem = f"{self._source} has no document {name!r}, which the run has"
            raise DataError.at("gold", problem, "give the gold of the same documents by --gold FILE")
        gold, text = self._records[name]
        given = name in self._with_tokens
        used = tuple(one for one in self._cleaners.get(cell, ()) if one.cleans(has_tokens=given))
        return gold, None if text is None else _cleaned(text, used)


@lru_cache(maxsize=16)
def _cleaned(text: str, cleaners: tuple[Cleaner, ...]) -> str:
    """Remembered for the last few texts: the cells of a run ask for the same ones."""
    for cleaner in cleaners:
        text = cleaner.clean(text)
    return text
