"""One document walked from text to keyphrases, and documents × grid.

Planning, fits, executors, the annotation cache and the identity of results.

What is told of finished runs belongs to `analysis`, what a run folder holds to `runs`.
"""
