"""Benchmarks: our code and a named alternative timed on the same work in one run."""
