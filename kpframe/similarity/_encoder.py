"""Contextual token vectors by a model of the transformers library."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kpframe.errors import KpframeError, ResourceError, SpecError
from kpframe.files.changes import while_unchanged
from kpframe.similarity._greedy_cosine import TokenVectors

__all__ = ["Encoder", "load", "missing_packages", "revision"]

BATCH = 64
KEPT = 4_096
"""Phrases whose vectors are kept in a process (32 kB each for a model of 1,024 dimensions)."""


def missing_packages() -> KpframeError | None:
    """The error to report if the libraries that run models are not installed."""
    absent = [name for name in ("torch", "transformers") if importlib.util.find_spec(name) is None]
    if not absent:
        return None
    return ResourceError.at(
        "similarity: bertscore",
        f"needs what is not installed: {' and '.join(absent)}",
        'install it with: pip install "kpframe[bertscore]"',
    )


@dataclass(frozen=True, eq=False)
class Encoder:
    """A model with its tokenizer; `layer` is the hidden layer whose vectors are taken."""

    tokenizer: Any
    model: Any
    layer: int
    longest: int
    _kept: dict[str, TokenVectors] = field(default_factory=dict)

    def encode(self, phrases: Iterable[str]) -> dict[str, TokenVectors]:
        """The vectors of the tokens of each phrase; special tokens have weight 0, all others 1.

        Phrases of the same number of tokens go through the model together, so that none is padded.
        """
        distinct = list(dict.fromkeys(phrases))
        found = {phrase: self._kept[phrase] for phrase in distinct if phrase in self._kept}
        by_length: dict[int, list[tuple[str, list[int]]]] = defaultdict(list)
        for phrase in distinct:
            if phrase not in found:
                ids = self.tokenizer.encode(phrase, truncation=True, max_length=self.longest)
                by_length[len(ids)].append((phrase, ids))
        for group in by_length.values():
            for start in range(0, len(group), BATCH):
                for phrase, vectors in self._run(group[start : start + BATCH]):
                    found[phrase] = vectors
                    self._keep(phrase, vectors)
        return found

    def _keep(self, phrase: str, vectors: TokenVectors) -> None:
        if len(self._kept) >= KEPT:
            self._kept.pop(next(iter(self._kept)))
        self._kept[phrase] = vectors

    def _run(self, batch: list[tuple[str, list[int]]]) -> Iterator[tuple[str, TokenVectors]]:
        import numpy as np

        torch = importlib.import_module("torch")
        rows = [ids for _, ids in batch]
        with torch.inference_mode():
            made = self.model(input_ids=torch.tensor(rows), output_hidden_states=True)
        special = set(self.tokenizer.all_special_ids) - {self.tokenizer.unk_token_id}
        for (phrase, ids), vectors in zip(batch, made.hidden_states[self.layer], strict=True):
            weights = np.array([float(number not in special) for number in ids])
            yield phrase, TokenVectors(vectors.numpy().astype(np.float64), weights)


@while_unchanged(4)
def load(model: str, layer: int) -> Encoder:
    """The model, loaded once a process from this machine; nothing is downloaded.

    Raises ResourceError if packages or the model are missing, SpecError if it has fewer layers.
    """
    if (problem := missing_packages()) is not None:
        raise problem
    transformers = importlib.import_module("transformers")
    transformers.utils.logging.disable_progress_bar()
    try:
        config = transformers.AutoConfig.from_pretrained(model, local_files_only=True)
        # RoBERTa's tokens differ at the beginning of a text unless a blank is put before it.
        options = {"add_prefix_space": True} if config.model_type == "roberta" else {}
        tokenizer = transformers.AutoTokenizer.from_pretrained(model, local_files_only=True, **options)
        loaded = transformers.AutoModel.from_pretrained(model, local_files_only=True)
    except (OSError, ValueError) as error:
        raise _unusable(model, error) from None
    if layer > config.num_hidden_layers:
        raise SpecError.at(
            "similarity: bertscore: layer",
            f"{model} has {config.num_hidden_layers} layers, not {layer}",
            "give a layer that it has",
        )
    # The positions of RoBERTa begin at 2, so that it takes two tokens fewer than it has positions.
    positions = int(getattr(config, "max_position_embeddings", 512)) - 2
    longest = min(int(tokenizer.model_max_length), positions)
    return Encoder(tokenizer, loaded.float().eval(), layer, longest)


def _unusable(model: str, error: Exception) -> KpframeError:
    place = f"model {model!r}"
    if Path(model).is_dir():
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        return ResourceError.at(place, f"cannot be loaded ({reason})", "repair or replace the folder")
    remedy = f"name a folder that holds it, or get it once with: hf download {model}"
    return ResourceError.at(place, "is not on this machine", remedy)


@while_unchanged(16)
def revision(model: str) -> str:
    """What tells two models of one name apart: the checksum of a folder's files, or the hub's commit."""
    folder = Path(model)
    if folder.is_dir():
        digest = hashlib.sha256()
        for file in sorted(path for path in folder.iterdir() if path.is_file()):
            with file.open("rb") as opened:
                digest.update(f"{file.name} {hashlib.file_digest(opened, 'sha256').hexdigest()}\n".encode())
        return digest.hexdigest()
    if importlib.util.find_spec("huggingface_hub") is None:
        return "unknown"
    found = importlib.import_module("huggingface_hub").try_to_load_from_cache(model, "config.json")
    return Path(found).parent.name if isinstance(found, str) else "unknown"
