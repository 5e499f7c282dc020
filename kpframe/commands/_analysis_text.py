"""What `kpframe analyse` prints: one block of plain tables for each system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kpframe.analysis.overview import Overview
from kpframe.analysis.positions import PositionCounts
from kpframe.commands import counted
from kpframe.statistics.calibration import Distribution, Reliability

__all__ = ["overview_text"]

_PLACES = {
    "proper": "places by whole tokens, in the stemmed text over its length",
    "paper": "places by characters, in the stemmed text over the unstemmed length (Kundu et al. 2023)",
}
_DIVERSITY = {
    "unique_phrases": "distinct phrases",
    "unique_phrase_ratio": "distinct phrases / phrases",
    "unique_token_ratio": "distinct stems / stems",
    "dup_token_ratio": "repeated stems / stems",
    "self_bleu": "self-BLEU-3",
    "self_edit_distance": "similarity of two phrases (0 … 100)",
}


def overview_text(name: str, found: Overview) -> str:
    """All analyses of one system."""
    lines = [f"{name}  ({found.matching})", *_phrases(found)]
    for counts in found.positions or ():
        lines += ["", f"  gold keyphrases by fifth of the document; {_PLACES[counts.variant]}"]
        lines += _positions(counts)
    if found.reliability is not None:
        lines += ["", "  reliability: scores read as probabilities that a phrase hits"]
        lines += _reliability(found.reliability)
    if found.tokens is not None:
        lines += ["", "  probabilities of the model's tokens by their place in the phrase"]
        lines += _tokens(found.tokens)
    lines += ["", "  diversity of a document's phrases, mean of the documents"]
    lines += [f"    {title:<36} {_number(found.diversity[key])}" for key, title in _DIVERSITY.items()]
    if found.near is not None:
        lines += ["", "  near misses: phrases that hit nothing with each gold keyphrase of their document"]
        lines += [f"    {name:<7} {_listed(counts)}" for name, counts in found.near.items()]
    lines += [f"  note: {note}" for note in found.notes]
    return "\n".join(lines)


def _phrases(found: Overview) -> Iterator[str]:
    phrases = found.phrases
    yield (
        f"  {counted(phrases.documents, 'document')}, {phrases.without_predictions} without predictions; "
        f"{counted(phrases.given, 'phrase')}: {phrases.compared} compared, {phrases.repeated} repeated or of "
        f"the other subset, {phrases.empty} empty"
    )
    yield (
        f"  {counted(phrases.gold, 'gold keyphrase')} kept, {phrases.left_out} left out by the matching; "
        f"{counted(phrases.hits, 'phrase')} hit"
    )


def _positions(counts: PositionCounts) -> Iterator[str]:
    yield "    fifth    gold   found  missed   share missed"
    rows = zip(counts.gold, counts.found, counts.missed, counts.missed_shares, strict=True)
    for number, (gold, hit, missed, share) in enumerate(rows, start=1):
        yield f"    {number:<5} {gold:>7} {hit:>7} {missed:>7}   {_percent(share):>12}"
    yield f"    not in the text: {counts.absent}"


def _reliability(found: Reliability) -> Iterator[str]:
    yield "    scores       phrases    hits  mean score  share of hits"
    for b in found.bins:
        means = f"{_number(b.confidence):>10}  {_number(b.accuracy):>13}"
        yield f"    {b.low:.2f}–{b.high:.2f}   {b.n:>8} {b.correct:>7}  {means}"
    yield f"    ECE {_number(found.ece)}  MCE {_number(found.mce)}  ({counted(found.n, 'phrase')})"


def _tokens(found: dict[str, tuple[Distribution, ...]]) -> Iterator[str]:
    yield "    phrase   place       n    mean     min     25%     50%     75%     max"
    for kind, places in found.items():
        for number, place in enumerate(places, start=1):
            quartiles: Sequence[float | None] = place.quartiles or (None,) * 5
            values = " ".join(f"{_number(value):>7}" for value in (place.mean, *quartiles))
            yield f"    {kind:<8} {number:>5} {place.n:>7} {values}"


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counts.items())


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"
