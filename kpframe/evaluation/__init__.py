"""Predictions that exist, and what is counted of them: pairs with gold, tallies, signatures, comparisons.

Matching rules and measures themselves are stages of `matching` and `metrics`.
"""
