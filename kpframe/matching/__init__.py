"""Rules that decide what a hit is; each file is one kind."""
