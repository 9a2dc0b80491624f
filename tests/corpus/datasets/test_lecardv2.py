import json
from collections import Counter
from pathlib import Path

import pytest

from fingerprints import first_tenth_last
from lexgear.corpus.datasets.closed_pool import closed_pool, pool_rule
from lexgear.corpus.datasets.lecardv2 import read_lecardv2
from lexgear.corpus.datasets.registry import read_collection
from lexgear.corpus.records import Citation, Collection, Document, Query
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import InputError
from lexgear.progress import silent
from lexgear.trec import read_labels
from shared_data import SHARED, needs_shared


@pytest.fixture
def official(tmp_path: Path) -> Path:
    for folder in ("query", "label", "candidate/candidate_55192"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "query/train_query.json").write_text('{"id": 1, "query": "全文", "fact": "王某盗窃。"}\n')
    (tmp_path / "query/test_query.json").write_text('{"id": 2, "query": "李某抢劫。"}\n')
    (tmp_path / "label/relevence.trec").write_text("1\t0\t50\t3\n2\t0\t60\t1\n2\t0\t70\t2\n")
    (tmp_path / "label/ranking_pool.json").write_text('{"qid": 1, "rank_doc_id": [50, 60, 80]}\n')
    candidates = [
        {
            "pid": 50,
            "qw": "某县人民法院 刑事判决书 王某盗窃。",
            "fact": "王某盗窃。",
            "reason": "本院认为，王某构成盗窃罪。",
            "result": "被告人王某犯盗窃罪，判处有期徒刑一年。",
            "charge": ["盗窃罪"],
            "article": [264, 67],
        },
        {"pid": 60, "qw": "只有全文，被告人李某犯抢劫罪。", "fact": "", "reason": "", "result": "", "charge": []},
        {"pid": 61, "qw": "", "charge": []},
    ]
    for candidate in candidates:
        file = tmp_path / f"candidate/candidate_55192/{candidate['pid']}.json"
        file.write_text(json.dumps(candidate, ensure_ascii=False), encoding="utf-8")
    return tmp_path


def test_the_official_layout_gives_all_candidates_with_their_texts(official: Path) -> None:
    skipped = SkippedRecords()
    collection = read_lecardv2(official, skipped, silent)
    [first, second] = collection.documents
    assert (first.id, first.charges) == ("50", ("盗窃罪",))
    assert first.articles == (Citation("刑法", "264"), Citation("刑法", "67"))
    assert list(first.sections) == ["fact", "reasoning", "verdict"]
    assert first.penalty is not None
    assert first.penalty.months == 12
    assert second.sections == {"text": "只有全文，被告人李某犯抢劫罪。"}
    assert [(q.id, q.text, q.split) for q in collection.queries] == [
        ("1", "王某盗窃。", "train"),
        ("2", "李某抢劫。", "test"),
    ]
    assert collection.qrels == {"1": {"50": 3}, "2": {"60": 1}}
    assert collection.pools == {"1": ("50", "60")}
    assert [(skip.record, skip.reason) for skip in skipped.entries] == [
        ("61", "neither text nor charges"),
        ("1 80", "unknown candidate"),
        ("2 70", "label of an unknown document"),
    ]


def test_without_candidates_it_says_where_to_get_them(official: Path) -> None:
    (official / "candidate").rename(official / "elsewhere")
    with pytest.raises(InputError, match=r"no candidate texts in it .unpack the candidates"):
        read_lecardv2(official, SkippedRecords(), silent)


