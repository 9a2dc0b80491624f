"""Rationale extraction, f_R of the paper: the relevant words and sentences of a text, each with a charge."""
