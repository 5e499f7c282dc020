"""The page by the keyboard alone, in a real browser: every control is reached, seen, used and left again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import browser, missing, open_page

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
  ferries: {documents: {kind: jsonl, path: ferries.jsonl}}
preprocessing: [simple]
systems:
  often: {candidates: tokens, ranking: frequency}
  late: {candidates: {kind: ngrams, min: 2, max: 2}, ranking: length}
metrics: [r_precision, f1@5]
reports: [json]
"""
TEXTS = [
    Document("d1", "Dock workers strike. The dock workers want wages.", gold=(Gold(("dock workers",)),)),
    Document("d2", "The ferry sank. A ferry inquiry begins.", gold=(Gold(("ferry",)), Gold(("inquiry",)))),
    Document("d3", "Wages rose, and the harbour wages rose most.", gold=(Gold(("wages",)),)),
]
CONTROLS = "a[href], button, select, input, textarea, summary, [tabindex='0']"
STOPS = f"""
    return [...document.querySelectorAll("{CONTROLS}")].filter(one => {{
        if (one.disabled || one.tabIndex < 0) return false;
        if (!one.checkVisibility({{visibilityProperty: true}})) return false;
        return one.type !== 'radio' || one.checked;  // of a group the one that is checked
    }}).map((one, number) => {{ one.dataset.stop = number; return one.outerHTML.slice(0, 90); }});
"""
SEEN = """
    const one = document.activeElement, style = getComputedStyle(one), box = one.getBoundingClientRect();
    const ring = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
    return {
        stop: one.dataset.stop ?? null,
        ring: one.matches(':focus-visible') && (ring || style.boxShadow !== 'none'),
        inside: box.bottom > 0 && box.top < innerHeight && box.width > 0,
        html: one.outerHTML.slice(0, 90),
    };
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The page of a run, and that of a run over two data sets."""
    folder = tmp_path_factory.mktemp("keys")
    for name, texts in (("harbour", TEXTS), ("ferries", TEXTS[1:])):
        lines = (json.dumps(document.to_json()) + "\n" for document in texts)
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "several.yaml").write_text(SPEC, encoding="utf-8")
    run = Study.load(folder / "several.yaml").run(out=folder / "out", cache=folder / "cache")
    study = write_study_page(StudyFolder.read(run.folder), run.across)
    write_text(folder / "single.html", render(collect([folder / "out" / "datasets" / "harbour"])))
    return {"run": folder / "single.html", "study": study}


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    """One browser for all tests."""
    with browser() as one:
        yield one


def still(driver: Any) -> None:
    """Nothing moves, as for those who want it so: what has the focus is in view at once."""
    features = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def type_keys(driver: Any, *keys: str) -> None:
    """Keys as the keyboard sends them, to whatever has the focus."""
    from selenium.webdriver.common.action_chains import ActionChains

    for key in keys:
        ActionChains(driver).send_keys(key).perform()


def back(driver: Any) -> None:
    """Shift and the tabulator."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    ActionChains(driver).key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()


def tab_to(driver: Any, selector: str, most: int = 400) -> Any:
    """Press the tabulator until the focus is on what the selector fits."""
    from selenium.webdriver.common.keys import Keys

    for _ in range(most):
        type_keys(driver, Keys.TAB)
        if driver.execute_script("return document.activeElement.matches(arguments[0])", selector):
            return driver.switch_to.active_element
    raise AssertionError(f"the tabulator never comes to {selector}")


@pytest.mark.parametrize("name", ["run", "study"])
def test_the_tabulator_comes_by_every_control_in_order_and_shows_where_it_is(
    driver: Any, pages: dict[str, Path], name: str
) -> None:
    """Each once, in the order of the page, in view and with a ring; none keeps it; and the same way back."""
    from selenium.webdriver.common.keys import Keys

    open_page(driver, pages[name])
    still(driver)
    stops = driver.execute_script(STOPS)
    assert len(stops) > 5
    reached = []
    for _ in stops:
        type_keys(driver, Keys.TAB)
        here = driver.execute_script(SEEN)
        assert here["ring"], f"no ring: {here['html']}"
        assert here["inside"], f"out of view: {here['html']}"
        reached.append(here["stop"])
    assert reached == [str(number) for number in range(len(stops))], [
        stops[n] for n in range(len(stops)) if str(n) not in reached
    ]
    back(driver)
    assert driver.execute_script(SEEN)["stop"] == str(len(stops) - 2)


def test_the_first_stop_leads_over_the_navigation(driver: Any, pages: dict[str, Path]) -> None:
    """A link to the content that is seen when it has the focus."""
    from selenium.webdriver.common.keys import Keys

    open_page(driver, pages["run"])
    type_keys(driver, Keys.TAB)
    link = driver.switch_to.active_element
    target = str(link.get_attribute("href")).rpartition("#")[2]
    assert target and link.is_displayed()
    type_keys(driver, Keys.ENTER, Keys.TAB)
    inside = "return document.getElementById(arguments[0]).contains(document.activeElement)"
    assert driver.execute_script(inside, target)


def test_tables_over_data_sets_are_chosen_filtered_and_left_by_keys(
    driver: Any, pages: dict[str, Path]
) -> None:
    """The list by arrows, the filter by typing, a data set by its link, and back to the tables."""
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    open_page(driver, pages["study"])
    caption = "return document.querySelector('#across-table caption').textContent"
    first = driver.execute_script(caption)
    tab_to(driver, "#view")
    type_keys(driver, Keys.ARROW_DOWN)
    assert driver.execute_script(caption) != first
    assert driver.execute_script("return document.activeElement.id") == "view"
    type_keys(driver, Keys.HOME)
    assert driver.execute_script(caption) == first
    tab_to(driver, "#filter")
    type_keys(driver, "oft")
    rows = "return [...document.querySelectorAll('#across-table tbody th')].map(one => one.textContent)"
    assert driver.execute_script(rows) == ["often"]
    driver.execute_script("window.scrollTo(0, 0); document.activeElement.blur()")
    tab_to(driver, "nav.sets a[href*='ferries']")
    type_keys(driver, Keys.ENTER)
    WebDriverWait(driver, 30).until(lambda one: one.find_elements("id", "explorer"))
    assert driver.find_element("css selector", "nav.sets a[aria-current]").text == "ferries"


def test_choices_of_a_page_are_made_by_keys_and_keep_the_focus(driver: Any, pages: dict[str, Path]) -> None:
    """Measure, matching and document by arrows: what is redrawn does not take the place away."""
    from selenium.webdriver.common.keys import Keys

    open_page(driver, pages["run"])
    for id in ("measure", "matching", "system-a", "document"):
        before = driver.execute_script(f"return document.getElementById('{id}').value")
        tab_to(driver, f"#{id}")
        type_keys(driver, Keys.ARROW_DOWN)
        assert driver.execute_script("return document.activeElement.id") == id
        assert driver.execute_script(f"return document.getElementById('{id}').value") != before
