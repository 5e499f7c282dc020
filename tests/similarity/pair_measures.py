"""Measures of phrase pairs made in tests, and a model of two layers made on the spot."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

from kpframe.stages import Similarity
from kpframe.stages.registry import lookup

CORPUS = """\
Grid computing shares processors. Effective scheduling of grid computing needs an algorithm.
Cloud computing shares processors between users. An effective algorithm schedules users.
Red kites soar over the hills. Grey herons wade in the river near the hills.
Service quality is what users of the network ask for. The quality of service is measured.
"""
"""Four documents, nine sentences."""

NO_MODEL = (
    ""
    if importlib.util.find_spec("torch") and importlib.util.find_spec("transformers")
    else ("torch and transformers are not installed; they come with kpframe[bertscore]")
)


def similarity(kind: str, **parameters: Any) -> Similarity:
    """A measure."""
    made = lookup("similarity", kind)(**parameters)
    assert isinstance(made, Similarity)
    return made


def tiny_bert(folder: Path) -> str:
    """A BERT of two layers with random weights and fifteen word pieces, saved in a folder."""
    import torch
    import transformers

    pieces = (
        "[PAD] [UNK] [CLS] [SEP] [MASK] grid computing algorithm effective service quality of red ##s ##ing"
    )
    (folder / "vocab.txt").write_text("\n".join(pieces.split()) + "\n", encoding="utf-8")
    settings = {"tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": 64}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    config = transformers.BertConfig(
        vocab_size=len(pieces.split()),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    torch.manual_seed(2020)
    transformers.BertModel(config).save_pretrained(folder)
    return str(folder)
