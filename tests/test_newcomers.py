"""What somebody sees who extracts keyphrases from letters, minutes, notes and recipes of their own."""

from __future__ import annotations

import pytest

import kpframe as kp

PIPELINES = ("by-length", "textrank", "noun-phrases", "any-language")

MINUTES = """Minutes of the board, Tue, 14 Nov. 2022, 10:00-11:45
Present: Prof. Dr. Maier, Dr. Nguyen, Mr. Lee, Ms. Jones. Apologies: Prof. Rossi, Dr. Brown.
Prof. Maier said that enrolment rose by 4.2 % in 2022. Dr. Nguyen will ask 10-20 students by Fri. or in
June/July. Talks take 30-40 min, which Dr. Brown and Prof. Rossi find too long. Costs: EUR 1.2bn.
"""
NOTES = """The patient, seen by Dr. Brown at 9 a.m., takes furosemide 40 mg 1-0-1 and metformin 500 mg, b.i.d.
Take 2 tbsp lemon juice and 200 ml water. The sensor drifts by 1023Hz within 10-15 hrs; see Q3 2019.
"""


def shown(name: str, text: str, language: str = "en") -> list[str]:
    """All keyphrases, as they are shown."""
    return [one.text for one in kp.Pipeline.load(name).extract(text, language=language)]


@pytest.mark.parametrize("name", PIPELINES)
def test_no_lone_titles_dates_and_amounts(name: str) -> None:
    """Neither as phrases nor as parts of such; with a name they stay."""
    junk = {
        "Prof. Dr.",
        "Dr.",
        "Prof.",
        "Mr.",
        "Ms.",
        "Tue",
        "Nov.",
        "Fri",
        "2022",
        "10-20",
        "30-40 min",
        "min",
    }
    found = shown(name, MINUTES)
    assert not junk & set(found)
    assert not {"June/July", "1.2bn", "EUR", "EUR 1.2bn", "4.2"} & set(found)
    assert any("Nguyen" in one for one in found)


@pytest.mark.parametrize("name", PIPELINES)
def test_no_doses_and_units(name: str) -> None:
    """A unit alone, with its number, or with how often it is taken."""
    found = shown(name, NOTES)
    assert not {
        "mg",
        "mg 1-0-1",
        "1-0-1",
        "a.m.",
        "b.i.d.",
        "1023Hz",
        "10-15 hrs",
        "hrs",
        "Q3",
        "tbsp",
    } & set(found)
    assert any("furosemide" in one for one in found)


@pytest.mark.parametrize("name", ["by-length", "textrank"])
def test_a_unit_behind_a_number_is_no_part_of_what_follows(name: str) -> None:
    """2 tbsp lemon juice is lemon juice; the time of a day is no unit of anything without a number."""
    found = shown(name, "Mix it with 2 tbsp lemon juice and 3 tbsp olive oil. We call it a day trip.")
    assert {"lemon juice", "olive oil", "day trip"} <= set(found)


@pytest.mark.parametrize("name", ["by-length", "textrank", "noun-phrases"])
def test_a_letter_does_not_begin_with_its_salutation(name: str) -> None:
    """Dear Prof. O'Neill is Prof. O'Neill."""
    found = shown(name, "Dear Prof. Miller,\n\nThe manuscript about soil moisture is accepted.")
    assert "Dear Prof. Miller" not in found
    assert "Prof. Miller" in found


@pytest.mark.parametrize(
    ("language", "text", "junk"),
    [
        (
            "de",
            "Hr. Dr. Weber kommt um 18 Uhr, Fr. Schulz am Montag mit 5 Mio. Euro.",
            "dr. hr uhr montag mio euro",
        ),
        (
            "pt",
            "A Dra. Costa e o Sr. Silva falam em janeiro sobre 800 mil euros.",
            "dra. sr. janeiro mil euros",
        ),
        ("es", "La Sra. Robles habla el lunes con el Dr. Ruiz de 10 millones.", "sra. lunes dr. millones"),
        ("fr", "Mme Dupont et le Dr Martin parlent jeudi de 480 millions.", "mme dr jeudi millions"),
    ],
)
def test_other_languages_have_their_own_lists(language: str, text: str, junk: str) -> None:
    """Titles, days and units of German, Portuguese, Spanish and French."""
    found = {one.casefold() for one in shown("any-language", text, language)}
    assert found and not found & set(junk.split())
