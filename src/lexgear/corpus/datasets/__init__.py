"""Data set readers, one module per data set, and their registry."""
