"""Endpoints of the API, one module per topic."""
