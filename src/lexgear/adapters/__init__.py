"""Adapters that make an index usable in other libraries; each needs the extra of its name."""
