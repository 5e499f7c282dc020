"""The report as one HTML file that needs nothing else: no network, no other file, no markup from data."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["policy", "render", "render_body", "render_study"]

SCRIPTS = ("base", "table", "charts", "overview", "why", "losses", "explorer", "start")
"""What a page of one data set runs, behind what every page does."""

ALWAYS = ("datasets", "across", "theme")
"""What every page runs. In this order scripts are joined: each uses only what stands before it."""

STYLES = ("colours", "layout", "charts")

DETAIL = ("curves", "per_document", "documents", "missed", "spurious")
"""What is long and is unpacked a moment after the page has opened."""

_MARKUP = {ch: f"\\u{ord(ch):04x}" for ch in "<>&\u2028\u2029"}
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f]")


def render(data: Mapping[str, Any]) -> str:
    """The page of what `kpframe.htmlreport.data.collect` returns.

    The same data give the same page. Whatever is in the data is shown as text: the page carries
    it as JSON that holds no markup, its template escapes, its script parses no markup, and its
    content security policy lets only this script and this style run, and nothing be loaded.
    """
    style, script = _style(), _script()
    return str(
        _template("report.html").render(
            policy=policy(style, script),
            style=style,
            script=script,
            **_contents(data),
        )
    )


def render_body(data: Mapping[str, Any]) -> str:
    """What the page of one data set has between its head and its script."""
    return str(_template("body.html").render(**_contents(data)))


def render_study(data: Mapping[str, Any]) -> str:
    """The page of what `kpframe.htmlreport.study.collect_study` returns; as careful as `render`."""
    style, script = _style(), _script()
    pages = [
        {"name": name, "systems": len(one["systems"]), "body": render_body(one)}
        for name, one in data["pages"].items()
    ]
    return str(
        _template("study.html").render(
            policy=policy(style, script),
            style=style,
            script=script,
            sheets=_embedded(data["sheets"]),
            pages=pages,
            **{name: data[name] for name in ("title", "description", "generated", "claims")},
        )
    )


def _contents(data: Mapping[str, Any]) -> dict[str, Any]:
    core = {name: value for name, value in data.items() if name not in (*DETAIL, "recipe")}
    detail = {name: data[name] for name in DETAIL}
    shown = {name: value for name, value in data.items() if name not in DETAIL}
    return {"core": _embedded(core), "detail": _packed(detail), **shown}


def policy(style: str, script: str) -> str:
    """The content security policy: this style and this script, and nothing from anywhere."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'sha256-{_digest(script)}'",
            f"style-src 'sha256-{_digest(style)}'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _embedded(value: Any) -> str:
    """JSON without a character that means something in HTML, nor a lone surrogate."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign, escaped in _MARKUP.items():  # much faster than one translation of all
        text = text.replace(sign, escaped)
    return text.encode("utf-8", "backslashreplace").decode()


def _packed(value: Any) -> str:
    """Level 6: a third of the time of level 9, and six hundredths more bytes."""
    return base64.b64encode(gzip.compress(_embedded(value).encode(), 6, mtime=0)).decode()


@cache
def _style() -> str:
    return "".join(_file("static", f"{name}.css") for name in STYLES)


@cache
def _script() -> str:
    first, body = ("\n".join(_file("static", f"{name}.js") for name in names) for names in (ALWAYS, SCRIPTS))
    return f'(() => {{\n"use strict";\n{first}\nif (!started) return across();\n{body}}})();\n'


def _file(*names: str) -> str:
    return files("kpframe.htmlreport").joinpath(*names).read_text(encoding="utf-8")


@cache
def _template(wanted: str) -> Any:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    def load(name: str) -> str:
        return _file("templates", name)

    house = Environment(
        loader=FunctionLoader(load),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_visible,
    )
    house.filters["number"] = number
    return house.get_template(wanted)


def _visible(value: Any) -> Any:
    """Control characters have no place in HTML; the sign for what cannot be shown stands for them."""
    return _INVISIBLE.sub("\ufffd", value) if type(value) is str else value


def number(value: float | None) -> str:
    """A count or a mean as it is read: thin spaces between thousands, three decimals, `–` for none."""
    if value is None:
        return "–"
    if float(value).is_integer():
        return f"{int(value):,}".replace(",", "\u2009")
    return f"{value:,.3f}".replace(",", "\u2009")
