"""LangChain adapter: an index as a retriever in LangChain chains.

Needs the extra `lexgear[langchain]`.
"""

from __future__ import annotations

from typing import Any

from lexgear.api import Hit, Index

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
except ImportError as error:
    raise ImportError("lexgear.adapters.langchain needs LangChain: pip install 'lexgear[langchain]'") from error

METADATA = (
    "title",
    "charges",
    "articles",
    "penalty",
    "court",
    "level",
    "region",
    "date",
    "number",
    "in_force_from",
    "in_force_until",
)
"""Fields of a document that become metadata if they are known."""


class LexgearRetriever(BaseRetriever):
    """LangChain retriever over an index.

    retriever = LexgearRetriever(index=Index.load("build/index"), k=5, filters=["charge=盗窃罪"])
    retriever.invoke("被告人夜间翻墙进入商店，拿走现金五千余元。")
    """

    index: Index
    k: int = 10
    """Documents per query."""
    filters: tuple[str, ...] = ()
    """Filters as in `Index.search`."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return [to_langchain(hit) for hit in self.index.search(query, self.k, self.filters)]


def to_langchain(hit: Hit) -> Document:
    """Return a hit as a LangChain document: the text, and as metadata what is known about the document and the hit."""
    row = hit.to_row()
    metadata: dict[str, Any] = {name: row[name] for name in METADATA if row.get(name)}
    metadata |= {"id": hit.document.id, "rank": hit.rank, "score": hit.score, "places": list(hit.places)}
    return Document(page_content=hit.document.text, id=hit.document.id, metadata=metadata)
