"""The human study of approximate matching: sheets for judges, drawn from runs, and what came back.

Zesch and Gurevych (2009, section 3.1) had four judges say whether an extracted phrase may stand in
place of the gold keyphrase that it matches approximately. Sheets are CSV files for spreadsheets.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from kpframe.engine.annotating import Preprocessing
from kpframe.errors import DataError, SpecError, suggestion
from kpframe.language.words import phrase_tokens
from kpframe.model import Document, Gold, Keyphrase
from kpframe.model.folding import squeeze
from kpframe.runs.finished import FinishedRun
from kpframe.runs.records import FailedDocument
from kpframe.runs.texts import the_same
from kpframe.spec import Spec
from kpframe.stages import Cleaner, Matching
from kpframe.stages.registry import lookup

__all__ = ["CATEGORIES", "Item", "draw", "matchings"]

CATEGORIES = {"includes": "Includes", "part_of": "PartOf", "morph": "Morph"}
"""The rules of approximate matching, and what the paper calls them."""

_CONTEXT = 100
"""Characters of the text that are shown on each side of a phrase."""

_LETTERS = str.maketrans("0123456789abcdef", "abcdefghijkmnpqr")


@dataclass(frozen=True, slots=True)
class Item:
    """A matching to be judged: may `predicted` stand in place of `gold`?

    `id` has letters only, which no spreadsheet takes for a number or a date; it depends on nothing but
    the document and the two phrases. `context` shows the first place of the phrase in brackets. `cells`
    names the configurations that found it, as `run/cell`.
    """

    id: str
    document: str
    context: str
    predicted: str
    gold: str
    category: str
    cells: tuple[str, ...]


def matchings(runs: Iterable[str | Path], *, cells: Sequence[str] = ()) -> list[Item]:
    """All non-exact matchings of finished runs, each (document, predicted, gold) once, in the order of ids.

    Phrases are matched anew by the rules of the paper in their order, exact, morph, includes and
    part_of, one gold keyphrase for one phrase at most, gold that is not in the text left out; case and
    white space make no other pair. `cells` leaves only configurations of these names.

    Raises DataError for a folder that is no finished run, or damaged, or whose documents are not found,
    and SpecError for a name that no run has.
    """
    found: dict[str, Item] = {}
    known: set[str] = set()
    for folder in sorted({Path(run) for run in runs}):
        run = FinishedRun(folder)
        if run.unfinished or run.under_way:
            raise DataError.at(str(folder), "is not finished", "let `kpframe run` go on to its end")
        known.update(run.cells)
        for item in _items(run, [cell for cell in run.cells if not cells or cell in cells]):
            other = found.setdefault(item.id, item)
            found[item.id] = other if other is item else _joined(item, other)
    for name in cells:
        if name not in known:
            raise SpecError.at(f"--cell {name}", "is in none of the runs", suggestion(name, sorted(known)))
    return [found[id] for id in sorted(found)]


def draw(items: Sequence[Item], per_category: int = 100, seed: int = 2009) -> list[Item]:
    """At most `per_category` items of each category, as evenly over cells and documents as they allow.

    Step by step the cell with the fewest items so far gives one, of the document with the fewest so
    far; hashes of seed and item decide between equals. So the sample depends on the seed and the set of
    items alone. The result is shuffled, so that the order tells judges nothing. The paper drew 300 from
    each corpus, at most 100 of a category.
    """
    drawn: list[Item] = []
    lots = {name: _drawn_by(seed, name) for item in items for name in (item.id, *item.cells)}
    for category in CATEGORIES.values():
        left: dict[str, dict[str, Item]] = {}
        for item in items:
            for cell in item.cells if item.category == category else ():
                left.setdefault(cell, {})[item.id] = item
        by_cell, by_document = Counter[str](), Counter[str]()
        for _ in range(per_category):
            filled = [cell for cell, there in left.items() if there]
            if not filled:
                break
            cell = min(filled, key=lambda name: (by_cell[name], lots[name]))
            item = min(left[cell].values(), key=lambda there: (by_document[there.document], lots[there.id]))
            drawn.append(item)
            by_document[item.document] += 1
            for name in item.cells:
                by_cell[name] += 1
                del left[name][item.id]
    return sorted(drawn, key=lambda item: _drawn_by(seed, f"row {item.id}"))


def _items(run: FinishedRun, cells: Sequence[str]) -> Iterator[Item]:
    """The non-exact matchings of some cells of a run."""
    if not cells:
        return
    spec = run.with_corpus("run a spec with `documents:`, and leave its corpus where it is")
    documents = _documents(run, spec, {found.id for found in run.keyphrases(cells[0])})
    configurations = {configuration.name: configuration for configuration in spec.configurations}
    for name in cells:
        configuration = configurations[name]
        cleaners = [stage for stage in configuration.preprocessing if isinstance(stage, Cleaner)]
        for saved, scored in run.documents(name):
            if isinstance(scored, FailedDocument):
                continue
            document = _known(run, documents, scored.id)
            cleaned = Preprocessing(tuple(cleaners), ()).clean(document)
            yield from _matched(run, cleaned, saved.whole(), f"{spec.name}/{name}")


def _matched(run: FinishedRun, document: Document, found: Sequence[Keyphrase], cell: str) -> Iterator[Item]:
    matches = _rules().match([keyphrase.text for keyphrase in found], document.gold, document.text)
    for phrase, hit, rule, at in zip(
        matches.phrases, matches.hits, matches.rules, matches.positions, strict=True
    ):
        if rule not in CATEGORIES:
            continue
        gold = _variant(phrase.surface, [variant.surface for variant in matches.keyphrases[hit]], rule)
        spans = found[at].spans
        if spans and spans[0][1] > len(document.given):
            problem = f"the document {document.id!r} has changed since the run"
            raise DataError.at(str(run.path), problem, "run it again")
        yield Item(
            _identifier(document, phrase.surface, gold),
            document.id,
            _context(document.text, *document.own_span(*spans[0])) if spans else "",
            phrase.surface,
            gold,
            CATEGORIES[rule],
            (cell,),
        )


def _documents(run: FinishedRun, spec: Spec, ids: set[str]) -> dict[str, Document]:
    assert spec.reader is not None
    documents = {found.id: found for found in the_same(spec.reader.read(), ids, run.path, "run it again")}
    if len(documents) < len(ids):
        lost = sorted(ids - documents.keys())
        problem = f"{len(lost)} of its documents are not in the corpus, first {lost[0]!r}"
        raise DataError.at(str(run.path), problem, "run it again")
    return documents


def _known(run: FinishedRun, documents: Mapping[str, Document], id: str) -> Document:
    if id not in documents:
        raise DataError.at(str(run.path), f"not all cells have the document {id!r}", "run it again")
    return documents[id]


def _rules() -> Matching:
    parameters: dict[str, Any] = {"of": "exact+morph+includes+part_of"}
    return cast(Matching, lookup("matching", "union")(**parameters))


def _variant(predicted: str, variants: Sequence[str], rule: str) -> str:
    """The longest variant of a gold keyphrase that a phrase matches by a rule."""
    by_length = sorted(variants, key=lambda variant: -len(phrase_tokens(variant)))
    rules = (
        (variant, _rules().match([predicted], [Gold((variant,))], variant).rules) for variant in by_length
    )
    return next((variant for variant, found in rules if found == (rule,)), by_length[0])


def _joined(one: Item, other: Item) -> Item:
    """The same matching from several cells, in the one of its forms that comes first."""
    first = min(one, other, key=lambda item: (item.predicted, item.gold, item.context))
    return replace(first, cells=tuple(sorted({*one.cells, *other.cells})))


def _identifier(document: Document, predicted: str, gold: str) -> str:
    text = hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()
    content = json.dumps([document.id, text, phrase_tokens(predicted), phrase_tokens(gold)])
    return hashlib.sha256(content.encode()).hexdigest()[:12].translate(_LETTERS)


def _context(text: str, begin: int, end: int) -> str:
    """A phrase in brackets between the whole words around it."""
    before, after = text[max(0, begin - _CONTEXT) : begin], text[end : end + _CONTEXT]
    if begin > _CONTEXT:
        before = "…" + (re.sub(r"^\S*\s", "", before) or before)
    if end + _CONTEXT < len(text):
        after = (re.sub(r"\s\S*$", "", after) or after) + "…"
    return squeeze(f"{before}[{text[begin:end]}]{after}")


def _drawn_by(seed: int, text: str) -> bytes:
    return hashlib.sha256(f"{seed}:{text}".encode("utf-8", "surrogatepass")).digest()
