"""Arguments that several commands have, each in the same words."""

from __future__ import annotations

import argparse

__all__ = [
    "at_least",
    "at_least_one",
    "cluster",
    "columns",
    "data",
    "language",
    "limit",
    "settings",
    "spec",
    "under",
    "workers",
]


def at_least(least: int, text: str) -> int:
    """A whole number, as argparse wants it told."""
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least {least}, not {text!r}")
    return number


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


def at_least_one(text: str) -> int:
    """A number of things."""
    return at_least(1, text)


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
        help="set a parameter, as ranking.window=3; wins over the file; may be repeated",
    )


def data(parser: argparse.ArgumentParser) -> None:
    """Where corpora lie."""
    parser.add_argument("--data", metavar="DIR", help="folder of the corpora (default: $KPFRAME_DATA)")


def workers(parser: argparse.ArgumentParser) -> None:
    """How many processes work."""
    parser.add_argument("--workers", type=at_least_one, metavar="N", help="processes (default: 1)")


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
        help="of tables: the column with the text; several are joined (default: text, abstract, body, …)",
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


def under(parser: argparse.ArgumentParser) -> None:
    """Where in a line of JSON the documents are."""
    parser.add_argument(
        "--under",
        metavar="KEY",
        help="text, gold and predictions stand in an object under this key of a line; "
        "in UIMA's files, the system",
    )
