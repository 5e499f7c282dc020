"""One page about one or several runs: what their numbers mean, and why they are as they are."""
