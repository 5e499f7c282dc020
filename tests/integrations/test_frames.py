"""Frames of pandas and polars, and columns of them."""

from __future__ import annotations

from typing import Any

import pytest

import kpframe as kp

pd = pytest.importorskip("pandas", reason="needs pandas (pip install 'kpframe[pandas]')")
pl = pytest.importorskip("polars", reason="needs polars")

TEXTS = ["red kites", None, "grey"]

FAST = """\
name: fast
preprocessing: [simple]
candidates: {kind: ngrams, max: 2, stopwords: [en]}
ranking: frequency
"""


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> kp.Pipeline:
    """A quick one."""
    path = tmp_path_factory.mktemp("pipeline") / "fast.yaml"
    path.write_text(FAST)
    return kp.Pipeline.load(path)


def pandas_frame() -> Any:
    """With an index of its own."""
    return pd.DataFrame({"id": ["a", "b", "c"], "text": TEXTS, "stars": [5, 1, 3]}, index=[10, 20, 30])


def test_a_series_has_its_index_as_ids_and_gaps_are_empty(pipeline: kp.Pipeline) -> None:
    """The case frame: None, NaN and NA alike."""
    for missing in (None, float("nan"), pd.NA, pd.NaT):
        series = pd.Series(["red", missing, "grey"], index=["x", "y", "z"], dtype="object")
        found = [(r.id, len(r), r.error) for r in pipeline.extract_many(series)]
        assert found == [("x", 1, None), ("y", 0, None), ("z", 1, None)]
    assert [(r.id, len(r)) for r in pipeline.extract_many(pl.Series(["red", None]))] == [("0", 1), ("1", 0)]


@pytest.mark.parametrize("frame", [pandas_frame(), pl.DataFrame({"text": ["x"]})], ids=["pandas", "polars"])
def test_a_frame_is_refused_with_the_right_call(frame: Any, pipeline: kp.Pipeline) -> None:
    """Iterating over it gives the names of its columns."""
    with pytest.raises(TypeError, match=r"extract_many\(frame\['text'\]\).*kpframe.extract_frame"):
        pipeline.extract_many(frame)


@pytest.mark.parametrize("value", [5, b"x", ["a"], 1.5])
def test_what_is_no_text_is_told_with_its_place(value: object, pipeline: kp.Pipeline) -> None:
    """No silent conversion."""
    with pytest.raises(TypeError, match=rf"must be str, not {type(value).__name__} \(text 1\)"):
        list(pipeline.extract_many(["x", value]))  # type: ignore[list-item]


def test_long_repeats_index_id_and_kept_columns(pipeline: kp.Pipeline) -> None:
    """A row a keyphrase, with the types of the frame."""
    found = kp.extract_frame(pandas_frame(), "text", id="id", keep=["stars"], pipeline=pipeline)
    assert list(found.columns) == ["id", "stars", "rank", "text", "score", "key", "spans"]
    assert found.index.tolist() == [10, 10, 10, 30]
    assert found["text"].tolist() == ["red", "red kites", "kites", "grey"]
    assert found["stars"].tolist() == [5, 5, 5, 3] and found["stars"].dtype == "int64"


def test_wide_can_be_joined_to_the_frame(pipeline: kp.Pipeline) -> None:
    """The same index, lists, a missing text with empty ones."""
    frame = pandas_frame()
    joined = frame.join(kp.extract_frame(frame, "text", wide=True, pipeline=pipeline))
    assert joined.loc[10, "keyphrases"] == ["red", "red kites", "kites"]
    assert [len(found) for found in joined["keyphrases"]] == [3, 0, 1]


def test_polars_gets_polars(pipeline: kp.Pipeline) -> None:
    """Without an index, `row` counts; lists are lists; a kept name that is taken gets another."""
    frame = pl.DataFrame({"text": TEXTS})
    wide = kp.extract_frame(frame, "text", wide=True, pipeline=pipeline)
    assert wide.schema == {"row": pl.Int64, "keyphrases": pl.List(pl.String), "scores": pl.List(pl.Float64)}
    long = kp.extract_frame(frame, "text", keep="text", top=1, pipeline=pipeline)
    assert long["kept_text"].to_list() == ["red kites", "grey"]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_kept_columns_get_names_that_are_free(make: Any, pipeline: kp.Pipeline) -> None:
    """Also beside one that is called as the other would be; the id keeps its name."""
    frame = make({"id": ["a"], "text": ["grey"], "rank": [7], "kept_rank": [8]})
    found = kp.extract_frame(frame, "text", id="id", keep=["id", "rank", "kept_rank"], pipeline=pipeline)
    assert list(found.columns)[:4] == ["id", "kept_kept_rank", "kept_rank", "rank"]
    assert [found[name].to_list() for name in ("kept_kept_rank", "kept_rank", "rank")] == [[7], [8], [1]]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
