"""Recognition of person names in French texts."""
