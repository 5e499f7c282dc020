"""Tables and files; each file is one kind."""
