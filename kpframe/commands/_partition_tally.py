"""What an extraction over partitions comes to: counted, told, and kept where `kpframe status` sees it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from kpframe.commands import counted, first_of, show_left_out, show_problems, tell
from kpframe.commands._inputs import NAMED
from kpframe.errors import KpframeError, Problem
from kpframe.files.partitions import Partition, outdate
from kpframe.files.sealing import sealed, whole_record
from kpframe.files.urls import is_file, joined, opened, published

if TYPE_CHECKING:
    from kpframe.commands._partition_task import Made
    from kpframe.files.extraction_state import ExtractionState

__all__ = ["Tally"]

_TWICE = "_manifest/ids_twice.jsonl"
_KNOWN = "_manifest/ids_twice.json"


class Tally:
    """What all partitions come to; what was there counts as what was made."""

    def __init__(
        self,
        found: Sequence[Partition],
        known: Mapping[str, Mapping[str, Any]],
        others: Sequence[str],
        no_tables: Sequence[str],
        *,
        quiet: bool = False,
    ) -> None:
        self._found = {one.name: one for one in found}
        self._told = dict(known)
        self._there, self._others, self._no_tables = len(known), others, no_tables
        self._failed: list[Made] = []
        self._outdated: list[str] = []
        self._repeated = self._advanced = 0
        self._full = self._unsure = False
        self._quiet, self._named = quiet, 0
        self._begun = time.time()

    def advance(self, documents: int) -> None:
        """So many more documents have passed, of partitions that are under way or done."""
        self._advanced += documents

    def add(self, made: Made) -> None:
        """Count one, and show what was wrong with it."""
        show_problems(made.problems)
        self._full = self._full or made.full
        if made.told is None:
            self._failed.append(made)
            if outdate(made.partition):
                self._outdated.append(made.partition.name)
            return
        self._told[made.partition.name] = made.told
        for line in self._skipped(made.told, made.skipped):
            tell(f"skipped: {line}")

    def _skipped(self, told: Mapping[str, Any], named: Sequence[str]) -> Sequence[str]:
        """What was left out of a partition: by name, or where there is much of it, counted."""
        count, first = int(told["skipped"]), told["first"]
        self._named += count
        if count <= 1 or (len(named) == count and self._named <= NAMED):
            return named or [first] * count
        return [first_of(count, first)]

    def unknown(self, sent: Iterable[Partition]) -> list[Partition]:
        """Those of which it was not told what became of them."""
        failed = {made.partition.name for made in self._failed}
        return [one for one in sent if one.name not in self._told and one.name not in failed]

    def state(self) -> ExtractionState:
        """How far it is."""
        from kpframe.files.extraction_state import ExtractionState

        now = time.time()
        told = [*self._told.values()]  # at once: it may be asked from another thread
        documents, failures, skipped = (
            sum(int(one[name]) for one in told) for name in ("documents", "failed", "skipped")
        )
        return ExtractionState(
            state="stopped" if self._full else "under way",
            begun=self._begun,
            updated=now,
            partitions=len(self._found),
            there=self._there,
            made=len(told) - self._there,
            failed=len(self._failed),
            named=tuple(one.partition.name for one in self._failed[:NAMED]),
            documents=documents,
            failures=failures,
            skipped=skipped,
            repeated=self._repeated,
            others=len(self._others),
            rate=self._advanced / max(now - self._begun, 1e-9),
        )

    def compare_ids(self) -> None:
        """Look for ids that come in more than one partition, and tell them: their results are all there.

        All of them lie in `_manifest/ids_twice.jsonl`, what they are of and the first in `ids_twice.json`;
        where the partitions are those of the last time nothing is compared anew.
        """
        if not self._told or self._full:
            return
        ids = json.dumps({name: one["ids"] for name, one in self._told.items()}, sort_keys=True)
        of = sha256(ids.encode()).hexdigest()
        partitions = [self._found[name] for name in sorted(self._told)]
        folder = partitions[0].folder
        try:
            found = _kept(folder, of) or _compared(folder, partitions, of)
        except KpframeError as error:
            show_problems(error.problems)
            self._unsure = True
            return
        except OSError as error:
            place, problem = joined(folder, _TWICE), f"cannot be written ({error.strerror or error})"
            show_problems([Problem(place, problem, "make room, and repeat the command")])
            self._unsure = True
            return
        self._repeated = found["repeated"]
        show_problems([self._problem(id, names) for id, names in found["first"]])
        if self._repeated > NAMED:
            problem = f"{counted(self._repeated - NAMED, 'more id')} in several partitions"
            show_problems([Problem("", problem, f"{joined(folder, _TWICE)} has all of them")])

    def _problem(self, id: str, names: Sequence[str]) -> Problem:
        first, second, *rest = (self._found[name].source for name in names)
        more = f" and {counted(len(rest), 'more partition')}" if rest else ""
        remedy = "all of them have results; make ids unique, or name another column by --id"
        return Problem(second, f"the id {id!r} is also in {first}{more}", remedy)

    def close(self, out: str) -> int:
        """The last line, and the exit status: 1 if anything failed or was left out, also earlier."""
        for names, of in ((self._others, "of other inputs"), (self._outdated, "from before what failed now")):
            if names:
                named = f"{', '.join(names[:5])}{', …' if len(names) > 5 else ''}"
                tell(f"{out} has {counted(len(names), 'result')} {of}, which stay: {named}")
        if self._no_tables:
            files = counted(len(self._no_tables), "file")
            tell(f"left out: {files} of the input that are no tables, the first: {self._no_tables[0]}")
        kinds = ("documents", "keyphrases", "empty", "failed", "skipped")
        total = {name: sum(int(told[name]) for told in self._told.values()) for name in kinds}
        counts = f"{counted(total['documents'], 'document')}, {counted(total['keyphrases'], 'keyphrase')}"
        textless = sum(int(told.get("textless", 0)) for told in self._told.values())
        of_empty = {"empty": f" ({textless:,} without text)"} if textless else {}
        rest = "".join(
            f", {total[name]:,} {name}{of_empty.get(name, '')}"
            for name in ("empty", "failed", "skipped")
            if total[name]
        )
        if self._repeated:
            rest += f", {counted(self._repeated, 'id')} in several partitions"
        if self._quiet and total["skipped"]:
            firsts = [told["first"] for told in self._told.values() if told["skipped"]]
            show_left_out(firsts[:1], total["skipped"])
        made = len(self._told) - self._there
        parts = f"{counted(made, 'partition')} made, {self._there:,} there already"
        left = len(self._found) - len(self._told) - len(self._failed)
        lost = f", {len(self._failed):,} failed" if self._failed else ""
        lost += f", {left:,} left because there is no room" if left and self._full else ""
        tell(f"wrote {out}: {parts}{lost}; {counts}{rest}")
        wrong = (
            self._failed
            or total["failed"]
            or total["skipped"]
            or self._repeated
            or self._unsure
            or self._no_tables
        )
        return 1 if wrong else 0


def _kept(folder: str, of: str) -> Mapping[str, Any] | None:
    """What was found the last time, if the ids are the same."""
    try:
        with opened(joined(folder, _KNOWN)) as file:
            found = whole_record(file.read())
        return found if is_file(joined(folder, _TWICE)) and found["of"] == of else None
    except (OSError, ValueError, KeyError, KpframeError):
        return None


def _compared(folder: str, partitions: Sequence[Partition], of: str) -> Mapping[str, Any]:
    from kpframe.files.repeated_ids import repeated

    first: list[tuple[str, Sequence[str]]] = []
    count = 0
    with published(joined(folder, _TWICE)) as file:
        for id, names in repeated([(one.name, one.ids) for one in partitions]):
            count += 1
            if count <= NAMED:
                first.append((id, names))
            file.write(json.dumps({"id": id, "partitions": names}).encode() + b"\n")
    found = sealed({"of": of, "repeated": count, "first": first})
    with published(joined(folder, _KNOWN)) as file:
        file.write(json.dumps(found, indent=1).encode() + b"\n")
    return found
