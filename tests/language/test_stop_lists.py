"""Stop lists by code, by path, and the one of the document's language."""

from pathlib import Path

import pytest
from families import every

from kpframe.candidates.ngrams import NGrams
from kpframe.errors import DataError
from kpframe.language.elisions import ELIDED
from kpframe.language.stop_lists import (
    AUTO,
    known_lists,
    list_limits,
    list_problems,
    stop_entries,
    stop_words,
)
from kpframe.model import Document
from kpframe.postprocessing.stopwords import Stopwords
from kpframe.preprocessing.simple import Simple
from kpframe.ranking.frequency import Frequency
from kpframe.stages import FOLDERS
from kpframe.stages.registry import kinds, lookup


def test_more_than_60_languages_have_a_list() -> None:
    """Those that are shipped come first."""
    known = known_lists()
    assert known[:5] == ["da", "de", "en", "es", "fr"]
    assert len(known) > 60 and len(set(known)) == len(known)
    assert "और" in stop_words(["hi"]) and "the" in stop_words(["en"])


def test_every_list_is_folded() -> None:
    """And none is empty."""
    for code in known_lists():
        entries = stop_entries([code], "")
        assert entries, code
        assert {entry for entry in entries if entry != " ".join(entry.split())} == set(), code


def test_auto_is_the_list_of_the_documents_language() -> None:
    """In French the article is one, in English it is not."""
    text = "Les dockers sont en grève."
    for language, expected in (("fr", False), ("en", True)):
        document = Document("d", text, language)
        made = Simple().annotate(document, None)
        found = NGrams(max=1, stopwords=("auto",)).propose(document, made)
        assert ("Les" in found.surfaces) is expected
        ranked = Frequency().rank(NGrams(max=1).propose(document, made))
        assert ("Les" in [r.surface for r in Stopwords(lists=("auto",)).process(ranked)]) is expected


def test_a_file_of_the_user_is_a_list_everywhere(tmp_path: Path) -> None:
    """A path is taken wherever a name is, and its content is part of the identity."""
    file = tmp_path / "mine.txt"
    file.write_text("# mine\nGrève\n\n", encoding="utf-8")
    assert stop_words([str(file)]) == {"grève"}
    stages = (NGrams(stopwords=(str(file),)), Stopwords(lists=(str(file),)))
    before = [stage.identity() for stage in stages]
    assert [list(stage.problems(["fr"])) for stage in stages] == [[], []]
    file.write_text("port\n", encoding="utf-8")
    assert all(stage.identity() != old for stage, old in zip(stages, before, strict=True))


def test_what_is_no_list_is_told(tmp_path: Path) -> None:
    """With what there is."""
    [(problem, remedy)] = list_problems(["xx"])
    assert problem == "there is no stop list 'xx'"
    assert remedy.startswith("there are: da, de, en") and remedy.endswith("or give a path")
    path = str(tmp_path / "none.txt")
    assert list(list_problems([path])) == [
        (f"{path} cannot be read (no such file or directory)", "correct the path")
    ]
    assert list(list_problems(["auto"], ["en", "qqq"])) == [
        ("there is no stop list for language 'qqq'", "name a file of your own")
    ]
    assert list(list_limits(["auto"], "qqq")) == [
        "there is no stop list, so function words stay (name a file of your own)"
    ]
    assert list(list_limits(["auto"], "de")) == list(list_limits([path], "de")) == []
    with pytest.raises(DataError):
        stop_words([path])


def test_special_lists_follow_the_language() -> None:
    """`auto-calendar` is the list of each language, nothing for Swedish; in Portuguese mar is a sea."""
    assert {"january", "mar"} <= stop_entries(["auto-calendar"], "en")
    assert stop_entries(["auto-calendar", "auto-units"], "sv") == frozenset()
    assert "mar" not in stop_entries(["auto-calendar"], "pt")
    assert "km" in stop_entries(["auto-units"], "en")
    assert not list(list_problems(["auto", "auto-calendar"], ["pt"]))
    ((problem, _),) = list_problems(["auto-weather"], [])
    assert problem == "there is no stop list 'auto-weather'"


def test_lists_that_follow_the_language_are_told_where_there_are_none() -> None:
    """English has all of them; Swedish has its stop words, and no list of months."""
    names = ["auto", "auto-calendar", "auto-units"]
    assert list(list_limits(names, "en")) == []
    assert list(list_limits(names, "sv")) == [
        "there are no lists of months, units, titles and salutations, so such words stay"
    ]
    assert list(list_limits(["auto-calendar"], "en")) == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_list_of_a_stage_follows_the_language_by_default(folder: str) -> None:
    """No stage that has stop lists is English where nobody said so."""
    for kind in kinds(folder):
        for name, field in lookup(folder, kind).model_fields.items():
            if name in ("stopwords", "lists") and field.default:
                assert field.default == (AUTO,), (kind, name)


@every("language", sorted(ELIDED))
def test_what_a_language_elides_is_a_stop_word(language: str) -> None:
    """Whoever wrote its list, or nobody; so no keyphrase ends with an apostrophe."""
    text = "energia d’avui i l’aigua"
    document = Document("d", text, language)
    made = Simple().annotate(document, None)
    assert "d’" in made.strings(made.words)
    found = NGrams(max=2, stopwords=("auto",)).propose(document, made).surfaces
    assert not [surface for surface in found if surface.endswith("’")]
    ranked = Frequency().rank(NGrams(max=2).propose(document, made))
    trimmed = [r.surface for r in Stopwords(lists=("auto",), trim="both").process(ranked)]
    assert "energia" in trimmed and not [surface for surface in trimmed if surface[-1] == "’"]


def test_names_that_are_elided_are_no_stop_words() -> None:
    """Sant'Agostino is called so; and a language without elisions has none."""
    assert {"l'", "un'", "v'"} <= stop_words(["it"]) and not {"sant'", "bell'"} & stop_words(["it"])
    assert stop_words(["auto"], "en") == stop_words(["en"])
    assert stop_words(["auto"], "oc") == {"d'", "l'", "m'", "n'", "s'", "t'", "qu'"}
