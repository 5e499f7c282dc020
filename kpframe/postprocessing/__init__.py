"""Steps between ranking and evaluation; each file is one kind."""
