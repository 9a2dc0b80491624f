"""Features of documents and queries: words, concepts, centroids of the law, past questions."""
