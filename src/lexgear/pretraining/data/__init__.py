"""Pretraining data: collecting cases, excluding test texts, tokenising, sampling and masking."""
