"""Texts for users in Chinese, French and English: one folder per catalogue, one TOML file per language."""
