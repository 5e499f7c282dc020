"""The human study of approximate matching: sheets for judges, drawn from runs, and what came back.

Zesch and Gurevych (2009, section 3.1) had four judges say whether an extracted phrase may stand in
place of the gold keyphrase that it matches approximately. Sheets are CSV files for spreadsheets.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from kpframe.errors import DataError, SpecError
from kpframe.files.atomic import atomic_write
from kpframe.language.normalize import phrase_tokens, squeeze
from kpframe.model import Document, Gold
from kpframe.spec import build
from kpframe.spec.strict_yaml import Positions, read_yaml
from kpframe.stages import Cleaner, Matching
from kpframe.stages.registry import lookup

__all__ = [
    "CATEGORIES",
    "Item",
    "Table",
    "draw",
    "matchings",
    "read_table",
    "write_table",
]

CATEGORIES = {"includes": "Includes", "part_of": "PartOf", "morph": "Morph"}
"""The rules of approximate matching, and what the paper calls them."""

_CONTEXT = 100
"""Characters of the text that are shown on each side of a phrase."""

_LETTERS = str.maketrans("0123456789abcdef", "abcdefghijkmnpqr")

# A spreadsheet runs a field that begins so; one that parts fields elsewhere sees more beginnings.
_FORMULA = re.compile(r"""((?:\A|[;,\t\r\n"])'*)(?=[=+\-@\t\r\n＝＋－＠])""")
_GUARDED = re.compile(r"""((?:\A|[;,\t\r\n"])'*)'(?=[=+\-@\t\r\n＝＋－＠])""")


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


@dataclass(frozen=True)
class Table:
    """A CSV file with a header: rows by column, each with the line where it begins."""

    path: str
    columns: tuple[str, ...]
    rows: tuple[tuple[int, Mapping[str, str]], ...]


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
    for run in sorted({Path(run) for run in runs}):
        folder = _Run(run)
        known.update(configuration.name for configuration in folder.spec.configurations)
        for item in folder.items(set(cells)):
            other = found.setdefault(item.id, item)
            found[item.id] = other if other is item else _joined(item, other)
    for name in cells:
        if name not in known:
            raise SpecError.at(
                f"--cell {name}", "is in none of the runs", f"there are: {', '.join(sorted(known))}"
            )
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


class _Run:
    """A finished run, read only."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if not (path / "run.json").is_file() or not (path / "resolved.yaml").is_file():
            raise DataError.at(str(path), "is no folder of a run", "give the --out folder of `kpframe run`")
        # Relative paths in it are relative to the current folder, as they were when the run was made.
        positions = Positions(fallback=str(path / "resolved.yaml"))
        self.spec = build(read_yaml(path / "resolved.yaml", Positions()), positions, purpose="check")
        cells = [path / "cells" / made.name for made in self.spec.configurations]
        if (path / ".work").exists() or not all(cell.is_dir() for cell in cells):
            raise DataError.at(str(path), "is not finished", "let `kpframe run` go on to its end")

    def items(self, cells: set[str]) -> Iterator[Item]:
        """The non-exact matchings of all cells, or of those named."""
        wanted = [made for made in self.spec.configurations if not cells or made.name in cells]
        if not wanted:
            return
        documents = self._documents({record["id"] for record in self._keyphrases(wanted[0].name)})
        for configuration in wanted:
            cleaners = [stage for stage in configuration.preprocessing if isinstance(stage, Cleaner)]
            for record in self._keyphrases(configuration.name):
                document = documents[record["id"]]
                text = document.text
                if "error" not in record:
                    for cleaner in cleaners:
                        text = cleaner.clean(text)
                    cell = f"{self.spec.name}/{configuration.name}"
                    yield from self._matched(document, text, record["keyphrases"], cell)

    def _matched(
        self, document: Document, text: str, found: Sequence[Mapping[str, Any]], cell: str
    ) -> Iterator[Item]:
        matches = _rules().match([keyphrase["text"] for keyphrase in found], document.gold, text)
        for phrase, hit, rule, at in zip(
            matches.phrases, matches.hits, matches.rules, matches.positions, strict=True
        ):
            if rule not in CATEGORIES:
                continue
            gold = _variant(phrase.surface, [variant.surface for variant in matches.keyphrases[hit]], rule)
            spans = found[at]["spans"]
            if spans and spans[0][1] > len(text):
                problem = f"the document {document.id!r} has changed since the run"
                raise DataError.at(str(self.path), problem, "run it again")
            yield Item(
                _identifier(document, phrase.surface, gold),
                document.id,
                _context(text, *spans[0]) if spans else "",
                phrase.surface,
                gold,
                CATEGORIES[rule],
                (cell,),
            )

    def _documents(self, ids: set[str]) -> dict[str, Document]:
        if self.spec.reader is None:
            problem = "has no documents of its own (they came from a program)"
            raise DataError.at(str(self.path), problem, "run a spec with `documents:`")
        documents: dict[str, Document] = {}
        for read in self.spec.reader.read():
            if isinstance(read, Document) and read.id in ids:
                documents.setdefault(read.id, read)
        if len(documents) < len(ids):
            lost = sorted(ids - documents.keys())
            problem = f"{len(lost)} of its documents are not in the corpus, first {lost[0]!r}"
            raise DataError.at(str(self.path), problem, "run it again")
        return documents

    def _keyphrases(self, cell: str) -> Iterator[dict[str, Any]]:
        """The lines of a cell, once it is known to be whole."""
        path = self.path / "cells" / cell / "keyphrases.jsonl"
        try:
            sums = json.loads((path.parent / "cell.json").read_bytes())["files"]
            with path.open("rb") as file:
                whole = hashlib.file_digest(file, "sha256").hexdigest() == sums[path.name]
        except (OSError, ValueError, KeyError, TypeError):
            whole = False
        if not whole:
            raise DataError.at(str(path.parent), "is damaged", "run it again")
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)


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


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a CSV file that spreadsheets open right: UTF-8 with a byte order mark, CRLF.

    An apostrophe goes before what they would run as a formula (`=`, `+`, `-`, `@`, also full-width, or a
    control character, at the beginning of a field or right after `,`, `;`, a quote or a line end);
    `read_table` takes it off again. Raises DataError if the file exists: it may hold judgements.
    """
    if path.exists():
        raise DataError.at(str(path), "exists already", "choose another --out, or remove it")
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_FORMULA.sub(r"\1'", field) for field in row] for row in rows)
    with atomic_write(path) as file:
        file.write(buffer.getvalue().encode("utf-8-sig", "backslashreplace"))


