"""The HTTP service: the API, the page and the similar-case report over one index."""
