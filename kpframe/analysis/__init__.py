"""Questions asked of finished runs and of corpora: confidence, places, near misses; what texts are like."""
