"""kpframe: keyphrase extraction and its evaluation as one chain of stages."""

__version__ = "0.1.0"
