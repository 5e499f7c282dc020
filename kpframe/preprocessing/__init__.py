"""Annotators and cleaners of texts; each file is one kind."""
