"""Keyphrases of twenty short texts in ten languages, by the pipeline that needs no language model.

Nothing says in which language a text is: each is guessed from the text, and its stop words follow.
"""

from __future__ import annotations

from pathlib import Path

import kpframe as kp


def main() -> None:
    """A line for each text: its name, its language, its first ten keyphrases."""
    files = sorted((Path(__file__).parent / "languages").glob("*.txt"))
    pipeline = kp.Pipeline.load("any-language")
    texts = [file.read_text(encoding="utf-8") for file in files]
    for file, found in zip(files, pipeline.extract_many(texts, top=10), strict=True):
        print(f"{file.stem} ({found.language}): {', '.join(keyphrase.text for keyphrase in found)}")


if __name__ == "__main__":
    main()
