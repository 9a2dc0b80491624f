"""Recognition of Chinese names that nothing announces."""
