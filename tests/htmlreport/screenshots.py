"""Pictures of a report, light, dark and on a phone: `python screenshots.py report.html DIR`."""

from __future__ import annotations

import base64
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from browsing import browser, missing, open_page, resize

PARTS = ("overview", "why", "explorer", "recipe")
SIZES = {"light": ("light", 1280), "dark": ("dark", 1280), "phone": ("light", 400)}


def picture(driver: Any, path: Path) -> None:
    """What the window shows."""
    taken = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    path.write_bytes(base64.b64decode(taken["data"]))


def main(page: Path, folder: Path) -> int:
    """A picture of each part in each size."""
    if missing():
        print(missing(), file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    with browser() as driver:
        for name, (scheme, width) in SIZES.items():
            resize(driver, width, 1000)
            open_page(driver, page, scheme=scheme)
            for part in PARTS:
                script = (
                    f"document.documentElement.style.scrollBehavior = 'auto';"
                    f"document.getElementById('{part}').scrollIntoView()"
                )
                driver.execute_script(script)
                time.sleep(0.2)  # charts are drawn when their place is known
                picture(driver, folder / f"{part}-{name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
