"""Any text as text of a table: on one line, in Markdown, in LaTeX, as a field of a trec_eval file."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote, unquote

__all__ = ["field_text", "in_csv", "in_latex", "in_markdown", "one_line", "out_of_csv", "text_field"]

_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_MARKS = re.compile(r"([\\`*|~$\[\]])")
_EDGE_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        # After the end of a row these two would be read as arguments of \\.
        "*": "{*}",
        "[": "{[}",
        "≈": r"$\approx$",
        "†": r"$^\dagger$",
        "–": "--",
        **{character: f"\\{character}" for character in "&%$#_{}"},
    }
)


def one_line(text: object) -> str:
    """`text` on one line: white space squeezed, control and format characters as escapes."""
    squeezed = " ".join(str(text).split())
    return "".join(
        ch.encode("unicode_escape").decode() if unicodedata.category(ch) in ("Cc", "Cf", "Cs") else ch
        for ch in squeezed
    )


def in_markdown(text: str) -> str:
    """`text` with all that Markdown or HTML would interpret escaped, also inside a table.

    An underscore between letters or digits, as in `r_precision`, has no meaning and stays readable.
    """
    marked = _MARKS.sub(r"\\\1", text)
    return _EDGE_UNDERSCORE.sub(r"\\_", marked).translate(_HTML)


def in_csv(text: str) -> str:
    """`text` with an apostrophe in front if a spreadsheet would run it as a formula; numbers are none.

    What has apostrophes there already gets one more, so that different texts stay different.
    """
    bare = text.lstrip("'")
    return f"'{text}" if bare.startswith(_FORMULA) and not _NUMBER.fullmatch(bare) else text


def out_of_csv(text: str) -> str:
    """The text that `in_csv` put an apostrophe in front of."""
    return text[1:] if text.startswith("'") and in_csv(text[1:]) == text else text


def in_latex(text: str) -> str:
    """`text` with all that LaTeX would interpret escaped, also at the beginning of a table's row."""
    return text.translate(_LATEX)


_IN_FIELDS = "!\"#$&'()*+,/:;<=>?@[]^`{}"
"""ASCII that stays as it is, besides letters, digits, `-`, `.` and `~`; not the blank, `%`, `_` and `|`."""


def text_field(text: str) -> str:
    """A text as one field without white space: ASCII, blanks as `_`, all that is unusual as `%` and hex.

    Different texts have different fields, and `field_text` gives the text back.
    """
    return quote(text, safe=_IN_FIELDS, errors="surrogatepass").replace("_", "%5F").replace("%20", "_")


def field_text(field: str) -> str:
    """The text that `text_field` made a field of."""
    return unquote(field.replace("_", " "), errors="surrogatepass")
