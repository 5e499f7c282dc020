"""Keyphrases for a column of texts: read a CSV file, add a column, write it again.

    python examples/extract_from_csv.py [articles.csv [result.csv]]

Without arguments it works on three texts of its own and prints the result. The texts stream through: the
file may be longer than memory, and a text that fails leaves its cell empty instead of ending the work.
"""

import csv
import io
import sys
from collections.abc import Iterable
from itertools import tee
from typing import TextIO

from kpframe import Pipeline

TEXT_COLUMN = "abstract"
RESULT_COLUMN = "keyphrases"

ARTICLES = """\
id,abstract
1,"Approximate matching makes the evaluation of keyphrase extraction fair. Exact matching underrates systems \
that find morphological variants of the gold keyphrases."
2,"Heat pumps in old buildings need careful planning. We measured heat pumps in forty buildings over two \
winters and compared their seasonal performance with gas boilers."
3,
"""


def add_keyphrases(rows: Iterable[dict[str, str]], pipeline: Pipeline) -> Iterable[dict[str, str]]:
    """Each row with its keyphrases, best first, parted by semicolons."""
    rows, texts = tee(rows)
    results = pipeline.extract_many((row[TEXT_COLUMN] or "" for row in texts), top=5)
    for row, result in zip(rows, results, strict=True):
        yield {**row, RESULT_COLUMN: "; ".join(keyphrase.text for keyphrase in result)}


def convert(source: TextIO, target: TextIO) -> None:
    """Read CSV from `source` and write it with one more column to `target`."""
    reader = csv.DictReader(source)
    writer = csv.DictWriter(target, [*(reader.fieldnames or ()), RESULT_COLUMN], lineterminator="\n")
    writer.writeheader()
    writer.writerows(add_keyphrases(reader, Pipeline.load("textrank")))


def main() -> None:
    """Convert the files that are named, or the built-in articles."""
    if len(sys.argv) == 1:
        convert(io.StringIO(ARTICLES), sys.stdout)
        return
    with open(sys.argv[1], encoding="utf-8", newline="") as source:
        if len(sys.argv) == 2:
            convert(source, sys.stdout)
            return
        with open(sys.argv[2], "w", encoding="utf-8", newline="") as target:
            convert(source, target)


if __name__ == "__main__":
    main()
