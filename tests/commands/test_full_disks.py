"""A disk that is full, or a file that may not grow: the error says which file or folder it was."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from command_line import variables

resource = pytest.importorskip("resource", reason="limits are told by POSIX alone")
pytestmark = pytest.mark.slow

LIMITED = """
import kpframe.engine.experiment, kpframe.htmlreport.writing, kpframe.reports, resource, signal, sys
from kpframe.cli import main
from pathlib import Path
sys.dont_write_bytecode = True  # they would be cut too
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
place, size, *words = sys.argv[1:]
def limited(known, *names):
    def work(*given, **more):
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), int(size)))
        return known(*given, **more)
    return work
module, owner, name = place.split(":")
owner = getattr(sys.modules[module], owner)
setattr(owner, name, limited(getattr(owner, name)))
sys.exit(main(words))
"""
"""No file grows beyond so many bytes as soon as a method is called."""

SPEC = """
name: birds
documents: {kind: jsonl, path: corpus.jsonl}
preprocessing: [simple]
candidates: tokens
ranking: {kind: tfidf, idf: {from: collection}}
reports: [json]
"""


@pytest.mark.parametrize(
    ("place", "language", "named"),
    [
        ("kpframe.engine.running:Running:run", "en", "out/log.jsonl"),
        ("kpframe.engine.running:Spool:write", "", tempfile.gettempdir()),
        ("kpframe.engine.running:Spool:write", "en", "out/.work/documents.jsonl"),
        ("kpframe.engine.running:ObservationFile:add", "en", "out/.work/"),
        ("kpframe.runs.cell_writer:CellWriter:_append", "en", "out/.work/cells/birds/"),
    ],
)
def test_the_file_that_has_no_room_is_named(place: str, language: str, named: str, tmp_path: Path) -> None:
    """Also by what writes piece by piece, and by what only unpacks something."""
    own = f'"language": "{language}", ' if language else ""
    line = f'{{"id": "a", {own}"text": "red kites hunt herons over the fields", "gold": ["red kites"]}}\n'
    (tmp_path / "corpus.jsonl").write_text(line)
    (tmp_path / "spec.yaml").write_text(SPEC)
    words = [place, "40", "run", "spec.yaml", "--out", "out", "--quiet"]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, *words],
        cwd=tmp_path,
        env={**variables(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {named}")
    assert done.stderr.endswith(
        ": cannot be read or written: File too large; check path, permissions and space\n"
    )
