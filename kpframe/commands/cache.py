"""`kpframe cache info`, `kpframe cache prune`."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from kpframe.errors import SpecError

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "say how large the cache of annotations is, or make it smaller"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    parser.add_argument("what", choices=("info", "prune"), help="tell its size, or remove what is least used")
    parser.add_argument(
        "--to", metavar="SIZE", help="for prune: what may be left, as 500MB or 0 (default: its limit)"
    )


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    what: str
    to: str | None = None


def execute(options: Options) -> int:
    """Tell the size of the cache, or remove what was used longest ago."""
    from kpframe.engine.cache import cache_folder
    from kpframe.engine.forgetting import cache_limit, cache_use, forget, size_of

    limit = cache_limit()
    if options.what == "info":
        if options.to is not None:
            raise SpecError.at("--to", "has no effect on info", "say kpframe cache prune --to SIZE")
        found = cache_use(cache_folder())
        print(f"{cache_folder()}: {_told(found.files, found.size)}, {_limit(limit)}")
        if found.oldest is not None and found.newest is not None:
            print(f"last used between {_day(found.oldest)} and {_day(found.newest)}; safe to remove")
        return 0
    target = limit if options.to is None else size_of(options.to, "--to")
    if target is None:
        raise SpecError.at("--to", "there is no limit to prune to", "say one, as --to 500MB")
    removed = forget(cache_folder(), target)
    left = cache_use(cache_folder())
    print(f"removed {_told(removed.files, removed.size)}; left {_told(left.files, left.size)}")
    return 0


def _told(files: int, size: int) -> str:
    return f"{files:,} {'entry' if files == 1 else 'entries'}, {size / 1e6:,.1f} MB"


def _limit(limit: int | None) -> str:
    return "no limit" if limit is None else f"limit {limit / 1e6:,.0f} MB (KPFRAME_CACHE_LIMIT)"


def _day(seconds: float) -> str:
    from datetime import datetime

    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d")
