"""Texts of papers set in two columns and read back: how many pairs of words are as they were.

python tests/benchmarks/pdf_order.py     # needs fpdf2, and the corpus SP in $KPFRAME_DATA
"""

from __future__ import annotations

import io
import re
import sys
import time
from collections import Counter
from itertools import islice, pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "documents"))

from two_columns import _plain, two_column_pdf

from kpframe.analysis.catalogue import known_corpora
from kpframe.documents._pdf_text import text_of_pdf
from kpframe.model import Document

_WORDS = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


def pairs(text: str) -> Counter[tuple[str, str]]:
    """Neighbouring words, with their counts."""
    words = _WORDS.findall(text.casefold())
    return Counter(pairwise(words))


def kept(before: str, after: str) -> tuple[float, float]:
    """Recall and precision of neighbouring words."""
    one, other = pairs(before), pairs(after)
    both = sum((one & other).values())
    return both / max(1, sum(one.values())), both / max(1, sum(other.values()))


def plain_text(content: bytes) -> str:
    """What PDFium gives in the order of the file."""
    import pypdfium2

    document = pypdfium2.PdfDocument(io.BytesIO(content))
    return "\n".join(page.get_textpage().get_text_range() for page in document)


def main() -> None:
    """A row a paper."""
    (corpus,) = (corpus for corpus in known_corpora(None) if corpus.name == "sp")
    assert corpus.reader is not None, corpus.missing
    papers = islice((d for d in corpus.reader.read() if isinstance(d, Document)), 10)
    print("paper      words  kept  right  kept, in the order of the file   s/page")
    rows = []
    for paper in papers:
        paragraphs = [re.sub(r"-\s*\n\s*", "", p) for p in re.split(r"\n\s*\n", paper.text) if p.strip()]
        paragraphs = [" ".join(p.split()) for p in paragraphs]
        before = " ".join(map(_plain, paragraphs))
        content = two_column_pdf("A title that stands across both columns", paragraphs)
        begin = time.perf_counter()
        after = text_of_pdf(content, paper.id)
        seconds = time.perf_counter() - begin
        pages = content.count(b"/Type /Page\n")
        recall, precision = kept(before, after)
        rows.append((recall, precision, kept(before, plain_text(content))[0]))
        print(f"{paper.id:<10} {len(before.split()):>5}  {recall:.3f} {precision:.3f}  {rows[-1][2]:.3f}"
              f"  {seconds / max(1, pages):.3f}")  # fmt: skip
    print("mean             ", *(f"{sum(column) / len(rows):.3f}" for column in zip(*rows, strict=True)))


if __name__ == "__main__":
    main()
