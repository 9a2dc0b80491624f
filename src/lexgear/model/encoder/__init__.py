"""Text encoders: bi-encoders, cross-encoders, frozen encoders and the graph network over the law."""
