"""Pretraining of base models: prepare tokenised data once, then train one encoder-decoder on several tasks."""
