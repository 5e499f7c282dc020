"""Arguments that several commands have, each in the same words."""

from __future__ import annotations

import argparse
import re

__all__ = [
    "at_least",
    "at_least_one",
    "at_least_zero",
    "better",
    "cluster",
    "columns",
    "data",
    "language",
    "limit",
    "settings",
    "share",
    "spec",
    "under",
    "workers",
]


def at_least(least: int, text: str) -> int:
    """A whole number, as argparse wants it told: digits 0 to 9 and nothing else.

    Python's own reader also takes `1_000`, `+3`, blanks and the digits of all scripts: mostly slips.
    """
    if not _WHOLE.fullmatch(text) or int(text) < least:
        raise argparse.ArgumentTypeError(
            f"must be a whole number of at least {least} in digits 0 to 9, not {text!r}"
        )
    return int(text)


def at_least_one(text: str) -> int:
    """A number of things."""
    return at_least(1, text)


def at_least_zero(text: str) -> int:
    """A number of things of which there may be none, or a seed."""
    return at_least(0, text)


def share(text: str) -> float:
    """A number between 0 and 1, neither of them, as argparse wants it told."""
    if not _DECIMAL.fullmatch(text) or not 0 < float(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a number between 0 and 1, as 0.05, not {text!r}")
    return float(text)


_WHOLE = re.compile("[0-9]{1,18}")
"""As many digits as every counter of Python's library takes."""

_DECIMAL = re.compile(r"[0-9]*\.?[0-9]+(?:[eE]-?[0-9]{1,3})?")


def language(parser: argparse.ArgumentParser, what: str) -> None:
    """The language of texts."""
    parser.add_argument(
        "--language",
        type=language_code,
        metavar="CODE",
        help=f"{what}: de, de-DE, German, or auto (default: auto, a guess from the texts)",
    )


def language_code(text: str) -> str:
    """The code of a language that is named by a code or in English: `de-DE` and `German` are `de`."""
    from kpframe.errors import SpecError
    from kpframe.language import codes

    try:
        return codes.language_code(text)
    except SpecError as error:
        raise argparse.ArgumentTypeError(f"{error.problems[0].problem}; {error.problems[0].remedy}") from None


def spec(parser: argparse.ArgumentParser) -> None:
    """A spec, and what can be changed in it."""
    parser.add_argument(
        "spec",
        metavar="SPEC",
        help="a .yaml file, a shipped spec, or texts (a file, a folder, a zip, -)",
    )
    settings(parser)
    data(parser)


def settings(parser: argparse.ArgumentParser) -> None:
    """Parameters that win over a spec."""
    parser.add_argument(
        "--set",
        action="append",
        dest="settings",
        metavar="PATH=VALUE",
        help="set a parameter, as ranking.window=3; wins over the file; may be repeated. In a list an "
        "element is named by its kind, as it is written, or by its number from 0 "
        "(metrics.f1@10.average=micro), and null takes it out (postprocessing.parts=null), as it takes "
        "away a system or an alternative (systems.kea=null)",
    )


def data(parser: argparse.ArgumentParser) -> None:
    """Where corpora lie."""
    parser.add_argument("--data", metavar="DIR", help="folder of the corpora (default: $KPFRAME_DATA)")


def workers(parser: argparse.ArgumentParser) -> None:
    """How many processes work."""
    parser.add_argument(
        "--workers",
        type=at_least_one,
        metavar="N",
        help="processes (default: 1); each takes some seconds to begin",
    )


def cluster(parser: argparse.ArgumentParser) -> None:
    """A cluster that works."""
    parser.add_argument(
        "--cluster",
        metavar="WHERE",
        help="in place of --workers: a Dask scheduler, as tcp://host:8786, or local:N (kpframe[cluster])",
    )


def columns(parser: argparse.ArgumentParser) -> None:
    """Which columns of tables are meant."""
    parser.add_argument(
        "--column",
        dest="columns",
        action="append",
        metavar="NAME",
        help="of tables: that with the text; several are joined (default: text, or title and abstract, …)",
    )
    parser.add_argument("--id", metavar="NAME", help="of tables: the column with the ids (default: id)")
    parser.add_argument(
        "--keep",
        action="append",
        metavar="NAME,NAME",
        help="of tables: columns that are written beside the keyphrases",
    )


def limit(parser: argparse.ArgumentParser) -> None:
    """How many documents are read."""
    parser.add_argument("--limit", type=at_least_one, metavar="N", help="only the first N documents")


def better(parser: argparse.ArgumentParser) -> None:
    """In which direction the scores of predictions run."""
    parser.add_argument(
        "--better",
        choices=("higher", "lower"),
        help="which scores of predicted phrases are better (default: higher; YAKE's: lower)",
    )


def under(parser: argparse.ArgumentParser) -> None:
    """Where in a line of JSON the documents are."""
    parser.add_argument(
        "--under",
        metavar="KEY",
        help="text, gold and predictions stand in an object under this key of a line; "
        "in UIMA's files, the system",
    )
