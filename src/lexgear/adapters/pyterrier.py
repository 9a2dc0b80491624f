"""PyTerrier adapter: an index as a retriever in PyTerrier pipelines and experiments.

Needs the extra `lexgear[pyterrier]`, but no Java.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lexgear.api import Index
from lexgear.corpus.records import Query
from lexgear.errors import ErrorCode, InputError

try:
    import pandas as pd
    import pyterrier as pt
except ImportError as error:
    raise ImportError("lexgear.adapters.pyterrier needs PyTerrier: pip install 'lexgear[pyterrier]'") from error


class LexgearRetriever(pt.Transformer):
    """PyTerrier transformer from queries to results.

    The input is a data frame with the columns `qid` and `query`. The output has one row per result with the columns of
    the query and `docno`, `score` and `rank`, which counts from 0 as in PyTerrier.

        retriever = LexgearRetriever("build/index", k=100)
        pt.Experiment([retriever], topics, qrels, ["nDCG@10"])
    """

    def __init__(
        self, index: Index | str | Path, k: int = 1000, filters: Sequence[str] = (), *, include_text: bool = False
    ) -> None:
        """Make a retriever; with `include_text` results also have the columns `title` and `text`."""
        super().__init__()
        self.index = index if isinstance(index, Index) else Index.load(index)
        self.k, self.filters, self.include_text = k, tuple(filters), include_text

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Return the results of the queries, in the order of the queries and best first."""
        if missing := {"qid", "query"} - set(inp.columns):
            raise InputError(
                f"the data frame has no column {min(missing)!r}",
                code=ErrorCode.INVALID_ARGUMENT,
                remedy="give queries with the columns qid and query",
                name=min(missing),
            )
        columns = pt.model.query_columns(inp)
        asked = inp[columns].drop_duplicates("qid")
        queries = [Query(str(qid), text) for qid, text in zip(asked["qid"], asked["query"], strict=True)]
        runs = self.index.run(queries, self.k, self.filters)
        rows = [
            (*row, document, score, rank)
            for row, query in zip(asked.itertuples(index=False, name=None), queries, strict=True)
            for rank, (document, score) in enumerate(runs[query.id].items())
        ]
        results = pd.DataFrame(rows, columns=[*columns, "docno", "score", "rank"])
        return self._with_text(results) if self.include_text else results

    def _with_text(self, results: pd.DataFrame) -> pd.DataFrame:
        documents = [self.index.document(document) for document in results["docno"]]
        return results.assign(
            title=[document.title for document in documents], text=[document.text for document in documents]
        )
