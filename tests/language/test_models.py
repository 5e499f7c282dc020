"""Which language has a model: what is installed decides, and nothing else that bears the name."""

from __future__ import annotations

from pathlib import Path

import pytest

from kpframe.errors import ResourceError
from kpframe.language.models import is_installed, module_name


@pytest.mark.parametrize("folder", ["hi", "pl", "pl_core_news_sm"])
def test_a_folder_of_texts_is_no_model(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python can import any folder; one with texts in a language is often called by its code."""
    (tmp_path / folder).mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ResourceError, match=f"language model '{folder}': is not"):
        module_name(folder)
    assert not is_installed(folder)


@pytest.mark.parametrize("name", ["re", "json", "os"])
def test_a_package_of_another_kind_is_no_model(name: str) -> None:
    """Some codes of languages are names of modules too."""
    with pytest.raises(ResourceError, match=f"language model '{name}': is not (known|installed)"):
        module_name(name)


def test_english_has_its_model() -> None:
    """It comes with the installation, under one of two names."""
    assert is_installed("en") and is_installed(module_name("en"))