def test_gears_split_takes_candidate_texts_where_they_lie_beside_it(official: Path) -> None:
    contents = {
        "pid_charges": {"50": ["盗窃罪"], "99": ["抢劫罪"]},
        "labels": {"1": [["50", 3]]},
        "qid_sentences": {"1": ["王某", "盗窃。"]},
        "test_qids": ["1", "1"],
        "test_q_charges": [["盗窃罪"], ["盗窃罪"]],
    }
    for name, content in contents.items():
        (official / f"{name}.json").write_text(json.dumps(content))
    collection = read_lecardv2(official, SkippedRecords(strict=True), silent)
    assert [(document.id, bool(document.text)) for document in collection.documents] == [("50", True), ("99", False)]
    assert [(query.id, query.text, query.split) for query in collection.queries] == [("1", "王某盗窃。", "test")]
    assert collection.qrels == {"1": {"50": 3}}


def test_test_queries_without_their_charges_are_refused(tmp_path: Path) -> None:
    contents = {"pid_charges": {"1": ["盗窃罪"]}, "labels": {}, "qid_sentences": {}, "test_qids": ["1"]}
    for name, content in {**contents, "test_q_charges": []}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    with pytest.raises(InputError, match=r"test_q_charges.json: .*one list of charges for each line of test_qids"):
        read_lecardv2(tmp_path, SkippedRecords(), silent)


@needs_shared
def test_gears_pool_follows_from_the_official_labels() -> None:
    qrels: dict[str, dict[str, int]] = {}
    for label in read_labels(SHARED / "lecardv2/relevence.trec"):
        qrels.setdefault(label.query, {})[label.document] = label.grade
    assert len(qrels) == 800
    documents = {document: Document(document) for grades in qrels.values() for document in grades}
    official = Collection("lecardv2", "zh", tuple(documents.values()), tuple(Query(one, "") for one in qrels), qrels)
    pool = closed_pool(official, pool_rule("lecardv2"))
    assert [len(pool.documents), len(pool.queries), pool.relevant_from] == [1390, 653, 2]
    relevant = {
        query: {document: grade for document, grade in grades.items() if grade >= 2}
        for query, grades in pool.qrels.items()
    }
    assert read_lecardv2(SHARED / "lecardv2", SkippedRecords(strict=True), silent).qrels == relevant


def test_the_closed_pool_is_reached_from_the_official_layout(official: Path) -> None:
    (official / "label/relevence.trec").write_text("1\t0\t50\t3\n1\t0\t60\t3\n2\t0\t50\t2\n2\t0\t60\t1\n")
    pool = read_collection("lecardv2", official, SkippedRecords(), pool="closed")
    assert (pool.name, [document.id for document in pool.documents]) == ("lecardv2-closed", ["50"])
    assert pool.qrels == {"1": {"50": 3}, "2": {"50": 2}}


@needs_shared
def test_the_split_of_gears_authors_has_1390_documents_and_54_test_queries_of_653() -> None:
    collection = read_lecardv2(SHARED / "lecardv2", SkippedRecords(strict=True), silent)
    assert [len(collection.documents), len(collection.queries)] == [1390, 653]
    assert [collection.documents[place].id for place in (0, 9, -1)] == ["3318432", "1449899", "3043966"]
    assert collection.documents[0].charges == ("寻衅滋事罪", "非法拘禁罪")
    assert first_tenth_last(collection.queries) == [
        ("1", 474, "f1dc1fef"),
        ("2", 315, "e8213586"),
        ("784", 180, "edf436eb"),
    ]
    assert sum(map(len, collection.qrels.values())) == 3172
    assert Counter(query.split for query in collection.queries) == {"train": 599, "test": 54}
    assert all(bool(query.charges) == (query.split == "test") for query in collection.queries)
    assert not any(document.text for document in collection.documents)


def test_a_query_of_both_official_files_is_left_out_of_the_second(official: Path) -> None:
    (official / "query/test_query.json").write_text('{"id": 1, "query": "李某抢劫。"}\n')
    skipped = SkippedRecords()
    assert [(query.id, query.split) for query in read_lecardv2(official, skipped, silent).queries] == [("1", "train")]
    assert ("test_query.json", "duplicate id") in [(skip.file.name, skip.reason) for skip in skipped.entries]
