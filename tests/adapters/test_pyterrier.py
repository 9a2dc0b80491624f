"""The PyTerrier adapter, with PyTerrier itself."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pyterrier as pt
import pytest

from index.test_store import CASES
from lexgear import Index, InputError, Query, train
from lexgear.adapters.pyterrier import LexgearRetriever

TOPICS = pd.DataFrame({"qid": ["q1", "q2"], "query": ["翻墙进入商店", "持刀"], "query_0": ["x", "y"]})


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return train(CASES, "bm25", tmp_path_factory.mktemp("index") / "index")


def test_queries_go_in_and_results_come_out(index: Index) -> None:
    results = LexgearRetriever(index, k=2).transform(TOPICS)
    assert list(results.columns) == ["qid", "query", "query_0", "docno", "score", "rank"]
    run = index.run([Query("q1", "翻墙进入商店"), Query("q2", "持刀")], k=2)
    assert results[["qid", "docno", "score", "rank"]].values.tolist() == [
        [qid, document, score, rank]
        for qid, scores in run.items()
        for rank, (document, score) in enumerate(scores.items())
    ]
    assert results["query_0"].tolist() == ["x", "x", "y"]


def test_it_is_part_of_a_pipeline_and_of_an_experiment(index: Index) -> None:
    retriever = LexgearRetriever(index)
    assert (retriever % 1).transform(TOPICS)["docno"].tolist() == ["a", "b"]
    qrels = pd.DataFrame({"qid": ["q1", "q2"], "docno": ["a", "b"], "label": [1, 1]})
    table = pt.Experiment([retriever], TOPICS, qrels, ["recip_rank", "P_1"], names=["ours"])
    assert table.to_dict("records") == [{"name": "ours", "recip_rank": 1.0, "P_1": 1.0}]


def test_filters_and_texts_are_options(index: Index) -> None:
    directory: Path = index.stored.directory
    results = LexgearRetriever(directory, filters=["charge=抢劫罪"], include_text=True).transform(TOPICS)
    assert results["docno"].tolist() == ["b", "b"]
    assert set(results["text"]) == {CASES.documents[1].text}


def test_no_queries_and_queries_without_results_give_the_same_columns(index: Index) -> None:
    nothing = LexgearRetriever(index).transform(TOPICS.iloc[:0])
    assert (len(nothing), list(nothing.columns)[-3:]) == (0, ["docno", "score", "rank"])
    assert len(LexgearRetriever(index).transform(pd.DataFrame({"qid": ["q"], "query": ["。"]}))) == 0


def test_a_frame_without_queries_is_refused(index: Index) -> None:
    with pytest.raises(InputError, match="no column 'query'"):
        LexgearRetriever(index).transform(TOPICS[["qid"]])


def test_java_is_not_started() -> None:
    code = "import sys, lexgear.adapters.pyterrier; print('jnius' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
