import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexgear.errors import InputError
from lexgear.trec import ranking, read_qrels, read_run, write_qrels, write_run

GOOD_RUN = "q1 Q0 d1 1 2.5 tag\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "given.trec"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_ranking_goes_by_score_then_by_id_in_string_order() -> None:
    assert ranking({"9": 1.0, "10": 1.0, "a": 3.0, "b": -math.inf}) == ["a", "10", "9", "b"]


def test_a_run_is_read_whatever_separates_its_columns(tmp_path: Path) -> None:
    text = "q1\tQ0\td1\t1\t2.5\ttag\r\nq1   Q0 案件2 2 1e-3 tag\n\nq2 Q0 d1 1 -4 tag"
    assert read_run(written(tmp_path, text)) == {"q1": {"d1": 2.5, "案件2": 0.001}, "q2": {"d1": -4.0}}


def test_scores_decide_the_order_and_the_rank_column_does_not(tmp_path: Path) -> None:
    run = read_run(written(tmp_path, "q Q0 low 1 1.0 t\nq Q0 high 2 9.0 t\n"))
    assert ranking(run["q"]) == ["high", "low"]


def test_a_written_run_has_ranks_from_one_and_six_columns(tmp_path: Path) -> None:
    write_run(tmp_path / "out" / "a.run", {"q": {"b": 1.0, "a": 1.0, "c": 7.25}}, "bm25")
    assert (tmp_path / "out" / "a.run").read_text() == ("q Q0 c 1 7.25 bm25\nq Q0 a 2 1.0 bm25\nq Q0 b 3 1.0 bm25\n")


@given(
    scores=st.dictionaries(st.text("abc1", min_size=1, max_size=3), st.floats(allow_nan=False), min_size=1, max_size=20)
)
def test_a_run_reads_back_exactly(scores: dict[str, float], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "roundtrip.run"
    write_run(path, {"q": scores}, "t")
    again = read_run(path)
    assert again == {"q": scores}
    assert ranking(again["q"]) == list(again["q"])


def test_labels_read_back_exactly(tmp_path: Path) -> None:
    qrels = {"-5180": {"1208": 3, "7": 0}, "q": {"案": -1}}
    write_qrels(tmp_path / "qrels.trec", qrels)
    assert (tmp_path / "qrels.trec").read_text(encoding="utf-8").startswith("-5180 0 1208 3\n")
    assert read_qrels(tmp_path / "qrels.trec") == qrels


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD_RUN + "q1 Q0 d2 2 2.5\n", ":2: 5 columns instead of 6"),
        (GOOD_RUN + "\nq1 Q0 d 2 2 2.5 tag\n", ":3: 7 columns instead of 6"),
        (GOOD_RUN + "q1 Q0 d2 2 high tag\n", ":2: the score 'high' is not a number"),
        (GOOD_RUN + "q1 Q0 d2 2 nan tag\n", ":2: the score 'nan' is not a number"),
        (GOOD_RUN + "q2 Q0 d1 1 1 tag\nq1 Q0 d1 2 1.5 tag\n", ":3: document d1 appears twice for query q1"),
        (" \n\n", ": the file is empty"),
    ],
)
def test_a_bad_run_is_refused_by_file_and_line(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_run(path)
    assert str(caught.value).startswith(f"{path}{said}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("q 0 d 1\nq 0 d\n", ":2: 3 columns instead of 4"),
        ("q 0 d 1.5\n", ":1: the grade '1.5' is not a whole number"),
        ("q 0 d 1099511627776\n", ":1: the grade '1099511627776' is not a whole number of at most 1000"),
        ("q 0 d 1\nq 0 d 2\n", ":2: document d appears twice for query q"),
        ("", ": the file is empty"),
    ],
)
def test_bad_labels_are_refused_by_file_and_line(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_qrels(path)
    assert str(caught.value).startswith(f"{path}{said}")


def test_an_id_with_a_space_is_refused_and_no_file_is_left(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'case 7' is empty or has spaces"):
        write_run(tmp_path / "a.run", {"q": {"d": 2.0, "case 7": 1.0}}, "t")
    assert list(tmp_path.iterdir()) == []


def test_a_score_that_is_no_number_is_never_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="query q"):
        write_run(tmp_path / "a.run", {"q": {"d": math.nan}}, "t")
    assert list(tmp_path.iterdir()) == []
