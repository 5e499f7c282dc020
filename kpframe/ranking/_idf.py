"""The parameter of rankings by tf.idf: where document frequencies come from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import (
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from kpframe.errors import KpframeError, StageError
from kpframe.files.resources import resource_path
from kpframe.ranking._document_frequencies import DocumentFrequencies, IdfForm, read_table
from kpframe.stages.checked import Checked

__all__ = ["Idf"]


class Idf(Checked):
    """Where document frequencies come from and how they become an idf."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    from_: Literal["collection", "training", "file", "none"] = Field(
        default="collection",
        alias="from",
        description="Count over all documents or the training part, read a file, or take 1 for every token.",
    )
    path: Path | None = Field(
        default=None,
        description='With `from: file`: JSON {"documents": N, "df": {token: count}}, or rows token<TAB>df '
        "after a first row #documents<TAB>N; tokens case-folded; or a model of `kpframe train tfidf`.",
    )
    resource: str | None = Field(
        default=None, description="With `from: file`: the name of a shipped table, instead of a path."
    )
    form: IdfForm = Field(
        default="log",
        description="log: ln(N / df); smooth: ln((N + 1) / (df + 1)) + 1, never 0; ratio: N / df, which "
        "weighs rare tokens much more; log2: log2((N + 1) / (df + 1)).",
    )

    @model_validator(mode="after")
    def _one_file(self) -> Idf:
        named = (self.path is not None) + (self.resource is not None)
        if self.from_ == "file" and named != 1:
            raise ValueError("from: file needs either path or resource")
        if self.from_ != "file" and named:
            raise ValueError(f"path and resource are for from: file, not for from: {self.from_}")
        return self

    @model_serializer(mode="wrap")
    def _as_written(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {"from" if name == "from_" else name: value for name, value in dump(self).items()}

    def file(self) -> Path:
        """The file of the table; ResourceError for an unknown resource."""
        return resource_path(self.resource) if self.resource else Path(str(self.path))

    def fits_on(self) -> Literal["", "collection", "training"]:
        """The documents over which document frequencies are counted, if any are."""
        return self.from_ if self.from_ in ("collection", "training") else ""

    def problems(self) -> Iterator[tuple[str, str, str]]:
        """A table that is missing or malformed."""
        if self.from_ != "file":
            return
        try:
            read_table(self.file())
        except KpframeError as error:
            for found in error.problems:
                yield "idf", f"{found.place}: {found.problem}", found.remedy

    def known(self, kind: str) -> DocumentFrequencies | None:
        """The table of a file, None for `from: none`; StageError if frequencies must be counted first."""
        if self.fits_on():
            raise StageError.at(
                f"ranking: {kind}",
                "has no document frequencies yet",
                f"fit it on the {self.fits_on()}, or set idf to {{from: file, …}} or {{from: none}}",
            )
        return read_table(self.file()) if self.from_ == "file" else None
