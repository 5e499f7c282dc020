"""Numbers in, numbers out: significance, calibration, diversity, bounds.

Nothing here knows stages or files.
"""
