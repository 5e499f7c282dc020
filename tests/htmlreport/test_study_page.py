"""One page over many data sets, and what a page keeps in its address, in a real browser from disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import browser, missing, open_page, resize

from kpframe import Document, Gold
from kpframe.engine.study import Study
from kpframe.files.atomic import write_text
from kpframe.htmlreport.data import collect
from kpframe.htmlreport.page import render
from kpframe.htmlreport.study import write_study_page
from kpframe.runs.study_folder import StudyFolder

pytestmark = [pytest.mark.skipif(bool(missing()), reason=missing()), pytest.mark.slow, pytest.mark.acceptance]

SPEC = """
name: several
datasets:
  harbour: {documents: {kind: jsonl, path: harbour.jsonl}}
  "a <b>&": {documents: {kind: jsonl, path: other.jsonl}}
preprocessing: [simple]
systems:
  often: {candidates: tokens, ranking: frequency}
  late: {candidates: {kind: ngrams, min: 2, max: 2}, ranking: length}
reports: [json]
"""
TEXTS = [
    Document("d1", "Dock workers strike. The dock workers want wages.", gold=(Gold(("dock workers",)),)),
    Document("d2", "The ferry sank. A ferry inquiry begins.", gold=(Gold(("ferry",)), Gold(("inquiry",)))),
    Document("d3", "Wages rose, and the harbour wages rose most.", gold=(Gold(("wages",)),)),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a run over two data sets, of which one has a hostile name."""
    import json

    folder = tmp_path_factory.mktemp("page")
    for name, texts in (("harbour", TEXTS), ("other", TEXTS[1:])):
        lines = (json.dumps(document.to_json()) + "\n" for document in texts)
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "several.yaml").write_text(SPEC, encoding="utf-8")
    run = Study.load(folder / "several.yaml").run(out=folder / "out", cache=folder / "cache")
    write_study_page(StudyFolder.read(run.folder), run.across)
    single = folder / "out" / "datasets" / "harbour"
    write_text(folder / "single.html", render(collect([single])))
    return folder


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    """One browser for all tests."""
    with browser() as one:
        yield one


def choose(driver: Any, id: str, value: str) -> None:
    """Choose in a list by value."""
    from selenium.webdriver.support.ui import Select

    Select(driver.find_element("id", id)).select_by_value(value)


def again(driver: Any, page: Path) -> str:
    """The address that the page has now, opened anew."""
    address = str(driver.current_url)
    open_page(driver, page)  # another page between them
    driver.get("about:blank")
    driver.get(address)
    waiting(driver)
    assert driver.current_url == address
    return address


def waiting(driver: Any) -> None:
    """Until the page has drawn itself."""
    from selenium.webdriver.support.ui import WebDriverWait

    ready = "return document.documentElement.dataset.ready === 'yes'"
    WebDriverWait(driver, 30).until(lambda one: one.execute_script(ready))


def quiet(driver: Any) -> bool:
    """Whether the browser has nothing to complain of."""
    return [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_it_opens_with_a_table_over_all_data_sets(driver: Any, made: Path) -> None:
    """Systems in rows, data sets in columns; names are text."""
    open_page(driver, made / "out" / "report.html")
    heads = [head.text for head in driver.find_elements("css selector", "#across-table thead th")]
    assert heads == ["system", "harbour", "a <b>&", "mean", "rank", "w/t/l"]
    assert [r.text for r in driver.find_elements("css selector", "#across-table tbody th")] == [
        "often",
        "late",
    ]
    assert quiet(driver)


def test_a_table_and_a_filter_are_in_the_address(driver: Any, made: Path) -> None:
    """One system in all measures; opened anew it is the same table."""
    open_page(driver, made / "out" / "report.html")
    choose(driver, "view", "system:late")
    again(driver, made / "single.html")
    rows = [row.text for row in driver.find_elements("css selector", "#across-table tbody th")]
    assert rows == ["harbour", "a <b>&"] and "late" in driver.find_element("css selector", "caption").text
    choose(driver, "view", "all")
    driver.find_element("id", "filter").send_keys("oft")
    again(driver, made / "single.html")
    assert [r.text for r in driver.find_elements("css selector", "#across-table tbody th")] == ["often"]


def test_a_data_set_is_a_page_of_its_own_behind_the_tables(driver: Any, made: Path) -> None:
    """By its link, with all that the page of a run has; the finding in it can be linked."""
    from selenium.webdriver.support.ui import WebDriverWait

    open_page(driver, made / "out" / "report.html")
    driver.find_elements("css selector", "nav.sets a")[2].click()
    WebDriverWait(driver, 30).until(lambda one: one.find_elements("id", "explorer"))
    waiting(driver)
    assert driver.find_element("css selector", "nav.sets a[aria-current]").text == "a <b>&"
    choose(driver, "matching", "approximate")
    choose(driver, "document", "d3")
    again(driver, made / "single.html")
    values = [
        driver.execute_script(f"return document.getElementById('{id}').value")
        for id in ("matching", "document")
    ]
    assert values == ["approximate", "d3"]
    assert quiet(driver)


def test_the_page_of_one_run_keeps_its_choices_too(driver: Any, made: Path) -> None:
    """Nothing is in the address before something is chosen."""
    open_page(driver, made / "single.html")
    assert "#" not in driver.current_url
    choose(driver, "system-a", "late")
    driver.find_element("id", "near").click()
    driver.find_element("id", "search").send_keys("ferry")
    address = again(driver, made / "out" / "report.html")
    assert "search=ferry" in address and "near=yes" in address
    assert driver.execute_script("return document.getElementById('system-a').value") == "late"
    assert driver.find_element("id", "near").is_selected()


def test_an_address_that_names_what_is_not_there_opens_the_page(driver: Any, made: Path) -> None:
    """As without it."""
    driver.get((made / "single.html").resolve().as_uri() + "#measure=x&system=y&document=z&order=w")
    waiting(driver)
    assert driver.execute_script("return document.getElementById('system-a').value") in ("often", "late")
    assert quiet(driver)


def test_it_fits_a_telephone(driver: Any, made: Path) -> None:
    """Wide tables scroll by themselves."""
    open_page(driver, made / "out" / "report.html")
    resize(driver, 400)
    wide = driver.execute_script("return document.documentElement.scrollWidth")
    resize(driver, 1280)
    assert wide <= 400
