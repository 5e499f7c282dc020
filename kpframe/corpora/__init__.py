"""The catalogue of known corpora, and what texts and gold of a corpus are like.

Readers are stages of `documents`.
"""
