"""Vectors of phrases and texts; each file is one kind. Models are never downloaded."""
