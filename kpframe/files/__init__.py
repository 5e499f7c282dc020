"""Files and formats below all stages: atomic writes, shipped resources, escaping, UIMA's files."""
