"""Questions asked of finished runs and of corpora: confidence, places in the text, near misses; what texts are like."""