def read_table(path: str | Path, needed: Sequence[str] = ()) -> Table:
    """Read a CSV file as spreadsheets save it: parted by comma, semicolon or tab, in UTF-8 or UTF-16.

    The header decides what parts the fields: of the three, the one under which it has the columns in
    `needed`, or else the only one that parts it. Rows with nothing in them are skipped; fields that are
    missing at the end of a row are empty, since Excel leaves them out. Raises DataError, with file and
    line, for all else.
    """
    text = _decoded(Path(path))
    first = next(iter(io.StringIO(text, newline="")), "")
    if not first.strip():
        raise DataError.at(f"{path}:1", "has no header", "begin with the names of the columns")
    delimiter = _delimiter(f"{path}:1", text, needed)
    lines = _parsed(str(path), text, delimiter)
    _, names = next(lines)
    columns = tuple(map(squeeze, names))
    for name in (*needed, *columns):
        if columns.count(name) != 1:
            problem = f"{'no' if name not in columns else 'more than one'} column {name!r}"
            raise DataError.at(f"{path}:1", problem, f"the columns are: {', '.join(map(repr, columns))}")
    rows = []
    for line, fields in lines:
        if any(field.strip() for field in fields[len(columns) :]):
            problem = f"has {len(fields)} fields, the header {len(columns)}"
            raise DataError.at(f"{path}:{line}", problem, "put fields that hold the delimiter in quotes")
        padded = [*fields, *[""] * (len(columns) - len(fields))]
        if any(field.strip() for field in padded):
            row = {name: _GUARDED.sub(r"\1", field) for name, field in zip(columns, padded, strict=False)}
            rows.append((line, row))
    return Table(str(path), columns, tuple(rows))


def _decoded(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError.at(str(path), f"cannot be read ({error.strerror})", "check the path") from None
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        problem = f"byte {error.start:,} is not {encoding.removesuffix('-sig')}"
        raise DataError.at(f"{path}:{line}", problem, "save the sheet as `CSV UTF-8`") from None


def _delimiter(place: str, text: str, needed: Sequence[str]) -> str:
    headers: dict[str, list[str]] = {}
    for delimiter in (",", ";", "\t"):
        with suppress(DataError):  # quotes that make sense with another delimiter
            _, header = next(_parsed("", text, delimiter))
            headers[delimiter] = list(map(squeeze, header))
    fitting = [d for d, header in headers.items() if set(needed) <= set(header)]
    parting = [d for d in (fitting or headers) if len(headers[d]) > 1]
    if len(parting) > 1:
        shown = " and ".join({"\t": "a tab"}.get(delimiter, delimiter) for delimiter in parting)
        raise DataError.at(place, f"the header can be parted by {shown}", "put names that hold one in quotes")
    return parting[0] if parting else ","


def _parsed(path: str, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table, with the line where each begins."""
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    while True:
        begin = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            problem = f"is no row of CSV ({error}; read to line {reader.line_num})"
            raise DataError.at(f"{path}:{begin}", problem, "check the quotes") from None
        if row is None:
            return
        if row:
            yield begin, row
