"""lexgear."""
