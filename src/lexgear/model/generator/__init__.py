"""Generator of document IDs: decoder walks, whole-tree scoring and CUDA graphs."""
