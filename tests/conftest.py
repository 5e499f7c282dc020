"""What holds for all tests: none depends on how fast a machine is."""

from __future__ import annotations

import logging

import pytest
from hypothesis import settings

settings.register_profile("kpframe", deadline=None)
# `make check` looks at fewer examples: what is wrong is mostly wrong for one of the first.
settings.register_profile("quick", deadline=None, max_examples=15)
settings.load_profile("kpframe")


@pytest.fixture(autouse=True)
def _logger_as_a_program_finds_it() -> None:
    """Whatever commands have done to it, also one in a fixture of a whole module, which is made before."""
    log = logging.getLogger("kpframe")
    log.setLevel(logging.NOTSET)
    log.handlers.clear()
    log.propagate = True
