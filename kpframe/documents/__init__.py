"""Readers of corpora; each file is one kind."""
