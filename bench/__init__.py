"""Ratios measured side by side in one run: ours against a named peer on the same work."""
