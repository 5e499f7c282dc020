"""The version of kpframe."""

__version__ = "0.1.0"
