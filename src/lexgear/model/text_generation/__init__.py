"""Text generation: queries for documents, and summaries by language models."""