@pytest.mark.parametrize("texts", [[], ["", None]])
def test_frames_without_keyphrases_have_no_rows(make: Any, texts: list[Any], pipeline: kp.Pipeline) -> None:
    """But their columns."""
    frame = make({"text": texts, "n": texts})
    assert kp.extract_frame(frame, "text", keep="n", pipeline=pipeline).shape == (0, 7 - 1)
    assert len(kp.extract_frame(frame, "text", wide=True, pipeline=pipeline)) == len(texts)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
@pytest.mark.parametrize("wide", [False, True])
def test_columns_have_the_same_types_without_a_row(make: Any, wide: bool, pipeline: kp.Pipeline) -> None:
    """So that results can be put together; pandas takes what is empty for decimals."""
    frame = make({"text": ["grey", "red"], "n": [1, 2]})
    some, none = (
        kp.extract_frame(part, "text", keep="n", wide=wide, pipeline=pipeline) for part in (frame, frame[:0])
    )
    assert len(none) == 0 and list(none.dtypes) == list(some.dtypes)


def test_several_columns_are_joined_by_a_border(pipeline: kp.Pipeline) -> None:
    """No phrase crosses it."""
    frame = pl.DataFrame({"a": ["red"], "b": ["kites"]})
    assert set(kp.extract_frame(frame, ["a", "b"], pipeline=pipeline)["text"]) == {"red", "kites"}


def test_what_is_wrong_in_a_frame_is_told(pipeline: kp.Pipeline) -> None:
    """A column that is missing, a cell that is no text; before anything is computed."""
    frame = pandas_frame()
    with pytest.raises(kp.DataError, match=r"has no column 'body'; the columns are: 'id', 'text', 'stars'"):
        kp.extract_frame(frame, "body", pipeline=pipeline)
    with pytest.raises(kp.DataError, match="column stars: row 0 holds int, not text"):
        kp.extract_frame(frame, "stars", pipeline=pipeline)


@pytest.mark.parametrize("names", [[0, 1], [("a", "b"), ("a", "c")]])
def test_columns_that_are_no_names_are_told_with_the_way_out(names: list[Any], pipeline: kp.Pipeline) -> None:
    """Which is tried here; as they are a frame of such columns cannot be asked for one."""
    frame = pd.DataFrame([["Graph kernels.", 1]])
    frame.columns = pd.Index(names)
    with pytest.raises(kp.DataError, match=r"frame\.columns = map\(str, frame\.columns\)"):
        kp.extract_frame(frame, "body", pipeline=pipeline)
    with pytest.raises(kp.SpecError, match="column is 0, and columns are named by texts"):
        kp.extract_frame(frame, 0, pipeline=pipeline)
    frame.columns = map(str, frame.columns)
    assert len(kp.extract_frame(frame, str(names[0]), pipeline=pipeline))


def test_ids_that_come_twice_are_told(pipeline: kp.Pipeline, caplog: pytest.LogCaptureFixture) -> None:
    """Their keyphrases cannot be told apart; nothing is left out."""
    frame = pd.DataFrame({"id": ["a", "b", "a"], "text": ["red kites", None, "grey owls"]})
    found = kp.extract_frame(frame, "text", id="id", pipeline=pipeline)
    assert set(found["id"]) == {"a"} and len(found) > 1
    assert "column 'id': what stands in more than one row is told apart by nothing: 'a'" in caplog.messages
    caplog.clear()
    kp.extract_frame(frame[:2], "text", id="id", pipeline=pipeline)
    assert not [message for message in caplog.messages if "more than one row" in message]


@pytest.mark.parametrize("names", [["text", "text"], ["n", "n"], [1, 1]])
def test_columns_of_one_name_are_told(names: list[Any], pipeline: kp.Pipeline) -> None:
    """Also where neither is asked for: nobody could say which of them is meant."""
    frame = pd.DataFrame([["red", "grey", "kites"]], columns=[*names, "body"])
    told = rf"frame: has more than one column called '{names[0]}'; rename or drop one"
    for column in ("body", str(names[0])):
        with pytest.raises(kp.DataError, match=told):
            kp.extract_frame(frame, column, pipeline=pipeline)


def test_an_index_of_several_levels_is_kept(pipeline: kp.Pipeline) -> None:
    """And one with equal labels."""
    frame = pd.DataFrame({"text": ["red", "grey"]}, index=pd.MultiIndex.from_tuples([("a", 1), ("a", 1)]))
    assert kp.extract_frame(frame, "text", pipeline=pipeline).index.tolist() == [("a", 1), ("a", 1)]
