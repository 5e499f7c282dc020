"""The greatest one-to-one pairing of phrases with gold keyphrases, in which better ranks have precedence."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["paired"]


def paired(wishes: Sequence[Sequence[int]]) -> list[int]:
    """For each phrase, in rank order, the gold keyphrase that it gets out of those it may get, or -1.

    A phrase gets one if all better phrases that have one can keep having one (augmenting paths: Kuhn 1955);
    so the number of hits among the first k is the greatest possible for every k. Which one it gets: going
    down the ranks, the first of its wishes that leaves one for all later phrases that hit. So nothing
    depends on how the keyphrases are numbered, as long as the order of the wishes does not.
    """
    owners: dict[int, int] = {}
    hits = [-1] * len(wishes)
    moved = False
    for phrase, numbers in enumerate(wishes):
        for number in numbers:
            if number not in owners:
                owners[number] = phrase
                hits[phrase] = number
                break
        else:
            # Only where all its keyphrases are taken must somebody be asked to take another.
            moved = (bool(numbers) and _place(phrase, wishes, owners, hits, -1)) or moved
    # As long as nobody had to move, each phrase has the first of its wishes that better phrases left.
    return _by_preference(wishes, owners, hits) if moved else hits


def _place(
    phrase: int, wishes: Sequence[Sequence[int]], owners: dict[int, int], hits: list[int], fixed: int
) -> bool:
    """Give `phrase` a free keyphrase, or one whose owner can be given another, and so on.

    What phrases up to `fixed` have is not touched.
    """
    came_from: dict[int, int] = {}  # keyphrase → the phrase that asks for it
    asking = [phrase]
    for asker in asking:
        # Breadth first, so that as few phrases as possible have to move.
        for number in wishes[asker]:
            owner = owners.get(number, len(wishes))
            if number in came_from or owner <= fixed:
                continue
            came_from[number] = asker
            if owner < len(wishes):
                asking.append(owner)
                continue
            _hand_over(number, came_from, owners, hits, phrase)
            return True
    return False


def _hand_over(
    number: int, came_from: dict[int, int], owners: dict[int, int], hits: list[int], last: int
) -> None:
    """Along the path back to `last`, each phrase gets what it asked for and leaves what it had."""
    while True:
        # The keyphrase at the end of the path is free; each step backwards frees the one before.
        asker = came_from[number]
        left = hits[asker]
        owners[number], hits[asker] = asker, number
        if asker == last:
            return
        number = left


def _by_preference(wishes: Sequence[Sequence[int]], owners: dict[int, int], hits: list[int]) -> list[int]:
    """The same phrases with keyphrases, each with the first wish that the later ones can spare."""
    for phrase, had in enumerate(hits):
        if had < 0:
            continue
        for number in wishes[phrase]:
            if number == hits[phrase] or _exchanged(phrase, number, wishes, owners, hits):
                break
    return hits


def _exchanged(
    phrase: int, number: int, wishes: Sequence[Sequence[int]], owners: dict[int, int], hits: list[int]
) -> bool:
    """Give `phrase` another keyphrase, if its owner is a later phrase that can be given one in its place."""
    owner = owners.get(number)
    if owner is not None and owner < phrase:
        return False
    had = hits[phrase]
    del owners[had]
    owners[number], hits[phrase] = phrase, number
    if owner is None:
        return True
    hits[owner] = -1
    if _place(owner, wishes, owners, hits, phrase):
        return True
    owners[number], hits[owner] = owner, number
    owners[had], hits[phrase] = phrase, had
    return False
