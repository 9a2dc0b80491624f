"""The paper's table of rationale extraction, and the annotation sheet behind it."""
