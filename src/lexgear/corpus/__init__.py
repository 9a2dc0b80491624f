"""Documents and queries: records, storage, data set readers, extraction from judgments, the built-in sample."""
