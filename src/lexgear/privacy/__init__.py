"""Person names in texts: detection and masking."""
