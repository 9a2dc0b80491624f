"""The LangChain adapter, with LangChain itself."""

import pytest
from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda

from index.test_store import CASES
from lexgear import Index, train
from lexgear.adapters.langchain import LexgearRetriever

TEXT = "翻墙进入商店"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return train(CASES, "bm25", tmp_path_factory.mktemp("index") / "index")


def test_documents_come_with_what_is_known_about_them(index: Index) -> None:
    [first, second] = LexgearRetriever(index=index, k=2).invoke(TEXT)
    hits = index.search(TEXT, k=2)
    assert isinstance(first, Document)
    assert [first.id, second.id] == [hit.document.id for hit in hits]
    assert first.page_content == hits[0].document.text
    assert first.metadata["score"] == hits[0].score
    assert first.metadata["rank"] == 1
    assert first.metadata["charges"] == ["盗窃罪"]
    assert first.metadata["court"] == "某县人民法院"
    assert first.metadata["places"] == list(hits[0].places)
    assert "court" not in second.metadata


def test_filters_are_applied(index: Index) -> None:
    found = LexgearRetriever(index=index, filters=("charge=抢劫罪",)).invoke(TEXT)
    assert [document.id for document in found] == ["b"]


def test_it_is_part_of_a_chain_and_searches_batches(index: Index) -> None:
    def ids(found: list[Document]) -> list[str | None]:
        return [document.id for document in found]

    chain = LexgearRetriever(index=index, k=1) | RunnableLambda(ids)
    assert chain.invoke(TEXT) == ["a"]
    assert chain.batch([TEXT, "持刀"]) == [["a"], ["b"]]
