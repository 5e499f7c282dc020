"""`kpframe data stats CORPUS --gold FILE`: the gold keyphrases of a corpus out of a file beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from kpframe.commands import LeftOut, counted
from kpframe.commands._inputs import is_source
from kpframe.errors import DataError

if TYPE_CHECKING:
    from kpframe.model import Document, Gold, Skipped

__all__ = ["GivenGold", "gold_and_corpora"]

_SHOWN = 5


def gold_and_corpora(
    gold: str | None, corpora: tuple[str, ...], known: Iterable[str]
) -> tuple[str | None, tuple[str, ...]]:
    """The file that `--gold` names, if any, and the corpora: what follows it may be one of them.

    It is one where no other is named, or where it is no file: the option is told without a file, too.
    """
    if not gold:
        return None, corpora
    if corpora and gold not in known and is_source(gold):
        return gold, corpora
    return None, (*corpora, gold)


class GivenGold:
    """Gold keyphrases by the ids of their documents. DataError for a file that cannot be understood."""

    def __init__(self, path: str, left_out: LeftOut) -> None:
        from kpframe.evaluation.predictions import read_gold

        self._path, self._left_out = path, left_out
        self._gold: dict[str, tuple[Gold, ...]] = {name: gold for name, gold, *_ in read_gold(path)}

    def put_in(
        self, items: Iterable[Document | Skipped], *, told: bool = True
    ) -> Iterator[Document | Skipped]:
        """The documents with this gold in place of their own, none where the file lacks them.

        Ids of one side are `told` at the end; DataError then where none is in both.
        """
        from kpframe.model import Skipped

        seen: set[str] = set()
        lacking: list[str] = []
        for item in items:
            if isinstance(item, Skipped):
                yield item
                continue
            gold = self._gold.get(item.id)
            (lacking.append if gold is None else seen.add)(item.id)
            yield replace(item, gold=gold or ())
        if told:
            self._tell(lacking, [id for id in self._gold if id not in seen], bool(seen))

    def _tell(self, lacking: list[str], unknown: list[str], any_seen: bool) -> None:
        from kpframe.evaluation.alike_ids import alike, alike_remedy

        if not any_seen:
            problem = f"no document of the corpus is in it (corpus: {_some(lacking)}; gold: {_some(unknown)})"
            remedy = alike_remedy(lacking, unknown, "give both the same ids")
            raise DataError.at(f"--gold {self._path}", problem, remedy)
        for ids, where in ((lacking, "only in the corpus"), (unknown, "only in the gold")):
            if ids:
                self._left_out.tell(f"{counted(len(ids), 'id')} {where}: {_some(ids)}")
        if told := alike(lacking, unknown):
            self._left_out.tell(f"of these ids, {told}")


def _some(ids: list[str]) -> str:
    return f"{', '.join(ids[:_SHOWN])}{', …' if len(ids) > _SHOWN else ''}" or "none"
