"""A real browser for the report: found on this machine, without a network, never downloaded."""

from __future__ import annotations

import base64
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def missing() -> str:
    """Why there is no browser to test with; empty where there is one."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "needs selenium (pip install 'kpframe[test]')"
    if not any(map(shutil.which, BROWSERS)):
        return "needs a browser (Debian: apt install chromium)"
    return "" if shutil.which("chromedriver") else "needs chromedriver (Debian: apt install chromium-driver)"


@contextmanager
def browser(*, width: int = 1280, height: int = 1000) -> Iterator[Any]:
    """Chromium that logs whatever it tells or fetches, with every name of a host unknown to it."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = next(path for name in BROWSERS if (path := shutil.which(name)))
    for argument in (
        "--headless=new",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--force-device-scale-factor=1",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        f"--window-size={width},{height}",
        *(("--no-sandbox",) if os.geteuid() == 0 else ()),
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        driver.set_script_timeout(60)
        driver.execute_cdp_cmd("Network.enable", {})
        offline = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
        driver.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
        yield driver
    finally:
        driver.quit()


def open_page(driver: Any, page: Path, *, scheme: str = "light") -> None:
    """Open a file from disk and wait until the page has drawn itself."""
    from selenium.webdriver.support.ui import WebDriverWait

    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    driver.get(page.resolve().as_uri())
    WebDriverWait(driver, 30).until(
        lambda one: one.execute_script("return document.documentElement.dataset.ready === 'yes'")
    )


def resize(driver: Any, width: int, height: int = 900) -> None:
    """A window of exactly `width` pixels, also narrower than a desktop allows."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def print_page(driver: Any) -> bytes:
    """The page on A4 paper, as PDF."""
    paper = {"printBackground": False, "paperWidth": 8.27, "paperHeight": 11.69}
    return base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", paper)["data"])
