"""Walking the tree: the most probable IDs and documents, exactly or by the paper's beams."""
