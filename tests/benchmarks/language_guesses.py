"""How often the language of a short text is guessed, and how often the guess is right.

python tests/benchmarks/language_guesses.py

The texts are the example sentences of spaCy's languages, each whole and by its first five words; those that
stand under several languages are left out, and so are languages that are never guessed. Then what a guess
costs: milliseconds of CPU for a sentence, and for one in plain English that needs no library.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from time import process_time

import spacy.lang

from kpframe.language.code_table import GUESSED
from kpframe.language.detection import UNKNOWN, language_guess


def sentences() -> Iterator[tuple[str, str]]:
    """Language and sentence, as spaCy has them."""
    for module in pkgutil.iter_modules(spacy.lang.__path__):
        try:
            found = importlib.import_module(f"spacy.lang.{module.name}.examples")
        except ImportError:
            continue
        yield from ((module.name, sentence) for sentence in dict.fromkeys(found.sentences))


def main() -> None:
    """Guess and print."""
    languages: dict[str, set[str]] = {}
    for language, sentence in sentences():
        languages.setdefault(sentence, set()).add(language)
    known = [(next(iter(of)), text) for text, of in languages.items() if len(of) == 1 and of <= GUESSED]
    guesses = {text: language_guess(text) for _, text in known}
    named = {language for language in guesses.values() if language != UNKNOWN}
    known = [(language, text) for language, text in known if language in named]
    print(f"{len(known)} sentences in {len({language for language, _ in known})} languages")
    for title, words in (("whole", None), ("first five words", 5)):
        found = [(language, language_guess(" ".join(text.split()[:words]))) for language, text in known]
        sure = [(language, guess) for language, guess in found if guess != UNKNOWN]
        right = sum(language == guess for language, guess in sure)
        print(f"{title}: guessed {len(sure) / len(found):.3f}, right of these {right / len(sure):.3f}")
    plain = "The cats that we have seen in the garden of the house are not there, and it is late. " * 7
    for title, texts in (
        ("a sentence", [text for _, text in known]),
        ("600 plain characters", [plain] * 500),
    ):
        begin = process_time()
        for text in texts:
            language_guess(text)
        print(f"{title}: {1000 * (process_time() - begin) / len(texts):.2f} ms")


if __name__ == "__main__":
    main()
