"""Score the output of any system; kpframe extracts nothing here.

    python examples/score_predictions.py

Gold keyphrases may have variants. Without the texts every gold keyphrase counts, found in its text or not;
the signature beside each number says so (`absent:keep`), so that two numbers are compared only if they
were computed alike. On the command line: `kpframe score --gold gold.jsonl --predictions output.jsonl`.
"""

from kpframe import score

GOLD = {
    "paper-1": ["keyphrase extraction", "approximate matching", ["quality of service", "service quality"]],
    "paper-2": ["heat pump", "seasonal performance"],
}

SYSTEMS = {
    "careful": {
        "paper-1": ["keyphrase extraction", "approximate matching", "evaluation"],
        "paper-2": ["heat pumps", "old building", "seasonal performance"],
    },
    "wordy": {
        "paper-1": ["automatic keyphrase extraction", "service quality", "fair approximate matching"],
        "paper-2": ["domestic heat pump", "performance", "gas boiler"],
    },
}


def main() -> None:
    """Print the scores of both systems under two kinds of matching."""
    for name, predictions in SYSTEMS.items():
        print(name)
        for found in score(
            GOLD, predictions, metrics=["r_precision", "f1@3"], matching=["exact", "approximate"]
        ):
            value = "–" if found.value is None else f"{found.value:.3f}"
            print(f"  {value}  {found.signature}")


if __name__ == "__main__":
    main()
