"""How alike two phrases are; each file is one kind."""
