"""Training objectives, one module per model or loss."""
