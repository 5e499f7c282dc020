"""How values show themselves: marks in terminals, HTML of notebooks, frames of pandas.

The page of a run is `htmlreport`.
"""
