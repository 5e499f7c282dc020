"""Time against length of what tokenizes and cleans, on texts that break programs.

    python tests/benchmarks/linear_time.py [--most 400000]

Each row is a text of 100,000 to 400,000 characters that repeats one thing. Each cell has the milliseconds of
CPU (the least of three) for the longest, and how many times as long as for the shortest: 4 for linear time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import process_time

from kpframe.candidates.ngrams import NGrams
from kpframe.model import Document
from kpframe.preprocessing.dehyphenate import Dehyphenate
from kpframe.preprocessing.html import Html
from kpframe.preprocessing.markdown import Markdown
from kpframe.preprocessing.papers import Papers
from kpframe.preprocessing.sections import Sections
from kpframe.preprocessing.simple import Simple
from kpframe.preprocessing.unicode import Unicode

UNITS = {
    "underscores": "_",
    "apostrophes": "'",
    "<a ": "<a ",
    "one sentence of words": "kites ",
    "hyphens and lines": "ab-\n",
    "open brackets": "[x](",
    "stars": "*a ",
    "ampersands": "&amp",
    "full stops": ". ",
    "blank lines": "\n \n",
    "slashes": "a/",
    "numbers": "1,",
    "marks": "e\u0301",
    "lines of contents": "x .... 1\n",
    "headings": "1 Kites\n",
    "captions": "Figure 1: x\n",
}


def sections(text: str) -> object:
    """Tokens, sentences and sections."""
    document = Document("d", text)
    return Sections().annotate(document, Simple().annotate(document, None))


def candidates(text: str) -> object:
    """Tokens and n-grams with the numbers of names."""
    document = Document("d", text)
    return NGrams(numbers="names", max=2).select(document, Simple().annotate(document, None))


WORK: dict[str, Callable[[str], object]] = {
    "simple": lambda text: Simple().annotate(Document("d", text), None),
    "sections": sections,
    "ngrams": candidates,
    "html": Html().clean,
    "markdown": Markdown().clean,
    "papers": Papers(english=False).clean,
    "dehyphenate": Dehyphenate(english=False).clean,
    "unicode": Unicode().clean,
}


def milliseconds(work: Callable[[str], object], text: str) -> float:
    """The least of three."""
    found = []
    for _ in range(3):
        begin = process_time()
        work(text)
        found.append(1000 * (process_time() - begin))
    return min(found)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--most", type=int, default=400_000, help="characters of the longest text")
    most = parser.parse_args().most
    lengths = [most // 4, most // 2, most]
    print("| text |", " | ".join(WORK), "|")
    for name, unit in UNITS.items():
        cells = []
        for work in WORK.values():
            times = [milliseconds(work, (unit * length)[:length]) for length in lengths]
            grown = times[-1] / max(times[0], 0.01)
            cells.append(f"{times[-1]:.0f} ({grown:.1f}×)" + (" !" if grown > 7 and times[-1] > 50 else ""))
        print(f"| {name} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
