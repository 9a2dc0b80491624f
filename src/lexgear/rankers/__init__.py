"""Rankers: retrieval systems behind one interface, and their registry."""
