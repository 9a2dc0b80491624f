"""Adaptation of the encoder's vectors to training queries."""
