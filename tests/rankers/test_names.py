"""Other names in the same texts change no ranking, no score, no probability, and no name is a reason."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest

from lexgear.api import Index, train
from lexgear.corpus.records import Collection, Document, Query
from lexgear.index.manifest import MANIFEST, manifest_text
from lexgear.judgment.base_judge import shipped_judge
from lexgear.privacy import neutral as neutral_module
from lexgear.rankers.base import Ranker
from lexgear.rankers.dense.bi_encoder import Dense
from lexgear.rankers.dense.settings import DenseSettings
from lexgear.rankers.fusion import Fusion, FusionSettings
from lexgear.rankers.words.bm25 import BM25, BM25Settings
from lexgear.settings import configure
from training.small_collection import small_collection

_PERSON = re.compile(r"([\u4e00-\u9fff])(?=某(?!罪|[年月日市县镇村]))")
OTHER = "欧冯曾于方安许丁常向文应时万国成钱明全连"
TINY_DENSE = configure(DenseSettings, backbone="", epochs=1, max_length=24, hidden_size=16, num_heads=2, vocab_size=500)


def swapped(text: str) -> str:
    """Return a text in which every surname is another one, the same for the same."""
    found = dict.fromkeys(match[1] for match in _PERSON.finditer(text) if match[1] in SURNAMES)
    other = dict(zip(found, (one for one in cycle(OTHER)), strict=False))
    return _PERSON.sub(lambda match: other.get(match[1], match[1]), text)


def with_other_names(collection: Collection) -> Collection:
    documents = tuple(
        replace(one, sections={name: swapped(text) for name, text in one.sections.items()}, defendants=())
        for one in collection.documents
    )
    return replace(collection, documents=documents, queries=tuple(map(with_other_name, collection.queries)))


def with_other_name(query: Query) -> Query:
    return replace(query, text=swapped(query.text))


SURNAMES = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜谢邹苏潘葛范彭鲁韦马方袁柳唐罗"


@pytest.fixture(scope="module")
def hundred(sample: Collection) -> list[Query]:
    """The first hundred queries of the sample that name a person."""
    return [query for query in sample.queries if swapped(query.text) != query.text][:100]


def test_a_hundred_texts_have_names_to_swap(hundred: list[Query]) -> None:
    assert len(hundred) == 100


def test_lexgear_ranks_judges_and_explains_alike(index: Index, hundred: list[Query]) -> None:
    others = [with_other_name(query) for query in hundred]
    assert index.rank(others, 20) == index.rank(hundred, 20)
    for query, other in list(zip(hundred, others, strict=True)):
        ours, theirs = index.judge(query.text), index.judge(other.text)
        assert [(one.name, one.probability) for one in ours.charges] == [
            (one.name, one.probability) for one in theirs.charges
        ]
    for query, other in list(zip(hundred, others, strict=True))[:5]:
        for hit, same in zip(index.search(query.text), index.search(other.text), strict=True):
            assert hit.explanation is not None
            assert same.explanation is not None
            assert hit.explanation.shared == same.explanation.shared
            assert not any("某" in word for word, _ in hit.explanation.shared)


def test_what_lexgear_quotes_is_in_the_text_itself(index: Index, hundred: list[Query]) -> None:
    for query in hundred[:10]:
        judgment = index.judge(query.text)
        parts = [*judgment.rationale.sentences, *judgment.rationale.words]
        parts += [part for charge in judgment.charges for part in charge.rationale]
        rationale = index.ranker.rationale(query.text)
        assert rationale == judgment.rationale
        for hit in index.search(query.text, 3):
            assert hit.explanation is not None
            parts += hit.explanation.rationale
        assert parts
        assert all(query.text[part.start : part.end] == part.text for part in parts)


@pytest.mark.parametrize(
    "make",
    [
        BM25,
        lambda: Dense(TINY_DENSE),
        lambda: Fusion(configure(FusionSettings, first="bm25", second="query_likelihood")),
    ],
)
def test_other_names_in_documents_and_queries_change_no_score(make: Callable[[], Ranker]) -> None:
    collection = small_collection(60)
    other = with_other_names(collection)
    assert other.documents != collection.documents
    queries = [query for query in collection.queries if query.split == "test"][:20]
    ours, theirs = make().fit(collection), make().fit(other)
    expected = ours.search(queries, 20)
    assert theirs.search(queries, 20) == expected
    assert theirs.search([with_other_name(query) for query in queries], 20) == expected


def test_the_base_judge_judges_alike(hundred: list[Query]) -> None:
    judge = shipped_judge("zh")
    for query in hundred[:10]:
        ours, theirs = (
            [(charge.name, charge.probability) for charge in judge.judge(text).charges]
            for text in (query.text, swapped(query.text))
        )
        assert ours == theirs


NAMED = Collection(
    "named",
    "zh",
    (Document("a", {"fact": "赵某去公园散步。"}), Document("b", {"fact": "钱某去公园散步。"})),
)


def test_bm25_can_be_asked_to_keep_names(tmp_path: Path) -> None:
    query = Query("q", "赵某散步。")
    neutral, named = train(NAMED, BM25(), tmp_path / "neutral"), train(NAMED, "bm25", tmp_path / "named", names=True)
    scores = [[hit.score for hit in index.rank([query], 2)[0]] for index in (neutral, named)]
    assert scores[0][0] == scores[0][1]
    assert scores[1][0] > scores[1][1]
    loaded = Index.load(tmp_path / "named")
    assert loaded.rank([query], 2) == named.rank([query], 2)
    assert Index.load(tmp_path / "neutral").rank([query], 2) == neutral.rank([query], 2)


def test_an_index_of_an_earlier_version_keeps_the_names_it_has_counted(tmp_path: Path) -> None:
    named = train(NAMED, BM25(configure(BM25Settings, names=True)), tmp_path / "index")
    path = tmp_path / "index" / MANIFEST
    fields = json.loads(path.read_text(encoding="utf-8"))
    parts = fields["parts"] | fields["segments"][0]["stored"]["parts"]
    del fields["sha256"], fields["keeps_names"], fields["segments"], fields["settings"]["names"]
    path.write_text(manifest_text({**fields, "format": 2, "parts": parts}), encoding="utf-8")
    loaded, query = Index.load(tmp_path / "index"), Query("q", "赵某散步。")
    assert loaded.rank([query], 2) == named.rank([query], 2)
    loaded.add([Document("c", {"fact": "孙某去公园散步。"})])
    assert [hit.document for hit in Index.load(tmp_path / "index").rank([Query("q", "孙某")], 1)[0]] == ["c"]


def test_names_are_no_reasons_in_any_ranker_over_words() -> None:
    hits = BM25().fit(NAMED).search_explained(Query("q", "被告人赵某在公园，王小明散步"), 2)
    assert next(why.shared for _, why in hits if why)
    assert not any("赵" in word for _, why in hits if why for word, _ in why.shared)


def test_cross_validation_removes_names_from_the_documents_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    collection = small_collection()
    neutral = neutral_module.neutral_document
    monkeypatch.setattr(neutral_module, "neutral_document", lambda document: read.append(1) or neutral(document))  # type: ignore[func-returns-value]
    ranker, fewer = BM25().fit(collection), replace(collection, queries=collection.queries[:1])
    before = len(read)
    first = ranker.with_queries(fewer)
    second = ranker.with_queries(collection)
    assert len(read) - before == len(collection.documents)
    assert first.search(collection.queries, 3) == second.search(collection.queries, 3)


def test_an_explained_search_removes_the_names_of_its_query_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ranker = BM25().fit(small_collection())
    read: list[str] = []
    neutralise = neutral_module.neutralise
    monkeypatch.setattr(neutral_module, "neutralise", lambda text: read.append(text) or neutralise(text))  # type: ignore[func-returns-value]
    ranker.search_explained(Query("q", "被告人王小明盗窃手机"), 3)
    assert read == ["被告人王小明盗窃手机"]
