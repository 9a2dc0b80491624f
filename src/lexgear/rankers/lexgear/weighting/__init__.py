"""Weights of the ranking score and of the walk, and how they are learnt."""
