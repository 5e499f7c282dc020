"""What a terminal shows, and that nothing else changes: marks, legends, errors, progress."""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import re
import struct
import sys
import termios
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest
from command_line import FAST, variables
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from kpframe.cli import main
from kpframe.commands import prepare, show_problems, tell
from kpframe.display.terminal import marked
from kpframe.engine.progress import Progress
from kpframe.errors import Problem
from kpframe.model import Keyphrase

TEXT = "Red kites soar. Red kites and grey herons."
PLAIN = "2.0000  Red\n2.0000  Red kites\n2.0000  kites\n"
EXTRACT = ("extract", "--pipeline", "fast.yaml", "--top", "3", "--text", TEXT)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With a quick pipeline."""
    (tmp_path / "fast.yaml").write_text(FAST)
    return tmp_path


def shown(folder: Path, *arguments: str, width: int = 60, **environment: str) -> str:
    """What a terminal of `width` columns gets of a command, with line feeds alone."""
    return _seen(lambda: main(arguments), folder, terminal(width), environment)


def terminal(width: int) -> tuple[int, int]:
    """Both of its sides."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    return ours, theirs


def _seen(
    act: Callable[[], object], folder: Path, sides: tuple[int, int], environment: Mapping[str, str]
) -> str:
    """What comes out at the first side, when the second is what this process has as its streams."""
    ours, theirs = sides
    seen: list[bytes] = []
    reading = Thread(target=lambda: seen.extend(_parts(ours)))
    reading.start()
    before = [os.dup(number) for number in range(3)]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name in os.environ.keys() - variables(folder).keys():
            patch.delenv(name)
        for name, value in {**variables(folder), "TERM": "xterm-256color", **environment}.items():
            patch.setenv(name, value)
        for number in range(3):
            os.dup2(theirs, number)
        patch.setattr(
            sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.FileIO(0, "r", closefd=False)), "utf-8")
        )
        for name, number in (("stdout", 1), ("stderr", 2)):
            raw = io.BufferedWriter(io.FileIO(number, "w", closefd=False))
            patch.setattr(sys, name, io.TextIOWrapper(raw, "utf-8"))
        try:
            act()
        finally:
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            for number, kept in enumerate(before):
                os.dup2(kept, number)
                os.close(kept)
            os.close(theirs)
    reading.join()
    os.close(ours)
    return b"".join(seen).decode("utf-8").replace("\r\n", "\n")


def _parts(side: int) -> Iterator[bytes]:
    """All that comes until the other side is closed, which Linux tells of terminals by an error."""
    with suppress(OSError):
        while part := os.read(side, 4096):
            yield part


