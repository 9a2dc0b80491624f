"""HTTP service: an API and a web page over one index."""
