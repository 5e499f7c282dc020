"""What holds for all tests: none depends on how fast a machine is."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("kpframe", deadline=None)
settings.load_profile("kpframe")


@pytest.fixture(autouse=True)
def _logger_as_it_was() -> Iterator[None]:
    """A command sets the level of the package's logger; what a later test sees must not depend on it."""
    log = logging.getLogger("kpframe")
    level, handlers, propagate = log.level, log.handlers[:], log.propagate
    yield
    log.setLevel(level)
    log.handlers[:] = handlers
    log.propagate = propagate
