"""generative."""
