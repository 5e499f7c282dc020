"""Questions asked of finished runs and of corpora: near misses, places in the text; what texts are like."""
