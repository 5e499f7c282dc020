"""Selections of candidates; each file is one kind."""
