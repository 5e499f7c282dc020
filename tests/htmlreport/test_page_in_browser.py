"""The page in a real browser, from disk and without a network: what it does, and what it must not do."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import screenshots
from browsing import browser, missing, open_page, print_page, resize
from report_runs import GRID, SINGLE, a_run, corpus
from report_values import HOSTILE, PHRASES, SCRIPT, example, phrases_of

import kpframe
from kpframe import Document
from kpframe.cli import main
from kpframe.files.atomic import write_text
from kpframe.htmlreport.data import collect
from kpframe.htmlreport.page import render
from kpframe.model import Annotations
from kpframe.preprocessing.simple import Simple
from kpframe.stages import registry

pytestmark = [pytest.mark.skipif(bool(missing()), reason=missing()), pytest.mark.slow, pytest.mark.acceptance]

DATA = Path(os.environ.get("KPFRAME_DATA", Path(__file__).parents[3] / "shared" / "datasets")).resolve()
INSPEC = DATA / "Hulth2003.tar.gz"


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    """One browser for all tests; each opens its page anew."""
    with browser() as one:
        yield one


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of texts that attack it."""
    path = tmp_path_factory.mktemp("hostile") / "report.html"
    write_text(path, render(example()))
    return path


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real run with its page: Inspec where it is, else the bundled corpus."""
    folder = tmp_path_factory.mktemp("run")
    spec = ["zesch2009-inspec", "--limit", "60", "--data", str(DATA)] if INSPEC.is_file() else ["quickstart"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KPFRAME_CACHE", str(folder / "cache"))
        patch.setenv("KPFRAME_DATA", str(DATA))
        assert main(["run", *spec, "--out", str(folder / "run"), "--quiet"]) == 0
        write_text(folder / "run" / "report.html", render(collect([folder / "run"])))
    return folder / "run"


@pytest.fixture(autouse=True)
def wide(driver: Any) -> None:
    """The width of a desktop, and an empty log."""
    resize(driver, 1280)
    driver.get("about:blank")
    driver.get_log("browser")
    driver.get_log("performance")


def of_page(driver: Any, script: str, *arguments: Any) -> Any:
    """What a script in the page returns."""
    return driver.execute_script(f"return {script}", *arguments)


def choose(driver: Any, field: str, value: str) -> None:
    """One alternative of a list, chosen as a person would."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import Select

    Select(driver.find_element(By.ID, field)).select_by_value(value)


def press(driver: Any, selector: str, text: str = "") -> None:
    """The first button that the selector and the text fit, by the keyboard."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    found = driver.find_elements(By.CSS_SELECTOR, selector)
    next(one for one in found if text in one.text).send_keys(Keys.ENTER)


def troubles(driver: Any) -> list[Any]:
    """Whatever the console tells, and every request but for the page itself."""
    told = [entry["message"] for entry in driver.get_log("browser")]
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            told.append(message["params"]["request"]["url"])
    return [one for one in told if not (one.startswith("file://") and one.endswith("/report.html"))]


def values_down(driver: Any, column: int) -> list[float]:
    """The numbers of one column of the heat map's grid, from top to bottom."""
    script = """[...document.querySelectorAll('#heatmap tbody tr')].filter(row => row.cells.length > 2)
        .map(row => [...row.cells[arguments[0]].querySelector('.value').childNodes]
            .find(node => node.nodeType === Node.TEXT_NODE).data)"""
    return [float(value) for value in of_page(driver, script, column)]


def marks(driver: Any, system: str) -> list[dict[str, Any]]:
    """The marked pieces of the shown text in the panel of a system."""
    script = """[...document.querySelectorAll('.panel')].find(one => one.dataset.system === arguments[0])"""
    pieces = f"""[...({script}).querySelectorAll('.text mark')].map(mark => ({{
        begin: Number(mark.dataset.begin), end: Number(mark.dataset.end), text: mark.textContent,
        kind: mark.classList[0], ranks: mark.dataset.ranks.split(' ').filter(Boolean).map(Number)}}))"""
    found: list[dict[str, Any]] = of_page(driver, pieces, system)
    return found


