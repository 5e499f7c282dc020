"""Gold keyphrases that a text has and matching denies: what differs in how words are parted.

A text has a gold keyphrase if its characters stand there, case-folded and with white space squeezed,
with no letter or digit before and after. Matching (exact, absent: drop) finds it by tokens. Run as
`python tests/benchmarks/gold_in_text.py` with KPFRAME_DATA set; prints a row for each corpus.
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from kpframe.matching.exact import Exact
from kpframe.model import Document
from kpframe.stages.registry import lookup

DATA = Path(os.environ.get("KPFRAME_DATA", "../shared/datasets"))
CORPORA = {
    "Inspec": ("hulth2003", {"path": "Hulth2003.tar.gz"}),
    "DUC": ("duc2001", {"path": "DUC2001-txt.zip", "labels": "DUC2001LabeledKeyphrase.txt"}),
    "SP": ("text_and_keys", {"path": "Nguyen2007.zip"}),
    "SemEval2010": ("text_and_keys", {"path": "SemEval2010.zip"}),
    "SemEval2017": ("text_and_keys", {"path": "SemEval2017.zip"}),
    "kdd": ("text_and_keys", {"path": "kdd.zip"}),
    "110-PT-BN-KP": ("text_and_keys", {"path": "110-PT-BN-KP.zip"}),
}


def documents(name: str) -> Iterator[Document]:
    """The documents of a corpus."""
    kind, files = CORPORA[name]
    paths = {key: str(DATA / file) for key, file in files.items()}
    reader = lookup("documents", kind)(**paths)
    return (item for item in reader.read() if isinstance(item, Document))


def plain(text: str) -> str:
    """As a reader compares, without any notion of words."""
    return " ".join(unicodedata.normalize("NFC", text).split()).casefold()


def has(text: str, phrase: str) -> bool:
    """Whether the characters stand in the text, not inside of a longer run of letters and digits."""
    return re.search(rf"(?<![^\W_]){re.escape(plain(phrase))}(?![^\W_])", text) is not None


def main() -> None:
    """Print the counts."""
    only = sys.argv[1:] or list(CORPORA)
    for name in only:
        present = denied = 0
        samples: list[str] = []
        for document in documents(name):
            text = plain(document.text)
            for gold in document.gold:
                if any(has(text, variant) for variant in gold.variants):
                    present += 1
                    if not Exact().match([], [gold], document.text).gold:
                        denied += 1
                        samples.append(gold.text)
        share = denied / max(present, 1)
        print(f"{name:14} in the text {present:6}  denied {denied:5}  {share:.4f}  {samples[:6]}")


if __name__ == "__main__":
    main()
