"""writers."""