def spans_of(pieces: list[dict[str, Any]], rank: int, spans: list[list[int]]) -> list[list[int]]:
    """The places of one phrase, put together from the pieces into which other marks cut them."""
    cuts = {begin for begin, _ in spans}
    joined: list[list[int]] = []
    for piece in pieces:
        if rank in piece["ranks"]:
            if joined and joined[-1][1] == piece["begin"] and piece["begin"] not in cuts:
                joined[-1][1] = piece["end"]
            else:
                joined.append([piece["begin"], piece["end"]])
    return joined


def axe(driver: Any) -> list[str]:
    """What axe-core calls serious or critical, with the element that it is about."""
    from axe_core_python.selenium import Axe

    found = Axe().run(driver)
    return [
        f"{rule['id']}: {node['html'][:150]} {node.get('failureSummary', '')[:200]}"
        for rule in found["violations"]
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


def shown_text(driver: Any, selector: str) -> str:
    """What is to be read in an element; empty where it is hidden."""
    text: str = of_page(driver, "document.querySelector(arguments[0]).innerText", selector)
    return text


def test_a_real_report_opens_without_a_word_or_a_request(driver: Any, run: Path) -> None:
    """The console stays empty and nothing but the file is read."""
    open_page(driver, run / "report.html")
    assert of_page(driver, "document.querySelectorAll('#heatmap .heat').length") > 1
    assert of_page(driver, "document.querySelectorAll('svg').length") > 5
    assert troubles(driver) == []


def test_the_heat_map_sorts_by_its_heads(driver: Any, run: Path) -> None:
    """Highest first, then lowest first; the head says which."""
    open_page(driver, run / "report.html")
    for direction, reverse in (("descending", True), ("ascending", False)):
        head = of_page(driver, "document.querySelectorAll('#heatmap thead th')[1].textContent").split()[0]
        press(driver, "#heatmap thead button", head)
        values = values_down(driver, 1)
        assert len(values) > 1 and values == sorted(values, reverse=reverse)
        sort = of_page(driver, "document.querySelectorAll('#heatmap thead th')[1].getAttribute('aria-sort')")
        assert sort == direction


def test_the_keyboard_alone_sorts_and_chooses_documents(driver: Any, run: Path) -> None:
    """By tabulator, return and arrows, without losing one's place."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    open_page(driver, run / "report.html")

    def typed(*keys: str) -> None:
        for key in keys:
            driver.switch_to.active_element.send_keys(key)

    driver.find_element(By.ID, "near").send_keys(Keys.TAB)
    assert "focus" in of_page(driver, "document.activeElement.matches(':focus-visible') && 'focus'")
    while "sort" not in of_page(driver, "document.activeElement.className"):
        typed(Keys.TAB)
    typed(Keys.TAB, Keys.ENTER)
    sort = "document.activeElement.closest('th').getAttribute('aria-sort')"
    assert of_page(driver, sort) == "descending"
    typed(Keys.ENTER)
    assert of_page(driver, sort) == "ascending"
    values = values_down(driver, 1)
    assert values == sorted(values)

    ids = of_page(driver, "[...document.querySelectorAll('#document option')].map(one => one.value)")
    driver.find_element(By.ID, "document").send_keys(Keys.ARROW_DOWN)
    assert of_page(driver, "document.getElementById('document').value") == ids[1]
    driver.find_element(By.ID, "next").send_keys(Keys.ENTER)
    assert of_page(driver, "document.getElementById('document').value") == ids[2]
    typed(Keys.ENTER)
    assert f"Document {ids[3]}:" in shown_text(driver, "#document-view")
    driver.find_element(By.ID, "previous").send_keys(Keys.ENTER)
    assert f"Document {ids[2]}:" in shown_text(driver, "#document-view")


def test_the_heat_map_follows_measure_and_matching(driver: Any, run: Path) -> None:
    """With intervals, what is significant, and the published scores where there are some."""
    data = collect([run])
    open_page(driver, run / "report.html")
    for column in data["columns"]:
        choose(driver, "measure", column["metric"])
        choose(driver, "matching", column["label"])
        for system in data["systems"]:
            score = system["scores"][column["name"]]
            text = of_page(
                driver,
                "[...document.querySelectorAll('.heat')].find(one => one.dataset.system === arguments[0])"
                ".textContent",
                system["name"],
            )
            assert f"{score['value']:.3f}" in text
            assert f"{score['low']:.3f}–{score['high']:.3f}" in text
            sign = "★" if score["best"] else {True: "▽", False: "≈"}[score["significant_vs_best"]]
            assert sign in text
            if score["reference"] is not None:
                assert f"({score['reference']:.2f})" in text
    headline = shown_text(driver, "#headline")
    best = next(s for s in data["systems"] if s["scores"][data["columns"][-1]["name"]]["best"])
    assert headline.startswith(f"{best['name']} is best with")


@pytest.mark.skipif(not INSPEC.is_file(), reason="needs the Inspec corpus (KPFRAME_DATA)")
def test_what_was_published_and_claimed_stands_beside(driver: Any, run: Path) -> None:
    """Each claim of the paper with its verdict; each system as a point; how near they come."""
    data = collect([run])
    open_page(driver, run / "report.html")
    claims = of_page(driver, "[...document.querySelectorAll('.claims li')].map(one => one.innerText)")
    assert len(claims) == len(data["conclusions"]) > 3
    for shown, one in zip(claims, data["conclusions"], strict=True):
        assert one["claim"] in shown and ("✓ holds" if one["holds"] else "✗ fails") in shown
    assert of_page(driver, "document.querySelectorAll('#published-chart svg title').length") == 16
    assert f"{data['agreement'][0]['spearman']:.3f}" in shown_text(driver, "#published-chart table")


def test_the_waterfall_falls_to_what_was_found(driver: Any, run: Path) -> None:
    """The lengths that are shown add up to all gold, for the systems that are chosen."""
    data = collect([run])
    open_page(driver, run / "report.html")
    says = of_page(
        driver, "[...document.querySelectorAll('#waterfall .chart svg')].map(one => one.ariaLabel)"
    )
    assert len(says) == 2
    for one in says:
        name, _, parts = one.partition(": of ")
        whole, *numbers = [int(word) for word in parts.replace(",", "").split() if word.isdigit()]
        assert sum(numbers) == whole == data["waterfall"][name]["exact"]["gold"]
    assert "never proposed" in shown_text(driver, "#waterfall")


def test_curves_sizes_places_steps_and_confidence_are_drawn(driver: Any, run: Path) -> None:
    """Each for the chosen systems, with the numbers in tables for those who cannot see charts."""
    open_page(driver, run / "report.html")
    choose(driver, "system-c", "kea")
    for part, charts, tables in (("curves", 3, 1), ("sizes", 2, 2), ("fifths", 3, 1), ("reliability", 1, 1)):
        found = of_page(driver, "document.getElementById(arguments[0])", part)
        assert of_page(driver, "arguments[0].querySelectorAll('.chart svg').length", found) == charts
        assert of_page(driver, "arguments[0].querySelectorAll('details table').length", found) == tables
    assert "Expected calibration error (ECE)" in shown_text(driver, "#reliability")
    assert of_page(driver, "document.querySelectorAll('#steps table').length") == 3
    assert "merge_adjacent" in shown_text(driver, "#steps")
    assert of_page(driver, "document.querySelectorAll('#duels .duel').length") == 2


def test_the_filter_leaves_what_fits(driver: Any, run: Path) -> None:
    """By the names of systems and of what they consist of."""
    from selenium.webdriver.common.by import By

    open_page(driver, run / "report.html")
    names = of_page(driver, "[...document.querySelectorAll('#list tbody th')].map(one => one.textContent)")
    driver.find_element(By.ID, "filter").send_keys("TFIDF")
    left = of_page(driver, "[...document.querySelectorAll('#list tbody th')].map(one => one.textContent)")
    assert 0 < len(left) < len(names) and all("tfidf" in name for name in left)
    driver.find_element(By.ID, "filter").send_keys("no such system")
    assert "No system is left" in of_page(driver, "document.getElementById('heatmap').textContent")


def test_two_systems_are_chosen_and_compared(driver: Any, run: Path) -> None:
    """In lists and by the fields of the heat map; every part of the page follows."""
    open_page(driver, run / "report.html")
    names = of_page(driver, "[...document.querySelectorAll('#system-a option')].map(one => one.value)")[1:]
    choose(driver, "system-a", names[1])
    choose(driver, "system-b", names[0])
    pressed = "[...document.querySelectorAll('.heat[aria-pressed=true]')].map(one => one.dataset.system)"
    assert set(of_page(driver, pressed)) == {names[0], names[1]}
    panels = "[...document.querySelectorAll('.panel')].map(one => one.dataset.system)"
    assert of_page(driver, panels) == [names[1], names[0]]
    assert "better in" in of_page(driver, "document.querySelector('#duels .outcome').textContent")
    press(driver, f".heat[data-system='{names[2]}']")
    assert of_page(driver, panels) == [names[1], names[0], names[2]]
    assert of_page(driver, "document.activeElement.dataset.system") == names[2]
    assert troubles(driver) == []


def test_marks_stand_where_the_predictions_say(driver: Any, run: Path) -> None:
    """For two systems, in several documents: every span of every phrase, and the characters in it."""
    open_page(driver, run / "report.html")
    texts = {document["id"]: document["text"] for document in collect([run])["documents"]}
    names = of_page(driver, "[...document.querySelectorAll('#system-a option')].map(one => one.value)")[1:3]
    choose(driver, "system-a", names[0])
    choose(driver, "system-b", names[1])
    checked = 0
    for id in of_page(driver, "[...document.querySelectorAll('#document option')].map(one => one.value)")[:5]:
        choose(driver, "document", id)
        for name in names:
            saved = (run / "cells" / name / "keyphrases.jsonl").read_text(encoding="utf-8").splitlines()
            phrases = next(one for line in saved if (one := json.loads(line))["id"] == id)["keyphrases"]
            pieces = marks(driver, name)
            assert all(piece["text"] == texts[id][piece["begin"] : piece["end"]] for piece in pieces)
            for phrase in phrases[:30]:
                assert spans_of(pieces, phrase["rank"], phrase["spans"]) == sorted(phrase["spans"])
                checked += 1
    assert checked > 20
    assert troubles(driver) == []


def test_documents_come_by_how_much_two_systems_differ(driver: Any, run: Path) -> None:
    """The one that differs most first; other orders, and other systems, give other lists."""
    data = collect([run])
    open_page(driver, run / "report.html")
    one, other = (of_page(driver, f"document.getElementById('system-{slot}').value") for slot in "ab")
    values = data["per_document"]["values"]
    gaps = {
        id: abs(a - b)
        for id, a, b in zip(
            data["per_document"]["ids"],
            values[one][data["default_column"]],
            values[other][data["default_column"]],
            strict=True,
        )
        if a is not None and b is not None
    }
    listed = "[...document.querySelectorAll('#document option')].map(one => one.value)"
    shown = [gaps[id] for id in of_page(driver, listed) if id in gaps]
    assert shown == sorted(shown, reverse=True)
    choose(driver, "order", "id")
    assert of_page(driver, listed) == [document["id"] for document in data["documents"]]


def test_hits_are_those_of_the_chosen_matching_up_to_its_cut_off(driver: Any, run: Path) -> None:
    """Rank by rank; what is hit only by another matching is a near miss."""
    data = collect([run])
    open_page(driver, run / "report.html")
    name = of_page(driver, "document.getElementById('system-a').value")
    rows = "[...document.querySelectorAll('.panel .phrases')][0].querySelectorAll('tbody tr')"
    script = (
        f"[...{rows}].map(row => [Number(row.cells[0].textContent), "
        "row.querySelector('.tag').textContent, row.className])"
    )
    near = 0
    for document in data["documents"][:8]:
        choose(driver, "document", document["id"])
        for label in ("exact", "approximate"):
            choose(driver, "matching", label)
            phrases = {phrase["rank"]: phrase for phrase in phrases_of(document, name)}
            if not phrases:
                continue
            for rank, mark, style in of_page(driver, script):
                hits = phrases[rank].get("hits", {})
                assert (mark == "hit") is (label in hits)
                assert (style == "beyond") is (rank > document["counted"][name][label])
                near += mark == "near miss"
    assert near


def test_hostile_texts_are_text(driver: Any, hostile: Path) -> None:
    """No alert opens, nothing is fetched, and text, names and phrases are shown to the character."""
    open_page(driver, hostile)
    choose(driver, "document", SCRIPT)
    assert of_page(driver, "document.querySelector('.panel .text').textContent") == HOSTILE
    assert of_page(driver, "document.querySelectorAll('img, .panel script, #list b').length") == 0
    shown = of_page(
        driver, "[...document.querySelectorAll('.panel .phrases .link')].map(one => one.textContent)"
    )
    assert shown[: len(PHRASES)] == list(PHRASES)
    assert of_page(driver, "document.title") == f"a {SCRIPT} title – kpframe report"
    assert troubles(driver) == []


def test_offsets_count_code_points(driver: Any, hostile: Path) -> None:
    """Characters outside the basic plane, right-to-left writing, and marks within marks."""
    open_page(driver, hostile)
    choose(driver, "document", SCRIPT)
    pieces = marks(driver, "best & <b>bold</b>")
    assert all(piece["text"] == HOSTILE[piece["begin"] : piece["end"]] for piece in pieces)
    for rank, phrase in enumerate(PHRASES, 1):
        begin = HOSTILE.index(phrase)
        spans = [[begin, begin + len(phrase)]]
        assert spans_of(pieces, rank, spans) == spans
    kinds = {piece["text"]: piece["kind"] for piece in pieces}
    assert kinds[SCRIPT] == "hit" and kinds["𝒜stral 😀"] == "near" and kinds["שלום עולם"] == "false"


def test_the_policy_lets_no_other_script_run(driver: Any, hostile: Path) -> None:
    """Not even if somebody managed to put one into the page."""
    open_page(driver, hostile)
    added = "const one = document.createElement('script'); one.textContent = 'window.ran = 1';"
    driver.execute_script(f"{added} document.body.append(one)")
    assert of_page(driver, "window.ran") is None
    assert any("Content Security Policy" in trouble for trouble in troubles(driver))


def test_a_phrase_lights_up_its_places(driver: Any, hostile: Path) -> None:
    """Pressed by the keyboard."""
    open_page(driver, hostile)
    press(driver, ".panel .phrases .link", "graphs")
    lit = of_page(
        driver, "[...document.querySelectorAll('.panel mark.lit')].map(one => one.textContent).join('')"
    )
    assert lit == "𝒜stral 😀😀 graphs"


def test_search_finds_text_and_offers_what_it_found(driver: Any, run: Path) -> None:
    """In whatever case; nothing found is said."""
    from selenium.webdriver.common.by import By

    open_page(driver, run / "report.html")
    every = of_page(driver, "document.querySelectorAll('#document option').length")
    word = of_page(driver, "document.querySelector('#errors .link').textContent")
    driver.find_element(By.ID, "search").send_keys(word.upper())
    assert 0 < of_page(driver, "document.querySelectorAll('#document option').length") <= every
    driver.find_element(By.ID, "search").send_keys(" no such words")
    assert (
        of_page(driver, "document.getElementById('document-view').textContent") == "No document holds this."
    )


def test_measures_without_a_value_are_shown_as_nothing(driver: Any, hostile: Path) -> None:
    """A system that has no score in a column keeps its field."""
    open_page(driver, hostile)
    choose(driver, "matching", "approximate")
    assert "–" in of_page(driver, "document.querySelector(\".heat[data-system='grid.two']\").textContent")
    assert troubles(driver) == []


def test_an_almost_empty_report_opens(driver: Any, tmp_path: Path) -> None:
    """One system, and nothing but its scores."""
    data = example(1, 1) | {
        name: {}
        for name in ("positions", "waterfall", "reliability", "steps", "curves", "axes", "missed", "spurious")
    }
    data |= {"documents": [], "conclusions": [], "agreement": [], "notes": []}
    write_text(tmp_path / "report.html", render(data))
    open_page(driver, tmp_path / "report.html")
    assert troubles(driver) == []


class Broken(Simple):
    """Fails for every text."""

    kind = "broken"

    def annotate(self, document: Document, annotations: Annotations | None) -> Annotations:
        raise RuntimeError("cannot stand this text")


WITHOUT_KEA = GRID[: GRID.index("systems:")] + GRID[GRID.index("sweep:") :]
EDGES = {
    "one system": (SINGLE, corpus(), {}, "#headline", "single has 0."),
    "one document": (SINGLE, corpus(1)[:1], {}, "#headline", "over 1 document."),
    "no gold": (
        WITHOUT_KEA,
        [Document(one.id, one.text) for one in corpus()],
        {},
        "#overview",
        "no document has gold keyphrases that count",
    ),
    "nothing predicted": (
        SINGLE.replace("{kind: merge_adjacent, max_tokens: 2}", "{kind: token_length, min: 9, max: 9}"),
        corpus(),
        {},
        ".panel",
        "This system found no keyphrase here.",
    ),
    "all failed": (
        SINGLE.replace("[simple]", "[broken]"),
        corpus(),
        {},
        "#overview",
        "Every document failed: there are no scores.",
    ),
    "no texts": (SINGLE, corpus(), {"documents_limit": 0}, "#explorer", "made without texts"),
}


@pytest.mark.parametrize("edge", EDGES)
def test_a_report_of_little_opens_and_says_what_it_lacks(
    driver: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edge: str
) -> None:
    """Without a word in the console, and usable by all, whatever is missing."""
    pytest.importorskip("axe_core_python", reason="needs axe-core-python (pip install 'kpframe[test]')")
    spec, documents, options, place, says = EDGES[edge]
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    kpframe.stage(Broken)
    folder = a_run(tmp_path, documents, spec)
    write_text(tmp_path / "report.html", render(collect([folder], **options)))
    open_page(driver, tmp_path / "report.html")
    assert says in shown_text(driver, place)
    assert troubles(driver) == []
    assert axe(driver) == []


def test_one_system_is_not_compared(driver: Any, tmp_path: Path) -> None:
    """No heat map of one field, no second system to choose, but all its measures."""
    run = a_run(tmp_path, corpus(), SINGLE)
    write_text(tmp_path / "report.html", render(collect([run])))
    open_page(driver, tmp_path / "report.html")
    assert of_page(driver, "document.querySelectorAll('.heat, .badge, #system-a').length") == 0
    assert "Document by document" not in shown_text(driver, "#why")
    assert "Filter systems" not in shown_text(driver, "#overview")
    rows = of_page(driver, "[...document.querySelectorAll('#list tbody tr')].map(row => row.innerText)")
    assert len(rows) == 2 and "approximate" in rows[1]


def test_runs_of_the_same_grid_stand_below_each_other(driver: Any, tmp_path: Path) -> None:
    """Every system of both has its own field."""
    runs = [a_run(tmp_path, corpus(6), WITHOUT_KEA, name) for name in ("first", "second")]
    write_text(tmp_path / "report.html", render(collect(runs)))
    open_page(driver, tmp_path / "report.html")
    fields = of_page(driver, "[...document.querySelectorAll('.heat')].map(one => one.dataset.system)")
    assert len(fields) == len(set(fields)) == 8
    rows = of_page(driver, "[...document.querySelectorAll('#heatmap tbody th')].map(one => one.innerText)")
    assert rows == ["first · ngrams", "first · tokens", "second · ngrams", "second · tokens"]
    assert troubles(driver) == []


def test_the_theme_follows_the_machine_until_it_is_chosen(driver: Any, hostile: Path) -> None:
    """The button says what it leads to."""
    paper = "getComputedStyle(document.body).backgroundColor"
    open_page(driver, hostile, scheme="dark")
    assert of_page(driver, paper) == "rgb(15, 19, 23)"
    press(driver, "#theme", "Light")
    assert of_page(driver, paper) == "rgb(255, 255, 255)"
    press(driver, "#theme", "Dark")
    assert of_page(driver, paper) == "rgb(15, 19, 23)"
    driver.execute_script("try { localStorage.clear() } catch {}")


def test_paper_is_white(driver: Any, hostile: Path) -> None:
    """Also where the screen is dark, by the machine or by choice; what is there to be pressed is gone."""
    open_page(driver, hostile, scheme="dark")
    driver.execute_script("document.documentElement.dataset.theme = 'dark'")
    features = [{"name": "prefers-color-scheme", "value": "dark"}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": features})
    assert of_page(driver, "getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert of_page(driver, "getComputedStyle(document.querySelector('.choices')).display") == "none"
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": features})


def test_a_page_is_printed_with_its_charts_and_comes_back(driver: Any, run: Path) -> None:
    """Charts are drawn for the width of paper, what is closed but belongs to it is opened."""
    open_page(driver, run / "report.html")
    width = "document.querySelector('#curves .chart svg').getBoundingClientRect().width"
    before = of_page(driver, width)
    driver.execute_script(
        "addEventListener('beforeprint', () => {"
        "  window.onPaper = document.querySelector('#curves .chart svg').getAttribute('width');"
        "  window.opened = document.querySelectorAll('details.printed:not([open])').length; });"
    )
    assert print_page(driver).startswith(b"%PDF")
    assert 100 < float(of_page(driver, "window.onPaper")) < before
    assert of_page(driver, "window.opened") == 0
    assert of_page(driver, width) == before
    assert of_page(driver, "document.querySelectorAll('details[open]').length") == 0
    assert troubles(driver) == []


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_stands_in_the_way_of_those_who_see_or_hear_differently(
    driver: Any, run: Path, hostile: Path, scheme: str, width: int
) -> None:
    """No serious violation by axe-core, with every part opened; in light, in dark and on a phone."""
    pytest.importorskip("axe_core_python", reason="needs axe-core-python (pip install 'kpframe[test]')")
    resize(driver, width)
    for page in (run / "report.html", hostile):
        open_page(driver, page, scheme=scheme)
        driver.execute_script("for (const one of document.querySelectorAll('details')) one.open = true")
        assert axe(driver) == []


@pytest.mark.parametrize("width", [400, 320])
def test_a_phone_shows_all_without_scrolling_to_the_side(
    driver: Any, run: Path, hostile: Path, width: int
) -> None:
    """Wide tables scroll in boxes of their own."""
    resize(driver, width)
    for page in (run / "report.html", hostile):
        open_page(driver, page)
        driver.execute_script("for (const one of document.querySelectorAll('details')) one.open = true")
        assert of_page(driver, "document.documentElement.scrollWidth") <= width


def test_a_point_opens_its_document(driver: Any, hostile: Path) -> None:
    """Of the scatter, or by the table beside it for those who use no mouse."""
    open_page(driver, hostile)
    press(driver, "#duels table .link", "doc 1")
    assert of_page(driver, "document.getElementById('document').value") == "doc 1"


def test_the_pictures_of_the_readme_have_fixed_sizes(run: Path, tmp_path: Path) -> None:
    """Four of them, small enough for a page that many people open."""
    assert screenshots.main([str(run / "report.html"), str(tmp_path), "--readme"]) == 0
    sizes = {}
    for path in sorted(tmp_path.iterdir()):
        picture = path.read_bytes()
        sizes[path.name] = tuple(int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
        assert len(picture) <= 150_000
    assert sizes == {
        "explorer-dark.png": (864, 600),
        "explorer.png": (864, 600),
        "losses.png": (864, 408),
        "overview.png": (864, 558),
    }


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_rows_of_publications_stand_below_the_systems(
    driver: Any, tmp_path: Path, width: int, scheme: str
) -> None:
    """Marked, under all that was computed, also when the table is sorted; with their source."""
    pytest.importorskip("axe_core_python", reason="needs axe-core-python (pip install 'kpframe[test]')")
    data = example()
    column = data["default_column"]
    data["printed"] = [
        {"system": "<b>CatSeq</b>", "values": {column: 0.999}, "source": "Yuan & al."},
        {"system": "T5", "values": {}, "source": "Kundu"},
    ]
    page = tmp_path / "report.html"
    write_text(page, render(data))
    resize(driver, width)
    open_page(driver, page, scheme=scheme)
    last = "[...document.querySelectorAll('#list table')[0].rows].at(-1).innerText"
    assert "<b>CatSeq</b> (printed 1)" in of_page(driver, last) and "0.999†" in of_page(driver, last)
    press(driver, "#list th button", "score")
    assert "CatSeq" in of_page(driver, last)
    assert "printed 1 in Yuan & al.;" in shown_text(driver, "#list")
    assert not axe(driver)
    wide = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert of_page(driver, wide)
    assert troubles(driver) == []
