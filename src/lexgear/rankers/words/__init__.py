"""Word rankers: BM25 and query likelihood."""
