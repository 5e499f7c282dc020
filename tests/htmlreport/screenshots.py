"""Pictures of a report: all of it to look at, or the few of the README.

`python screenshots.py report.html DIR` makes a picture of every part, however long, in light, in dark and
400 pixels wide, and prints the page. `--readme` makes four pictures of fixed sizes instead.
"""

from __future__ import annotations

import argparse
import base64
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from browsing import browser, missing, open_page, print_page, resize

SIZES = {"light": ("light", 1280), "dark": ("dark", 1280), "phone": ("light", 400)}
TALLEST = 2200
"""Longer parts are cut into several pictures."""

PARTS = """
return [...document.querySelectorAll('main > section')].flatMap(section => {
  const edge = one => one.getBoundingClientRect().top + scrollY;
  const heads = [...section.querySelectorAll('h3')].filter(one => one.offsetHeight && !one.closest('.panel'));
  const tops = [section, ...heads].map(edge);
  const bottom = edge(section) + section.offsetHeight;
  return tops.map((top, i) => [`${section.id}-${i}`, top, tops[i + 1] ?? bottom]);
});
"""
"""The name, top and bottom of each head with what stands below it."""

STILL = """
for (const one of document.querySelectorAll('nav, .choices')) one.style.position = 'static';
document.documentElement.style.scrollBehavior = 'auto';
"""
"""Nothing sticks to the window, nothing moves."""

PICK = """
const list = document.getElementById('document');
const texts = () => [...document.querySelectorAll('.panel .text')];
const whole = () => texts().every(one => one.scrollHeight <= one.clientHeight);
for (const option of [...list.options].filter(one => /A 0\\.[3-9].*B 0\\.[2-9]/.test(one.text))) {
  const select = document.getElementById('document');
  select.value = option.value;
  select.dispatchEvent(new Event('change'));
  if (whole()) break;
}
"""
"""A document in which both systems find something, and whose text need not be scrolled."""


class Picture(NamedTuple):
    """A rectangle of the page, in a colour scheme; `top` is the element at its upper edge."""

    scheme: str
    top: str
    height: int


README = {
    "overview": Picture("light", "#heatmap", 698),
    "losses": Picture("light", "#why h3", 510),
    "explorer": Picture("light", "#document-view", 750),
    "explorer-dark": Picture("dark", "#document-view", 750),
}
WIDTH = 1080
SCALE = 0.8
"""The pictures of the README show a window of this width, so much smaller: 864 pixels."""


def write_picture(
    driver: Any, path: Path, *, top: float, height: float, width: int, scale: float = 1
) -> None:
    """A piece of the page in its whole width, also beyond the window."""
    clip = {"x": 0, "y": top, "width": width, "height": height, "scale": scale}
    shot = {"format": "png", "clip": clip, "captureBeyondViewport": True, "optimizeForSpeed": False}
    taken = driver.execute_cdp_cmd("Page.captureScreenshot", shot)
    path.write_bytes(base64.b64decode(taken["data"]))


def show(driver: Any, page: Path, scheme: str, width: int) -> None:
    """Open the page and wait for its charts, which are drawn when their place is known."""
    resize(driver, width, 1000)
    open_page(driver, page, scheme=scheme)
    driver.execute_script(STILL)
    time.sleep(0.5)


def write_all(driver: Any, page: Path, folder: Path) -> None:
    """Every part in every size, and the page as it is printed."""
    for name, (scheme, width) in SIZES.items():
        show(driver, page, scheme, width)
        parts = driver.execute_script(PARTS)
        write_picture(driver, folder / f"{name}-top.png", top=0, height=parts[0][1], width=width)
        for part, top, bottom in parts:
            for number, begin in enumerate(range(int(top), int(bottom), TALLEST)):
                path = folder / f"{name}-{part}{f'-{number}' if number else ''}.png"
                write_picture(driver, path, top=begin, height=min(TALLEST, bottom - begin), width=width)
    show(driver, page, "dark", 1280)
    (folder / "print.pdf").write_bytes(print_page(driver))


def write_readme(driver: Any, page: Path, folder: Path) -> None:
    """The pictures of the README, which have the same sizes whatever the run."""
    for name, picture in README.items():
        show(driver, page, picture.scheme, WIDTH)
        driver.execute_script(PICK)
        found = driver.execute_script(
            "return document.querySelector(arguments[0]).getBoundingClientRect().top + scrollY", picture.top
        )
        path = folder / f"{name}.png"
        write_picture(driver, path, top=found - 12, height=picture.height, width=WIDTH, scale=SCALE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the pictures; 1 where there is no browser."""
    parser = argparse.ArgumentParser(description="Pictures of a report.")
    parser.add_argument("page", type=Path, help="the report")
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--readme", action="store_true", help="the four of the README instead of all")
    options = parser.parse_args(arguments)
    if missing():
        print(missing(), file=sys.stderr)
        return 1
    options.folder.mkdir(parents=True, exist_ok=True)
    with browser() as driver:
        (write_readme if options.readme else write_all)(driver, options.page, options.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
