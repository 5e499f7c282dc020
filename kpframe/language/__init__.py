"""What is known of languages: words, folding, stems, plurals, tags, models, stop lists, detection.

Pure functions of strings and the places of language models; annotation itself is `preprocessing`.
"""
