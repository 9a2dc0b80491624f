"""Search over the tree: exact search, the paper's beam search and nearest vectors."""
