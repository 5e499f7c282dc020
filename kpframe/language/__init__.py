"""What is known of languages: words, stems, plurals, tags, models, stop lists, detection.

Pure functions of strings and the places of language models; annotation itself is `preprocessing`.
"""
