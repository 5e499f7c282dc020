"""A reader of one's own: every paragraph of a text file is a document.

python examples/stages/documents/paragraphs.py
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from pydantic import Field

import kpframe
from kpframe.errors import DataError
from kpframe.model import Document, Skipped
from kpframe.stages import Reader

__all__ = ["Paragraphs"]


@kpframe.stage
class Paragraphs(Reader):
    """Reads the paragraphs of a UTF-8 file, which blank lines part; the id is the paragraph's number."""

    kind: ClassVar[str] = "paragraphs"
    source: ClassVar[str] = "kpframe"
    paths: ClassVar[tuple[str, ...]] = ("path",)

    path: str = Field(description="The text file.")

    def problems(self, languages: object) -> Iterator[tuple[str, str, str]]:
        """A file that is not there."""
        if not Path(self.path).is_file():
            yield "path", f"there is no file {self.path}", "check the path"

    def read(self) -> Iterator[Document | Skipped]:
        """Documents in the order of the file; DataError if it cannot be read."""
        try:
            text = Path(self.path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise DataError.at(self.path, f"cannot be read ({error})", "give a UTF-8 text file") from None
        for number, paragraph in enumerate(text.split("\n\n"), start=1):
            if paragraph.strip():
                yield Document(str(number), paragraph)
            else:
                yield Skipped(f"{self.path}: paragraph {number}", "is blank")


def main() -> None:
    """Read a small file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "notes.txt"
        path.write_text("The dock workers strike.\n\nThe ferry inquiry begins.\n", encoding="utf-8")
        for item in Paragraphs(path=str(path)).read():
            print(item)


if __name__ == "__main__":
    main()
