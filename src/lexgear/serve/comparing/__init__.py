"""Comparison of two cases."""
