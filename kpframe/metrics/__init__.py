"""Measures; each file is one kind."""
