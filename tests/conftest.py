"""What holds for all tests: none depends on how fast a machine is."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("kpframe", deadline=None)
settings.load_profile("kpframe")
