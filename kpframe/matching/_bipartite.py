"""The greatest one-to-one matching, in which the better ranks have precedence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["maximum_matching"]


def maximum_matching(possible: Sequence[Iterable[int]]) -> list[int]:
    """For each phrase, in rank order, the gold keyphrase that it gets out of those it may get, or -1.

    A phrase gets one if all better phrases that have one can keep having one (Kuhn 1955); so the number
    of hits among the first k is the greatest possible for every k, and which phrases hit does not
    depend on the order of the keyphrases.
    """
    wishes = [list(numbers) for numbers in possible]
    owners: dict[int, int] = {}
    for phrase in range(len(wishes)):
        _place(phrase, wishes, owners)
    hits = [-1] * len(wishes)
    for number, phrase in owners.items():
        hits[phrase] = number
    return hits


def _place(phrase: int, wishes: Sequence[Sequence[int]], owners: dict[int, int]) -> None:
    """Give `phrase` a free keyphrase, or one whose owner can be given another, and so on."""
    came_from: dict[int, int] = {}  # keyphrase → the phrase that asks for it
    asking = [phrase]
    for asker in asking:
        for number in wishes[asker]:
            if number in came_from:
                continue
            came_from[number] = asker
            if number in owners:
                asking.append(owners[number])
                continue
            _hand_over(number, came_from, owners, phrase)
            return


def _hand_over(number: int, came_from: dict[int, int], owners: dict[int, int], last: int) -> None:
    had = {owner: owned for owned, owner in owners.items()}
    while True:
        asker = came_from[number]
        owners[number] = asker
        if asker == last:
            return
        number = had[asker]