def without_colours(text: str) -> str:
    """The letters alone."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@pytest.mark.slow
def test_a_terminal_shows_the_keyphrases_in_their_text(folder: Path) -> None:
    """The text once, marked; the keyphrases with ranks; a legend."""
    seen = shown(folder, *EXTRACT)
    assert "\x1b[1;30;43mRed\x1b[0m\x1b[30;43m \x1b[0m\x1b[30;43mkites\x1b[0m soar." in seen
    assert without_colours(seen) == (
        f"{TEXT}\n\n  1  2.0000  Red ×2\n  2  2.0000  Red kites ×2\n  3  2.0000  kites ×2\n"
        "marked by rank:  1   2-3 \n"
    )


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
@pytest.mark.slow
def test_where_no_colours_are_wanted_the_output_is_plain(environment: dict[str, str], folder: Path) -> None:
    """The same bytes as in a pipe."""
    assert shown(folder, *EXTRACT, **environment) == PLAIN


@pytest.mark.parametrize("environment", [{}, {"FORCE_COLOR": "1"}, {"TERM": "xterm"}])
@pytest.mark.slow
def test_a_pipe_gets_plain_lines(environment: dict[str, str], folder: Path) -> None:
    """Whatever the environment says of colours: another program reads them."""
    assert _seen(lambda: main(EXTRACT), folder, os.pipe(), environment) == PLAIN


@pytest.mark.slow
def test_a_redirection_gets_plain_lines(folder: Path) -> None:
    """To a file by the shell, or by --out."""
    assert shown(folder, *EXTRACT, "--out", "out.txt") == "wrote out.txt: 1 document, 3 keyphrases, 0 empty\n"
    assert (folder / "out.txt").read_text() == PLAIN


@pytest.mark.slow
def test_other_formats_have_no_marks(folder: Path) -> None:
    """They are for machines, also when a person looks at them."""
    assert json.loads(shown(folder, *EXTRACT, "--format", "json"))["keyphrases"][0]["text"] == "Red"


HOSTILE = "\x1b]0;owned\x07 green\x9b31m \u202eenergy \x1b[2J green energy"


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "csv"])
@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}])
@pytest.mark.slow
def test_no_text_can_steer_a_terminal(form: str, environment: dict[str, str], folder: Path) -> None:
    """Its control characters are shown as escapes, in the text, the phrases and the id."""
    (folder / "in.jsonl").write_text(json.dumps({"id": "a\x1b[2J", "text": HOSTILE}) + "\n")
    arguments = ("extract", "--pipeline", "fast.yaml", "--input", "in.jsonl", "--format", form)
    seen = without_colours(shown(folder, *arguments, **environment))
    assert not set(seen) & set("\x1b\x07\x9b\u202e")
    assert "green" in seen
    if form in ("json", "jsonl"):
        json.loads(seen)


@pytest.mark.slow
def test_errors_are_coloured_and_harmless(folder: Path) -> None:
    """Place, problem and remedy; a name with control characters is shown with escapes."""
    seen = shown(folder, "extract", "--text", "x", "--pipeline", "a\x1b[2Jb")
    assert seen.startswith("\x1b[31merror\x1b[0m: ")
    assert "\x1b[2J" not in seen
    assert "\x1b[32mgive a path to a .yaml file" in seen
    assert "\x1b" not in shown(folder, "extract", "--text", "x", "--pipeline", "no", TERM="dumb")


@pytest.mark.slow
def test_several_documents_have_headings(folder: Path) -> None:
    """A blank line between them."""
    (folder / "in.jsonl").write_text('{"id": "a", "text": "green"}\n{"id": "b", "text": "red"}\n')
    seen = without_colours(shown(folder, "extract", "--pipeline", "fast.yaml", "--input", "in.jsonl"))
    legend = "marked by rank:  1 \n"
    assert seen == f"# a\ngreen\n\n  1  1.0000  green\n{legend}\n# b\nred\n\n  1  1.0000  red\n{legend}"


@pytest.mark.slow
def test_a_long_text_is_shortened_to_the_screen(folder: Path) -> None:
    """Excerpts around keyphrases, no line wider than the terminal."""
    text = "Herons stand here. " + "And so it goes on and on. " * 400 + "The crane flies. The crane rests."
    (folder / "in.txt").write_text(text)
    for width in (40, 100):
        arguments = ("extract", "--pipeline", "fast.yaml", "--input", "in.txt")
        seen = without_colours(shown(folder, *arguments, width=width))
        assert max(map(len, seen.split("\n"))) <= width
        assert len(seen.split("\n")) < 45
        assert "[…]" in seen
        assert f"({len(text):,} characters in all)".split()[0] in seen


def screen(width: int = 80) -> Console:
    return Console(
        file=io.StringIO(), width=width, force_terminal=True, markup=False, highlight=False, emoji=False
    )


def test_markup_and_emoji_codes_of_a_text_are_letters() -> None:
    """`[red]` and `:smile:` mean something to rich only where we say so."""
    text = "[bold red]x[/] :smile: http://a.b 42"
    out = without_colours(marked(text, [Keyphrase("[bold", 1.0, 1, "k", ((0, 5),))], screen()))
    assert out.startswith(text + "\n")


def test_paragraphs_stay_and_other_white_space_is_squeezed() -> None:
    """Lines are wrapped anew to the width."""
    out = marked("A title\n\nfirst  line\nsecond\tline \n \n\n end\n", [], screen())
    assert out == "A title\nfirst line second line\nend\n\n"


@given(
    text=st.text(max_size=60),
    spans=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=5),
    width=st.integers(20, 90),
)
@pytest.mark.slow
def test_any_text_is_shown_without_control_characters(
    text: str, spans: list[tuple[int, int]], width: int
) -> None:
    """Whatever it holds, and wherever it is marked."""
    keyphrases = [Keyphrase(text or "x", 0.5, i, "k", (span,)) for i, span in enumerate(spans, start=1)]
    out = without_colours(marked(text, keyphrases, screen(width), heading=text))
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", out)


def bar_on_a_terminal(folder: Path, total: int | None, **environment: str) -> str:
    """What a bar shows that has no patience, with a notice and an error in its course."""

    def work() -> None:
        prepare(quiet=False)
        with Progress().bar(total, "extracting") as advance:
            advance(2)
            tell("a notice")
            show_problems([Problem("here", "wrong", "mend it")])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kpframe.engine.progress._PATIENCE", -1)
        seen = _seen(work, folder, terminal(100), environment)
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen)


@pytest.mark.slow
def test_progress_has_numbers_where_the_total_is_known(folder: Path) -> None:
    """And counts where it is not."""
    assert re.search(r"extracting: .* 2/4 ", bar_on_a_terminal(folder, 4))
    assert "extracting: 2 documents" in bar_on_a_terminal(folder, None)


def test_a_dumb_terminal_gets_no_bar(folder: Path) -> None:
    """Notices and errors alone."""
    assert bar_on_a_terminal(folder, 4, TERM="dumb").split("\n")[:2] == [
        "a notice",
        "error: here: wrong; mend it",
    ]


@pytest.mark.slow
def test_notices_stand_above_a_bar(folder: Path) -> None:
    """On lines of their own; the bar is drawn again below."""
    lines = [line.strip() for line in bar_on_a_terminal(folder, 4).replace("\r", "\n").split("\n")]
    assert "a notice" in lines
    assert "error: here: wrong; mend it" in lines


def test_quiet_progress_passes_items_on() -> None:
    """As they are."""
    assert list(Progress(quiet=True).count([1, 2], "x")) == [1, 2]
