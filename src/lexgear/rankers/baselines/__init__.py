"""Baselines: random order, gold charges, nearest training query."""
