"""What lies behind a score: confidence, places in the text, diversity, near misses."""
