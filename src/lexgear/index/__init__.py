"""Indexes on disk: manifest, parts, the document catalogue and its filters."""
